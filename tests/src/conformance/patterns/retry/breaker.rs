//! The defaults of resilience4j's circuit breaker.

use patterns::retry::breaker::{HalfOpening, Settings, Window};

use super::super::{Case, Differences, Node, Problem, case};

pub(super) fn cases(node: &Node<'_>, cases: &mut Vec<Case>) -> Result<(), Problem> {
    let Some(defaults) = node.get("defaults") else { return Ok(()) };
    for (name, expected) in defaults.members()? {
        cases.push(case(format!("resilience4j {name}"), || {
            let actual = setting(name).ok_or_else(|| {
                expected.problem("no such setting here", "use a name of CircuitBreakerConfig")
            })?;
            let mut differences = Differences::default();
            let expected = match expected.value() {
                serde_json::Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            differences.compare(name, &expected, &actual);
            Ok(differences)
        }));
    }
    Ok(())
}

fn setting(name: &str) -> Option<String> {
    let settings = Settings::resilience4j();
    let secs = |duration: sim::SimDuration| (duration.as_micros() / 1_000_000).to_string();
    Some(match name {
        "failureRateThreshold" => settings.failure_rate_percent.to_string(),
        "slowCallRateThreshold" => settings.slow_call_rate_percent.to_string(),
        "slowCallDuration_s" => secs(settings.slow_call),
        "waitOpen_s" => secs(settings.wait_open),
        "permittedHalfOpen" => settings.permitted_half_open.to_string(),
        "minimumNumberOfCalls" => settings.minimum_calls.to_string(),
        "slidingWindow" => match settings.window {
            Window::Calls(size) | Window::Time(size) => size.to_string(),
        },
        "type" => match settings.window {
            Window::Calls(_) => "COUNT_BASED".to_owned(),
            Window::Time(_) => "TIME_BASED".to_owned(),
        },
        "automaticTransition" => (settings.half_opening == HalfOpening::ByTimer).to_string(),
        _ => return None,
    })
}
