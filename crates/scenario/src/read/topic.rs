//! Topics and exchanges.

use broker::amqp::exchange::topic;

use super::Names;
use super::time::optional;
use crate::wire::{Reader, RecordReader, Value};
use crate::{Binding, Exchange, Field, MatchRule, Topic, Unroutable, limits};

/// Where a way out may lead.
const TARGETS: [&str; 2] = ["queue", "topic"];

#[inline(never)]
pub(super) fn topic(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Topic> {
    let exchange = optional(record, "exchange", exchange);
    let exchange = exchange?.unwrap_or(Exchange::Fanout);
    let list = record.required("to");
    let bindings =
        list.as_ref().and_then(|list| list.each(limits::BINDINGS, |r| binding(r, exchange, names)));
    let otherwise = optional(record, "otherwise", |r| names.reference(r, &TARGETS));
    let unroutable = optional(record, "unroutable", |r| {
        r.choice(&[("drop", Unroutable::Drop), ("return", Unroutable::Return)])
    });
    let bindings = bindings?;
    if let Exchange::Shuffle { shards } = exchange
        && shards as usize > bindings.len()
    {
        let found = bindings.len();
        let problem = format!("a group cannot have {shards} of {found} queues");
        list?.error(problem, "name more queues, or lower \"shards\"");
        return None;
    }
    Some(Topic {
        exchange,
        bindings,
        otherwise: otherwise?,
        unroutable: unroutable?.unwrap_or(Unroutable::Drop),
    })
}

fn exchange(reader: &Reader<'_>) -> Option<Exchange> {
    if let Value::Record(_) = reader.value() {
        let (_, inner) = reader.variant(&["shuffle"])?;
        let mut record = inner.record()?;
        let most = u32::try_from(limits::BINDINGS.max).unwrap_or(u32::MAX);
        let shards = record.required("shards").and_then(|r| r.integer(1..=most));
        record.finish();
        return Some(Exchange::Shuffle { shards: shards? });
    }
    reader.choice(&[
        ("fanout", Exchange::Fanout),
        ("direct", Exchange::Direct),
        ("topic", Exchange::Topic),
        ("headers", Exchange::Headers),
    ])
}

/// A name, for a binding that takes everything, or `{ "queue": …, "key": …, "filter": … }`.
fn binding(reader: &Reader<'_>, exchange: Exchange, names: &Names<'_>) -> Option<Binding> {
    let keyed = matches!(exchange, Exchange::Direct | Exchange::Topic);
    if !matches!(reader.value(), Value::Record(_)) {
        let to = names.reference(reader, &TARGETS)?;
        if keyed || exchange == Exchange::Headers {
            reader.error(
                "this exchange has to know what it sends there",
                "write { \"queue\": …, \"key\": … }, or \"filter\" for headers",
            );
            return None;
        }
        return Some(Binding::all(to));
    }
    let mut record = reader.record()?;
    let to = record.required("queue").and_then(|r| names.reference(&r, &TARGETS));
    let key = match keyed {
        true => record.required("key").and_then(|r| key(&r, exchange)),
        false => Some(String::new()),
    };
    let rule = optional(&mut record, "match", |r| {
        r.choice(&[("all", MatchRule::All), ("any", MatchRule::Any)])
    });
    let filter = optional(&mut record, "filter", |r| {
        let mut record = r.record()?;
        let read = super::each_field(&record.raw_entries(limits::FIELDS), |name, r| {
            Some((name.to_owned(), values(r)?))
        });
        record.finish();
        read
    });
    record.finish();
    let rule = rule?.unwrap_or(MatchRule::All);
    Some(Binding { to: to?, key: key?, rule, filter: filter?.unwrap_or_default() })
}

fn key(reader: &Reader<'_>, exchange: Exchange) -> Option<String> {
    let text = match reader.value() {
        Value::Text(text) if text.is_empty() => "",
        _ => reader.text(limits::LABEL)?,
    };
    if exchange == Exchange::Topic
        && let Err(error) = topic::validate(text)
    {
        reader.error(error.to_string(), "use fewer words \"#\"");
        return None;
    }
    Some(text.to_owned())
}

/// One value, a list of them, or an empty list for a field that must only be there.
fn values(reader: &Reader<'_>) -> Option<Vec<Field>> {
    match reader.value() {
        Value::List(_) => reader.each(limits::FIELDS, value),
        _ => value(reader).map(|value| vec![value]),
    }
}

fn value(reader: &Reader<'_>) -> Option<Field> {
    match reader.value() {
        Value::Number(number) => Some(Field::Number(*number)),
        _ => Some(Field::Text(reader.text(limits::TEXT)?.to_owned())),
    }
}
