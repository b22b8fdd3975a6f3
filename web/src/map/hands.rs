//! What hands do on a map: choose, follow, walk by arrow keys, and take a line of a handler to put
//! it elsewhere, by drag, by tap and tap, or by keyboard.

use std::rc::Rc;

use scenario::ComponentId;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, PointerEvent};
use yew::NodeRef;

use super::draw::Goal;
use super::layout::{LINE, Plan};
use super::lift::{Grip, Lift, Way};
use crate::asked::Asked;
use crate::state::{Act, Inspected};
use crate::words::Words;

/// What a pointer is doing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pointer {
    /// It is down on a line of a handler.
    press: Option<Press>,
    /// It has just ended a drag: the click that follows means nothing.
    dragged: Option<()>,
}

/// A pointer that is down on a line of a handler.
#[derive(Clone, Copy, Debug)]
pub struct Press {
    line: usize,
    from_y: f64,
    pointer: i32,
}

/// What hands need to know between two events.
pub struct Hands {
    /// The drawing.
    pub drawing: NodeRef,
    /// The line in hand.
    pub lift: Option<Lift>,
    pointer: Pointer,
    words: Words,
    plan: Option<Rc<Plan>>,
    reorder: Option<ComponentId>,
    /// What is asked because of the event in hand.
    asked: Vec<Asked>,
}

/// How far a pointer may shake before a press becomes a drag, in screen pixels.
const SHAKE: f64 = 4.0;

impl Hands {
    /// Hands that hold nothing.
    #[must_use]
    pub fn new(words: &Words) -> Hands {
        Hands {
            drawing: NodeRef::default(),
            lift: None,
            pointer: Pointer::default(),
            words: words.clone(),
            plan: None,
            reorder: None,
            asked: Vec::new(),
        }
    }

    /// What is drawn now: a plan, and the workers whose handler can be reordered.
    pub fn look(&mut self, plan: &Rc<Plan>, reorder: Option<ComponentId>) {
        self.plan = Some(Rc::clone(plan));
        self.reorder = reorder;
    }

    /// The drawing, if it is in the page.
    #[must_use]
    pub fn drawing(&self) -> Option<Element> {
        self.drawing.cast()
    }

    /// Takes an event. What is asked because of it is all of the answer; an empty list asks for
    /// the map to be drawn anew.
    pub fn heed(&mut self, event: &Event) -> Option<Asked> {
        let before = self.lift;
        match event.type_().as_str() {
            "click" => self.click(event),
            "keydown" => self.key(event.unchecked_ref()),
            "pointerdown" => self.down(event.unchecked_ref()),
            "pointermove" => self.moved(event.unchecked_ref()),
            _ => self.up(event.unchecked_ref()),
        }
        let asked = std::mem::take(&mut self.asked);
        (self.lift != before || !asked.is_empty()).then_some(Asked::All(asked))
    }

    /// A click or a tap.
    fn click(&mut self, event: &Event) {
        if self.pointer.dragged.take().is_some() {
            return;
        }
        match goal_of(event) {
            Some(goal) => self.choose(goal),
            None => self.put_back(),
        }
    }

    /// A key, when something on the map has the focus.
    fn key(&mut self, event: &KeyboardEvent) {
        let Some(goal) = goal_of(event) else { return };
        let key = event.key();
        let done = match (key.as_str(), self.lift) {
            ("ArrowUp", Some(lift)) => self.step(lift, Way::Up),
            ("ArrowDown", Some(lift)) => self.step(lift, Way::Down),
            ("Escape", Some(_)) => {
                self.put_back();
                true
            }
            ("Enter" | " ", Some(lift)) if !matches!(goal, Goal::Gap(_)) => {
                self.drop_line(lift);
                // The focus goes with the line to its new place.
                self.focus_on(Goal::Line(lift.to));
                true
            }
            ("Enter" | " ", _) => {
                self.choose(goal);
                true
            }
            ("ArrowRight" | "ArrowDown", _) => self.walk(event, 1),
            ("ArrowLeft" | "ArrowUp", _) => self.walk(event, -1),
            _ => false,
        };
        if done {
            // The player's own keys are the same ones; here they mean the map.
            event.prevent_default();
            event.stop_propagation();
        }
    }

