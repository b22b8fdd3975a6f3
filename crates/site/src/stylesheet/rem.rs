//! Lengths by the reader's text size.
//!
//! Inside a shadow root `rem` is the *host page's* root size: 10 px in mdBook, whatever the reader
//! has set. The sheet is written in `rem`, and here every one becomes `calc(N*var(--rem))`; `--rem`
//! is `1rem` on our pages, and the reader's own text size inside an element, which measures it.
//! `rem` in a `@media` condition is the reader's already and stays.

/// Rewrites `rem` lengths in declarations.
///
/// # Errors
/// If a container query uses `rem`: there it would be the host page's, and `em` is meant.
pub fn relative_to_reader(css: &str) -> Result<String, String> {
    let mut out = String::with_capacity(css.len() + css.len() / 4);
    let mut rest = css;
    while let Some(at) = rest.find("rem") {
        let number = number_before(&rest[..at]);
        let before = &rest[..at - number.len()];
        out.push_str(before);
        let (prelude, declaration) = surroundings(&out);
        let is_length = !number.is_empty() && !rest[at + 3..].starts_with(is_name);
        if is_length && prelude.starts_with("@container") {
            return Err(format!("{prelude} … {number}rem: a container query counts in em"));
        }
        if is_length && prelude.is_empty() && declaration != "--rem" {
            out.push_str(&format!("calc({number}*var(--rem))"));
        } else {
            out.push_str(&rest[at - number.len()..at + 3]);
        }
        rest = &rest[at + 3..];
    }
    Ok(out + rest)
}

/// The number that `text` ends with, sign included, if one stands there by itself.
fn number_before(text: &str) -> &str {
    let start = text.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    let digits = &text[start..];
    let unsigned = &text[..start];
    if digits.is_empty() || unsigned.ends_with(is_name) && !unsigned.ends_with('-') {
        return "";
    }
    match unsigned.strip_suffix('-') {
        Some(head) if !head.ends_with(is_name) => &text[start - 1..],
        Some(_) => "",
        None => digits,
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

/// The at-rule's prelude that is being written, if one is, and the property.
fn surroundings(written: &str) -> (&str, &str) {
    let open = written.rfind(['{', '}', ';']).map_or(0, |at| at + 1);
    let statement = written[open..].trim_start();
    if statement.starts_with('@') {
        return (statement, "");
    }
    ("", statement.split(':').next().unwrap_or("").trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_follow_the_reader() {
        let check = |css: &str, want: &str| {
            assert_eq!(relative_to_reader(css).as_deref(), Ok(want), "{css}");
        };
        check("a{b:1.5rem}", "a{b:calc(1.5*var(--rem))}");
        check("a{b:.5rem -2rem}", "a{b:calc(.5*var(--rem)) calc(-2*var(--rem))}");
        check("a{b:calc(1rem + 2px)}", "a{b:calc(calc(1*var(--rem)) + 2px)}");
        check("a{--s-1:1rem}", "a{--s-1:calc(1*var(--rem))}");
        check("a{--rem:1rem}", "a{--rem:1rem}");
        check("a{b:var(--rem)}", "a{b:var(--rem)}");
        check(".x-1rem{b:c}", ".x-1rem{b:c}");
        check(".remark{b:2rem}", ".remark{b:calc(2*var(--rem))}");
        check(
            "@media (min-width:30rem){a{b:1rem}}",
            "@media (min-width:30rem){a{b:calc(1*var(--rem))}}",
        );
    }

    #[test]
    fn container_queries_must_not_count_in_rem() {
        assert!(relative_to_reader("@container x (min-width:4rem){a{b:c}}").is_err());
        assert!(relative_to_reader("@container x (min-width:4em){a{b:c}}").is_ok());
    }
}
