//! Attributes that change while an exhibit is on the page.

use yew::prelude::*;

use super::App;
use super::app::motion;
use super::settings::complaint;
use crate::state::{Act, Speed};

impl App {
    /// An attribute has another value, or none.
    pub(super) fn set(&mut self, ctx: &Context<App>, name: &str, value: Option<&str>) -> bool {
        if let Err(repair) = self.settings.set(name, value) {
            return self.act(ctx, Act::Complain(complaint(name, value.unwrap_or(""), repair)));
        }
        match name {
            // Said by the loader when the element has another width: another map may be shown.
            "size" => self.stage.get_mut().look(),
            "run" => match &self.settings.run {
                Some(run) => self.act(ctx, Act::Restore(run.clone())),
                None => self.act(ctx, Act::Reset),
            },
            "seed" => {
                let own = self.session.as_ref().map(|s| s.borrow().exhibit().scenario.seed);
                match self.settings.seed.or(own) {
                    Some(seed) => self.act(ctx, Act::SetSeed(seed)),
                    None => false,
                }
            }
            "speed" => {
                let own = self.session.as_ref().map(|s| Speed::Times(s.borrow().exhibit().pace));
                match self.settings.speed.or(own) {
                    Some(speed) => self.act(ctx, Act::SetSpeed(speed)),
                    None => false,
                }
            }
            "motion" => {
                let motion = motion(&self.settings);
                if let Some(session) = &mut self.session {
                    session.get_mut().show_motion(motion);
                }
                true
            }
            "step" => {
                if let Some(step) = self.settings.step {
                    self.begin_at_beat(ctx, step);
                }
                true
            }
            _ => true,
        }
    }
}
