//! Crawl that yields nothing: the first reason of an ordered list that holds of a request.

use crate::closed_list;
use crate::robots::Target;

use super::ruling::Verdict;

closed_list! {
    /// What came of a genuine request, the first that holds.
    pub enum Yield {
        /// It fetched the robots.txt.
        RobotsFetch = "robots_fetch",
        /// It was disallowed.
        Disallowed = "disallowed",
        /// It was sent elsewhere: 3xx but 304.
        Redirect = "redirect",
        /// It was refused or found nothing: 4xx.
        ClientError = "client_error",
        /// The server failed: 5xx.
        ServerError = "server_error",
        /// It got the page for what is not there, with 200.
        SoftNotFound = "soft_404",
        /// It asked for what stands in no given sitemap.
        NotInSitemap = "not_in_sitemap",
        /// It asked for a page that exists without its parameters too.
        ParameterDuplicate = "parameter_duplicate",
        /// None of these.
        Productive = "productive",
    }
}

/// What the site's owner says of the site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The paths that stand in the sitemaps, in the form in which they are compared, sorted; none
    /// where no sitemap is given.
    pub listed: Option<Vec<String>>,
    /// Octets of the page for what is not there, where the server answers it with 200.
    pub not_found_octets: Vec<u64>,
    /// Names of parameters without which a page is the same; a name that ends in `*` is a beginning.
    pub parameters: Vec<String>,
}

/// Parameters that commonly change nothing: sessions, and where a visitor came from. Ours.
pub const PARAMETERS: [&str; 14] = [
    "utm_*",
    "gclid",
    "fbclid",
    "msclkid",
    "yclid",
    "mc_cid",
    "mc_eid",
    "sid",
    "sessionid",
    "session_id",
    "phpsessid",
    "jsessionid",
    "ref",
    "source",
];

impl Site {
    /// What came of a request.
    #[inline]
    pub(super) fn outcome(
        &self,
        target: &Target,
        verdict: Verdict,
        status: u16,
        octets: u64,
    ) -> Yield {
        if target.is_robots_txt() {
            return Yield::RobotsFetch;
        }
        if verdict == Verdict::Disallowed {
            return Yield::Disallowed;
        }
        match status {
            300..=303 | 305..=399 => return Yield::Redirect,
            400..=499 => return Yield::ClientError,
            500..=599 => return Yield::ServerError,
            _ => {}
        }
        if self.not_found_octets.contains(&octets) {
            return Yield::SoftNotFound;
        }
        let path = target.as_text();
        let is_listed = |listed: &Vec<String>| {
            listed.binary_search_by(|known| known.as_str().cmp(path)).is_ok()
        };
        if self.listed.as_ref().is_some_and(|listed| !is_listed(listed)) {
            return Yield::NotInSitemap;
        }
        if self.has_idle_parameter(path) {
            return Yield::ParameterDuplicate;
        }
        Yield::Productive
    }

    /// Whether a path has a parameter without which the page is the same.
    fn has_idle_parameter(&self, path: &str) -> bool {
        let Some((_, query)) = path.split_once('?') else { return false };
        query.split('&').any(|pair| {
            let name = pair.split('=').next().unwrap_or(pair);
            self.parameters.iter().any(|idle| match idle.strip_suffix('*') {
                Some(beginning) => begins_like(name, beginning),
                None => name.eq_ignore_ascii_case(idle),
            })
        })
    }
}

fn begins_like(name: &str, beginning: &str) -> bool {
    name.get(..beginning.len()).is_some_and(|head| head.eq_ignore_ascii_case(beginning))
}

#[cfg(test)]
mod tests {
    use super::{PARAMETERS, Site, Target, Verdict, Yield};

    #[test]
    fn the_first_reason_that_holds_is_the_one_that_counts() {
        let site = Site {
            listed: Some(vec!["/a".into(), "/a?utm_source=b".into()]),
            not_found_octets: vec![1_234],
            parameters: PARAMETERS.map(str::to_owned).to_vec(),
        };
        let open = Site { listed: None, ..site.clone() };
        for (site, path, verdict, status, octets, expected) in [
            (&site, "/robots.txt", Verdict::Allowed, 404, 0, Yield::RobotsFetch),
            (&site, "/a", Verdict::Disallowed, 404, 0, Yield::Disallowed),
            (&site, "/a", Verdict::Allowed, 301, 0, Yield::Redirect),
            (&site, "/a", Verdict::Allowed, 304, 0, Yield::Productive),
            (&site, "/a", Verdict::NoVersion, 410, 0, Yield::ClientError),
            (&site, "/a", Verdict::Allowed, 503, 0, Yield::ServerError),
            (&site, "/a", Verdict::Allowed, 200, 1_234, Yield::SoftNotFound),
            (&site, "/b", Verdict::Allowed, 200, 1, Yield::NotInSitemap),
            (&site, "/a?utm_source=b", Verdict::Allowed, 200, 1, Yield::ParameterDuplicate),
            (&open, "/b?x=1&SID=2", Verdict::Allowed, 200, 1, Yield::ParameterDuplicate),
            (&open, "/b?x=1&side=2", Verdict::Allowed, 200, 1, Yield::Productive),
            (&open, "/b", Verdict::Allowed, 200, 1, Yield::Productive),
        ] {
            let target = Target::new(path.as_bytes());
            assert_eq!(site.outcome(&target, verdict, status, octets), expected, "{path}");
        }
    }
}
