//! Scripts recorded on a real Redis: locks with a time to live, lists, streams and their groups.
//!
//! A file is `{ "broker": "redis …", "legend": …, "scenarios": [ { "name", "steps": [ … ] } ] }`; a
//! step has `at` (milliseconds), `op`, `client`, and by its op `cmd` and `expect`:
//!
//! | op | what it is |
//! | --- | --- |
//! | `call` | a command, and its reply |
//! | `block` | a command whose reply is not awaited |
//! | `poll` | the reply of a blocked command, or `{"waiting": true}` |
//! | `kill_client` | the connection is closed |
//!
//! Times are nominal, and so is the clock here. A command that the engine does not have makes its
//! scenario one that is not run.

mod keys;
mod lists;
mod server;
mod streams;

use serde_json::Value;

use super::super::Verdict;
use super::{Case, Node, Problem};
use server::{Answer, Server};

pub(super) fn recognises(root: &Node<'_>) -> bool {
    let broker = root.get("broker").and_then(|broker| broker.text().ok());
    root.get("scenarios").is_some() && broker.is_some_and(|broker| broker.starts_with("redis"))
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let scenarios = root.need("scenarios", "give it a list of scenarios")?.items()?;
    Ok(scenarios
        .iter()
        .map(|scenario| {
            let name = scenario.get("name").and_then(|name| name.text().ok());
            let name = name.unwrap_or(scenario.pointer()).to_owned();
            Case { name, verdict: play(scenario).unwrap_or_else(Verdict::Unreadable) }
        })
        .collect())
}

fn play(scenario: &Node<'_>) -> Result<Verdict, Problem> {
    let mut server = Server::default();
    for step in scenario.need("steps", "list the steps")?.items()? {
        let at = step.need("at", "say when, in milliseconds")?.number()?;
        let client = step.need("client", "name the client")?.text()?;
        let op = step.need("op", "name the op")?;
        server.clock(at as u64);
        let answer = match op.text()? {
            "call" | "block" => server.call(client, &words(&step)?),
            "poll" => server.poll(client),
            "kill_client" => {
                server.kill(client);
                continue;
            }
            _ => return Err(op.problem("no such op", "use call, block, poll or kill_client")),
        };
        let (pointer, expect) = (step.pointer(), step.get("expect"));
        match answer {
            Answer::Unknown(command) => {
                let why = format!("out of the model's scope: the command {command}");
                return Ok(Verdict::NotRun(why));
            }
            Answer::Reply(_) | Answer::Waiting if op.text()? == "block" => {
                if let Answer::Reply(reply) = answer {
                    server.keep(client, reply);
                }
            }
            answer => {
                if let Some(expected) = expect
                    && let Some(difference) = differs(expected.value(), &answer)
                {
                    return Ok(Verdict::Fail(format!("{pointer} {difference}")));
                }
            }
        }
    }
    Ok(Verdict::Pass)
}

/// The words of a command; numbers are written as such or as text.
fn words(step: &Node<'_>) -> Result<Vec<String>, Problem> {
    let command = step.need("cmd", "write the command as a list of words")?;
    let word = |node: &Node<'_>| match node.value() {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(node.problem("no word", "write a text or a number")),
    };
    command.items()?.iter().map(word).collect()
}

fn differs(expected: &Value, answer: &Answer) -> Option<String> {
    let came = match answer {
        Answer::Reply(reply) => reply.clone(),
        Answer::Waiting => {
            let waits = expected.get("waiting") == Some(&Value::Bool(true));
            return (!waits).then(|| format!("expected {expected}, still waits"));
        }
        Answer::Unknown(_) => return None,
    };
    if let Some(nearest) = expected.get("reply_nearest_100") {
        let rounded = came.as_i64().map(|millis| Value::from((millis + 50) / 100 * 100));
        return (rounded.as_ref() != Some(nearest))
            .then(|| format!("expected about {nearest}, came out as {came}"));
    }
    match expected.get("reply") {
        Some(reply) if *reply == came => None,
        None if expected.as_object().is_some_and(serde_json::Map::is_empty) => None,
        _ => Some(format!("expected {expected}, came out as {came}")),
    }
}
