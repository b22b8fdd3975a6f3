//! What every page has: a head, a bar, a foot.

use maud::{DOCTYPE, Markup, html};

use super::{PARTS, Page, Site, feed, fidelity, icons, lost, progress, search};
use crate::exhibit::Exhibit;
use crate::loader::{Assets, Styles};

/// A whole page around its content.
pub fn layout(site: &Site, page: &Page, content: &Markup) -> Markup {
    let root = page.base(site);
    let words = &site.words;
    // A still may show what the later stylesheet alone has rules for, where no script brings it.
    let drawn_later = names(&content.0).any(|name| site.later.contains(name));
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(site, page, drawn_later))
            body {
                a.skip href="#main" { (words.say("page.skip")) }
                header.site-bar {
                    a.wordmark href={ (root) "./" } { (icons::logo()) span { (words.say("page.site")) } }
                    nav.site-nav aria-label=(words.say("page.nav")) {
                        @for (key, address) in PARTS {
                            a href={ (root) (address) } aria-current=[page.within(address)] {
                                (words.say(key))
                            }
                        }
                    }
                    div.site-tools {
                        (progress::line(site, &root))
                        a.btn."btn--icon" href={ (root) (search::FOLDER) } aria-label=(words.say("search.title"))
                            title=(words.say("search.title")) aria-current=[page.within(search::FOLDER)] {
                            (icons::search())
                        }
                        button.btn."btn--icon" type="button" hidden data-theme-toggle
                            data-auto=(words.say("page.theme.auto"))
                            data-light=(words.say("page.theme.light"))
                            data-dark=(words.say("page.theme.dark")) { (icons::theme()) }
                    }
                }
                main.wrap #main { (content) }
                (foot(site, &root))
            }
        }
    }
}

/// The names of the classes in some markup.
fn names(markup: &str) -> impl Iterator<Item = &str> {
    let lists = markup.split("class=\"").skip(1).filter_map(|rest| rest.split('"').next());
    lists.flat_map(str::split_whitespace)
}

/// The foot: the way to everything that there is to read.
fn foot(site: &Site, root: &str) -> Markup {
    let words = &site.words;
    html! {
        footer.wrap {
            nav.page-foot aria-label=(words.say("page.foot.nav")) {
                section {
                    h2 { (words.say("page.nav.course")) }
                    ol {
                        @for module in &site.course.modules {
                            li {
                                a href={ (root) (module.id) "/" } {
                                    (module.number) " " (module.paper.front.title)
                                }
                            }
                        }
                    }
                }
                section {
                    h2 { (words.say("page.foot.beside")) }
                    ul {
                        @for (kind, paper) in site.course.beside() {
                            li { a href={ (root) (kind.name) "/" } { (paper.front.title) } }
                        }
                    }
                }
                section {
                    h2 { (words.say("page.site")) }
                    ul {
                        li { a href={ (root) "exhibits/" } { (words.say("page.nav.gallery")) } }
                        li { a href={ (root) (search::FOLDER) } { (words.say("search.title")) } }
                        li { a href={ (root) "progress/" } { (words.say("progress.title")) } }
                        @for (kind, paper) in site.course.papers.iter().filter(|(kind, _)| kind.is_for_authors()) {
                            li { a href={ (root) (kind.name) "/" } { (paper.front.title) } }
                        }
                        li {
                            a href={ (root) (fidelity::FOLDER) } {
                                (words.say("page.foot.fidelity"))
                            }
                        }
                    }
                }
            }
            p.page-foot__word { (words.say("page.foot")) }
        }
    }
}

fn head(site: &Site, page: &Page, drawn_later: bool) -> Markup {
    let root = page.base(site);
    let Styles { css, later, .. } = &site.assets.styles;
    let alone = page.shows.is_some() && page.path.starts_with("exhibits/");
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (page.title) }
            meta name="description" content=(page.description);
            link rel="stylesheet" href={ (root) (css) };
            @if drawn_later || !alone { link rel="stylesheet" href={ (root) (later) }; }
            link rel="stylesheet" href={ (root) (site.sheet) };
            @if !alone { link rel="stylesheet" href={ (root) (site.reading) }; }
            script src={ (root) (site.scripts.page) }
                data-progress={ (root) (site.scripts.progress) }
                data-ahead=[page.shows.map(|exhibit| ahead(site, &root, exhibit))] {}
            link rel="icon" type="image/svg+xml" href={ (root) "icon.svg" };
            @if page.path == lost::PATH { meta name="robots" content="noindex"; }
            @else { (card(site, page)) }
            script src={ (root) "element.js" } async {}
            @if let Some(module) = page.runs { script type="module" src={ (root) (module) } {} }
        }
    }
}

/// What a link to the page looks like elsewhere. Pictures and canonical addresses need a host.
fn card(site: &Site, page: &Page) -> Markup {
    let here = page.path.trim_end_matches("index.html");
    html! {
        meta property="og:type" content="website";
        meta property="og:site_name" content=(site.words.say("page.site"));
        meta property="og:title" content=(page.title);
        meta property="og:description" content=(page.description);
        @if let Some(base) = &site.base_url {
            link rel="canonical" href={ (base) (here) };
            link rel="alternate" type="application/rss+xml" title=(site.words.say("page.feed"))
                href={ (base) (feed::PATH) };
            meta property="og:url" content={ (base) (here) };
            meta property="og:image" content={ (base) "card.png" };
            meta property="og:image:width" content="1200";
            meta property="og:image:height" content="630";
            meta name="twitter:card" content="summary_large_image";
        } @else {
            meta name="twitter:card" content="summary";
        }
    }
}

/// The addresses of the engine and the exhibit, for the pages' script to ask for early.
fn ahead(site: &Site, root: &str, exhibit: &Exhibit) -> String {
    let Assets { js, wasm, lang, .. } = &site.assets;
    let file = site.assets.exhibit(&exhibit.id);
    let names = [Some(js), Some(wasm), file.as_ref(), lang.get("en").map(|[first, _]| first)];
    let addresses: Vec<String> =
        names.into_iter().flatten().map(|name| format!("{root}{name}")).collect();
    addresses.join(" ")
}
