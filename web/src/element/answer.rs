//! What there is to say about what came of an act: in writing, in the live region, to the page.

use scenario::Intervention;
use scenario::wire::Diagnostic;

use crate::browser::{Detail, Telling};
use crate::state::{Response, Session, Told, last_said, what};
use crate::words::{Words, capital, clock, unmarked};

/// The answer to something that was done, or that playing came by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// What is written under the player, if anything is.
    pub written: Option<String>,
    /// Whole phrases for the live region.
    pub phrases: Vec<String>,
    /// What the page around the exhibit is told.
    pub tellings: Vec<Telling>,
}

impl Answer {
    /// The answer that these responses make.
    #[must_use]
    pub fn to(words: &Words, session: &Session, responses: Vec<Response>) -> Answer {
        let mut answer = Answer::default();
        for response in responses {
            answer.add(words, session, response);
        }
        answer
    }

    fn add(&mut self, words: &Words, session: &Session, response: Response) {
        match response {
            Response::Say(key, names) => {
                let names: Vec<_> = names.iter().map(|(n, v)| (*n, v.as_str())).collect();
                self.write(words.say(key, &names));
            }
            Response::Did(done) => self.write(told(words, session, "said.done", &done)),
            Response::Undid(done) => self.write(told(words, session, "said.taken_back", &done)),
            Response::Moved => {
                let event = last_said(session, words).unwrap_or_default();
                let at = clock(session.now());
                let names = [("at", at.as_str()), ("event", &event)];
                self.phrases.push(unmarked(&words.say("said.moved", &names)));
            }
            Response::Beat(position) => {
                if let Some(beat) = session.beats().get(position) {
                    self.phrases.push(unmarked(&beat.title));
                    self.tellings.push(progress(beat, session.beats().len()));
                }
            }
            Response::Ended => {
                self.phrases.push(words.text("said.ended"));
                self.tellings.push(Telling::new("inflight-progress").with("ended", Detail::Yes));
            }
            Response::Complete => self.tellings.push(Telling::new("inflight-complete")),
            Response::Wrong(wrong) => {
                let code = if wrong.path.starts_with('/') { "bad-exhibit" } else { "bad-param" };
                self.tellings.push(wrong_thing(code, &wrong));
            }
        }
    }

    fn write(&mut self, text: String) {
        self.phrases.push(text.clone());
        self.written = Some(text);
    }
}

/// What was done to a run, in a sentence.
fn told(words: &Words, session: &Session, key: &str, done: &Intervention) -> String {
    let what = what(words, session.names(), &done.action);
    capital(&words.say(key, &[("what", &what), ("at", &clock(done.at))]))
}

fn progress(beat: &Told, of: usize) -> Telling {
    Telling::new("inflight-progress")
        .text("beat", &beat.id)
        .with("number", Detail::Count(beat.number))
        .with("of", Detail::Count(of))
}

/// The telling of something that is wrong, by its code.
#[must_use]
pub fn wrong_thing(code: &'static str, wrong: &Diagnostic) -> Telling {
    Telling::new("inflight-error")
        .text("code", code)
        .text("path", &wrong.path)
        .text("message", &[&wrong.problem, ": ", wrong.repair.as_str()].concat())
}
