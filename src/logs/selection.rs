//! Which requests of a log are looked at.

use crate::registry::{Purpose, Registry};

/// Which requests are looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The first second; none for all.
    pub since_s: Option<i64>,
    /// The second before which a request must be; none for all.
    pub until_s: Option<i64>,
    /// The crawlers by their positions in the registry, in order; none for all.
    pub crawlers: Option<Vec<u16>>,
    /// The host; none for all.
    pub host: Option<Vec<u8>>,
}

impl Selection {
    /// The crawlers of some tokens and purposes, a crawler of either; none of neither for all.
    pub fn crawlers_of(
        registry: &Registry,
        tokens: &[String],
        purposes: &[Purpose],
    ) -> Option<Vec<u16>> {
        if tokens.is_empty() && purposes.is_empty() {
            return None;
        }
        let crawlers = (0_u16..).zip(&registry.crawlers);
        let wanted = crawlers.filter(|(_, crawler)| {
            tokens.iter().any(|token| crawler.is_named(token))
                || crawler.purpose.is_some_and(|purpose| purposes.contains(&purpose))
        });
        Some(wanted.map(|(position, _)| position).collect())
    }
}
