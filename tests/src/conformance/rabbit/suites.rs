//! Rules of RabbitMQ's test suites and guides: scenarios in words, and tables.
//!
//! Of a scenario the runner reads the values (arguments, bodies, times, windows); what its steps
//! say in words is played by the function of the same name here, so a scenario of another name is
//! refused. Where a rule came with a release, the name says which.

mod desk;
mod tables;

use broker::amqp::{
    Delayed, DelayedRetry, Reason, Release, ReturnCause, Settings, ShortString, Tags,
};
use serde_json::{Value as Json, json};
use sim::SimDuration;

use super::super::json::Node;
use super::super::{Case, Problem, Verdict};
use super::script::{millis, with_arguments};
use super::{has, release};
use desk::Desk;

pub(super) fn recognises(root: &Node<'_>) -> bool {
    has(root, ["delivery_count_table", "scenarios"])
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let mut cases = Vec::new();
    for scenario in root.need("scenarios", "write a list of scenarios")?.items()? {
        let name = scenario.need("name", "name the scenario")?.text()?;
        let verdict = match scene(&scenario, name) {
            Ok(verdict) => verdict,
            Err(problem) => Verdict::Unreadable(problem),
        };
        cases.push(Case { name: name.to_owned(), verdict });
    }
    cases.extend(tables::delivery_counts(root)?);
    cases.extend(tables::headers(root)?);
    cases.extend(tables::defaults(root)?);
    Ok(cases)
}

fn scene(scenario: &Node<'_>, name: &str) -> Result<Verdict, Problem> {
    let (scene, rest) = name.split_once(' ').unwrap_or((name, ""));
    let release = match rest {
        "" => Release::V3_10,
        _ if rest.contains(|c: char| c.is_numeric()) => release_of(rest),
        _ => Release::V3_10,
    };
    let (expected, got) = match scene {
        "dead_letter_max_length_drop_head" | "dead_letter_max_length_reject_publish_dlx" => {
            limits(scenario)?
        }
        "nack_requeue_then_nack_all" => nack_all(scenario)?,
        "cycle_max_length" => cycle_by_length(scenario)?,
        "cycle_with_reject" => cycle_with_reject(scenario)?,
        "delivery_limit_1" => delivery_limit(scenario)?,
        "head_of_line_ttl" => head_of_line(scenario)?,
        "delayed_retry_backoff" => delayed_retry(scenario, release)?,
        "prefetch" => prefetch(scenario)?,
        _ => return Err(scenario.problem("no scene of this name", "write it as a script")),
    };
    Ok(compare(&expected, &got))
}

fn compare(expected: &Json, got: &Json) -> Verdict {
    if expected == got {
        return Verdict::Pass;
    }
    Verdict::Fail(format!("expected {expected}, got {got}"))
}

fn release_of(text: &str) -> Release {
    let text = json!(text.trim_matches(['(', ')']));
    release(&Node::root(&text)).unwrap_or(Release::V4_3)
}

fn bodies<'a>(scenario: &Node<'a>) -> Result<Vec<&'a str>, Problem> {
    let publish = scenario.need("publish", "write the bodies")?.items()?;
    publish.iter().map(Node::text).collect()
}

/// Settings with the arguments of the scenario, and `dlq` for what dies unless they say otherwise.
fn settings(scenario: &Node<'_>, mut settings: Settings) -> Result<Settings, Problem> {
    if let Some(arguments) = scenario.get("args") {
        with_arguments(&mut settings, &arguments)?;
    }
    if settings.dead_letter_exchange.is_none() {
        settings.dead_letter_exchange = Some(ShortString::default());
        settings.dead_letter_routing_key = Some("dlq".into());
    }
    Ok(settings)
}

fn limits(scenario: &Node<'_>) -> Result<(Json, Json), Problem> {
    let settings = settings(scenario, Settings::rabbitmq_classic())?;
    let mut desk = Desk::new(Release::V3_10, settings);
    for body in bodies(scenario)? {
        desk.publish(body, None);
    }
    let member = |key: &str| Ok(scenario.need(key, "write what is expected")?.value().clone());
    let expected = json!([member("queue")?, member("dlq")?, member("reason")?]);
    let reasons = desk.reasons();
    let reason = reasons.iter().all(|it| *it == reasons[0]).then(|| reasons[0].as_str());
    Ok((expected, json!([desk.ready("q"), desk.ready("dlq"), reason])))
}

fn nack_all(scenario: &Node<'_>) -> Result<(Json, Json), Problem> {
    let settings = settings(scenario, Settings::rabbitmq_classic())?;
    let mut desk = Desk::new(Release::V3_10, settings);
    desk.consume(0);
    for body in bodies(scenario)? {
        desk.publish(body, None);
    }
    let first = desk.delivered();
    desk.requeue(Tags::UpTo(desk.tag("m2")), ReturnCause::Nack);
    let again = desk.delivered();
    desk.discard(Tags::UpTo(desk.tag("m2")));
    let dead = scenario.need("dlq", "write what is dead")?.value().clone();
    let expected = json!([["m1", "m2", "m3"], ["m1", "m2"], dead]);
    Ok((expected, json!([first, again, desk.ready("dlq")])))
}

