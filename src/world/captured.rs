//! A world of real responses: the latest captures of a web archive, served again.
//!
//! A `resource` is served as a 200 in plain text, a `response` with its status, fields and body.
//! A captured host answers 404 to any other path; any other host is NXDOMAIN. Bodies are served
//! as the archive holds them.

use std::collections::BTreeMap;
use std::path::Path;

use url::Url;

use super::WorldError;
use super::site::{Internet, Reply, Site};
use crate::archive::{self, Capture, CaptureKind};
use crate::refusal::Refusal;

/// Fields that belong to the connection on which a response came (RFC 9110, 7.6.1), or to how its
/// body was framed there.
const OF_THE_CONNECTION: [&str; 10] = [
    "connection",
    "content-length",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// A world from an archive, whole in memory.
pub struct Captured {
    hosts: BTreeMap<String, Site>,
}

impl Captured {
    /// Reads an archive.
    pub fn open(path: &Path) -> Result<Self, WorldError> {
        let mut hosts: BTreeMap<String, Site> = BTreeMap::new();
        let mut captures: Vec<Capture> = archive::latest(path)?.into_values().collect();
        // Where http and https were both captured, the later one stands.
        captures.sort_by(|one, other| one.date.cmp(&other.date));
        for capture in captures {
            let Some((host, path)) = place(&capture.url) else { continue };
            hosts.entry(host).or_default().replies.insert(path, reply(capture));
        }
        if hosts.is_empty() {
            let hint = "name an archive with resource or response records of http or https URLs";
            let shown = path.display().to_string();
            return Err(Refusal::of(&shown, "no capture is in it", hint).into());
        }
        Ok(Self { hosts })
    }

    /// The names of its hosts, in order.
    pub fn hosts(&self) -> impl Iterator<Item = &str> {
        self.hosts.keys().map(String::as_str)
    }
}

impl Internet for Captured {
    fn site(&self, host: &str, _: u32) -> Option<Site> {
        self.hosts.get(host).cloned()
    }

    fn some_hosts(&self, most: usize) -> Vec<String> {
        self.hosts().take(most).map(str::to_owned).collect()
    }

    fn deadline_ms(&self) -> Option<u64> {
        None
    }
}

/// The host of a URL, and its path with its query.
fn place(url: &str) -> Option<(String, String)> {
    let url = Url::parse(url).ok()?;
    let path = url.path();
    let target = url.query().map_or(path.to_owned(), |query| format!("{path}?{query}"));
    Some((url.host_str()?.trim_end_matches('.').to_owned(), target))
}

/// The reply that serves a capture again.
fn reply(capture: Capture) -> Reply {
    let fields = match capture.kind {
        CaptureKind::Resource => vec![("content-type".to_owned(), "text/plain".to_owned())],
        CaptureKind::Response => {
            // Most archives hold the decoded body and leave the coding's name standing.
            let is_gzip = capture.body.starts_with(b"\x1F\x8B");
            let kept = capture.fields.into_iter().filter(|field| {
                !OF_THE_CONNECTION.contains(&field.name.as_str())
                    && (field.name != "content-encoding" || is_gzip)
            });
            kept.map(|field| (field.name, String::from_utf8_lossy(&field.value).into_owned()))
                .collect()
        }
    };
    Reply { status: capture.status, fields, body: capture.body, ..Reply::default() }
}

#[cfg(test)]
mod tests {
    use super::{place, reply};
    use crate::archive::{Capture, CaptureKind};
    use crate::observation::Field;

    fn capture(kind: CaptureKind, fields: &[(&str, &str)], body: &[u8]) -> Capture {
        let field = |&(name, value): &(&str, &str)| Field {
            name: name.to_owned(),
            value: value.as_bytes().to_vec(),
        };
        let fields = fields.iter().map(field).collect();
        let (url, date) = ("https://a.test/".to_owned(), "2024-01-01T00:00:00Z".to_owned());
        Capture { url, date, kind, status: 203, fields, body: body.to_vec() }
    }

    #[test]
    fn a_response_loses_what_belonged_to_its_connection() {
        let fields = [
            ("transfer-encoding", "chunked"),
            ("content-length", "9"),
            ("content-encoding", "br"),
            ("server", "x"),
        ];
        let decoded = reply(capture(CaptureKind::Response, &fields, b"text"));
        assert_eq!(decoded.fields, [("server".to_owned(), "x".to_owned())]);
        assert_eq!((decoded.status, decoded.body.as_slice()), (203, &b"text"[..]));
        let coded = reply(capture(CaptureKind::Response, &fields, b"\x1F\x8B..."));
        assert_eq!(coded.fields[0].0, "content-encoding");
    }

    #[test]
    fn a_resource_is_plain_text() {
        let reply = reply(capture(CaptureKind::Resource, &[("content-type", "a/b")], b"x"));
        assert_eq!(reply.fields, [("content-type".to_owned(), "text/plain".to_owned())]);
    }

    #[test]
    fn a_place_is_a_host_and_a_path_with_its_query() {
        let expected = ("a.test".to_owned(), "/x?y".to_owned());
        assert_eq!(place("https://A.test:444/x?y#z"), Some(expected));
        assert_eq!(place("nonsense"), None);
    }
}
