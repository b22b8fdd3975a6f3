//! For authors: the builder of snippets, and every attribute with its values and default. Without a
//! script the snippets are there as they stand, for every kind of page.

use maud::{Markup, html};

use super::hosts::HOSTS;
use super::{Site, paper, snippet};
use crate::attributes::{Attribute, Default, Reader};
use crate::exhibit::Exhibit;
use crate::markdown::{Paper, Piece, stretches};
use crate::still::{Place, Still, fallback};
use crate::study::{Study, What};
use crate::words::{Words, marked};

/// The section under which the builder stands.
const BUILD: &str = "put-one-in-your-page";
/// The section under which the table of attributes stands.
const TABLE: &str = "attributes";

/// What is shown first.
const FIRST: &str = "event-life";

/// What most authors ask for; the other attributes are behind a fold.
const PLAIN: [&str; 6] = ["theme", "controls", "seed", "heading-level", "attempts", "reveal"];

/// The page for authors.
pub fn page(site: &Site, name: &str, paper: &Paper) -> Markup {
    let words = &site.words;
    paper::framed(site, name, paper, Some(&site.scripts.builder), |root| {
        html! {
            (paper::contents(paper, words))
            div.paper__body {
                @for stretch in stretches(&paper.pieces, 2) {
                    section.part {
                        (paper::stretch_of(site, stretch, root))
                        @match heading(stretch) {
                            Some(BUILD) => (builder(site, root)),
                            Some(TABLE) => (table(site)),
                            _ => {}
                        }
                    }
                }
                (paper::sources(paper, words))
            }
        }
    })
}

fn heading(stretch: &[Piece]) -> Option<&str> {
    match stretch.first() {
        Some(Piece::Heading(heading)) => Some(&heading.id),
        _ => None,
    }
}

/// The form, what it makes, as it looks and as it is written.
fn builder(site: &Site, root: &str) -> Markup {
    let words = &site.words;
    let first = site.exhibits.iter().find(|(exhibit, _)| exhibit.id == FIRST);
    let (plain, more): (Vec<_>, Vec<_>) = site
        .attributes
        .iter()
        .filter(|it| !matches!(it.name.as_str(), "exhibit" | "src" | "run"))
        .partition(|it| PLAIN.contains(&it.name.as_str()));
    html! {
        div.builder data-builder data-root=(root) {
            form.builder__form hidden autocomplete="off" {
                div.builder__fields {
                    label.field { span { (words.say("authors.what")) } (contents(site)) }
                    label.field {
                        span { (words.say("authors.where")) }
                        select name="where" {
                            @for host in &HOSTS {
                                option value=(host.key) {
                                    (words.say(&format!("authors.host.{}", host.key)))
                                }
                            }
                        }
                    }
                    @for attribute in &plain { (field(attribute, words)) }
                }
                details.builder__more {
                    summary { (words.say("authors.more")) }
                    div.builder__fields {
                        @for attribute in &more { (field(attribute, words)) }
                    }
                }
            }
            @for host in &HOSTS {
                div data-host=(host.key) {
                    @if let Some((exhibit, _)) = first {
                        (snippet::hosted(host, (&exhibit.id, &exhibit.title), root, words))
                    }
                }
            }
            @if let Some((exhibit, still)) = first { (preview(exhibit, still, root, words)) }
        }
    }
}

/// How it looks, and what the page around it hears.
fn preview(exhibit: &Exhibit, still: &Still, root: &str, words: &Words) -> Markup {
    html! {
        h3.builder__head { (words.say("authors.preview")) }
        in-flight exhibit=(exhibit.id) {
            (fallback(exhibit, still, Place::InPaper, root, words))
        }
        div.builder__heard hidden {
            h3 #heard { (words.say("authors.heard")) }
            pre tabindex="0" aria-labelledby="heard" { code {} }
        }
    }
}

