//! The order in which a Java client walks a hash map of names.

/// Names in the order in which a `java.util.HashMap` with these keys, put in one after the other,
/// hands them out (OpenJDK 8 to 21; `HashMap.hash`, `resize` and `putVal`, without tree bins).
///
/// Answers with positions in `names`. Names must differ.
#[must_use]
pub fn hash_order(names: &[&str]) -> Vec<usize> {
    let mut buckets = 16;
    while names.len() * 4 > buckets * 3 {
        buckets *= 2;
    }
    let mut order: Vec<(u32, usize)> = names
        .iter()
        .enumerate()
        .map(|(position, name)| (spread(hash_code(name)) & (buckets as u32 - 1), position))
        .collect();
    // Splitting a bucket keeps the order in which its names were put in, so a stable sort will do.
    order.sort_by_key(|(bucket, _)| *bucket);
    order.into_iter().map(|(_, position)| position).collect()
}

/// `String.hashCode`, over UTF-16.
fn hash_code(name: &str) -> u32 {
    name.encode_utf16()
        .fold(0_u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(u32::from(unit)))
}

/// The high half folded into the low one, which alone picks the bucket.
const fn spread(hash: u32) -> u32 {
    hash ^ (hash >> 16)
}
