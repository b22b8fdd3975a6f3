//! A prediction: the question that an exhibit asks before it is played, in a learner's hands.

use course::quiz::{Answer, Asks, Question, Verdict};
use scenario::link::RunState;

use super::{Act, Session};
use crate::words::{Words, clock};

/// A prediction in the making, or made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guess {
    /// How far it is.
    pub stage: Stage,
    /// The option that is picked.
    pub picked: Option<usize>,
    /// What was typed.
    pub typed: String,
}

/// How far a prediction is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// It is offered, in one line.
    #[default]
    Offered,
    /// The question stands open.
    Asked,
    /// It is made.
    Made,
    /// It is not wanted.
    Skipped,
}

/// What is shown of a prediction.
#[derive(Clone, Debug, PartialEq)]
pub enum Foretold {
    /// It may be made.
    Open {
        /// Whether the question stands open.
        stage: Stage,
        /// Whether there is an answer to be taken.
        ready: bool,
    },
    /// It is made, and the run has not come so far.
    Waiting {
        /// What was said, and until when it waits.
        said: String,
    },
    /// What was said stands beside what happened.
    Judged {
        /// What was said.
        said: String,
        /// Whether it is so; nothing about a run that is not the one that was asked about.
        verdict: Option<Verdict>,
        /// What happened, and why.
        happened: Vec<String>,
    },
}

impl Session {
    /// Whether the question is still to be answered or put away: before the run is played, and of
    /// the run that it is about.
    #[must_use]
    #[inline(never)]
    pub fn asks_first(&self) -> bool {
        let Some((predict, guess)) = self.exhibit.predict.as_ref().zip(self.guess.as_ref()) else {
            return false;
        };
        let open = matches!(guess.stage, Stage::Offered | Stage::Asked);
        open && self.now < predict.at && self.is_as_it_came()
    }

    /// The question, and how far its answer is.
    #[must_use]
    pub fn prediction(&self) -> Option<(&Question, &Guess)> {
        let (predict, guess) = self.exhibit.predict.as_deref().zip(self.guess.as_deref())?;
        Some((&predict.question, guess))
    }

    /// Something done about the question.
    #[inline(never)]
    pub(super) fn foretell(&mut self, act: Act) {
        match act {
            Act::Predict => self.open_question(),
            Act::AskFirst => self.change_guess(|guess| guess.stage = Stage::Asked),
            Act::Guess(at) => self.change_guess(|guess| guess.picked = Some(at)),
            Act::GuessNumber(typed) => self.change_guess(|guess| guess.typed = typed),
            Act::SkipGuess => self.change_guess(|guess| guess.stage = Stage::Skipped),
            Act::CommitGuess => self.predict(),
            _ => {}
        }
    }

    /// Opens the question, or folds it up again.
    fn open_question(&mut self) {
        if let Some(guess) = self.guess.as_mut() {
            guess.stage = match guess.stage {
                Stage::Asked => Stage::Offered,
                Stage::Offered | Stage::Skipped => Stage::Asked,
                Stage::Made => Stage::Made,
            };
        }
    }

    fn change_guess(&mut self, change: impl FnOnce(&mut Guess)) {
        if let Some(guess) = self.guess.as_mut().filter(|guess| guess.stage != Stage::Made) {
            change(guess);
        }
    }

    /// The answer as it stands, if it is a whole one.
    fn answer(&self) -> Option<Answer> {
        let (predict, guess) = self.exhibit.predict.as_ref().zip(self.guess.as_ref())?;
        match &predict.question.asks {
            Asks::Choice { .. } => Some(Answer::Picked(vec![guess.picked?])),
            Asks::Number { .. } => number(&guess.typed).map(Answer::Number),
            _ => None,
        }
    }

    /// Takes the answer as it stands.
    fn predict(&mut self) {
        if self.answer().is_some() {
            self.change_guess(|guess| guess.stage = Stage::Made);
        }
    }

    /// Whether the run is the one that the exhibit came with.
    fn is_as_it_came(&self) -> bool {
        let RunState { seed, changes, interventions, .. } = self.run_state();
        seed.is_none() && changes.is_empty() && interventions.is_empty()
    }
}

/// A number as people write it.
fn number(typed: &str) -> Option<f64> {
    let plain: String = typed.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
    plain.parse().ok().filter(|number: &f64| number.is_finite())
}

