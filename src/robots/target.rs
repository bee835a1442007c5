//! What a decision is asked about: the path and query of a URL, in normal form (RFC 9309, 2.2.2).

use super::dialect::Dialect;
use super::{google, normal};

/// The path that is always allowed (2.2.2).
const ROBOTS_TXT: &[u8] = b"/robots.txt";

/// A path with its query, normalised once and compared often.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    path: Vec<u8>,
    is_robots_txt: bool,
}

impl Target {
    /// The target of a URL or of a path.
    ///
    /// Scheme, authority with userinfo, and fragment are dropped; path, parameters and query are
    /// kept; an empty path is `/`. What begins with `/` is a path, `//` included; what begins with
    /// neither `/` nor a scheme is read as an authority up to its first `/` or `?`.
    pub fn new(url: &[u8]) -> Self {
        Self { path: Vec::with_capacity(url.len() + 1), is_robots_txt: false }.renewed(url)
    }

    /// The target of another URL or path, in the room of this one: for callers with many.
    pub(crate) fn renewed(mut self, url: &[u8]) -> Self {
        let url = &url[..memchr::memchr(b'#', url).unwrap_or(url.len())];
        let rest = without_scheme(url);
        let from = memchr::memchr2(b'/', b'?', rest).unwrap_or(rest.len());
        self.path.clear();
        if rest.get(from) != Some(&b'/') {
            self.path.push(b'/');
        }
        normal::push_literal(&rest[from..], &mut self.path);
        self.is_robots_txt = self.path == ROBOTS_TXT;
        self
    }

    /// The target of a URL or of a path as a dialect compares it.
    ///
    /// Google: the URL is compared as it was handed over, and the robots.txt is a path like others.
    pub fn new_in(url: &[u8], dialect: Dialect) -> Self {
        match dialect {
            Dialect::C01 | Dialect::Strict => Self::new(url),
            Dialect::Google => Self { path: google::path_of(url), is_robots_txt: false },
        }
    }

    /// The path and query in the form in which they are compared.
    pub fn as_text(&self) -> &str {
        normal::as_text(&self.path)
    }

    /// The octets of the normal form.
    pub(crate) fn octets(&self) -> &[u8] {
        &self.path
    }

    /// Whether this is the robots.txt itself and so always allowed.
    pub fn is_robots_txt(&self) -> bool {
        self.is_robots_txt
    }
}

/// What follows `scheme://`, or all of it where no scheme stands.
fn without_scheme(url: &[u8]) -> &[u8] {
    let is_part = |octet: &u8| octet.is_ascii_alphanumeric() || b"+-.".contains(octet);
    let scheme = url.iter().take_while(|octet| is_part(octet)).count();
    match url[scheme..].strip_prefix(b"://") {
        Some(rest) if scheme > 0 => rest,
        _ => url,
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn a_url_is_reduced_to_its_path_and_query() {
        for (url, path) in [
            ("https://example.com/a?b=c#d", "/a?b=c"),
            ("https://user:word@example.com:8080/a;b", "/a;b"),
            ("https://example.com", "/"),
            ("https://example.com#top", "/"),
            ("https://example.com?a=/b", "/?a=/b"),
            ("https://example.com//", "//"),
            ("", "/"),
            ("/a?u=http://b/c", "/a?u=http://b/c"),
            ("//a/b", "//a/b"),
            ("example.com/a", "/a"),
            ("example.com/?u=http://b/c", "/?u=http://b/c"),
            ("/Ä%c3%84*$", "/%C3%84%C3%84%2A%24"),
            ("/a/../b", "/a/../b"),
        ] {
            assert_eq!(Target::new(url.as_bytes()).as_text(), path, "{url}");
        }
    }

    #[test]
    fn the_robots_txt_is_known_however_it_is_escaped() {
        for (url, is_robots_txt) in [
            ("https://example.com/robots.txt", true),
            ("/%72obots.txt#a", true),
            ("/robots.txt?a", false),
            ("/a/robots.txt", false),
            ("/Robots.txt", false),
        ] {
            assert_eq!(Target::new(url.as_bytes()).is_robots_txt(), is_robots_txt, "{url}");
        }
    }
}
