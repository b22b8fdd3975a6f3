//! A line of the map: straight pieces joined by true arcs, along which a message can be placed.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use super::geometry::{Point, at, put, put_point};

/// A line through the map that something can travel.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Track {
    pieces: Vec<Piece>,
    length: f64,
}

/// One piece of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Piece {
    /// A straight piece.
    Straight {
        /// Where it begins.
        from: Point,
        /// Where it ends.
        to: Point,
    },
    /// A piece of a circle, always the short way round.
    Arc {
        /// Where it begins.
        from: Point,
        /// Where it ends.
        to: Point,
        /// The middle of the circle.
        centre: Point,
        /// The radius of the circle, in pixels.
        radius: f64,
        /// Which way it turns.
        turn: Turn,
        /// Its length, in pixels.
        length: f64,
    },
}

/// Which way an arc turns, seen on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// To the right of the way one goes.
    Clockwise,
    /// To the left of the way one goes.
    Anticlockwise,
}

impl Track {
    /// The line through these points, each corner rounded by an arc of `radius` pixels. Where two
    /// corners are too close for that, both arcs are as large as fits. Corners turn by 45 or 90
    /// degrees.
    #[must_use]
    pub fn through(points: &[Point], radius: f64) -> Track {
        let corners = without_straight_on(points);
        let mut track = Track::default();
        let Some((&first, &last)) = corners.first().zip(corners.last()) else { return track };
        let mut pen = first;
        for (i, three) in corners.windows(3).enumerate() {
            let (before, corner, after) = (three[0], three[1], three[2]);
            let first_leg = if i == 0 { 1.0 } else { 0.5 };
            let last_leg = if i + 3 == corners.len() { 1.0 } else { 0.5 };
            let room = (before.distance(corner) * first_leg).min(corner.distance(after) * last_leg);
            let arc = round(before, corner, after, radius, room);
            if let Piece::Arc { from, to, .. } = arc {
                track.push_straight(pen, from);
                track.push(arc);
                pen = to;
            }
        }
        track.push_straight(pen, last);
        track
    }

    /// This line with a straight piece added at its end.
    #[must_use]
    pub fn on_to(mut self, to: Point) -> Track {
        if let Some(end) = self.end() {
            self.push_straight(end, to);
        }
        self
    }

    /// Its length, in pixels.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Its pieces, in order.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Where it begins.
    #[must_use]
    pub fn start(&self) -> Option<Point> {
        self.pieces.first().map(Piece::start)
    }

    /// Where it ends.
    #[must_use]
    pub fn end(&self) -> Option<Point> {
        self.pieces.last().map(Piece::end)
    }

    /// The point that lies this fraction (0 to 1) of its length along it.
    #[must_use]
    pub fn point_at(&self, fraction: f64) -> Point {
        let mut left = fraction.clamp(0.0, 1.0) * self.length;
        for piece in &self.pieces {
            let length = piece.length();
            if left <= length {
                return piece.point_at(if length > 0.0 { left / length } else { 0.0 });
            }
            left -= length;
        }
        self.end().unwrap_or(at(0.0, 0.0))
    }

    /// It as the `d` of an SVG path.
    #[must_use]
    pub fn d(&self) -> String {
        let mut out = String::with_capacity(32 * self.pieces.len());
        if let Some(start) = self.start() {
            put_point(&mut out, 'M', start);
        }
        for piece in &self.pieces {
            match *piece {
                Piece::Straight { to, .. } => put_point(&mut out, 'L', to),
                Piece::Arc { to, radius, turn, .. } => {
                    out.push('A');
                    put(&mut out, radius);
                    out.push(' ');
                    put(&mut out, radius);
                    out.push_str(if turn == Turn::Clockwise { " 0 0 1" } else { " 0 0 0" });
                    put_point(&mut out, ' ', to);
                }
            }
        }
        out
    }

    fn push_straight(&mut self, from: Point, to: Point) {
        if from.distance(to) > 0.001 {
            self.push(Piece::Straight { from, to });
        }
    }

    fn push(&mut self, piece: Piece) {
        self.length += piece.length();
        self.pieces.push(piece);
    }
}

impl Piece {
    /// Its length, in pixels.
    #[must_use]
    pub fn length(&self) -> f64 {
        match *self {
            Self::Straight { from, to } => from.distance(to),
            Self::Arc { length, .. } => length,
        }
    }

    fn start(&self) -> Point {
        let (Self::Straight { from, .. } | Self::Arc { from, .. }) = *self;
        from
    }

    fn end(&self) -> Point {
        let (Self::Straight { to, .. } | Self::Arc { to, .. }) = *self;
        to
    }

