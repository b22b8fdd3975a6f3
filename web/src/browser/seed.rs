//! A proposed seed: the one place in the program where chance comes from outside.

/// A seed of at most six digits, so that it can be read out and typed.
#[must_use]
pub fn propose_seed() -> u64 {
    #[cfg(target_arch = "wasm32")]
    {
        let mut bytes = [0_u8; 8];
        if getrandom::fill(&mut bytes).is_ok() {
            return u64::from_le_bytes(bytes) % 999_999 + 1;
        }
    }
    1
}
