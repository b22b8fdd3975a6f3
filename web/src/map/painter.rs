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

/// The paths that show a crowd, by key.
struct BoundCrowd {
    crowd: Rc<Crowd>,
    paths: [Option<Element>; KEYS],
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

    /// Puts everything it holds where it is at a time.
    pub fn paint(&self, now: SimTime) {
        if let Some(BoundCrowd { crowd, paths }) = &*self.crowd.borrow() {
            for (path, d) in paths.iter().zip(crowd.paths(now)) {
                if let Some(path) = path {
                    // As below: a name of ours is never refused.
                    let _ = path.set_attribute("d", &d);
                }
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
