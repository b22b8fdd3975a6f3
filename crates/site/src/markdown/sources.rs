//! Sources: what a paper cites, as footnotes whose labels must meet.

use super::line_of;

/// Checks that every `[^label]` of the body has its source and every source its mention.
///
/// # Errors
/// Names the line of the first one that is alone.
pub fn check(text: &str, body: usize) -> Result<(), String> {
    let found = labels(text, body);
    for (at, label, role) in &found {
        let other = |(_, l, r): &&(usize, &str, Role)| l == label && r != role;
        if found.iter().find(other).is_none() {
            let line = line_of(text, *at);
            return Err(match role {
                Role::Mention => format!("{line}: there is no source `[^{label}]: …`"),
                Role::Source => format!("{line}: nothing mentions the source `[^{label}]`"),
            });
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Mention,
    Source,
}

/// The labels in the body outside of code blocks: where, which, and whether it is a source.
fn labels(text: &str, body: usize) -> Vec<(usize, &str, Role)> {
    let mut found = Vec::new();
    let mut at = body;
    let mut in_code = false;
    for line in text[body..].split_inclusive('\n') {
        in_code ^= line.starts_with("```");
        for (start, _) in line.match_indices("[^").filter(|_| !in_code) {
            let Some((label, after)) = line[start + 2..].split_once(']') else { continue };
            let role =
                if start == 0 && after.starts_with(':') { Role::Source } else { Role::Mention };
            found.push((at + start, label, role));
        }
        at += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn labels_meet() {
        assert_eq!(check("a[^x] b[^x]\n\n[^x]: X.\n", 0), Ok(()));
        assert_eq!(check("```\n[^x]\n```\n", 0), Ok(()));
        let lonely = |text: &str, want: &str| {
            let message = check(text, 0).expect_err("an error");
            assert!(message.contains(want), "{message}");
        };
        lonely("a\n\nb[^x]\n", "3: there is no source");
        lonely("a\n\n[^x]: X.\n", "3: nothing mentions");
    }
}
