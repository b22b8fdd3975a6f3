//! Databases, and what works on them, in a frame.

use scenario::wire::Value;

use super::number;
use super::parts::{doing, long, moment};
use crate::{
    CourierFrame, DatabaseFrame, Errand, OrchestratorFrame, RelayFrame, SagaFrame, TableFrame,
};
use world::{SagaEnd, Standing};

pub(super) fn database(database: &DatabaseFrame) -> Value {
    Value::record([
        ("tables", Value::list(database.tables.iter().map(table))),
        ("open", Value::whole(database.open)),
        ("waiting", Value::whole(database.waiting)),
        ("prepared", Value::whole(database.prepared)),
        ("commits", Value::whole(database.commits)),
        ("rollbacks", Value::whole(database.rollbacks)),
        ("retained_bytes", long(database.retained_bytes)),
        ("full_since", moment(database.full_since)),
    ])
}

fn table(table: &TableFrame) -> Value {
    let texts = |texts: &[String]| Value::list(texts.iter().map(Value::text));
    let unsent = table.unsent.map(|unsent| {
        Value::record([("count", Value::whole(unsent.count)), ("since", moment(unsent.since))])
    });
    Value::record([
        ("name", Value::text(&table.name)),
        ("columns", texts(&table.columns)),
        ("rows", Value::whole(table.rows)),
        ("newest", Value::list(table.newest.iter().map(|row| texts(&row.values)))),
        ("unsent", Value::or_null(unsent)),
    ])
}

pub(super) fn relay(relay: &RelayFrame) -> Value {
    Value::record([
        ("published", Value::whole(relay.published)),
        ("behind", Value::whole(relay.behind)),
        ("behind_since", moment(relay.behind_since)),
        ("instances", Value::list(relay.couriers.iter().map(courier))),
    ])
}

fn courier(courier: &CourierFrame) -> Value {
    let (word, message) = match courier.doing {
        Errand::Resting => ("resting", None),
        Errand::Asking => ("asking", None),
        Errand::Waiting => ("waiting", None),
        Errand::Publishing(message) => ("publishing", Some(number(message))),
        Errand::Marking => ("marking", None),
    };
    Value::record([
        ("state", Value::text(doing(courier.state))),
        ("doing", Value::text(word)),
        ("message", Value::or_null(message)),
        ("holds", Value::whole(courier.holds)),
        ("until", moment(courier.until)),
    ])
}

pub(super) fn orchestrator(orchestrator: &OrchestratorFrame) -> Value {
    Value::record([
        ("state", Value::text(doing(orchestrator.state))),
        ("running", Value::whole(orchestrator.running)),
        ("completed", Value::whole(orchestrator.completed)),
        ("compensated", Value::whole(orchestrator.compensated)),
        ("stuck", Value::whole(orchestrator.stuck)),
        ("sagas", Value::list(orchestrator.sagas.iter().map(saga))),
    ])
}

fn saga(saga: &SagaFrame) -> Value {
    let state = match (saga.end, saga.compensating) {
        (Some(SagaEnd::Completed), _) => "completed",
        (Some(SagaEnd::Compensated), _) => "compensated",
        (Some(SagaEnd::Stuck), _) => "stuck",
        (None, true) => "compensating",
        (None, false) => "running",
    };
    let standing = saga.standing.iter().map(|standing| match standing {
        Standing::Not => "not done",
        Standing::Done => "done",
        Standing::Undone => "undone",
    });
    Value::record([
        ("message", number(saga.message)),
        ("state", Value::text(state)),
        ("step", Value::or_null(saga.step.map(Value::count))),
        ("standing", Value::list(standing.map(Value::text))),
    ])
}
