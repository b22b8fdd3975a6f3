//! What to ask again, and when: boxes after Sebastian Leitner, *So lernt man lernen*, 1972.
//!
//! A right answer moves a question one box on, a wrong one back to the first. A question in box
//! *n* is due again 1, 2, 4, 8 or 16 days after it was answered.

use scenario::wire::Value;

use crate::quiz::Verdict;

/// Days until a question is due again, by its box.
const DAYS: [u32; 5] = [1, 2, 4, 8, 16];

/// The version of what is kept.
const VERSION: f64 = 1.0;

/// What somebody knows of a pool of questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory(Vec<(String, Kept)>);

/// What is kept of one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its box, from 0.
    pub place: usize,
    /// The day on which it is due, counted from 1970-01-01.
    pub due: u32,
}

impl Memory {
    /// Reads what was kept. What is not of this version, or makes no sense, is left out: it is a
    /// convenience, and not worth a complaint.
    #[must_use]
    pub fn read(kept: &Value) -> Memory {
        let version = kept.get("version").and_then(Value::as_number);
        let items = match kept.get("items") {
            Some(Value::Record(items)) if version == Some(VERSION) => items.as_slice(),
            _ => &[],
        };
        let entry = |(id, item): &(String, Value)| {
            let part = |name| whole(item.get(name)?);
            let place = usize::try_from(part("box")?).ok().filter(|place| *place < DAYS.len())?;
            Some((id.clone(), Kept { place, due: part("due")? }))
        };
        Memory(items.iter().filter_map(entry).collect())
    }

    /// What to keep.
    #[must_use]
    pub fn write(&self) -> Value {
        let items = self.0.iter().map(|(id, kept)| {
            #[allow(clippy::cast_precision_loss, reason = "there are five boxes")]
            let place = Value::Number(kept.place as f64);
            let due = Value::Number(f64::from(kept.due));
            let item = [("box".to_owned(), place), ("due".to_owned(), due)];
            (id.clone(), Value::Record(item.into()))
        });
        let items = Value::Record(items.collect());
        Value::Record(vec![
            ("version".to_owned(), Value::Number(VERSION)),
            ("items".to_owned(), items),
        ])
    }

    /// What is kept of a question.
    #[must_use]
    pub fn of(&self, id: &str) -> Option<Kept> {
        self.0.iter().find(|(name, _)| name == id).map(|(_, kept)| *kept)
    }

    /// Notes how a question was answered today.
    pub fn note(&mut self, id: &str, verdict: Verdict, today: u32) {
        let before = self.of(id);
        let place = match (verdict, before) {
            (Verdict::Wrong, _) | (_, None) => 0,
            (Verdict::Right, Some(kept)) => (kept.place + 1).min(DAYS.len() - 1),
        };
        // What was right at once is not due tomorrow.
        let days = match (verdict, before) {
            (Verdict::Right, None) => DAYS[1],
            _ => DAYS[place],
        };
        let kept = Kept { place, due: today.saturating_add(days) };
        match self.0.iter_mut().find(|(name, _)| name == id) {
            Some((_, old)) => *old = kept,
            None => self.0.push((id.to_owned(), kept)),
        }
    }

    /// Chooses `count` questions to ask today: first those that are due, the least known first;
    /// then those that were never asked; then those that are due soonest. `shuffled` holds the
    /// positions of all questions in an order of chance, which decides among equals.
    #[must_use]
    pub fn draw(&self, ids: &[&str], shuffled: &[usize], count: usize, today: u32) -> Vec<usize> {
        let rank = |at: &usize| match ids.get(*at).and_then(|id| self.of(id)) {
            Some(kept) if kept.due <= today => (0, kept.place, 0),
            None => (1, 0, 0),
            Some(kept) => (2, 0, kept.due),
        };
        let mut drawn = shuffled.to_vec();
        drawn.sort_by_key(rank);
        drawn.truncate(count);
        drawn
    }
}

fn whole(value: &Value) -> Option<u32> {
    let number = value.as_number()?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in range")]
    let whole = number as u32;
    (f64::from(whole).to_bits() == number.to_bits()).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_answers_come_back_later_each_time_and_wrong_ones_tomorrow() {
        let mut memory = Memory::default();
        let mut today = 100;
        for wait in [2, 2, 4, 8, 16, 16] {
            memory.note("q", Verdict::Right, today);
            let due = memory.of("q").expect("noted").due;
            assert_eq!(due - today, wait);
            today = due;
        }
        memory.note("q", Verdict::Wrong, today);
        assert_eq!(memory.of("q"), Some(Kept { place: 0, due: today + 1 }));
    }

    #[test]
    fn what_is_due_is_asked_first_and_then_what_is_new() {
        let mut memory = Memory::default();
        memory.note("known", Verdict::Right, 10);
        memory.note("missed", Verdict::Wrong, 10);
        let ids = ["known", "new", "missed"];
        let draw = |today, count| memory.draw(&ids, &[0, 1, 2], count, today);
        assert_eq!(draw(10, 3), [1, 2, 0], "nothing is due yet: the new one first");
        assert_eq!(draw(11, 2), [2, 1], "the missed one is due");
        assert_eq!(draw(12, 3), [0, 2, 1], "both are due, in the first box");
    }

    #[test]
    fn what_is_kept_is_read_again_and_nonsense_is_left_out() {
        let mut memory = Memory::default();
        memory.note("a", Verdict::Right, 20_000);
        memory.note("b", Verdict::Wrong, 20_000);
        assert_eq!(Memory::read(&memory.write()), memory);
        for bad in [
            r#"{ "version": 2, "items": { "a": { "box": 0, "due": 1 } } }"#,
            r#"{ "version": 1, "items": { "a": { "box": 5, "due": 1 } } }"#,
            r#"{ "version": 1, "items": { "a": { "box": 0.5, "due": 1 } } }"#,
            r#"{ "version": 1, "items": { "a": { "box": 0, "due": -1 } } }"#,
            r#"[1]"#,
        ] {
            let value: Value = serde_json::from_str(bad).expect("JSON");
            assert_eq!(Memory::read(&value), Memory::default(), "{bad}");
        }
    }
}
