//! Share groups: a record that is released again and again, and the settings.

use broker::log::share::{
    Acknowledgement, DELIVERY_COUNT_MAX, DELIVERY_COUNT_MIN, LOCK_MAX, LOCK_MIN, Settings,
    SharePartition,
};
use broker::log::{Batch, MemberId, Offset, Partition};
use sim::{SimDuration, SimTime};

use super::{Case, Node, Problem, case, compare, record};

pub(super) fn replay(node: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let mut cases = Vec::new();
    if let Some(row) = node.get("case") {
        cases.push(case("share group, releases".to_owned(), || releases(&row)));
    }
    if let Some(defaults) = node.get("defaults") {
        for (key, expected) in defaults.members()? {
            cases.push(case(format!("share group, {key}"), || setting(key, &expected)));
        }
    }
    Ok(cases)
}

fn releases(row: &Node<'_>) -> Result<Vec<String>, Problem> {
    let limit = row.need("limit", "say how many deliveries are allowed")?.whole()?;
    let releases = row.need("releases", "say how often it is released")?.whole()?;
    let settings = Settings { delivery_count_limit: limit, ..Settings::kafka() };
    let mut log = Partition::new(broker::log::Settings::kafka());
    let now = SimTime::ZERO;
    log.append(now, &Batch { records: &[record(0)], stamp: None })
        .map_err(|error| row.problem(&error.to_string(), "report this"))?;
    let mut share = SharePartition::new(settings, Offset::ZERO);
    let member = MemberId::from_index(0);
    let mut deliveries = 0;
    let mut last = String::new();
    loop {
        let mut acquired = Vec::new();
        share.acquire(now, member, 1, &log, &mut acquired);
        if acquired.is_empty() {
            break;
        }
        deliveries += 1;
        let how =
            if deliveries <= releases { Acknowledgement::Release } else { Acknowledgement::Accept };
        let state = share.acknowledge(now, member, Offset::ZERO, how);
        last = state.map_or_else(|error| error.to_string(), |state| format!("{state:?}"));
    }
    let mut differences = Vec::new();
    let expected = row.need("deliveries", "say how often it is delivered")?.whole()?;
    compare(&mut differences, "deliveries", &expected, &deliveries);
    let expected = row.need("final", "say where it ends")?.text()?.to_lowercase();
    compare(&mut differences, "final", &expected, &last.to_lowercase());
    Ok(differences)
}

fn setting(key: &str, expected: &Node<'_>) -> Result<Vec<String>, Problem> {
    let kafka = Settings::kafka();
    let millis = |time: SimDuration| time.as_micros() as f64 / 1000.0;
    let count = f64::from;
    let actual = match key {
        "delivery_count_limit" => vec![count(kafka.delivery_count_limit)],
        "limit_range" => vec![count(DELIVERY_COUNT_MIN), count(DELIVERY_COUNT_MAX)],
        "lock_ms" => vec![millis(kafka.lock)],
        "lock_range_ms" => vec![millis(LOCK_MIN), millis(LOCK_MAX)],
        "max_record_locks" => vec![count(kafka.max_record_locks)],
        _ => return Err(expected.problem("an unknown setting", "name one of the share group")),
    };
    let expected: Vec<f64> = match expected.items() {
        Ok(items) => items.iter().map(Node::number).collect::<Result<_, _>>()?,
        Err(_) => vec![expected.number()?],
    };
    let mut differences = Vec::new();
    compare(&mut differences, key, &expected, &actual);
    Ok(differences)
}
