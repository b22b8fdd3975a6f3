//! Those who compute many runs beside the page, each in a worker. They take runs by their seeds and say
//! what came of them; the page goes on with others meanwhile. Where no worker can start, the page does
//! all of it.

use std::sync::atomic::{AtomicU32, Ordering};

use js_sys::{Array, Reflect};
use wasm_bindgen::JsValue;
use yew::prelude::*;

use super::{App, AppProps};
use crate::asked::Asked;
use crate::browser::{Hand, Word, hands};
use crate::state::Session;

/// A worker has at most so many runs, so that it need not wait for the page between two of them.
const GIVEN: usize = 4;

/// Tells a crew from those before it, some of whose words may still be on their way.
static TURN: AtomicU32 = AtomicU32::new(0);

/// All of them, for one sweep.
pub(super) struct Crew {
    turn: u32,
    hands: Vec<Option<Member>>,
}

/// One of them.
struct Member {
    hand: Hand,
    /// The seeds of the runs that it has.
    given: Vec<u32>,
    /// Whether it has been told what they are runs of.
    knows: bool,
}

impl App {
    /// Has a crew for as long as there are runs to come.
    #[inline(never)]
    pub(super) fn keep_crew(&mut self, ctx: &Context<App>) {
        if !self.session.as_ref().is_some_and(|session| session.borrow().sweeps()) {
            self.crew = None;
        } else if self.crew.is_none() {
            self.crew = Some(Box::new(hire(ctx)));
        }
    }

    /// Takes in what one of the crew says, and gives it more to do.
    #[inline(never)]
    pub(super) fn hear_crew(
        &mut self,
        ctx: &Context<App>,
        turn: u32,
        at: usize,
        word: Word,
    ) -> bool {
        let Some(session) = &mut self.session else { return false };
        let session = session.get_mut();
        let crew = self.crew.as_mut().filter(|crew| crew.turn == turn);
        let Some(place) = crew.and_then(|crew| crew.hands.get_mut(at)) else { return false };
        let Some(member) = place else { return false };
        if member.hear(ctx, session, word).is_none() {
            member.give_up(session);
            *place = None;
        }
        self.draw_swept(ctx)
    }
}

impl Member {
    /// `None` if nothing more can be expected of it.
    fn hear(&mut self, ctx: &Context<App>, session: &mut Session, word: Word) -> Option<()> {
        match word {
            Word::Ready => {}
            Word::Outcome(seed, outcome) => {
                let at = self.given.iter().position(|given| *given == seed)?;
                if !session.sweep()?.put(seed, outcome) {
                    return None;
                }
                self.given.remove(at);
            }
            Word::Lost => return None,
        }
        let seeds = Array::new();
        let sweep = session.sweep()?;
        while self.given.len() < GIVEN
            && let Some(seed) = sweep.take_seed()
        {
            self.given.push(seed);
            seeds.push(&seed.into());
        }
        if seeds.length() == 0 {
            return Some(());
        }
        let mut fields = vec![("seeds", JsValue::from(seeds))];
        if !std::mem::replace(&mut self.knows, true) {
            let until = sweep.wanted().until.as_micros() as f64;
            let run = session.run_state().encode().ok()?;
            fields.push(("exhibit", ctx.props().exhibit_source()?));
            fields.extend([("run", run.into()), ("until", until.into())]);
        }
        self.hand.tell(&fields).then_some(())
    }

    /// Somebody else does what it has not done.
    fn give_up(&mut self, session: &mut Session) {
        if let Some(sweep) = session.sweep() {
            self.given.drain(..).for_each(|seed| sweep.give_back(seed));
        }
    }
}

impl AppProps {
    fn mounted_with(&self, name: &str) -> Option<JsValue> {
        Reflect::get(self.config.as_ref()?, &name.into()).ok().filter(|it| !it.is_undefined())
    }

    /// The exhibit as it came.
    fn exhibit_source(&self) -> Option<JsValue> {
        self.mounted_with("exhibit")
    }

    /// The page that a link to a run leads to: the exhibit's own, where there is one.
    #[inline(never)]
    pub(super) fn page(&self) -> Option<String> {
        let given = self.mounted_with("attributes")?;
        let is_file = Reflect::has(&given, &"src".into()).unwrap_or_default();
        let id = self.mounted_with("id")?.as_string()?;
        (!is_file).then(|| [self.base().as_str(), "exhibits/", &id, "/"].concat())
    }

    /// Where our files are; empty if that is not known.
    fn base(&self) -> String {
        self.mounted_with("base").and_then(|base| base.as_string()).unwrap_or_default()
    }
}

fn hire(ctx: &Context<App>) -> Crew {
    let turn = TURN.fetch_add(1, Ordering::Relaxed);
    let base = ctx.props().base();
    let count = if base.is_empty() { 0 } else { hands() };
    let start = |at| {
        let link = ctx.link().clone();
        let heard = move |word| link.send_message(Asked::Crew(turn, at, word));
        let hand = Hand::start(&[base.as_str(), "worker.js"].concat(), heard)?;
        Some(Member { hand, given: Vec::new(), knows: false })
    };
    Crew { turn, hands: (0..count).map_while(|at| start(at).map(Some)).collect() }
}
