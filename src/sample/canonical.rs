//! The one form in which a sample is frozen: UTF-8, LF, `domain,stratum`, canonical names.

use super::Entry;

/// The canonical text of a list, in the order of its rows.
pub fn canonical(entries: &[Entry]) -> String {
    let rows = entries.iter().map(|entry| format!("{},{}\n", entry.domain, cell(&entry.stratum)));
    std::iter::once("domain,stratum\n".to_owned()).chain(rows).collect()
}

/// A cell, quoted where it must be (RFC 4180, 2.6 and 2.7).
fn cell(text: &str) -> String {
    if text.contains([',', '"']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;
    use crate::sample::Sample;

    #[test]
    fn every_way_to_write_a_list_has_one_canonical_text() {
        let expected = "domain,stratum\na.test,\"x, \"\"y\"\"\"\nxn--bcher-kva.test,z\n";
        for text in [
            expected,
            "\u{FEFF}note,Stratum,Domain\r\n# why\r\n,\"x, \"\"y\"\"\",A.test.\r\n1,z,bücher.test\r\n",
        ] {
            let sample = Sample::parse("s.csv", text.as_bytes(), None).expect("a good list");
            assert_eq!(canonical(&sample.entries), expected);
        }
    }
}
