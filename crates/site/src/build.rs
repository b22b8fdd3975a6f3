//! The build: from the bundler's folder to one for any static host.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::attributes;
use crate::course::Course;
use crate::exhibit::Exhibit;
use crate::index;
use crate::ledger;
use crate::links;
use crate::loader::{Assets, Styles, api_js, element_js, small, small_module};
use crate::output::{Output, hash};
use crate::pages::{self, Site};
use crate::scripts::Scripts;
use crate::sheet::Worksheet;
use crate::source::Source;
use crate::still::Still;
use crate::study::Study;
use crate::stylesheet::{classes, stylesheet};
use crate::words::{Wanted, Words};

const EXHIBITS: &str = "crates/course/content/exhibits";
const STUDIES: [&str; 2] = ["crates/course/content/quizzes", "crates/course/content/trees"];
const SHEETS: &str = "crates/course/content/sheets";

/// The words that a first picture needs; `cargo xtask bless first` writes it.
const FIRST_WORDS: &str = "web/first_words.txt";

/// What was asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The folder the bundler wrote into, which is filled in place.
    pub folder: PathBuf,
    /// Where the site will stand, for canonical addresses and the social card. Without it, pages
    /// name no host.
    pub base_url: Option<String>,
    /// What becomes of the engine.
    pub engine: EngineOrder,
    /// The module as the linker has left it, with its relocations.
    pub linked: Option<PathBuf>,
}

/// What becomes of the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineOrder {
    /// It stays as the bundler made it.
    #[default]
    Whole,
    /// It is cut in two.
    Cut,
    /// It notes which of its functions are called, to learn where to cut.
    Watched,
}

impl Order {
    /// Reads the arguments after the program's name.
    ///
    /// # Errors
    /// Says which argument is missing or unknown.
    pub fn from_args(args: impl Iterator<Item = String>) -> Result<Order, String> {
        let mut args = args;
        let mut order = Order {
            folder: PathBuf::new(),
            base_url: None,
            engine: EngineOrder::Whole,
            linked: None,
        };
        while let Some(arg) = args.next() {
            match arg.as_str() {
                // The bundler says which build this is; the pages are the same in both.
                "--release" if order.engine == EngineOrder::Whole => {
                    order.engine = EngineOrder::Cut;
                }
                "--release" => {}
                "--linked" => {
                    order.linked = Some(args.next().ok_or("--linked wants a module")?.into());
                }
                "--watch" => order.engine = EngineOrder::Watched,
                "--base-url" => {
                    let url = args.next().filter(|url| url.starts_with("https://"));
                    let url = url.ok_or("--base-url wants an address that begins with https://")?;
                    order.base_url = Some(format!("{}/", url.trim_end_matches('/')));
                }
                flag if flag.starts_with('-') => return Err(format!("unknown option {flag}")),
                folder if order.folder.as_os_str().is_empty() => order.folder = folder.into(),
                extra => return Err(format!("unexpected argument {extra}")),
            }
        }
        if order.folder.as_os_str().is_empty() {
            return Err("the folder to fill is missing".into());
        }
        Ok(order)
    }
}

/// Fills the folder and tells how many files were written.
///
/// # Errors
/// Names the file that could not be read or written, or lists the dead links.
pub fn build(order: &Order) -> Result<usize, String> {
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    build_from(&Source::above(&here)?, order)
}

