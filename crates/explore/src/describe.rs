//! What an exploration has found, as a tree of plain values for scripts: names in place of ids,
//! messages and lines counted from 1, times in seconds.

use scenario::wire::Value;
use scenario::{Kind, Scenario};

use crate::{Cell, Explorer, Guarantee, Outcome, Progress, Row, Spot, Witness};

impl Explorer {
    /// What has been found so far: `{ done, limit, runs, states, merged, messages, rows, cells,
    /// counts, guarantees, shortest }`.
    #[must_use]
    pub fn describe(&self) -> Value {
        let (scenario, matrix) = (&**self.scenario(), self.matrix());
        let cells = matrix.cells.iter().map(|row| {
            Value::list(
                row.iter().map(|cell| Value::or_null(cell.as_ref().map(|it| self.cell(it)))),
            )
        });
        let counts = Outcome::ALL
            .iter()
            .map(|outcome| (outcome.word(), Value::count(matrix.count(*outcome))));
        let shortest = matrix.shortest.iter();
        let shortest = shortest.map(|(outcome, witness)| (outcome.word(), tell(scenario, witness)));
        Value::record([
            ("done", Value::Bool(self.progress() == Progress::Done)),
            ("limit", Value::or_null(self.limit().map(Value::text))),
            ("runs", Value::count(self.runs())),
            ("states", Value::count(self.states())),
            ("merged", Value::count(self.merged())),
            ("messages", Value::list(matrix.columns.iter().map(|m| Value::whole(m.number())))),
            ("rows", Value::list(matrix.rows.iter().map(|row| told_row(scenario, row)))),
            ("cells", Value::list(cells)),
            ("counts", Value::record(counts)),
            ("guarantees", Value::list(matrix.guarantees.iter().map(|it| guarantee(scenario, it)))),
            ("shortest", Value::record(shortest)),
        ])
    }

    fn cell(&self, cell: &Cell) -> Value {
        let broken = cell.broken.iter().map(|property| Value::text(property.words()));
        Value::record([
            ("outcome", Value::text(cell.outcome.word())),
            ("others", Value::text(cell.others.word())),
            ("tried", Value::whole(cell.tried)),
            ("undisturbed", Value::whole(cell.effects.undisturbed)),
            ("effects", Value::whole(cell.effects.now)),
            ("broken", Value::list(broken)),
            ("limit", Value::or_null(cell.limit.map(Value::text))),
            ("witness", tell(self.scenario(), &cell.witness)),
        ])
    }
}

fn told_row(scenario: &Scenario, row: &Row) -> Value {
    let component = scenario.component(row.component);
    let (border, line) = match row.spot {
        Spot::After(line) => ("after", line),
        Spot::During(line) => ("during", line),
    };
    let handler = match &component.kind {
        Kind::Service(service) => service.handles.get(usize::from(row.handler)),
        _ => None,
    };
    Value::record([
        ("component", Value::text(component.name.as_str())),
        ("handler", Value::or_null(handler.map(|(name, _)| Value::text(name.as_str())))),
        ("border", Value::text(border)),
        ("line", Value::whole(u32::from(line))),
        ("label", Value::text(row.label(scenario))),
    ])
}

fn guarantee(scenario: &Scenario, guarantee: &Guarantee) -> Value {
    let finding = if guarantee.witness.is_some() { "broken" } else { "holds" };
    Value::record([
        ("property", Value::text(guarantee.property.words())),
        ("finding", Value::text(finding)),
        (
            "witness",
            Value::or_null(guarantee.witness.as_ref().map(|witness| tell(scenario, witness))),
        ),
    ])
}

/// `{ crashes, at, message, interventions, run }`; `run` is the text of a link, and null if the run
/// is more than a link may hold.
fn tell(scenario: &Scenario, witness: &Witness) -> Value {
    let done = witness.interventions.iter().map(|one| one.to_value(scenario));
    let link = witness.run_state(scenario).encode().ok();
    Value::record([
        ("crashes", Value::count(witness.interventions.len())),
        ("at", Value::Number(witness.at.as_secs_f64())),
        ("message", Value::or_null(witness.message.map(|message| Value::whole(message.number())))),
        ("interventions", Value::list(done)),
        ("run", Value::or_null(link.map(Value::text))),
    ])
}
