//! Which bodies travel in the message, and which by reference.

use broker::queue::{
    BodyTooLarge, CLAIM_CHECK_MAX, CLAIM_CHECK_THRESHOLD, Carriage, ClaimCheck, Offload,
};

#[test]
fn a_body_above_the_threshold_travels_by_reference() {
    let above = ClaimCheck { offload: Offload::Above(CLAIM_CHECK_THRESHOLD), reference_bytes: 200 };
    let always = ClaimCheck { offload: Offload::Always, ..above };
    let inline = |bytes| Ok(Carriage::Inline { bytes });
    let stored = |body| Ok(Carriage::Stored { bytes: 200, body });
    for (check, bytes, carriage) in [
        (above, 1, inline(1)),
        (above, 262_144, inline(262_144)),
        (above, 262_145, stored(262_145)),
        (above, CLAIM_CHECK_MAX, stored(2_000_000_000)),
        (above, 2_000_000_001, Err(BodyTooLarge { bytes: 2_000_000_001 })),
        (always, 1, stored(1)),
        (always, u64::MAX, Err(BodyTooLarge { bytes: u64::MAX })),
    ] {
        assert_eq!(check.carry(bytes), carriage, "{bytes} bytes");
    }
}