fn build_from(source: &Source, order: &Order) -> Result<usize, String> {
    let mut output = Output::into_folder(&order.folder);
    let words = Words::parse(&source.text("static/lang/en.pages.json")?)?;
    let catalogue = source.text("static/lang/en.json")?;

    let later = later_classes(source)?;
    let mut style = |name: &str| output.put_hashed(name, stylesheet(source, name)?);
    let styles = Styles {
        css: style("inflight.css")?,
        later: style("later.css")?,
        study: style("study.css")?,
    };
    let sheet = style("pages.css")?;
    let reading = style("reading.css")?;
    let engine = crate::engine::put(source, &mut output, order.engine, order.linked.as_deref())?;
    output.put(&engine.js, small_module(&output.text(&engine.js)?)?)?;
    let mut assets = Assets::new(engine, styles);
    let lang = put_words(source, &mut output, &words.added_to(&catalogue)?, order.engine)?;
    assets.lang.insert("en".into(), lang);
    assets.edition = edition(source)?;
    let mut exhibits = Vec::new();
    for file in source.list(EXHIBITS, ".json")? {
        let id = file.trim_end_matches(".json");
        let json = source.text(&format!("{EXHIBITS}/{file}"))?;
        let exhibit = Exhibit::parse(id, &json)?;
        let still = Still::draw(id, &json, &catalogue)?;
        put_exhibit(&mut output, &mut assets, id, &json)?;
        exhibits.push((exhibit, still));
    }
    exhibits.sort_by_key(|(exhibit, _)| exhibit.place());
    let studies = put_studies(source, &mut output, &mut assets)?;
    let ids = exhibits.iter().map(|(exhibit, _)| exhibit.id.as_str());
    let sheets = put_sheets(source, &mut output, &mut assets)?;
    let ids = ids.chain(studies.iter().map(|study| study.id.as_str()));
    let ids: Vec<&str> = ids.chain(sheets.iter().map(|sheet| sheet.id.as_str())).collect();
    let course = Course::read(source, &ids)?;
    output.put(
        &format!("exhibits/ids-{}.json", assets.edition),
        serde_json::to_vec(&assets.exhibits).unwrap_or_default(),
    )?;
    output.put("element.js", element_js(source, &assets, &words)?)?;
    output.put("inflight.js", api_js(source, &assets)?)?;
    let worker = source.text("static/api/worker.js")?.replace("%js%", &assets.js);
    output.put("worker.js", worker)?;
    output.put("inflight.d.ts", source.text("static/api/inflight.d.ts")?)?;
    let scripts = Scripts::put(source, &mut output)?;
    put_static(source, &mut output)?;
    let base_url = order.base_url.clone();
    let families = ledger::read(source)?;
    let found = index::of(&course, &exhibits, &studies, &sheets, &families);
    let index = output.put_hashed("search.json", serde_json::to_vec(&found).unwrap_or_default())?;
    let site = Site {
        words,
        attributes: attributes::read(source)?,
        assets,
        exhibits,
        studies,
        sheets,
        course,
        families,
        changes: source.text("CHANGELOG.md")?,
        base_url,
        scripts,
        sheet,
        reading,
        later,
        index,
    };
    pages::write(&site, &mut output)?;
    links::check(&output)?;
    Ok(output.written())
}

/// Reads and writes what is answered and not played.
fn put_studies(
    source: &Source,
    output: &mut Output,
    assets: &mut Assets,
) -> Result<Vec<Study>, String> {
    let library = |id: &str| source.text(&format!("{EXHIBITS}/{id}.json")).ok();
    let mut studies = Vec::new();
    for folder in STUDIES {
        for file in source.list(folder, ".json")? {
            let id = file.trim_end_matches(".json");
            let json = source.text(&format!("{folder}/{file}"))?;
            put_exhibit(output, assets, id, &json)?;
            studies.push(Study::parse(id, &json, library)?);
        }
    }
    studies.sort_by_key(Study::place);
    Ok(studies)
}

/// Reads and writes what is filled in and worked out.
fn put_sheets(
    source: &Source,
    output: &mut Output,
    assets: &mut Assets,
) -> Result<Vec<Worksheet>, String> {
    let mut sheets = Vec::new();
    for file in source.list(SHEETS, ".json")? {
        let id = file.trim_end_matches(".json");
        let json = source.text(&format!("{SHEETS}/{file}"))?;
        put_exhibit(output, assets, id, &json)?;
        sheets.push(Worksheet::parse(id, &json)?);
    }
    sheets.sort_by_key(Worksheet::place);
    Ok(sheets)
}

