//! A sample: single observations, all kept, in order.

/// Observations in order of their size, for what a mean does not say of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample(Vec<f64>);

impl Sample {
    /// Adds one observation.
    pub fn record(&mut self, value: f64) {
        let place = self.0.partition_point(|other| other.total_cmp(&value).is_lt());
        self.0.insert(place, value);
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is left from its least to its greatest when one observation in twenty is taken away at
    /// either end: the 5th and the 95th percentile. `None` without an observation.
    #[must_use]
    pub fn middle(&self) -> Option<(f64, f64)> {
        let cut = self.0.len() / 20;
        let greatest = self.0.len().checked_sub(cut + 1)?;
        Some((self.0[cut], self.0[greatest]))
    }

    /// How many lie from one bound to another, both included.
    #[must_use]
    pub fn within(&self, (least, greatest): (f64, f64)) -> usize {
        let below = self.0.partition_point(|value| *value < least);
        self.0.partition_point(|value| *value <= greatest).saturating_sub(below)
    }
}

#[cfg(test)]
mod tests {
    use super::Sample;
    use crate::Stream;

    fn of(values: impl IntoIterator<Item = f64>) -> Sample {
        let mut sample = Sample::default();
        values.into_iter().for_each(|value| sample.record(value));
        sample
    }

    #[test]
    fn the_middle_leaves_one_in_twenty_out_at_either_end() {
        let hundred = of((1..=100).rev().map(f64::from));
        assert_eq!(hundred.middle(), Some((6.0, 95.0)));
        assert_eq!(hundred.within((6.0, 95.0)), 90);
        assert_eq!(of([7.0]).middle(), Some((7.0, 7.0)));
        assert_eq!(of([]).middle(), None);
        // Nineteen are too few to leave one out.
        assert_eq!(of((1..=19).map(f64::from)).middle(), Some((1.0, 19.0)));
    }

    #[test]
    fn equal_observations_are_all_within() {
        let sample = of([2.0, 2.0, 1.0, 2.0, 3.0]);
        assert_eq!(sample.within((2.0, 2.0)), 3);
        assert_eq!(sample.len(), 5);
    }

    #[test]
    fn the_middle_of_even_chances_is_where_it_should_be() {
        let mut stream = Stream::new(1, "sample", 0);
        let sample = of((0..10_000).map(|_| stream.unit()));
        let (low, high) = sample.middle().expect("ten thousand observations");
        // The standard error of either is 0.0022.
        assert!((low - 0.05).abs() < 0.007 && (high - 0.95).abs() < 0.007, "{low} {high}");
    }
}
