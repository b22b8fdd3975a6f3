//! Rows for the table of rules: what is read, what is refused, and what the linter finds.

use scenario::wire::Value;

use crate::{FAMILIES, Family, Rule, TestName, lint_fidelity};

fn read(json: &str) -> Result<Family, String> {
    let document: Value = serde_json::from_str(json).expect(json);
    Family::read("sqs-fair", &document)
        .map_err(|wrong| wrong.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

const RULE: &str = r#"{ "id": "a-b", "rule": "It holds.", "source": "a manual",
    "tests": ["a/b.rs::c", "v/d.json::e", "v/d.json"], "world": true }"#;

#[test]
fn a_family_is_read_whole() {
    let left_out = r#"{ "what": "This.", "why": "For a reason." }"#;
    let family =
        read(&format!(r#"{{ "title": "T", "rules": [{RULE}], "not_modelled": [{left_out}] }}"#));
    let family = family.expect("a sound family");
    let tests: Vec<_> =
        family.rules[0].tests.iter().map(|t| (t.file.as_str(), t.name.as_deref())).collect();
    assert_eq!(tests, [("a/b.rs", Some("c")), ("v/d.json", Some("e")), ("v/d.json", None)],);
    assert!(family.rules[0].world);
    assert_eq!(family.not_modelled[0].why, "For a reason.");
}

#[test]
fn what_cannot_be_read_names_its_place() {
    let check = |json: String, wanted: &str| {
        let wrong = read(&json).expect_err(&json);
        assert!(wrong.contains(wanted), "{wrong}");
    };
    let family = |rules: &str| format!(r#"{{ "title": "T", "rules": [{rules}] }}"#);
    check(family("{}"), "at /rules/0: the field “source” is missing");
    check(family(&RULE.replace("true", "1")), "at /rules/0/world");
    check(family(&RULE.replace("a/b.rs::c", "a/b.rs")), "at /rules/0/tests/0: this names no test");
    check(family(&RULE.replace("a manual", "")), "at /rules/0/source: this text is empty");
    check(r#"{ "title": "T", "rules": [], "left": [] }"#.to_owned(), "left");
}

/// A table that has one rule in each family.
fn table() -> Vec<Family> {
    let family = |(at, id): (usize, &&str)| Family {
        id: (*id).to_owned(),
        title: "T".to_owned(),
        rules: vec![Rule {
            id: format!("rule-{at}"),
            rule: "It holds.".to_owned(),
            source: "a manual".to_owned(),
            tests: vec![TestName { file: "a.json".to_owned(), name: None }],
            world: false,
        }],
        not_modelled: Vec::new(),
    };
    FAMILIES.iter().enumerate().map(family).collect()
}

#[test]
fn the_linter_of_the_table_finds_what_is_wrong() {
    assert_eq!(lint_fidelity(&table()), []);
    let check = |change: fn(&mut Vec<Family>), path: &str, problem: &str| {
        let mut changed = table();
        change(&mut changed);
        let found = lint_fidelity(&changed);
        let hit = found.iter().any(|one| one.path == path && one.problem == problem);
        assert!(hit, "{found:?}");
    };
    let first = FAMILIES[0];
    let at = |field: &str| format!("/{first}/rules/0/{field}");
    check(|all| drop(all.pop()), "", "these are not the known families");
    check(|all| all[0].rules.clear(), &format!("/{first}/rules"), "no rules");
    check(|all| all[0].rules[0].tests.clear(), &at("tests"), "nothing holds this rule");
    for id in ["A-b", "a--b", "a-", "-a", "a_b", ""] {
        let mut changed = table();
        id.clone_into(&mut changed[0].rules[0].id);
        assert_eq!(lint_fidelity(&changed)[0].problem, "this id makes a poor link", "{id}");
    }
    check(
        |all| all[1].rules[0].id = "rule-0".to_owned(),
        &format!("/{}/rules/0/id", FAMILIES[1]),
        "this id is taken",
    );
    check(|all| all[0].rules[0].id = FAMILIES[2].to_owned(), &at("id"), "this id is taken");
    for text in ["it holds.", "It holds", "It  holds.", "It holds!."] {
        let mut changed = table();
        text.clone_into(&mut changed[0].rules[0].rule);
        assert_eq!(lint_fidelity(&changed)[0].problem, "this is no sentence", "{text}");
    }
}
