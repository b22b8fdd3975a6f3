//! Topic bindings: words between dots, matched by a pattern of words.
//!
//! `*` stands for exactly one word, which may be empty, `#` for any number, none included
//! (<https://www.rabbitmq.com/tutorials/tutorial-five-python>; `rabbit_db_topic_exchange.erl` and
//! its suite). A key of no characters has no words, so only patterns of `#` alone match it, and the
//! empty pattern. In a key, `*` and `#` are letters like others.

use super::super::BindError;

/// How many words of a pattern may be `#`, where that is limited (`rabbit_exchange_type_topic.erl`
/// since 4.3).
pub const HASH_WORDS_MAX: usize = 2;

/// Does a routing key fit a pattern?
///
/// Takes time in proportion to the number of words of the one times those of the other at most.
#[must_use]
pub fn matches(pattern: &str, key: &str) -> bool {
    let (pattern, key) = (words(pattern), words(key));
    let (mut at, mut read) = (0, 0);
    // Where to go back to: behind the latest `#`, which then takes one word more than before.
    let mut again: Option<(usize, usize)> = None;
    while read < key.len() {
        match pattern.get(at) {
            Some(&"#") => {
                at += 1;
                again = Some((at, read));
            }
            Some(&word) if word == "*" || word == key[read] => {
                at += 1;
                read += 1;
            }
            _ => match &mut again {
                Some((after_hash, taken)) => {
                    *taken += 1;
                    (at, read) = (*after_hash, *taken);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|word| *word == "#")
}

/// Holds a pattern to [`HASH_WORDS_MAX`].
///
/// # Errors
/// [`BindError::TooManyHashes`] with the number found.
pub fn validate(pattern: &str) -> Result<(), BindError> {
    let found = words(pattern).iter().filter(|word| **word == "#").count();
    if found <= HASH_WORDS_MAX { Ok(()) } else { Err(BindError::TooManyHashes { found }) }
}

fn words(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.split('.').collect() }
}
