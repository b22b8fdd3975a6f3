//! Fidelity: the table of rules, each with its source and the tests that hold it, and what is left
//! out. It is made from the course's own files, which a test holds to the code.

use ::course::{Family, Omission, Rule, TestName};
use maud::{Markup, html};

use super::{Page, Site, layout};
use crate::words::{Words, marked};

/// The page's folder.
pub const FOLDER: &str = "fidelity/";

/// The page of the table.
pub fn page(site: &Site) -> Markup {
    let words = &site.words;
    let page = Page {
        path: "fidelity/index.html",
        title: words.say("fidelity.title"),
        description: words.say("fidelity.description"),
        shows: None,
        runs: None,
    };
    let content = html! {
        section.ledger-head {
            h1 { (words.say("fidelity.h1")) }
            div {
                p { (words.say("fidelity.lead")) }
                p { (counted(&site.families, words)) }
                p { (words.say("fidelity.columns")) }
            }
        }
        (contents(&site.families, words))
        @for family in &site.families { (table(family, words)) }
        section.ledger #not-modelled {
            h2 { (words.say("fidelity.left-out")) }
            p { (words.say("fidelity.left-out.lead")) }
            @for family in site.families.iter().filter(|family| !family.not_modelled.is_empty()) {
                h3 { (family.title) }
                dl.omissions { @for one in &family.not_modelled { (omission(one)) } }
            }
        }
    };
    layout(site, &page, &content)
}

/// How many rules there are, how many of them a scenario can show, how many tests hold them.
fn counted(families: &[Family], words: &Words) -> String {
    let rules = || families.iter().flat_map(|family| &family.rules);
    let shown = rules().filter(|rule| rule.world).count();
    let mut tests: Vec<&TestName> = rules().flat_map(|rule| &rule.tests).collect();
    tests.sort_by_key(|test| (&test.file, &test.name));
    tests.dedup();
    let omissions: usize = families.iter().map(|family| family.not_modelled.len()).sum();
    words.fill(
        "fidelity.counted",
        &[
            ("rules", &rules().count().to_string()),
            ("shown", &shown.to_string()),
            ("tests", &tests.len().to_string()),
            ("omissions", &omissions.to_string()),
        ],
    )
}

fn contents(families: &[Family], words: &Words) -> Markup {
    html! {
        nav.ledger-nav aria-label=(words.say("fidelity.contents")) {
            ul {
                @for family in families {
                    li { a href={ "#" (family.id) } { (family.title) } " " (family.rules.len()) }
                }
                li { a href="#not-modelled" { (words.say("fidelity.left-out")) } }
            }
        }
    }
}

/// A family as a table, which becomes a row of cards where there is no room for its columns. The
/// roles keep it a table for those who hear it then.
fn table(family: &Family, words: &Words) -> Markup {
    html! {
        section.ledger aria-labelledby=(family.id) {
            h2 id=(family.id) { (family.title) }
            table role="table" {
                thead role="rowgroup" {
                    tr role="row" {
                        @for column in ["rule", "source", "tests", "world"] {
                            th role="columnheader" scope="col" {
                                (words.say(&format!("fidelity.{column}")))
                            }
                        }
                    }
                }
                tbody role="rowgroup" { @for rule in &family.rules { (row(rule, words)) } }
            }
        }
    }
}

fn row(rule: &Rule, words: &Words) -> Markup {
    html! {
        tr role="row" id=(rule.id) {
            td role="cell" {
                (marked(&rule.rule)) " "
                a.anchor href={ "#" (rule.id) } { (rule.id) }
            }
            td role="cell" data-label=(words.say("fidelity.source")) { (marked(&rule.source)) }
            td role="cell" {
                details {
                    summary { (tests_said(rule.tests.len(), words)) }
                    ul { @for (file, names) in by_file(&rule.tests) { (file_and_names(file, &names)) } }
                }
            }
            td role="cell" data-label=(words.say("fidelity.world")) {
                @if rule.world { b { (words.say("fidelity.yes")) } }
                @else { (words.say("fidelity.not-yet")) }
            }
        }
    }
}

fn tests_said(count: usize, words: &Words) -> String {
    let key = if count == 1 { "fidelity.test" } else { "fidelity.test-count" };
    words.fill(key, &[("n", &count.to_string())])
}

fn file_and_names(file: &str, names: &[&str]) -> Markup {
    html! {
        li {
            code { (file) }
            @if !names.is_empty() { ul { @for name in names { li { code { (breakable(name)) } } } } }
        }
    }
}

/// A name that may be broken between its words.
fn breakable(name: &str) -> Markup {
    html! { @for word in name.split_inclusive('_') { (word) wbr; } }
}

/// The tests of a rule, file by file, in the order in which the files are first named.
fn by_file(tests: &[TestName]) -> Vec<(&str, Vec<&str>)> {
    let mut files: Vec<(&str, Vec<&str>)> = Vec::new();
    for test in tests {
        let at = files.iter().position(|(file, _)| *file == test.file);
        let at = at.unwrap_or_else(|| {
            files.push((&test.file, Vec::new()));
            files.len() - 1
        });
        files[at].1.extend(test.name.as_deref());
    }
    files
}

fn omission(omission: &Omission) -> Markup {
    html! { div { dt { (marked(&omission.what)) } dd { (marked(&omission.why)) } } }
}
