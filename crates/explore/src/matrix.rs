//! What an exploration has found: a cell for each border and message, and a word on each guarantee.

use broker::MessageId;
use scenario::link::RunState;
use scenario::wire::{Pointer, Value};
use scenario::{ComponentId, Intervention, Kind, Program, Property, Scenario, StepIndex};
use sim::SimTime;

/// What came of a run with crashes, compared with the run without. The worse is the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Every message has had the effects that it has without the crash, once and in order.
    Fine,
    /// The run was over before that could be said.
    Open,
    /// Work is not done, or a message not gone, and nothing will come of it by itself.
    Stuck,
    /// Messages with one key have had their effects in another order than that of their sending.
    Reordered,
    /// Something was done more often.
    Duplicated,
    /// Work is not done, and nobody has the message any more.
    Lost,
}

impl Outcome {
    /// Every outcome, the worst first.
    pub const ALL: [Self; 6] =
        [Self::Lost, Self::Duplicated, Self::Reordered, Self::Stuck, Self::Open, Self::Fine];

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Open => "open",
            Self::Stuck => "stuck",
            Self::Reordered => "reordered",
            Self::Duplicated => "duplicated",
            Self::Lost => "lost",
        }
    }
}

/// Where in a handler a process dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// After a line, by its number from 1; 0 before the first.
    After(u16),
    /// While a line is under way, by its number from 1.
    During(u16),
}

/// A row of the matrix: a place in a handler at which a process can die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// The workers, or the service.
    pub component: ComponentId,
    /// Which of a service's handlers, in document order; workers have one.
    pub handler: u16,
    /// Where in it.
    pub spot: Spot,
}

impl Row {
    /// Rows in the order in which a handler comes to them.
    pub(crate) fn order(&self) -> (ComponentId, u16, u32) {
        let place = match self.spot {
            Spot::After(line) => u32::from(line) * 2,
            Spot::During(line) => (u32::from(line) * 2).saturating_sub(1),
        };
        (self.component, self.handler, place)
    }

    /// What its line is called; nothing before the first.
    #[must_use]
    pub fn label<'a>(&self, scenario: &'a Scenario) -> &'a str {
        let (Spot::After(line) | Spot::During(line)) = self.spot;
        let Some(index) = usize::from(line).checked_sub(1) else { return "" };
        let step = self.program(scenario).and_then(|program| program.step(StepIndex::new(index)));
        step.map_or("", |step| step.label.as_str())
    }

    /// The program that it is a place of.
    #[must_use]
    pub fn program<'a>(&self, scenario: &'a Scenario) -> Option<&'a Program> {
        match &scenario.component(self.component).kind {
            Kind::Workers(workers) => Some(&workers.on_message),
            Kind::Service(service) => {
                service.handles.get(usize::from(self.handler)).map(|(_, program)| program)
            }
            _ => None,
        }
    }
}

/// What brings a run about, and where to look.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// What is done to the run.
    pub interventions: Vec<Intervention>,
    /// When the last of its crashes falls.
    pub at: SimTime,
    /// The message that the dying process had in hand.
    pub message: Option<MessageId>,
}

impl Witness {
    /// Fewest interventions first, then the earliest.
    pub(crate) fn length(&self) -> (usize, SimTime) {
        (self.interventions.len(), self.at)
    }

    /// The run as a link restores it.
    #[must_use]
    pub fn run_state(&self, scenario: &Scenario) -> RunState {
        let own = Pointer::root().join("interventions");
        // What others do to the scenario was not in these runs.
        let nothing = || vec![(own, Value::List(Vec::new()))];
        RunState {
            seed: None,
            changes: if scenario.interventions.is_empty() { Vec::new() } else { nothing() },
            interventions: self.interventions.iter().map(|one| one.to_value(scenario)).collect(),
            at: Some(self.at),
            follow: self.message.map(MessageId::number),
        }
    }
}

