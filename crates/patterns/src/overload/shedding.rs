//! Load shedding by class: as the queue fills, the least worthy are turned away first.
//!
//! "Handling Overload", *Site Reliability Engineering* (Beyer et al., 2016), ch. 21, "Criticality".

/// How much a message is worth. Lower classes are shed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class(pub u8);

/// How full a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Load {
    /// How many are there.
    pub taken: u32,
    /// How many there is room for. It changes when servers come and go.
    pub room: u32,
}

/// Up to which load each class is let in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shedding {
    /// For each class, from the lowest: in hundredths of the room.
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
    /// Class n is let in while less than `thresholds[n]` percent of the room is taken. Classes beyond
    /// the list are let in until there is no room.
    #[must_use]
    pub fn new(thresholds: &[u32]) -> Self {
        let shed = vec![0; thresholds.len() + 1];
        Self { thresholds: thresholds.to_vec(), shed }
    }

    /// A message of a class comes where so much is taken.
    pub fn admit(&mut self, class: Class, load: Load) -> Verdict {
        let place = usize::from(class.0).min(self.thresholds.len());
        let threshold = self.thresholds.get(place).copied().unwrap_or(100);
        // Multiplied out, so that half of an odd room is not rounded down to less.
        let taken = u64::from(load.taken) * 100;
        if taken < u64::from(load.room) * u64::from(threshold) {
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
