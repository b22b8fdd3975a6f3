//! What is drawn on the page as a [`Picture`], and a picture as pixels.
//!
//! The shapes, places and colours are read from the page as it is. Painting them onto a canvas asks
//! for no image from anywhere, so that a strict Content-Security-Policy has nothing to refuse.

use web_sys::Element;

use super::js::Js;
use crate::map::layout::num;
use crate::picture::{Drawn, Font, Ink, Order, Picture, Stroke, WidthIn};

/// What is not part of a picture.
const LEFT_OUT: &str = "input, details, select, title, .visually-hidden, .transcript__more";

/// What scrolls, stays in sight or only serves the page, and how it is for a picture.
const UNROLLED: [(&str, &str, &str); 4] = [
    (".timeline__scroll, .sequence__scroll", "max-block-size", "none"),
    (".timeline__scroll, .sequence__scroll", "overflow", "visible"),
    (".timeline__axis, .sequence__heads", "position", "static"),
    (".chart__table", "display", "none"),
];

/// What is drawn inside an element.
///
/// # Errors
/// Why the browser cannot tell, in its words.
pub fn picture(root: &Element) -> Result<Picture, String> {
    let root = Js(root.clone().into());
    for (selector, name, value) in UNROLLED {
        for place in root.call("querySelectorAll", &[selector.into()])?.list() {
            place.get("style").call("setProperty", &[name.into(), value.into()])?;
        }
    }
    let seen = look(&root);
    for (selector, name, _) in UNROLLED {
        for place in root.call("querySelectorAll", &[selector.into()])?.list() {
            place.get("style").call("removeProperty", &[name.into()])?;
        }
    }
    seen
}

fn look(root: &Js) -> Result<Picture, String> {
    let frame = root.call("getBoundingClientRect", &[])?;
    let (left, top) = (frame.num("left"), frame.num("top"));
    let wide = |scrolled: &Js| scrolled.num("scrollWidth");
    let fields = root.call("querySelectorAll", &[".sequence__field".into()])?;
    let width = fields.list().map(|field| wide(&field)).fold(frame.num("width"), f64::max);
    let mut eye = Eye { left: left - MARGIN, top: top - MARGIN, inks: Vec::new() };
    eye.element(root, 1.0)?;
    Ok(Picture {
        width: (width + 2.0 * MARGIN).ceil(),
        height: (frame.num("height") + 2.0 * MARGIN).ceil(),
        ground: ground(root),
        inks: eye.inks,
    })
}

/// The room around what is drawn.
const MARGIN: f64 = 12.0;

/// The colour of the paper that an element lies on.
fn ground(element: &Js) -> String {
    let mut place = element.clone();
    while place.is_there() {
        let colour = style_of(&place).ok().and_then(|style| colour(&style, "background-color"));
        if let Some(colour) = colour {
            return colour;
        }
        place = place.get("parentElement");
    }
    "white".to_owned()
}

fn style_of(element: &Js) -> Result<Js, String> {
    Js(js_sys::global().into()).call("getComputedStyle", std::slice::from_ref(&element.0))
}

fn property(style: &Js, name: &str) -> Option<String> {
    let value = style.call("getPropertyValue", &[name.into()]).ok()?.0.as_string()?;
    (!value.is_empty()).then_some(value)
}

/// A colour, if it is one that is seen.
fn colour(style: &Js, name: &str) -> Option<String> {
    property(style, name)
        .filter(|colour| colour != "none" && colour != "transparent" && !colour.ends_with(", 0)"))
}

fn pixels(style: &Js, name: &str) -> f64 {
    let value = property(style, name).unwrap_or_default();
    scenario::wire::parse_number(value.trim_end_matches("px")).unwrap_or(0.0)
}

/// Looks at elements and notes what they draw.
struct Eye {
    left: f64,
    top: f64,
    inks: Vec<Ink>,
}