    /// A pointer comes down.
    fn down(&mut self, event: &PointerEvent) {
        if event.button() != 0 || self.lift.is_some() {
            return;
        }
        if let Some(Goal::Line(line)) = goal_of(event) {
            let from_y = f64::from(event.client_y());
            self.pointer.press = Some(Press { line, from_y, pointer: event.pointer_id() });
        }
    }

    /// A pointer moves.
    fn moved(&mut self, event: &PointerEvent) {
        let Some(press) = self.pointer.press else { return };
        if press.pointer != event.pointer_id() {
            return;
        }
        let by = f64::from(event.client_y()) - press.from_y;
        let lift = match self.lift {
            Some(lift) => lift,
            None if by.abs() > SHAKE => {
                let Some(lift) = self.lifted(press.line, Grip::Pointer) else { return };
                self.capture(press);
                lift
            }
            None => return,
        };
        let down = by / self.scale();
        self.carry(down);
        self.lift = Some(lift.dragged(down / LINE));
    }

    /// A pointer goes up, or is taken away by the browser.
    fn up(&mut self, event: &PointerEvent) {
        let held = self.pointer.press.take();
        if held.is_none_or(|press| press.pointer != event.pointer_id()) {
            return;
        }
        if let Some(lift) = self.lift.filter(|lift| lift.grip == Grip::Pointer) {
            self.pointer.dragged = Some(());
            if event.type_() == "pointerup" {
                self.drop_line(lift);
            } else {
                self.lift = None;
            }
        }
    }

    fn choose(&mut self, goal: Goal) {
        let inspect = |what| Asked::Act(Act::Inspect(Some(what)));
        match goal {
            Goal::Message(id) => self.asked.push(inspect(Inspected::Message(id))),
            Goal::Component(id) => self.asked.push(inspect(Inspected::Component(id))),
            Goal::Line(line) => {
                if self.lift.is_some() {
                    self.put_back();
                } else if let Some(lift) = self.lifted(line, Grip::Picked) {
                    self.lift = Some(lift);
                    self.say("map.say.lifted", lift);
                }
            }
            Goal::Gap(gap) => {
                if let Some(lift) = self.lift {
                    self.drop_line(lift.through_gap(gap));
                }
            }
        }
    }

    fn lifted(&self, line: usize, grip: Grip) -> Option<Lift> {
        let component: ComponentId = self.reorder?;
        let lines = self.plan.as_ref()?.net.lines(component).len();
        (line < lines).then(|| Lift::of(component, line, lines, grip))
    }

    fn step(&mut self, lift: Lift, way: Way) -> bool {
        let lift = lift.stepped(way);
        self.lift = Some(lift);
        self.say("map.say.moved", lift);
        true
    }

    fn drop_line(&mut self, lift: Lift) {
        self.lift = None;
        self.say("map.say.dropped", lift);
        if lift.to != lift.from {
            self.asked.push(Asked::Act(Act::Reorder { from: lift.from, to: lift.to }));
        }
    }

    fn put_back(&mut self) {
        if let Some(lift) = self.lift.take() {
            self.say("map.say.put_back", lift);
        }
    }

    fn say(&mut self, key: &str, lift: Lift) {
        let lines = self.plan.as_ref().map_or(&[][..], |plan| plan.net.lines(lift.component));
        let label = lines.get(lift.from).map_or("", |line| line.label.as_str());
        let (n, of) = ((lift.to + 1).to_string(), lift.lines.to_string());
        let said = self.words.say(key, &[("line", label), ("n", &n), ("of", &of)]);
        self.asked.push(Asked::Say(said));
    }

