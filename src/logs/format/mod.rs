//! The formats of logs: which one a file is in, and its lines read.
//!
//! A file's first lines decide: the format that reads most of them, in the order of the list where
//! two read as many. What else reads several of them is read beside it, since some servers write two
//! formats into one file. What a collector put around each line is found out in the same way.

mod aliases;
mod combined;
mod frame;
mod json;
mod mapped;
mod presets;
mod quoted;
mod sniff;
mod template;
#[cfg(test)]
mod tests;
mod w3c;

use std::sync::Arc;

use crate::closed_list;

pub use frame::Frame;
pub use mapped::Mapped;
pub use sniff::{Sniffed, sniff};
pub use template::Template;
pub use w3c::{Columns, HEADER as W3C_HEADER};

use super::moment::StampCache;
use super::request::{Line, Rejection, Request};
use super::zone::Zone;

closed_list! {
    /// A format of logs.
    pub enum Format {
        /// Common, combined, with a virtual host, X-Forwarded-For or Traefik's fields.
        Combined = "combined",
        /// One JSON object a line, whoever wrote it.
        Json = "json",
        /// The extended format of the W3C, as IIS writes it.
        W3c = "w3c",
        /// CloudFront's standard log without its header.
        Cloudfront = "cloudfront",
        /// AWS application load balancers.
        Alb = "alb",
        /// AWS classic load balancers.
        Elb = "elb",
        /// AWS S3.
        S3 = "s3",
        /// HAProxy's HTTP log.
        Haproxy = "haproxy",
        /// Envoy's default text.
        Envoy = "envoy",
        /// The nginx proxy manager.
        NginxProxyManager = "nginx_proxy_manager",
        /// nginx as Bitrix sets it up.
        Bitrix = "bitrix",
        /// nginx as Hestia sets it up.
        Hestia = "hestia",
        /// Apache as Gandi sets it up.
        Gandi = "gandi",
        /// The aiohttp server.
        Aiohttp = "aiohttp",
        /// What a template of the user's says.
        Template = "template",
    }
}

/// How the lines of one file are read.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The format; none where no format is known to read the file.
    pub format: Option<Format>,
    /// Formats that are tried where the first one fails.
    pub also: Vec<Format>,
    /// What stands around each line.
    pub frame: Frame,
    /// What the caller states of the log.
    pub stated: Stated,
}

/// What a caller states of logs, since they do not tell it themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// The zone of times without an offset.
    pub zone: Zone,
    /// Of what the user's template is made.
    pub template: Option<Template>,
    /// Names of a JSON log.
    pub mapped: Arc<Mapped>,
}

/// Nothing is stated but the zone.
impl From<Zone> for Stated {
    fn from(zone: Zone) -> Self {
        Self { zone, template: None, mapped: Arc::default() }
    }
}

/// What reading carries from one line to the next.
#[derive(Clone, Debug)]
pub struct Reading {
    stamps: StampCache,
    /// The columns that the last `#Fields` named.
    pub columns: Option<Columns>,
}

impl Reading {
    /// The state before the first line.
    pub fn new(columns: Option<Columns>) -> Self {
        Self { stamps: StampCache::new(), columns }
    }
}

impl Layout {
    /// A layout of one format, without a frame.
    pub fn of(format: Format, stated: impl Into<Stated>) -> Self {
        let stated = stated.into();
        Self { format: Some(format), also: Vec::new(), frame: Frame::Nothing, stated }
    }

