//! Commands on streams and their groups.

use patterns::redis::streams::{Claimed, Counting};
use patterns::redis::{EntryId, Pending, Stream};
use serde_json::{Value, json};
use sim::SimDuration;

use super::server::{Answer, Server, error, ok};

/// A consumer that waits for entries.
pub(super) struct Reader {
    pub client: String,
    stream: u32,
    group: u32,
    consumer: u32,
    count: usize,
}

pub(super) fn call(server: &mut Server, client: &str, words: &[&str]) -> Option<Answer> {
    Some(match words {
        ["XADD", key, id, fields @ ..] => {
            let (key, id) = (server.number(key), read_id(id)?);
            let content = server.contents.len() as u32;
            server.contents.push(fields.iter().map(|field| (*field).to_owned()).collect());
            if !server.streams.entry(key).or_default().add(id, content) {
                return Some(error("ERR"));
            }
            hand_out(server);
            Answer::Reply(json!(show_id(id)))
        }
        ["XLEN", key] => {
            let key = server.number(key);
            Answer::Reply(json!(server.streams.get(&key).map_or(0, Stream::len)))
        }
        ["XDEL", key, ids @ ..] => {
            let key = server.number(key);
            let stream = server.streams.entry(key).or_default();
            let mut deleted = 0;
            for id in ids {
                deleted += u32::from(stream.delete(read_id(id)?));
            }
            Answer::Reply(json!(deleted))
        }
        ["XTRIM", key, "MAXLEN", length] => {
            let key = server.number(key);
            let length = length.parse().ok()?;
            Answer::Reply(json!(server.streams.entry(key).or_default().trim(length)))
        }
        ["XGROUP", verb, key, name, rest @ ..] => return group(server, verb, key, name, rest),
        ["XREADGROUP", "GROUP", name, consumer, rest @ ..] => {
            return read(server, client, name, consumer, rest);
        }
        ["XACK", key, name, ids @ ..] => {
            let place = (server.number(key), server.number(name));
            let Some(group) = server.groups.get_mut(&place) else {
                return Some(Answer::Reply(json!(0)));
            };
            let mut acked = 0;
            for id in ids {
                acked += u32::from(group.ack(read_id(id)?));
            }
            Answer::Reply(json!(acked))
        }
        ["XPENDING", key, name, rest @ ..] => return pending(server, key, name, rest),
        ["XAUTOCLAIM", key, name, consumer, idle, start, rest @ ..] => {
            return claim(server, (key, name), consumer, (idle, start), rest);
        }
        ["XINFO", "GROUPS", key] => info(server, key),
        _ => return None,
    })
}

fn group(server: &mut Server, verb: &str, key: &str, name: &str, rest: &[&str]) -> Option<Answer> {
    let place = (server.number(key), server.number(name));
    let stream = server.streams.entry(place.0).or_default();
    let after = |id: &str| if id == "$" { Some(stream.last_id()) } else { read_id(id) };
    Some(match (verb, rest) {
        ("CREATE", [_, ..]) if server.groups.contains_key(&place) => error("BUSYGROUP"),
        ("CREATE", [id] | [id, "MKSTREAM"]) => {
            let group = stream.group(after(id)?);
            server.groups.insert(place, group);
            ok()
        }
        ("SETID", [id]) => {
            let after = after(id)?;
            server.groups.get_mut(&place)?.set_id(after);
            ok()
        }
        ("DELCONSUMER", [consumer]) => {
            let consumer = server.number(consumer);
            let pending = server.groups.get_mut(&place)?.delete_consumer(consumer);
            Answer::Reply(json!(pending))
        }
        _ => return None,
    })
}

/// `[COUNT n] [BLOCK ms] STREAMS key id`.
fn read(
    server: &mut Server,
    client: &str,
    name: &str,
    consumer: &str,
    mut rest: &[&str],
) -> Option<Answer> {
    let (mut count, mut block) = (usize::MAX, None);
    let (key, id) = loop {
        match rest {
            ["COUNT", number, more @ ..] => {
                count = number.parse().ok()?;
                rest = more;
            }
            ["BLOCK", millis, more @ ..] => {
                block = Some(millis.parse::<u64>().ok()?);
                rest = more;
            }
            ["STREAMS", key, id] => break (*key, *id),
            _ => return None,
        }
    };
    let (stream, group) = (server.number(key), server.number(name));
    let consumer = server.number(consumer);
    if !server.groups.contains_key(&(stream, group)) {
        return Some(error("NOGROUP"));
    }
    if id != ">" {
        let after = read_id(id)?;
        let now = server.now;
        let entries = server.groups.get_mut(&(stream, group))?.read_own(
            now,
            server.streams.get(&stream)?,
            consumer,
            after,
        );
        let shown: Vec<Value> =
            entries.into_iter().map(|(id, content)| show_entry(server, id, content)).collect();
        return Some(Answer::Reply(json!([[key, shown]])));
    }
    let reader = Reader { client: client.to_owned(), stream, group, consumer, count };
    match read_new(server, &reader) {
        Some(reply) => Some(Answer::Reply(reply)),
        None => Some(match block {
            Some(millis) => {
                server.readers.push(reader);
                server.wait(client, millis)
            }
            None => Answer::Reply(Value::Null),
        }),
    }
}

fn read_new(server: &mut Server, reader: &Reader) -> Option<Value> {
    let now = server.now;
    let group = server.groups.get_mut(&(reader.stream, reader.group))?;
    let stream = server.streams.get(&reader.stream)?;
    let entries = group.read_new(now, stream, reader.consumer, reader.count);
    if entries.is_empty() {
        return None;
    }
    let shown: Vec<Value> =
        entries.into_iter().map(|(id, content)| show_entry(server, id, Some(content))).collect();
    Some(json!([[server.word(reader.stream), shown]]))
}

