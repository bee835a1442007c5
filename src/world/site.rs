//! How one host of the fixture internet behaves in one attempt: DNS, connection, TLS, replies.
//!
//! Behaviour as data, the same for every kind of world; `server` acts it out on real sockets. A
//! fault that heals is a function of (host, attempt), never of how often it was asked.

use std::collections::BTreeMap;

use crate::closed_list;

/// What one host does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// What its DNS answers.
    pub dns: Dns,
    /// What happens to a TCP connection.
    pub connection: Connection,
    /// What happens to a TLS handshake.
    pub tls: Tls,
    /// Replies by exact path.
    pub replies: BTreeMap<String, Reply>,
    /// The reply to any other path.
    pub otherwise: Reply,
}

impl Site {
    /// The reply to a path, its query left off.
    pub fn reply(&self, target: &str) -> &Reply {
        let path = target.split('?').next().unwrap_or(target);
        self.replies.get(target).or_else(|| self.replies.get(path)).unwrap_or(&self.otherwise)
    }
}

closed_list! {
    /// What a host's DNS answers.
    #[derive(Default)]
    pub enum Dns {
        /// An address of the fixture internet.
        #[default]
        Address = "address",
        /// NXDOMAIN.
        Nxdomain = "nxdomain",
        /// NOERROR without an address.
        Nodata = "nodata",
        /// SERVFAIL.
        Servfail = "servfail",
        /// REFUSED.
        Refused = "refused",
        /// No answer at all.
        Silent = "silent",
        /// A referral to another server, and no answer.
        Lame = "lame",
        /// An alias of itself.
        AliasLoop = "alias_loop",
        /// Octets that are no DNS message beyond its header.
        Malformed = "malformed",
        /// An address that lies outside of the fixture internet.
        Private = "private",
    }
}

closed_list! {
    /// What happens to a TCP connection.
    #[derive(Default)]
    pub enum Connection {
        /// It is accepted.
        #[default]
        Accepted = "accepted",
        /// Nothing listens: RST.
        Refused = "refused",
        /// Nothing answers the SYN.
        BlackHole = "black_hole",
        /// Accepted and closed at once.
        Closed = "closed",
        /// Accepted and reset at once.
        Reset = "reset",
        /// No way leads there.
        Unreachable = "unreachable",
    }
}

closed_list! {
    /// What happens to a TLS handshake.
    #[derive(Default)]
    pub enum Tls {
        /// It succeeds with a valid certificate.
        #[default]
        Valid = "valid",
        /// The certificate has expired.
        Expired = "expired",
        /// The certificate names another host.
        WrongName = "wrong_name",
        /// The certificate signs itself.
        SelfSigned = "self_signed",
        /// The certificate is not valid yet.
        NotYetValid = "not_yet_valid",
        /// The certificate is signed by an authority that nobody knows.
        UnknownAuthority = "unknown_authority",
        /// The certificate is one for clients.
        WrongPurpose = "wrong_purpose",
        /// The peer asks for a certificate of ours.
        ClientCertificate = "client_certificate",
        /// The peer speaks HTTP/2 alone.
        Http2Only = "http2_only",
        /// A fatal handshake_failure alert.
        Alert = "alert",
        /// A fatal protocol_version alert.
        ProtocolVersion = "protocol_version",
        /// A fatal unrecognized_name alert.
        UnrecognizedName = "unrecognized_name",
        /// The peer answers in TLS 1.0.
        OldVersion = "old_version",
        /// The peer resets the connection after the ClientHello.
        Reset = "reset",
        /// The peer closes after the ClientHello.
        Closed = "closed",
        /// The peer says nothing after the ClientHello.
        Silent = "silent",
        /// The peer speaks plain HTTP.
        NotTls = "not_tls",
    }
}

closed_list! {
    /// How the sending of a reply goes wrong; each ends the connection.
    pub enum Fault {
        /// It does not.
        None = "none",
        /// The connection is reset before the head.
        ResetBeforeHead = "reset_before_head",
        /// The connection is closed before the head.
        CloseBeforeHead = "close_before_head",
        /// The connection is closed within the head.
        CutHead = "cut_head",
        /// Nothing is sent.
        Silent = "silent",
        /// The head comes an octet at a time, without end.
        DripHead = "drip_head",
        /// Interim answers (103) come one after another, without end.
        EndlessHints = "endless_hints",
        /// The head is followed by half of the body, then RST.
        ResetInBody = "reset_in_body",
        /// The body is closed before its declared end.
        ShortBody = "short_body",
        /// The body is closed within a chunk.
        CutChunk = "cut_chunk",
        /// Half of the body is sent, then nothing.
        SilentInBody = "silent_in_body",
        /// The body comes an octet at a time, without end.
        Drip = "drip",
        /// A chunk size that is no number.
        BadChunk = "bad_chunk",
        /// A gzip stream that ends too early, its length declared.
        CutGzip = "cut_gzip",
        /// Two lengths that contradict each other.
        TwoLengths = "two_lengths",
        /// More header fields than anyone reads.
        HeaderFlood = "header_flood",
        /// A header field that is larger than anyone reads.
        BigHead = "big_head",
        /// A status that is no number.
        BadStatus = "bad_status",
        /// A version of HTTP that nobody knows.
        BadVersion = "bad_version",
        /// The frames of HTTP/2, unasked and at once.
        Http2 = "http2",
        /// Octets that are not HTTP.
        Garbage = "garbage",
        /// A whole reply, and further octets after its end.
        Surplus = "surplus",
        /// A whole reply, and a close that it did not announce.
        CloseAfter = "close_after",
        /// A whole reply in HTTP/1.0, its end the end of the connection.
        Http10 = "http10",
    }
}

/// One reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// Its header fields; Content-Length and Connection are added when it is sent.
    pub fields: Vec<(String, String)>,
    /// Its body before any content coding; `{path}` and `{host}` are replaced where `template`.
    pub body: Vec<u8>,
    /// Whether the body is a template.
    pub template: bool,
    /// Whether the body is sent gzip-coded.
    pub gzip: bool,
    /// How its sending goes wrong.
    pub fault: Fault,
}

impl Default for Reply {
    /// A plain 404.
    fn default() -> Self {
        Self {
            status: 404,
            fields: vec![("content-type".into(), "text/plain; charset=utf-8".into())],
            body: b"not found\n".to_vec(),
            template: false,
            gzip: false,
            fault: Fault::None,
        }
    }
}

/// A whole internet: who is there, and what they do in an attempt.
pub trait Internet: Send + Sync {
    /// What a host does in an attempt; `None` is a name that does not exist.
    fn site(&self, host: &str, attempt: u32) -> Option<Site>;

    /// Some of its hosts, to try.
    fn some_hosts(&self, most: usize) -> Vec<String>;

    /// The most milliseconds that any deadline needs in this world, if it says so.
    fn deadline_ms(&self) -> Option<u64>;
}
