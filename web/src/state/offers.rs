//! Offers: the exhibit's actions as they stand at the playhead, and what was done so far.

use scenario::{Action, Intervention};
use sim::SimTime;

use super::Session;
use crate::components::Sign;
use crate::words::{Names, Words, clock};

/// An action as a button.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// What the button says.
    pub label: String,
    /// What else there is to know.
    pub note: String,
    /// Its sign.
    pub sign: Sign,
    /// Why it cannot act now; empty if it can.
    pub reason: String,
}

/// An intervention that can be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Take {
    /// Its position among the run's interventions.
    pub index: usize,
    /// When it was done.
    pub at: SimTime,
    /// "Take back the crash of worker 1 at 0:18.4".
    pub label: String,
}

/// The exhibit's actions as they stand.
#[must_use]
pub fn offers(session: &Session, words: &Words) -> Vec<Offer> {
    let scenario = session.player.scenario();
    let ended = session.now >= session.end();
    let offer = |offer: &course::Offer| {
        let ready = offer.aim(scenario, &session.frame, session.followed).filter(|_| !ended);
        let sign = Sign::named(&offer.sign);
        match ready {
            Some(ready) => Offer {
                label: ready.label,
                note: ready.note.unwrap_or_default(),
                sign,
                reason: String::new(),
            },
            None => Offer {
                label: words.say("acts.idle", &[("act", &bare(&offer.label))]),
                note: String::new(),
                sign,
                reason: reason(words, ended, &offer.does),
            },
        }
    };
    session.exhibit.actions.iter().map(offer).collect()
}

/// A label without the names that nobody is there for: "Crash {worker}" becomes "Crash".
fn bare(label: &str) -> String {
    let mut out = String::new();
    let mut rest = label;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before.trim_end());
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    out + rest
}

fn reason(words: &Words, ended: bool, does: &Action) -> String {
    let key = match does {
        _ if ended => "acts.reason.ended",
        Action::Crash { .. }
        | Action::Pause { .. }
        | Action::Slow { .. }
        | Action::Skew { .. }
        | Action::LoseAck { .. } => "acts.reason.worker",
        Action::Poison { .. } => "acts.reason.message",
        _ => "acts.reason.nothing",
    };
    words.text(key)
}

/// The action at a position, aimed; `None` when there is nothing to act on.
#[must_use]
pub fn aim(session: &Session, position: usize) -> Option<Action> {
    let offer = session.exhibit.actions.get(position)?;
    let scenario = session.player.scenario();
    if session.now >= session.end() {
        return None;
    }
    Some(offer.aim(scenario, &session.frame, session.followed)?.action)
}

/// The interventions of the run, each with its way back.
#[must_use]
pub fn takes(session: &Session, words: &Words) -> Vec<Take> {
    let taken = session.player.interventions().iter().enumerate();
    taken
        .map(|(index, done)| Take {
            index,
            at: done.at,
            label: take_label(words, &session.names, done),
        })
        .collect()
}

fn take_label(words: &Words, names: &Names, done: &Intervention) -> String {
    let what = what(words, names, &done.action);
    words.say("takes.label", &[("what", &what), ("at", &clock(done.at))])
}

/// "the crash of worker 1": what was done, as a noun.
#[must_use]
pub fn what(words: &Words, names: &Names, action: &Action) -> String {
    let whom = match (action, action.component(), action.instance()) {
        (Action::Poison { message }, ..) => words.number(u64::from(message.number())),
        (_, Some(component), Some(instance)) => {
            names.worker(world::WorkerId { component, instance })
        }
        (_, Some(component), None) => names.component(component).to_owned(),
        (_, None, _) => String::new(),
    };
    words.say(&["takes.what.", key(action)].concat(), &[("whom", &whom)])
}

/// The key of an action in the catalogue.
fn key(action: &Action) -> &'static str {
    match action {
        Action::LoseAck { .. } => "lose_ack",
        Action::LoseConfirm { .. } => "lose_confirm",
        Action::LoseMessage { .. } => "lose_message",
        Action::LoseReceive { .. } => "lose_receive",
        other => other.word(),
    }
}

/// The sign of an action on the scrubber.
#[must_use]
pub fn sign(action: &Action) -> Sign {
    match action {
        Action::Crash { .. } | Action::Deploy { .. } => Sign::Bolt,
        Action::Cut { .. } => Sign::Cut,
        Action::Slow { .. }
        | Action::Skew { .. }
        | Action::Scale { .. }
        | Action::Brownout { .. }
        | Action::Spike { .. }
        | Action::AddPartitions { .. }
        | Action::Leave { .. }
        | Action::FailOver { .. }
        | Action::Patch { .. }
        | Action::Rewind { .. } => Sign::Gauge,
        Action::Pause { .. } | Action::Outage { .. } => Sign::Hold,
        Action::LoseAck { .. } | Action::LoseReceive { .. } | Action::LoseConfirm { .. } => {
            Sign::Cut
        }
        Action::Poison { .. }
        | Action::Purge { .. }
        | Action::LoseMessage { .. }
        | Action::Duplicate { .. }
        | Action::Redrive { .. } => Sign::Hazard,
    }
}
