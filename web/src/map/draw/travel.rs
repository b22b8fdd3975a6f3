//! What is on its way along the lines.

use player::{Travel, TravelKind};
use yew::prelude::*;

use super::{Meaning, Placed, Scene, Size};
use crate::map::layout::at;
use crate::map::mark::group;
use crate::map::motion::Part;
use crate::token::Look;
use player::MessageState;

/// Every message, copy, call and ack that is between two places.
pub fn travels(scene: &Scene) -> Html {
    group("").all(scene.frame.travels.iter().filter_map(|travel| token(scene, travel))).html()
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
