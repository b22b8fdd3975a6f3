//! An exhibit's own page: the exhibit, what to try, what is at work, what to say, what is modelled.

use maud::{Markup, html};

use super::fidelity::FOLDER;
use super::{Page, Site, layout, snippet};
use crate::exhibit::Exhibit;
use crate::still::{Place, Still, fallback};
use crate::words::{Words, marked};

/// The page of one exhibit.
pub fn page(site: &Site, exhibit: &Exhibit, still: &Still) -> Markup {
    let words = &site.words;
    let page = Page {
        path: &format!("exhibits/{}/index.html", exhibit.id),
        title: &words.fill("exhibit.page-title", &[("title", &exhibit.title)]),
        description: &exhibit.summary,
        shows: Some(exhibit),
        runs: None,
    };
    let root = page.root();
    let content = html! {
        nav.crumb aria-label=(words.say("page.here")) {
            ol {
                li { a href={ (root) "./" } { (words.say("page.nav.home")) } }
                li { a href="../" { (words.say("page.nav.gallery")) } }
                li aria-current="page" { h1 { (exhibit.title) } }
            }
        }
        // It opens at the moment that the still shows, unless the page's address names a run.
        in-flight exhibit=(exhibit.id) run=[&still.run] frame="sign" heading-level="2"
            data-address {
            (fallback(exhibit, still, Place::OwnPage, &root, words))
        }
        (answers(exhibit, words))
        (fidelity(exhibit, &root, words))
        section.lane #embed {
            h2 { (words.say("exhibit.embed")) }
            p { (words.say("exhibit.embed.lead")) }
            div."lane--split" {
                (snippet::element((&exhibit.id, &exhibit.title), &root, words))
                (snippet::frame((&exhibit.id, &exhibit.title), &root, words))
            }
        }
    };
    layout(site, &page, &content)
}

/// Three columns of short answers.
fn answers(exhibit: &Exhibit, words: &Words) -> Markup {
    html! {
        div.after {
            @if !exhibit.trials.is_empty() {
                section {
                    h2 { (words.say("exhibit.try")) }
                    ol {
                        @for trial in &exhibit.trials {
                            li { b { (marked(&trial.act)) } " " (marked(&trial.see)) }
                        }
                    }
                }
            }
            @if !exhibit.model.is_empty() {
                section {
                    h2 { (words.say("exhibit.work")) }
                    ol { @for line in &exhibit.model { li { (marked(line)) } } }
                }
            }
            @if !exhibit.review.is_empty() {
                section {
                    h2 { (words.say("exhibit.review")) }
                    p { q { (marked(&exhibit.review)) } }
                }
            }
        }
    }
}

/// What the rules of the exhibit's profiles cover, and what they leave out.
fn fidelity(exhibit: &Exhibit, root: &str, words: &Words) -> Markup {
    let lines = |of: &str| -> Vec<String> {
        let of_profile = |profile: &String| words.under(&format!("{of}.{profile}."));
        exhibit.profiles.iter().flat_map(of_profile).map(|(_, said)| said.to_owned()).collect()
    };
    html! {
        div.after {
            @for of in ["modelled", "left-out"] {
                @let lines = lines(of);
                @if !lines.is_empty() || of == "left-out" {
                    section {
                        @if !lines.is_empty() {
                            h2 { (words.say(&format!("exhibit.{of}"))) }
                            ul { @for line in &lines { li { (marked(line)) } } }
                        }
                        @if of == "left-out" {
                            p { a href={ (root) (FOLDER) } { (words.say("exhibit.fidelity")) } }
                        }
                    }
                }
            }
        }
    }
}
