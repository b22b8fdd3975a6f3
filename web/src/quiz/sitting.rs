//! A sitting: a quiz in a learner's hands.

use std::rc::Rc;

use course::leitner::Memory;
use course::quiz::{Answer, Asks, Judged, Many, Question, Quiz, Timing, Verdict};
use course::shuffled;

use crate::study::Shown;
use crate::words::typed_number;

/// What the page around allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// How often a question may be answered.
    pub attempts: Attempts,
    /// When the right answer may be seen.
    pub reveal: Reveal,
}

/// How often a question may be answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Attempts {
    /// As often as one likes.
    #[default]
    Any,
    /// So many times.
    Most(u32),
}

/// When the right answer may be seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reveal {
    /// After a wrong one.
    #[default]
    After,
    /// Only by giving it.
    Never,
    /// At any time.
    Always,
}

impl Reveal {
    /// Reads an attribute.
    #[must_use]
    pub fn parse(text: &str) -> Option<Reveal> {
        match text {
            "after" => Some(Reveal::After),
            "never" => Some(Reveal::Never),
            "always" => Some(Reveal::Always),
            _ => None,
        }
    }
}

/// Everything that may be done in a sitting.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Look at a question.
    Go(usize),
    /// Pick an option, or put it back.
    Pick(usize),
    /// Write a number.
    Type(String),
    /// Put a step in another's place.
    Shift {
        /// Where it is.
        from: usize,
        /// Where it is to be.
        to: usize,
    },
    /// Put a card into a bin, or decide at a beat for an option.
    Bin {
        /// Which card, or beat.
        card: usize,
        /// Which bin, or option.
        bin: usize,
    },
    /// Point at a line.
    Point(usize),
    /// Put a part into the empty place, and run it.
    Place(usize),
    /// Have half a minute for an answer aloud.
    Clock,
    /// See what we would have said.
    Turn,
    /// Judge the answer.
    Check,
    /// Take the verdict away and answer anew.
    Again,
    /// One more hint.
    Hint,
    /// Show the right answer.
    Reveal,
    /// Watch a run.
    Watch(Shown),
    /// Put the run away.
    Unwatch,
    /// Begin anew, with other questions if there is a pool.
    Restart,
}

/// An answer in the making.
#[derive(Clone, Debug, PartialEq)]
pub enum Draft {
    /// Options.
    Picked(Vec<usize>),
    /// What was typed.
    Typed(String),
    /// Steps.
    Order(Vec<usize>),
    /// Cards in bins.
    Sorted(Vec<Option<usize>>),
    /// A part, or none.
    Placed(Option<usize>),
    /// A line of the trace, or none.
    Line(Option<usize>),
    /// An answer aloud.
    Recalled {
        /// Which side of the card is up.
        side: Side,
        /// The points that were in it.
        named: Vec<usize>,
    },
    /// A design.
    Designed {
        /// The order of its beats.
        order: Vec<usize>,
        /// What is decided at each, in the order of the file.
        picks: Vec<Option<usize>>,
    },
}

/// The sides of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The question.
    Front,
    /// The question, while half a minute runs.
    Timed,
    /// Our answer.
    Back,
}

/// One question's paper.
#[derive(Clone, Debug, PartialEq)]
pub struct Paper {
    /// Which question, by its position in the quiz.
    pub question: usize,
    /// The order in which its options, cards or parts are shown.
    pub shown: Vec<usize>,
    /// The answer in the making.
    pub draft: Draft,
    /// How often it was answered.
    pub tries: u32,
    /// What came of the last answer, until it is changed.
    pub judged: Option<Judged>,
    /// How many hints are shown.
    pub hints: usize,
    /// What is known of it.
    pub standing: Standing,
    /// The parts that were run, and what came of them.
    pub ran: Vec<(usize, Verdict)>,
}

