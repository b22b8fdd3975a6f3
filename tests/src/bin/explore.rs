//! `cargo xtask explore SCENARIO [--seed S] [--crashes 2] [--messages N] [--runs N] [--json]`: tries
//! a crash at each border of each handler and prints what it costs. An exhibit's file works too.

use std::process::ExitCode;

use explore::{Bounds, Cell, Explorer, Outcome, Row, Spot, Witness};
use scenario::{Kind, limits};
use tests::command::{Asked, Shape, answer};

const USAGE: &str =
    "usage: explore SCENARIO [--seed S] [--crashes 1|2] [--messages N] [--runs N] [--json]";

fn main() -> ExitCode {
    answer(explore())
}

fn explore() -> Result<String, String> {
    let mut bounds = Bounds::default();
    let asked = Asked::read(USAGE, |word, words| {
        let mut number = |most: usize| {
            let said = words.next().and_then(|said| said.parse::<usize>().ok());
            let wrong = format!("{word} needs a whole number from 1 to {most}");
            said.filter(|number| (1..=most).contains(number)).ok_or(wrong)
        };
        match word {
            "--crashes" => bounds.crashes = if number(2)? == 1 { 1 } else { 2 },
            "--messages" => bounds.messages = number(limits::EXPLORED_MESSAGES.max)?,
            "--runs" => bounds.runs = number(limits::EXPLORED_RUNS.max)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let scenario = tests::documents::scenario_of(&asked.file, asked.seed.as_deref())?;
    let mut explorer = Explorer::new(scenario, bounds);
    explorer.finish();
    Ok(match asked.shape {
        Shape::Text => as_text(&explorer),
        Shape::Json => format!("{:#}\n", serde_json::json!(explorer.describe())),
    })
}

fn as_text(explorer: &Explorer) -> String {
    let (scenario, matrix) = (explorer.scenario(), explorer.matrix());
    let mut out = format!("# {}, seed {}\n{:44}", scenario.name, scenario.seed, "");
    for message in &matrix.columns {
        out.push_str(&format!("{:<WIDE$}", message.number()));
    }
    for (row, cells) in matrix.rows.iter().zip(&matrix.cells) {
        out = out.trim_end().to_owned();
        out.push_str(&format!("\n{:44}", named(explorer, row)));
        for cell in cells {
            let said = cell.as_ref().map(cell_text).unwrap_or_default();
            out.push_str(&format!("{said:<WIDE$}"));
        }
    }
    out = format!("{}\n\n", out.trim_end());
    for guarantee in &matrix.guarantees {
        let said = match &guarantee.witness {
            None => "holds in every run".to_owned(),
            Some(witness) => format!("broken by {}", told(explorer, witness)),
        };
        out.push_str(&format!("{:36} {said}\n", guarantee.property.words()));
    }
    for (outcome, witness) in &matrix.shortest {
        out.push_str(&format!("{:36} {}\n", outcome.word(), told(explorer, witness)));
    }
    let fine = matrix.count(Outcome::Fine);
    let (runs, states, merged) = (explorer.runs(), explorer.states(), explorer.merged());
    out.push_str(&format!(
        "{fine} cells fine; {runs} runs, {merged} of them in a known state; {states} states\n"
    ));
    if let Some(limit) = explorer.limit() {
        out.push_str(&format!("stopped at the bound of {limit}\n"));
    }
    out
}

/// How wide a column is.
const WIDE: usize = 34;

/// `duplicated 1→2, others lost`.
fn cell_text(cell: &Cell) -> String {
    let effects = cell.effects;
    let mut said = cell.outcome.word().to_owned();
    if effects.undisturbed != effects.now {
        said.push_str(&format!(" {}→{}", effects.undisturbed, effects.now));
    }
    if cell.others > Outcome::Fine {
        said.push_str(&format!(", others {}", cell.others.word()));
    }
    said
}

fn named(explorer: &Explorer, row: &Row) -> String {
    let component = explorer.scenario().component(row.component);
    let handler = match &component.kind {
        Kind::Service(service) => service.handles.get(usize::from(row.handler)),
        _ => None,
    };
    let handler = handler.map(|(name, _)| format!(" {name}")).unwrap_or_default();
    let label = row.label(explorer.scenario());
    let place = match row.spot {
        Spot::After(0) => "before the first line".to_owned(),
        Spot::After(line) => format!("after {line} {label}"),
        Spot::During(line) => format!("during {line} {label}"),
    };
    format!("{}{handler}, {place}", component.name)
}

fn told(explorer: &Explorer, witness: &Witness) -> String {
    let crashes = match witness.interventions.len() {
        0 => return format!("no crash at all, at {:.6} s", witness.at.as_secs_f64()),
        1 => "one crash".to_owned(),
        many => format!("{many} crashes"),
    };
    let link = witness.run_state(explorer.scenario()).encode();
    let link = link.unwrap_or_else(|_| "no link can hold it".to_owned());
    format!("{crashes}, the last at {:.6} s: {link}", witness.at.as_secs_f64())
}
