//! From an action back to its form on the wire, for links and for files that are saved.

use sim::SimDuration;

use crate::wire::{Value, format_duration, format_time};
use crate::{
    Action, Border, ComponentId, Intervention, Kind, Patch, Replacing, RewindTo, Scenario, Side,
};

impl Intervention {
    /// Its form on the wire; the reverse of [`crate::read::read_intervention`].
    #[must_use]
    pub fn to_value(&self, scenario: &Scenario) -> Value {
        let (word, fields) = form(&self.action, scenario);
        Value::record([("at", Value::text(format_time(self.at))), (word, Value::record(fields))])
    }
}

type Fields = Vec<(&'static str, Value)>;

fn form(action: &Action, scenario: &Scenario) -> (&'static str, Fields) {
    let mut fields = Vec::new();
    match action {
        Action::LoseAck { .. } => fields.push(("what", Value::text("ack"))),
        Action::LoseReceive { .. } => fields.push(("what", Value::text("receive"))),
        Action::LoseMessage { .. } => fields.push(("what", Value::text("message"))),
        Action::LoseConfirm { .. } => fields.push(("what", Value::text("confirm"))),
        _ => {}
    }
    if let Some(component) = action.component() {
        fields.push(("component", name(scenario, component)));
    }
    if let Some(instance) = action.instance() {
        fields.push(("instance", Value::Number(f64::from(instance + 1))));
    }
    match *action {
        Action::Crash { component, restart_after, border, .. } => {
            fields.extend(crash_form(component, restart_after, border, scenario));
        }
        Action::Leave { back_after: Some(after), .. } => {
            fields.push(("back_after", Value::text(format_duration(after))));
        }
        Action::Scale { to, start_up, .. } => {
            fields.push(("to", Value::Number(f64::from(to))));
            fields.push(("start_up", Value::text(format_duration(start_up))));
        }
        Action::Deploy { takes, how, .. } => {
            fields.push(("takes", Value::text(format_duration(takes))));
            let how = if how == Replacing::Killed { "killed" } else { "drained" };
            fields.push(("how", Value::text(how)));
        }
        Action::Cut { to, .. } => fields.push(("to", name(scenario, to))),
        Action::Brownout { capacity_percent, latency_percent, .. } => {
            fields.push(("capacity_percent", Value::Number(f64::from(capacity_percent))));
            fields.push(("latency_percent", Value::Number(f64::from(latency_percent))));
        }
        Action::Slow { percent, .. } | Action::Spike { percent, .. } => {
            fields.push(("percent", Value::Number(f64::from(percent))));
        }
        Action::Skew { clock, .. } => {
            let (side, by) = clock.side();
            let word = if side == Side::Ahead { "ahead" } else { "behind" };
            fields.push((word, Value::text(format_duration(by))));
        }
        Action::Patch { patch, .. } => fields.push(setting(patch)),
        Action::AddPartitions { partitions, .. } => {
            fields.push(("to", Value::Number(f64::from(partitions))));
        }
        Action::Rewind { to, .. } => fields.push(("to", Value::text(rewind_to(to)))),
        Action::Redrive { to, per_second, .. } => {
            fields.extend(to.map(|to| ("to", name(scenario, to))));
            let velocity = per_second.map(|number| Value::Number(f64::from(number)));
            fields.extend(velocity.map(|velocity| ("per_second", velocity)));
        }
        Action::Poison { message } => {
            fields.push(("message", Value::Number(f64::from(message.number()))));
        }
        _ => {}
    }
    if let Action::Pause { lasts, .. }
    | Action::Slow { lasts, .. }
    | Action::Outage { lasts, .. }
    | Action::Brownout { lasts, .. }
    | Action::Cut { lasts, .. }
    | Action::Spike { lasts, .. } = *action
    {
        fields.push(("for", Value::text(format_duration(lasts))));
    }
    (action.word(), fields)
}

/// Where a group goes on.
fn rewind_to(to: RewindTo) -> String {
    match to {
        RewindTo::Earliest => "earliest".to_owned(),
        RewindTo::Latest => "latest".to_owned(),
        RewindTo::Time(at) => format_time(at),
    }
}

/// How a process dies, beside which.
fn crash_form(
    component: ComponentId,
    restart_after: Option<SimDuration>,
    border: Option<Border>,
    scenario: &Scenario,
) -> Fields {
    let mut fields = Vec::new();
    if let Some(after) = restart_after {
        fields.push(("restart_after", Value::text(format_duration(after))));
    }
    let Some(border) = border else { return fields };
    fields.push(("after_line", Value::Number(f64::from(border.after_line))));
    if let Kind::Service(service) = &scenario.component(component).kind
        && let Some((name, _)) = service.handles.get(usize::from(border.handler))
    {
        fields.push(("handler", Value::text(name.as_str())));
    }
    let message = border.message.map(|message| Value::Number(f64::from(message.number())));
    fields.extend(message.map(|message| ("message", message)));
    fields
}

/// A setting and what it is from then on.
fn setting(patch: Patch) -> (&'static str, Value) {
    match patch {
        Patch::VisibilityTimeout(time) => {
            ("visibility_timeout", Value::text(format_duration(time)))
        }
        Patch::MaxReceiveCount(count) => ("max_receive_count", Value::Number(f64::from(count))),
        Patch::ErrorsPerMillion(errors) => ("error_rate", Value::Number(f64::from(errors) / 1e6)),
        Patch::MendedHandler => ("handler", Value::text("mended")),
    }
}

fn name(scenario: &Scenario, id: ComponentId) -> Value {
    Value::text(scenario.component(id).name.clone())
}
