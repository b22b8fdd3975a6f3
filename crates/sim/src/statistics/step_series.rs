//! A step curve kept for drawing, in bounded memory.

use crate::SimTime;

/// The points of a step curve: from each point on, the level is the point's level.
///
/// At most `limit` points are kept. When one more would not fit, groups of six neighbouring points
/// are thinned to their lowest, their highest and their last: a chart keeps every peak and every
/// trough, and loses only where exactly a small step stood.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StepSeries {
    points: Vec<(SimTime, u32)>,
    limit: usize,
    thinned: u32,
}

/// Points that are thinned together. Three of them stay.
const GROUP: usize = 6;

impl StepSeries {
    /// An empty curve that will keep at most `limit` points, or 12 if that is more.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { points: Vec::new(), limit: limit.max(2 * GROUP), thinned: 0 }
    }

    /// The level is `level` from `at` on. Several levels of one instant leave the last one.
    ///
    /// # Panics
    /// If `at` is before the last point.
    pub fn push(&mut self, at: SimTime, level: u32) {
        if let Some((last, last_level)) = self.points.last_mut() {
            assert!(*last <= at, "{at} is before the last point, {last}");
            if *last_level == level {
                return;
            }
            if *last == at {
                *last_level = level;
                return;
            }
        }
        if self.points.len() == self.limit {
            self.thin();
        }
        self.points.push((at, level));
    }

    /// The points, in order of time.
    #[must_use]
    pub fn points(&self) -> &[(SimTime, u32)] {
        &self.points
    }

    /// The level at a time; `None` before the first point. Exact unless the curve was thinned.
    #[must_use]
    pub fn value_at(&self, at: SimTime) -> Option<u32> {
        let after = self.points.partition_point(|(time, _)| *time <= at);
        after.checked_sub(1).map(|index| self.points[index].1)
    }

    /// The highest level.
    #[must_use]
    pub fn max(&self) -> Option<u32> {
        self.points.iter().map(|(_, level)| *level).max()
    }

    /// How often the curve was thinned: each time halves how finely the older part is told.
    #[must_use]
    pub const fn thinned(&self) -> u32 {
        self.thinned
    }

    fn thin(&mut self) {
        let mut kept = 0;
        for start in (0..self.points.len()).step_by(GROUP) {
            let end = (start + GROUP).min(self.points.len());
            for index in telling(&self.points[start..end]) {
                self.points[kept] = self.points[start + index];
                kept += 1;
            }
        }
        self.points.truncate(kept);
        self.thinned += 1;
    }
}

/// Where the lowest, the highest and the last point of a group stand, in order, each once.
fn telling(group: &[(SimTime, u32)]) -> impl Iterator<Item = usize> + use<> {
    let (mut lowest, mut highest) = (0, 0);
    for (index, (_, level)) in group.iter().enumerate() {
        if *level < group[lowest].1 {
            lowest = index;
        }
        if *level > group[highest].1 {
            highest = index;
        }
    }
    let last = group.len() - 1;
    let (first, second) = (lowest.min(highest), lowest.max(highest));
    let second = (second != first).then_some(second);
    let last = (last != first && Some(last) != second).then_some(last);
    [Some(first), second, last].into_iter().flatten()
}
