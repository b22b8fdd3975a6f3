//! What a page says about an exhibit: the prose of its file. The run itself is the engine's.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;

/// The parts of an exhibit's file that pages show.
#[derive(Clone, Debug, Deserialize)]
pub struct Exhibit {
    /// Its id, which is its file's name.
    #[serde(skip)]
    pub id: String,
    /// The profiles of rules its scenario uses, each once, in order of their names.
    #[serde(skip)]
    pub profiles: Vec<String>,
    /// What its scenario is made of, as far as one would look for it.
    #[serde(skip)]
    pub parts: Vec<&'static str>,
    /// Its title.
    pub title: String,
    /// What it teaches, in a line.
    #[serde(default)]
    pub lesson: String,
    /// Its number, such as `2.2`.
    #[serde(default)]
    pub number: String,
    /// Whose rules the run follows.
    #[serde(default)]
    pub rules: String,
    /// The scene in a paragraph: the text alternative of the picture.
    #[serde(default)]
    pub summary: String,
    /// The moment of the run that a still shows.
    #[serde(default)]
    pub poster: String,
    /// What is at work, a rule a line.
    #[serde(default)]
    pub model: Vec<String>,
    /// What to try.
    #[serde(default, rename = "try")]
    pub trials: Vec<Trial>,
    /// What to say in a review.
    #[serde(default)]
    pub review: String,
}

/// Something to do, and what one then sees.
#[derive(Clone, Debug, Deserialize)]
pub struct Trial {
    /// What to do.
    #[serde(rename = "do")]
    pub act: String,
    /// What to look for.
    pub see: String,
}

impl Exhibit {
    /// Reads the exhibit `id` from its file's text.
    ///
    /// # Errors
    /// Says where the JSON is broken or what it lacks.
    pub fn parse(id: &str, json: &str) -> Result<Exhibit, String> {
        let read: Exhibit = serde_json::from_str(json).map_err(|e| format!("{id}.json: {e}"))?;
        let whole: Value = serde_json::from_str(json).map_err(|e| format!("{id}.json: {e}"))?;
        let components = whole.pointer("/scenario/components").and_then(Value::as_object);
        let profiles: BTreeSet<String> = components
            .into_iter()
            .flat_map(|all| all.values())
            .filter_map(|component| component["profile"].as_str().map(str::to_owned))
            .collect();
        let profiles = profiles.into_iter().collect();
        let parts = crate::parts::of_document(&whole);
        Ok(Exhibit { id: id.to_owned(), profiles, parts, ..read })
    }

    /// Its number as one counts, so that 2.10 comes after 2.9; without a number it comes last.
    #[must_use]
    pub fn place(&self) -> Vec<u32> {
        self.number.split('.').map(|part| part.parse().unwrap_or(u32::MAX)).collect()
    }

    /// The line it belongs to: the module's number.
    #[must_use]
    pub fn line(&self) -> &str {
        self.number.split('.').next().unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::Exhibit;

    #[test]
    fn an_exhibit_s_prose_is_read() {
        let json = r#"{ "title": "T", "number": "2.2", "try": [{ "do": "a", "see": "b" }],
            "scenario": { "components": { "q": { "profile": "sqs-standard" },
            "dlq": { "profile": "sqs-standard" }, "w": {} } } }"#;
        let exhibit = Exhibit::parse("t", json).expect("an exhibit");
        assert_eq!((exhibit.id.as_str(), exhibit.line()), ("t", "2"));
        assert_eq!(exhibit.profiles, ["sqs-standard"]);
        assert_eq!(exhibit.trials[0].see, "b");
    }

    #[test]
    fn numbers_are_places() {
        let place = |number: &str| {
            let json = format!("{{ \"title\": \"T\", \"number\": \"{number}\" }}");
            Exhibit::parse("t", &json).expect("an exhibit").place()
        };
        assert!(place("2.9") < place("2.10") && place("2.10") < place("10.1"));
        assert!(place("10.1") < place(""));
    }

    #[test]
    fn what_is_broken_is_named() {
        let message = Exhibit::parse("t", "{ \"lesson\": \"no title\" }").expect_err("an error");
        assert!(message.contains("t.json") && message.contains("title"), "{message}");
    }
}
