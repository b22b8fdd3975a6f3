//! The loader's rules, the site's table and the front end's settings say the same.

use inflight::element::Settings;
use regex_lite::Regex;

use super::*;

fn vocabulary() -> Vec<Attribute> {
    let here = std::env::current_dir().expect("a current folder");
    read(&Source::above(&here).expect("the project")).expect("a vocabulary")
}

fn set(name: &str, value: &str) -> (Settings, bool) {
    let (settings, wrong) = Settings::read(&[(name.to_owned(), value.to_owned())]);
    (settings, wrong.is_empty())
}

/// Values that differ from every default, one that each attribute of the front end takes among them.
const SAMPLES: [&str; 30] = [
    "",
    "1",
    "2",
    "3",
    "7",
    "42",
    "0",
    "100",
    "1000",
    "1001",
    "0.5",
    ".5",
    "-1",
    "max",
    "on",
    "off",
    "true",
    "full",
    "mini",
    "none",
    "sign",
    "clear",
    "auto",
    "step",
    "never",
    "always",
    "local",
    "after",
    "some text",
    "18446744073709551615",
];

#[test]
fn a_default_changes_nothing() {
    for Attribute { name, default, rule, .. } in vocabulary() {
        let Default::Value(value) = default else { continue };
        assert_eq!(set(&name, value), (Settings::default(), true), "{name}");
        assert!(Regex::new(&rule).expect("a rule").is_match(value), "{name}");
    }
}

#[test]
fn who_is_said_to_read_an_attribute_reads_it() {
    for Attribute { name, reader, .. } in vocabulary() {
        let changes = SAMPLES.iter().any(|value| set(&name, value).0 != Settings::default());
        let said = reader != Reader::Loader;
        assert_eq!(changes, said, "{name} and the front end's settings");
    }
}

#[test]
fn the_loader_reads_what_is_left_to_it() {
    let here = std::env::current_dir().expect("a current folder");
    let source = Source::above(&here).expect("the project");
    let loader = ["element", "engine", "theme"]
        .map(|part| source.text(&format!("static/element/{part}.js")).expect("a part"))
        .concat();
    let names = Regex::new(r"[\w-]+").expect("an expression");
    let read: Vec<&str> = loader
        .lines()
        .filter(|line| line.contains("readAttributes(") || line.contains("values."))
        .chain(loader.lines().filter(|line| line.starts_with("function exhibitAddress")))
        .flat_map(|line| names.find_iter(line).map(|word| word.as_str()))
        .collect();
    for Attribute { name, reader, .. } in vocabulary() {
        if reader == Reader::Loader {
            assert!(read.contains(&name.as_str()), "nothing reads {name}");
        }
    }
}

#[test]
fn the_loader_lets_through_what_the_front_end_takes() {
    for Attribute { name, rule, reader, .. } in vocabulary() {
        if reader == Reader::Loader {
            continue;
        }
        let rule = Regex::new(&rule).expect("a rule");
        // Only a seed may be longer than what the module's own counts hold.
        for value in SAMPLES.iter().filter(|value| name == "seed" || value.len() < 10) {
            let taken = set(&name, value).1;
            assert!(
                !taken || rule.is_match(value),
                "{name}=\"{value}\" is kept from the front end"
            );
        }
    }
}

#[test]
fn both_know_the_same_choices() {
    let mut lists = 0;
    for attribute in vocabulary() {
        let Some(choices) = attribute.choices() else { continue };
        lists += 1;
        if attribute.reader == Reader::Loader {
            continue;
        }
        for choice in choices {
            assert!(set(&attribute.name, choice).1, "{}=\"{choice}\"", attribute.name);
        }
    }
    assert_eq!(lists, 8, "rules that are lists of values");
}

#[test]
fn a_rule_that_only_one_place_knows_is_named() {
    let script = |lines: &str| format!("const any = /^/;\nconst rules = {{\n{lines}\n}};\n");
    assert_eq!(
        rules(&script("  a: /^b\\/c$/i,\n  \"d-e\": any,")),
        Ok(vec![("a".into(), "(?i)^b/c$".into()), ("d-e".into(), "^".into())]),
    );
    let message = of_script(&script("  seed: any,")).expect_err("an error");
    assert!(message.contains("there is no rule for `exhibit`"), "{message}");
}
