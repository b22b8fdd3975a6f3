//! A worksheet's own page, and the page that lists them.

use maud::{Markup, html};

use super::{Page, Site, layout, snippet};
use crate::sheet::{Worksheet, fallback, picture};
use crate::still::Place;
use crate::words::Words;

/// The folder of the list.
pub const FOLDER: &str = "worksheets/";

/// The page of one worksheet.
pub fn page(site: &Site, worksheet: &Worksheet) -> Markup {
    let words = &site.words;
    let title = &worksheet.sheet.title;
    let page = Page {
        path: &format!("exhibits/{}/index.html", worksheet.id),
        title: &words.fill("exhibit.page-title", &[("title", title)]),
        description: &worksheet.sheet.summary,
        shows: None,
        runs: None,
    };
    let root = page.root();
    let content = html! {
        nav.crumb aria-label=(words.say("page.here")) {
            ol {
                li { a href={ (root) "./" } { (words.say("page.nav.home")) } }
                li { a href={ (root) (FOLDER) } { (words.say("page.nav.worksheets")) } }
                li aria-current="page" { h1 { (title) } }
            }
        }
        in-flight exhibit=(worksheet.id) frame="sign" heading-level="2" {
            (fallback(worksheet, Place::OwnPage, &root, words))
        }
        section.lane #embed {
            h2 { (words.say("exhibit.embed")) }
            p { (words.say("exhibit.embed.lead")) }
            div."lane--split" {
                (snippet::element((&worksheet.id, title), &root, words))
                (snippet::frame((&worksheet.id, title), &root, words))
            }
        }
    };
    layout(site, &page, &content)
}

/// The page of all worksheets.
pub fn list(site: &Site) -> Markup {
    let words = &site.words;
    let page = Page {
        path: &format!("{FOLDER}index.html"),
        title: &words.fill("module.page-title", &[("title", words.say("sheet.list.title"))]),
        description: words.say("sheet.list.lead"),
        shows: None,
        runs: None,
    };
    let root = page.root();
    let content = html! {
        div.gallery {
            header.module__head { h1 { (words.say("sheet.list.title")) } }
            p.lead { (words.say("sheet.list.lead")) }
            ul.cards {
                @for worksheet in &site.sheets {
                    li { (card(worksheet, "h2", &format!("{root}exhibits/"), words)) }
                }
            }
        }
    };
    layout(site, &page, &content)
}

/// One worksheet: what it is called, what it draws, what it teaches.
pub fn card(worksheet: &Worksheet, level: &str, to: &str, words: &Words) -> Markup {
    let name = html! { a href={ (to) (worksheet.id) "/" } { (worksheet.sheet.title) } };
    html! {
        article.card."card--sheet" {
            @if level == "h2" { h2 { (name) } } @else { h3 { (name) } }
            p.card__meta {
                (words.say("sheet.kind")) " · "
                (words.fill("module.number", &[("number", worksheet.line())]))
            }
            p { (worksheet.sheet.lesson) }
            div.card__curve aria-hidden="true" { (picture(&worksheet.sheet)) }
        }
    }
}
