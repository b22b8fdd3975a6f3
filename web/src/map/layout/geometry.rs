//! The drawing plane: points and boxes in the units of the view box, which are CSS pixels when a
//! map is shown at its full size. The vertical axis points down, as in SVG.

/// A place on the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Pixels from the left.
    pub x: f64,
    /// Pixels from the top.
    pub y: f64,
}

/// Short for a [`Point`] in a list of many.
#[must_use]
pub const fn at(x: f64, y: f64) -> Point {
    Point { x, y }
}

impl Point {
    /// The point this far to the right and down.
    #[must_use]
    pub const fn moved(self, right: f64, down: f64) -> Point {
        at(self.x + right, self.y + down)
    }

    /// The point that lies `fraction` of the way to another.
    #[must_use]
    pub fn toward(self, other: Point, fraction: f64) -> Point {
        at(self.x + (other.x - self.x) * fraction, self.y + (other.y - self.y) * fraction)
    }

    /// How far it is to another, in pixels.
    #[must_use]
    pub fn distance(self, other: Point) -> f64 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        (dx * dx + dy * dy).sqrt()
    }
}

/// An upright box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// Its width.
    pub w: f64,
    /// Its height.
    pub h: f64,
}

impl Rect {
    /// A box from its corner and size.
    #[must_use]
    pub const fn new(x: f64, y: f64, w: f64, h: f64) -> Rect {
        Rect { x, y, w, h }
    }

    /// Its right edge.
    #[must_use]
    pub const fn right(self) -> f64 {
        self.x + self.w
    }

    /// Its lower edge.
    #[must_use]
    pub const fn bottom(self) -> f64 {
        self.y + self.h
    }

    /// Its middle.
    #[must_use]
    pub const fn centre(self) -> Point {
        at(self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// Whether some area belongs to both.
    #[must_use]
    pub fn overlaps(self, other: Rect) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }
}

/// Writes a coordinate with at most two decimals and no needless zeros, as SVG reads it.
pub fn put(out: &mut String, value: f64) {
    // A hundredth of a pixel is below what any screen shows; coordinates stay far below i32::MAX.
    #[allow(clippy::cast_possible_truncation, reason = "coordinates are a few thousand pixels")]
    let hundredths = (value * 100.0).round() as i32;
    let rest = hundredths.unsigned_abs() % 100;
    if hundredths < 0 {
        out.push('-');
    }
    put_whole(out, hundredths.unsigned_abs() / 100);
    if rest > 0 {
        out.push('.');
        out.push(digit(rest / 10));
        if !rest.is_multiple_of(10) {
            out.push(digit(rest % 10));
        }
    }
}

/// A coordinate as text.
#[must_use]
pub fn num(value: f64) -> String {
    let mut out = String::with_capacity(8);
    put(&mut out, value);
    out
}

/// `translate(x y)`.
#[must_use]
pub fn translate(to: Point) -> String {
    let mut out = String::with_capacity(28);
    out.push_str("translate(");
    put(&mut out, to.x);
    out.push(' ');
    put(&mut out, to.y);
    out.push(')');
    out
}

/// Writes a command letter and the point it goes to.
pub fn put_point(out: &mut String, command: char, to: Point) {
    out.push(command);
    put(out, to.x);
    out.push(' ');
    put(out, to.y);
}

/// The digits of a number. Thousands are written for a frame, and none of them is a string of its own.
fn put_whole(out: &mut String, n: u32) {
    if n >= 10 {
        put_whole(out, n / 10);
    }
    out.push(digit(n % 10));
}

fn digit(n: u32) -> char {
    char::from_digit(n, 10).unwrap_or('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        let check = |value: f64, want: &str| assert_eq!(num(value), want);
        check(0.0, "0");
        check(-0.001, "0");
        check(12.0, "12");
        check(12.5, "12.5");
        check(12.05, "12.05");
        check(-1.2, "-1.2");
        check(338.836, "338.84");
        check(99.999, "100");
    }

    #[test]
    fn boxes_that_only_touch_do_not_overlap() {
        let check = |a: Rect, b: Rect, want: bool| {
            assert_eq!(a.overlaps(b), want);
            assert_eq!(b.overlaps(a), want);
        };
        let square = Rect::new(0.0, 0.0, 10.0, 10.0);
        check(square, Rect::new(10.0, 0.0, 5.0, 5.0), false);
        check(square, Rect::new(9.0, 9.0, 5.0, 5.0), true);
        check(square, Rect::new(0.0, 11.0, 5.0, 5.0), false);
        check(square, Rect::new(2.0, 2.0, 5.0, 5.0), true);
    }
}
