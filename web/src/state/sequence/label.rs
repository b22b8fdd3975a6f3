//! What is written at a hop: a few letters, for the whole sentence is said beside it.

use scenario::Kind;
use world::{Did, Outcome, TraceEvent, What, WorkerId};

use crate::words::{Names, Words};

/// The label of the event at a position.
#[must_use]
pub fn label(words: &Words, names: &Names, trace: &[TraceEvent], index: usize) -> String {
    let say = |key: &str| words.text(&["sequence.", key].concat());
    let count = |key: &str, n: String| words.say(&["sequence.", key].concat(), &[("n", &n)]);
    match trace[index].what {
        What::Requested { .. } => say("request"),
        What::Responded { status, .. } => status.to_string(),
        What::Reset { .. } => say("reset"),
        What::Published { .. } => say("publish"),
        What::Confirmed { .. } => say("confirmed"),
        What::ConfirmLost { .. } => say("confirm_lost"),
        What::Received { count: 1, worker, .. } | What::Fetched { count: 1, worker, .. } => {
            process(names, worker)
        }
        What::Received { count: n, worker, .. } | What::Fetched { count: n, worker, .. } => {
            let tried = count("attempt", n.to_string());
            let who = process(names, worker);
            if who.is_empty() { tried } else { [who.as_str(), ", ", &tried].concat() }
        }
        What::ReceiveLost { .. } | What::LostOnTheWay { .. } | What::Misplaced { .. } => {
            say("lost")
        }
        What::Acked { message, .. } => count("ack", message.number().to_string()),
        What::AckRefused { .. } => say("ack_refused"),
        What::AckLost { .. } => say("ack_lost"),
        What::Nacked { message, .. } => count("nack", message.number().to_string()),
        What::Extended { message, .. } => count("extend", message.number().to_string()),
        What::Committed { offset, .. } => count("committed", offset.value().to_string()),
        What::CommitRefused { .. } => say("commit_refused"),
        What::RunOver { .. } => say("run_over"),
        What::DeadLettered { .. } => say("dead_letter"),
        What::Redriven { .. } => say("redrive"),
        What::Lapsed { message, .. } | What::Requeued { message, .. } => {
            count("again", message.number().to_string())
        }
        What::Available { message, .. } => count("available", message.number().to_string()),
        What::Dropped { message, .. } | What::Expired { message, .. } => {
            count("dropped", message.number().to_string())
        }
        What::PublishRefused { .. } => say("refused"),
        _ => works(words, names, trace, index),
    }
}

fn works(words: &Words, names: &Names, trace: &[TraceEvent], index: usize) -> String {
    let say = |key: &str| words.text(&["sequence.", key].concat());
    let of = |worker: WorkerId, key: &str| {
        let who = process(names, worker);
        if who.is_empty() { say(key) } else { [who.as_str(), " ", &say(key)].concat() }
    };
    match trace[index].what {
        What::Effected { line, .. } | What::CallFailed { line, .. } => names.line(line).to_owned(),
        What::Replayed { .. } => say("replayed"),
        What::StepEnded { outcome, .. } => say(match outcome {
            Outcome::Ok => "ok",
            Outcome::Timeout => "no_answer",
            Outcome::Refused => "refused",
            _ => "error",
        }),
        What::CallRefused { .. } => say("refused"),
        What::Executed { database, table, did, rows, .. } => {
            let table = match &names.scenario().component(database).kind {
                Kind::Database(spec) => spec.tables[usize::from(table)].name.as_str(),
                _ => "",
            };
            let did = match did {
                Did::Insert => "insert",
                Did::Update => "update",
                Did::Delete => "delete",
                Did::Read => "read",
            };
            let did = [say(did).as_str(), " ", table].concat();
            if rows == 0 { [did.as_str(), " ", &say("no_rows")].concat() } else { did }
        }
        What::RowsCommitted { .. } => say("commit"),
        What::RowsRolledBack { .. } => say("rollback"),
        What::Prepared { .. } => say("prepare"),
        What::RowAwaited { .. } => say("awaited"),
        What::Relayed { rows, .. } => words.count("sequence.relayed", u64::from(rows), &[]),
        What::Crashed { worker, .. } => of(worker, "dies"),
        What::Restarted { worker } => of(worker, "back"),
        What::Paused { worker, .. } => of(worker, "still"),
        What::Slowed { worker, .. } => of(worker, "slow"),
        What::Resumed { worker } | What::Restored { worker } => of(worker, "goes_on"),
        What::OutageBegan { .. } => say("outage"),
        What::BrownoutBegan { percent, .. } => {
            words.say("sequence.brownout", &[("n", &percent.to_string())])
        }
        What::OutageEnded { .. } | What::BrownoutEnded { .. } => say("answers"),
        What::TimedOut { .. } => say("no_answer"),
        What::GaveUp { .. } => say("gives_up"),
        What::AnsweredLate { .. } => say("too_late"),
        _ => String::new(),
    }
}

/// Which process of its component it is, where there are several.
fn process(names: &Names, worker: WorkerId) -> String {
    let component = names.scenario().component(worker.component);
    let alone = match &component.kind {
        Kind::Workers(workers) => workers.count == 1,
        Kind::Service(service) => service.count == 1,
        Kind::Relay(relay) => relay.count == 1,
        _ => true,
    };
    if alone { String::new() } else { names.worker(worker) }
}