/// Everything that can be shown, by its kind.
fn contents(site: &Site) -> Markup {
    let words = &site.words;
    let of_kind =
        |kind: &'static str| site.studies.iter().filter(move |study| kind_of(study) == kind);
    html! {
        select name="exhibit" {
            optgroup label=(words.say("authors.runs")) {
                @for (exhibit, _) in &site.exhibits {
                    option value=(exhibit.id) data-kind="run" selected[exhibit.id == FIRST] {
                        (exhibit.title)
                    }
                }
            }
            @for (kind, label) in [("quiz", "authors.quizzes"), ("tree", "authors.trees")] {
                optgroup label=(words.say(label)) {
                    @for study in of_kind(kind) {
                        option value=(study.id) data-kind=(kind) { (study.title()) }
                    }
                }
            }
        }
    }
}

fn kind_of(study: &Study) -> &'static str {
    match study.what {
        What::Quiz(_) => "quiz",
        What::Tree(_) => "tree",
    }
}

/// A field for an attribute; left empty, the attribute is left out.
fn field(attribute: &Attribute, words: &Words) -> Markup {
    let name = &attribute.name;
    html! {
        label.field data-for=(attribute.reader.kinds()) {
            span { code { (name) } }
            @if let Some(choices) = offered(attribute) {
                select name=(name) {
                    option value="" { (words.fill("authors.unset", &[("default", &by_default(attribute, words))])) }
                    @for choice in choices { option { (choice) } }
                }
            } @else {
                input type="text" name=(name) spellcheck="false" placeholder=(by_default(attribute, words));
            }
        }
    }
}

/// The values that a list offers beside the default.
fn offered(attribute: &Attribute) -> Option<Vec<String>> {
    let choices: Vec<String> = match attribute.name.as_str() {
        "heading-level" => (1..=6).map(|level| level.to_string()).collect(),
        // Several ways to say the same are for those who write by hand.
        "autoplay" => vec!["on".to_owned(), "off".to_owned()],
        _ => attribute.choices()?.into_iter().map(str::to_owned).collect(),
    };
    let is_default =
        |choice: &String| matches!(attribute.default, Default::Value(value) if value == choice);
    Some(choices.into_iter().filter(|choice| !is_default(choice)).collect())
}

/// What counts without the attribute, in words.
fn by_default(attribute: &Attribute, words: &Words) -> String {
    match attribute.default {
        Default::Value(value) => value.to_owned(),
        Default::Said(key) => words.say(&format!("authors.default.{key}")).to_owned(),
    }
}

/// Every attribute: its values, its default, what it does and for what.
fn table(site: &Site) -> Markup {
    let words = &site.words;
    html! {
        div.table tabindex="0" role="group" aria-label=(words.say("authors.table")) {
            table.vocabulary {
                thead {
                    tr {
                        @for key in ["name", "values", "default", "does", "for"] {
                            th scope="col" { (words.say(&format!("authors.column.{key}"))) }
                        }
                    }
                }
                tbody {
                    @for attribute in &site.attributes {
                        tr {
                            th scope="row" { code { (attribute.name) } }
                            td { (values(attribute, words)) }
                            td {
                                @match attribute.default {
                                    Default::Value(value) => code { (value) },
                                    Default::Said(_) => (by_default(attribute, words)),
                                }
                            }
                            td { (marked(words.say(&format!("authors.does.{}", attribute.name)))) }
                            td { (words.say(reader(attribute.reader))) }
                        }
                    }
                }
            }
        }
    }
}

fn values(attribute: &Attribute, words: &Words) -> Markup {
    html! {
        @match attribute.choices() {
            Some(choices) => {
                @for (at, choice) in choices.iter().filter(|choice| !choice.is_empty()).enumerate() {
                    @if at > 0 { ", " }
                    code { (choice) }
                }
            },
            None => (marked(words.say(&format!("authors.values.{}", attribute.name)))),
        }
    }
}

fn reader(reader: Reader) -> &'static str {
    match reader {
        Reader::Loader | Reader::All => "authors.for.all",
        Reader::Runs => "authors.for.runs",
        Reader::RunsAndQuizzes => "authors.for.runs-quizzes",
        Reader::Quizzes => "authors.for.quizzes",
    }
}
