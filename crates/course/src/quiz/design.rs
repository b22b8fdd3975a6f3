//! A design, beat by beat: decisions in an order, each a change to one scenario, and faults that the
//! whole is run under.

use player::Player;
use scenario::limits;
use scenario::wire::{Diagnostic, Diagnostics, Pointer, Reader, RecordReader, Value};

use super::{Ran, Tested};
use crate::context::{Context, all, maybe, text};
use crate::evidence::Stages;
use crate::fact::{cut_short, read_with};
use crate::{Claim, FactOutcome, read_scenario};

/// So many ways to decide can be tried by the linter, and no more.
pub const WAYS: usize = 1_000;

/// A design to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// What the runs are of, by its position among the quiz's stages.
    pub stage: usize,
    /// The scenario into which the decisions are put.
    pub document: Value,
    /// The decisions, in the order in which they are to be made.
    pub beats: Vec<Beat>,
    /// What the design has to bear.
    pub faults: Vec<Fault>,
}

/// A decision of a design.
#[derive(Clone, Debug, PartialEq)]
pub struct Beat {
    /// What is decided.
    pub say: String,
    /// Why it comes where it does.
    pub why: String,
    /// What may be decided.
    pub options: Vec<Decision>,
}

/// What may be decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// What it is.
    pub say: String,
    /// Whether it is the one that bears every fault. The runs decide; `lint` compares.
    pub right: bool,
    /// Why it does, or does not.
    pub why: String,
    /// The faults that it does not bear, by their positions, when all else is decided rightly.
    pub breaks: Vec<usize>,
    /// What it changes in the scenario, by place.
    pub with: Vec<(Pointer, Value)>,
}

/// Something that happens to a design.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Its name within the question.
    pub id: String,
    /// What happens.
    pub say: String,
    /// What must be kept all the same, in words.
    pub keeps: String,
    /// How it is put into the scenario, by place.
    pub with: Vec<(Pointer, Value)>,
    /// What must be kept, as it was written: a decision may bring components of its own, and what a
    /// claim is about is then found anew.
    shows: Value,
}

impl Design {
    /// Reads what a question has besides its words.
    pub(super) fn read(record: &mut RecordReader<'_>, stages: &mut Stages<'_, '_>) -> Option<Self> {
        let stage = stages.named(record);
        let (beats, faults) = (record.required("beats"), record.required("faults"));
        let stage = stage?;
        let document = &stages.all[stage].exhibit.document;
        let mut ids = Vec::new();
        let list = faults?;
        let faults = list.each(limits::PIECES, |r| Fault::read(r, stages, stage, &mut ids));
        if faults.as_ref().is_some_and(Vec::is_empty) {
            list.error("nothing happens to this design", "write a fault that it has to bear");
            return None;
        }
        let list = beats?;
        let beats = list.each(limits::PIECES, |r| Beat::read(r, document, &ids))?;
        let ways = beats.iter().try_fold(1, |ways: usize, beat| {
            ways.checked_mul(beat.options.len()).filter(|ways| *ways <= WAYS)
        });
        if ways.is_none() {
            let problem = format!("there are more than {WAYS} ways to decide");
            list.error(problem, "write fewer beats, or fewer options");
            return None;
        }
        Some(Self { stage, document: document.clone(), beats, faults: faults? })
    }

    /// What the decisions and a fault change in the scenario, in that order. `picks` holds one option
    /// for each beat.
    ///
    /// # Panics
    /// There is no such beat, option or fault.
    #[must_use]
    pub fn changes(&self, picks: &[usize], fault: usize) -> Vec<(Pointer, Value)> {
        let decided = self.beats.iter().zip(picks).flat_map(|(beat, &at)| &beat.options[at].with);
        decided.chain(&self.faults[fault].with).cloned().collect()
    }

    /// Runs the design once under each fault.
    ///
    /// # Panics
    /// There is no such beat or option.
    #[must_use]
    pub fn run(&self, picks: &[usize]) -> Ran {
        let mut limit = None;
        let each = (0..self.faults.len()).map(|fault| {
            let (tested, cut) = self.tested(picks, fault);
            limit = limit.or(cut);
            tested
        });
        let promises = each.collect();
        Ran { promises, runs: 1, cut_short: limit }
    }

    /// How a fault comes out, and the limit at which its run was cut short.
    fn tested(&self, picks: &[usize], fault: usize) -> (Tested, Option<&'static str>) {
        self.run_under(picks, fault).unwrap_or_else(|wrong| {
            let instead = wrong.first().map(|first| (None, first.to_string()));
            (Tested { kept: 0, broken_by: None, instead }, None)
        })
    }

