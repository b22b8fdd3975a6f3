//! Commands on lists.

use patterns::redis::{End, Wait};
use serde_json::json;

use super::server::{Answer, Server};

pub(super) fn call(server: &mut Server, client: &str, words: &[&str]) -> Option<Answer> {
    Some(match words {
        ["LPUSH" | "RPUSH", key, items @ ..] => {
            let key = server.number(key);
            let items: Vec<u32> = items.iter().map(|item| server.number(item)).collect();
            let mut served = Vec::new();
            let length = server.lists.push(key, end_of(words[0])?, &items, &mut served);
            server.hand_out(&served);
            Answer::Reply(json!(length))
        }
        ["LPOP" | "RPOP", key] => {
            let key = server.number(key);
            let item = server.lists.pop(key, end_of(words[0])?);
            Answer::Reply(json!(item.map(|item| server.word(item))))
        }
        ["LLEN", key] => {
            let key = server.number(key);
            Answer::Reply(json!(server.lists.items(key).count()))
        }
        ["LRANGE", key, "0", "-1"] => {
            let key = server.number(key);
            let items: Vec<_> = server.lists.items(key).map(|item| server.word(item)).collect();
            Answer::Reply(json!(items))
        }
        ["LMOVE", from_key, to_key, from, to] => {
            let (from_key, to_key) = (server.number(from_key), server.number(to_key));
            let mut served = Vec::new();
            let (from, to) = (end(from)?, end(to)?);
            let item = server.lists.move_item(from_key, from, to_key, to, &mut served);
            server.hand_out(&served);
            Answer::Reply(json!(item.map(|item| server.word(item))))
        }
        ["BLPOP" | "BRPOP", keys @ .., timeout] => {
            let keys = keys.iter().map(|key| server.number(key)).collect();
            let wait = Wait::Pop { keys, from: end_of(words[0].strip_prefix('B')?)? };
            block(server, client, wait, timeout)?
        }
        ["BLMOVE", from_key, to_key, from, to, timeout] => {
            let (key, to_key) = (server.number(from_key), server.number(to_key));
            let wait = Wait::Move { key, from: end(from)?, to_key, to: end(to)? };
            block(server, client, wait, timeout)?
        }
        _ => return None,
    })
}

/// The timeout is in seconds, 0 for ever.
fn block(server: &mut Server, client: &str, wait: Wait, timeout: &str) -> Option<Answer> {
    let moves = matches!(wait, Wait::Move { .. });
    let number = server.number(client);
    let mut served = Vec::new();
    let taken = server.lists.pop_or_wait(number, wait, &mut served);
    server.hand_out(&served);
    Some(match taken {
        Some((_, item)) if moves => Answer::Reply(json!(server.word(item))),
        Some((key, item)) => Answer::Reply(json!([server.word(key), server.word(item)])),
        None => {
            if moves {
                server.movers.insert(client.to_owned());
            }
            let seconds: f64 = timeout.parse().ok()?;
            server.wait(client, (seconds * 1e3) as u64)
        }
    })
}

fn end(word: &str) -> Option<End> {
    match word {
        "LEFT" => Some(End::Left),
        "RIGHT" => Some(End::Right),
        _ => None,
    }
}

/// The end that a command works on: that of its first letter.
fn end_of(command: &str) -> Option<End> {
    match command.as_bytes().first()? {
        b'L' => Some(End::Left),
        b'R' => Some(End::Right),
        _ => None,
    }
}
