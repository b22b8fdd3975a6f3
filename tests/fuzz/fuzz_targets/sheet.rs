//! Bytes as a worksheet.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = tests::fuzz::fuzz_sheet(bytes);
});