/// How a question stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has not been answered.
    Open,
    /// It was wrong, and may be answered again.
    Missed,
    /// It was right at once.
    AtOnce,
    /// It was right in the end.
    Later,
    /// The right answer was shown.
    Shown,
}

impl Standing {
    /// Whether there is nothing left to find out.
    #[must_use]
    pub fn is_over(self) -> bool {
        !matches!(self, Standing::Open | Standing::Missed)
    }
}

/// A quiz in a learner's hands.
#[derive(Clone, Debug)]
pub struct Sitting {
    quiz: Rc<Quiz>,
    /// What the page around allows.
    pub rules: Rules,
    /// The papers, in the order in which they are asked.
    pub papers: Vec<Paper>,
    /// The paper that is looked at.
    pub at: usize,
    /// The run that is watched.
    pub watched: Option<Shown>,
}

impl Sitting {
    /// A fresh sitting. `seed` decides what is drawn and in which order things are shown.
    #[must_use]
    pub fn open(quiz: Rc<Quiz>, rules: Rules, memory: &Memory, today: u32, seed: u64) -> Sitting {
        let count = quiz.questions.len();
        let asked = match quiz.draw {
            None => (0..count).collect(),
            Some(draw) => {
                let ids: Vec<&str> = quiz.questions.iter().map(|q| q.id.as_str()).collect();
                memory.draw(&ids, &shuffled(count, seed), draw, today)
            }
        };
        let fresh = |(place, at): (usize, usize)| {
            Paper::fresh(at, &quiz.questions[at], seed.wrapping_add(place as u64))
        };
        let papers = asked.into_iter().enumerate().map(fresh).collect();
        Sitting { papers, quiz, rules, at: 0, watched: None }
    }

    /// The quiz.
    #[must_use]
    pub fn quiz(&self) -> &Rc<Quiz> {
        &self.quiz
    }

    /// The paper that is looked at.
    #[must_use]
    pub fn paper(&self) -> &Paper {
        &self.papers[self.at]
    }

    /// The question that is looked at.
    #[must_use]
    pub fn question(&self) -> &Question {
        &self.quiz.questions[self.paper().question]
    }

    /// How many questions were answered rightly at once.
    #[must_use]
    pub fn score(&self) -> usize {
        self.papers.iter().filter(|paper| paper.standing == Standing::AtOnce).count()
    }

