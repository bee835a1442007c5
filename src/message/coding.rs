//! Content codings taken off by us, so that a body is kept as it came and no bomb goes off.
//!
//! Only gzip (RFC 1952, RFC 9110, 8.4.1.3) is asked for and read. Whatever a body claims to become,
//! no more than its limit and one octet is ever unpacked.

use std::io::{self, Read};

use flate2::bufread::GzDecoder;

use crate::observation::{Answer, Field};

/// What stands between a body as it came and its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// Nothing.
    Identity,
    /// Gzip.
    Gzip,
}

/// Why a body cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undecodable(pub &'static str);

/// A body's content, cut at its limit.
#[derive(Debug, PartialEq, Eq)]
struct Content {
    body: Vec<u8>,
    truncated: bool,
}

impl Coding {
    /// The coding that a head declares.
    pub fn of(fields: &[Field]) -> Result<Self, Undecodable> {
        let mut coding = Self::Identity;
        for field in fields.iter().filter(|field| field.name == "content-encoding") {
            for word in field.value.split(|&octet| octet == b',') {
                coding = match (coding, word.trim_ascii().to_ascii_lowercase().as_slice()) {
                    (coding, b"" | b"identity") => coding,
                    (Self::Identity, b"gzip" | b"x-gzip") => Self::Gzip,
                    _ => return Err(Undecodable("content_encoding")),
                };
            }
        }
        Ok(coding)
    }

    /// How many octets of the wire may matter for a content of at most `limit` octets: one beyond
    /// the limit proves that it was passed; gzip adds less than the content's size again.
    pub fn wire_octets(self, limit: usize) -> usize {
        match self {
            Self::Identity => limit + 1,
            Self::Gzip => limit * 2 + 65_536,
        }
    }

    /// The answer of a head and what was read of its body: at most what a content of `limit` octets
    /// needs of the wire. A body that fills this room was cut.
    pub fn answer(
        self,
        status: u16,
        fields: Vec<Field>,
        mut raw_body: Vec<u8>,
        limit: usize,
    ) -> Result<Answer, Undecodable> {
        let most = self.wire_octets(limit);
        let cut = raw_body.len() >= most;
        raw_body.truncate(most);
        let Content { body, truncated } = self.decode(&raw_body, cut, limit)?;
        Ok(Answer { status, fields, raw_body, body, truncated })
    }

    /// Takes the coding off. `cut` says that the wire held more than `raw`.
    fn decode(self, raw: &[u8], cut: bool, limit: usize) -> Result<Content, Undecodable> {
        let mut body = Vec::new();
        let mut truncated = cut;
        match self {
            Self::Identity => body.extend_from_slice(raw),
            Self::Gzip => match gunzip(raw, limit + 1, &mut body) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && cut => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    return Err(Undecodable("gzip_truncated"));
                }
                Err(_) => return Err(Undecodable("gzip")),
            },
        }
        if body.len() > limit {
            body.truncate(limit);
            truncated = true;
        }
        Ok(Content { body, truncated })
    }
}

/// Unpacks the members of a gzip stream one after another, at most `most` octets in all. What
/// follows the last member and is no member is padding, as every browser has it.
fn gunzip(mut raw: &[u8], most: usize, body: &mut Vec<u8>) -> io::Result<()> {
    while !raw.is_empty() && body.len() < most {
        let mut member = GzDecoder::new(raw);
        let room = (most - body.len()) as u64;
        member.by_ref().take(room).read_to_end(body)?;
        raw = member.into_inner();
        if !raw.starts_with(&[0x1F, 0x8B]) {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Coding, Content, Undecodable};
    use crate::observation::Field;
    use std::io::Write;

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(content).expect("memory");
        encoder.finish().expect("memory")
    }

    fn content(body: &[u8], truncated: bool) -> Result<Content, Undecodable> {
        Ok(Content { body: body.to_vec(), truncated })
    }

    #[test]
    fn only_gzip_and_identity_are_read() {
        let fields = |values: &[&str]| -> Vec<Field> {
            let field = |value: &&str| (*value).as_bytes().to_vec();
            let named = |value| Field { name: "content-encoding".into(), value };
            values.iter().map(field).map(named).collect()
        };
        for (values, expected) in [
            (&[][..], Ok(Coding::Identity)),
            (&["identity"], Ok(Coding::Identity)),
            (&[" GZip "], Ok(Coding::Gzip)),
            (&["x-gzip"], Ok(Coding::Gzip)),
            (&["identity, gzip"], Ok(Coding::Gzip)),
            (&["gzip, gzip"], Err(Undecodable("content_encoding"))),
            (&["gzip", "br"], Err(Undecodable("content_encoding"))),
            (&["br"], Err(Undecodable("content_encoding"))),
            (&["deflate"], Err(Undecodable("content_encoding"))),
            (&["utf-8"], Err(Undecodable("content_encoding"))),
        ] {
            assert_eq!(Coding::of(&fields(values)), expected, "{values:?}");
        }
    }

    #[test]
    fn exactly_the_limit_is_not_truncated() {
        for (coding, raw) in [(Coding::Identity, b"abcd".to_vec()), (Coding::Gzip, gzip(b"abcd"))] {
            assert_eq!(coding.decode(&raw, false, 5), content(b"abcd", false));
            assert_eq!(coding.decode(&raw, false, 4), content(b"abcd", false));
            assert_eq!(coding.decode(&raw, false, 3), content(b"abc", true));
        }
    }

    #[test]
    fn a_gzip_stream_may_have_members_and_padding() {
        let both = [gzip(b"ab"), gzip(b"cd")].concat();
        assert_eq!(Coding::Gzip.decode(&both, false, 9), content(b"abcd", false));
        let padded = [gzip(b"ab"), vec![0; 9]].concat();
        assert_eq!(Coding::Gzip.decode(&padded, false, 9), content(b"ab", false));
        assert_eq!(Coding::Gzip.decode(b"", false, 9), content(b"", false));
    }

    #[test]
    fn broken_gzip_is_told_from_cut_gzip() {
        let whole = gzip(b"a body of some length");
        let cut_short = &whole[..whole.len() - 9];
        assert_eq!(Coding::Gzip.decode(b"plain text", false, 99), Err(Undecodable("gzip")));
        let undecodable = Err(Undecodable("gzip_truncated"));
        assert_eq!(Coding::Gzip.decode(cut_short, false, 99), undecodable);
        assert_eq!(Coding::Gzip.decode(&whole[..5], false, 99), undecodable);
        assert!(Coding::Gzip.decode(cut_short, true, 99).expect("a prefix").truncated);
        let mut wrong_sum = whole.clone();
        wrong_sum[whole.len() - 6] ^= 1;
        assert_eq!(Coding::Gzip.decode(&wrong_sum, false, 99), Err(Undecodable("gzip")));
    }

    #[test]
    fn a_bomb_is_unpacked_to_its_limit_and_no_further() {
        let bomb = gzip(&vec![0; 50_000_000]);
        let content = Coding::Gzip.decode(&bomb, false, 1_000).expect("a prefix");
        assert_eq!((content.body.len(), content.truncated), (1_000, true));
        assert!(content.body.capacity() < 100_000);
    }
}
