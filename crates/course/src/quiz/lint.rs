//! The linter of quizzes: what one must pass, beyond being readable, before it is asked.
//!
//! Reading checks the form. The linter answers every question, rightly and wrongly, and compares
//! what comes of it with what the file says; it plays every run that is named as evidence.

use player::Player;
use scenario::wire::Diagnostic;

use super::{Answer, Asks, Evidence, Fill, Question, Quiz, Stage, Verdict};
use crate::FactOutcome;
use crate::fact::cut_short;
use crate::lint::{CUT_SHORT, is_inventory_id};

/// What is wrong with a quiz, each with the JSON pointer in its document and a repair.
#[must_use]
pub fn lint_quiz(quiz: &Quiz) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut report = |path: String, problem: String, repair: &str| {
        found.push(Diagnostic::new(path, problem, repair));
    };
    for (at, id) in quiz.inventory.iter().enumerate() {
        if !is_inventory_id(id) {
            let problem = format!("“{id}” is not an entry of the inventory");
            report(format!("/inventory/{at}"), problem, "write one like X-M2-QC1");
        }
    }
    if quiz.draw.is_some_and(|draw| draw >= quiz.questions.len()) {
        let repair = "write more questions than are drawn, or take “draw” out";
        report("/draw".into(), "the pool is no larger than what is drawn from it".into(), repair);
    }
    texts(quiz, &mut report);
    for (at, question) in quiz.questions.iter().enumerate() {
        let path = format!("/questions/{at}");
        answers(question, &path, &mut report);
        for (place, evidence) in evidence(question) {
            play(&quiz.stages, evidence, &format!("{path}{place}"), &mut report);
        }
        if let Asks::Fill(fill) = &question.asks {
            parts(fill, &path, &mut report);
        }
    }
    found
}

pub(crate) type Report<'r> = dyn FnMut(String, String, &str) + 'r;

/// House rules for what a learner reads.
fn texts(quiz: &Quiz, report: &mut Report<'_>) {
    let mut check = |path: &str, text: &str| {
        if text.contains('!') {
            let repair = "end the sentence with a full stop";
            report(path.to_owned(), format!("an exclamation mark in “{text}”"), repair);
        }
        if text.trim() != text || text.contains("  ") {
            report(path.to_owned(), format!("spaces too many in “{text}”"), "take them out");
        }
    };
    check("/title", &quiz.title);
    check("/lesson", &quiz.lesson);
    for (at, question) in quiz.questions.iter().enumerate() {
        let path = format!("/questions/{at}");
        said(question, &mut |text| check(&path, text));
    }
}

/// Every text of a question.
pub(crate) fn said(question: &Question, take: &mut dyn FnMut(&str)) {
    take(&question.ask);
    question.hints.iter().chain(&question.why).for_each(|text| take(text));
    let mut both = |say: &str, why: &str| {
        take(say);
        take(why);
    };
    match &question.asks {
        Asks::Choice { options, .. } => options.iter().for_each(|o| both(&o.say, &o.why)),
        Asks::Number { unit, traps, .. } => traps.iter().for_each(|trap| both(unit, &trap.why)),
        Asks::Order { steps, slips } => {
            steps.iter().for_each(|step| both(&step.say, &step.why));
            slips.iter().for_each(|slip| both("", &slip.why));
        }
        Asks::Sort { cards, .. } => cards.iter().for_each(|card| both(&card.say, &card.why)),
        Asks::Spot(spot) => spot.others.iter().for_each(|(_, why)| both("", why)),
        Asks::Fill(fill) => {
            fill.parts.iter().for_each(|part| both(&part.say, &part.why));
            fill.promises.iter().for_each(|promise| both(&promise.say, ""));
        }
    }
}

/// The right answer is judged right, and what the file calls wrong is judged wrong.
fn answers(question: &Question, path: &str, report: &mut Report<'_>) {
    let verdict = |answer: &Answer| question.judge(answer).map(|judged| judged.verdict);
    if verdict(&question.right_answer()) != Some(Verdict::Right) {
        let repair = "make one answer right";
        report(path.to_owned(), "the right answer is not judged right".into(), repair);
    }
    match &question.asks {
        Asks::Number { traps, .. } => {
            for (at, trap) in traps.iter().enumerate() {
                if verdict(&Answer::Number(trap.value)) == Some(Verdict::Right) {
                    let problem = "this mistake gives the right number".into();
                    report(format!("{path}/traps/{at}"), problem, "take it out, or lower “within”");
                }
            }
        }
        Asks::Order { steps, slips } => {
            for (at, slip) in slips.iter().enumerate() {
                if steps[slip.early].place <= steps[slip.late].place {
                    let problem = "this slip is the right order".into();
                    report(format!("{path}/slips/{at}"), problem, "swap “step” and “before”");
                }
            }
        }
        Asks::Spot(spot) => {
            for (at, (line, _)) in spot.others.iter().enumerate() {
                if *line == spot.fault {
                    let problem = "this is the line with the fault".into();
                    report(format!("{path}/others/{at}"), problem, "name another line");
                }
            }
        }
        Asks::Choice { .. } | Asks::Sort { .. } | Asks::Fill(_) => {}
    }
}