impl Eye {
    fn element(&mut self, element: &Js, opacity: f64) -> Result<(), String> {
        let style = style_of(element)?;
        let shown = property(&style, "display").as_deref() != Some("none")
            && property(&style, "visibility").as_deref() != Some("hidden");
        let left_out = element.call("matches", &[LEFT_OUT.into()])?.0.as_bool() == Some(true);
        if !shown || left_out {
            return Ok(());
        }
        let opacity = opacity * pixels(&style, "opacity");
        let in_svg = element.text("namespaceURI").ends_with("svg");
        let name = element.text("localName");
        match (in_svg, name.as_str()) {
            (true, "path" | "rect" | "circle" | "line") => {
                if let Some(d) = path_of(element, &name) {
                    self.shape(element, &style, d, opacity)?;
                }
                return Ok(());
            }
            (true, "text") => return self.letters(element, opacity),
            (true, _) => {}
            (false, _) => self.boxed(element, &style, opacity)?,
        }
        for node in element.get("childNodes").list() {
            match node.num("nodeType") as u32 {
                1 => self.element(&node, opacity)?,
                3 if !in_svg => self.prose(&node, &style, opacity)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn shape(&mut self, element: &Js, style: &Js, d: String, opacity: f64) -> Result<(), String> {
        let ink = Ink {
            drawn: Drawn::Path(d),
            matrix: self.matrix(element)?,
            fill: colour(style, "fill"),
            stroke: stroke(style),
            opacity,
        };
        if ink.fill.is_some() || ink.stroke.is_some() {
            self.inks.push(ink);
        }
        Ok(())
    }

    /// Where the coordinates of an element of a drawing lie.
    fn matrix(&self, element: &Js) -> Result<[f64; 6], String> {
        let matrix = element.call("getScreenCTM", &[])?;
        let mut all = ["a", "b", "c", "d", "e", "f"].map(|name| matrix.num(name));
        all[4] -= self.left;
        all[5] -= self.top;
        Ok(all)
    }

    /// The letters of a text in a drawing, each run in its own look.
    fn letters(&mut self, element: &Js, opacity: f64) -> Result<(), String> {
        let matrix = self.matrix(element)?;
        let mut first = 0;
        for node in element.get("childNodes").list() {
            let said = node.text("textContent");
            let long = said.encode_utf16().count();
            let holder = if node.num("nodeType") == 1.0 { &node } else { element };
            let style = style_of(holder)?;
            let start = element.call("getStartPositionOfChar", &[(first as f64).into()]);
            first += long;
            let Ok(start) = start else { continue };
            let (x, y) = (start.num("x"), start.num("y"));
            self.inks.push(Ink {
                drawn: Drawn::Text { said, x, y, font: font(&style) },
                matrix,
                fill: colour(&style, "fill"),
                stroke: stroke(&style),
                opacity,
            });
        }
        Ok(())
    }

    /// The ground and the edges of a box.
    fn boxed(&mut self, element: &Js, style: &Js, opacity: f64) -> Result<(), String> {
        let frame = element.call("getBoundingClientRect", &[])?;
        let (x, y) = (frame.num("left") - self.left, frame.num("top") - self.top);
        let (w, h) = (frame.num("width"), frame.num("height"));
        if w <= 0.0 {
            return Ok(());
        }
        let mut put = |d: String, fill, stroke| {
            let matrix = [1.0, 0.0, 0.0, 1.0, x, y];
            self.inks.push(Ink { drawn: Drawn::Path(d), matrix, fill, stroke, opacity });
        };
        if let Some(fill) = colour(style, "background-color").filter(|_| h > 0.0) {
            put(rounded(0.0, 0.0, w, h, pixels(style, "border-top-left-radius")), Some(fill), None);
        }
        for (side, from) in [("top", 0.0), ("bottom", h)] {
            let of = |what: &str| ["border-", side, "-", what].concat();
            let width = pixels(style, &of("width"));
            let kind = property(style, &of("style")).unwrap_or_default();
            let Some(colour) = colour(style, &of("color")).filter(|_| width > 0.0) else {
                continue;
            };
            let dashes = match kind.as_str() {
                "dashed" => vec![2.0 * width, 2.0 * width],
                "dotted" => vec![width, width],
                _ => Vec::new(),
            };
            let middle = if side == "top" { from + width / 2.0 } else { from - width / 2.0 };
            let d = ["M0 ", &num(middle), "H", &num(w)].concat();
            let stroke = Stroke {
                colour,
                width,
                dashes,
                cap: "butt".into(),
                join: "miter".into(),
                width_in: WidthIn::Own,
                order: Order::FillFirst,
            };
            put(d, None, Some(stroke));
        }
        Ok(())
    }

    /// A text that lines break: word by word, each where it is.
    fn prose(&mut self, node: &Js, style: &Js, opacity: f64) -> Result<(), String> {
        let said: Vec<u16> = node.text("data").encode_utf16().collect();
        let range = Js::global("document").call("createRange", &[])?;
        let font = font(style);
        let space = |unit: &u16| matches!(*unit, 32 | 10 | 9);
        let mut from = 0;
        while from < said.len() {
            let skip = said[from..].iter().take_while(|unit| space(unit)).count();
            from += skip;
            let to = from + said[from..].iter().take_while(|unit| !space(unit)).count();
            if to == from {
                break;
            }
            for (method, place) in [("setStart", from), ("setEnd", to)] {
                range.call(method, &[node.0.clone(), (place as f64).into()])?;
            }
            let frame = range.call("getBoundingClientRect", &[])?;
            let word = String::from_utf16_lossy(&said[from..to]);
            from = to;
            if frame.num("width") <= 0.0 {
                continue;
            }
            // The baseline of letters in the middle of their line.
            let y = frame.num("top") + frame.num("height") / 2.0 + font.size * 0.35 - self.top;
            let x = frame.num("left") - self.left;
            self.inks.push(Ink {
                drawn: Drawn::Text { said: word, x, y, font: font.clone() },
                matrix: [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
                fill: colour(style, "color"),
                stroke: None,
                opacity,
            });
        }
        Ok(())
    }
}

fn font(style: &Js) -> Font {
    Font {
        family: property(style, "font-family").unwrap_or_default(),
        size: pixels(style, "font-size"),
        weight: property(style, "font-weight").unwrap_or_default(),
    }
}

fn stroke(style: &Js) -> Option<Stroke> {
    let colour = colour(style, "stroke")?;
    let width = pixels(style, "stroke-width");
    let dashes = property(style, "stroke-dasharray").unwrap_or_default();
    let dashes = dashes.split([',', ' ']).filter(|dash| !dash.is_empty());
    let dashes =
        dashes.filter_map(|dash| scenario::wire::parse_number(dash.trim_end_matches("px")));
    let own = property(style, "vector-effect").as_deref() != Some("non-scaling-stroke");
    let halo = property(style, "paint-order").is_some_and(|order| order.starts_with("stroke"));
    (width > 0.0).then(|| Stroke {
        colour,
        width,
        dashes: dashes.collect(),
        cap: property(style, "stroke-linecap").unwrap_or_default(),
        join: property(style, "stroke-linejoin").unwrap_or_default(),
        width_in: if own { WidthIn::Own } else { WidthIn::Pixels },
        order: if halo { Order::StrokeFirst } else { Order::FillFirst },
    })
}

/// A shape as a path, in its own coordinates. Percentages are what they come to.
fn path_of(element: &Js, name: &str) -> Option<String> {
    let text = num;
    let length = |name: &str| element.get(name).get("baseVal").num("value");
    Some(match name {
        "path" => element.call("getAttribute", &["d".into()]).ok()?.0.as_string()?,
        "line" => {
            let [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map(|name| text(length(name)));
            ["M", &x1, " ", &y1, "L", &x2, " ", &y2].concat()
        }
        "circle" => {
            let r = length("r");
            let around = rounded(length("cx") - r, length("cy") - r, 2.0 * r, 2.0 * r, r);
            return (r > 0.0).then_some(around);
        }
        _ => {
            let [x, y, w, h, r] = ["x", "y", "width", "height", "rx"].map(length);
            return (w > 0.0 && h > 0.0).then(|| rounded(x, y, w, h, r));
        }
    })
}

/// A box with rounded corners as a path.
fn rounded(x: f64, y: f64, w: f64, h: f64, r: f64) -> String {
    let text = num;
    let r = r.min(w / 2.0).min(h / 2.0).max(0.0);
    let [along, up] = [w - 2.0 * r, h - 2.0 * r].map(text);
    let [back, down] = [2.0 * r - w, 2.0 * r - h].map(text);
    let radius = text(r);
    let turn = |dx: f64, dy: f64| {
        ["a", &radius, " ", &radius, " 0 0 1 ", &text(dx), " ", &text(dy)].concat()
    };
    let start = ["M", &text(x + r), " ", &text(y)].concat();
    [
        start.as_str(),
        "h",
        &along,
        &turn(r, r),
        "v",
        &up,
        &turn(-r, r),
        "h",
        &back,
        &turn(-r, -r),
        "v",
        &down,
        &turn(r, -r),
        "z",
    ]
    .concat()
}

/// A picture as the bytes of a PNG, two pixels for each of its own.
///
/// # Errors
/// Why the browser paints nothing, in its words.
pub fn png(picture: &Picture) -> Result<Vec<u8>, String> {
    let canvas = Js::global("document").call("createElement", &["canvas".into()])?;
    // Browsers refuse canvases beyond some sixteen thousand pixels.
    let scale = 2.0_f64.min(16_000.0 / picture.height.max(picture.width).max(1.0));
    canvas.set("width", (picture.width * scale).round());
    canvas.set("height", (picture.height * scale).round());
    let brush = canvas.call("getContext", &["2d".into()])?;
    if !brush.is_there() {
        return Err("there is no canvas to paint on".to_owned());
    }
    brush.set("fillStyle", picture.ground.as_str());
    let whole = [0.0, 0.0, picture.width * scale, picture.height * scale];
    brush.call("fillRect", &whole.map(Into::into))?;
    for ink in &picture.inks {
        paint(&brush, ink, scale)?;
    }
    let address = canvas.call("toDataURL", &["image/png".into()])?.0.as_string();
    let bytes = super::files::bytes_of(&address.unwrap_or_default());
    if bytes.is_empty() { Err("the canvas gives back nothing".to_owned()) } else { Ok(bytes) }
}

fn paint(brush: &Js, ink: &Ink, scale: f64) -> Result<(), String> {
    let matrix = ink.matrix.map(|number| number * scale);
    brush.call("setTransform", &matrix.map(Into::into))?;
    brush.set("globalAlpha", ink.opacity);
    let first = ink.stroke.as_ref().is_some_and(|stroke| stroke.order == Order::StrokeFirst);
    if first {
        outline(brush, ink, scale)?;
    }
    if let Some(fill) = &ink.fill {
        brush.set("fillStyle", fill.as_str());
        match &ink.drawn {
            Drawn::Path(d) => {
                let path = Js::global("Path2D").make(&[d.as_str().into()])?;
                brush.call("fill", &[path.0])?;
            }
            Drawn::Text { said, x, y, font } => {
                write(brush, font);
                brush.call("fillText", &[said.as_str().into(), (*x).into(), (*y).into()])?;
            }
        }
    }
    if !first {
        outline(brush, ink, scale)?;
    }
    Ok(())
}

fn write(brush: &Js, font: &Font) {
    let size = scenario::wire::number_text(font.size);
    brush.set("font", [&font.weight, " ", &size, "px ", font.family.as_str()].concat());
}

fn outline(brush: &Js, ink: &Ink, scale: f64) -> Result<(), String> {
    let Some(stroke) = &ink.stroke else { return Ok(()) };
    let grown = if stroke.width_in == WidthIn::Pixels { scale } else { 1.0 };
    brush.set("strokeStyle", stroke.colour.as_str());
    brush.set("lineWidth", stroke.width * grown);
    brush.set("lineCap", stroke.cap.as_str());
    brush.set("lineJoin", stroke.join.as_str());
    let dashes: js_sys::Array =
        stroke.dashes.iter().map(|dash| wasm_bindgen::JsValue::from(dash * grown)).collect();
    brush.call("setLineDash", &[dashes.into()])?;
    match &ink.drawn {
        Drawn::Path(d) if stroke.width_in == WidthIn::Pixels => {
            let path = Js::global("Path2D").make(&[])?;
            let own = Js::global("Path2D").make(&[d.as_str().into()])?;
            let matrix = Js(js_sys::Object::new().into());
            for (name, number) in ["a", "b", "c", "d", "e", "f"].into_iter().zip(ink.matrix) {
                matrix.set(name, number * scale);
            }
            path.call("addPath", &[own.0, matrix.0])?;
            let still = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
            brush.call("setTransform", &still.map(Into::into))?;
            brush.call("stroke", &[path.0])?;
        }
        Drawn::Path(d) => {
            let path = Js::global("Path2D").make(&[d.as_str().into()])?;
            brush.call("stroke", &[path.0])?;
        }
        Drawn::Text { said, x, y, font } => {
            write(brush, font);
            brush.call("strokeText", &[said.as_str().into(), (*x).into(), (*y).into()])?;
        }
    }
    Ok(())
}
