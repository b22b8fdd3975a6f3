//! What is derived from a whole run and kept until the run changes.

use std::ops::Range;
use std::rc::Rc;

use broker::MessageId;
use player::{Gauge, Life, Player, Series};
use scenario::ComponentId;

use super::sequence::shape;

/// The positions in the trace of what travels, and the components that take part.
pub type Hops = (Rc<[u32]>, Rc<[ComponentId]>);

/// Series and lives of a run, each computed when first asked for.
#[derive(Debug, Default)]
pub struct Derived {
    of: Option<(u64, usize)>,
    series: Vec<(Gauge, Series)>,
    life: Option<Life>,
    lives: Option<(Range<u32>, Rc<[Life]>)>,
    hops: Option<Hops>,
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

    /// The lives of the messages at these positions.
    pub fn lives(&mut self, player: &Player, positions: Range<u32>) -> Rc<[Life]> {
        match &self.lives {
            Some((of, lives)) if *of == positions => Rc::clone(lives),
            _ => {
                let lives: Rc<[Life]> = player.lives(positions.clone()).into();
                self.lives = Some((positions, Rc::clone(&lives)));
                lives
            }
        }
    }

    /// The positions in the trace of what a sequence shows, and the components that take part.
    pub fn hops(&mut self, player: &Player) -> Hops {
        let (hops, lanes) = self.hops.get_or_insert_with(|| {
            let (trace, scenario) = (player.trace(), player.scenario());
            let mut seen = vec![false; scenario.components.len()];
            let mut hops = Vec::new();
            for index in 0..trace.len() {
                let Some(shape) = shape(scenario, trace, index) else { continue };
                shape.ends().into_iter().for_each(|end| seen[end.index()] = true);
                hops.push(u32::try_from(index).unwrap_or(u32::MAX));
            }
            let lanes = scenario.ids().map(|(id, _)| id).filter(|id| seen[id.index()]);
            (hops.into(), lanes.collect())
        });
        (Rc::clone(hops), Rc::clone(lanes))
    }

    /// The life of a message.
    pub fn life(&mut self, player: &Player, message: MessageId) -> &Life {
        if self.life.as_ref().is_none_or(|life| life.message != message) {
            self.life = None;
        }
        self.life.get_or_insert_with(|| player.life(message))
    }
}
