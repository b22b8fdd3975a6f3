//! Sorting of short lists.
//!
//! `std`'s sorts are made for long ones and cost four kilobytes of WebAssembly for every type that
//! is sorted. The lists of a page (marks, beats, rows, what is shown of a queue) are short and
//! nearly in order.

/// Sorts by insertion, stable: in time linear for what is in order already, and quadratic at
/// worst. For lists of up to a few hundred.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    for next in 1..items.len() {
        let mut place = next;
        while place > 0 && key(&items[place - 1]) > key(&items[place]) {
            items.swap(place - 1, place);
            place -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sort_by_key;

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
}
