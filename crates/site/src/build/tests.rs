//! The build, from a folder with an engine to a site.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use super::*;

mod papers;

/// A folder as the bundler leaves it, gone when the test is over.
struct Staging(PathBuf);

impl Staging {
    fn new(name: &str) -> Staging {
        let folder =
            std::env::temp_dir().join(format!("inflight-site-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("inflight-1.js"), "export default 1;").expect("a module");
        fs::write(folder.join("inflight-1_bg.wasm"), "\0asm").expect("an engine");
        Staging(folder)
    }

    fn build(&self, base_url: Option<&str>) -> Result<usize, String> {
        let here = std::env::current_dir().map_err(|error| error.to_string())?;
        let order = Order {
            folder: self.0.clone(),
            base_url: base_url.map(str::to_owned),
            engine: EngineOrder::Whole,
            linked: None,
        };
        build_from(&Source::above(&here)?, &order)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What is left in the system's folder for such things is not worth a failed test.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A site in memory: drawing every exhibit takes seconds, so tests look at the same one.
struct Built(BTreeMap<String, String>);

/// The site as it is when nobody says where it will stand.
static PLAIN: LazyLock<Built> = LazyLock::new(|| Built::new("plain", None));

impl Built {
    fn new(name: &str, base_url: Option<&str>) -> Built {
        let staging = Staging::new(name);
        staging.build(base_url).expect("a site");
        let mut files = BTreeMap::new();
        gather(&staging.0, "", &mut files);
        Built(files)
    }

    fn has(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    fn read(&self, path: &str) -> &str {
        self.0.get(path).unwrap_or_else(|| panic!("there is no {path}"))
    }
}

/// The files below a folder, by path; what is no text is there without its content.
fn gather(folder: &Path, path: &str, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{path}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            gather(&entry.path(), &format!("{name}/"), files);
        } else {
            files.insert(name, fs::read_to_string(entry.path()).unwrap_or_default());
        }
    }
}

const PAGES: [&str; 18] = [
    "index.html",
    "m1/index.html",
    "m8/index.html",
    "glossary/index.html",
    "numbers/index.html",
    "primer/index.html",
    "anti-patterns/index.html",
    "interview/index.html",
    "gate/index.html",
    "authors/index.html",
    "authors/format/index.html",
    "progress/index.html",
    "search/index.html",
    "exhibits/index.html",
    "exhibits/event-life/index.html",
    "fidelity/index.html",
    "404.html",
    "embed.html",
];

#[test]
fn pages_hold_under_a_strict_policy() {
    let site = &*PLAIN;
    for page in PAGES {
        let html = site.read(page);
        assert!(!html.contains(" style="), "{page} has an inline style");
        assert!(!html.contains("<style"), "{page} has a style element");
        assert!(!html.contains(" onclick=") && !html.contains(" onload="), "{page} has a handler");
        for script in html.split("<script").skip(1) {
            let opening = script.split('>').next().unwrap_or("");
            assert!(opening.contains(" src="), "{page} has an inline script");
        }
        assert!(html.contains("<title>"), "{page} has no title");
    }
}

#[test]
fn pages_name_a_host_only_when_it_is_known() {
    let site = &*PLAIN;
    let page = "exhibits/event-life/index.html";
    assert!(!site.read(page).contains("canonical"));
    assert!(!site.has("sitemap.xml") && !site.has("feed.xml"));
    let site = Built::new("host", Some("https://host/x/"));
    let canonical = "<link rel=\"canonical\" href=\"https://host/x/exhibits/event-life/\">";
    assert!(site.read(page).contains(canonical));
    let map = site.read("sitemap.xml");
    for path in site.0.keys().filter_map(|path| path.strip_suffix("index.html")) {
        assert!(map.contains(&format!("<loc>https://host/x/{path}</loc>")), "{path}");
    }
    assert!(!map.contains("404") && !map.contains("embed.html"), "pages for nobody to find");
    let canonical = "<link rel=\"canonical\" href=\"https://host/x/m1/\">";
    assert!(site.read("m1/index.html").contains(canonical));
    assert!(site.read("404.html").contains("rel=\"stylesheet\" href=\"https://host/x/"));
    assert!(site.read("robots.txt").contains("https://host/x/sitemap.xml"));
}

#[test]
fn every_change_is_in_the_feed_that_pages_name() {
    let site = Built::new("feed", Some("https://host/x/"));
    let link = "type=\"application/rss+xml\" title=\"Changes to Inflight\" \
                href=\"https://host/x/feed.xml\"";
    assert!(site.read("index.html").contains(link) && site.read("m3/index.html").contains(link));
    let here = std::env::current_dir().expect("a current folder");
    let log = Source::above(&here).and_then(|source| source.text("CHANGELOG.md")).expect("the log");
    let changes = log.lines().filter(|line| line.starts_with("- ")).count();
    let feed = site.read("feed.xml");
    assert!(changes > 10);
    assert_eq!(feed.matches("<item>").count(), changes);
    let mut ids: Vec<&str> = feed.split("<guid").skip(1).map(|rest| &rest[..50]).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), changes, "each has a name of its own");
}

/// The part of a page between two marks.
fn between<'a>(html: &'a str, from: &str, to: &str) -> &'a str {
    let after = html.split_once(from).unwrap_or_else(|| panic!("there is no {from}")).1;
    after.split_once(to).unwrap_or_else(|| panic!("there is no {to} after {from}")).0
}

