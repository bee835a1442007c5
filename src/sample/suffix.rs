//! Under which public suffix a name stands, and which name its owner registered.
//!
//! By the Public Suffix List, both its sections, as the crate `psl` compiles it in: two hosts of one
//! registrable domain have one owner, and a public suffix has none that could be studied.

use super::Domain;

/// The list in use: the crate is released anew for each change of the list.
pub const PUBLIC_SUFFIX_LIST: &str = "psl 2.1.247";

/// Top-level names that are reserved for tests and examples (RFC 6761, 6.2 to 6.5; RFC 9476).
const RESERVED: [&str; 5] = ["alt", "example", "invalid", "localhost", "test"];

/// Where a name stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// It is itself a public suffix: others register names below it.
    Suffix,
    /// It belongs to a registrable domain.
    Below {
        /// The public suffix and one label more.
        registrable: String,
        /// Whether the list, or a reservation, knows the suffix.
        is_listed: bool,
    },
}

/// Finds where a name stands.
pub fn place(domain: &Domain) -> Place {
    let name = domain.as_str();
    match psl::domain(name.as_bytes()) {
        None => Place::Suffix,
        Some(found) => {
            let registrable = String::from_utf8_lossy(found.as_bytes()).into_owned();
            let top = name.rsplit('.').next().unwrap_or(name);
            let is_listed = found.suffix().is_known() || RESERVED.contains(&top);
            Place::Below { registrable, is_listed }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PUBLIC_SUFFIX_LIST, Place, place};
    use crate::sample::Domain;

    #[test]
    fn a_name_is_placed_by_the_list_and_not_by_counting_labels() {
        for (name, registrable, is_listed) in [
            ("www.example.co.uk", Some("example.co.uk"), true),
            ("example.com.au", Some("example.com.au"), true),
            ("shop.example.com.sg", Some("example.com.sg"), true),
            ("a.github.io", Some("a.github.io"), true),
            ("co.uk", None, true),
            ("github.io", None, true),
            ("www.ck", Some("www.ck"), true),
            ("www.xn--85x722f.xn--55qx5d.cn", Some("xn--85x722f.xn--55qx5d.cn"), true),
            ("a.example.test", Some("example.test"), true),
            ("a.example.con", Some("example.con"), false),
        ] {
            let expected = match registrable {
                None => Place::Suffix,
                Some(registrable) => Place::Below { registrable: registrable.into(), is_listed },
            };
            assert_eq!(place(&Domain::parse(name).expect("a name")), expected, "{name}");
        }
    }

    #[test]
    fn the_list_named_is_the_list_compiled_in() {
        let manifest = include_str!("../../Cargo.toml");
        let version = PUBLIC_SUFFIX_LIST.strip_prefix("psl ").expect("a version");
        assert!(manifest.contains(&format!("psl = \"={version}\"")));
    }
}
