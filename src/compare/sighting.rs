//! What a run saw of one domain, and where that puts it.

use crate::classify::{AccessClass, FailureMode};
use crate::closed_list;
use crate::record::{CrawlerRow, Layer, MergedRow, PathRow, RobotsState};

closed_list! {
    /// Where a domain stands in one run: an access class, or why it has none.
    pub enum Standing {
        /// Every path is disallowed.
        WholeSite = "whole_site",
        /// Content that the site exists for is disallowed.
        Primary = "primary",
        /// Secondary content is disallowed.
        Secondary = "secondary",
        /// Only infrastructure is disallowed.
        FunctionallyOpen = "functionally_open",
        /// No Disallow restricts.
        FullyOpen = "fully_open",
        /// It answered and refused.
        AccessDenied = "access_denied",
        /// No policy could be read.
        Unscannable = "unscannable",
        /// HTML in the place of a robots.txt, which is left out where runs judge it differently.
        Html = "html",
        /// Outside every denominator.
        Outside = "outside",
    }
}

/// The standings that are access classes: the first of the list.
pub(super) const CLASSES: usize = 5;

/// What a run saw of one domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// Its merged row.
    pub merged: MergedRow,
    /// Its crawler rows.
    pub crawlers: Vec<CrawlerRow>,
    /// Its path rows.
    pub paths: Vec<PathRow>,
}

impl Sighting {
    /// Where the domain stands; HTML has a standing of its own where it is left out.
    pub fn standing(&self, leaves_out_html: bool) -> Standing {
        if leaves_out_html && self.is_html() {
            return Standing::Html;
        }
        let row = &self.merged.row;
        match (row.layer, row.access_class) {
            (Layer::Policy, Some(AccessClass::WholeSite)) => Standing::WholeSite,
            (Layer::Policy, Some(AccessClass::Primary)) => Standing::Primary,
            (Layer::Policy, Some(AccessClass::Secondary)) => Standing::Secondary,
            (Layer::Policy, Some(AccessClass::FunctionallyOpen)) => Standing::FunctionallyOpen,
            (Layer::Policy, _) => Standing::FullyOpen,
            (Layer::AccessDenied, _) => Standing::AccessDenied,
            (Layer::Unscannable, _) => Standing::Unscannable,
            (Layer::Outside, _) => Standing::Outside,
        }
    }

    /// The domain's class, where its policy was observed and is not left out.
    pub(super) fn class(&self, leaves_out_html: bool) -> Option<AccessClass> {
        let is_left_out = leaves_out_html && self.is_html();
        let row = &self.merged.row;
        (row.layer == Layer::Policy && !is_left_out).then_some(row.access_class).flatten()
    }

    /// Whether HTML stood in the place of a robots.txt.
    fn is_html(&self) -> bool {
        let row = &self.merged.row;
        matches!(row.robots_state, RobotsState::Soft404 | RobotsState::HtmlUndecided)
            || row.failure_mode == Some(FailureMode::NotRobots)
    }
}
