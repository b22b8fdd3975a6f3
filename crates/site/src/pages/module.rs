//! A module's page: the course as a line with this module open, the text with its exhibits, what it
//! cites, and the way on.

use maud::{Markup, html};

use super::{Page, Site, crumbs, layout, paper};
use crate::course::Module;
use crate::markdown::Paper;
use crate::words::Words;

/// The page of one module.
pub fn page(site: &Site, module: &Module) -> Markup {
    let words = &site.words;
    let front = &module.paper.front;
    let page = Page {
        path: &format!("{}/index.html", module.id),
        title: &words.fill("module.page-title", &[("title", &front.title)]),
        description: &front.lead,
        shows: None,
        runs: None,
    };
    let root = page.root();
    let content = html! {
        (crumbs::of_course(&root, &front.title, words))
        div.module {
            (course_line(site, module, &root))
            article.module__body {
                header.module__head {
                    p.module__no {
                        span.bullet aria-hidden="true" { (module.number) } " "
                        (words.fill("module.number", &[("number", &module.number.to_string())]))
                        span.module__time { (time(site, &module.paper)) }
                    }
                    h1 { (front.title) }
                    p.module__question { (front.question) }
                }
                p.lead { (front.lead) }
                @if !front.lessons.is_empty() {
                    div.lessons {
                        h2 { (words.say("module.lessons")) }
                        ul { @for lesson in &front.lessons { li { (lesson) } } }
                    }
                }
                (paper::contents(&module.paper, words))
                (paper::body(site, &module.paper, &root))
                (way_on(site, module, words))
            }
        }
    };
    layout(site, &page, &content)
}

/// Words that are read in a minute, by people who think about them.
const WORDS_A_MINUTE: usize = 200;

/// How long reading takes, and how much there is to play and to answer.
fn time(site: &Site, paper: &Paper) -> String {
    let words = &site.words;
    let minutes = paper.words().div_ceil(WORDS_A_MINUTE).to_string();
    let (quizzes, exhibits) = site.shown_in(paper);
    let mut said = words.fill("module.time", &[("minutes", &minutes)]);
    for (key, count) in
        [("module.time.exhibits", exhibits.len()), ("module.time.quizzes", quizzes.len())]
    {
        match count {
            0 => {}
            1 => said.push_str(words.say(&format!("{key}.one"))),
            _ => said.push_str(&words.fill(key, &[("count", &count.to_string())])),
        }
    }
    said
}

/// The course as a line: a stop a module, and under the open one a stop a section; then what stands
/// beside the modules.
fn course_line(site: &Site, open: &Module, root: &str) -> Markup {
    let words = &site.words;
    html! {
        nav.course aria-label=(words.say("page.nav.course")) data-module=(open.id)
            data-read=(words.say("progress.stops")) data-ran=(words.say("progress.ran"))
            data-passed=(words.say("progress.passed"))
            data-answered=(words.say("progress.answered")) {
            ol.course__line {
                @for module in &site.course.modules {
                    @let here = open.id == module.id;
                    li.is-open[here] {
                        a href={ (root) (module.id) "/" } aria-current=[here.then_some("page")] {
                            span.bullet { (module.number) }
                            span.course__title { (module.paper.front.title) }
                        }
                        @if here {
                            ol.course__stops {
                                @for section in &module.paper.sections {
                                    li {
                                        a href={ "#" (section.id) } {
                                            i {} (section.title)
                                            span."visually-hidden" hidden {
                                                " " (words.say("progress.is-read"))
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            p.course__note hidden {
                span {} " " a href={ (root) "progress/" } { (words.say("progress.kept")) }
            }
            ul.course__beside aria-label=(words.say("page.foot.beside")) {
                @for (kind, paper) in site.course.beside() {
                    li { a href={ (root) (kind.name) "/" } { (paper.front.title) } }
                }
            }
        }
    }
}

/// To the modules before and after.
fn way_on(site: &Site, module: &Module, words: &Words) -> Markup {
    let at = |number: usize| site.course.modules.iter().find(|m| m.number == number);
    let link = |module: &Module, key: &str| {
        let title = &module.paper.front.title;
        html! {
            a.next__link href={ "../" (module.id) "/" } {
                span { (words.fill(key, &[("number", &module.number.to_string())])) }
                b { (title) }
            }
        }
    };
    html! {
        nav.next aria-label=(words.say("module.next")) {
            @if let Some(before) = at(module.number - 1) { (link(before, "module.before")) }
            @if let Some(after) = at(module.number + 1) { (link(after, "module.after")) }
        }
    }
}
