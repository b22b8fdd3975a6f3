//! `cargo xtask run SCENARIO [--seed S] [--json]`: runs a scenario natively and prints its trace,
//! its measures and what came of its properties. An exhibit's file works too: its scenario is run.

use std::process::ExitCode;

use player::{Finding, Player};
use serde_json::json;

/// What was asked for on the command line.
struct Request {
    file: String,
    seed: Option<String>,
    shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Text,
    Json,
}

fn main() -> ExitCode {
    match request().and_then(|request| run(&request)) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

fn request() -> Result<Request, String> {
    let mut request = Request { file: String::new(), seed: None, shape: Shape::Text };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seed" => request.seed = Some(words.next().ok_or("--seed needs a number")?),
            "--json" => request.shape = Shape::Json,
            _ if word.starts_with('-') => return Err(format!("{word} is not known; {USAGE}")),
            _ => request.file = word,
        }
    }
    if request.file.is_empty() { Err(USAGE.to_owned()) } else { Ok(request) }
}

const USAGE: &str = "usage: run SCENARIO [--seed S] [--json]";

fn run(request: &Request) -> Result<String, String> {
    let scenario = tests::documents::scenario_of(&request.file, request.seed.as_deref())?;
    let mut player = Player::new(scenario);
    player.finish();
    let mut trace = String::new();
    world::write_trace(&mut trace, player.scenario(), player.trace())
        .map_err(|error| error.to_string())?;
    Ok(match request.shape {
        Shape::Text => as_text(&player, &trace),
        Shape::Json => as_json(&player, &trace),
    })
}

fn finding(finding: Finding) -> String {
    match finding {
        Finding::Holds => "holds".to_owned(),
        Finding::Open => "open".to_owned(),
        Finding::Broken { witness, times } => {
            format!("broken, {times} times, first by trace event {}", witness + 1)
        }
    }
}

fn as_text(player: &Player, trace: &str) -> String {
    let mut out =
        format!("# {}, seed {}\n{trace}\n", player.scenario().name, player.scenario().seed);
    for (name, value) in player.measures() {
        out.push_str(&format!("{name:32} {value}\n"));
    }
    for verdict in player.verdicts() {
        out.push_str(&format!("{:32} {}\n", verdict.property.words(), finding(verdict.finding)));
    }
    out
}

fn as_json(player: &Player, trace: &str) -> String {
    let measures: serde_json::Map<_, _> =
        player.measures().into_iter().map(|(name, value)| (name, json!(value))).collect();
    let properties: serde_json::Map<_, _> =
        player.verdicts().iter().map(|v| (v.property.words(), json!(finding(v.finding)))).collect();
    let report = json!({
        "name": player.scenario().name,
        "seed": player.scenario().seed.to_string(),
        "end_s": player.end().as_secs_f64(),
        "trace": trace.lines().collect::<Vec<_>>(),
        "measures": measures,
        "properties": properties,
    });
    format!("{report:#}\n")
}
