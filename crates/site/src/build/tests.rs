//! The build, from a folder with an engine to a site.

use std::fs;

use super::*;

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
        };
        build_from(&Source::above(&here)?, &order)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What is left in the system's folder for such things is not worth a failed test.
        let _ = fs::remove_dir_all(&self.0);
    }
}

const PAGES: [&str; 4] = ["index.html", "exhibits/event-life/index.html", "404.html", "embed.html"];

#[test]
fn pages_hold_under_a_strict_policy() {
    let staging = Staging::new("policy");
    staging.build(None).expect("a site");
    for page in PAGES {
        let html = staging.read(page);
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
    let staging = Staging::new("host");
    staging.build(None).expect("a site");
    let page = "exhibits/event-life/index.html";
    assert!(!staging.read(page).contains("canonical"));
    assert!(!staging.0.join("sitemap.xml").exists());
    staging.build(Some("https://host/x/")).expect("a site");
    let canonical = "<link rel=\"canonical\" href=\"https://host/x/exhibits/event-life/\">";
    assert!(staging.read(page).contains(canonical));
    assert!(staging.read("sitemap.xml").contains("<loc>https://host/x/</loc>"));
    assert!(staging.read("404.html").contains("rel=\"stylesheet\" href=\"https://host/x/"));
    assert!(staging.read("robots.txt").contains("https://host/x/sitemap.xml"));
}

#[test]
fn the_loader_names_files_that_are_there() {
    let staging = Staging::new("loader");
    staging.build(None).expect("a site");
    let script = staging.read("element.js");
    let assets = script.split("const assets = ").nth(1).and_then(|rest| rest.split(";\n").next());
    let assets: serde_json::Value = serde_json::from_str(assets.expect("assets")).expect("JSON");
    let names = [&assets["js"], &assets["wasm"], &assets["css"], &assets["exhibits"]["event-life"]];
    for name in names.into_iter().chain([&assets["lang"]["en"]]) {
        let name = name.as_str().expect("a name");
        assert!(staging.0.join(name).is_file(), "{name}");
    }
    assert!(script.contains("\"fail.network\":"), "the loader has no words");
}

#[test]
fn without_an_engine_nothing_is_written() {
    let staging = Staging::new("engine");
    fs::remove_file(staging.0.join("inflight-1_bg.wasm")).expect("removed");
    let message = staging.build(None).expect_err("an error");
    assert!(message.contains("build the front end first"), "{message}");
}

fn order(args: &[&str]) -> Result<Order, String> {
    Order::from_args(args.iter().map(|&arg| arg.to_owned()))
}

#[test]
fn arguments_are_read() {
    let folder = PathBuf::from("dist");
    let plain = Order { folder: folder.clone(), base_url: None, engine: EngineOrder::Cut };
    assert_eq!(order(&["dist", "--release"]), Ok(plain));
    let based =
        Order { folder, base_url: Some("https://host/x/".into()), engine: EngineOrder::Watched };
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
