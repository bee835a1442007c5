//! Where a redirect leads (RFC 9110, 10.2.2 and 15.4), and why it may lead nowhere.
//!
//! Only 301, 302, 303, 307 and 308 are followed; any other 3xx is an answer. Only `http` and `https`
//! are followed, and only to their default ports: a crawler's access is a question about a site, and
//! another port is another service. A user name in a Location is dropped and never sent.

use std::collections::BTreeSet;
use std::io;

use url::Url;

use crate::observation::{Exchange, Field, Hop, Outcome};

/// A request's way from its first URL to the answer that ends it.
#[derive(Debug)]
pub struct Chain {
    asked: Url,
    url: Url,
    hops: Vec<Hop>,
    seen: BTreeSet<Url>,
}

impl Chain {
    /// A chain that has not left its first URL.
    pub fn new(url: &str) -> io::Result<Self> {
        let url = Url::parse(url).map_err(|error| io::Error::other(format!("{url}: {error}")))?;
        let seen = BTreeSet::from([url.clone()]);
        Ok(Self { asked: url.clone(), url, hops: Vec::new(), seen })
    }

    /// Takes an answer: where it redirects, it is noted as a hop, and the URL that it leads to is
    /// given, or the cause why it leads nowhere. `None` for an answer that ends the chain.
    pub fn follow(
        &mut self,
        status: u16,
        fields: &[Field],
        redirects_most: u64,
    ) -> Option<Result<String, &'static str>> {
        let target = target_of(&self.url, status, fields)?;
        self.hops.push(Hop::new(self.url.as_str().to_owned(), status, fields.to_vec()));
        Some(target.and_then(|target| {
            if !self.seen.insert(target.clone()) {
                return Err("cycle");
            }
            if self.hops.len() as u64 > redirects_most {
                return Err("too_many");
            }
            self.url = target;
            Ok(self.url.as_str().to_owned())
        }))
    }

    /// The exchange as it ended.
    pub fn ended(self, outcome: Outcome) -> Exchange {
        let Self { asked, url, hops, .. } = self;
        Exchange { url: asked.into(), hops, final_url: url.into(), outcome }
    }
}

/// The target of a redirect, or the cause why it has none; `None` where an answer is no redirect.
pub fn target_of(from: &Url, status: u16, fields: &[Field]) -> Option<Result<Url, &'static str>> {
    if !matches!(status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = fields.iter().find(|field| field.name == "location");
    Some(match location {
        None => Err("missing_location"),
        Some(field) => usable(from, &field.value),
    })
}

/// Joins a Location to the URL that sent it.
fn usable(from: &Url, location: &[u8]) -> Result<Url, &'static str> {
    let mut target = from.join(&in_ascii(location)).map_err(|_| "bad_location")?;
    if !matches!(target.scheme(), "http" | "https") {
        return Err("scheme");
    }
    if target.port().is_some() {
        return Err("port");
    }
    target.set_fragment(None);
    target
        .set_username("")
        .and_then(|()| target.set_password(None))
        .map_err(|()| "bad_location")?;
    target.as_str().parse::<hyper::Uri>().map_err(|_| "bad_location")?;
    Ok(target)
}

/// A Location with its octets beyond ASCII percent-encoded, so that raw UTF-8 and raw Latin-1 both
/// come back to the server as it wrote them.
fn in_ascii(location: &[u8]) -> String {
    let mut written = String::with_capacity(location.len());
    for &octet in location {
        if octet.is_ascii() {
            written.push(char::from(octet));
        } else {
            written.push_str(&format!("%{octet:02X}"));
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::target_of;
    use crate::observation::Field;
    use url::Url;

    fn led_to(location: Option<&[u8]>, status: u16) -> Option<Result<String, &'static str>> {
        let from = Url::parse("https://a.test/x/robots.txt").expect("a URL");
        let field = |value: &[u8]| Field { name: "location".into(), value: value.to_vec() };
        let fields: Vec<Field> = location.map(field).into_iter().collect();
        target_of(&from, status, &fields).map(|end| end.map(String::from))
    }

    #[test]
    fn five_statuses_redirect_and_no_other() {
        for status in 300..400 {
            let follows = matches!(status, 301 | 302 | 303 | 307 | 308);
            assert_eq!(led_to(Some(b"/y"), status).is_some(), follows, "{status}");
        }
    }

    #[test]
    fn a_location_leads_to_one_url_or_has_a_cause() {
        for (location, expected) in [
            (&b"/y"[..], Ok("https://a.test/y")),
            (b"y?z#part", Ok("https://a.test/x/y?z")),
            (b"//b.test", Ok("https://b.test/")),
            (b"HTTP://B.test:80/y", Ok("http://b.test/y")),
            (b"https://b.test:443/", Ok("https://b.test/")),
            (b"https://u:p@b.test/", Ok("https://b.test/")),
            (b"https://127.1/", Ok("https://127.0.0.1/")),
            (b"https://0x7f.1/", Ok("https://127.0.0.1/")),
            (b"https://[::ffff:10.0.0.1]/", Ok("https://[::ffff:a00:1]/")),
            (b"/\xC3\xA4", Ok("https://a.test/%C3%A4")),
            (b"/\xE4", Ok("https://a.test/%E4")),
            (b"https://b\xC3\xBCcher.test/", Ok("https://xn--bcher-kva.test/")),
            (b"", Ok("https://a.test/x/robots.txt")),
            (b"https://b.test:8443/", Err("port")),
            (b"https://b.test:80/", Err("port")),
            (b"ftp://b.test/", Err("scheme")),
            (b"file:///etc/passwd", Err("scheme")),
            (b"javascript:alert(1)", Err("scheme")),
            (b"data:text/plain,x", Err("scheme")),
            (b"https://", Err("bad_location")),
            (b"https://[:::/", Err("bad_location")),
            (b"https://a b/", Err("bad_location")),
            (b"https://xn--a.test/", Err("bad_location")),
            (b"https://b.test:99999/", Err("bad_location")),
        ] {
            let shown = String::from_utf8_lossy(location).into_owned();
            assert_eq!(led_to(Some(location), 301), Some(expected.map(String::from)), "{shown}");
        }
        assert_eq!(led_to(None, 302), Some(Err("missing_location")));
    }
}