    /// Whether there is nothing left to find out.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.papers.iter().all(|paper| paper.standing.is_over())
    }

    /// Whether the question may be answered once more.
    #[must_use]
    pub fn may_try(&self) -> bool {
        let paper = self.paper();
        let left = match self.rules.attempts {
            Attempts::Any => true,
            Attempts::Most(most) => paper.tries < most,
        };
        // Parts may be placed for as long as one likes: what they do is worth seeing.
        let placed = matches!(paper.draft, Draft::Placed(_));
        placed || left && !paper.standing.is_over()
    }

    /// Whether the right answer may be asked for.
    #[must_use]
    pub fn may_reveal(&self) -> bool {
        let standing = self.paper().standing;
        match self.rules.reveal {
            Reveal::Never => false,
            Reveal::Always => !standing.is_over(),
            Reveal::After => standing == Standing::Missed,
        }
    }

    /// Whether an answer is there to be judged.
    #[must_use]
    pub fn may_check(&self) -> bool {
        let paper = self.paper();
        paper.judged.is_none() && self.may_try() && paper.answer(self.question()).is_some()
    }

    /// Does something, except for [`Act::Restart`], which needs what is remembered. What was
    /// judged thereby is for the caller to tell and to note.
    pub fn act(&mut self, act: Act) -> Option<Verdict> {
        match act {
            Act::Go(at) => {
                self.at = at.min(self.papers.len().saturating_sub(1));
                self.watched = None;
            }
            Act::Watch(shown) => self.watched = Some(shown),
            Act::Unwatch => self.watched = None,
            Act::Check => return self.check(),
            Act::Reveal if self.may_reveal() => self.reveal(),
            Act::Place(part) => {
                self.draft(|draft, _| *draft = Draft::Placed(Some(part)));
                return self.check();
            }
            Act::Hint => {
                let most = self.question().hints.len();
                let paper = &mut self.papers[self.at];
                paper.hints = (paper.hints + 1).min(most);
            }
            Act::Again => self.draft(|_, _| {}),
            Act::Clock => self.draft(|draft, _| turn(draft, Side::Timed)),
            Act::Turn => self.draft(|draft, _| turn(draft, Side::Back)),
            Act::Pick(option) => self.draft(|draft, question| pick(draft, question, option)),
            Act::Type(text) => self.draft(|draft, _| *draft = Draft::Typed(text)),
            Act::Point(line) => self.draft(|draft, _| *draft = Draft::Line(Some(line))),
            Act::Shift { from, to } => self.draft(|draft, _| shift(draft, from, to)),
            Act::Bin { card, bin } => self.draft(|draft, _| put(draft, card, bin)),
            Act::Reveal | Act::Restart => {}
        }
        None
    }

    /// Changes the answer, which takes the last verdict away.
    fn draft(&mut self, change: impl FnOnce(&mut Draft, &Question)) {
        if !self.may_try() {
            return;
        }
        let paper = &mut self.papers[self.at];
        paper.judged = None;
        self.watched = None;
        change(&mut paper.draft, &self.quiz.questions[paper.question]);
    }

    fn check(&mut self) -> Option<Verdict> {
        if !self.may_check() {
            return None;
        }
        let question = &self.quiz.questions[self.papers[self.at].question];
        let paper = &mut self.papers[self.at];
        let judged = question.judge(&paper.answer(question)?)?;
        let verdict = judged.verdict;
        paper.tries += 1;
        if let Draft::Placed(Some(part)) = paper.draft {
            paper.ran.retain(|(other, _)| *other != part);
            paper.ran.push((part, verdict));
        }
        paper.standing = match (paper.standing, verdict) {
            (Standing::Open, Verdict::Right) => Standing::AtOnce,
            (Standing::Missed, Verdict::Right) => Standing::Later,
            (Standing::Open | Standing::Missed, Verdict::Wrong) => Standing::Missed,
            (over, _) => over,
        };
        paper.judged = Some(judged);
        self.watched = match (question.timing, &question.run) {
            (Timing::Predict, Some(run)) => Some(Shown::evidence(run)),
            _ => None,
        };
        Some(verdict)
    }

    fn reveal(&mut self) {
        let question = &self.quiz.questions[self.papers[self.at].question];
        let paper = &mut self.papers[self.at];
        let right = question.right_answer();
        paper.judged = question.judge(&right);
        paper.standing = Standing::Shown;
        paper.draft = match right {
            Answer::Picked(options) => Draft::Picked(options),
            Answer::Number(number) => Draft::Typed(scenario::wire::number_text(number)),
            Answer::Order(order) => Draft::Order(order),
            Answer::Sorted(bins) => Draft::Sorted(bins),
            Answer::Placed(part) => Draft::Placed(Some(part)),
            Answer::Line(line) => Draft::Line(Some(line)),
            Answer::Recalled(named) => Draft::Recalled { side: Side::Back, named },
            Answer::Designed { order, picks } => {
                Draft::Designed { order, picks: picks.into_iter().map(Some).collect() }
            }
        };
    }
}

