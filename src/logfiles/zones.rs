//! A zone by its name, from this machine's zone files.

use std::path::Path;

use crate::clock;
use crate::files;
use crate::logs::{Change, Zone};
use crate::refusal::Refusal;

/// Where zone files are.
const FOLDER: &str = "/usr/share/zoneinfo";

/// Octets of a zone file.
const ZONE_OCTETS: u64 = 1024 * 1024;

/// The zone of a name, such as `Europe/Berlin`.
pub fn zone(name: &str) -> Result<Zone, Refusal> {
    let hint = "an offset (+02:00) or a zone of this machine (Europe/Berlin)";
    let refused = |message: String| Refusal::of("--tz", message, hint);
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '_' | '-' | '+');
    if name.is_empty() || !name.chars().all(is_name) {
        return Err(refused(format!("not a zone: {name:?}")));
    }
    let data = files::read(&Path::new(FOLDER).join(name), ZONE_OCTETS)
        .map_err(|_| refused(format!("no zone of this machine: {name:?}")))?;
    let (first_s, changes) = clock::zone_changes(name, &data)
        .ok_or_else(|| refused(format!("not a zone file: {name:?}")))?;
    let changes = changes.into_iter().map(|(at_s, offset_s)| Change { at_s, offset_s });
    Ok(Zone::with_changes(first_s, changes.collect()))
}

#[cfg(test)]
mod tests {
    use super::zone;

    #[test]
    fn what_is_no_zone_is_refused() {
        for name in ["", "../../etc/passwd", "Europe/Nowhere", "a b"] {
            assert!(zone(name).is_err(), "{name}");
        }
    }
}
