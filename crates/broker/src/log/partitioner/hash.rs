//! What clients hash a key with. Two clients that differ here send one key to two partitions.

/// `murmur2` as the Java client computes it, with its seed: Austin Appleby's MurmurHash2, 32 bits,
/// read as a signed number (`Utils.murmur2`).
#[must_use]
pub fn murmur2(key: &[u8]) -> i32 {
    let mut hash = SEED ^ key.len() as u32;
    let mut words = key.chunks_exact(4);
    for word in &mut words {
        let word = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        let mut mixed = word.wrapping_mul(MIX);
        mixed ^= mixed >> 24;
        hash = hash.wrapping_mul(MIX) ^ mixed.wrapping_mul(MIX);
    }
    let rest = words.remainder();
    if !rest.is_empty() {
        let tail = rest.iter().rev().fold(0, |tail, byte| (tail << 8) | u32::from(*byte));
        hash = (hash ^ tail).wrapping_mul(MIX);
    }
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(MIX);
    (hash ^ (hash >> 15)) as i32
}

/// The number with its sign bit cleared, which is not its absolute value (`Utils.toPositive`).
#[must_use]
pub const fn to_positive(hash: i32) -> u32 {
    (hash & i32::MAX) as u32
}

/// The CRC-32 of IEEE 802.3, as zlib computes it.
#[must_use]
pub fn crc32(key: &[u8]) -> u32 {
    let sum = key.iter().fold(u32::MAX, |sum, byte| {
        let index = (sum ^ u32::from(*byte)) & 0xff;
        CRC_TABLE[index as usize] ^ (sum >> 8)
    });
    !sum
}

/// `murmur2` as `kafkajs` computed it before its version 2: in the numbers of JavaScript, whose
/// products lose their lowest bits, and with the last few bytes taken as a word of their own too.
#[must_use]
pub fn murmur2_kafkajs_legacy(key: &[u8]) -> i32 {
    let mix = f64::from(MIX);
    let mut hash = f64::from((SEED ^ key.len() as u32) as i32);
    for word in key.chunks(4) {
        // A byte past the end is undefined there, and counts as 0.
        let byte = |place: usize| u32::from(word.get(place).copied().unwrap_or(0));
        let low = f64::from(byte(0) + (byte(1) << 8) + (byte(2) << 16));
        let signed_high = f64::from((byte(3) << 24) as i32);
        let mixed = to_int32((low + signed_high) * mix);
        let mixed = f64::from(mixed ^ shift_right(mixed, 24)) * mix;
        hash = f64::from(to_int32(hash * mix) ^ to_int32(mixed));
    }
    let rest = &key[key.len() & !3..];
    if !rest.is_empty() {
        for (place, byte) in rest.iter().enumerate().rev() {
            hash = f64::from(to_int32(hash) ^ (i32::from(*byte) << (8 * place)));
        }
        hash *= mix;
    }
    let mixed = to_int32(hash);
    let mixed = to_int32(f64::from(mixed ^ shift_right(mixed, 13)) * mix);
    mixed ^ shift_right(mixed, 15)
}

const SEED: u32 = 0x9747_b28c;
const MIX: u32 = 0x5bd1_e995;

const CRC_TABLE: [u32; 256] = crc_table();

const fn crc_table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut sum = index as u32;
        let mut bit = 0;
        while bit < 8 {
            let low = sum & 1;
            sum >>= 1;
            if low == 1 {
                sum ^= 0xedb8_8320;
            }
            bit += 1;
        }
        table[index] = sum;
        index += 1;
    }
    table
}

/// The lowest 32 bits of a JavaScript number as its bit operators take them (ECMA-262, `ToInt32`).
fn to_int32(number: f64) -> i32 {
    // Whole numbers below 2¹²⁷ here: products of two numbers below 2⁶⁴.
    (number as i128) as i32
}

/// JavaScript's `>>>`, read as a signed number again by the operator around it.
const fn shift_right(number: i32, places: u32) -> i32 {
    (number as u32 >> places) as i32
}
