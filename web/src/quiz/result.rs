//! What came of an answer: the verdict, why, what the runs kept, and what may be done next.

use course::evidence::Evidence;
use course::quiz::{Asks, Fill, Judged, Many, Ran, Verdict};
use scenario::link::RunState;
use yew::Html;

use super::ask::act;
use super::{Act, Draft, Side, Sitting, Standing};
use crate::components::{Page, Sign, icon};
use crate::markup::{Mark, el};
use crate::study::Shown;

/// A plate that says whether something is right. `key` with `.right` or `.wrong` says it in words.
pub fn plate(page: &Page, verdict: Verdict, key: &str) -> Mark {
    let (class, sign, form) = match verdict {
        Verdict::Right => ("plate plate--holds", Sign::Check, ".right"),
        Verdict::Wrong => ("plate plate--broken", Sign::Close, ".wrong"),
    };
    let said = page.text(&[key, form].concat());
    el("span", class).with(icon(sign)).with(el("span", "").text(said))
}

/// A button that shows a run.
pub fn watch(page: &Page, sitting: &Sitting, evidence: &Evidence) -> Mark {
    watch_run(page, sitting, Shown::evidence(evidence))
}

/// A button that shows this run.
pub fn watch_run(page: &Page, sitting: &Sitting, shown: Shown) -> Mark {
    let open = sitting.watched.as_ref() == Some(&shown);
    let (key, does) =
        if open { ("quiz.unwatch", Act::Unwatch) } else { ("quiz.watch", Act::Watch(shown)) };
    let sign = if open { Sign::Close } else { Sign::Play };
    act(page, "btn btn--small", does).with(icon(sign)).with(el("span", "").say(page.words, key))
}

/// Everything below the question.
pub fn result(page: &Page, sitting: &Sitting) -> Html {
    let paper = sitting.paper();
    let question = sitting.question();
    let over = paper.standing.is_over();
    let hints = question.hints.iter().take(paper.hints);
    let hints = el("div", "hints").list(hints.map(|hint| el("p", "hint").text(hint)));
    let judged = paper.judged.as_ref().map(|judged| verdict(page, sitting, judged));
    let why = question.why.as_ref().filter(|_| over && paper.judged.is_some());
    let why = why.map(|why| el("p", "result__why").text(why));
    el("div", "q__below")
        .with((paper.hints > 0).then_some(hints))
        .with(judged)
        .with(why)
        .with(acts(page, sitting))
        .html()
}

fn verdict(page: &Page, sitting: &Sitting, judged: &Judged) -> Mark {
    let key = match (sitting.paper().standing, &sitting.question().asks) {
        (Standing::Shown, _) => "quiz.shown",
        (_, Asks::Fill(_)) => "quiz.part",
        _ => "quiz.answer",
    };
    let shown = sitting.paper().standing == Standing::Shown;
    let mark = if shown {
        el("span", "plate plate--unknown").say(page.words, key)
    } else {
        plate(page, judged.verdict, key)
    };
    // Options and cards say why beside themselves.
    let beside = matches!(
        sitting.question().asks,
        Asks::Choice { .. } | Asks::Sort { .. } | Asks::Recall { .. }
    );
    let notes: Vec<Mark> = if beside {
        vec![el("p", "").text(summary(page, sitting, judged))]
    } else {
        // What is said of a beat stands beside it.
        let is_design = matches!(sitting.question().asks, Asks::Design(_));
        let told = judged.notes.iter().filter(|note| !is_design || note.about.is_none());
        told.map(|note| el("p", "").text(&note.why)).collect()
    };
    let ran = match (&judged.ran, &sitting.question().asks) {
        (Some(ran), Asks::Fill(fill)) => Some(promises(page, fill, ran)),
        (Some(ran), Asks::Design(design)) => super::design::faults(page, sitting, design, ran),
        _ => None,
    };
    let head = el("div", "result__head").with(mark).with(el("div", "result__say").list(notes));
    el("div", "result").with(head).with(ran)
}

/// How much of an answer is right.
fn summary(page: &Page, sitting: &Sitting, judged: &Judged) -> String {
    let words = page.words;
    let right = judged.notes.iter().filter(|note| note.verdict == Verdict::Right).count();
    match &sitting.question().asks {
        Asks::Choice { options, many: Many::Yes } => {
            let all = options.iter().filter(|option| option.right).count();
            match all - right {
                0 => String::new(),
                left => words.count("quiz.missing", left as u64, &[]),
            }
        }
        Asks::Sort { cards, .. } => {
            let [n, of] = [right, cards.len()].map(|n| words.number(n as u64));
            words.say("quiz.some", &[("n", &n), ("of", &of)])
        }
        Asks::Recall { points, .. } => {
            let Draft::Recalled { named, .. } = &sitting.paper().draft else {
                return String::new();
            };
            let [n, of] = [named.len(), points.len()].map(|n| words.number(n as u64));
            words.say("quiz.points", &[("n", &n), ("of", &of)])
        }
        _ => String::new(),
    }
}

