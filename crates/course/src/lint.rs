//! The linter: what an exhibit must pass, beyond being readable, before it is shown.
//!
//! Reading checks the form. The linter runs the exhibit and checks that what it says is so: every
//! beat happens, every fact is found, every action has something to act on.

use player::Player;
use scenario::wire::{Diagnostic, Value};

use crate::evidence::Report;
use crate::fact::cut_short;
use crate::narrate::{narrate, words};
use crate::prose::flaws;
use crate::{Exhibit, FactOutcome, Telling, check_facts};

/// What is wrong with an exhibit, each with the JSON pointer in its document and a repair.
#[must_use]
pub fn lint(exhibit: &Exhibit) -> Vec<Diagnostic> {
    let mut player = Player::new(exhibit.scenario.clone());
    player.finish();
    let mut found = Vec::new();
    let mut report = |path: String, problem: String, repair: &str| {
        found.push(Diagnostic::new(path, problem, repair));
    };
    if let Some(limit) = cut_short(&player) {
        let problem = format!("the run is cut short: {limit}");
        report("/scenario".into(), problem, CUT_SHORT);
    }
    names(exhibit, &mut report);
    texts(exhibit, &mut report);
    controls(exhibit, &mut report);
    moments(exhibit, &player, &mut report);
    story(exhibit, &player, &mut report);
    prediction(exhibit, &player, &mut report);
    actions(exhibit, &mut player, &mut report);
    facts(exhibit, &mut report);
    found
}

/// What to do about a run that ends at a limit.
pub(crate) const CUT_SHORT: &str = "make the run shorter, or mend what never ends";

/// Ids of the course: module, number, inventory.
fn names(exhibit: &Exhibit, report: &mut Report<'_>) {
    let module = exhibit.module.strip_prefix('m').and_then(|digit| digit.parse::<u8>().ok());
    if !module.is_some_and(|module| (1..=8).contains(&module)) {
        let problem = format!("“{}” is not a module", exhibit.module);
        report("/module".into(), problem, "write m1 to m8");
    }
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let number = exhibit.number.split_once('.');
    let wanted = exhibit.module.trim_start_matches('m');
    if !number.is_some_and(|(module, piece)| module == wanted && digits(piece)) {
        let problem = format!("“{}” is not a number within its module", exhibit.number);
        report("/number".into(), problem, "write the module, a point and a position, like 2.2");
    }
    if exhibit.inventory.is_empty() {
        let problem = "the exhibit fulfils nothing of the inventory".into();
        report("/inventory".into(), problem, "name the entry it fulfils");
    }
    for (at, id) in exhibit.inventory.iter().enumerate() {
        if !is_inventory_id(id) {
            let problem = format!("“{id}” is not an entry of the inventory");
            report(format!("/inventory/{at}"), problem, "write one like X-M2-SIM1");
        }
    }
}

/// `X-M2-SIM1`, `X-ALL-GLOSS1`, and `X-G-FINAL1` for what lies across modules.
pub(crate) fn is_inventory_id(id: &str) -> bool {
    let mut parts = id.split('-');
    let (x, module, piece, rest) = (parts.next(), parts.next(), parts.next(), parts.next());
    let module = module.unwrap_or_default();
    let module_good = matches!(module.strip_prefix('M'), Some(digit) if "12345678".contains(digit));
    let piece = piece.unwrap_or_default();
    let letters = piece.trim_end_matches(|c: char| c.is_ascii_digit());
    let upper = letters.len() >= 2 && letters.bytes().all(|b| b.is_ascii_uppercase());
    x == Some("X")
        && (module.len() == 2 && module_good || module == "ALL" || module == "G")
        && upper
        && letters.len() < piece.len()
        && rest.is_none()
}

