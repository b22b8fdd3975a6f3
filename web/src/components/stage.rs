//! The stage: the map of the run, wide or tall. The stylesheet shows the one that the exhibit's
//! own width has room for.

use std::rc::Rc;

use broker::MessageId;
use player::Frame;
use scenario::ComponentId;
use sim::SimTime;
use yew::prelude::*;

use crate::map::{Map, Painter, Shape, plan};
use crate::state::{Act, Inspected};
use crate::words::{Names, Words};

/// What the stage shows.
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct StageProps {
    /// The catalogue.
    pub words: Words,
    /// The scenario, and what its parts are called.
    pub names: Names,
    /// The frame.
    pub frame: Rc<Frame>,
    /// The scene in words: the name of the picture.
    pub label: AttrValue,
    /// The message that is followed.
    pub followed: Option<MessageId>,
    /// What is inspected.
    pub inspected: Option<Inspected>,
    /// The workers whose handler can be put into another order.
    pub reorder: Option<ComponentId>,
    /// What the painter moves.
    pub places: StagePlaces,
    /// Where acts go.
    pub on: Callback<Act>,
    /// What the map has to say in a live region.
    pub on_say: Callback<String>,
}

/// The painters of the two layouts.
#[derive(Clone, Default, PartialEq)]
pub struct StagePlaces {
    wide: Painter,
    tall: Painter,
}

impl std::fmt::Debug for StagePlaces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StagePlaces")
    }
}

impl StagePlaces {
    /// Puts what moves where it is at a moment.
    pub fn paint(&self, now: SimTime) {
        self.wide.paint(now);
        self.tall.paint(now);
    }
}

/// The map.
#[component]
pub fn Stage(props: &StageProps) -> Html {
    let plans = use_memo(props.names.clone(), |names| {
        let made = |shape| Rc::new(plan(names.scenario(), shape));
        [(Shape::Wide, made(Shape::Wide)), (Shape::Tall, made(Shape::Tall))]
    });
    let selected = match props.inspected {
        Some(Inspected::Component(component)) => Some(component),
        _ => None,
    };
    let on_message = props.on.reform(|message| Act::Inspect(Some(Inspected::Message(message))));
    let on_component = props.on.reform(|part| Act::Inspect(Some(Inspected::Component(part))));
    let on_reorder = props.on.reform(|(_, from, to): (ComponentId, scenario::StepIndex, usize)| {
        Act::Reorder { from: from.index(), to }
    });
    html! {
        <div class="exhibit__stage">
            { for plans.iter().map(|(shape, plan)| html! {
                <Map
                    frame={Rc::clone(&props.frame)}
                    plan={Rc::clone(plan)}
                    words={props.words.clone()}
                    label={props.label.clone()}
                    followed={props.followed}
                    selected={selected}
                    reorder={props.reorder}
                    painter={match shape {
                        Shape::Wide => props.places.wide.clone(),
                        Shape::Tall => props.places.tall.clone(),
                    }}
                    on_message={on_message.clone()}
                    on_component={on_component.clone()}
                    on_reorder={on_reorder.clone()}
                    on_say={props.on_say.clone()}
                />
            }) }
        </div>
    }
}
