//! The map as a component.

use std::rc::Rc;

use broker::MessageId;
use player::Frame;
use scenario::{ComponentId, StepIndex};
use web_sys::Element;
use yew::prelude::*;

use super::draw::{Mode, Scene, picture};
use super::hands::{Hands, Pointer, focused, refocus};
use super::layout::{Plan, Shape, num};
use super::mark::Mark;
use super::motion::motions;
use super::painter::Painter;
use crate::words::Words;

/// What a map shows, and who hears what is done on it.
#[derive(Clone, Properties)]
pub struct MapProps {
    /// What is.
    pub frame: Rc<Frame>,
    /// Where everything is: [`super::layout::plan`] of the scenario, made once.
    pub plan: Rc<Plan>,
    /// The catalogue.
    pub words: Words,
    /// The name of the picture: the scene in words.
    pub label: AttrValue,
    /// The message that is followed.
    #[prop_or_default]
    pub followed: Option<MessageId>,
    /// The component that is looked at.
    #[prop_or_default]
    pub selected: Option<ComponentId>,
    /// Whether it answers to hands.
    #[prop_or(Mode::Live)]
    pub mode: Mode,
    /// The workers whose handler can be reordered.
    #[prop_or_default]
    pub reorder: Option<ComponentId>,
    /// The hand that moves it between two events.
    #[prop_or_default]
    pub painter: Painter,
    /// A message was chosen.
    #[prop_or_default]
    pub on_message: Callback<MessageId>,
    /// A component was chosen.
    #[prop_or_default]
    pub on_component: Callback<ComponentId>,
    /// A line of a handler was put elsewhere: from a place, to a place counted without it.
    #[prop_or_default]
    pub on_reorder: Callback<(ComponentId, StepIndex, usize)>,
    /// Something to say in a live region.
    #[prop_or_default]
    pub on_say: Callback<String>,
}

/// A frame and a plan are made once and shared: the same one is the same place in memory.
impl PartialEq for MapProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.frame, &other.frame)
            && Rc::ptr_eq(&self.plan, &other.plan)
            && self.words == other.words
            && self.label == other.label
            && self.followed == other.followed
            && self.selected == other.selected
            && self.mode == other.mode
            && self.reorder == other.reorder
            && self.painter == other.painter
            && self.on_message == other.on_message
            && self.on_component == other.on_component
            && self.on_reorder == other.on_reorder
            && self.on_say == other.on_say
    }
}

/// The map.
#[component]
pub fn Map(props: &MapProps) -> Html {
    let drawing = use_node_ref();
    let lift = use_state_eq(|| None);
    let pointer = use_mut_ref(Pointer::default);
    let hands =
        Hands { props: props.clone(), drawing: drawing.clone(), lift: lift.clone(), pointer };
    let moving = Rc::new(motions(&props.frame, &props.plan, &props.words));
    // What has the focus now may be drawn as another element in a moment.
    let had_focus = focused(&drawing);
    {
        let (drawing, moving) = (drawing.clone(), Rc::clone(&moving));
        let (painter, now) = (props.painter.clone(), props.frame.now);
        use_effect(move || {
            if let Some(element) = drawing.cast::<Element>() {
                painter.bind(&element, &moving);
                painter.paint(now);
            }
            if let Some(code) = had_focus {
                refocus(&drawing, &code);
            }
        });
    }
    let scene = Scene {
        plan: &props.plan,
        frame: &props.frame,
        words: &props.words,
        motions: &moving,
        followed: props.followed,
        selected: props.selected,
        mode: props.mode,
        reorder: props.reorder,
        lift: *lift,
    };
    let (width, height) = (num(props.plan.width), num(props.plan.height));
    let class = match props.plan.shape {
        Shape::Wide => "map only-wide",
        Shape::Tall => "map only-narrow",
    };
    let view_box = ["0 0 ", &width, " ", &height].concat();
    let content = picture(&scene);
    if props.mode == Mode::Still {
        return Mark::new("svg")
            .class(class)
            .set("viewBox", view_box)
            .set("width", width)
            .set("height", height)
            .set("role", "img")
            .set("aria-label", props.label.clone())
            .all(content)
            .html();
    }
    let on = |act: fn(&Hands, &PointerEvent)| {
        let hands = hands.clone();
        Callback::from(move |event: PointerEvent| act(&hands, &event))
    };
    let (clicked, keyed) = (hands.clone(), hands.clone());
    html! {
        <svg
            {class}
            viewBox={view_box}
            {width}
            {height}
            role="group"
            aria-label={props.label.clone()}
            ref={drawing}
            onclick={Callback::from(move |event: MouseEvent| clicked.click(&event))}
            onkeydown={Callback::from(move |event: KeyboardEvent| keyed.key(&event))}
            onpointerdown={on(Hands::down)}
            onpointermove={on(Hands::moved)}
            onpointerup={on(Hands::up)}
            onpointercancel={on(Hands::up)}
        >
            { for content }
        </svg>
    }
}
