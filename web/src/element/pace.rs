//! How often an exhibit that plays is drawn anew. Where events come faster than pictures can be made
//! of them, some go into one picture; what moves is moved meanwhile, and hands are heard.

/// A picture that takes no longer than this is made whenever an event has passed, in milliseconds.
const FREE_MS: f64 = 6.0;

/// After one that takes longer there is none for so many times as long,
const REST: f64 = 2.0;
/// but for no longer than this: what happens is not to lag behind what is drawn.
const LONGEST_REST_MS: f64 = 100.0;

/// When pictures were made, and what they cost. The caller has the clock, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// When the one under way was begun.
    began: Option<f64>,
    /// When the last one was there.
    ended: f64,
    /// How long it took.
    cost: f64,
    /// Whether something has happened that no picture shows.
    owed: bool,
}

impl Pace {
    /// Something has happened that is not drawn yet.
    pub fn owe(&mut self) {
        self.owed = true;
    }

    /// Whether it is time for a picture of what has happened. If so, it is begun.
    pub fn is_due(&mut self, now: f64) -> bool {
        let since = now - self.ended;
        let rest = (self.cost * REST).min(LONGEST_REST_MS);
        // A clock that was set back must not stop the pictures.
        let rests = (0.0..rest).contains(&since) && self.cost > FREE_MS;
        let due = self.owed && !rests;
        if due {
            self.began = Some(now);
        }
        due
    }

    /// A picture is there, whoever has asked for it.
    pub fn drawn(&mut self, now: f64) {
        if let Some(began) = self.began.take() {
            self.cost = (now - began).max(0.0);
        }
        self.ended = now;
        self.owed = false;
    }
}

#[cfg(test)]
mod tests {
    use super::Pace;

    /// Draws with every event for as long as `times` tell, each picture taking `cost`.
    fn drawn_at(times: &[f64], cost: f64) -> Vec<f64> {
        let mut pace = Pace::default();
        let mut drawn = Vec::new();
        for &now in times {
            pace.owe();
            if pace.is_due(now) {
                pace.drawn(now + cost);
                drawn.push(now);
            }
        }
        drawn
    }

    #[test]
    fn cheap_pictures_are_made_of_every_event_and_dear_ones_leave_room() {
        let times = [1000.0, 1016.0, 1032.0, 1048.0, 1064.0, 1080.0, 1096.0];
        assert_eq!(drawn_at(&times, 4.0), times);
        assert_eq!(drawn_at(&times, 12.0), [1000.0, 1048.0, 1096.0]);
        assert_eq!(
            drawn_at(&[1000.0, 1950.0, 2001.0], 900.0),
            [1000.0, 2001.0],
            "it rests for 100"
        );
    }

    #[test]
    fn what_was_left_out_is_drawn_when_there_is_room_and_nothing_is_drawn_twice() {
        let mut pace = Pace::default();
        pace.owe();
        assert!(pace.is_due(1000.0));
        pace.drawn(1020.0);
        assert!(!pace.is_due(1100.0), "nothing has happened since");
        pace.owe();
        assert!(!pace.is_due(1036.0), "it rests");
        assert!(pace.is_due(1061.0));
        pace.drawn(1065.0);
        // Whoever else has it drawn pays what is owed.
        pace.owe();
        pace.drawn(1066.0);
        assert!(!pace.is_due(1090.0));
    }

    #[test]
    fn a_clock_that_is_set_back_stops_nothing() {
        assert_eq!(drawn_at(&[9000.0, 1000.0], 50.0), [9000.0, 1000.0]);
    }
}
