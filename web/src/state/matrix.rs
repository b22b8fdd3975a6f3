//! The crash matrix: what a crash costs at each border of each handler, with each message in hand.
//!
//! A cell is a run. Who opens one has its crash in the run in hand, as if they had done it
//! themselves, and the playhead where the process dies.

use explore::{Bounds, Cell, Explorer, Outcome, Progress, Row, Spot, Witness};
use scenario::link::RunState;
use scenario::{Intervention, Kind, Program, Scenario, StepIndex};

use super::{Act, Playing, Response, Session};
use crate::words::{Words, clock};

/// States computed at once: a millisecond of work, or less.
const BIT: usize = 500;

/// What is shown of the matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixShown {
    /// How many crashes are tried.
    pub done: usize,
    /// How many there are to be, once that is known.
    pub planned: Option<usize>,
    /// Whether more of them are to come.
    pub progress: Progress,
    /// What they come to, in a sentence. Empty as long as there is none.
    pub sum: String,
    /// What was found out about each property.
    pub properties: Vec<Judged>,
    /// The numbers of the messages.
    pub columns: Vec<String>,
    /// Each handler.
    pub programs: Vec<ProgramShown>,
    /// The outcomes that there are, each with its word and what it means.
    pub key: Vec<(Outcome, String, String)>,
    /// Whether there is a cell in whose run another message fares worse.
    pub worse: bool,
    /// What came of the crash that is in the run.
    pub opened: String,
}

/// What was found out about a property.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// In words.
    pub said: String,
    /// The way to a run that breaks it, if one does.
    pub breach: Option<Act>,
}

/// A handler as a list of lines, with the borders between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramShown {
    /// Whose it is.
    pub title: String,
    /// Its lines and borders, in order.
    pub rows: Vec<RowShown>,
}

/// A line, or a border between two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowShown {
    /// The number of a line; 0 for a border.
    pub line: usize,
    /// What it is called.
    pub label: String,
    /// A cell a message; none where no process came with it.
    pub cells: Vec<Option<CellShown>>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellShown {
    /// What came of it.
    pub outcome: Outcome,
    /// That as a word.
    pub word: String,
    /// Whether another message fares worse in that run.
    pub worse: bool,
    /// The whole of it in words.
    pub said: String,
    /// Its row and column.
    pub place: (usize, usize),
    /// Whether its crash is what was done to the run in hand.
    pub here: bool,
}

impl Session {
    /// Whether there are handlers to crash: workers or a service with at least one line.
    #[must_use]
    pub fn can_crash(&self) -> bool {
        let has_lines = |program: &Program| program.main > 0;
        self.player.scenario().components.iter().any(|component| match &component.kind {
            Kind::Workers(workers) => has_lines(&workers.on_message),
            Kind::Service(service) => service.handles.iter().any(|(_, it)| has_lines(it)),
            _ => false,
        })
    }

    /// Begins to try crashes.
    #[inline(never)]
    pub(super) fn explore(&mut self) {
        let scenario = Scenario::clone(self.player.scenario());
        self.matrix = Some(Box::new(Explorer::new(scenario, Bounds::default())));
    }

    /// Leaves it at the crashes that are tried; without any, there is nothing to be shown.
    #[inline(never)]
    pub(super) fn stop_exploring(&mut self) {
        if let Some(explorer) = &mut self.matrix {
            explorer.stop();
        }
        self.matrix = self.matrix.take().filter(|explorer| !explorer.matrix().rows.is_empty());
    }

    /// Another scenario has another matrix. What was done to the run is in none of its runs.
    pub(super) fn keep_matrix(&mut self) {
        if self.matrix.is_some() {
            self.explore_anew();
        }
    }

    #[inline(never)]
    fn explore_anew(&mut self) {
        let bare = |of: &Scenario| Scenario { interventions: Vec::new(), ..of.clone() };
        let known = self.matrix.as_ref().map(|explorer| bare(explorer.scenario()));
        if known.is_some_and(|known| known != bare(self.player.scenario())) {
            self.matrix = None;
            if self.can_crash() {
                self.explore();
            }
        }
    }

    /// Goes on with the crashes for as long as `more` says, and says whether there are more to come.
    #[inline(never)]
    pub fn explore_on(&mut self, mut more: impl FnMut() -> bool) -> Progress {
        let Some(explorer) = &mut self.matrix else { return Progress::Done };
        while explorer.advance(BIT) == Progress::Running {
            if !more() {
                return Progress::Running;
            }
        }
        Progress::Done
    }

    /// Whether the matrix was asked for.
    #[must_use]
    pub fn has_matrix(&self) -> bool {
        self.matrix.is_some()
    }

    /// Whether crashes are to be tried.
    #[must_use]
    pub fn explores(&self) -> bool {
        self.matrix.as_ref().is_some_and(|explorer| explorer.progress() == Progress::Running)
    }

    /// Puts the crash of a cell into the run, or takes it out if it is there.
    #[inline(never)]
    pub(super) fn open_cell(&mut self, row: usize, column: usize) -> Vec<Response> {
        let cell =
            self.matrix.as_ref().and_then(|it| it.matrix().cells.get(row)?.get(column)?.clone());
        let Some(cell) = cell else { return Vec::new() };
        self.toggle(&cell.witness)
    }

