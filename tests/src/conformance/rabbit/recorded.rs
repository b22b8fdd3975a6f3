//! Scripts recorded on a real RabbitMQ, or written in the same form.
//!
//! The file's own `legend` says what the steps mean; here is what the runner makes of it. A step is
//! played at its `at`, in ms, and all that is due by then happens first. What came back is made
//! into the same JSON and compared with `expect` as a whole, `ok` aside.
//!
//! A scenario whose notes have the class `bug` is not run. `release` on a scenario replaces the
//! file's `broker`.

use super::super::json::Node;
use super::super::{Case, Problem, Verdict};
use super::script::{self, Step};
use super::{NotRun, has, player, release};

pub(super) fn recognises(root: &Node<'_>) -> bool {
    let broker = root.get("broker");
    let of_rabbit = broker.is_some_and(|it| it.text().is_ok_and(|it| it.starts_with("rabbitmq")));
    of_rabbit && has(root, ["legend", "scenarios"])
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let broker = root.need("broker", "name the broker and its version")?;
    let scenarios = root.need("scenarios", "write a list of scenarios")?.items()?;
    Ok(scenarios.iter().map(|scenario| case(&broker, scenario)).collect())
}

fn case(broker: &Node<'_>, scenario: &Node<'_>) -> Case {
    let name = scenario.get("name").and_then(|name| name.text().ok());
    let name = name.unwrap_or(scenario.pointer()).to_owned();
    let verdict = verdict(broker, scenario).unwrap_or_else(Verdict::Unreadable);
    Case { name, verdict }
}

fn verdict(broker: &Node<'_>, scenario: &Node<'_>) -> Result<Verdict, Problem> {
    if let Some(why) = not_run(scenario)? {
        return Ok(why.into());
    }
    let of_its_own = scenario.get("release");
    let release = release(of_its_own.as_ref().unwrap_or(broker))?;
    let script = script::read(scenario, release)?;
    Ok(match player::play(&script) {
        Ok(()) => Verdict::Pass,
        Err(difference) => Verdict::Fail(difference),
    })
}

fn not_run(scenario: &Node<'_>) -> Result<Option<NotRun>, Problem> {
    if let Some(notes) = scenario.get("notes") {
        for note in notes.items()? {
            if note.need("class", "write the note's class")?.text()? == "bug" {
                let text = note.need("text", "say what the defect is")?.text()?;
                return Ok(Some(NotRun::Defect(text.to_owned())));
            }
        }
    }
    let steps = scenario.need("steps", "write a list of steps")?.items()?;
    let transacted = steps.iter().any(|step| Step::op(step).is_ok_and(|op| op.starts_with("tx_")));
    Ok(transacted.then_some(NotRun::OutOfScope("transactions")))
}
