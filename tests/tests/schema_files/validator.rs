//! A validator of JSON Schema for the keywords that our schemas use, and for no others: it refuses a
//! schema with a keyword that it does not know, so that nothing in one is without effect.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use regex_lite::Regex;
use serde_json::{Map, Value};

/// The schemas by the names of their files, without ending.
pub struct Schemas(BTreeMap<String, Value>);

/// A record of a document that a schema describes to the last field.
#[derive(Clone, Debug)]
pub struct Record {
    /// Where it stands, as a JSON pointer.
    pub at: String,
    /// The schema's file and the pointer in it.
    pub of: String,
}

/// A place in a schema.
#[derive(Clone)]
struct Place<'s> {
    file: &'s str,
    pointer: String,
    node: &'s Value,
}

impl Place<'_> {
    fn name(&self) -> String {
        format!("{}#{}", self.file, self.pointer)
    }
}

/// What says something about a schema and nothing about a document.
const SAID: [&str; 5] = ["$schema", "$defs", "$comment", "title", "description"];

impl Schemas {
    /// Reads all of them.
    pub fn load() -> Schemas {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../static/schema");
        let mut all = BTreeMap::new();
        for entry in fs::read_dir(folder).expect("the schemas") {
            let path = entry.expect("a file").path();
            let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
            let text = fs::read_to_string(&path).expect("a readable file");
            all.insert(name, serde_json::from_str(&text).expect("JSON"));
        }
        Schemas(all)
    }

    /// Every record that is described to the last field: its name, and its fields.
    pub fn closed(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut all = BTreeMap::new();
        for (file, schema) in &self.0 {
            gather(file, "", schema, &mut all);
        }
        all
    }

    /// Compares a document with the schema of its kind: what is wrong, or its records.
    pub fn validate(&self, file: &str, document: &Value) -> Result<Vec<Record>, Vec<String>> {
        let (file, node) = self.0.get_key_value(file).expect("a schema");
        let mut seen = Vec::new();
        let wrong =
            self.check(&Place { file, pointer: String::new(), node }, document, "", &mut seen);
        if wrong.is_empty() { Ok(seen) } else { Err(wrong) }
    }

    fn check(&self, place: &Place, it: &Value, at: &str, seen: &mut Vec<Record>) -> Vec<String> {
        let fields = match place.node {
            Value::Bool(true) => return Vec::new(),
            Value::Object(fields) => fields,
            other => panic!("{}: {other} is no schema", place.name()),
        };
        if fields.get("additionalProperties") == Some(&Value::Bool(false)) && it.is_object() {
            seen.push(Record { at: at.to_owned(), of: place.name() });
        }
        let mut wrong = Vec::new();
        for (word, want) in fields.iter().filter(|(word, _)| !SAID.contains(&word.as_str())) {
            let inner = |steps: &str, node| Place {
                file: place.file,
                pointer: format!("{}/{steps}", place.pointer),
                node,
            };
            match word.as_str() {
                "$ref" => wrong.extend(self.check(&self.target(place, want), it, at, seen)),
                "oneOf" | "anyOf" => {
                    let branches = want.as_array().expect("branches").iter().enumerate();
                    let tried = branches.map(|(n, node)| {
                        let mut seen = Vec::new();
                        let wrong =
                            self.check(&inner(&format!("{word}/{n}"), node), it, at, &mut seen);
                        (wrong, seen)
                    });
                    wrong.extend(chosen(word, tried.collect(), at, seen));
                }
                "properties" | "additionalProperties" | "propertyNames" => {
                    let Some(record) = it.as_object() else { continue };
                    wrong.extend(self.fields(word, &inner(word, want), fields, (record, at), seen));
                }
                "items" => {
                    for (n, one) in it.as_array().into_iter().flatten().enumerate() {
                        let at = format!("{at}/{n}");
                        wrong.extend(self.check(&inner("items", want), one, &at, seen));
                    }
                }
                _ => {
                    if !holds(word, want, it, &place.name()) {
                        wrong.push(format!("{at}: not {word} {want}"));
                    }
                }
            }
        }
        wrong
    }

    /// Compares the fields of a record with `properties` and what goes with it.
    fn fields(
        &self,
        word: &str,
        place: &Place,
        beside: &Map<String, Value>,
        (record, at): (&Map<String, Value>, &str),
        seen: &mut Vec<Record>,
    ) -> Vec<String> {
        let known = beside.get("properties").and_then(Value::as_object);
        let mut wrong = Vec::new();
        for (name, value) in record {
            let at = format!("{at}/{}", token(name));
            let property = known.and_then(|known| known.get(name));
            match (word, property) {
                ("properties", Some(node)) => {
                    let pointer = format!("{}/{}", place.pointer, token(name));
                    let place = Place { pointer, node, ..place.clone() };
                    wrong.extend(self.check(&place, value, &at, seen));
                }
                ("propertyNames", _) => {
                    let name = Value::String(name.clone());
                    wrong.extend(self.check(place, &name, &at, seen));
                }
                ("additionalProperties", None) if place.node == &Value::Bool(false) => {
                    wrong.push(format!("{at}: not a field of {}", place.name()));
                }
                ("additionalProperties", None) => {
                    wrong.extend(self.check(place, value, &at, seen));
                }
                _ => {}
            }
        }
        wrong
    }

