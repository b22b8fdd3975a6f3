//! Home: what this is, a live run at once, and what it is for.

use maud::{Markup, html};

use super::{Page, Site, fidelity, layout, snippet};
use crate::still::{Place, fallback};

/// The exhibit that a visitor meets first.
const LIVE: &str = "event-life";

/// The questions across all modules.
const FINAL: &str = "final-check";

/// The home page.
pub fn page(site: &Site) -> Markup {
    let words = &site.words;
    let live = site.exhibits.iter().find(|(exhibit, _)| exhibit.id == LIVE);
    let page = Page {
        path: "index.html",
        title: words.say("home.title"),
        description: words.say("home.description"),
        shows: live.map(|(exhibit, _)| exhibit),
        runs: None,
    };
    let content = html! {
        section.hero {
            h1 { (words.say("home.h1")) }
            div {
                p { (words.say("home.lead")) }
                p.hero__acts {
                    a.btn."btn--ink" href="m1/" { (words.say("home.start")) }
                    a href="exhibits/" { (words.say("home.gallery")) }
                    a href="#embed" { (words.say("home.embed-link")) }
                }
            }
        }
        @if let Some((exhibit, still)) = live {
            in-flight exhibit=(LIVE) run=[&still.run] frame="sign" heading-level="2" {
                (fallback(exhibit, still, Place::OtherPage, "", words))
            }
        }
        (course(site))
        (beside(site))
        (readers(site))
        section.lane {
            h2 { (words.say("home.what")) }
            @for key in ["home.what.1", "home.what.2", "home.what.3"] { p { (words.say(key)) } }
            p { a href=(fidelity::FOLDER) { (words.say("home.fidelity")) } }
        }
        @if let Some((exhibit, _)) = live {
            section.lane #embed {
                h2 { (words.say("home.embed")) }
                p { (words.say("home.embed.lead")) }
                div."lane--split" {
                    (snippet::element((&exhibit.id, &exhibit.title), "", words))
                    (snippet::frame((&exhibit.id, &exhibit.title), "", words))
                }
                p { a href="authors/" { (words.say("home.authors")) } }
            }
        }
    };
    layout(site, &page, &content)
}

/// The modules, as the stops of one line.
fn course(site: &Site) -> Markup {
    let words = &site.words;
    html! {
        section.lane #course {
            h2 { (words.say("home.course")) }
            p { (words.say("home.course.lead")) }
            ol.route {
                @for module in &site.course.modules {
                    li {
                        span.bullet aria-hidden="true" { (module.number) }
                        a href={ (module.id) "/" } { (module.paper.front.title) }
                        p { (module.paper.front.question) }
                    }
                }
            }
            @if site.studies.iter().any(|study| study.id == FINAL) {
                p { a href={ "exhibits/" (FINAL) "/" } { (words.say("home.final")) } }
            }
        }
    }
}

/// What stands beside the modules.
fn beside(site: &Site) -> Markup {
    html! {
        section.lane #beside {
            h2 { (site.words.say("home.beside")) }
            dl.beside {
                @for (kind, paper) in site.course.beside() {
                    div {
                        dt { a href={ (kind.name) "/" } { (paper.front.title) } }
                        dd { (paper.front.lead) }
                    }
                }
            }
        }
    }
}

/// The three who come here, as three stops of a line.
fn readers(site: &Site) -> Markup {
    let words = &site.words;
    html! {
        div.stops {
            @for who in ["home.learner", "home.author", "home.engineer"] {
                section.stop-card {
                    h2 { (words.say(who)) }
                    p { (words.say(&format!("{who}.1"))) }
                    p { (words.say(&format!("{who}.2"))) }
                }
            }
        }
    }
}