    /// Reads a line, given without its end.
    #[inline(always)]
    pub fn read<'a>(&self, line: &'a [u8], reading: &mut Reading) -> Line<'a> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            return Line::Blank;
        }
        let Some(format) = self.format else {
            return Line::Rejected(Rejection::UnknownFormat);
        };
        let inner = match self.frame {
            Frame::Nothing => line,
            Frame::Words(words) => frame::behind_words(line, words),
            Frame::Docker => return self.read_docker(format, line, reading),
        };
        self.read_inner(format, line, inner, reading)
    }

    /// Reads what a frame holds.
    #[inline(always)]
    fn read_inner<'a>(
        &self,
        format: Format,
        line: &'a [u8],
        inner: &'a [u8],
        reading: &mut Reading,
    ) -> Line<'a> {
        let read = self.read_as(format, inner, reading);
        if let Line::Rejected(rejection) = read {
            return self.read_otherwise(line, inner, rejection, reading);
        }
        read
    }

    /// Reads a line out of Docker's object, whose escapes have to be decoded first.
    #[cold]
    fn read_docker<'a>(&self, format: Format, line: &[u8], reading: &mut Reading) -> Line<'a> {
        match frame::docker(line) {
            None if line.trim_ascii().is_empty() => Line::Blank,
            None => Line::Rejected(Rejection::NotJson),
            Some(inner) if inner.trim_ascii().is_empty() => Line::Blank,
            Some(inner) => self.read_inner(format, &inner, &inner, reading).owned(),
        }
    }

    /// Reads a line that the first format does not read.
    #[cold]
    fn read_otherwise<'a>(
        &self,
        line: &'a [u8],
        inner: &'a [u8],
        rejection: Rejection,
        reading: &mut Reading,
    ) -> Line<'a> {
        if line.trim_ascii().is_empty() {
            return Line::Blank;
        }
        if line[0] == b'#' {
            return Line::Directive;
        }
        for &format in &self.also {
            let read = self.read_as(format, inner, reading);
            if !matches!(read, Line::Rejected(_)) {
                return read;
            }
        }
        Line::Rejected(rejection)
    }

    /// Reads a line in one format. Inlined, like what calls it, since a request is too large to be
    /// handed up twice for every line.
    #[inline(always)]
    fn read_as<'a>(&self, format: Format, line: &'a [u8], reading: &mut Reading) -> Line<'a> {
        let zone = &self.stated.zone;
        let read = match format {
            Format::Combined => {
                return match combined::read(line, &mut reading.stamps, zone) {
                    Ok(fields) => Line::Request(fields.into()),
                    Err(rejection) => Line::Rejected(rejection),
                };
            }
            Format::Json => return json::read(line, zone, &self.stated.mapped),
            Format::W3c | Format::Cloudfront => return self.read_w3c(format, line, reading),
            Format::Template => match &self.stated.template {
                Some(template) => template.read(line, zone),
                None => Err(Rejection::UnknownFormat),
            },
            preset => presets::read(preset, line, zone),
        };
        read.map_or_else(Line::Rejected, Line::Request)
    }

    /// Reads a line of a W3C log, which may be a header.
    fn read_w3c<'a>(&self, format: Format, line: &'a [u8], reading: &mut Reading) -> Line<'a> {
        if line[0] == b'#' {
            if line.starts_with(w3c::HEADER) {
                reading.columns = Some(Columns::of_header(line));
            }
            return Line::Directive;
        }
        if reading.columns.is_none() && format == Format::Cloudfront {
            reading.columns = Some(Columns::cloudfront());
        }
        let columns = reading.columns.as_ref();
        let read = columns
            .map_or(Err(Rejection::NoHeader), |columns| columns.read(line, &self.stated.zone));
        read.map_or_else(Line::Rejected, Line::Request)
    }
}

/// How well a request looks like one: 2 if its peer is an address, 1 if it may be a host's name or is
/// not logged, or if a word of a frame stands in the host's place, 0 if what stands there is neither.
fn plausibility(format: Format, request: &Request<'_>) -> usize {
    let peer = &*request.peer;
    let is_part = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_');
    let is_name = peer.iter().any(u8::is_ascii_alphabetic) && peer.iter().all(is_part);
    // A header or a name says what a field is; a place does not.
    let is_named = matches!(format, Format::W3c | Format::Json | Format::Template);
    let (host, is_address) = (&*request.host, crate::logs::address::parse(peer).is_some());
    match () {
        () if is_address && (is_named || host.is_empty() || may_be_host(host)) => 2,
        () if is_address => 1,
        () if is_named || is_name => 1,
        () if peer.is_empty() && request.forwarded_for.is_some() => 1,
        () => 0,
    }
}

/// Whether a word may be a host with a port perhaps, and none of those that collectors put before a
/// line: `nginx:`, `F`, `|`.
fn may_be_host(word: &[u8]) -> bool {
    let is_part = |octet: &u8| {
        octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b':' | b'[' | b']')
    };
    word.len() > 1 && word.iter().all(is_part) && !word.ends_with(b":")
}
