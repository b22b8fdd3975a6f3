//! House rules for what is read, and how hard it is to read.

/// What is wrong with a text by the rules of the house: the problem and the repair.
pub(crate) fn flaws(text: &str) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    if text.contains('!') {
        let problem = format!("an exclamation mark in “{text}”");
        found.push((problem, "end the sentence with a full stop"));
    }
    if text.trim() != text || text.contains("  ") {
        found.push((format!("spaces too many in “{text}”"), "take them out"));
    }
    found
}

/// How hard a text is to read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// How many words it has.
    pub words: usize,
    /// How many sentences.
    pub sentences: usize,
    /// The years of school that it asks for, after Kincaid, Fishburne, Rogers and Chissom,
    /// *Derivation of New Readability Formulas*, 1975.
    pub grade: f64,
}

impl Reading {
    /// Of a text in English, a paragraph or an item a line; `None` if it has no words.
    ///
    /// Syllables are counted by their vowels, which is off by some for a word and by little for a
    /// page. What holds no letter is no word: a formula is not read aloud.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "pages are short")]
    pub fn of(text: &str) -> Option<Reading> {
        let is_word = |word: &&str| word.chars().any(char::is_alphabetic);
        let (mut words, mut sentences, mut syllables) = (0, 0, 0);
        for line in text.lines() {
            let mut open = false;
            for word in line.split_whitespace() {
                for part in word.split(['-', '–', '/', '_', '.']).filter(is_word) {
                    words += 1;
                    open = true;
                    syllables += self::syllables(part);
                }
                let ends = word.trim_end_matches(['”', '’', '"', ')', '*']);
                if open && ends.ends_with(['.', '?']) {
                    sentences += 1;
                    open = false;
                }
            }
            sentences += usize::from(open);
        }
        if words == 0 {
            return None;
        }
        let each = |count: usize, of: usize| count as f64 / of.max(1) as f64;
        let grade = 0.39 * each(words, sentences) + 11.8 * each(syllables, words) - 15.59;
        Some(Reading { words, sentences, grade })
    }
}

/// How many syllables a word has, at least one: groups of vowels, without a silent “e” at its end.
fn syllables(word: &str) -> usize {
    let letters: Vec<char> =
        word.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    let is_vowel = |at: usize| matches!(letters[at], 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let starts = |at: &usize| is_vowel(*at) && (*at == 0 || !is_vowel(*at - 1));
    let groups = (0..letters.len()).filter(starts).count();
    let vowel = |c: char| "aeiouy".contains(c);
    let silent = match letters.as_slice() {
        [.., before, 'l', 'e'] => vowel(*before),
        [.., before, 'e'] => !vowel(*before),
        [.., before, 'e', 'd'] => !vowel(*before) && !"td".contains(*before),
        [.., before, 'e', 's'] => !vowel(*before) && !"cgsxz".contains(*before),
        _ => false,
    };
    let groups = if silent && groups > 1 { groups - 1 } else { groups };
    groups.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syllables_are_those_one_hears() {
        for (word, count) in [
            ("a", 1),
            ("queue", 1),
            ("message", 2),
            ("retries", 2),
            ("table", 2),
            ("made", 1),
            ("crashed", 1),
            ("repeated", 3),
            ("twice", 1),
            ("database", 3),
            ("idempotent", 4),
            ("the", 1),
        ] {
            assert_eq!(syllables(word), count, "{word}");
        }
    }

    #[test]
    fn short_sentences_of_short_words_read_easily() {
        let grade = |text| Reading::of(text).expect("words").grade;
        let easy = "The worker dies. The mail is sent twice.";
        let hard = "Notwithstanding considerable architectural investment, asynchronous \
                    communication infrastructure necessitates idempotent consumers.";
        assert!(grade(easy) < 2.0, "{}", grade(easy));
        assert!(grade(hard) > 20.0, "{}", grade(hard));
        assert_eq!(Reading::of("12 % → 3\n\n"), None);
    }

    #[test]
    fn a_line_ends_a_sentence_and_a_number_does_not() {
        let reading =
            Reading::of("One item\nAnother item\nIt takes 2.5 s to send.").expect("words");
        assert_eq!((reading.sentences, reading.words), (3, 9));
    }

    #[test]
    fn exclamation_marks_and_spaces_are_flaws() {
        assert_eq!(flaws("It holds."), []);
        assert_eq!(flaws("It holds!").len(), 1);
        assert_eq!(flaws(" It  holds! ").len(), 2);
    }
}
