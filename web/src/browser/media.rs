//! What the reader has asked their system for.

/// Whether the system is set to less motion.
#[must_use]
pub fn wants_less_motion() -> bool {
    web_sys::window()
        .and_then(|window| window.match_media("(prefers-reduced-motion: reduce)").ok().flatten())
        .is_some_and(|query| query.matches())
}
