//! Progress: how far one is in the course, kept on the device by a script; and the line in the bar
//! that says so on every page.

use maud::{Markup, html};

use super::{Page, Site, crumbs, layout};
use crate::words::script_json;

/// Where it stands.
pub const PATH: &str = "progress/index.html";

/// The page of progress.
pub fn page(site: &Site) -> Markup {
    let words = &site.words;
    let title = words.say("progress.title");
    let page = Page {
        path: PATH,
        title: &words.fill("module.page-title", &[("title", title)]),
        description: words.say("progress.lead"),
        shows: None,
        runs: Some(&site.scripts.desk),
    };
    let root = page.root();
    let content = html! {
        (crumbs::of_course(&root, title, words))
        article.progress data-desk=(script_json(&words.under("progress.say."))) {
            header.module__head { h1 { (title) } }
            p.lead { (words.say("progress.lead")) }
            noscript { p.progress__note { (words.say("progress.noscript")) } }
            p.progress__note data-lost hidden { (words.say("progress.lost")) }
            (table(site, &root))
            p.progress__note data-answers hidden {}
            div.progress__acts data-acts hidden {
                button.btn type="button" data-do="export" { (words.say("progress.export")) }
                label.field.progress__file {
                    span { (words.say("progress.import")) }
                    input type="file" accept="application/json,.json";
                }
                button.btn type="button" data-do="clear" data-sure=(words.say("progress.clear.sure")) {
                    (words.say("progress.clear"))
                }
            }
            p.progress__said role="status" {}
        }
    };
    layout(site, &page, &content)
}

/// The modules, each with its sections and exhibits, which a script then counts.
fn table(site: &Site, root: &str) -> Markup {
    let words = &site.words;
    html! {
        div.table {
            table {
                thead {
                    tr {
                        @for key in ["progress.module", "progress.read", "progress.run", "progress.quizzes"] {
                            th scope="col" { (words.say(key)) }
                        }
                    }
                }
                tbody {
                    @for module in &site.course.modules {
                        @let sections: Vec<&str> =
                            module.paper.sections.iter().map(|section| section.id.as_str()).collect();
                        @let (quizzes, exhibits) = site.shown_in(&module.paper);
                        tr data-module=(module.id) data-stops=(sections.join(" "))
                            data-exhibits=(exhibits.join(" ")) data-quizzes=(quizzes.join(" ")) {
                            th scope="row" {
                                span.bullet aria-hidden="true" { (module.number) } " "
                                a href={ (root) (module.id) "/" } { (module.paper.front.title) }
                            }
                            td data-cell="read" { (sections.len()) }
                            td data-cell="run" { (exhibits.len()) }
                            td data-cell="quizzes" { (quizzes.len()) }
                        }
                    }
                }
            }
        }
    }
}

/// The line of modules in the bar, which is shown where there is progress.
pub fn line(site: &Site, root: &str) -> Markup {
    html! {
        a.site-progress href={ (root) "progress/" } hidden data-label=(site.words.say("progress.label")) {
            @for module in &site.course.modules {
                i data-module=(module.id) data-stops=(module.paper.sections.len()) {}
            }
        }
    }
}
