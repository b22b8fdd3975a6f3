//! Topic patterns: RabbitMQ's own suite, generated pairs, and what a binding may be.

use broker::amqp::exchange::topic;

use super::super::json::Node;
use super::super::{Case, Problem, Verdict};
use super::has;

pub(super) fn recognises(root: &Node<'_>) -> bool {
    has(root, ["suite", "generated"])
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let mut cases = Vec::new();
    for group in root.need("suite", "write the groups of the suite")?.items()? {
        cases.push(suite(&group)?);
    }
    for row in root.need("generated", "write rows of pattern, key and answer")?.items()? {
        cases.push(generated(&row)?);
    }
    if let Some(validation) = root.get("validation") {
        for (list, allowed) in [("accept", true), ("reject", false)] {
            for pattern in validation.need(list, "write a list of patterns")?.items()? {
                let pattern = pattern.text()?;
                let got = topic::validate(pattern).is_ok();
                cases.push(case(format!("{list} “{pattern}”"), got == allowed, || {
                    format!("expected {allowed}, got {got}")
                }));
            }
        }
    }
    Ok(cases)
}

fn suite(group: &Node<'_>) -> Result<Case, Problem> {
    let name = group.need("test", "name the test")?.text()?;
    let bindings = group.need("bindings", "write patterns by queue")?.members()?;
    for (key, queues) in group.need("expect", "write queues by key")?.members()? {
        let mut expected = Vec::new();
        for queue in queues.items()? {
            expected.push(queue.text()?);
        }
        let mut got = Vec::new();
        for (queue, pattern) in &bindings {
            if topic::matches(pattern.text()?, key) {
                got.push(*queue);
            }
        }
        expected.sort_unstable();
        got.sort_unstable();
        if expected != got {
            let why = format!("“{key}”: expected {expected:?}, got {got:?}");
            return Ok(Case { name: name.to_owned(), verdict: Verdict::Fail(why) });
        }
    }
    Ok(Case { name: name.to_owned(), verdict: Verdict::Pass })
}

fn generated(row: &Node<'_>) -> Result<Case, Problem> {
    let items = row.items()?;
    let [pattern, key, expected] = &items[..] else {
        return Err(row.problem("not three items", "write a pattern, a key and the answer"));
    };
    let (pattern, key, expected) = (pattern.text()?, key.text()?, expected.truth()?);
    let got = topic::matches(pattern, key);
    let name = format!("“{pattern}” on “{key}”");
    Ok(case(name, got == expected, || format!("expected {expected}, got {got}")))
}

fn case(name: String, passed: bool, why: impl FnOnce() -> String) -> Case {
    let verdict = if passed { Verdict::Pass } else { Verdict::Fail(why()) };
    Case { name, verdict }
}
