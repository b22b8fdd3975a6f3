//! The linter of quizzes: what one must pass, beyond being readable, before it is asked.
//!
//! Reading checks the form. The linter answers every question, rightly and wrongly, and compares
//! what comes of it with what the file says; it plays every run that is named as evidence.

use scenario::wire::Diagnostic;

use super::{Answer, Asks, Beat, Design, Fill, Question, Quiz, Tested, Verdict};
use crate::evidence::{Evidence, Report, play};
use crate::lint::is_inventory_id;
use crate::prose::flaws;

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
        if let Asks::Design(design) = &question.asks {
            decisions(design, &path, &mut report);
        }
    }
    found
}

/// House rules for what a learner reads.
fn texts(quiz: &Quiz, report: &mut Report<'_>) {
    let mut check = |path: &str, text: &str| {
        for (problem, repair) in flaws(text) {
            report(path.to_owned(), problem, repair);
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
        Asks::Sort { bins, cards } => {
            bins.iter().for_each(|bin| both(&bin.say, bin.note.as_deref().unwrap_or_default()));
            cards.iter().for_each(|card| both(&card.say, &card.why));
        }
        Asks::Spot(spot) => spot.others.iter().for_each(|(_, why)| both("", why)),
        Asks::Fill(fill) => {
            fill.parts.iter().for_each(|part| both(&part.say, &part.why));
            fill.promises.iter().for_each(|promise| both(&promise.say, ""));
        }
        Asks::Recall { say, points } => {
            both(say, "");
            points.iter().for_each(|point| both(point, ""));
        }
        Asks::Design(design) => {
            for beat in &design.beats {
                both(&beat.say, &beat.why);
                beat.options.iter().for_each(|option| both(&option.say, &option.why));
            }
            design.faults.iter().for_each(|fault| both(&fault.say, &fault.keeps));
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
        Asks::Recall { .. } => {
            if verdict(&Answer::Recalled(Vec::new())) == Some(Verdict::Right) {
                let problem = "an answer that names nothing is right".into();
                report(format!("{path}/points"), problem, "write more points");
            }
        }
        Asks::Choice { .. } | Asks::Sort { .. } | Asks::Fill(_) | Asks::Design(_) => {}
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
        Asks::Number { .. }
        | Asks::Fill(_)
        | Asks::Spot(_)
        | Asks::Recall { .. }
        | Asks::Design(_) => {}
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

/// Every decision does in its runs what the file says it does, when all else is decided rightly; and
/// no design holds but the right one.
fn decisions(design: &Design, path: &str, report: &mut Report<'_>) {
    let right = design.right_picks();
    for picks in each_way(&design.beats) {
        let wrong: Vec<usize> =
            (0..picks.len()).filter(|&beat| picks[beat] != right[beat]).collect();
        let said: Vec<&str> = wrong.iter().map(|&at| say(design, at, picks[at])).collect();
        let breaks = match wrong.as_slice() {
            [] => &[],
            [at] => design.beats[*at].options[picks[*at]].breaks.as_slice(),
            _ => {
                let tested = design.first_broken(&picks);
                unread(tested.iter(), &said, path, report);
                if tested.is_none() {
                    let problem = format!("a design with {said:?} bears every fault");
                    let repair = "add what it does not bear";
                    report(format!("{path}/faults"), problem, repair);
                }
                continue;
            }
        };
        let ran = design.run(&picks);
        unread(ran.promises.iter(), &said, path, report);
        if let Some(limit) = ran.cut_short {
            let problem = format!("a run with {said:?} is cut short: {limit}");
            report(format!("{path}/beats"), problem, "mend it: a limit is no verdict");
        }
        for (fault, tested) in ran.promises.iter().enumerate() {
            let kept = tested.kept == 1;
            if kept == breaks.contains(&fault) {
                let id = &design.faults[fault].id;
                let found = if kept { "is borne" } else { "is not borne" };
                let problem = format!("“{id}” {found} with {said:?}: {:?}", tested.instead);
                report(format!("{path}/faults/{fault}"), problem, "correct “breaks”, or the runs");
            }
        }
        if !wrong.is_empty() && ran.keeps_all() {
            let problem = format!("a design with {said:?} bears every fault");
            report(format!("{path}/faults"), problem, "add what it does not bear");
        }
    }
}

/// Decisions that together give no scenario.
fn unread<'t>(
    tested: impl Iterator<Item = &'t Tested>,
    said: &[&str],
    path: &str,
    report: &mut Report<'_>,
) {
    for tested in tested.filter(|tested| tested.kept == 0 && tested.broken_by.is_none()) {
        let problem = format!("{said:?} together give no scenario: {:?}", tested.instead);
        report(format!("{path}/beats"), problem, "let them change different places");
    }
}

fn say(design: &Design, beat: usize, option: usize) -> &str {
    &design.beats[beat].options[option].say
}

/// Every way to decide.
fn each_way(beats: &[Beat]) -> Vec<Vec<usize>> {
    beats.iter().fold(vec![Vec::new()], |ways, beat| {
        let options = 0..beat.options.len();
        let longer = |way: &Vec<usize>| {
            let way = way.clone();
            options.clone().map(move |option| [way.as_slice(), &[option]].concat())
        };
        ways.iter().flat_map(longer).collect()
    })
}
