//! Which crate may know which: the arrows of ARCHITECTURE.md, read from `cargo metadata`.

use std::process::Command;

use serde_json::Value;

/// Left to right: a crate may use only what stands to its left.
const ORDER: [&str; 9] =
    ["sim", "broker", "patterns", "scenario", "world", "player", "explore", "course", "web"];

/// The crates beside the row, each with what it may use.
const BESIDE: [(&str, &[&str]); 4] = [
    ("site", &["scenario", "course", "player", "web", "split"]),
    ("tests", &ORDER),
    ("xtask", &[]),
    ("split", &[]),
];

/// What a room may not know, though it comes from outside: every kind of JSON and serialization in
/// the engine, every browser below the front end.
const STRANGERS: [(&str, &[&str]); 8] = [
    ("sim", &["serde", "serde_json", "rand_chacha", "getrandom", "chrono", "time"]),
    ("broker", &["serde", "serde_json", "getrandom", "chrono", "time"]),
    ("patterns", &["serde", "serde_json", "getrandom", "chrono", "time"]),
    ("scenario", &["serde_json", "getrandom", "gloo", "gloo-net"]),
    ("world", &["serde", "serde_json", "getrandom", "yew"]),
    ("player", &["serde", "serde_json", "getrandom", "yew"]),
    ("explore", &["serde", "serde_json", "getrandom", "yew"]),
    ("course", &["getrandom", "yew"]),
];

/// What only the front end may use.
const BROWSER: [&str; 5] = ["wasm-bindgen", "web-sys", "js-sys", "yew", "gloo"];

/// One dependency as a manifest declares it.
#[derive(Clone, Copy, Debug)]
struct Arrow<'a> {
    from: &'a str,
    to: &'a str,
    home: Home,
    use_: Use,
}

/// Whether a dependency is a crate of ours.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Home {
    Ours,
    Outside,
}

/// Whether what people run holds it, or only its tests.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Use {
    Shipped,
    Tests,
}

/// What is wrong with an arrow, if anything.
fn judge(arrow: &Arrow) -> Option<String> {
    match arrow.home {
        Home::Ours => judge_ours(arrow.from, arrow.to),
        // A test may read JSON; what ships may not.
        Home::Outside if arrow.use_ == Use::Tests => None,
        Home::Outside => judge_outside(arrow.from, arrow.to),
    }
}

fn judge_ours(from: &str, to: &str) -> Option<String> {
    if let Some((_, allowed)) = BESIDE.iter().find(|(name, _)| *name == from) {
        return (!allowed.contains(&to)).then(|| format!("{from} may not use {to}"));
    }
    let place = |name| ORDER.iter().position(|crate_| *crate_ == name);
    match (place(from), place(to)) {
        (Some(from_place), Some(to_place)) if to_place < from_place => None,
        (Some(_), Some(_)) => Some(format!("{from} uses {to}, which does not stand to its left")),
        (None, _) => Some(format!("{from} is a crate that the design does not have")),
        (_, None) => Some(format!("{from} may not use {to}")),
    }
}

fn judge_outside(from: &str, to: &str) -> Option<String> {
    let stranger = STRANGERS.iter().any(|(name, banned)| *name == from && banned.contains(&to));
    let browser = BROWSER.contains(&to) && from != "web" && from != "site";
    (stranger || browser).then(|| format!("{from} may not know {to}"))
}

/// The arrows that `cargo metadata` tells of.
fn arrows(metadata: &Value) -> Vec<Arrow<'_>> {
    let packages = metadata["packages"].as_array().expect("packages");
    let name = |value: &Value| value["name"].as_str().map(str::to_owned);
    let ours: Vec<String> = packages.iter().filter_map(name).collect();
    let mut found = Vec::new();
    for package in packages {
        let from = package["name"].as_str().expect("a package has a name");
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let to = dependency["name"].as_str().expect("a dependency has a name");
            let is_ours = ours.iter().any(|name| name == to) && !dependency["path"].is_null();
            found.push(Arrow {
                from,
                to,
                home: if is_ours { Home::Ours } else { Home::Outside },
                use_: if dependency["kind"] == "dev" { Use::Tests } else { Use::Shipped },
            });
        }
    }
    found
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON")
}

#[test]
fn crates_use_only_what_stands_to_their_left() {
    let metadata = metadata();
    let arrows = arrows(&metadata);
    assert!(arrows.iter().any(|arrow| arrow.home == Home::Ours), "no arrow was read at all");
    let wrong: Vec<String> = arrows.iter().filter_map(judge).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_wrong_arrow_is_found() {
    let rows = [
        ("broker", "sim", Home::Ours, Use::Shipped, true),
        ("sim", "broker", Home::Ours, Use::Shipped, false),
        ("sim", "broker", Home::Ours, Use::Tests, false),
        ("sim", "sim", Home::Ours, Use::Shipped, false),
        ("world", "player", Home::Ours, Use::Shipped, false),
        ("site", "web", Home::Ours, Use::Shipped, true),
        ("site", "world", Home::Ours, Use::Shipped, false),
        ("course", "site", Home::Ours, Use::Shipped, false),
        ("xtask", "sim", Home::Ours, Use::Shipped, false),
        ("helpers", "sim", Home::Ours, Use::Shipped, false),
        ("sim", "serde", Home::Outside, Use::Shipped, false),
        ("sim", "serde_json", Home::Outside, Use::Tests, true),
        ("scenario", "serde", Home::Outside, Use::Shipped, true),
        ("player", "web-sys", Home::Outside, Use::Shipped, false),
        ("web", "web-sys", Home::Outside, Use::Shipped, true),
    ];
    for (from, to, home, use_, allowed) in rows {
        let arrow = Arrow { from, to, home, use_ };
        assert_eq!(judge(&arrow).is_none(), allowed, "{arrow:?}: {:?}", judge(&arrow));
    }
}

#[test]
fn arrows_are_read_with_their_kind() {
    let metadata = serde_json::json!({ "packages": [
        { "name": "sim", "dependencies": [
            { "name": "broker", "path": "crates/broker", "kind": "dev" },
            { "name": "libm", "kind": null } ] },
        { "name": "broker", "dependencies": [] } ] });
    let read: Vec<_> = arrows(&metadata).iter().map(|a| (a.from, a.to, a.home, a.use_)).collect();
    let expected =
        [("sim", "broker", Home::Ours, Use::Tests), ("sim", "libm", Home::Outside, Use::Shipped)];
    assert_eq!(read, expected);
}
