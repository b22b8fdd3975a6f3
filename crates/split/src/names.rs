//! Functions by name, as a file lists them.
//!
//! A name with all its type parameters may be hundreds of letters long, and there are thousands: the
//! file keeps the 32-bit hash of each. Two names that share one cost a function in the wrong part,
//! which is slower and never wrong.

use std::collections::BTreeMap;

/// A set of functions by name. Functions that differ only in a hash of the compiler's share a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(BTreeMap<u32, Vec<Ran>>);

/// What ran of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ran {
    /// The shape of the function that was watched.
    shape: u32,
    /// A digit for four places, the first of them its lowest bit.
    places: Vec<u8>,
}

impl Names {
    /// Reads a file of hashes, one a line in hexadecimal, each followed by the function's shape and
    /// the places that ran if some did not; a line that begins with `#` is a comment.
    ///
    /// # Errors
    /// Names the line that is no hash.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut names: BTreeMap<u32, Vec<Ran>> = BTreeMap::new();
        for (line, number) in text.lines().map(str::trim).zip(1..) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut words = line.split(' ');
            let mut hash = || {
                let word = words.next().unwrap_or_default();
                let hash = u32::from_str_radix(word, 16);
                hash.map_err(|_| format!("line {number}: “{word}” is no hash"))
            };
            let ran = names.entry(hash()?).or_default();
            if line.contains(' ') {
                let shape = hash()?;
                let digit = |c: char| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                let places: Option<Vec<u8>> =
                    words.next().unwrap_or_default().chars().map(digit).collect();
                let places = places.ok_or_else(|| format!("line {number}: these are no places"))?;
                ran.push(Ran { shape, places });
            }
        }
        Ok(Self(names))
    }

    /// The set of these names.
    #[must_use]
    pub fn of(names: &[&str]) -> Self {
        Self(names.iter().map(|name| (hash(name), Vec::new())).collect())
    }

    /// Whether a function of this mangled name is among them.
    #[must_use]
    pub fn has(&self, mangled: &str) -> bool {
        self.0.contains_key(&hash(&plain(mangled)))
    }

    /// Whether a place of a function is known not to run: one of a function of this shape.
    #[must_use]
    pub fn leaves_out(&self, mangled: &str, shape: u32) -> Option<impl Fn(usize) -> bool> {
        let ran = self.0.get(&hash(&plain(mangled)))?.iter().find(|ran| ran.shape == shape)?;
        Some(|place: usize| {
            ran.places.get(place / 4).is_none_or(|digit| digit >> (place % 4) & 1 == 0)
        })
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
}

/// FNV-1a of 32 bits (Fowler, Noll, Vo).
#[must_use]
pub fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The name of a function without the hashes that change from one build to the next.
#[must_use]
pub fn plain(mangled: &str) -> String {
    // What the optimizer appends to a name that it had to make a second time.
    let cut = mangled.find(".llvm.").map_or(mangled, |at| &mangled[..at]);
    let trimmed = cut.trim_end_matches(|c: char| c.is_ascii_digit());
    let cut = trimmed.strip_suffix('_').filter(|t| t.ends_with('E')).unwrap_or(cut);
    format!("{:#}", rustc_demangle::demangle(cut))
}

#[cfg(test)]
mod tests {
    use super::{Names, hash, plain};

    #[test]
    fn hashes_are_no_part_of_a_name() {
        let check = |mangled: &str, want: &str| assert_eq!(plain(mangled), want);
        check("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write");
        check("_ZN4core3fmt5write17h0123456789abcdefE.llvm.77", "core::fmt::write");
        check("_RNvCs9iQEWmPhQ2T_3sim3run", "sim::run");
        check("__wbindgen_malloc", "__wbindgen_malloc");
    }

    #[test]
    fn a_file_lists_hashes_and_comments() {
        assert_eq!(hash("foobar"), 0xbf9c_f968);
        let text = format!("# what runs at first\n\n{:08x}\n", hash("sim::run"));
        let names = Names::parse(&text).expect("a list");
        assert_eq!(names.len(), 1);
        assert!(names.has("_RNvCs9iQEWmPhQ2T_3sim3run"));
        assert!(!names.has("_ZN4core3fmt3pad17h0123456789abcdefE"));
        assert_eq!(Names::parse("\nx1"), Err("line 2: “x1” is no hash".to_owned()));
    }
}