fn cycle_by_length(scenario: &Node<'_>) -> Result<(Json, Json), Problem> {
    let settings = settings(scenario, Settings::rabbitmq_classic())?;
    let mut desk = Desk::new(Release::V3_10, settings);
    for body in bodies(scenario)? {
        desk.publish(body, None);
    }
    let queue = scenario.need("queue", "write what is left")?.value().clone();
    let dropped = scenario.need("dropped_by_cycle", "write what is dropped")?.value().clone();
    Ok((json!([queue, dropped]), json!([desk.ready("q"), desk.cycled()])))
}

fn cycle_with_reject(scenario: &Node<'_>) -> Result<(Json, Json), Problem> {
    let settings = settings(scenario, Settings::rabbitmq_classic())?;
    let mut desk = Desk::new(Release::V3_10, settings);
    desk.consume(0);
    let mut rounds = Vec::new();
    for body in bodies(scenario)? {
        desk.publish(body, None);
        for _ in 0..2 {
            desk.discard(Tags::One(desk.tag(body)));
            rounds.push(json!([desk.delivered().last(), desk.deaths()]));
        }
    }
    Ok((json!([["msg1", [["q", "rejected", 1]]], ["msg1", [["q", "rejected", 2]]]]), json!(rounds)))
}

fn delivery_limit(scenario: &Node<'_>) -> Result<(Json, Json), Problem> {
    let settings = settings(scenario, Settings::rabbitmq_quorum(Release::V3_10))?;
    let limit = settings.delivery_limit.unwrap_or(0);
    let mut desk = Desk::new(Release::V3_10, settings);
    desk.publish("a", None);
    let (mut expected, mut got) = (Vec::new(), Vec::new());
    for returned in 0..=limit {
        desk.consume(1);
        let count = (returned > 0).then_some(returned);
        expected.push(json!([returned > 0, count]));
        got.push(desk.latest());
        desk.crash();
    }
    expected.push(json!(["delivery_limit"]));
    got.push(json!(desk.reasons().iter().map(|it| it.as_str()).collect::<Vec<_>>()));
    Ok((json!(expected), json!(got)))
}

fn head_of_line(scenario: &Node<'_>) -> Result<(Json, Json), Problem> {
    let mut desk = Desk::new(Release::V3_10, settings(scenario, Settings::rabbitmq_classic())?);
    for row in scenario.need("publish", "write body and expiration")?.items()? {
        let items = row.items()?;
        let [body, ttl] = &items[..] else {
            return Err(row.problem("not two items", "write a body and its expiration in ms"));
        };
        desk.publish(body.text()?, Some(millis(ttl)?));
    }
    let times = scenario.need("dead_letter_times_ms", "write times by body")?;
    Ok((times.value().clone(), desk.death_times()))
}

fn delayed_retry(scenario: &Node<'_>, release: Release) -> Result<(Json, Json), Problem> {
    let at = |key: &str| millis(&scenario.need(key, "give a time in ms")?);
    let mut settings = settings(scenario, Settings::rabbitmq_quorum(release))?;
    settings.delayed_retry =
        DelayedRetry::Linear { which: Delayed::All, min: at("min")?, max: at("max")? };
    let mut desk = Desk::new(release, settings);
    desk.consume(1);
    desk.publish("a", None);
    let mut delays = Vec::new();
    for _ in 0..scenario.need("returns", "say how often")?.whole()? {
        let returned = desk.now;
        desk.requeue(Tags::One(desk.tag("a")), ReturnCause::Reject);
        desk.run_on();
        delays.push(desk.now.saturating_since(returned).as_micros() / 1_000);
    }
    let expected = scenario.need("delays_ms", "write the delays")?.value().clone();
    Ok((expected, json!(delays)))
}

fn prefetch(scenario: &Node<'_>) -> Result<(Json, Json), Problem> {
    let window = scenario.need("prefetch", "give the window")?.whole()?;
    let mut desk = Desk::new(Release::V3_10, Settings::rabbitmq_classic());
    for number in 1..=9 {
        desk.publish(&number.to_string(), None);
    }
    desk.consume(window);
    let mut got = vec![desk.delivered()];
    desk.ack(Tags::One(desk.tag("1")));
    got.push(desk.delivered());
    desk.ack(Tags::UpTo(desk.tag("4")));
    got.push(desk.delivered());
    Ok((json!([["1", "2", "3", "4"], ["5"], ["6", "7", "8"]]), json!(got)))
}

/// Time enough for anything here to happen.
const LONG: SimDuration = SimDuration::from_secs(24 * 60 * 60);

/// Why messages died, in the order of dying.
type Reasons = Vec<Reason>;