    /// What a reference leads to.
    fn target<'s>(&'s self, from: &Place<'s>, to: &Value) -> Place<'s> {
        let to = to.as_str().expect("a reference");
        let (file, pointer) = to.split_once('#').unwrap_or((to, ""));
        let file = if file.is_empty() { from.file } else { file.trim_end_matches(".json") };
        let (file, schema) = self.0.get_key_value(file).expect("a schema that is there");
        let node = schema.pointer(pointer).unwrap_or_else(|| panic!("{to} leads nowhere"));
        Place { file, pointer: pointer.to_owned(), node }
    }
}

/// What is wrong when branches were tried; the records of the right one are kept.
fn chosen(
    word: &str,
    tried: Vec<(Vec<String>, Vec<Record>)>,
    at: &str,
    seen: &mut Vec<Record>,
) -> Vec<String> {
    let right = tried.iter().filter(|(wrong, _)| wrong.is_empty()).count();
    if right == 0 {
        // The branch that went deepest says most.
        let deepest = tried
            .into_iter()
            .map(|(wrong, _)| wrong)
            .max_by_key(|wrong| wrong.iter().map(|line| line.matches('/').count()).max());
        return deepest.unwrap_or_default();
    }
    if word == "oneOf" && right > 1 {
        return vec![format!("{at}: {right} forms of oneOf fit")];
    }
    seen.extend(
        tried.into_iter().find(|(wrong, _)| wrong.is_empty()).into_iter().flat_map(|it| it.1),
    );
    Vec::new()
}

/// Whether a value holds what a plain keyword says.
#[allow(clippy::cast_precision_loss, reason = "lengths are small")]
fn holds(word: &str, want: &Value, it: &Value, place: &str) -> bool {
    let bound = || want.as_f64().expect("a number");
    let length = |it: Option<usize>| it.map(|length| length as f64);
    let least = |found: Option<f64>| found.is_none_or(|found| found >= bound());
    let most = |found: Option<f64>| found.is_none_or(|found| found <= bound());
    match word {
        "type" => match want {
            Value::Array(types) => types.iter().any(|name| is_of(it, name)),
            name => is_of(it, name),
        },
        "const" => same(it, want),
        "enum" => want.as_array().expect("values").iter().any(|one| same(it, one)),
        "required" => {
            let names = want.as_array().expect("names").iter().filter_map(Value::as_str);
            it.as_object()
                .is_none_or(|fields| names.into_iter().all(|name| fields.contains_key(name)))
        }
        "minimum" => least(it.as_f64()),
        "maximum" => most(it.as_f64()),
        "minLength" => least(length(it.as_str().map(|text| text.chars().count()))),
        "maxLength" => most(length(it.as_str().map(|text| text.chars().count()))),
        "minItems" => least(length(it.as_array().map(Vec::len))),
        "maxItems" => most(length(it.as_array().map(Vec::len))),
        "minProperties" => least(length(it.as_object().map(Map::len))),
        "maxProperties" => most(length(it.as_object().map(Map::len))),
        "pattern" => {
            let pattern = Regex::new(want.as_str().expect("a pattern")).expect("an expression");
            it.as_str().is_none_or(|text| pattern.is_match(text))
        }
        _ => panic!("{place}: the keyword {word} is not known to this test"),
    }
}

/// Equality as JSON Schema has it: `1` is `1.0`.
fn same(one: &Value, other: &Value) -> bool {
    one == other || one.as_f64().is_some() && one.as_f64() == other.as_f64()
}

fn is_of(it: &Value, name: &Value) -> bool {
    match name.as_str().expect("the name of a type") {
        "object" => it.is_object(),
        "array" => it.is_array(),
        "string" => it.is_string(),
        "boolean" => it.is_boolean(),
        "null" => it.is_null(),
        "number" => it.is_number(),
        "integer" => it.as_f64().is_some_and(|number| number.fract() == 0.0),
        other => panic!("{other} is no type"),
    }
}

fn gather(file: &str, pointer: &str, node: &Value, all: &mut BTreeMap<String, BTreeSet<String>>) {
    match node {
        Value::Object(fields) => {
            if fields.get("additionalProperties") == Some(&Value::Bool(false)) {
                let known = fields.get("properties").and_then(Value::as_object);
                let names = known.into_iter().flat_map(Map::keys).cloned().collect();
                all.insert(format!("{file}#{pointer}"), names);
            }
            for (name, inner) in fields {
                gather(file, &format!("{pointer}/{}", token(name)), inner, all);
            }
        }
        Value::Array(entries) => {
            for (n, inner) in entries.iter().enumerate() {
                gather(file, &format!("{pointer}/{n}"), inner, all);
            }
        }
        _ => {}
    }
}

/// A field's name as a part of a JSON pointer.
fn token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