    /// Puts the crash that breaks a property into the run.
    #[inline(never)]
    pub(super) fn open_breach(&mut self, property: usize) -> Vec<Response> {
        let found = self.matrix.as_ref().and_then(|it| it.matrix().guarantees.get(property));
        match found.and_then(|guarantee| guarantee.witness.clone()) {
            Some(witness) => self.toggle(&witness),
            None => Vec::new(),
        }
    }

    fn toggle(&mut self, witness: &Witness) -> Vec<Response> {
        let given = witness.run_state(self.player.scenario());
        let is_in = !witness.interventions.is_empty() && self.has_done(&witness.interventions);
        let mut changes = self.changes.clone();
        changes.extend(given.changes);
        let interventions = if is_in { Vec::new() } else { given.interventions };
        let state = RunState { seed: self.run_state().seed, changes, interventions, ..given };
        self.playing = Playing::No;
        self.now = witness.at;
        if witness.message.is_some() {
            self.follow(witness.message);
        }
        let said = match witness.interventions.first() {
            Some(crash) => {
                let done = Intervention { at: witness.at, action: crash.action.clone() };
                if is_in { Response::Undid(done) } else { Response::Did(done) }
            }
            // It takes no crash.
            None => Response::Moved,
        };
        self.again(&state, said)
    }

    /// Whether nothing was done to the run but this.
    fn has_done(&self, these: &[Intervention]) -> bool {
        let done = self.player.interventions();
        done.len() == these.len() && these.iter().all(|it| done.contains(it))
    }
}

/// What came of the crashes so far. `None` if they were not asked for.
#[must_use]
#[inline(never)]
pub fn matrix(session: &Session, words: &Words) -> Option<MatrixShown> {
    let explorer = session.matrix.as_ref()?;
    let found = explorer.matrix();
    let tell = Tell { session, words, explorer };
    let cells = || found.cells.iter().flatten().flatten();
    let outcomes = Outcome::ALL.iter().rev().copied();
    let there: Vec<Outcome> = outcomes.filter(|it| found.count(*it) > 0).collect();
    let opened = found.rows.iter().zip(&found.cells).find_map(|(row, cells)| {
        let cell =
            cells.iter().flatten().find(|cell| session.has_done(&cell.witness.interventions));
        cell.map(|cell| tell.opened(row, cell))
    });
    Some(MatrixShown {
        done: explorer.runs(),
        planned: explorer.planned(),
        progress: explorer.progress(),
        sum: if there.is_empty() { String::new() } else { tell.sum(&there, cells().count()) },
        properties: tell.properties(),
        columns: found.columns.iter().map(|it| words.number(it.number().into())).collect(),
        programs: tell.programs(),
        key: there.into_iter().map(|it| (it, tell.word(it), tell.meaning(it))).collect(),
        worse: cells().any(|cell| cell.others > cell.outcome),
        opened: opened.unwrap_or_default(),
    })
}

/// What the matrix is told from.
struct Tell<'a> {
    session: &'a Session,
    words: &'a Words,
    explorer: &'a Explorer,
}

