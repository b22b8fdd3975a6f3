//! The vocabulary of the element, as the loader's rules have it, with the default of each attribute
//! and who reads it. The page for authors makes its table and its builder from this.

use crate::source::Source;

/// The loader's file of rules.
pub const FILE: &str = "static/element/attributes.js";

/// An attribute of the element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// What its value must match, as a regular expression.
    pub rule: String,
    /// What counts without it.
    pub default: Default,
    /// Who reads it.
    pub reader: Reader,
}

/// What counts where an attribute is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// As if it had this value.
    Value(&'static str),
    /// What the words under `authors.default.` and this key say.
    Said(&'static str),
}

/// Who reads an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The loader, whatever is shown.
    Loader,
    /// All that is shown.
    All,
    /// Exhibits that run.
    Runs,
    /// Exhibits that run, and quizzes.
    RunsAndQuizzes,
    /// Quizzes.
    Quizzes,
}

impl Reader {
    /// The kinds of content for which it counts.
    #[must_use]
    pub fn kinds(self) -> &'static str {
        match self {
            Self::Loader | Self::All => "run quiz tree",
            Self::Runs => "run",
            Self::RunsAndQuizzes => "run quiz",
            Self::Quizzes => "quiz",
        }
    }
}

/// What the rules do not say. `tests` compares it with them and with the front end's settings.
const MORE: [(&str, Default, Reader); 20] = [
    ("exhibit", Default::Said("none"), Reader::Loader),
    ("src", Default::Said("none"), Reader::Loader),
    ("label", Default::Said("title"), Reader::All),
    ("run", Default::Said("none"), Reader::Runs),
    ("seed", Default::Said("seed"), Reader::RunsAndQuizzes),
    ("speed", Default::Said("own"), Reader::Runs),
    ("step", Default::Said("none"), Reader::Runs),
    ("autoplay", Default::Value("off"), Reader::Runs),
    ("controls", Default::Value("full"), Reader::Runs),
    ("frame", Default::Value("quiet"), Reader::All),
    ("theme", Default::Value("auto"), Reader::Loader),
    ("lang", Default::Value("en"), Reader::Loader),
    ("loading", Default::Value("lazy"), Reader::Loader),
    ("height", Default::Said("content"), Reader::Loader),
    ("ratio", Default::Said("content"), Reader::Loader),
    ("heading-level", Default::Value("3"), Reader::All),
    ("attempts", Default::Said("any"), Reader::Quizzes),
    ("reveal", Default::Value("after"), Reader::Quizzes),
    ("storage", Default::Value("local"), Reader::Quizzes),
    ("motion", Default::Value("auto"), Reader::RunsAndQuizzes),
];

/// Reads the vocabulary from the loader.
///
/// # Errors
/// Names the attribute of which only one of the two places knows.
pub fn read(source: &Source) -> Result<Vec<Attribute>, String> {
    of_script(&source.text(FILE)?).map_err(|error| format!("{FILE}: {error}"))
}

fn of_script(script: &str) -> Result<Vec<Attribute>, String> {
    let rules = rules(script)?;
    if let Some((name, ..)) = MORE.iter().find(|(name, ..)| !rules.iter().any(|(n, _)| n == name)) {
        return Err(format!("there is no rule for `{name}`: take it out of the site's table, too"));
    }
    let whole = |(name, rule): (String, String)| {
        let more = MORE.iter().find(|(known, ..)| *known == name);
        let (_, default, reader) = more
            .ok_or_else(|| format!("`{name}` has no default: add it to the site's table, too"))?;
        Ok(Attribute { name, rule, default: *default, reader: *reader })
    };
    rules.into_iter().map(whole).collect()
}

/// The names and expressions of the object `rules`, one a line.
fn rules(script: &str) -> Result<Vec<(String, String)>, String> {
    let body = script.split_once("const rules = {\n").and_then(|(_, rest)| rest.split_once("\n};"));
    let (body, _) = body.ok_or("there is no object `rules`")?;
    let named = |name: &str| {
        let value = script.split_once(&format!("const {name} = "));
        value.and_then(|(_, rest)| rest.split_once(";\n")).map(|(value, _)| value.to_owned())
    };
    let rule = |line: &str| {
        let (name, value) = line.trim().trim_end_matches(',').split_once(": ")?;
        let value = if value.starts_with('/') { value.to_owned() } else { named(value)? };
        let (expression, flags) = value.strip_prefix('/')?.rsplit_once('/')?;
        let flags = if flags.is_empty() { String::new() } else { format!("(?{flags})") };
        // In an expression of JavaScript a slash has a backslash before it.
        Some((name.trim_matches('"').to_owned(), flags + &expression.replace("\\/", "/")))
    };
    let rule = |line| rule(line).ok_or_else(|| format!("this is not a rule: {line}"));
    body.lines().map(rule).collect()
}

impl Attribute {
    /// The values it may have, if its rule is a list of them.
    #[must_use]
    pub fn choices(&self) -> Option<Vec<&str>> {
        let list = self.rule.strip_prefix("^(")?.strip_suffix(")$")?;
        let plain = list.chars().all(|c| c.is_ascii_lowercase() || c == '|');
        plain.then(|| list.split('|').collect())
    }
}

#[cfg(test)]
mod tests;
