//! Answers, and what comes of them.

use super::{Asks, Beat, Card, Choice, Design, Fill, Many, Question, Quiz, Ran, Slip, Step, Trap};

/// What somebody answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// These options, by their positions.
    Picked(Vec<usize>),
    /// This number.
    Number(f64),
    /// The steps in this order, by their positions.
    Order(Vec<usize>),
    /// The cards in these bins, by their positions.
    Sorted(Vec<Option<usize>>),
    /// This part, by its position.
    Placed(usize),
    /// This line, by its position in the trace.
    Line(usize),
    /// These points were named, by their positions.
    Recalled(Vec<usize>),
    /// The beats in this order, by their positions, and the option that was picked at each, in the
    /// order of the file.
    Designed {
        /// The order of the beats.
        order: Vec<usize>,
        /// The options.
        picks: Vec<usize>,
    },
}

/// Whether an answer is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is.
    Right,
    /// It is not.
    Wrong,
}

impl Verdict {
    fn of(right: bool) -> Verdict {
        if right { Verdict::Right } else { Verdict::Wrong }
    }
}

/// What comes of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Whether it is right.
    pub verdict: Verdict,
    /// What there is to say about it, most important first.
    pub notes: Vec<Note>,
    /// What the runs of a placed part, or of a design, showed.
    pub ran: Option<Ran>,
}

impl Judged {
    fn of(right: bool, notes: Vec<Note>) -> Judged {
        Judged { verdict: Verdict::of(right), notes, ran: None }
    }
}

/// Something to say about an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The option, trap, slip, card, part or beat that it is about, by its position; `None` if it is
    /// about the whole.
    pub about: Option<usize>,
    /// Whether that part of the answer is right.
    pub verdict: Verdict,
    /// Why.
    pub why: String,
}

impl Question {
    /// Judges an answer. `None` if it is no answer to this sort of question, or not a whole one.
    #[must_use]
    pub fn judge(&self, answer: &Answer) -> Option<Judged> {
        match (&self.asks, answer) {
            (Asks::Choice { options, many }, Answer::Picked(picked)) => {
                judge_options(options, *many, picked)
            }
            (Asks::Number { answer, within, traps, .. }, Answer::Number(given)) => {
                Some(judge_number(*answer, *within, traps, *given))
            }
            (Asks::Order { steps, slips }, Answer::Order(order)) => {
                judge_order(steps, slips, order)
            }
            (Asks::Sort { cards, .. }, Answer::Sorted(places)) => judge_cards(cards, places),
            (Asks::Fill(fill), Answer::Placed(part)) => judge_part(fill, *part),
            (Asks::Spot(spot), Answer::Line(line)) if spot.lines.contains(line) => {
                let right = *line == spot.fault;
                let against = spot.against(*line).filter(|_| !right);
                let notes = against.map(|why| note(Some(*line), false, why));
                Some(Judged::of(right, notes.into_iter().collect()))
            }
            (Asks::Recall { points, .. }, Answer::Recalled(named)) => {
                let named = (0..points.len()).filter(|at| named.contains(at)).count();
                Some(Judged::of(named >= Quiz::pass_mark(points.len()), Vec::new()))
            }
            (Asks::Design(design), Answer::Designed { order, picks }) => {
                judge_design(design, order, picks)
            }
            _ => None,
        }
    }

    /// A right answer.
    #[must_use]
    pub fn right_answer(&self) -> Answer {
        match &self.asks {
            Asks::Choice { options, .. } => {
                Answer::Picked((0..options.len()).filter(|&at| options[at].right).collect())
            }
            Asks::Number { answer, .. } => Answer::Number(*answer),
            Asks::Order { steps, .. } => Answer::Order((0..steps.len()).collect()),
            Asks::Sort { cards, .. } => {
                Answer::Sorted(cards.iter().map(|card| card.bins.first().copied()).collect())
            }
            Asks::Fill(fill) => {
                let right = fill.parts.iter().position(|part| part.right);
                Answer::Placed(right.unwrap_or_default())
            }
            Asks::Spot(spot) => Answer::Line(spot.fault),
            Asks::Recall { points, .. } => Answer::Recalled((0..points.len()).collect()),
            Asks::Design(design) => Answer::Designed {
                order: (0..design.beats.len()).collect(),
                picks: design.right_picks(),
            },
        }
    }
}