/// Hands new entries to those who wait for them.
fn hand_out(server: &mut Server) {
    for reader in std::mem::take(&mut server.readers) {
        match read_new(server, &reader) {
            Some(reply) => server.keep(&reader.client, reply),
            None => server.readers.push(reader),
        }
    }
}

/// Without more, a summary; with `[IDLE ms] - + count [consumer]`, a line an entry.
fn pending(server: &mut Server, key: &str, name: &str, rest: &[&str]) -> Option<Answer> {
    let place = (server.number(key), server.number(name));
    let wanted = |server: &mut Server, rest: &[&str]| match rest {
        [consumer] => Some(server.number(consumer)),
        _ => None,
    };
    let (idle, count, consumer) = match rest {
        [] => return Some(summary(server, place)),
        ["IDLE", millis, "-", "+", count, rest @ ..] => {
            (millis.parse().ok()?, count.parse().ok()?, wanted(server, rest))
        }
        ["-", "+", count, rest @ ..] => (0, count.parse().ok()?, wanted(server, rest)),
        _ => return None,
    };
    let idle = SimDuration::from_millis(idle);
    let now = server.now;
    let group = server.groups.get(&place)?;
    let fits = |pending: &Pending| {
        now.saturating_since(pending.since) >= idle
            && consumer.is_none_or(|consumer| consumer == pending.consumer)
    };
    let lines = group.pending().filter(|(_, pending)| fits(pending)).take(count);
    let shown: Vec<Value> = lines
        .map(|(id, pending)| {
            let idle = now.saturating_since(pending.since).as_micros() / 1_000;
            json!({
                "id": show_id(id),
                "consumer": server.word(pending.consumer),
                "idle_nearest_100": (idle + 50) / 100 * 100,
                "times_delivered": pending.delivered,
            })
        })
        .collect();
    Some(Answer::Reply(json!(shown)))
}

fn summary(server: &Server, place: (u32, u32)) -> Answer {
    let Some(group) = server.groups.get(&place) else { return error("NOGROUP") };
    let all: Vec<_> = group.pending().collect();
    let (Some((first, _)), Some((last, _))) = (all.first(), all.last()) else {
        return Answer::Reply(json!([0, null, null, null]));
    };
    let mut consumers: Vec<(String, u32)> = Vec::new();
    for (_, pending) in &all {
        let name = server.word(pending.consumer);
        match consumers.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => consumers.push((name, 1)),
        }
    }
    consumers.sort();
    let consumers: Vec<Value> =
        consumers.into_iter().map(|(name, count)| json!([name, count.to_string()])).collect();
    Answer::Reply(json!([all.len(), show_id(*first), show_id(*last), consumers]))
}

fn claim(
    server: &mut Server,
    (key, name): (&str, &str),
    consumer: &str,
    (idle, start): (&str, &str),
    mut rest: &[&str],
) -> Option<Answer> {
    let (mut count, mut counting) = (100, Counting::Delivery);
    loop {
        match rest {
            [] => break,
            ["COUNT", number, more @ ..] => {
                count = number.parse().ok()?;
                rest = more;
            }
            ["JUSTID", more @ ..] => {
                counting = Counting::OwnerOnly;
                rest = more;
            }
            _ => return None,
        }
    }
    let place = (server.number(key), server.number(name));
    let consumer = server.number(consumer);
    let idle = SimDuration::from_millis(idle.parse().ok()?);
    let range = (read_id(start)?, count);
    let now = server.now;
    let stream = server.streams.get(&place.0)?;
    let group = server.groups.get_mut(&place)?;
    let Claimed { cursor, entries, deleted } =
        group.claim(now, stream, consumer, idle, range, counting);
    let shown: Vec<Value> = entries
        .into_iter()
        .map(|(id, content)| match counting {
            Counting::Delivery => show_entry(server, id, Some(content)),
            Counting::OwnerOnly => json!(show_id(id)),
        })
        .collect();
    let deleted: Vec<String> = deleted.into_iter().map(show_id).collect();
    Some(Answer::Reply(json!([show_id(cursor), shown, deleted])))
}

fn info(server: &mut Server, key: &str) -> Answer {
    let key = server.number(key);
    let stream = server.streams.entry(key).or_default();
    let of_stream = server.groups.iter().filter(|((stream, _), _)| *stream == key);
    let mut groups: Vec<(u32, Value)> = Vec::new();
    for ((_, name), group) in of_stream {
        groups.push((
            *name,
            json!({
                "consumers": group.consumers(),
                "pending": group.pending().count(),
                "last-delivered-id": show_id(group.last_delivered()),
                "entries-read": group.entries_read(),
                "lag": group.lag(stream),
            }),
        ));
    }
    let mut shown: Vec<Value> = Vec::new();
    for (name, mut line) in groups {
        line["name"] = json!(server.word(name));
        shown.push(line);
    }
    shown.sort_by(|a, b| a["name"].as_str().cmp(&b["name"].as_str()));
    Answer::Reply(json!(shown))
}

/// `5-1`, or `5` for `5-0`.
fn read_id(text: &str) -> Option<EntryId> {
    let (millis, counter) = text.split_once('-').unwrap_or((text, "0"));
    Some(EntryId { millis: millis.parse().ok()?, counter: counter.parse().ok()? })
}

fn show_id(id: EntryId) -> String {
    format!("{}-{}", id.millis, id.counter)
}

fn show_entry(server: &Server, id: EntryId, content: Option<u32>) -> Value {
    let fields = content.map(|content| &server.contents[content as usize]);
    json!([show_id(id), fields])
}