impl Paper {
    fn fresh(at: usize, question: &Question, seed: u64) -> Paper {
        let (draft, count) = match &question.asks {
            Asks::Choice { options, .. } => (Draft::Picked(Vec::new()), options.len()),
            Asks::Number { .. } => (Draft::Typed(String::new()), 0),
            Asks::Order { steps, .. } => {
                let is_right = |order: &[usize]| {
                    let judged = question.judge(&Answer::Order(order.to_vec()));
                    judged.is_some_and(|judged| judged.verdict == Verdict::Right)
                };
                (Draft::Order(unordered(steps.len(), seed, is_right)), steps.len())
            }
            Asks::Sort { cards, .. } => (Draft::Sorted(vec![None; cards.len()]), cards.len()),
            Asks::Fill(fill) => (Draft::Placed(None), fill.parts.len()),
            Asks::Spot(_) => (Draft::Line(None), 0),
            Asks::Recall { .. } => (Draft::Recalled { side: Side::Front, named: Vec::new() }, 0),
            Asks::Design(design) => {
                let beats = design.beats.len();
                let order = unordered(beats, seed, <[usize]>::is_sorted);
                let most = design.beats.iter().map(|beat| beat.options.len()).max();
                (Draft::Designed { order, picks: vec![None; beats] }, most.unwrap_or(0))
            }
        };
        // Where several are right, the options are a list, the same from question to question.
        let shown = match &question.asks {
            Asks::Choice { many: Many::Yes, .. } => (0..count).collect(),
            _ => shuffled(count, seed),
        };
        Paper {
            question: at,
            shown,
            draft,
            tries: 0,
            judged: None,
            hints: 0,
            standing: Standing::Open,
            ran: Vec::new(),
        }
    }

    /// The answer, if there is a whole one.
    #[must_use]
    pub fn answer(&self, question: &Question) -> Option<Answer> {
        match &self.draft {
            Draft::Picked(options) => {
                let any = matches!(question.asks, Asks::Choice { many: Many::Yes, .. });
                (any || !options.is_empty()).then(|| Answer::Picked(options.clone()))
            }
            Draft::Typed(text) => typed_number(text).map(Answer::Number),
            Draft::Order(order) => Some(Answer::Order(order.clone())),
            Draft::Sorted(bins) => {
                bins.iter().all(Option::is_some).then(|| Answer::Sorted(bins.clone()))
            }
            Draft::Placed(part) => part.map(Answer::Placed),
            Draft::Line(line) => line.map(Answer::Line),
            Draft::Recalled { side, named } => {
                (*side == Side::Back).then(|| Answer::Recalled(named.clone()))
            }
            Draft::Designed { order, picks } => {
                let picks = picks.iter().copied().collect::<Option<Vec<usize>>>()?;
                Some(Answer::Designed { order: order.clone(), picks })
            }
        }
    }
}

/// An order of chance that is not a right one, if there is such an order.
fn unordered(count: usize, seed: u64, is_right: impl Fn(&[usize]) -> bool) -> Vec<usize> {
    let mut orders = (0..8).map(|turn| shuffled(count, seed.wrapping_add(turn << 32)));
    orders.find(|order| !is_right(order)).unwrap_or_else(|| (0..count).collect())
}

fn turn(draft: &mut Draft, up: Side) {
    if let Draft::Recalled { side, .. } = draft {
        *side = up;
    }
}

fn pick(draft: &mut Draft, question: &Question, option: usize) {
    let (picked, many) = match draft {
        Draft::Picked(picked) => {
            (picked, matches!(question.asks, Asks::Choice { many: Many::Yes, .. }))
        }
        Draft::Recalled { named, .. } => (named, true),
        _ => return,
    };
    match picked.iter().position(|&other| other == option) {
        Some(at) if many => {
            picked.remove(at);
        }
        Some(_) => {}
        None if many => picked.push(option),
        None => *picked = vec![option],
    }
}

fn shift(draft: &mut Draft, from: usize, to: usize) {
    let (Draft::Order(order) | Draft::Designed { order, .. }) = draft else { return };
    if from < order.len() && to < order.len() {
        let step = order.remove(from);
        order.insert(to, step);
    }
}

fn put(draft: &mut Draft, card: usize, bin: usize) {
    let (Draft::Sorted(bins) | Draft::Designed { picks: bins, .. }) = draft else { return };
    if let Some(place) = bins.get_mut(card) {
        *place = Some(bin);
    }
}