/// The promises and how the runs kept them.
fn promises(page: &Page, fill: &Fill, ran: &Ran) -> Mark {
    let words = page.words;
    let rows = fill.promises.iter().zip(&ran.promises).map(|(promise, tested)| {
        let kept = tested.kept == ran.runs;
        let verdict = if kept { Verdict::Right } else { Verdict::Wrong };
        let runs = words.number(ran.runs as u64);
        let said = match &tested.instead {
            Some((claimed, found)) => {
                let broke = words.number((ran.runs - tested.kept) as u64);
                let mut names = vec![("found", found.as_str()), ("n", &broke), ("of", &runs)];
                names.extend(claimed.as_deref().map(|claimed| ("wanted", claimed)));
                let key = match claimed {
                    Some(_) => "quiz.promise.broken",
                    None => "quiz.promise.found",
                };
                words.say(key, &names)
            }
            None => words.say("quiz.promise.kept", &[("of", &runs)]),
        };
        el("li", "")
            .with(plate(page, verdict, "quiz.promise"))
            .with(el("span", "").text(&promise.say))
            .with(el("em", "").text(said))
    });
    el("ul", "props").list(rows)
}

/// What may be done next.
fn acts(page: &Page, sitting: &Sitting) -> Mark {
    let paper = sitting.paper();
    let question = sitting.question();
    let is_fill = matches!(question.asks, Asks::Fill(_));
    let say = |mark: Mark, key: &str| mark.with(el("span", "").say(page.words, key));
    // The front of a card has its own button.
    let is_front = matches!(&paper.draft, Draft::Recalled { side, .. } if *side != Side::Back);
    let is_open = !is_fill && !is_front && paper.judged.is_none();
    let check = (is_open && sitting.may_try()).then(|| {
        let mark = if sitting.may_check() {
            act(page, "btn btn--go", Act::Check)
        } else {
            crate::markup::button("btn btn--go").set("aria-disabled", "true")
        };
        say(mark, "quiz.check")
    });
    let again = (!is_fill && paper.judged.is_some() && sitting.may_try())
        .then(|| say(act(page, "btn btn--ink", Act::Again), "quiz.again"));
    let run = question.run.as_ref().filter(|_| paper.judged.is_some());
    let run = run.map(|run| watch(page, sitting, run));
    let witness = witness(sitting).map(|shown| {
        let open = sitting.watched.as_ref() == Some(&shown);
        let does = if open { Act::Unwatch } else { Act::Watch(shown) };
        let sign = icon(if open { Sign::Close } else { Sign::Play });
        let key = match (open, paper.judged.as_ref().map(|judged| judged.verdict)) {
            (true, _) => "quiz.unwatch",
            (_, Some(Verdict::Wrong)) => "quiz.watch_fail",
            _ => "quiz.watch",
        };
        say(act(page, "btn btn--ink", does).with(sign), key)
    });
    let more = paper.hints < question.hints.len() && !paper.standing.is_over();
    let hint = more.then(|| {
        let key = if paper.hints == 0 { "quiz.hint" } else { "quiz.hint.more" };
        say(act(page, "btn btn--quiet", Act::Hint), key)
    });
    let reveal =
        sitting.may_reveal().then(|| say(act(page, "btn btn--quiet", Act::Reveal), "quiz.reveal"));
    let next = (sitting.at + 1 < sitting.papers.len()).then(|| {
        // One button is the main one, and a second try comes before the next question.
        let is_done = paper.judged.is_some() && again.is_none();
        let class = if is_done { "btn btn--ink" } else { "btn btn--quiet" };
        say(act(page, class, Act::Go(sitting.at + 1)), "quiz.next")
    });
    let tries = (is_fill && paper.tries > 0).then(|| {
        let said = page.words.count("quiz.tries", u64::from(paper.tries), &[]);
        el("span", "q__tries").text(said)
    });
    el("div", "result__acts")
        .with(check)
        .with(again)
        .with(witness)
        .with(run)
        .with(next)
        .with(hint)
        .with(reveal)
        .with(tries)
}

/// The run that convicts the part that was placed, or one that shows how it holds.
fn witness(sitting: &Sitting) -> Option<Shown> {
    let (Asks::Fill(fill), Draft::Placed(Some(part))) =
        (&sitting.question().asks, &sitting.paper().draft)
    else {
        return None;
    };
    let ran = sitting.paper().judged.as_ref()?.ran.as_ref()?;
    let seed = ran.witness().or(fill.seeds.first().copied())?;
    let changes = fill.parts[*part].with.clone();
    let state = RunState { seed: Some(seed.to_string()), changes, ..RunState::default() };
    Some(Shown { stage: fill.stage, state })
}
