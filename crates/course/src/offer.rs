//! Actions that an exhibit offers as buttons: interventions at the playhead, aimed at whatever the
//! frame shows to be worth breaking.

use broker::MessageId;
use player::{ComponentFrame, Frame, MessageState, SourceFrame, WorkerState};
use scenario::read::{Names, read_action};
use scenario::wire::{Diagnostics, Reader, Value};
use scenario::{Action, ComponentId, Scenario, limits};
use world::WorkerId;

use crate::context::{Context, maybe};
use crate::narrate::{self, worker_label};
use crate::story::new_id;

/// An action on offer.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// Its name, unique in the exhibit.
    pub id: String,
    /// What the button says; may name `{worker}` and `{message}`.
    pub label: String,
    /// What else there is to know, in small print; may name them, too.
    pub note: Option<String>,
    /// The name of the icon.
    pub sign: String,
    /// What is done. The worker process or message in it is replaced by the target.
    pub does: Action,
    /// What it is done to.
    pub target: Target,
}

/// What an action is done to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// What the action itself names.
    Named,
    /// A worker process that has a message in hand: the one that holds the followed message, or
    /// else the first.
    BusyWorker,
    /// A worker process that is up: a busy one if there is one.
    LiveWorker,
    /// The message that is followed, while it is not settled.
    FollowedMessage,
    /// The message that will be sent next.
    NextMessage,
}

/// An action that can be done now.
#[derive(Clone, Debug, PartialEq)]
pub struct Ready {
    /// What is done.
    pub action: Action,
    /// What the button says, with the names in it.
    pub label: String,
    /// The small print, with the names in it.
    pub note: Option<String>,
}

impl Offer {
    /// Aims the action at what a frame shows; `None` when there is nothing to act on.
    #[must_use]
    pub fn aim(
        &self,
        scenario: &Scenario,
        frame: &Frame,
        followed: Option<MessageId>,
    ) -> Option<Ready> {
        let group = self.does.component();
        let (worker, message) = match self.target {
            Target::Named => (named_worker(&self.does), named_message(&self.does)),
            Target::BusyWorker => (Some(busy_worker(frame, group?, followed)?), None),
            Target::LiveWorker => {
                let busy = busy_worker(frame, group?, followed);
                (Some(busy.or_else(|| live_worker(frame, group?))?), None)
            }
            Target::FollowedMessage => (None, Some(unsettled(frame, followed?)?)),
            Target::NextMessage => (None, Some(next_message(frame)?)),
        };
        let action = aimed(&self.does, worker, message);
        let named = |text: &str| {
            narrate::fill(text, |word| match word {
                "worker" => worker.map(|worker| worker_label(worker, scenario)),
                "message" => message.map(|message| message.number().to_string()),
                _ => None,
            })
        };
        Some(Ready { action, label: named(&self.label), note: self.note.as_deref().map(named) })
    }

    pub(crate) fn read(
        reader: &Reader<'_>,
        context: &Context<'_>,
        taken: &[String],
    ) -> Option<Self> {
        let mut record = reader.record()?;
        let id = record.required("id").and_then(|r| new_id(&r, taken));
        let label = record.required("label").and_then(|r| read_named(&r, limits::LABEL));
        let note = maybe(record.optional("note"), |r| read_named(r, limits::SENTENCE));
        let sign = record.required("sign").and_then(|r| r.name());
        let target = maybe(record.optional("target"), |r| {
            r.choice(&[
                ("busy-worker", Target::BusyWorker),
                ("live-worker", Target::LiveWorker),
                ("followed-message", Target::FollowedMessage),
                ("next-message", Target::NextMessage),
            ])
        });
        let target = target.map(|target| target.unwrap_or(Target::Named));
        let does = record.required("does");
        record.finish();
        let does = does.and_then(|r| read_does(&r, context, target?));
        Some(Self {
            id: id?,
            label: label?,
            note: note?,
            sign: sign?.to_owned(),
            does: does?,
            target: target?,
        })
    }
}

/// Reads a text of a button: its braces hold `worker` or `message`.
fn read_named(reader: &Reader<'_>, limit: limits::Limit) -> Option<String> {
    let text = reader.text(limit)?;
    let known = ["worker", "message"];
    for word in narrate::words(text) {
        if !known.contains(&word) {
            reader.unknown("a word that can stand in braces here", word, &known);
            return None;
        }
    }
    Some(text.to_owned())
}