fn judge_options(options: &[Choice], many: Many, picked: &[usize]) -> Option<Judged> {
    let single = many == Many::No;
    if picked.is_empty() && single || picked.iter().any(|&at| at >= options.len()) {
        return None;
    }
    let is_picked = |at: &usize| picked.contains(at);
    let fits = |at: usize| options[at].right == is_picked(&at);
    let right = match many {
        Many::No => picked.len() == 1 && options[picked[0]].right,
        Many::Yes => (0..options.len()).all(fits),
    };
    // What was not picked is not told: it may be picked yet.
    let told = (0..options.len()).filter(is_picked);
    Some(Judged::of(right, told.map(|at| note(Some(at), fits(at), &options[at].why)).collect()))
}

fn judge_number(answer: f64, within: f64, traps: &[Trap], given: f64) -> Judged {
    let off = |value: f64| (given - value).abs();
    let right = off(answer) <= within;
    let near = |trap: f64| off(trap) <= within.max(trap.abs() * 1e-9);
    let trap = traps.iter().position(|trap| near(trap.value)).filter(|_| !right);
    let notes = trap.map(|at| note(Some(at), false, &traps[at].why));
    Judged::of(right, notes.into_iter().collect())
}

fn judge_order(steps: &[Step], slips: &[Slip], order: &[usize]) -> Option<Judged> {
    if !is_order(order, steps.len()) {
        return None;
    }
    let first_bad = order.windows(2).find(|pair| bad(steps, pair[0], pair[1]));
    let at = |step: usize| order.iter().position(|&other| other == step);
    let slipped = slips.iter().enumerate().filter(|(_, s)| at(s.early) < at(s.late));
    let mut notes: Vec<Note> = slipped.map(|(at, slip)| note(Some(at), false, &slip.why)).collect();
    if let (Some(pair), true) = (first_bad, notes.is_empty()) {
        notes.push(note(None, false, &steps[pair[1]].why));
    }
    Some(Judged::of(first_bad.is_none(), notes))
}

/// Whether these are all positions below `count`, in some order.
fn is_order(order: &[usize], count: usize) -> bool {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    sorted.iter().copied().eq(0..count)
}

/// Whether the first of two steps should have come after the second.
fn bad(steps: &[Step], first: usize, second: usize) -> bool {
    steps[first].place > steps[second].place
}

fn judge_cards(cards: &[Card], places: &[Option<usize>]) -> Option<Judged> {
    if places.len() != cards.len() || places.iter().any(Option::is_none) {
        return None;
    }
    let placed = cards.iter().zip(places);
    let notes: Vec<Note> = placed
        .enumerate()
        .map(|(at, (card, bin))| {
            let right = bin.is_some_and(|bin| card.bins.contains(&bin));
            note(Some(at), right, &card.why)
        })
        .collect();
    let right = notes.iter().all(|note| note.verdict == Verdict::Right);
    Some(Judged::of(right, notes))
}

/// What the runs say counts, whatever the file says.
fn judge_part(fill: &Fill, at: usize) -> Option<Judged> {
    let part = fill.parts.get(at)?;
    let ran = fill.run(at);
    let kept = ran.keeps_all();
    let judged = Judged::of(kept, vec![note(Some(at), kept, &part.why)]);
    Some(Judged { ran: Some(ran), ..judged })
}

/// The order is judged by the file, the decisions by the runs.
fn judge_design(design: &Design, order: &[usize], picks: &[usize]) -> Option<Judged> {
    let beats = &design.beats;
    let known = |(beat, &pick): (&Beat, &usize)| pick < beat.options.len();
    if !is_order(order, beats.len())
        || picks.len() != beats.len()
        || !beats.iter().zip(picks).all(known)
    {
        return None;
    }
    let early = order.windows(2).find(|pair| pair[0] > pair[1]);
    let mut notes: Vec<Note> =
        early.map(|pair| note(None, false, &beats[pair[1]].why)).into_iter().collect();
    notes.extend(beats.iter().zip(picks).enumerate().map(|(at, (beat, &pick))| {
        let option = &beat.options[pick];
        note(Some(at), option.right, &option.why)
    }));
    let ran = design.run(picks);
    let judged = Judged::of(early.is_none() && ran.keeps_all(), notes);
    Some(Judged { ran: Some(ran), ..judged })
}

fn note(about: Option<usize>, right: bool, why: &str) -> Note {
    Note { about, verdict: Verdict::of(right), why: why.to_owned() }
}
