//! The corpora that are too large, or not ours, to stand in this repository.

use std::path::PathBuf;

/// The folder that holds `data/` and `worlds/`, or none where it is absent; then it says so.
#[allow(clippy::disallowed_methods, reason = "where the corpora are is not part of a measurement")]
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = match std::env::var("SCANNER_CORPUS") {
        Ok(folder) => PathBuf::from(folder),
        Err(_) => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
    };
    if folder.is_dir() {
        return Some(folder);
    }
    println!("SCANNER_CORPUS is not there: {}; tests that read it are skipped", folder.display());
    None
}

/// Decodes base64 as it is defined in RFC 4648, 4.
pub(crate) fn base64(text: &str) -> Vec<u8> {
    let (mut octets, mut held, mut bits) = (Vec::with_capacity(text.len() / 4 * 3), 0_u32, 0);
    for digit in text.bytes().filter(|&digit| digit != b'=') {
        held = held << 6 | u32::from(digit_value(digit));
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            octets.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    octets
}

/// The value of a digit of base64.
fn digit_value(digit: u8) -> u8 {
    match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => panic!("a corpus holds base64, not {digit}"),
    }
}
