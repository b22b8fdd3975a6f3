//! The hand that moves what moves: sets attributes directly, once for each frame of animation.
//!
//! The drawing is made anew only when an event has passed. Between two events the painter holds the
//! elements that the motions name, and writes each value that has changed.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use sim::SimTime;
use web_sys::Element;
use web_sys::wasm_bindgen::JsCast;

use super::crowd::{Crowd, KEYS};
use super::motion::{Motion, Motions};
use crate::browser::Canvas;

/// A painter in hand: cheap to clone, equal only to itself.
#[derive(Clone, Default)]
pub struct Painter {
    bound: Rc<RefCell<Vec<Bound>>>,
    crowd: Rc<RefCell<Option<BoundCrowd>>>,
}

impl PartialEq for Painter {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.bound, &other.bound)
    }
}

impl fmt::Debug for Painter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Painter").field("bound", &self.bound.borrow().len()).finish()
    }
}

struct Bound {
    element: Element,
    motion: Motion,
    written: String,
}

/// What shows a crowd: in a picture that stands, a path for each key; in one that moves, a canvas.
struct BoundCrowd {
    crowd: Rc<Crowd>,
    paths: [Option<Element>; KEYS],
}

impl BoundCrowd {
    fn put_on(&self, canvas: &Canvas, now: SimTime) {
        for path in self.paths.iter().flatten().filter(|path| path.has_attribute("d")) {
            // As below: a name of ours is never refused.
            let _ = path.remove_attribute("d");
        }
        self.crowd.each(now, |key, point| canvas.dot(key, point.x, point.y));
    }

    fn put_in_picture(&self, now: SimTime) {
        for (path, d) in self.paths.iter().zip(self.crowd.paths(now)) {
            if let Some(path) = path {
                // As below: a name of ours is never refused.
                let _ = path.set_attribute("d", &d);
            }
        }
    }
}

impl Painter {
    /// Takes hold of what moves in a drawing. What it held before is let go.
    pub fn bind(&self, drawing: &Element, motions: &Motions) {
        let mut bound = self.bound.borrow_mut();
        bound.clear();
        *self.crowd.borrow_mut() = motions.crowd.as_ref().map(|crowd| BoundCrowd {
            crowd: Rc::clone(crowd),
            paths: std::array::from_fn(|key| {
                let name = ["[data-crowd='", &key.to_string(), "']"].concat();
                drawing.query_selector(&name).ok().flatten()
            }),
        });
        let Ok(named) = drawing.query_selector_all("[data-m]") else { return };
        for i in 0..named.length() {
            let Some(element) = named.get(i).and_then(|node| node.dyn_into::<Element>().ok())
            else {
                continue;
            };
            let name = element.get_attribute("data-m").unwrap_or_default();
            if let Some(motion) = motions.named(&name) {
                bound.push(Bound { element, motion: motion.clone(), written: String::new() });
            }
        }
    }

    /// Lays the canvas over the drawing, which is so wide in its own units, if that has a crowd.
    pub fn lay_over(&self, drawing: &Element, width: f64, canvas: &mut Canvas) {
        if let Some(BoundCrowd { paths, .. }) = &*self.crowd.borrow() {
            canvas.lie_over(drawing, width, paths);
        }
    }

    /// Puts everything it holds where it is at a time: a crowd on the canvas, if there is one.
    pub fn paint(&self, now: SimTime, canvas: Option<&Canvas>) {
        if let Some(crowd) = &*self.crowd.borrow() {
            match canvas {
                Some(canvas) => crowd.put_on(canvas, now),
                None => crowd.put_in_picture(now),
            }
        }
        for bound in self.bound.borrow_mut().iter_mut() {
            let value = bound.motion.value(now);
            if value == bound.written {
                continue;
            }
            match bound.motion.change.attribute() {
                // The names are ours and valid, so the browser has nothing to refuse.
                Some(name) => drop(bound.element.set_attribute(name, &value)),
                None => {
                    if let Some(text) = bound.element.first_child() {
                        text.set_node_value(Some(&value));
                    }
                }
            }
            bound.written = value;
        }
    }
}
