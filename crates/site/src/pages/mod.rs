//! The pages, and what they share: a head, a bar, a foot. Addresses are relative to the page, so
//! that the folder works at any path of any host.

mod authors;
mod cards;
mod crumbs;
mod embed;
mod exhibit;
mod feed;
mod fidelity;
mod gallery;
mod gate;
mod home;
mod hosts;
mod icons;
mod interview;
mod layout;
mod lost;
mod module;
mod paper;
mod patterns;
mod progress;
mod robots;
mod search;
mod sheet;
mod snippet;
mod study;
mod unit;

use ::course::Family;
use std::collections::BTreeSet;

use maud::Markup;

use self::layout::layout;
use crate::attributes::Attribute;
use crate::course::{Course, Form};
use crate::exhibit::Exhibit;
use crate::loader::Assets;
use crate::markdown::Paper;
use crate::output::Output;
use crate::scripts::Scripts;
use crate::sheet::Worksheet;
use crate::still::Still;
use crate::study::Study;
use crate::words::Words;

/// Everything the pages are made from.
#[derive(Debug)]
pub struct Site {
    /// The words of the pages.
    pub words: Words,
    /// The vocabulary of the element.
    pub attributes: Vec<Attribute>,
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
    /// The log of changes, in Markdown.
    pub changes: String,
    /// Where the site will stand, if that is known.
    pub base_url: Option<String>,
    /// The names of the pages' own scripts.
    pub scripts: Scripts,
    /// The name of what the search finds.
    pub index: String,
    /// The names of the pages' own stylesheets, which exhibits do without: what all have, and what those
    /// have that are for reading.
    pub sheet: String,
    /// See [`Site::sheet`].
    pub reading: String,
    /// The classes that only the later stylesheet of exhibits has rules for.
    pub later: BTreeSet<String>,
}

impl Site {
    /// What a paper shows: the ids of its quizzes and trees, and those of its exhibits.
    fn shown_in<'a>(&self, paper: &'a Paper) -> (Vec<&'a str>, Vec<&'a str>) {
        let is_study = |id: &&str| self.studies.iter().any(|study| study.id == **id);
        // A worksheet is neither answered nor played.
        let is_sheet = |id: &&str| self.sheets.iter().any(|sheet| sheet.id == **id);
        paper.exhibits().into_iter().filter(|id| !is_sheet(id)).partition(is_study)
    }
}

/// The parts of the site that the bar leads to: the key of each one's name, and its address.
const PARTS: [(&str, &str); 6] = [
    ("page.nav.course", "./#course"),
    ("page.nav.gallery", "exhibits/"),
    ("page.nav.worksheets", sheet::FOLDER),
    ("page.nav.glossary", "glossary/"),
    ("page.nav.fidelity", "fidelity/"),
    ("page.nav.authors", "authors/"),
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
    /// The name of the module that it runs beside the script of every page.
    runs: Option<&'a str>,
}

impl Page<'_> {
    /// Whether it is the part of the site at `address`, or lies within it. What the bar does not
    /// name itself belongs to the course, but for the search, which belongs to everything.
    fn within(&self, address: &str) -> Option<&'static str> {
        let folder = self.path.strip_suffix("index.html").filter(|folder| !folder.is_empty());
        let named = |folder: &str| {
            let parts = PARTS.iter().map(|(_, part)| *part);
            parts.chain([search::FOLDER]).any(|part| folder.starts_with(part))
        };
        match folder {
            Some(folder) if folder == address => Some("page"),
            Some(folder) if folder.starts_with(address) => Some("true"),
            Some(folder) => (address.starts_with("./") && !named(folder)).then_some("true"),
            None => None,
        }
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
    for (kind, text) in &site.course.papers {
        let page: fn(&Site, &str, &Paper) -> Markup = match kind.form {
            Form::Text | Form::Words | Form::Manual => paper::page,
            Form::Patterns => patterns::page,
            Form::Questions => interview::page,
            Form::Checklist => gate::page,
            Form::Embedding => authors::page,
        };
        let path = format!("{}/index.html", kind.name);
        output.put_page(&path, page(site, kind.name, text).into_string())?;
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
    for (path, page) in
        [(progress::PATH, progress::page as fn(&Site) -> Markup), (search::PATH, search::page)]
    {
        output.put_page(path, page(site).into_string())?;
        paths.push(path.to_owned());
    }
    output.put_page(lost::PATH, lost::page(site).into_string())?;
    output.put_page("embed.html", embed::page(site).into_string())?;
    feed::write(site, output)?;
    robots::write(site, &paths, output)
}