/// The question before the run, and what holds its answer.
fn prediction(exhibit: &Exhibit, player: &Player, report: &mut Report<'_>) {
    for (problem, repair) in exhibit.predict.iter().flat_map(|it| it.faults(player)) {
        report("/predict".into(), problem, repair);
    }
    let told = exhibit.predict.as_ref().zip(exhibit.poster).filter(|(it, poster)| *poster >= it.at);
    if told.is_some() {
        let problem = "the still picture shows the answer".into();
        report("/poster".into(), problem, "name a moment before that of the prediction");
    }
}

/// House rules for what a learner reads.
fn texts(exhibit: &Exhibit, report: &mut Report<'_>) {
    let mut check = |path: String, text: &str| {
        for (problem, repair) in flaws(text) {
            report(path.clone(), problem, repair);
        }
    };
    check("/title".into(), &exhibit.title);
    check("/lesson".into(), &exhibit.lesson);
    check("/rules".into(), &exhibit.rules);
    check("/summary".into(), &exhibit.summary);
    if let Some(review) = &exhibit.review {
        check("/review".into(), review);
    }
    for (at, text) in exhibit.model.iter().enumerate() {
        check(format!("/model/{at}"), text);
    }
    for (at, one) in exhibit.tries.iter().enumerate() {
        check(format!("/try/{at}/do"), &one.act);
        check(format!("/try/{at}/see"), &one.see);
    }
    for (at, offer) in exhibit.actions.iter().enumerate() {
        check(format!("/actions/{at}/label"), &offer.label);
        check(format!("/actions/{at}/note"), offer.note.as_deref().unwrap_or_default());
    }
    for (at, control) in exhibit.controls.iter().enumerate() {
        check(format!("/controls/{at}/label"), &control.label);
        check(format!("/controls/{at}/note"), control.note.as_deref().unwrap_or_default());
    }
    for (at, chart) in exhibit.charts.iter().enumerate() {
        check(format!("/charts/{at}/label"), &chart.label);
        for (place, drawn) in chart.series.iter().enumerate() {
            check(format!("/charts/{at}/series/{place}/label"), &drawn.meter.label);
        }
    }
    for (at, meter) in exhibit.gauges.iter().enumerate() {
        check(format!("/gauges/{at}/label"), &meter.label);
    }
    if let Some(predict) = &exhibit.predict {
        crate::quiz::said(&predict.question, &mut |text| check("/predict/question".into(), text));
    }
    for (at, beat) in exhibit.story.0.iter().enumerate() {
        check(format!("/story/{at}/title"), &beat.title);
        check(format!("/story/{at}/say"), &beat.say);
    }
}

/// Every control starts at a position of its own, and every position gives a scenario.
fn controls(exhibit: &Exhibit, report: &mut Report<'_>) {
    for (at, control) in exhibit.controls.iter().enumerate() {
        let own = exhibit.document.at(&control.pointer).unwrap_or(&Value::Null);
        if control.setting.position_of(own).is_none() {
            let problem = format!("the scenario's own value at {} is no position", control.pointer);
            let repair = "choose the range and step, or the choices, so that the value is one";
            report(format!("/controls/{at}"), problem, repair);
        }
        let last = control.setting.last();
        for position in [0, last / 2, last] {
            let mut changed = exhibit.document.clone();
            let value = control.setting.value_at(position);
            let put = changed.set(&control.pointer, value).map_err(|why| vec![why]);
            if let Err(wrong) = put.and_then(|()| crate::read_scenario(&changed)) {
                let first = wrong.first().map(ToString::to_string).unwrap_or_default();
                let problem = format!("position {position} gives no scenario: {first}");
                report(format!("/controls/{at}"), problem, "narrow the range");
            }
        }
    }
}

/// The poster and the followed message lie within the run.
fn moments(exhibit: &Exhibit, player: &Player, report: &mut Report<'_>) {
    if exhibit.poster.is_some_and(|poster| poster > player.end()) {
        let repair = "choose a moment of the run";
        report("/poster".into(), "the run has ended by then".into(), repair);
    }
    let exists = |event: &world::TraceEvent| crate::Cast::of(&event.what).message == exhibit.follow;
    if exhibit.follow.is_some() && !player.trace().iter().any(exists) {
        let repair = "follow a message that the run has";
        report("/follow".into(), "nothing happens to this message".into(), repair);
    }
}

