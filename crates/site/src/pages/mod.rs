//! The pages, and what they share: a head, a bar, a foot. Addresses are relative to the page, so
//! that the folder works at any path of any host.

mod embed;
mod exhibit;
mod fidelity;
mod gallery;
mod home;
mod icons;
mod lost;
mod module;
mod paper;
mod sheet;
mod snippet;
mod study;

use ::course::Family;
use maud::{DOCTYPE, Markup, html};

use crate::course::Course;
use crate::exhibit::Exhibit;
use crate::loader::Assets;
use crate::output::Output;
use crate::sheet::Worksheet;
use crate::still::Still;
use crate::study::Study;
use crate::words::Words;

/// Everything the pages are made from.
#[derive(Debug)]
pub struct Site {
    /// The words of the pages.
    pub words: Words,
    /// The names of this build's files.
    pub assets: Assets,
    /// The exhibits, in the order of their numbers, with their stills.
    pub exhibits: Vec<(Exhibit, Still)>,
    /// The quizzes, module by module.
    pub studies: Vec<Study>,
    /// The worksheets, module by module.
    pub sheets: Vec<Worksheet>,
    /// What there is to read.
    pub course: Course,
    /// The table of rules.
    pub families: Vec<Family>,
    /// Where the site will stand, if that is known.
    pub base_url: Option<String>,
    /// The name of the pages' own script.
    pub script: String,
    /// The name of the pages' own stylesheet, which exhibits do without.
    pub sheet: String,
}

/// The parts of the site that the bar leads to: the key of each one's name, and its address.
const PARTS: [(&str, &str); 6] = [
    ("page.nav.course", "./#course"),
    ("page.nav.gallery", "exhibits/"),
    ("page.nav.worksheets", sheet::FOLDER),
    ("page.nav.glossary", "glossary/"),
    ("page.nav.numbers", "numbers/"),
    ("page.nav.fidelity", "fidelity/"),
];

/// What one page says about itself.
#[derive(Debug)]
struct Page<'a> {
    /// Its path from the root of the folder.
    path: &'a str,
    /// Its title.
    title: &'a str,
    /// What it is, in a sentence or two.
    description: &'a str,
    /// The exhibit it shows, so that the engine can be on its way early.
    shows: Option<&'a Exhibit>,
}

impl Page<'_> {
    /// Whether it is the part of the site at `address`, or lies within it.
    fn within(&self, address: &str) -> Option<&'static str> {
        let is_module = self.path.strip_prefix('m').is_some_and(|rest| {
            rest.trim_start_matches(|c: char| c.is_ascii_digit()) == "/index.html"
        });
        let course = is_module && address.starts_with("./");
        let whole = self.path.strip_suffix("index.html") == Some(address);
        let part = self.path.starts_with(address);
        if whole { Some("page") } else { (course || part).then_some("true") }
    }

    /// The way from this page to the root of the folder: empty, or `../` for each folder.
    fn root(&self) -> String {
        "../".repeat(self.path.matches('/').count())
    }

    /// The same for the head and the bar. A host shows the page for lost visitors at any depth, so
    /// that one goes by the site's own address, where it is known.
    fn base(&self, site: &Site) -> String {
        let anywhere = self.path == lost::PATH;
        site.base_url.clone().filter(|_| anywhere).unwrap_or_else(|| self.root())
    }
}

/// Writes every page.
///
/// # Errors
/// Names the file that could not be written.
pub fn write(site: &Site, output: &mut Output) -> Result<(), String> {
    let mut paths = vec!["index.html".to_owned()];
    output.put_page("index.html", home::page(site).into_string())?;
    for module in &site.course.modules {
        let path = format!("{}/index.html", module.id);
        output.put_page(&path, module::page(site, module).into_string())?;
        paths.push(path);
    }
    for (name, text) in &site.course.papers {
        let path = format!("{name}/index.html");
        output.put_page(&path, paper::page(site, name, text).into_string())?;
        paths.push(path);
    }
    output.put_page(gallery::PATH, gallery::page(site).into_string())?;
    paths.push(gallery::PATH.to_owned());
    for (exhibit, still) in &site.exhibits {
        let path = format!("exhibits/{}/index.html", exhibit.id);
        output.put_page(&path, exhibit::page(site, exhibit, still).into_string())?;
        paths.push(path);
    }
    for study in &site.studies {
        let path = format!("exhibits/{}/index.html", study.id);
        output.put_page(&path, study::page(site, study).into_string())?;
        paths.push(path);
    }
    for worksheet in &site.sheets {
        let path = format!("exhibits/{}/index.html", worksheet.id);
        output.put_page(&path, sheet::page(site, worksheet).into_string())?;
        paths.push(path);
    }
    let path = format!("{}index.html", sheet::FOLDER);
    output.put_page(&path, sheet::list(site).into_string())?;
    paths.push(path);
    let path = format!("{}index.html", fidelity::FOLDER);
    output.put_page(&path, fidelity::page(site).into_string())?;
    paths.push(path);
    output.put_page(lost::PATH, lost::page(site).into_string())?;
    output.put_page("embed.html", embed::page(site).into_string())?;
    write_robots(site, &paths, output)
}

fn write_robots(site: &Site, paths: &[String], output: &mut Output) -> Result<(), String> {
    let Some(base) = &site.base_url else {
        return output.put("robots.txt", "User-agent: *\nAllow: /\n");
    };
    output.put("robots.txt", format!("User-agent: *\nAllow: /\nSitemap: {base}sitemap.xml\n"))?;
    let mut map = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for path in paths {
        let address = path.trim_end_matches("index.html");
        map.push_str(&format!("  <url><loc>{base}{address}</loc></url>\n"));
    }
    output.put("sitemap.xml", map + "</urlset>\n")
}

/// A whole page around its content.
fn layout(site: &Site, page: &Page, content: &Markup) -> Markup {
    let root = page.base(site);
    let words = &site.words;
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(site, page))
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
                        button.btn."btn--icon" type="button" hidden data-theme-toggle
                            data-auto=(words.say("page.theme.auto"))
                            data-light=(words.say("page.theme.light"))
                            data-dark=(words.say("page.theme.dark")) { (icons::theme()) }
                    }
                }
                main.wrap #main { (content) }
                footer.wrap {
                    div.page-foot {
                        span { (words.say("page.foot")) }
                        ul {
                            li {
                                a href={ (root) (fidelity::FOLDER) } {
                                    (words.say("page.foot.fidelity"))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn head(site: &Site, page: &Page) -> Markup {
    let root = page.base(site);
    let Assets { css, .. } = &site.assets;
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (page.title) }
            meta name="description" content=(page.description);
            link rel="stylesheet" href={ (root) (css) };
            link rel="stylesheet" href={ (root) (site.sheet) };
            script src={ (root) (site.script) }
                data-ahead=[page.shows.map(|exhibit| ahead(site, &root, exhibit))] {}
            link rel="icon" type="image/svg+xml" href={ (root) "icon.svg" };
            @if page.path == lost::PATH { meta name="robots" content="noindex"; }
            @else { (card(site, page)) }
            script src={ (root) "element.js" } async {}
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
    let Assets { js, wasm, exhibits, lang, .. } = &site.assets;
    let names = [Some(js), Some(wasm), exhibits.get(&exhibit.id), lang.get("en")];
    let addresses: Vec<String> =
        names.into_iter().flatten().map(|name| format!("{root}{name}")).collect();
    addresses.join(" ")
}