    fn point_at(&self, fraction: f64) -> Point {
        match *self {
            Self::Straight { from, to } => from.toward(to, fraction),
            // The chord's point pushed out to the circle: exactly on the arc, and within a pixel of
            // even pace along it, without trigonometry in every animation frame.
            Self::Arc { from, to, centre, radius, .. } => {
                let chord = from.toward(to, fraction);
                centre.toward(chord, radius / centre.distance(chord))
            }
        }
    }
}

fn without_straight_on(points: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::with_capacity(points.len());
    for &point in points {
        if kept.last().is_some_and(|last| last.distance(point) < 0.001) {
            continue;
        }
        if let [.., a, b] = kept[..]
            && cross(direction(a, b), direction(b, point)).abs() < 0.001
        {
            kept.pop();
        }
        kept.push(point);
    }
    kept
}

fn round(before: Point, corner: Point, after: Point, radius: f64, room: f64) -> Piece {
    let (u, v) = (direction(before, corner), direction(corner, after));
    let cosine = u.x * v.x + u.y * v.y;
    // tan(turn / 2): how far from the corner an arc of radius 1 begins.
    let reach = ((1.0 - cosine) / (1.0 + cosine)).sqrt();
    let radius = radius.min(room / reach);
    let (from, to) = (
        corner.moved(-u.x * radius * reach, -u.y * radius * reach),
        corner.moved(v.x * radius * reach, v.y * radius * reach),
    );
    let (turn, side) =
        if cross(u, v) > 0.0 { (Turn::Clockwise, 1.0) } else { (Turn::Anticlockwise, -1.0) };
    let centre = from.moved(-u.y * radius * side, u.x * radius * side);
    let angle = if cosine > 0.35 { FRAC_PI_4 } else { FRAC_PI_2 };
    Piece::Arc { from, to, centre, radius, turn, length: radius * angle }
}

fn direction(from: Point, to: Point) -> Point {
    let length = from.distance(to).max(0.001);
    at((to.x - from.x) / length, (to.y - from.y) / length)
}

fn cross(u: Point, v: Point) -> f64 {
    u.x * v.y - u.y * v.x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Point, b: Point) -> bool {
        a.distance(b) < 0.01
    }

    #[test]
    fn corners_become_arcs() {
        let check = |points: &[Point], radius: f64, want: &str| {
            assert_eq!(Track::through(points, radius).d(), want);
        };
        check(&[at(0.0, 0.0), at(50.0, 0.0)], 10.0, "M0 0L50 0");
        check(
            &[at(500.0, 118.0), at(538.0, 118.0), at(538.0, 304.0), at(574.0, 304.0)],
            16.0,
            "M500 118L522 118A16 16 0 0 1 538 134L538 288A16 16 0 0 0 554 304L574 304",
        );
        // A corner of 45 degrees, from the mock's siding.
        check(
            &[at(226.0, 276.0), at(226.0, 402.0), at(242.0, 418.0), at(488.0, 418.0)],
            18.0,
            "M226 276L226 394.54A18 18 0 0 0 231.27 407.27L236.73 412.73A18 18 0 0 0 249.46 418\
             L488 418",
        );
        // Points on the way are no corners.
        check(&[at(0.0, 0.0), at(20.0, 0.0), at(50.0, 0.0)], 10.0, "M0 0L50 0");
        // No room for the full radius.
        check(&[at(0.0, 0.0), at(8.0, 0.0), at(8.0, 30.0)], 10.0, "M0 0A8 8 0 0 1 8 8L8 30");
        check(&[], 10.0, "");
    }

    #[test]
    fn a_track_is_walked_at_even_pace() {
        let track = Track::through(&[at(0.0, 0.0), at(50.0, 0.0), at(50.0, 60.0)], 10.0);
        assert!((track.length() - (40.0 + 10.0 * FRAC_PI_2 + 50.0)).abs() < 0.001);
        let check = |fraction: f64, want: Point| {
            let got = track.point_at(fraction);
            assert!(close(got, want), "{fraction}: {got:?}, not {want:?}");
        };
        check(0.0, at(0.0, 0.0));
        check(20.0 / track.length(), at(20.0, 0.0));
        check(1.0, at(50.0, 60.0));
        check(-1.0, at(0.0, 0.0));
        check(2.0, at(50.0, 60.0));
        // The middle of the corner lies on the circle's diagonal.
        let half = (40.0 + 5.0 * FRAC_PI_2) / track.length();
        check(half, at(40.0 + 10.0 * FRAC_PI_4.sin(), 10.0 - 10.0 * FRAC_PI_4.sin()));
    }

    #[test]
    fn a_longer_ride_continues_the_line() {
        let track = Track::through(&[at(0.0, 0.0), at(10.0, 0.0)], 10.0).on_to(at(10.0, 30.0));
        assert_eq!(track.end(), Some(at(10.0, 30.0)));
        assert!((track.length() - 40.0).abs() < 0.001);
        assert_eq!(Track::default().on_to(at(1.0, 1.0)).end(), None);
    }
}