/// Every beat happens in the run as it comes, in the order of the story, and its text names only
/// the cast of its event.
fn story(exhibit: &Exhibit, player: &Player, report: &mut Report<'_>) {
    let told = exhibit.story.beats(player.trace());
    let mut latest = 0;
    for (at, beat) in exhibit.story.0.iter().enumerate() {
        let Some((event, _)) = told.iter().find(|(_, told)| told.id == beat.id) else {
            if beat.telling == Telling::Main {
                let problem = format!("“{}” does not happen in the run as it comes", beat.id);
                let repair = "name an event of the run, or make it an aside";
                report(format!("/story/{at}/when"), problem, repair);
            }
            continue;
        };
        if *event < latest && beat.telling == Telling::Main {
            let problem = format!("“{}” happens before the beat above it", beat.id);
            report(format!("/story/{at}"), problem, "put the beats in the order of the run");
        }
        latest = latest.max(*event);
        for (field, text) in [("title", &beat.title), ("say", &beat.say)] {
            let said = narrate(text, &player.trace()[*event], &exhibit.scenario);
            for word in words(&said) {
                let problem = format!("the event of this beat has no {{{word}}}");
                report(format!("/story/{at}/{field}"), problem, "name what the event has");
            }
        }
    }
}

/// Every action has something to act on at some moment of the run.
fn actions(exhibit: &Exhibit, player: &mut Player, report: &mut Report<'_>) {
    /// Moments of the run at which actions are tried: a long run is sampled.
    const MOMENTS: usize = 500;
    let mut waiting: Vec<usize> = (0..exhibit.actions.len()).collect();
    let every = player.trace().len() / MOMENTS + 1;
    let moments: Vec<_> = player.trace().iter().step_by(every).map(|event| event.at).collect();
    for moment in moments {
        if waiting.is_empty() {
            break;
        }
        player.seek(moment);
        let frame = player.frame();
        waiting.retain(|at| {
            exhibit.actions[*at].aim(&exhibit.scenario, &frame, exhibit.follow).is_none()
        });
    }
    for at in waiting {
        let problem = format!("“{}” never has anything to act on", exhibit.actions[at].id);
        report(format!("/actions/{at}"), problem, "choose another target");
    }
}

/// Every fact is found.
fn facts(exhibit: &Exhibit, report: &mut Report<'_>) {
    for result in check_facts(exhibit) {
        let path = format!("/facts/{}", result.index);
        match result.outcome {
            FactOutcome::Found => {}
            FactOutcome::Differs { claimed, found } => {
                let problem = format!("{} claims {claimed}; the run shows {found}", result.id);
                report(path, problem, "correct the claim, or the scenario");
            }
            FactOutcome::CutShort(limit) => {
                let problem = format!("the run of {} is cut short: {limit}", result.id);
                report(path, problem, CUT_SHORT);
            }
            FactOutcome::NoRun(wrong) => {
                let first = wrong.first().map(ToString::to_string).unwrap_or_default();
                let problem = format!("{} has no run: {first}", result.id);
                report(format!("{path}/with"), problem, "put values in that make a scenario");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_inventory_id;

    #[test]
    fn ids_of_the_inventory_are_of_a_module_or_of_all() {
        for good in ["X-M2-SIM1", "X-M8-QC12", "X-ALL-GLOSS1", "X-G-SWEEP1"] {
            assert!(is_inventory_id(good), "{good}");
        }
        for bad in [
            "X-M9-SIM1",
            "X-H-SWEEP1",
            "X-GG-SWEEP1",
            "X-G-SWEEP",
            "X-G-1",
            "G-SWEEP1",
            "X-G-FINAL1-A",
        ] {
            assert!(!is_inventory_id(bad), "{bad}");
        }
    }
}
