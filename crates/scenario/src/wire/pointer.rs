//! A place in a document: a JSON pointer (RFC 6901).

use std::fmt;

use super::Diagnostic;

/// The way from the root of a document to one of its values; empty for the root itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(Vec<String>);

impl Pointer {
    /// The whole document.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// Reads `/components/alerts/visibility_timeout`; `~1` stands for `/` and `~0` for `~` within
    /// a token (RFC 6901, section 3).
    ///
    /// # Errors
    /// A diagnostic without a path when the text is not a pointer.
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        if text.is_empty() {
            return Ok(Self::root());
        }
        let Some(rest) = text.strip_prefix('/') else {
            return Err(Diagnostic::new(
                "",
                format!("“{}” is not a JSON pointer", super::excerpt(text)),
                "begin it with “/”, as in /components/alerts",
            ));
        };
        rest.split('/').map(unescape).collect::<Result<_, _>>().map(Self)
    }

    /// The tokens, unescaped, from the root.
    pub fn tokens(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether this is the whole document.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Goes one step further in.
    pub fn push(&mut self, token: impl Into<String>) {
        self.0.push(token.into());
    }

    /// This pointer and one more step.
    #[must_use]
    pub fn join(&self, token: impl Into<String>) -> Self {
        let mut longer = self.clone();
        longer.push(token);
        longer
    }

    /// The way to the value that holds this one, and the last step; `None` for the root.
    #[must_use]
    pub fn split_last(&self) -> Option<(Self, &str)> {
        let (last, rest) = self.0.split_last()?;
        Some((Self(rest.to_vec()), last))
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|token| write!(f, "/{}", Escaped(token)))
    }
}

/// A token as it is written within a pointer.
pub(super) struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '~' => f.write_str("~0"),
            '/' => f.write_str("~1"),
            _ => write!(f, "{c}"),
        })
    }
}

fn unescape(token: &str) -> Result<String, Diagnostic> {
    let mut plain = String::with_capacity(token.len());
    let mut chars = token.chars();
    while let Some(c) = chars.next() {
        plain.push(match c {
            '~' => match chars.next() {
                Some('0') => '~',
                Some('1') => '/',
                _ => {
                    return Err(Diagnostic::new(
                        "",
                        format!("“{}” has a “~” that stands for nothing", super::excerpt(token)),
                        "write ~0 for “~” and ~1 for “/” within a name",
                    ));
                }
            },
            _ => c,
        });
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, tokens: &[&str]) {
        let pointer = Pointer::parse(text).expect(text);
        assert_eq!(pointer.tokens().collect::<Vec<_>>(), tokens, "{text}");
        assert_eq!(pointer.to_string(), text);
    }

    #[test]
    fn pointers_of_rfc_6901_section_5() {
        check("", &[]);
        check("/foo/0", &["foo", "0"]);
        check("/", &[""]);
        check("/a~1b", &["a/b"]);
        check("/m~0n", &["m~n"]);
        check("/ ", &[" "]);
    }

    #[test]
    fn what_is_not_a_pointer_is_refused() {
        for text in ["foo", "/~", "/~2", "#/a"] {
            let refusal = Pointer::parse(text).expect_err(text);
            assert!(!refusal.repair.is_empty());
        }
    }

    #[test]
    fn split_and_join_are_inverse() {
        let pointer = Pointer::parse("/a/b").unwrap();
        let (front, last) = pointer.split_last().unwrap();
        assert_eq!(front.join(last), pointer);
        assert!(Pointer::root().split_last().is_none());
    }
}