/// All evidence of a question and where it stands.
fn evidence(question: &Question) -> Vec<(String, &Evidence)> {
    let mut all: Vec<(String, &Evidence)> = Vec::new();
    all.extend(question.run.iter().map(|run| ("/run".to_owned(), run)));
    let each = |name: &'static str| move |at: usize| format!("/{name}/{at}/run");
    match &question.asks {
        Asks::Choice { options, .. } => push(&mut all, each("options"), options, |o| &o.run),
        Asks::Order { slips, .. } => push(&mut all, each("slips"), slips, |slip| &slip.run),
        Asks::Sort { cards, .. } => push(&mut all, each("cards"), cards, |card| &card.run),
        Asks::Number { .. } | Asks::Fill(_) | Asks::Spot(_) => {}
    }
    all
}

fn push<'q, T>(
    all: &mut Vec<(String, &'q Evidence)>,
    place: impl Fn(usize) -> String,
    from: &'q [T],
    run: impl Fn(&'q T) -> &'q Option<Evidence>,
) {
    let runs = from.iter().enumerate().filter_map(|(at, one)| Some((at, run(one).as_ref()?)));
    all.extend(runs.map(|(at, run)| (place(at), run)));
}

/// Plays a run and looks for what it is to show.
pub(crate) fn play(stages: &[Stage], evidence: &Evidence, path: &str, report: &mut Report<'_>) {
    if evidence.shows.is_empty() {
        let repair = "write under “shows” what the run must show";
        report(path.to_owned(), "the run is said to show nothing".into(), repair);
    }
    let exhibit = &stages[evidence.stage].exhibit;
    let player: Player = match exhibit.run_with(&evidence.with) {
        Ok(player) => player,
        Err(wrong) => {
            let problem = wrong.first().map(ToString::to_string).unwrap_or_default();
            report(path.to_owned(), format!("there is no such run: {problem}"), "repair “with”");
            return;
        }
    };
    if let Some(limit) = cut_short(&player) {
        let problem = format!("the run is cut short: {limit}");
        report(path.to_owned(), problem, CUT_SHORT);
    }
    for (at, claim) in evidence.shows.iter().enumerate() {
        if let FactOutcome::Differs { claimed, found } = claim.check(&player) {
            let problem = format!("the run shows {found}, not {claimed}");
            report(format!("{path}/shows/{at}"), problem, "correct the claim, or the run");
        }
    }
}

/// Every part does in its runs what the file says it does.
fn parts(fill: &Fill, path: &str, report: &mut Report<'_>) {
    if fill.seeds.len() < 2 {
        let problem = "the parts are run under fewer than two seeds".into();
        report(format!("{path}/seeds"), problem, "name several seeds");
    }
    for (at, part) in fill.parts.iter().enumerate() {
        let path = format!("{path}/parts/{at}");
        let ran = fill.run(at);
        if let Some(limit) = ran.cut_short {
            let problem = format!("a run of “{}” is cut short: {limit}", part.say);
            report(path.clone(), problem, "mend the part: a limit is no verdict");
        }
        if ran.keeps_all() != part.right {
            let found = if part.right { "breaks a promise" } else { "keeps every promise" };
            let instead = ran.promises.iter().find_map(|tested| tested.instead.as_ref());
            let problem = format!("“{}” {found} in its runs: {instead:?}", part.say);
            report(path.clone(), problem, "correct “right”, the promises or the part");
        }
        for (promise, tested) in ran.promises.iter().enumerate() {
            let named = part.breaks.contains(&promise);
            if named == (tested.kept == ran.runs) {
                let id = &fill.promises[promise].id;
                let kept = format!("“{id}” is kept in {} of {} runs", tested.kept, ran.runs);
                let problem = format!("{kept}: {:?}", tested.instead);
                report(format!("{path}/breaks"), problem, "name just the promises it breaks");
            }
        }
    }
}
