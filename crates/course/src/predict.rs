//! A prediction: a question about the run of an exhibit, asked before it is played.
//!
//! What the right answer is follows from the run: `shows` are claims about it, which the linter
//! checks, and the answer to a question for a number is one of the numbers claimed.

use player::Player;
use scenario::limits;
use scenario::wire::Reader;
use sim::SimTime;

use crate::context::{Context, all};
use crate::quiz::{Asks, Many, Question, lone_question};
use crate::{Claim, FactOutcome};

/// A question about the run, asked before it is played.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The question: one of several options, or a number.
    pub question: Question,
    /// The moment from which on the run has shown the answer.
    pub at: SimTime,
    /// What the run shows, so that the answer is right.
    pub shows: Vec<Claim>,
}

impl Prediction {
    #[inline(never)]
    pub(crate) fn read(reader: &Reader<'_>, context: &Context<'_>) -> Option<Self> {
        let mut record = reader.record()?;
        let at = record.required("at").and_then(|r| r.time());
        let asked = record.required("question");
        let question = asked.as_ref().and_then(lone_question);
        let shows = record.required("shows").and_then(|r| read_claims(&r, context));
        record.finish();
        let question = question?;
        if !matches!(question.asks, Asks::Choice { many: Many::No, .. } | Asks::Number { .. }) {
            let repair = "ask for a “choice” of one option, or for a “number”";
            asked?.error("a prediction is one line, and this is more", repair);
            return None;
        }
        Some(Self { question, at: at?, shows: shows? })
    }

    /// What is wrong with it in the run as it comes, and how that is repaired.
    #[must_use]
    pub fn faults(&self, player: &Player) -> Vec<(String, &'static str)> {
        let mut all = Vec::new();
        if self.at > player.end() {
            all.push(("the run is over before that moment".into(), "name an earlier one"));
        }
        for claim in &self.shows {
            if let FactOutcome::Differs { claimed, found } = claim.check(player) {
                all.push((
                    format!("claimed: {claimed}; found: {found}"),
                    "claim what the run shows",
                ));
            }
        }
        let claims = |number: f64| {
            let of = |claim: &Claim| match claim {
                Claim::Reads { is, .. } => (is - number).abs() < 1e-9,
                Claim::Times { is, .. } => (f64::from(*is) - number).abs() < 1e-9,
                Claim::Happens { .. } | Claim::Property { .. } => false,
            };
            self.shows.iter().any(of)
        };
        if let Asks::Number { answer, .. } = self.question.asks
            && !claims(answer)
        {
            all.push(("nothing claims the answer".into(), "claim the number in “shows”"));
        }
        all
    }
}

/// Claims are held by the linter, which runs natively, as facts are.
fn read_claims(reader: &Reader<'_>, context: &Context<'_>) -> Option<Vec<Claim>> {
    if cfg!(target_arch = "wasm32") {
        return Some(Vec::new());
    }
    let claims = all(Some(reader.clone()), limits::PIECES, |r| {
        let mut record = r.record()?;
        let claim = Claim::read(&mut record, context);
        record.finish();
        claim
    })?;
    if claims.is_empty() {
        reader.error("nothing holds the answer", "claim what the run shows");
        return None;
    }
    Some(claims)
}
