//! A line of a handler that has been picked up, to be put down elsewhere.

use scenario::ComponentId;

/// A line in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lift {
    /// The workers whose handler it is.
    pub component: ComponentId,
    /// Where it comes from, from 0.
    pub from: usize,
    /// Where it would come to lie now, from 0.
    pub to: usize,
    /// How many lines there are.
    pub lines: usize,
    /// How it is held.
    pub grip: Grip,
}

/// How a line is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    /// By a pointer that is down: it follows.
    Pointer,
    /// Picked by a tap or a key: it waits for a gap, or for the arrow keys.
    Picked,
}

impl Lift {
    /// A line just picked up.
    #[must_use]
    pub fn of(component: ComponentId, from: usize, lines: usize, grip: Grip) -> Lift {
        Lift { component, from, to: from, lines, grip }
    }

    /// The same line over another place; it cannot leave the handler.
    #[must_use]
    pub fn over(self, place: usize) -> Lift {
        Lift { to: place.min(self.lines.saturating_sub(1)), ..self }
    }

    /// The same line so many lines below (or above) the place it came from.
    #[must_use]
    pub fn dragged(self, down: f64) -> Lift {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a handler has few lines, and the sum is held at zero"
        )]
        let place = (self.from as f64 + down.round()).max(0.0) as usize;
        self.over(place)
    }

    /// The same line one place up or down.
    #[must_use]
    pub fn stepped(self, way: Way) -> Lift {
        match way {
            Way::Up => self.over(self.to.saturating_sub(1)),
            Way::Down => self.over(self.to + 1),
        }
    }

    /// The place that a gap stands for. Gap `g` lies above line `g` of the handler as it was.
    #[must_use]
    pub fn through_gap(self, gap: usize) -> Lift {
        self.over(if gap > self.from { gap - 1 } else { gap })
    }

    /// The lines in the order in which they would lie now.
    #[must_use]
    pub fn order(self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.lines).filter(|&line| line != self.from).collect();
        order.insert(self.to.min(order.len()), self.from);
        order
    }
}

/// Up or down the lines of a handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To an earlier line.
    Up,
    /// To a later line.
    Down,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lift(from: usize) -> Lift {
        Lift::of(ComponentId::new(0), from, 3, Grip::Picked)
    }

    #[test]
    fn a_line_takes_its_new_place_and_the_others_close_up() {
        let check = |from: usize, to: usize, want: [usize; 3]| {
            assert_eq!(lift(from).over(to).order(), want, "{from} to {to}");
        };
        check(2, 2, [0, 1, 2]);
        check(2, 1, [0, 2, 1]);
        check(2, 0, [2, 0, 1]);
        check(0, 2, [1, 2, 0]);
        check(0, 9, [1, 2, 0]);
    }

    #[test]
    fn gaps_count_from_the_order_before() {
        let check = |from: usize, gap: usize, want: usize| {
            assert_eq!(lift(from).through_gap(gap).to, want, "{from} through {gap}");
        };
        check(2, 0, 0);
        check(2, 1, 1);
        check(2, 2, 2);
        check(2, 3, 2);
        check(0, 1, 0);
        check(0, 3, 2);
    }

    #[test]
    fn dragging_and_keys_stay_inside() {
        let check = |from: usize, down: f64, want: usize| {
            assert_eq!(lift(from).dragged(down).to, want, "{from} by {down}");
        };
        check(2, -0.4, 2);
        check(2, -0.6, 1);
        check(2, -9.0, 0);
        check(0, 9.0, 2);
        assert_eq!(lift(0).stepped(Way::Up).to, 0);
        assert_eq!(lift(0).stepped(Way::Down).stepped(Way::Down).stepped(Way::Down).to, 2);
    }
}
