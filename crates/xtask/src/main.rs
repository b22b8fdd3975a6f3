//! The task runner: `cargo xtask VERB` is the whole vocabulary of building, serving and testing.
//!
//! It stands apart from every other crate so that it compiles in seconds, and it sets up by itself
//! whatever a verb needs: each tool is pinned, looked for first, and else installed under the
//! project's own cache.
//!
//! What this crate does not do: it knows nothing of brokers, scenarios or pages. What belongs to
//! those lives in their crates (`site` writes pages, `tests` replays conformance vectors) and is
//! only called from here.

mod bench;
mod bundle;
mod check;
mod command;
mod failure;
mod forward;
mod project;
mod serve;
mod suite;
mod tools;

use failure::{Failure, Outcome};
use project::Project;

const HELP: &str = "\
cargo xtask VERB

  serve                set up, build, serve http://127.0.0.1:8080 and rebuild on change
  test                 set up, then every test: native, the bundle, the browser
  check                formatting, lints and native tests; no browser
  bless                rewrite the golden files from what the code does now
  bless first          measure which functions a first picture needs (web/first.txt)
  dist                 write dist/, ready for any static host
  bench [PART…]        measure, print a table, write target/bench/report.json [--long]
  conform [FILE…]      replay conformance vectors, a line a case
  run SCENARIO         run a scenario file [--seed S] [--json]
  explore SCENARIO     try a crash at each border [--crashes 2] [--messages N] [--runs N]
  lint FILE…           lint exhibits, quizzes, trees and scenarios, and say how hard they and pages read
  import FILE.toml     a quiz of mdbook-quiz as one of ours [-o FILE.json]
  setup                only install what `serve` and `test` need

Tools are kept in $INFLIGHT_CACHE, else in the platform's cache folder under `inflight`.
";

fn main() {
    let mut arguments = std::env::args().skip(1);
    let verb = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    if let Err(failure) = dispatch(&verb, &rest) {
        eprintln!("\n{failure}");
        std::process::exit(failure.exit_status());
    }
}

fn dispatch(verb: &str, rest: &[String]) -> Outcome {
    let project = Project::locate();
    match verb {
        "serve" => serve::serve(&project, rest),
        "test" => suite::test(&project, rest),
        "check" => check::check(&project),
        "bless" if rest == ["first"] => check::bless_first(&project),
        "bless" => check::bless(&project),
        "dist" => bundle::dist(&project),
        "pages" => bundle::pages(&project),
        "bench" => bench::bench(&project, rest),
        "conform" => forward::conform(&project, rest),
        "run" => forward::run(&project, rest),
        "explore" => forward::explore(&project, rest),
        "lint" => forward::lint(&project, rest),
        "import" => forward::import(&project, rest),
        "setup" => tools::everything(&project).map(drop),
        "" | "help" | "-h" | "--help" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(Failure::new(format!("there is no verb `{other}`"))
            .remedy("`cargo xtask help` lists them")),
    }
}
