//! Colours for browsers from before `light-dark()` (2024), written out of the one list.

/// Two lists of every token that uses `light-dark()`, behind a test for it; nothing if there is
/// none.
#[must_use]
pub fn lists(css: &str) -> String {
    let tokens: Vec<(&str, &str, &str)> = css.split([';', '{', '}']).filter_map(token).collect();
    if tokens.is_empty() {
        return String::new();
    }
    let list =
        |pick: fn(&(&str, &str, &str)) -> String| -> String { tokens.iter().map(pick).collect() };
    let light = list(|(name, light, _)| format!("{name}:{light};"));
    let dark = list(|(name, _, dark)| format!("{name}:{dark};"));
    format!(
        "@supports not (color:light-dark(red,red)){{@layer tokens{{\
         :root,.inflight{{{light}}}\
         @media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\
         [data-theme=dark]{{{dark}}}}}}}"
    )
}

/// Name, light and dark of a declaration `--name: light-dark(light, dark)`.
fn token(declaration: &str) -> Option<(&str, &str, &str)> {
    let (name, value) = declaration.split_once(':')?;
    let (light, dark) =
        value.trim().strip_prefix("light-dark(")?.strip_suffix(')')?.split_once(',')?;
    let name = name.trim();
    name.starts_with("--").then_some((name, light.trim(), dark.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tokens_of_two_colours_are_listed() {
        let check = |text: &str, want| assert_eq!(token(text), want, "{text}");
        check("--a: light-dark(#fff, #000)", Some(("--a", "#fff", "#000")));
        check("color: light-dark(#fff, #000)", None);
        check("--a: #fff", None);
    }

    #[test]
    fn both_lists_are_written() {
        let lists = lists(":root{--a: light-dark(#fff, #000); --b: red}");
        assert!(lists.contains(":root,.inflight{--a:#fff;}"), "{lists}");
        assert!(lists.contains("[data-theme=dark]{--a:#000;}"), "{lists}");
        assert!(!lists.contains("--b"), "{lists}");
        assert_eq!(super::lists("a{b:c}"), "");
    }
}
