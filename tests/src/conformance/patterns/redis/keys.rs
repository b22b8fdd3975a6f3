//! Commands on keys, and the scripts of locks.

use patterns::redis::{Expiry, Present, SetRefusal, SetRequest};
use serde_json::{Value, json};
use sim::SimDuration;

use super::server::{Answer, Server, error, ok};

pub(super) fn call(server: &mut Server, words: &[&str]) -> Option<Answer> {
    let now = server.now;
    Some(match words {
        ["SET", key, value, options @ ..] => return set(server, key, value, options),
        ["GET", key] => {
            let key = server.number(key);
            let value = server.keys.get(now, key).map(|value| server.word(value));
            Answer::Reply(json!(value))
        }
        ["DEL", keys @ ..] => {
            let deleted = keys.iter().filter(|key| {
                let key = server.number(key);
                server.keys.delete(now, key)
            });
            Answer::Reply(json!(deleted.count()))
        }
        ["EXISTS", key] => {
            let key = server.number(key);
            Answer::Reply(json!(u32::from(server.keys.get(now, key).is_some())))
        }
        ["PTTL", key] => {
            let key = server.number(key);
            Answer::Reply(match server.keys.time_to_live(now, key) {
                None => json!(-2),
                Some(None) => json!(-1),
                Some(Some(left)) => json!(left.as_micros() / 1_000),
            })
        }
        ["PEXPIRE", key, millis] => {
            let key = server.number(key);
            truth(server.keys.expire(now, key, duration(millis)?))
        }
        ["compare_and_delete", key, value] => {
            let (key, value) = (server.number(key), server.number(value));
            truth(server.keys.compare_and_delete(now, key, value))
        }
        ["compare_and_pexpire", key, value, millis] => {
            let (key, value) = (server.number(key), server.number(value));
            truth(server.keys.compare_and_expire(now, key, value, duration(millis)?))
        }
        ["fenced_write", max, data, token, value] => {
            let (max, data, value) =
                (server.number(max), server.number(data), server.number(value));
            let highest: i64 = match server.keys.get(now, max) {
                Some(highest) => server.word(highest).parse().ok()?,
                None => 0,
            };
            if token.parse::<i64>().ok()? < highest {
                return Some(truth(false));
            }
            let token = server.number(token);
            let plain = SetRequest { expiry: Expiry::Never, only: None };
            server.keys.set(now, max, token, plain).ok()?;
            server.keys.set(now, data, value, plain).ok()?;
            truth(true)
        }
        _ => return None,
    })
}

/// `SET key value [NX | XX] [GET] [PX milliseconds | EX seconds | KEEPTTL]`.
fn set(server: &mut Server, key: &str, value: &str, options: &[&str]) -> Option<Answer> {
    let mut request = SetRequest { expiry: Expiry::Never, only: None };
    let mut tells_old = false;
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match *option {
            "NX" => request.only = Some(Present::No),
            "XX" => request.only = Some(Present::Yes),
            "GET" => tells_old = true,
            "KEEPTTL" => request.expiry = Expiry::Keep,
            "PX" => request.expiry = Expiry::After(duration(options.next()?)?),
            "EX" => request.expiry = Expiry::After(duration(options.next()?)? * 1_000),
            _ => return None,
        }
    }
    let (key, value, now) = (server.number(key), server.number(value), server.now);
    let old = server.keys.get(now, key).map(|old| server.word(old));
    Some(match server.keys.set(now, key, value, request) {
        Err(SetRefusal::InvalidExpiry) => error("ERR"),
        _ if tells_old => Answer::Reply(json!(old)),
        Ok(()) => ok(),
        Err(SetRefusal::Condition) => Answer::Reply(Value::Null),
    })
}

/// Milliseconds; below zero is none at all.
fn duration(millis: &str) -> Option<SimDuration> {
    let millis: i64 = millis.parse().ok()?;
    Some(SimDuration::from_millis(millis.max(0) as u64))
}

fn truth(truth: bool) -> Answer {
    Answer::Reply(json!(u32::from(truth)))
}
