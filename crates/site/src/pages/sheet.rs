//! A worksheet's own page, and the page that lists them.

use maud::{Markup, html};

use super::unit::Unit;
use super::{Page, Site, layout};
use crate::sheet::{Worksheet, fallback, picture};
use crate::still::Place;
use crate::words::Words;

/// The folder of the list.
pub const FOLDER: &str = "worksheets/";

/// The page of one worksheet.
pub fn page(site: &Site, worksheet: &Worksheet) -> Markup {
    let words = &site.words;
    let unit = Unit {
        id: &worksheet.id,
        title: &worksheet.sheet.title,
        description: &worksheet.sheet.summary,
        from: (FOLDER, "page.nav.worksheets"),
    };
    unit.page(site, |root| fallback(worksheet, Place::OwnPage, root, words))
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