/// The classes that only the later stylesheet has rules for.
fn later_classes(source: &Source) -> Result<BTreeSet<String>, String> {
    let [first, later] = ["inflight.css", "later.css"].map(|name| stylesheet(source, name));
    let (first, later) = (first?, later?);
    let known = classes(&first);
    Ok(classes(&later).difference(&known).map(|name| (*name).to_owned()).collect())
}

/// Writes a catalogue: whole, under a name to link to, and in the two parts that the loader asks for.
fn put_words(
    source: &Source,
    output: &mut Output,
    whole: &str,
    engine: EngineOrder,
) -> Result<[String; 2], String> {
    output.put("lang/en.json", small_json(whole)?)?;
    let [first, more] = Words::parted(whole, &wanted_first(source, engine)?)?;
    Ok([
        output.put_hashed("lang/en.json", small_json(&first)?)?,
        output.put_hashed("lang/en-more.json", small_json(&more)?)?,
    ])
}

/// Says which words a first picture needs, as far as the engine is cut too: all, or none while it is
/// watched which they are.
fn wanted_first(source: &Source, engine: EngineOrder) -> Result<Wanted, String> {
    Ok(match engine {
        EngineOrder::Whole => Wanted::All,
        EngineOrder::Watched => Wanted::Keys(Vec::new()),
        EngineOrder::Cut => {
            let list = source.text(FIRST_WORDS)?;
            let keys = list.lines().filter(|line| !line.starts_with('#'));
            Wanted::Keys(keys.map(str::to_owned).collect())
        }
    })
}

/// An exhibit's JSON twice: under a name to link to, and under one to cache for ever, with the edition
/// for a hash: the loader names them all by one.
fn put_exhibit(
    output: &mut Output,
    assets: &mut Assets,
    id: &str,
    json: &str,
) -> Result<(), String> {
    let path = format!("exhibits/{id}.json");
    let small = small_json(json).map_err(|error| format!("{path}: {error}"))?;
    output.put(&path, &small)?;
    output.put(&format!("exhibits/{id}-{}.json", assets.edition), &small)?;
    assets.exhibits.push(id.to_owned());
    Ok(())
}

/// A name for the units as they are, all together.
fn edition(source: &Source) -> Result<String, String> {
    let mut all = String::new();
    for folder in [EXHIBITS, SHEETS].iter().chain(&STUDIES) {
        for file in source.list(folder, ".json")? {
            all.push_str(&source.text(&format!("{folder}/{file}"))?);
        }
    }
    Ok(format!("{:06x}", hash(all.as_bytes()) >> 40))
}

/// The same JSON without white space between its tokens. The order of an object's keys is the order
/// of a scenario's components, and a number may be longer than a float: neither is touched.
fn small_json(json: &str) -> Result<String, String> {
    serde_json::from_str::<serde::de::IgnoredAny>(json).map_err(|error| error.to_string())?;
    let mut in_string = false;
    let mut escaped = false;
    let kept = json.chars().filter(|&c| {
        if in_string {
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            return true;
        }
        in_string = c == '"';
        !c.is_ascii_whitespace()
    });
    Ok(kept.collect())
}

/// Files under the names by which others link to them.
fn put_static(source: &Source, output: &mut Output) -> Result<(), String> {
    output.put("embed.js", small(&source.text("static/embed.js")?)?)?;
    for icon in source.list("static/icons", "")? {
        output.put(&icon, source.bytes(&format!("static/icons/{icon}"))?)?;
    }
    for file in source.list("static/schema", ".json")? {
        let path = format!("schema/{file}");
        output.put(&path, small_json(&source.text(&format!("static/{path}"))?)?)?;
    }
    for file in source.list("static/examples", "")? {
        let path = format!("examples/{file}");
        let text = source.text(&format!("static/{path}"))?;
        if file.ends_with(".html") {
            output.put_page(&path, text)?;
        } else {
            output.put(&path, text)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
