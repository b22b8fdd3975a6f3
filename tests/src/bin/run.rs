//! `cargo xtask run SCENARIO [--seed S] [--json]`: runs a scenario natively and prints its trace,
//! its measures and what came of its properties. An exhibit's file works too: its scenario is run.

use std::process::ExitCode;

use player::{Finding, Player};
use serde_json::json;
use tests::command::{Asked, Shape, answer};

const USAGE: &str = "usage: run SCENARIO [--seed S] [--json]";

fn main() -> ExitCode {
    answer(run())
}

fn run() -> Result<String, String> {
    let asked = Asked::read(USAGE, |_, _| Ok(false))?;
    let scenario = tests::documents::scenario_of(&asked.file, asked.seed.as_deref())?;
    let mut player = Player::new(scenario);
    player.finish();
    let mut trace = String::new();
    world::write_trace(&mut trace, player.scenario(), player.trace())
        .map_err(|error| error.to_string())?;
    Ok(match asked.shape {
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