/// What is shown of the prediction at the playhead. `None` if there is none, or it is put away, or
/// the run has shown the answer to somebody who had not been asked, or is another one.
#[must_use]
#[inline(never)]
pub fn foretold(session: &Session, words: &Words) -> Option<Foretold> {
    let (predict, guess) = session.exhibit.predict.as_ref().zip(session.guess.as_ref())?;
    match guess.stage {
        Stage::Skipped => return None,
        stage @ (Stage::Offered | Stage::Asked) => {
            if !session.asks_first() {
                return None;
            }
            return Some(Foretold::Open { stage, ready: session.answer().is_some() });
        }
        Stage::Made => {}
    }
    let answer = session.answer()?;
    let asked = &predict.question;
    let said = words.say("predict.said", &[("said", &in_words(asked, &answer))]);
    if session.now < predict.at {
        let wait = words.say("predict.wait", &[("at", &clock(predict.at))]);
        return Some(Foretold::Waiting { said: [said.as_str(), " ", &wait].concat() });
    }
    if !session.is_as_it_came() {
        let happened = vec![words.text("predict.changed")];
        return Some(Foretold::Judged { said, verdict: None, happened });
    }
    let judged = asked.judge(&answer)?;
    let right = in_words(asked, &asked.right_answer());
    let mut happened = vec![words.say("predict.happened", &[("what", &right)])];
    happened.extend(judged.notes.into_iter().map(|note| note.why));
    if let Asks::Choice { options, .. } = &asked.asks
        && judged.verdict == Verdict::Wrong
    {
        happened.extend(options.iter().filter(|it| it.right).map(|it| it.why.clone()));
    }
    happened.extend(asked.why.clone().filter(|why| !happened.contains(why)));
    Some(Foretold::Judged { said, verdict: Some(judged.verdict), happened })
}

/// An answer as one would say it.
fn in_words(asked: &Question, answer: &Answer) -> String {
    match (&asked.asks, answer) {
        (Asks::Choice { options, .. }, Answer::Picked(picked)) => {
            let said = picked.iter().filter_map(|at| options.get(*at));
            said.map(|option| option.say.clone()).collect::<Vec<_>>().join(", ")
        }
        (Asks::Number { unit, .. }, Answer::Number(number)) => {
            [&scenario::wire::number_text(*number), " ", unit.as_str()].concat().trim().to_owned()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{opened, words};

    fn judged(session: &Session) -> (Option<Verdict>, String) {
        match foretold(session, &words()).expect("there is a prediction") {
            Foretold::Judged { said, verdict, happened } => (verdict, said + &happened.join(" ")),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_number_is_judged_when_the_run_has_come_so_far() {
        for (typed, verdict, why) in [
            ("7200", Verdict::Right, "7200"),
            (" 7,100 ", Verdict::Right, "7200"),
            ("0", Verdict::Wrong, "share a key"),
        ] {
            let mut session = opened("hot-lane");
            assert!(session.asks_first());
            session.act(Act::Predict);
            session.act(Act::GuessNumber("many".into()));
            session.act(Act::CommitGuess);
            assert!(session.asks_first(), "that is no number");
            session.act(Act::GuessNumber(typed.into()));
            session.act(Act::CommitGuess);
            assert!(!session.asks_first());
            let shown = foretold(&session, &words());
            assert!(matches!(shown, Some(Foretold::Waiting { .. })), "{shown:?}");
            session.act(Act::ToEnd);
            let (found, said) = judged(&session);
            assert_eq!(found, Some(verdict), "{typed}");
            assert!(said.contains(why), "{said}");
        }
    }

    #[test]
    fn a_choice_says_why_it_is_wrong_and_what_is_right() {
        let mut session = opened("retry-storm");
        session.act(Act::Predict);
        session.act(Act::Guess(0));
        session.act(Act::CommitGuess);
        session.act(Act::ToEnd);
        let (found, said) = judged(&session);
        assert_eq!(found, Some(Verdict::Wrong));
        for part in ["All 300", "Twenty", "five answers each"] {
            assert!(said.contains(part), "{said}");
        }
    }

    #[test]
    fn nothing_is_judged_of_a_run_that_was_changed() {
        let mut session = opened("retry-storm");
        session.act(Act::Guess(2));
        session.act(Act::CommitGuess);
        session.act(Act::SetSeed(99));
        session.act(Act::ToEnd);
        assert_eq!(judged(&session).0, None);
        session.act(Act::Reset);
        session.act(Act::ToEnd);
        assert_eq!(judged(&session).0, Some(Verdict::Right));
    }

    #[test]
    fn who_skips_is_asked_no_more_and_who_has_seen_is_not_asked() {
        let mut session = opened("ack-line");
        session.act(Act::SkipGuess);
        assert!(!session.asks_first());
        assert_eq!(foretold(&session, &words()), None);
        let mut session = opened("ack-line");
        session.act(Act::ToEnd);
        assert!(!session.asks_first());
        assert_eq!(foretold(&session, &words()), None);
        let none = opened("event-life");
        assert!(!none.asks_first());
    }
}
