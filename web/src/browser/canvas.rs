//! Dots on a canvas that lies over a picture. Moving them costs no more than the dots; to move as many
//! in the picture makes a browser lay out and paint all that they lie on, with each of its frames.

use scenario::wire::parse_number;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement, ImageBitmap};
use yew::NodeRef;

use super::js::Js;

/// A canvas over a picture. It is cheap until it is laid somewhere.
#[derive(Default)]
pub struct Canvas {
    /// The element in the page, as whoever draws the page has it.
    pub place: NodeRef,
    brush: Option<Brush>,
}

/// How a dot is painted.
#[derive(PartialEq)]
struct Ink {
    colour: String,
    /// In pixels of the canvas.
    radius: f64,
}

/// What dots are painted with.
struct Brush {
    element: HtmlCanvasElement,
    pen: CanvasRenderingContext2d,
    /// A dot of each kind, to be put down as often as there are some.
    stamps: Vec<ImageBitmap>,
    inks: Vec<Ink>,
    /// How many of the canvas's pixels one of the picture's units is.
    scale: f64,
    /// Where on the canvas the picture begins, in pixels.
    left: f64,
    top: f64,
}

impl Canvas {
    /// Looks where on the canvas a picture of this width lies, and which lines of it dots are like.
    pub fn lie_over(&mut self, picture: &Element, width: f64, like: &[Option<Element>]) {
        let Some(element) = self.place.cast::<HtmlCanvasElement>() else {
            self.brush = None;
            return;
        };
        if self.brush.as_ref().is_none_or(|brush| brush.element != element) {
            self.brush = Brush::of(element);
        }
        if let Some(brush) = &mut self.brush {
            brush.lie_over(picture, width, like);
        }
    }

    /// Whether it lies over a picture: the one in the page does, which may be another than before.
    #[must_use]
    pub fn lies(&self) -> bool {
        self.brush.as_ref().is_some_and(|brush| {
            !brush.stamps.is_empty() && self.place.cast().as_ref() == Some(&brush.element)
        })
    }

    /// Takes all dots away.
    pub fn clear(&self) {
        if let Some(Brush { element, pen, .. }) = &self.brush {
            pen.clear_rect(0.0, 0.0, element.width().into(), element.height().into());
        }
    }

    /// Puts a dot like the nth line at a place in the picture.
    pub fn dot(&self, n: usize, x: f64, y: f64) {
        let Some(brush) = &self.brush else { return };
        let Some(stamp) = brush.stamps.get(n) else { return };
        let middle = f64::from(stamp.width()) / 2.0;
        let (x, y) = (brush.left + x * brush.scale - middle, brush.top + y * brush.scale - middle);
        // A canvas of ours is never refused.
        let _ = brush.pen.draw_image_with_image_bitmap(stamp, x, y);
    }
}

impl Brush {
    fn of(element: HtmlCanvasElement) -> Option<Brush> {
        let pen = element.get_context("2d").ok().flatten()?.dyn_into().ok()?;
        let (stamps, inks) = (Vec::new(), Vec::new());
        Some(Brush { element, pen, stamps, inks, scale: 0.0, left: 0.0, top: 0.0 })
    }

    fn lie_over(&mut self, picture: &Element, width: f64, like: &[Option<Element>]) {
        let Some(window) = web_sys::window() else { return };
        let (own, map) =
            (self.element.get_bounding_client_rect(), picture.get_bounding_client_rect());
        let pixels = window.device_pixel_ratio();
        // To set a size wipes the canvas, whatever it was.
        let size = [own.width(), own.height()].map(|length| (length * pixels).round() as u32);
        if size != [self.element.width(), self.element.height()] {
            self.element.set_width(size[0]);
            self.element.set_height(size[1]);
        }
        self.left = (map.left() - own.left()) * pixels;
        self.top = (map.top() - own.top()) * pixels;
        self.scale = map.width() * pixels / width;
        let ink = |line: &Element| {
            // The values of the stylesheet's variables would depend on the theme still.
            let style = window.get_computed_style(line).ok().flatten()?;
            let broad = style.get_property_value("stroke-width").ok()?;
            let broad = parse_number(broad.trim_end_matches("px"))?;
            let colour = style.get_property_value("stroke").ok()?;
            Some(Ink { colour, radius: broad / 2.0 * self.scale })
        };
        let inks: Vec<Ink> = like.iter().flatten().filter_map(ink).collect();
        if inks != self.inks {
            self.stamps = inks.iter().filter_map(stamp).collect();
            self.inks = inks;
        }
    }
}

/// A dot in the middle of a picture of its own. One that cannot change is put down much faster than a
/// canvas; a browser that has none makes do with the dots of the map.
fn stamp(ink: &Ink) -> Option<ImageBitmap> {
    // A pixel of room on each side is for the smooth edge.
    let side = 2.0 * (ink.radius.ceil() + 1.0);
    let canvas = Js::global("OffscreenCanvas").make(&[side.into(), side.into()]).ok()?;
    let pen = canvas.call("getContext", &["2d".into()]).ok()?;
    pen.set("fillStyle", ink.colour.as_str());
    let circle = [side / 2.0, side / 2.0, ink.radius, 0.0, std::f64::consts::TAU];
    pen.call("arc", &circle.map(Into::into)).ok()?;
    pen.call("fill", &[]).ok()?;
    canvas.call("transferToImageBitmap", &[]).ok()?.0.dyn_into().ok()
}
