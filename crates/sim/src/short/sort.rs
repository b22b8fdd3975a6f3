//! Sorts.

/// Sorts by insertion, stable: in time linear for what is in order already. Otherwise there are
/// `n log n` comparisons, and as much to be moved as is out of order. For lists of up to a few
/// thousand.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    for next in 1..items.len() {
        let own = key(&items[next]);
        if key(&items[next - 1]) > own {
            let place = items[..next].partition_point(|item| key(item) <= own);
            items[place..=next].rotate_right(1);
        }
    }
}

/// Sorts in `n log n`, whatever the order before; what is equal may change places. (Heapsort: J. W.
/// J. Williams, "Algorithm 232", 1964.)
pub fn sort_unstable_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    let sink = |items: &mut [T], mut place: usize| loop {
        let left = 2 * place + 1;
        if left >= items.len() {
            return;
        }
        let right = (left + 1).min(items.len() - 1);
        let larger = if key(&items[right]) > key(&items[left]) { right } else { left };
        if key(&items[place]) >= key(&items[larger]) {
            return;
        }
        items.swap(place, larger);
        place = larger;
    };
    for place in (0..items.len() / 2).rev() {
        sink(items, place);
    }
    for end in (1..items.len()).rev() {
        items.swap(0, end);
        sink(&mut items[..end], 0);
    }
}

#[cfg(test)]
mod tests {
    use super::{sort_by_key, sort_unstable_by_key};

    #[test]
    fn what_is_equal_keeps_its_order() {
        let check = |given: &[(u8, char)], wanted: &[(u8, char)]| {
            let mut items = given.to_vec();
            sort_by_key(&mut items, |(key, _)| *key);
            assert_eq!(items, wanted);
        };
        check(&[], &[]);
        check(&[(1, 'a')], &[(1, 'a')]);
        check(&[(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')], &[(1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
    }

    #[test]
    fn long_lists_are_sorted_too() {
        for n in [0_u64, 1, 2, 3, 10, 100, 1_000] {
            let mut items: Vec<u64> = (0..n).map(|i| i * 7_919 % 104_729 % 500).collect();
            let mut wanted = items.clone();
            wanted.sort_unstable();
            sort_unstable_by_key(&mut items, |item| *item);
            assert_eq!(items, wanted, "{n}");
        }
    }
}
