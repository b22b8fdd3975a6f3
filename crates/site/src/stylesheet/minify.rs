//! A small CSS without a CSS parser: comments go, white space that means nothing goes.

/// The sheet without its comments; strings are left alone.
#[must_use]
pub fn without_comments(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(at) = rest.find(['/', '"', '\'']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let len = if from.starts_with("/*") {
            from.find("*/").map_or(from.len(), |end| end + 2)
        } else if from.starts_with('/') {
            out.push('/');
            1
        } else {
            let string = string_at(from);
            out.push_str(string);
            string.len()
        };
        rest = &from[len..];
    }
    out + rest
}

/// The sheet with no more white space than it needs. Comments must be gone.
#[must_use]
pub fn small(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(next) = rest.chars().next() {
        if next == '"' || next == '\'' {
            let string = string_at(rest);
            out.push_str(string);
            rest = &rest[string.len()..];
        } else if next.is_whitespace() {
            rest = rest.trim_start();
            let after = rest.chars().next();
            if out.chars().last().is_some_and(|c| !TIGHT_AFTER.contains(c))
                && after.is_some_and(|c| !TIGHT_BEFORE.contains(c))
            {
                out.push(' ');
            }
        } else {
            if next == '}' && out.ends_with(';') {
                out.pop();
            }
            out.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    out
}

/// White space after these, or before those, separates nothing. A colon is tight after only: before
/// it a space makes a descendant selector (`li :focus`).
const TIGHT_AFTER: &str = "{};,:>(";
const TIGHT_BEFORE: &str = "{};,>)";

/// The quoted string that `text` begins with, quotes and all.
fn string_at(text: &str) -> &str {
    let quote = text.as_bytes()[0];
    let mut escaped = false;
    for (i, byte) in text.bytes().enumerate().skip(1) {
        if !escaped && byte == quote {
            return &text[..=i];
        }
        escaped = !escaped && byte == b'\\';
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_strings_stay() {
        let check = |css: &str, want: &str| assert_eq!(without_comments(css), want);
        check("a/* x */b", "ab");
        check("a{content:\"/* no */\"}", "a{content:\"/* no */\"}");
        check("a/b", "a/b");
        check("a/* open", "a");
        check("'it\\'s /*'/* c */", "'it\\'s /*'");
    }

    #[test]
    fn white_space_that_means_something_stays() {
        let check = |css: &str, want: &str| assert_eq!(small(css), want);
        check("a { b : c ; }\n", "a{b :c}");
        check("li :focus { margin: 0 auto; }", "li :focus{margin:0 auto}");
        check("a  >  b, c + d { }", "a>b,c + d{}");
        check("a { b: calc(1px + 2px); }", "a{b:calc(1px + 2px)}");
        check("a { content: \"  ; \"; }", "a{content:\"  ; \"}");
        check(
            "@media (min-width: 2em) and (x: y) { a { b: c; } }",
            "@media (min-width:2em) and (x:y){a{b:c}}",
        );
        check("@container exhibit (max-width: 4em) {}", "@container exhibit (max-width:4em){}");
        check(":is(a, b) c { d: e }", ":is(a,b) c{d:e}");
    }
}
