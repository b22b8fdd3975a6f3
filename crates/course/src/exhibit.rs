//! An exhibit: a scenario and how to meet it.

use std::sync::Arc;

use broker::MessageId;
use player::Player;
use scenario::link::RunState;
use scenario::wire::{Diagnostic, Diagnostics, Pointer, Reader, Value};
use scenario::{Scenario, limits};
use sim::SimTime;

use crate::context::{Context, all, format_of, maybe, message, name, paragraph};
use crate::story::Story;
use crate::{Chart, Control, Fact, Meter, Offer, Prediction};

/// The version of the exhibit format that this build reads.
pub const FORMAT: u32 = 1;

/// A unit on a page: a scenario, and how to meet it.
#[derive(Clone, Debug, PartialEq)]
pub struct Exhibit {
    /// What sort of unit it is.
    pub kind: ExhibitKind,
    /// Its title.
    pub title: String,
    /// What a learner takes away, in a sentence.
    pub lesson: String,
    /// The module of the course that it belongs to: `m1` to `m8`.
    pub module: String,
    /// Its number in the course: `2.2`.
    pub number: String,
    /// The entries of the inventory that it fulfils.
    pub inventory: Vec<String>,
    /// Whose rules the run follows, for the line under the title.
    pub rules: String,
    /// The scene in words, for those who do not see it.
    pub summary: String,
    /// The scenario as a document: controls and links change values in it.
    pub document: Value,
    /// The scenario read from it.
    pub scenario: Arc<Scenario>,
    /// The message that is followed at first.
    pub follow: Option<MessageId>,
    /// The moment of the run that a still picture shows.
    pub poster: Option<SimTime>,
    /// How many seconds of the run pass in a second on the screen, at first.
    pub pace: f64,
    /// The views, in order.
    pub views: Vec<View>,
    /// What may be done to the run.
    pub actions: Vec<Offer>,
    /// What may be changed in the scenario.
    pub controls: Vec<Control>,
    /// The handler whose lines, or the saga whose steps, may be put into another order.
    pub reorder: Option<Pointer>,
    /// The gauges, in order.
    pub gauges: Vec<Meter>,
    /// The charts, in order.
    pub charts: Vec<Chart>,
    /// What a learner may be asked before the run is played.
    pub predict: Option<Box<Prediction>>,
    /// The story.
    pub story: Story,
    /// How it works and what is left out, a sentence or two each.
    pub model: Vec<String>,
    /// Things to try.
    pub tries: Vec<Try>,
    /// What to say about it in a design review.
    pub review: Option<String>,
    /// What a test must find in the run.
    pub facts: Vec<Fact>,
}

/// The sorts of unit on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExhibitKind {
    /// A run to play with.
    Simulator,
}

/// The views of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// Components and what travels between them.
    Topology,
    /// The spans of the run over time, trace by trace, and what points at what.
    Traces,
    /// Every trace event as a sentence.
    Transcript,
    /// A bar a message, lined up in time.
    Timeline,
    /// A lane a component, and what travels between them by time.
    Sequence,
    /// A crash at each border of each handler, and what it costs.
    Matrix,
}

impl View {
    fn read(reader: &Reader<'_>) -> Option<Self> {
        reader.choice(&[
            ("topology", Self::Topology),
            ("traces", Self::Traces),
            ("transcript", Self::Transcript),
            ("timeline", Self::Timeline),
            ("sequence", Self::Sequence),
            ("matrix", Self::Matrix),
        ])
    }
}

/// Something to try, and what it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Try {
    /// What to do.
    pub act: String,
    /// What is then to be seen.
    pub see: String,
}

impl Exhibit {
    /// Reads an exhibit.
    ///
    /// # Errors
    /// Everything that is wrong with the document, each with its JSON pointer and repair.
    pub fn read(document: &Value) -> Result<Self, Vec<Diagnostic>> {
        let sink = Diagnostics::new();
        let exhibit = read(&Reader::new(document, &sink));
        match exhibit {
            Some(exhibit) if sink.is_empty() => Ok(exhibit),
            _ => Err(complaints(sink)),
        }
    }

    /// The scenario's document and the scenario as a link says.
    ///
    /// # Errors
    /// Diagnostics at the key `run` for changes that the document has no place for, and at places
    /// in the scenario for values that make no sense there.
    pub fn restored(&self, state: &RunState) -> Result<(Value, Scenario), Vec<Diagnostic>> {
        let document = state.apply(&self.document)?;
        let scenario = read_scenario(&document)?;
        Ok((document, scenario))
    }

    /// A run, computed to its end, of the scenario with these values in it.
    pub(crate) fn run_with(&self, changes: &[(Pointer, Value)]) -> Result<Player, Vec<Diagnostic>> {
        let state = RunState { changes: changes.to_vec(), ..RunState::default() };
        let (_, scenario) = self.restored(&state)?;
        let mut player = Player::new(scenario);
        player.finish();
        Ok(player)
    }
}