#[test]
fn a_module_says_where_one_is_and_shows_its_exhibits() {
    let site = &*PLAIN;
    let page = site.read("m2/index.html");
    let line = between(page, "<ol class=\"course__line\">", "</nav>");
    assert_eq!(line.matches("aria-current=\"page\"").count(), 1, "one stop is here");
    assert!(line.contains("<a href=\"../m2/\" aria-current=\"page\">"), "{line}");
    assert!(line.contains("<a href=\"#four-states\">"), "its sections are stops");
    for module in 1..=8 {
        assert!(line.contains(&format!("href=\"../m{module}/\"")), "module {module}");
    }
    let still = between(page, "<in-flight exhibit=\"event-life\"", "</in-flight>");
    assert!(still.contains("<svg") && still.contains("<h3"), "a still under a heading");
    assert!(page.contains(" minutes to read, 8 exhibits to play"), "how long it takes");
    let next = between(page, "<nav class=\"next\"", "</nav>");
    assert!(next.contains("\"../m1/\"") && next.contains("\"../m3/\""), "{next}");
    assert!(!page.contains("F-LIFE"), "the ids of facts are for tests");
}

#[test]
fn home_and_gallery_lead_to_everything() {
    let site = &*PLAIN;
    let home = site.read("index.html");
    let route = between(home, "<ol class=\"route\">", "</ol>");
    assert_eq!(route.matches("<li>").count(), 8, "eight modules");
    let gallery = site.read("exhibits/index.html");
    let here = std::env::current_dir().expect("a current folder");
    let source = Source::above(&here).expect("the project");
    for file in source.list(EXHIBITS, ".json").expect("the exhibits") {
        let id = file.trim_end_matches(".json");
        assert!(gallery.contains(&format!("<a href=\"{id}/\">")), "{id}");
    }
}

#[test]
fn the_loader_names_files_that_are_there() {
    let site = &*PLAIN;
    let script = site.read("element.js");
    let assets = script.split("const assets = ").nth(1).and_then(|rest| rest.split(";\n").next());
    let assets: serde_json::Value = serde_json::from_str(assets.expect("assets")).expect("JSON");
    let [js, wasm, css] = ["js", "wasm", "css"].map(|name| &assets[name]);
    let [later, words] = [&assets["later"], &assets["lang"]["en"]];
    for name in [js, wasm, css, later, &words[0], &words[1]] {
        let name = name.as_str().expect("a name");
        assert!(site.has(name), "{name}");
    }
    let hash = assets["edition"].as_str().expect("a hash");
    let ids = site.read(&format!("exhibits/ids-{hash}.json"));
    assert!(ids.contains("\"event-life\""), "{ids}");
    assert!(site.has(&format!("exhibits/event-life-{hash}.json")), "{hash}");
    assert!(script.contains("\"fail.network\":"), "the loader has no words");
}

#[test]
fn without_an_engine_nothing_is_written() {
    let staging = Staging::new("engine");
    fs::remove_file(staging.0.join("inflight-1_bg.wasm")).expect("removed");
    let message = staging.build(None).expect_err("an error");
    assert!(message.contains("build the front end first"), "{message}");
}

#[test]
fn the_table_of_rules_is_whole_and_can_be_linked_to() {
    let site = &*PLAIN;
    let html = site.read("fidelity/index.html");
    let here = std::env::current_dir().expect("a current folder");
    let families = ledger::read(&Source::above(&here).expect("the project")).expect("the table");
    for family in &families {
        assert!(html.contains(&format!("id=\"{}\"", family.id)), "{}", family.id);
        for rule in &family.rules {
            assert!(html.contains(&format!("<tr role=\"row\" id=\"{}\"", rule.id)), "{}", rule.id);
        }
    }
    let said = |what: &str| html.matches(what).count();
    let rules: Vec<_> = families.iter().flat_map(|family| &family.rules).collect();
    assert_eq!(said("<details>"), rules.len());
    assert_eq!(said("Not yet</td>"), rules.iter().filter(|rule| !rule.world).count());
    let omissions: usize = families.iter().map(|family| family.not_modelled.len()).sum();
    assert_eq!(said("<dt>"), omissions);
    for page in ["index.html", "exhibits/event-life/index.html"] {
        assert!(site.read(page).contains("fidelity/\">"), "{page} does not link to the table");
    }
}

fn order(args: &[&str]) -> Result<Order, String> {
    Order::from_args(args.iter().map(|&arg| arg.to_owned()))
}

#[test]
fn arguments_are_read() {
    let folder = PathBuf::from("dist");
    let plain =
        Order { folder: folder.clone(), base_url: None, engine: EngineOrder::Cut, linked: None };
    assert_eq!(order(&["dist", "--release"]), Ok(plain));
    let based = Order {
        folder,
        base_url: Some("https://host/x/".into()),
        engine: EngineOrder::Watched,
        linked: None,
    };
    let args = ["--base-url", "https://host/x", "dist", "--watch", "--release"];
    assert_eq!(order(&args), Ok(based));
}

#[test]
fn json_shrinks_and_says_the_same() {
    let check = |json: &str, want: &str| assert_eq!(small_json(json).as_deref(), Ok(want));
    check("{ \"b\": 1,\n \"a\": [ 2 ] }", "{\"b\":1,\"a\":[2]}");
    check(r#"[ " \" a ", "\\" , 1 ]"#, r#"[" \" a ","\\",1]"#);
    assert!(small_json("{ ]").is_err());
}

#[test]
fn wrong_arguments_are_named() {
    let check = |args: &[&str], want: &str| {
        let message = order(args).expect_err("an error");
        assert!(message.contains(want), "{message}");
    };
    check(&[], "missing");
    check(&["dist", "--fast"], "--fast");
    check(&["dist", "more"], "more");
    check(&["dist", "--base-url", "ftp://host"], "https://");
}