/// How often the work for a message was done at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Without a crash.
    pub undisturbed: u32,
    /// With it.
    pub now: u32,
}

/// What crashes at a border have come to, with a message in hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The worst that came of that message.
    pub outcome: Outcome,
    /// The worst that came of another message in that run.
    pub others: Outcome,
    /// How many were tried.
    pub tried: u32,
    /// What was done for the message, over all places, in the worst run.
    pub effects: Effects,
    /// The properties that this run has broken and the undisturbed one has not.
    pub broken: Vec<Property>,
    /// The limit at which this run ended, if it did.
    pub limit: Option<&'static str>,
    /// What brings it about.
    pub witness: Witness,
}

/// What was found out about a property.
#[derive(Clone, Debug, PartialEq)]
pub struct Guarantee {
    /// The property.
    pub property: Property,
    /// The shortest run that breaks it. `None`: no run within the bounds has. A witness without
    /// interventions says that it takes no crash.
    pub witness: Option<Witness>,
}

/// What an exploration has found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// The borders, in the order of components and lines.
    pub rows: Vec<Row>,
    /// The messages, by number.
    pub columns: Vec<MessageId>,
    /// A list a row, an entry a column. `None`: no process came to that border with that message.
    pub cells: Vec<Vec<Option<Cell>>>,
    /// What was found out about each property of the scenario.
    pub guarantees: Vec<Guarantee>,
    /// The shortest run for each outcome but [`Outcome::Fine`] that there was.
    pub shortest: Vec<(Outcome, Witness)>,
}

impl Matrix {
    /// The cell of a row and a message.
    #[must_use]
    pub fn cell(&self, row: &Row, message: MessageId) -> Option<&Cell> {
        let row = self.rows.iter().position(|known| known == row)?;
        let column = self.columns.binary_search(&message).ok()?;
        self.cells[row][column].as_ref()
    }

    /// How many cells have this outcome, for the message in hand.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> usize {
        let cells = self.cells.iter().flatten().flatten();
        cells.filter(|cell| cell.outcome == outcome).count()
    }

    /// Puts a run where it belongs. Of several in one cell the worst stays, and of equals the
    /// shortest.
    pub(crate) fn put(&mut self, row: Row, message: MessageId, mut cell: Cell) {
        let row_at = match self.rows.iter().position(|known| *known == row) {
            Some(at) => at,
            None => {
                let at = self.rows.partition_point(|known| known.order() < row.order());
                self.rows.insert(at, row);
                self.cells.insert(at, vec![None; self.columns.len()]);
                at
            }
        };
        let Ok(column) = self.columns.binary_search(&message) else { return };
        let place = &mut self.cells[row_at][column];
        if let Some(there) = place {
            cell.tried += there.tried;
            let (new, old) = ((cell.outcome, cell.others), (there.outcome, there.others));
            let is_shorter = cell.witness.length() < there.witness.length();
            if new < old || new == old && !is_shorter {
                there.tried = cell.tried;
                return;
            }
        }
        *place = Some(cell);
    }

    /// Notes a run that has come to this, for the shortest witnesses.
    pub(crate) fn note(&mut self, outcome: Outcome, broken: &[Property], witness: &Witness) {
        let shorter = |known: &Witness| witness.length() < known.length();
        for guarantee in self.guarantees.iter_mut().filter(|one| broken.contains(&one.property)) {
            if guarantee.witness.as_ref().is_none_or(shorter) {
                guarantee.witness = Some(witness.clone());
            }
        }
        if outcome == Outcome::Fine {
            return;
        }
        match self.shortest.iter_mut().find(|(known, _)| *known == outcome) {
            Some((_, known)) if shorter(known) => *known = witness.clone(),
            Some(_) => {}
            None => {
                let at = self.shortest.partition_point(|(known, _)| *known > outcome);
                self.shortest.insert(at, (outcome, witness.clone()));
            }
        }
    }
}