/// Reads a scenario that stands alone.
///
/// # Errors
/// Everything that is wrong with the document, each with its JSON pointer and repair.
pub fn read_scenario(document: &Value) -> Result<Scenario, Vec<Diagnostic>> {
    let sink = Diagnostics::new();
    match Scenario::read(&Reader::new(document, &sink)) {
        Some(scenario) if sink.is_empty() => Ok(scenario),
        _ => Err(complaints(sink)),
    }
}

/// What was complained about; never nothing, since something was refused.
pub(crate) fn complaints(sink: Diagnostics) -> Vec<Diagnostic> {
    let mut all = sink.into_vec();
    if all.is_empty() {
        all.push(Diagnostic::new(
            "",
            "the document is refused, and the reader does not say why",
            "report this as a fault of the reader, with the document",
        ));
    }
    all
}

fn read(reader: &Reader<'_>) -> Option<Exhibit> {
    let mut record = reader.record()?;
    let format = format_of(&mut record);
    let kind =
        record.required("kind").and_then(|r| r.choice(&[("simulator", ExhibitKind::Simulator)]));
    let mut text =
        |name: &str, limit| record.required(name).and_then(|r| r.text(limit)).map(str::to_owned);
    let title = text("title", limits::LABEL);
    let lesson = text("lesson", limits::SENTENCE);
    let module = text("module", limits::NAME);
    let number = text("number", limits::NAME);
    let rules = text("rules", limits::LABEL);
    let summary = text("summary", limits::PARAGRAPH);
    let inventory = all(record.optional("inventory"), limits::PIECES, name);
    let model = all(record.optional("model"), limits::PIECES, paragraph);
    let tries = all(record.optional("try"), limits::PIECES, read_try);
    let review = maybe(record.optional("review"), paragraph);
    let follow = maybe(record.optional("follow"), message);
    let poster = maybe(record.optional("poster"), Reader::time);
    let pace = maybe(record.optional("pace"), |r| r.number(0.1..=1_000.0));
    let views = all(record.optional("views"), limits::PIECES, View::read);

    let scenario_reader = record.required("scenario");
    let scenario = scenario_reader.as_ref().and_then(Scenario::read);
    let document = scenario_reader.map_or(&Value::Null, |r| r.value());
    let context = Context { document, scenario: scenario.as_ref() };
    let mut ids = Vec::new();
    let actions = all(record.optional("actions"), limits::PIECES, |r| {
        let offer = Offer::read(r, &context, &ids);
        ids.extend(r.value().get("id").and_then(Value::as_text).map(str::to_owned));
        offer
    });
    let controls = all(record.optional("controls"), limits::PIECES, |r| Control::read(r, &context));
    let reorder = maybe(record.optional("reorder"), |r| read_reorder(r, &context));
    let gauges = all(record.optional("gauges"), limits::PIECES, |r| Meter::read(r, &context));
    let charts = all(record.optional("charts"), limits::PIECES, |r| Chart::read(r, &context));
    let predict =
        maybe(record.optional("predict"), |r| Prediction::read(r, &context).map(Box::new));
    let story = Story::read(record.optional("story"), &context);
    let facts = read_facts(record.optional("facts"), &context);
    record.finish();
    format?;
    Some(Exhibit {
        kind: kind?,
        title: title?,
        lesson: lesson?,
        module: module?,
        number: number?,
        inventory: inventory?,
        rules: rules?,
        summary: summary?,
        document: document.clone(),
        follow: follow?,
        poster: poster?,
        pace: pace?.unwrap_or(1.0),
        views: views?,
        actions: actions?,
        controls: controls?,
        reorder: reorder?,
        gauges: gauges?,
        charts: charts?,
        predict: predict?,
        story: story?,
        model: model?,
        tries: tries?,
        review: review?,
        facts: facts?,
        scenario: Arc::new(scenario?),
    })
}

/// Facts are held by the linter and by tests, which run natively. A page shows none of them, and
/// their reader would weigh on it.
fn read_facts<'a>(field: Option<Reader<'a>>, context: &Context<'a>) -> Option<Vec<Fact>> {
    if cfg!(target_arch = "wasm32") {
        return Some(Vec::new());
    }
    all(field, limits::PIECES, |r| Fact::read(r, context))
}

fn read_try(reader: &Reader<'_>) -> Option<Try> {
    let mut record = reader.record()?;
    let act = record.required("do").and_then(|r| r.text(limits::SENTENCE));
    let see = record.required("see").and_then(|r| r.text(limits::SENTENCE));
    record.finish();
    Some(Try { act: act?.to_owned(), see: see?.to_owned() })
}

/// Reads the place of a handler, or of the steps of a saga.
fn read_reorder(reader: &Reader<'_>, context: &Context<'_>) -> Option<Pointer> {
    let place = context.place(reader)?;
    let lines = context.document.at(&place).and_then(Value::as_list).map_or(0, <[_]>::len);
    if lines < 2 {
        reader.error(
            "this is not a handler with lines to reorder",
            "point at the list of a handler's steps, like “/components/mailers/on_message”",
        );
        return None;
    }
    Some(place)
}
