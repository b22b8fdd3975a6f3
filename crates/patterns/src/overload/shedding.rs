//! Load shedding by class: as the queue fills, the least worthy are turned away first.
//!
//! "Handling Overload", *Site Reliability Engineering* (Beyer et al., 2016), ch. 21, "Criticality".

/// How much a message is worth. Lower classes are shed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class(pub u8);

/// Up to how full a queue may be for each class to be let in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shedding {
    capacity: u32,
    /// For each class, from the lowest: in hundredths of the capacity.
    thresholds: Vec<u32>,
    shed: Vec<u64>,
}

/// Whether a message is let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It is.
    Admit,
    /// It is not, and that is counted.
    Shed,
}

impl Shedding {
    /// A queue for `capacity` messages; class n is let in while it is less than `thresholds[n]`
    /// percent full. Classes beyond the list are let in until it is full.
    #[must_use]
    pub fn new(capacity: u32, thresholds: &[u32]) -> Self {
        let shed = vec![0; thresholds.len() + 1];
        Self { capacity, thresholds: thresholds.to_vec(), shed }
    }

    /// A message of a class comes to a queue of this depth.
    pub fn admit(&mut self, class: Class, depth: u32) -> Verdict {
        let place = usize::from(class.0).min(self.thresholds.len());
        let threshold = self.thresholds.get(place).copied().unwrap_or(100);
        let limit = u64::from(self.capacity) * u64::from(threshold) / 100;
        if u64::from(depth) < limit {
            return Verdict::Admit;
        }
        self.shed[place] += 1;
        Verdict::Shed
    }

    /// How many of a class were shed; classes beyond the list are counted as one.
    #[must_use]
    pub fn shed(&self, class: Class) -> u64 {
        self.shed[usize::from(class.0).min(self.thresholds.len())]
    }
}
