//! What an author got wrong: where, what, and how to repair it.

use std::cell::{Cell, RefCell};
use std::fmt;

use crate::limits;

/// One thing that is wrong with a document or a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The place: a JSON pointer (RFC 6901), `""` for the whole document, or the key of an
    /// address (`run`) or attribute.
    pub path: String,
    /// What is wrong, in a clause.
    pub problem: String,
    /// What to do about it, in a clause.
    pub repair: String,
}

impl Diagnostic {
    /// A diagnostic at a place.
    #[must_use]
    pub fn new(
        path: impl Into<String>,
        problem: impl Into<String>,
        repair: impl Into<String>,
    ) -> Self {
        Self { path: path.into(), problem: problem.into(), repair: repair.into() }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            write!(f, "in the document: {} — {}", self.problem, self.repair)
        } else {
            write!(f, "at {}: {} — {}", self.path, self.problem, self.repair)
        }
    }
}

impl std::error::Error for Diagnostic {}

/// Collects diagnostics while a document is read; keeps the first [`limits::DIAGNOSTICS`].
#[derive(Debug, Default)]
pub struct Diagnostics {
    kept: RefCell<Vec<Diagnostic>>,
    left_out: Cell<usize>,
}

impl Diagnostics {
    /// An empty collection.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one.
    pub fn push(&self, diagnostic: Diagnostic) {
        let mut kept = self.kept.borrow_mut();
        if kept.len() < limits::DIAGNOSTICS.max {
            kept.push(diagnostic);
        } else {
            self.left_out.set(self.left_out.get() + 1);
        }
    }

    /// Whether nothing is wrong so far.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.borrow().is_empty()
    }

    /// How many have been reported, those that were not kept included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.borrow().len() + self.left_out.get()
    }

    /// Those that were kept, in the order of the document; when some were left out, a last one
    /// says how many.
    #[must_use]
    pub fn into_vec(self) -> Vec<Diagnostic> {
        let mut all = self.kept.into_inner();
        if self.left_out.get() > 0 {
            all.push(Diagnostic::new(
                "",
                format!("{} more things are wrong", self.left_out.get()),
                "repair those above and look again",
            ));
        }
        all
    }
}

/// The beginning of a text that came from outside, short enough to stand in a sentence.
pub(crate) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut shown: String =
        text.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_reads_as_a_sentence() {
        let check = |path, text| {
            assert_eq!(Diagnostic::new(path, "it is cold", "light the fire").to_string(), text);
        };
        check("/hearth/0", "at /hearth/0: it is cold — light the fire");
        check("", "in the document: it is cold — light the fire");
        check("run", "at run: it is cold — light the fire");
    }

    #[test]
    fn the_collection_is_bounded_and_counts_the_rest() {
        let sink = Diagnostics::new();
        for i in 0..limits::DIAGNOSTICS.max + 7 {
            sink.push(Diagnostic::new(format!("/{i}"), "wrong", "right"));
        }
        assert_eq!(sink.len(), limits::DIAGNOSTICS.max + 7);
        let all = sink.into_vec();
        assert_eq!(all.len(), limits::DIAGNOSTICS.max + 1);
        assert_eq!(all[limits::DIAGNOSTICS.max].problem, "7 more things are wrong");
    }
}
