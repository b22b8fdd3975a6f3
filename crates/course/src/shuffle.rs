//! Orders of chance: in which order options, cards and questions are shown.

/// Positions in an order of chance, the same for the same seed.
#[must_use]
pub fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut stream = sim::Stream::new(seed, "shuffle", 0);
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        let other = stream.below(last as u64 + 1) as usize;
        order.swap(last, other);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_holds_everything_once_and_is_the_same_for_a_seed() {
        let mut order = shuffled(20, 7);
        assert_eq!(order, shuffled(20, 7));
        assert_ne!(order, shuffled(20, 8));
        order.sort_unstable();
        assert_eq!(order, (0..20).collect::<Vec<_>>());
    }
}