/// Reads the action and checks that its target is of the sort that it acts on.
fn read_does(reader: &Reader<'_>, context: &Context<'_>, target: Target) -> Option<Action> {
    let names = Names::of(context.document);
    let on_message = matches!(target, Target::FollowedMessage | Target::NextMessage);
    let action = match reader.value() {
        // The target says which message, so the author need not; any stands in for it.
        poison if on_message && poison.get("poison").is_some() => {
            let inner = poison.get("poison").and_then(Value::as_record).unwrap_or_default();
            let mut whole = inner.to_vec();
            if !whole.iter().any(|(key, _)| key == "message") {
                whole.push(("message".to_owned(), Value::Number(1.0)));
            }
            let whole = Value::record([("poison", Value::Record(whole))]);
            let sink = Diagnostics::new();
            let action = read_action(&Reader::new(&whole, &sink), &names);
            for wrong in sink.into_vec() {
                reader.error(wrong.problem, wrong.repair);
            }
            action?
        }
        _ => read_action(reader, &names)?,
    };
    let on_worker = matches!(target, Target::BusyWorker | Target::LiveWorker);
    let takes_worker = matches!(
        action,
        Action::Crash { .. }
            | Action::Pause { .. }
            | Action::Slow { .. }
            | Action::Skew { .. }
            | Action::Leave { .. }
            | Action::LoseAck { .. }
    );
    if on_worker && !takes_worker || on_message && !matches!(action, Action::Poison { .. }) {
        reader.error(
            format!("“{}” is not done to such a target", action.word()),
            "choose a target of the kind that the action is done to, or none",
        );
        return None;
    }
    Some(action)
}

fn aimed(does: &Action, worker: Option<WorkerId>, new: Option<MessageId>) -> Action {
    let mut action = does.clone();
    match &mut action {
        Action::Crash { component, instance, .. }
        | Action::Pause { component, instance, .. }
        | Action::Slow { component, instance, .. }
        | Action::Skew { component, instance, .. }
        | Action::Leave { component, instance, .. }
        | Action::LoseAck { component, instance } => {
            if let Some(worker) = worker {
                (*component, *instance) = (worker.component, Some(worker.instance));
            }
        }
        Action::Poison { message } => *message = new.unwrap_or(*message),
        _ => {}
    }
    action
}

fn named_worker(does: &Action) -> Option<WorkerId> {
    Some(WorkerId { component: does.component()?, instance: does.instance()? })
}

fn named_message(does: &Action) -> Option<MessageId> {
    match does {
        Action::Poison { message } => Some(*message),
        _ => None,
    }
}

fn busy_worker(frame: &Frame, group: ComponentId, followed: Option<MessageId>) -> Option<WorkerId> {
    let ComponentFrame::Workers(workers) = frame.components.get(group.index())? else {
        return None;
    };
    let busy = |at: &usize| {
        let worker = &workers.instances[*at];
        worker.state == WorkerState::Working && worker.holding.is_some()
    };
    let holds_followed = |at: &usize| {
        let holding = workers.instances[*at].holding.as_ref();
        followed.is_some() && holding.map(|holding| holding.message) == followed
    };
    let all = || (0..workers.instances.len()).filter(busy);
    let at = all().find(holds_followed).or_else(|| all().next())?;
    Some(WorkerId { component: group, instance: u16::try_from(at).ok()? })
}

fn live_worker(frame: &Frame, group: ComponentId) -> Option<WorkerId> {
    let ComponentFrame::Workers(workers) = frame.components.get(group.index())? else {
        return None;
    };
    let live = |state| !matches!(state, WorkerState::Down { .. });
    let at = workers.instances.iter().position(|worker| live(worker.state))?;
    Some(WorkerId { component: group, instance: u16::try_from(at).ok()? })
}

/// A message that something can still become of: it is in a queue or in somebody's hands, or it
/// has not been sent yet.
fn unsettled(frame: &Frame, message: MessageId) -> Option<MessageId> {
    let open = match frame.message(message) {
        Some(shown) => !matches!(
            shown.state,
            MessageState::Acked | MessageState::DeadLettered | MessageState::Expired
        ),
        None => message.index() >= sent(frame) && sends_more(frame),
    };
    open.then_some(message)
}

/// The message that a source will send next, if one will.
fn next_message(frame: &Frame) -> Option<MessageId> {
    let next = u32::try_from(sent(frame)).ok()?;
    sends_more(frame).then(|| MessageId::from_index(next))
}

/// How many messages exist: numbers are given in the order of sending.
fn sent(frame: &Frame) -> usize {
    sources(frame).map(|source| source.sent as usize).sum()
}

fn sends_more(frame: &Frame) -> bool {
    sources(frame).any(|source| source.next.is_some())
}

fn sources(frame: &Frame) -> impl Iterator<Item = &SourceFrame> {
    frame.components.iter().filter_map(|component| match component {
        ComponentFrame::Source(source) => Some(source),
        _ => None,
    })
}
