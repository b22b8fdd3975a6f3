//! A drawing as a list of inks, in pixels and in the colours that were seen: what is kept of a view
//! when it leaves the page, where no stylesheet goes with it.

use crate::map::layout::num;

/// A drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// The colour of its ground.
    pub ground: String,
    /// What is drawn, from the back to the front.
    pub inks: Vec<Ink>,
}

/// One thing that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Ink {
    /// What.
    pub drawn: Drawn,
    /// Where its own coordinates lie: the six numbers of an SVG matrix.
    pub matrix: [f64; 6],
    /// The colour that fills it.
    pub fill: Option<String>,
    /// What goes around it.
    pub stroke: Option<Stroke>,
    /// How much of what is behind it is covered, up to 1.
    pub opacity: f64,
}

/// A line or some letters.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawn {
    /// A path as SVG writes it.
    Path(String),
    /// A text that begins at its baseline's left end.
    Text {
        /// The letters.
        said: String,
        /// From the left.
        x: f64,
        /// The baseline, from the top.
        y: f64,
        /// As CSS writes it.
        font: Font,
    },
}

/// How letters look.
#[derive(Clone, Debug, PartialEq)]
pub struct Font {
    /// The families, as CSS writes them.
    pub family: String,
    /// The height, in pixels.
    pub size: f64,
    /// The weight.
    pub weight: String,
}

/// A line around or along something.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub colour: String,
    /// Its width.
    pub width: f64,
    /// Its dashes and gaps; none if it is whole.
    pub dashes: Vec<f64>,
    /// How its ends look.
    pub cap: String,
    /// How its corners look.
    pub join: String,
    /// Whether the width is stretched with the coordinates.
    pub width_in: WidthIn,
    /// Whether it lies behind what it goes around.
    pub order: Order,
}

/// What the width of a line is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WidthIn {
    /// The coordinates of the path.
    Own,
    /// Pixels of the drawing.
    Pixels,
}

/// Which of the two is drawn first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The fill.
    FillFirst,
    /// The stroke: it is a halo.
    StrokeFirst,
}

impl Picture {
    /// The drawing as an SVG document that stands alone.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let (width, height) = (num(self.width), num(self.height));
        let mut out = String::from("<svg xmlns=\"http://www.w3.org/2000/svg\"");
        for (name, value) in [("width", &width), ("height", &height)] {
            put(&mut out, name, value);
        }
        put(&mut out, "viewBox", &["0 0 ", &width, " ", &height].concat());
        out.push_str(">\n<rect");
        for (name, value) in [("width", &width), ("height", &height), ("fill", &self.ground)] {
            put(&mut out, name, value);
        }
        out.push_str("/>\n");
        for ink in &self.inks {
            ink.put(&mut out);
        }
        out.push_str("</svg>\n");
        out
    }
}

impl Ink {
    fn put(&self, out: &mut String) {
        out.push_str(match self.drawn {
            Drawn::Path(_) => "<path",
            Drawn::Text { .. } => "<text",
        });
        let numbers: Vec<String> = self.matrix.iter().map(|number| precise(*number)).collect();
        put(out, "transform", &["matrix(", &numbers.join(" "), ")"].concat());
        put(out, "fill", self.fill.as_deref().unwrap_or("none"));
        if self.opacity < 1.0 {
            put(out, "opacity", &num(self.opacity));
        }
        if let Some(stroke) = &self.stroke {
            put(out, "stroke", &stroke.colour);
            put(out, "stroke-width", &num(stroke.width));
            put(out, "stroke-linecap", &stroke.cap);
            put(out, "stroke-linejoin", &stroke.join);
            if !stroke.dashes.is_empty() {
                let dashes: Vec<String> = stroke.dashes.iter().map(|dash| num(*dash)).collect();
                put(out, "stroke-dasharray", &dashes.join(" "));
            }
            if stroke.width_in == WidthIn::Pixels {
                put(out, "vector-effect", "non-scaling-stroke");
            }
            if stroke.order == Order::StrokeFirst {
                put(out, "paint-order", "stroke");
            }
        }
        match &self.drawn {
            Drawn::Path(d) => {
                put(out, "d", d);
                out.push_str("/>\n");
            }
            Drawn::Text { said, x, y, font } => {
                put(out, "x", &num(*x));
                put(out, "y", &num(*y));
                put(out, "font-family", &font.family);
                put(out, "font-size", &num(font.size));
                put(out, "font-weight", &font.weight);
                out.push('>');
                out.push_str(&escaped(said));
                out.push_str("</text>\n");
            }
        }
    }
}

/// A number of a matrix: a scale of some thousandths counts.
fn precise(number: f64) -> String {
    // The sum makes a plain zero of one below zero.
    scenario::wire::number_text((number * 1e5).round() / 1e5 + 0.0)
}

fn put(out: &mut String, name: &str, value: &str) {
    for piece in [" ", name, "=\"", &escaped(value), "\""] {
        out.push_str(piece);
    }
}

/// What has a meaning in markup, as letters.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_stands_alone() {
        let font = Font { family: "\"Segoe UI\", sans".into(), size: 12.0, weight: "700".into() };
        let stroke = Stroke {
            colour: "rgb(1, 2, 3)".into(),
            width: 2.5,
            dashes: vec![7.0, 4.0],
            cap: "round".into(),
            join: "miter".into(),
            width_in: WidthIn::Pixels,
            order: Order::StrokeFirst,
        };
        let line = Ink {
            drawn: Drawn::Path("M0 0L10 10".into()),
            matrix: [0.812_345_6, 0.0, 0.0, 1.0, 3.0, 4.0],
            fill: None,
            stroke: Some(stroke),
            opacity: 0.5,
        };
        let letters = Ink {
            drawn: Drawn::Text { said: "a < b & c".into(), x: 1.0, y: 2.25, font },
            matrix: [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
            fill: Some("#fff".into()),
            stroke: None,
            opacity: 1.0,
        };
        let picture = Picture {
            width: 20.0,
            height: 10.0,
            ground: "white".into(),
            inks: vec![line, letters],
        };
        assert_eq!(
            picture.to_svg(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"10\" \
             viewBox=\"0 0 20 10\">\n<rect width=\"20\" height=\"10\" fill=\"white\"/>\n\
             <path transform=\"matrix(0.81235 0 0 1 3 4)\" fill=\"none\" opacity=\"0.5\" \
             stroke=\"rgb(1, 2, 3)\" stroke-width=\"2.5\" stroke-linecap=\"round\" \
             stroke-linejoin=\"miter\" stroke-dasharray=\"7 4\" \
             vector-effect=\"non-scaling-stroke\" paint-order=\"stroke\" d=\"M0 0L10 10\"/>\n\
             <text transform=\"matrix(1 0 0 1 0 0)\" fill=\"#fff\" x=\"1\" y=\"2.25\" \
             font-family=\"&quot;Segoe UI&quot;, sans\" font-size=\"12\" font-weight=\"700\">\
             a &lt; b &amp; c</text>\n</svg>\n"
        );
    }
}
