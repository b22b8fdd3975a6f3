//! Marked text: a sentence with bold numbers and yellow plates, as a list of runs.

use yew::Html;
use yew::virtual_dom::{VList, VText};

use crate::markup::el;

/// A stretch of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// Plain words.
    Plain(String),
    /// What the eye should find: `<b>`.
    Strong(String),
    /// What broke: `<mark>`.
    Broken(String),
}

/// Parts a said template into its runs. Marks do not nest; an unclosed one reaches to the end.
#[must_use]
pub fn runs(text: &str) -> Vec<Run> {
    let mut out = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let next = ["<b>", "<mark>"].into_iter().filter_map(|tag| Some((find(rest, tag)?, tag)));
        let Some((at, tag)) = next.min() else { break };
        if at > 0 {
            out.push(Run::Plain(rest[..at].to_owned()));
        }
        let inner = &rest[at + tag.len()..];
        let close = if tag == "<b>" { "</b>" } else { "</mark>" };
        let end = find(inner, close);
        let body = &inner[..end.unwrap_or(inner.len())];
        let after = end.map_or("", |end| &inner[end + close.len()..]);
        out.push(match tag {
            "<b>" => Run::Strong(body.to_owned()),
            _ => Run::Broken(body.to_owned()),
        });
        rest = after;
    }
    if !rest.is_empty() {
        out.push(Run::Plain(rest.to_owned()));
    }
    out
}

/// Where a mark stands. (`std` searches for a text by an algorithm of two kilobytes.)
fn find(text: &str, mark: &str) -> Option<usize> {
    text.match_indices('<').map(|(at, _)| at).find(|at| text[*at..].starts_with(mark))
}

/// A said template as elements.
pub fn rich(text: &str) -> Html {
    let mut all = Vec::new();
    for run in runs(text) {
        all.push(match run {
            Run::Plain(words) => VText::new(words).into(),
            Run::Strong(words) => el("b", "").text(words).html(),
            Run::Broken(words) => el("mark", "").text(words).html(),
        });
    }
    VList::with_children(all, None).into()
}

/// A said template as bare words, for names of things and for live regions.
#[must_use]
pub fn unmarked(text: &str) -> String {
    runs(text)
        .into_iter()
        .map(|run| match run {
            Run::Plain(words) | Run::Strong(words) | Run::Broken(words) => words,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &[Run]) {
        assert_eq!(runs(text), want, "{text}");
    }

    #[test]
    fn marks_make_runs() {
        let plain = |s: &str| Run::Plain(s.to_owned());
        let strong = |s: &str| Run::Strong(s.to_owned());
        let broken = |s: &str| Run::Broken(s.to_owned());
        check("nothing", &[plain("nothing")]);
        check("acks <b>6</b>; it", &[plain("acks "), strong("6"), plain("; it")]);
        check(
            "<mark>A dies</mark> with <b>5</b>",
            &[broken("A dies"), plain(" with "), strong("5")],
        );
        check("open <b>end", &[plain("open "), strong("end")]);
        check("", &[]);
    }

    #[test]
    fn bare_words_lose_their_marks() {
        assert_eq!(unmarked("<mark>A dies</mark> with <b>5</b>"), "A dies with 5");
    }
}
