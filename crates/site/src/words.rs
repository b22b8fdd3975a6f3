//! The words of the pages: their own catalogue, read here and never fetched by an exhibit.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};

/// Which words of a catalogue a first picture needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All there are.
    All,
    /// Those under these keys.
    Keys(Vec<String>),
}

/// The catalogue of the pages.
#[derive(Clone, Debug)]
pub struct Words(BTreeMap<String, String>);

impl Words {
    /// Reads a flat JSON object of keys and templates.
    ///
    /// # Errors
    /// Says where the JSON is broken.
    pub fn parse(json: &str) -> Result<Words, String> {
        serde_json::from_str(json).map(Words).map_err(|error| error.to_string())
    }

    /// The words for `key`.
    ///
    /// # Panics
    /// If the catalogue lacks the key: a page with a hole must not be published.
    #[must_use]
    pub fn say(&self, key: &str) -> &str {
        self.0.get(key).unwrap_or_else(|| panic!("en.pages.json lacks the key {key}"))
    }

    /// The words for `key` with `{name}` filled in.
    #[must_use]
    pub fn fill(&self, key: &str, names: &[(&str, &str)]) -> String {
        names.iter().fold(self.say(key).to_owned(), |said, (name, value)| {
            said.replace(&format!("{{{name}}}"), value)
        })
    }

    /// The exhibits' catalogue with the element's own sentences, which it can do without until then.
    ///
    /// # Errors
    /// If the catalogue is not a flat object.
    pub fn added_to(&self, catalogue: &str) -> Result<String, String> {
        let Words(mut all) = Words::parse(catalogue)?;
        let own = self.0.iter().filter(|(key, _)| key.starts_with("element."));
        all.extend(own.map(|(key, said)| (key.clone(), said.clone())));
        serde_json::to_string(&all).map_err(|error| error.to_string())
    }

    /// A catalogue in two: the words that are wanted first, and the others. What is wanted and is not
    /// there is empty, which says so.
    ///
    /// # Errors
    /// If the catalogue is not a flat object.
    pub fn parted(catalogue: &str, wanted: &Wanted) -> Result<[String; 2], String> {
        let Words(mut more) = Words::parse(catalogue)?;
        let mut first = BTreeMap::new();
        match wanted {
            Wanted::All => first.append(&mut more),
            Wanted::Keys(keys) => {
                for key in keys {
                    first.insert(key.clone(), more.remove(key).unwrap_or_default());
                }
            }
        }
        let json = |all| serde_json::to_string(&all).map_err(|error| error.to_string());
        Ok([json(first)?, json(more)?])
    }

    /// The entries whose keys begin with `prefix`, without it.
    #[must_use]
    pub fn under(&self, prefix: &str) -> BTreeMap<&str, &str> {
        self.0
            .iter()
            .filter_map(|(key, said)| Some((key.strip_prefix(prefix)?, said.as_str())))
            .collect()
    }
}

/// A sentence with `code` in backticks and **bold** in stars, as exhibits and pages write it.
#[must_use]
pub fn marked(text: &str) -> Markup {
    html! {
        @for (i, part) in text.split('`').enumerate() {
            @if i % 2 == 1 { code { (part) } }
            @else {
                @for (j, piece) in part.split("**").enumerate() {
                    @if j % 2 == 1 { b { (piece) } } @else { (piece) }
                }
            }
        }
    }
}

/// JSON for a script of our own: no `</script>` can end it early, no line separator can break it.
#[must_use]
pub fn script_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).map_or_else(|_| "{}".into(), |json| json.replace('<', "\\u003c"))
}

/// Markup that is known to be markup: what our own components drew.
#[must_use]
pub fn drawn(markup: &str) -> Markup {
    PreEscaped(markup.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_may_hold_code_and_bold() {
        let check = |text: &str, want: &str| assert_eq!(marked(text).into_string(), want);
        check("plain", "plain");
        check("an `ack` here", "an <code>ack</code> here");
        check("**now** <b>", "<b>now</b> &lt;b&gt;");
        check("`a ** b`", "<code>a ** b</code>");
    }

    #[test]
    fn names_are_filled() {
        let words = Words::parse(r#"{"a":"{x} of {y}","a.b":"c"}"#).expect("a catalogue");
        assert_eq!(words.fill("a", &[("x", "1"), ("y", "2")]), "1 of 2");
        let own = Words::parse(r#"{"element.x":"y","page.z":"w"}"#).expect("a catalogue");
        assert_eq!(own.added_to(r#"{"b":"c"}"#).as_deref(), Ok(r#"{"b":"c","element.x":"y"}"#));
        assert_eq!(words.under("a.").into_iter().collect::<Vec<_>>(), [("b", "c")]);
    }

    #[test]
    fn a_catalogue_is_parted() {
        let all = r#"{"a":"1","b":"2","element.x":"3"}"#;
        let wanted = Wanted::Keys(vec!["b".to_owned(), "none".to_owned()]);
        let parts = Words::parted(all, &wanted).expect("a catalogue");
        assert_eq!(parts, [r#"{"b":"2","none":""}"#, r#"{"a":"1","element.x":"3"}"#]);
        assert_eq!(Words::parted(all, &Wanted::All).expect("a catalogue"), [all, "{}"]);
    }

    #[test]
    fn json_cannot_end_a_script() {
        assert_eq!(script_json(&"</script>"), r#""\u003c/script>""#);
    }
}
