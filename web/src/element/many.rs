//! Many runs and many crashes, a few milliseconds of them at a time.

use player::Progress;
use yew::prelude::*;

use super::App;
use crate::asked::Asked;
use crate::browser::{Later, now_ms};
use crate::state::{many, matrix};

/// Many runs are computed for so many milliseconds at a time, within a frame.
const SWEEP_MS: f64 = 10.0;

/// What they come to is drawn after so many milliseconds.
const SWEPT_MS: f64 = 250.0;

impl App {
    /// Goes on with many runs, or with the crashes of the matrix, for some milliseconds. What they
    /// come to so far is drawn a few times a second, and said when they are done.
    #[inline(never)]
    pub(super) fn sweep_on(&mut self, ctx: &Context<App>) -> bool {
        self.sweeping = None;
        let Some(session) = &mut self.session else { return false };
        let session = session.get_mut();
        let until = now_ms() + SWEEP_MS;
        let is_sweep = session.sweeps_here() || !session.has_matrix();
        let goes_on = if is_sweep {
            session.sweep_on(|| now_ms() < until) == Progress::Running
        } else {
            session.explore_on(|| now_ms() < until) == explore::Progress::Running
        };
        if is_sweep || goes_on {
            return self.draw_swept(ctx);
        }
        let said = matrix(session, &self.words).map(|shown| shown.sum);
        self.speak(ctx, said.unwrap_or_default());
        true
    }

    /// What came of many runs so far is drawn a few times a second, and said when they are done.
    #[inline(never)]
    pub(super) fn draw_swept(&mut self, ctx: &Context<App>) -> bool {
        let Some(session) = &mut self.session else { return false };
        let session = session.get_mut();
        if session.sweeps() || session.explores() {
            let drawn = now_ms() - self.swept_at >= SWEPT_MS;
            if drawn {
                self.swept_at = now_ms();
            }
            return drawn;
        }
        let said = many(session, &self.words).map(|shown| {
            let n = self.words.number(u64::from(shown.done));
            let first = shown.sentences.first().map_or("", String::as_str);
            self.words.say("many.said", &[("n", &n), ("first", first)])
        });
        self.speak(ctx, said.unwrap_or_default());
        true
    }

    /// Goes on with what was asked for beside the run.
    pub(super) fn keep_sweeping(&mut self, ctx: &Context<App>) {
        if self.crew.is_some() || self.session.as_ref().is_some_and(|s| s.borrow().sweeps()) {
            self.keep_crew(ctx);
        }
        let here = self.session.as_ref().map(|session| session.borrow());
        let more = here.is_some_and(|session| session.sweeps_here() || session.explores());
        if more && self.sweeping.is_none() {
            let link = ctx.link().clone();
            self.sweeping = Later::after(0, move || link.send_message(Asked::Sweep));
        }
    }
}