impl Tell<'_> {
    fn word(&self, outcome: Outcome) -> String {
        self.words.text(&["matrix.", outcome.word()].concat())
    }

    fn meaning(&self, outcome: Outcome) -> String {
        self.words.text(&["matrix.", outcome.word(), ".say"].concat())
    }

    /// "30 crashes: 15 fine, 10 twice, 5 lost."
    fn sum(&self, there: &[Outcome], all: usize) -> String {
        let each = there.iter().map(|outcome| {
            let n = self.words.number(self.explorer.matrix().count(*outcome) as u64);
            [&n, " ", self.word(*outcome).as_str()].concat()
        });
        let list = each.collect::<Vec<_>>().join(", ");
        self.words.count("matrix.sum", all as u64, &[("list", &list)])
    }

    /// What is known of properties: that one is broken, as soon as one is; that it holds, at the end.
    fn properties(&self) -> Vec<Judged> {
        let over = self.explorer.progress() == Progress::Done;
        let guarantees = self.explorer.matrix().guarantees.iter().enumerate();
        let told = guarantees.filter_map(|(at, guarantee)| {
            let key = match &guarantee.witness {
                None if !over => return None,
                None => "matrix.holds",
                Some(witness) if witness.interventions.is_empty() => "matrix.broken.anyway",
                Some(_) => "matrix.broken",
            };
            let said = self.words.say(key, &[("property", &guarantee.property.words())]);
            let breach = guarantee.witness.is_some().then_some(Act::OpenBreach(at));
            Some(Judged { said, breach })
        });
        told.collect()
    }

    /// Each handler that a process died in, whole, with the rows of the matrix in their places.
    fn programs(&self) -> Vec<ProgramShown> {
        let scenario = self.explorer.scenario();
        let mut all: Vec<ProgramShown> = Vec::new();
        let mut before: Option<&Row> = None;
        for (at, row) in self.explorer.matrix().rows.iter().enumerate() {
            let is_new =
                before.is_none_or(|it| (it.component, it.handler) != (row.component, row.handler));
            let Some(program) = row.program(scenario) else { continue };
            if is_new {
                self.finish(before, &mut all);
                all.push(ProgramShown { title: self.title(row), rows: Vec::new() });
            }
            before = Some(row);
            let Some(shown) = all.last_mut() else { continue };
            self.lines_to(row, program, &mut shown.rows);
            let cells = self.cells(at, row);
            match row.spot {
                Spot::During(_) => {
                    if let Some(line) = shown.rows.last_mut() {
                        line.cells = cells;
                    }
                }
                Spot::After(_) => {
                    let label = self.place(row);
                    shown.rows.push(RowShown { line: 0, label, cells });
                }
            }
        }
        self.finish(before, &mut all);
        all
    }

    /// The main lines that no process died after.
    fn finish(&self, of: Option<&Row>, all: &mut [ProgramShown]) {
        let program = of.and_then(|row| Some((row, row.program(self.explorer.scenario())?)));
        let (Some((row, program)), Some(shown)) = (program, all.last_mut()) else { return };
        let last = u16::try_from(program.main).unwrap_or(u16::MAX);
        self.lines_to(&Row { spot: Spot::After(last), ..*row }, program, &mut shown.rows);
    }

    /// The lines that come before a row and are not there yet. Of branches, which lie behind the
    /// main lines, only those that a process came to.
    fn lines_to(&self, row: &Row, program: &Program, rows: &mut Vec<RowShown>) {
        let (Spot::After(to) | Spot::During(to)) = row.spot;
        let to = usize::from(to);
        let from = rows.iter().map(|row| row.line).max().unwrap_or(0) + 1;
        let from = if to > program.main { from.max(to) } else { from };
        let nothing = vec![None; self.explorer.matrix().columns.len()];
        for line in from..=to {
            let step = program.step(StepIndex::new(line - 1));
            let label = step.map_or_else(String::new, |step| step.label.clone());
            rows.push(RowShown { line, label, cells: nothing.clone() });
        }
    }

    /// "orders", or "orders: place" where a service has several handlers.
    fn title(&self, row: &Row) -> String {
        let component = self.explorer.scenario().component(row.component);
        match &component.kind {
            Kind::Service(service) if service.handles.len() > 1 => {
                let handler = service.handles.get(usize::from(row.handler));
                let name = handler.map_or("", |(name, _)| name.as_str());
                [component.label.as_str(), ": ", name].concat()
            }
            _ => component.label.clone(),
        }
    }

    /// Where a process dies, in words.
    fn place(&self, row: &Row) -> String {
        let main = row.program(self.explorer.scenario()).map_or(0, |program| program.main);
        let (key, line) = match row.spot {
            Spot::During(line) => ("matrix.during", line),
            Spot::After(0) => ("matrix.before", 1),
            Spot::After(line) if usize::from(line) < main => ("matrix.between", line),
            Spot::After(line) => ("matrix.after", line),
        };
        let [line, next] = [line, line + 1].map(|n| n.to_string());
        self.words.say(key, &[("line", &line), ("next", &next)])
    }

    fn cells(&self, at: usize, row: &Row) -> Vec<Option<CellShown>> {
        let matrix = self.explorer.matrix();
        let place = self.place(row);
        let cells = matrix.cells[at].iter().zip(&matrix.columns).enumerate();
        let told = cells.map(|(column, (cell, message))| {
            let cell = cell.as_ref()?;
            let word = self.word(cell.outcome);
            let n = message.number().to_string();
            let names = [("word", word.as_str()), ("place", &place), ("n", &n)];
            let worse = cell.others > cell.outcome;
            let mut said = self.words.say("matrix.cell", &names);
            if worse {
                said.push_str("; ");
                said.push_str(&self.words.text("matrix.star"));
            }
            Some(CellShown {
                outcome: cell.outcome,
                worse,
                said,
                word,
                place: (at, column),
                here: self.session.has_done(&cell.witness.interventions),
            })
        });
        told.collect()
    }

    /// The crash that is in the run, and all that came of it.
    fn opened(&self, row: &Row, cell: &Cell) -> String {
        let words = self.words;
        let who = self.title(row);
        let n = cell.witness.message.map_or_else(String::new, |it| it.number().to_string());
        let (place, at) = (self.place(row), clock(cell.witness.at));
        let names = [("who", who.as_str()), ("place", &place), ("n", &n), ("at", &at)];
        let mut said = vec![words.say("matrix.opened", &names), self.meaning(cell.outcome)];
        if cell.effects.now != cell.effects.undisturbed {
            let [own, now] =
                [cell.effects.undisturbed, cell.effects.now].map(|n| words.number(n.into()));
            said.push(words.say("matrix.effects", &[("now", &now), ("own", &own)]));
        }
        if cell.others > Outcome::Fine {
            said.push(words.say("matrix.others", &[("word", &self.word(cell.others))]));
        }
        for property in &cell.broken {
            said.push(words.say("matrix.breaks", &[("property", &property.words())]));
        }
        said.join(" ")
    }
}

#[cfg(test)]
mod tests;