    /// Moves the focus to the next (or an earlier) element of the same kind.
    fn walk(&self, event: &KeyboardEvent, by: i32) -> bool {
        let (Some(here), Some(drawing)) = (element_of(event), self.drawing.cast::<Element>())
        else {
            return false;
        };
        let code = here.get_attribute("data-go").unwrap_or_default();
        let kind = &code[..code.len().min(1)];
        let query = ["[data-go^='", kind, "'][tabindex]"].concat();
        let Ok(all) = drawing.query_selector_all(&query) else { return false };
        let same = |i: &u32| all.get(*i).is_some_and(|node| here.is_same_node(Some(&node)));
        let Some(position) = (0..all.length()).find(same) else { return false };
        let next = position.checked_add_signed(by).and_then(|next| all.get(next));
        if let Some(next) = next {
            focus(&next.unchecked_into());
        }
        true
    }

    fn focus_on(&self, goal: Goal) {
        if let Some(drawing) = self.drawing.cast::<Element>()
            && let Ok(Some(element)) = drawing.query_selector(&selector(&goal.code()))
        {
            focus(&element);
        }
    }

    fn capture(&self, press: Press) {
        if let Some(drawing) = self.drawing.cast::<Element>() {
            // Refused only if the pointer is up by now, and then there is nothing to capture.
            let _ = drawing.set_pointer_capture(press.pointer);
        }
    }

    /// Lets the line in hand follow the pointer.
    fn carry(&self, down: f64) {
        let Some(drawing) = self.drawing.cast::<Element>() else { return };
        let Ok(lines) = drawing.query_selector_all(".line.is-lifted") else { return };
        let moved = super::layout::translate(super::layout::at(0.0, down));
        for i in 0..lines.length() {
            if let Some(line) = lines.get(i) {
                // A transform of ours is never refused.
                let _ = line.unchecked_into::<Element>().set_attribute("transform", &moved);
            }
        }
    }

    /// Screen pixels for one pixel of the plan.
    fn scale(&self) -> f64 {
        let plan = self.plan.as_ref().map_or(1.0, |plan| plan.height);
        let height = self.drawing.cast::<Element>().map(|d| d.get_bounding_client_rect().height());
        height.map_or(1.0, |height| (height / plan).max(0.01))
    }
}

/// The code of what has the focus in a drawing.
#[must_use]
pub fn focused(drawing: &NodeRef) -> Option<String> {
    let drawing = drawing.cast::<Element>()?;
    let active = active_element(&drawing)?;
    drawing.contains(Some(&active)).then(|| active.get_attribute("data-go")).flatten()
}

/// Gives the focus back to what had it, if drawing anew has taken its element away.
pub fn refocus(drawing: &NodeRef, code: &str) {
    let Some(drawing) = drawing.cast::<Element>() else { return };
    if active_element(&drawing).is_some_and(|active| drawing.contains(Some(&active))) {
        return;
    }
    if let Ok(Some(again)) = drawing.query_selector(&selector(code)) {
        focus(&again);
    }
}

/// The element that can be chosen by this code, and not a copy of it elsewhere.
fn selector(code: &str) -> String {
    ["[data-go='", code, "'][tabindex]"].concat()
}

fn active_element(drawing: &Element) -> Option<Element> {
    let root = drawing.get_root_node();
    match root.dyn_into::<web_sys::ShadowRoot>() {
        Ok(shadow) => shadow.active_element(),
        Err(root) => root.dyn_into::<web_sys::Document>().ok()?.active_element(),
    }
}

fn focus(element: &Element) {
    // An SVG element focuses as an HTML element does; a refusal leaves the focus where it is.
    let _ = element.unchecked_ref::<HtmlElement>().focus();
}

fn element_of(event: &Event) -> Option<Element> {
    event.target()?.dyn_into::<Element>().ok()?.closest("[data-go]").ok()?
}

fn goal_of(event: &Event) -> Option<Goal> {
    Goal::read(&element_of(event)?.get_attribute("data-go")?)
}
