//! What is on its way along the lines.

use player::{Travel, TravelKind};
use yew::prelude::*;

use super::{Meaning, Mode, Placed, Scene, Size};
use crate::map::crowd::{Crowd, KEYS};
use crate::map::layout::{Label, at};
use crate::map::mark::{group, text};
use crate::map::motion::Part;
use crate::markup::el;
use crate::token::Look;
use player::MessageState;

/// Every message, copy, call and ack that is between two places.
pub fn travels(scene: &Scene) -> Html {
    let Some(crowd) = &scene.motions.crowd else {
        return signs(scene, scene.frame.travels.iter());
    };
    let own = |travel: &&Travel| Some(travel.message) == scene.followed;
    group("")
        .with(dots(scene, crowd))
        .with(signs(scene, scene.frame.travels.iter().filter(own)))
        .html()
}

fn signs<'a>(scene: &Scene, travels: impl Iterator<Item = &'a Travel>) -> Html {
    group("").all(travels.filter_map(|travel| token(scene, travel))).html()
}

/// A path for the dots of each key, and how many are on each line. In a live map the painter alone
/// writes the paths, which are long.
#[inline(never)]
fn dots(scene: &Scene, crowd: &Crowd) -> Html {
    let still = (scene.mode == Mode::Still).then(|| crowd.paths(scene.frame.now));
    let path = |key: usize| {
        let class = ["crowd k", &(key + 1).to_string()].concat();
        let d = still.as_ref().map(|paths| paths[key].clone());
        el("path", "").class(class).set("data-crowd", key.to_string()).maybe("d", d).html()
    };
    let counts = crowd.counts().map(|(_, middle, count)| {
        let said = scene.words.number(u64::from(count));
        text("t-num t-halo", &Label::around(middle, 60.0), said).html()
    });
    group("").all((0..KEYS).map(path)).all(counts).html()
}

fn token(scene: &Scene, travel: &Travel) -> Option<Html> {
    let part = Part::Travel(travel.message, travel.kind, travel.worker);
    // What has no line on this map is not drawn.
    scene.motions.of(part)?;
    let (look, size, meaning) = match travel.kind {
        TravelKind::Request | TravelKind::Publish => {
            (Look::State(MessageState::Published), Size::Full, Meaning::Message)
        }
        TravelKind::Delivery => (scene.copy_of(travel.message), Size::Held, Meaning::Copy),
        TravelKind::Call => (scene.copy_of(travel.message), Size::Small, Meaning::Copy),
        TravelKind::Ack => (Look::State(MessageState::Acked), Size::Small, Meaning::Copy),
    };
    let placed = Placed {
        at: at(0.0, 0.0),
        part: Some(part),
        size,
        key: [part.name(), travel.departed.as_micros().to_string()].join("-"),
        meaning,
    };
    scene.token(travel.message, Some(look), &placed)
}
