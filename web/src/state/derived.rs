//! What is derived from a whole run and kept until the run changes.

use broker::MessageId;
use player::{Gauge, Life, Player, Series};

/// Series and lives of a run, each computed when first asked for.
#[derive(Debug, Default)]
pub struct Derived {
    of: Option<(u64, usize)>,
    series: Vec<(Gauge, Series)>,
    life: Option<Life>,
}

impl Derived {
    /// Forgets everything that was derived from another run than this.
    pub fn refresh(&mut self, player: &Player) {
        let of = Some((player.version(), player.trace().len()));
        if self.of != of {
            *self = Derived { of, ..Derived::default() };
        }
    }

    /// A gauge over the run.
    pub fn series(&mut self, player: &Player, gauge: Gauge) -> &Series {
        let at = match self.series.iter().position(|(of, _)| *of == gauge) {
            Some(at) => at,
            None => {
                self.series.push((gauge, player.gauge(gauge)));
                self.series.len() - 1
            }
        };
        &self.series[at].1
    }

    /// The life of a message.
    pub fn life(&mut self, player: &Player, message: MessageId) -> &Life {
        if self.life.as_ref().is_none_or(|life| life.message != message) {
            self.life = None;
        }
        self.life.get_or_insert_with(|| player.life(message))
    }
}