    /// The first fault that the design does not bear, and what it showed; `None` if it bears all.
    /// What comes after that one is not run.
    pub(super) fn first_broken(&self, picks: &[usize]) -> Option<Tested> {
        let mut each = (0..self.faults.len()).map(|fault| self.tested(picks, fault).0);
        each.find(|tested| tested.kept == 0)
    }

    /// The option of each beat that bears every fault.
    #[must_use]
    pub fn right_picks(&self) -> Vec<usize> {
        let right = |beat: &Beat| beat.options.iter().position(|option| option.right);
        self.beats.iter().map(|beat| right(beat).unwrap_or_default()).collect()
    }

    fn run_under(
        &self,
        picks: &[usize],
        fault: usize,
    ) -> Result<(Tested, Option<&'static str>), Vec<Diagnostic>> {
        let mut document = self.document.clone();
        for (place, value) in self.changes(picks, fault) {
            document.set(&place, value).map_err(|wrong| vec![wrong])?;
        }
        let scenario = read_scenario(&document)?;
        let sink = Diagnostics::new();
        let context = Context { document: &document, scenario: Some(&scenario) };
        let claims = claims(&Reader::new(&self.faults[fault].shows, &sink), &context);
        let Some(claims) = claims.filter(|_| sink.is_empty()) else {
            return Err(crate::exhibit::complaints(sink));
        };
        let seed = scenario.seed;
        let mut player = Player::new(scenario);
        player.finish();
        let differs = claims.iter().find_map(|(say, claim)| match claim.check(&player) {
            FactOutcome::Differs { claimed, found } => {
                Some((claim.wanted(claimed), [say, ": ", &found].concat()))
            }
            FactOutcome::Found | FactOutcome::NoRun(_) | FactOutcome::CutShort(_) => None,
        });
        let broken_by = differs.as_ref().map(|_| seed);
        let tested = Tested { kept: usize::from(differs.is_none()), broken_by, instead: differs };
        Ok((tested, cut_short(&player)))
    }
}

impl Beat {
    fn read(reader: &Reader<'_>, document: &Value, faults: &[String]) -> Option<Self> {
        let mut record = reader.record()?;
        let say = text(&mut record, "say", limits::SENTENCE);
        let why = text(&mut record, "why", limits::PARAGRAPH);
        let list = record.required("options");
        record.finish();
        let list = list?;
        let options = list.each(limits::PIECES, |r| Decision::read(r, document, faults))?;
        let right = options.iter().filter(|option| option.right).count();
        if right != 1 || options.len() < 2 {
            let problem = format!("{right} of {} options are right", options.len());
            list.error(problem, "write two options or more, and “right”: true at one");
            return None;
        }
        Some(Self { say: say?, why: why?, options })
    }
}

impl Decision {
    fn read(reader: &Reader<'_>, document: &Value, faults: &[String]) -> Option<Self> {
        let mut record = reader.record()?;
        let say = text(&mut record, "say", limits::SENTENCE);
        let right = maybe(record.optional("right"), Reader::flag);
        let why = text(&mut record, "why", limits::PARAGRAPH);
        let breaks = all(record.optional("breaks"), limits::PIECES, |r| {
            let name = r.name()?;
            let found = faults.iter().position(|id| id == name);
            if found.is_none() {
                let known: Vec<&str> = faults.iter().map(String::as_str).collect();
                r.unknown("a fault of this design", name, &known);
            }
            found
        });
        let with = read_with(record.optional("with"), document);
        record.finish();
        let right = right? == Some(true);
        Some(Self { say: say?, right, why: why?, breaks: breaks?, with: with? })
    }
}

impl Fault {
    fn read(
        reader: &Reader<'_>,
        stages: &Stages<'_, '_>,
        stage: usize,
        ids: &mut Vec<String>,
    ) -> Option<Self> {
        let mut record = reader.record()?;
        let id = record.required("id").and_then(|r| super::read::fresh_name(&r, ids));
        let say = text(&mut record, "say", limits::SENTENCE);
        let keeps = text(&mut record, "keeps", limits::SENTENCE);
        let with = read_with(record.optional("with"), &stages.all[stage].exhibit.document);
        let shows = record.required("shows");
        record.finish();
        let (with, shows) = (with?, shows?);
        let (document, scenario) = stages.changed(stage, &with, reader)?;
        // Complaints are wanted here; what is kept is read again for each design.
        claims(&shows, &Context { document: &document, scenario: Some(&scenario) })?;
        Some(Self { id: id?, say: say?, keeps: keeps?, with, shows: shows.value().clone() })
    }
}

/// What must be kept, each with what it is about.
fn claims(reader: &Reader<'_>, context: &Context<'_>) -> Option<Vec<(String, Claim)>> {
    reader.each(limits::PIECES, |r| {
        let mut record = r.record()?;
        let say = text(&mut record, "say", limits::LABEL);
        let claim = Claim::read(&mut record, context);
        record.finish();
        Some((say?, claim?))
    })
}
