//! The format of a folder world's `site.toml`: a host's faults as data.
//!
//! Everything is optional; an unknown key or word is refused with its line.
//!
//! ```toml
//! dns = "address"          # nxdomain nodata servfail refused silent lame alias_loop malformed private
//! connection = "accepted"  # refused black_hole closed reset unreachable
//! tls = "valid"            # expired wrong_name self_signed alert closed silent not_tls … (`site`)
//!
//! [[reply]]                # what one path answers; takes the place of a file at that path
//! path = "/llms.txt"
//! status = 200
//! fields = ["x-robots-tag: noai"]   # lines of the head; a content type is added by the ending
//! body = "# Title\n"       # or: file = "_large.txt", a file of this folder
//! repeat = 1               # the body this many times over
//! template = false         # replace {path} and {host} in the body
//! gzip = false             # send the body gzip-coded
//! fault = "none"           # reset_before_head short_body drip garbage … (`site::Fault`)
//!
//! [otherwise]              # the reply to every other path: the keys of a reply without `path`
//! status = 404
//!
//! [[phase]]                # what heals: all of the above again, through an attempt
//! through_attempt = 1      # the first phase whose number is not yet passed applies
//! dns = "servfail"         # what a phase does not say is as above
//! ```
//!
//! A reply without `body` and `file` has the body of the file at its path, or none. Files whose
//! name begins with `_` are served only where a reply names them.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::site::{Connection, Dns, Fault, Reply, Site, Tls};
use crate::refusal::Refusal;
use crate::words::Word;

/// The octets that a reply may have in the end.
const BODY_OCTETS: usize = 256 * 1024 * 1024;

/// The files of a host's folder by path (`/index.html` stands at `/`), `_` ones included.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// A host as its file describes it: its phases with their last attempts, then what it is after.
pub(super) struct Described {
    /// What it does through an attempt, in rising order.
    pub(super) phases: Vec<(u32, Site)>,
    /// What it does after the last phase.
    pub(super) healed: Site,
}

/// Reads a `site.toml` over the files beside it.
pub(super) fn describe(file: &str, text: &str, files: &Files) -> Result<Described, Refusal> {
    let layer: Layer =
        toml::from_str(text).map_err(|error| Refusal::of_toml(file, text, &error))?;
    let reader = Reader { file, text, files };
    if let Some(number) = &layer.through_attempt {
        let hint = "put it under [[phase]]";
        return Err(reader.refusal(number, "through_attempt stands outside of a phase", hint));
    }
    let healed = reader.laid_over(plain(files), &layer)?;
    let mut phases: Vec<(u32, Site)> = Vec::new();
    for phase in &layer.phase {
        let through = reader.through(phase, phases.last().map_or(0, |(through, _)| *through))?;
        phases.push((through, reader.laid_over(healed.clone(), phase.get_ref())?));
    }
    Ok(Described { phases, healed })
}

/// A host that serves files and has no faults.
pub(super) fn plain(files: &Files) -> Site {
    let served = files.iter().filter(|(path, _)| !path.contains("/_"));
    let replies = served.map(|(path, body)| (path.clone(), ok(path, body.clone()))).collect();
    Site { replies, ..Site::default() }
}

/// A 200 with the content type that a path's ending asks for.
fn ok(path: &str, body: Vec<u8>) -> Reply {
    let fields = vec![("content-type".to_owned(), content_type(path).to_owned())];
    Reply { status: 200, fields, body, ..Reply::default() }
}

/// The content type that a path's ending asks for.
fn content_type(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        None | Some("html" | "htm") => "text/html; charset=utf-8",
        Some("txt") => "text/plain; charset=utf-8",
        Some("md") => "text/markdown; charset=utf-8",
        Some("xml") => "application/xml",
        Some("json") => "application/json",
        Some(_) => "application/octet-stream",
    }
}

/// What stands in the file, or in one of its phases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Layer {
    through_attempt: Option<Spanned<u32>>,
    #[serde(default, deserialize_with = "word")]
    dns: Option<Dns>,
    #[serde(default, deserialize_with = "word")]
    connection: Option<Connection>,
    #[serde(default, deserialize_with = "word")]
    tls: Option<Tls>,
    #[serde(default)]
    reply: Vec<Spanned<ReplyText>>,
    otherwise: Option<Spanned<ReplyText>>,
    #[serde(default)]
    phase: Vec<Spanned<Layer>>,
}

/// A reply as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplyText {
    path: Option<String>,
    status: Option<u16>,
    #[serde(default)]
    fields: Vec<Spanned<String>>,
    body: Option<String>,
    file: Option<Spanned<String>>,
    repeat: Option<usize>,
    #[serde(default)]
    gzip: bool,
    #[serde(default)]
    template: bool,
    #[serde(default, deserialize_with = "word")]
    fault: Option<Fault>,
}

/// Reads a word of a closed list, and says the list where it is none.
fn word<'de, D: Deserializer<'de>, W: Word>(deserializer: D) -> Result<Option<W>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let known = || W::ALL.iter().map(|member| member.word()).collect::<Vec<_>>().join(", ");
    W::from_word(&text)
        .map(Some)
        .ok_or_else(|| serde::de::Error::custom(format!("{text:?} is none of: {}", known())))
}

/// What is needed to make sense of a layer, and to say where it makes none.
struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    files: &'a Files,
}

impl Reader<'_> {
    /// A refusal with the line of what is to blame.
    fn refusal<T>(&self, blamed: &Spanned<T>, message: impl Into<String>, hint: &str) -> Refusal {
        Refusal::of(self.file, message, hint).at_offset(self.text, blamed.span().start)
    }

    /// The last attempt of a phase, which follows one that ends with `before`.
    fn through(&self, phase: &Spanned<Layer>, before: u32) -> Result<u32, Refusal> {
        const RISING: &str = "say through which attempt each phase lasts, in rising order from 1";
        let layer = phase.get_ref();
        if let Some(inner) = layer.phase.first() {
            return Err(self.refusal(inner, "a phase stands within a phase", RISING));
        }
        match &layer.through_attempt {
            None => Err(self.refusal(phase, "a phase has no through_attempt", RISING)),
            Some(number) if *number.get_ref() <= before => {
                Err(self.refusal(number, "a phase ends before it begins", RISING))
            }
            Some(number) => Ok(*number.get_ref()),
        }
    }

    /// A site with what a layer says in the place of what it said before.
    fn laid_over(&self, mut site: Site, layer: &Layer) -> Result<Site, Refusal> {
        site.dns = layer.dns.unwrap_or(site.dns);
        site.connection = layer.connection.unwrap_or(site.connection);
        site.tls = layer.tls.unwrap_or(site.tls);
        for written in &layer.reply {
            match written.get_ref().path.as_deref().filter(|path| path.starts_with('/')) {
                Some(path) => {
                    let reply = self.reply(path, written)?;
                    site.replies.insert(path.to_owned(), reply);
                }
                None => {
                    let hint = "say path = \"/robots.txt\", or use [otherwise]";
                    return Err(self.refusal(
                        written,
                        "a reply has no path that begins with /",
                        hint,
                    ));
                }
            }
        }
        if let Some(written) = &layer.otherwise {
            if written.get_ref().path.is_some() {
                let hint = "use [[reply]] for a path";
                return Err(self.refusal(written, "[otherwise] has a path", hint));
            }
            site.otherwise = self.reply("", written)?;
        }
        Ok(site)
    }

    /// The reply that is written for a path.
    fn reply(&self, path: &str, written: &Spanned<ReplyText>) -> Result<Reply, Refusal> {
        let text = written.get_ref();
        let (named, body) = self.body(path, written)?;
        let repeat = text.repeat.unwrap_or(1);
        if body.len().saturating_mul(repeat) > BODY_OCTETS {
            let message = format!("a body has more than {BODY_OCTETS} octets");
            return Err(self.refusal(written, message, "repeat it less often"));
        }
        let status = text.status.unwrap_or(200);
        if !(100..1000).contains(&status) {
            let hint = "a status has three digits";
            return Err(self.refusal(written, format!("{status} is no status"), hint));
        }
        let mut fields = Vec::new();
        for line in &text.fields {
            fields.push(self.field(line)?);
        }
        if !fields.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            fields.insert(0, ("content-type".to_owned(), content_type(named).to_owned()));
        }
        Ok(Reply {
            status,
            fields,
            body: body.repeat(repeat),
            template: text.template,
            gzip: text.gzip,
            fault: text.fault.unwrap_or(Fault::None),
        })
    }

    /// A reply's body, and the path whose ending says what it is.
    fn body<'b>(
        &self,
        path: &'b str,
        written: &'b Spanned<ReplyText>,
    ) -> Result<(&'b str, Vec<u8>), Refusal> {
        match (&written.get_ref().body, &written.get_ref().file) {
            (Some(_), Some(file)) => {
                Err(self.refusal(file, "a reply has a body and a file", "leave one out"))
            }
            (Some(body), None) => Ok((path, body.clone().into_bytes())),
            (None, Some(file)) => {
                let name = file.get_ref().trim_start_matches('/');
                let found = self.files.get(&served_path(name));
                let missing = || {
                    let message = format!("no file {name:?} stands beside it");
                    self.refusal(file, message, "name a file of this folder")
                };
                found.cloned().map(|body| (name, body)).ok_or_else(missing)
            }
            (None, None) => Ok((path, self.files.get(path).cloned().unwrap_or_default())),
        }
    }

    /// One line of a head.
    fn field(&self, line: &Spanned<String>) -> Result<(String, String), Refusal> {
        let text = line.get_ref();
        let is_sound = !text.contains(['\r', '\n']);
        match text.split_once(':').filter(|(name, _)| is_sound && !name.trim().is_empty()) {
            Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
            None => {
                let hint = "write it as in a head: \"server: nginx\"";
                Err(self.refusal(line, format!("{text:?} is no field"), hint))
            }
        }
    }
}

/// The path at which a file is served: `index.html` stands for its folder.
pub(super) fn served_path(relative: &str) -> String {
    let folder = relative.strip_suffix("index.html");
    match folder.filter(|folder| folder.is_empty() || folder.ends_with('/')) {
        Some(folder) => format!("/{folder}"),
        None => format!("/{relative}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Described, Files, describe, served_path};
    use crate::world::site::{Dns, Fault, Tls};

    fn files() -> Files {
        [("/", "<html>"), ("/robots.txt", "User-agent: *\n"), ("/_big.txt", "ab")]
            .map(|(path, body)| (path.to_owned(), body.as_bytes().to_vec()))
            .into()
    }

    fn described(text: &str) -> Described {
        describe("site.toml", text, &files()).expect(text)
    }

    #[test]
    fn files_are_served_by_path_and_underscored_ones_only_by_name() {
        let site = described("").healed;
        assert_eq!(site.reply("/robots.txt?x").fields[0].1, "text/plain; charset=utf-8");
        assert_eq!(site.reply("/").fields[0].1, "text/html; charset=utf-8");
        assert_eq!((site.reply("/_big.txt").status, site.reply("/none").status), (404, 404));
        let named = "[[reply]]\npath = \"/llms.txt\"\nfile = \"_big.txt\"\nrepeat = 3\n";
        assert_eq!(described(named).healed.reply("/llms.txt").body, b"ababab");
        assert_eq!(served_path("en/index.html"), "/en/");
        assert_eq!(served_path("my-index.html"), "/my-index.html");
    }

    #[test]
    fn a_reply_without_a_body_keeps_that_of_its_file() {
        let text = "[[reply]]\npath = \"/robots.txt\"\nstatus = 503\ngzip = true\n\
                    fields = [\"Retry-After: 3\"]\nfault = \"short_body\"\n";
        let site = described(text).healed;
        let reply = site.reply("/robots.txt");
        assert_eq!((reply.status, reply.gzip, reply.fault), (503, true, Fault::ShortBody));
        assert_eq!(reply.body, b"User-agent: *\n");
        assert_eq!(reply.fields[1], ("Retry-After".to_owned(), "3".to_owned()));
    }

    #[test]
    fn a_phase_says_only_what_differs_until_it_heals() {
        let text = "tls = \"expired\"\n[[phase]]\nthrough_attempt = 1\ndns = \"servfail\"\n\
                    [[phase]]\nthrough_attempt = 2\n[[phase.reply]]\npath = \"/\"\nstatus = 500\n";
        let Described { phases, healed } = described(text);
        assert_eq!(
            (phases[0].0, phases[0].1.dns, phases[0].1.tls),
            (1, Dns::Servfail, Tls::Expired)
        );
        assert_eq!((phases[1].0, phases[1].1.dns), (2, Dns::Address));
        assert_eq!((phases[1].1.reply("/").status, healed.reply("/").status), (500, 200));
    }

    #[test]
    fn what_the_format_does_not_know_is_refused_with_its_line() {
        for (text, line, message) in [
            ("\ndsn = \"nodata\"\n", 2, "unknown field `dsn`"),
            ("\n\ndns = \"servfial\"\n", 3, "\"servfial\" is none of: address, nxdomain"),
            ("[[reply]]\nstatus = 200\n", 1, "a reply has no path that begins with /"),
            ("[[reply]]\npath = \"robots.txt\"\n", 1, "a reply has no path that begins with /"),
            ("\n[otherwise]\npath = \"/x\"\n", 2, "[otherwise] has a path"),
            ("[[reply]]\npath = \"/x\"\nfile = \"y\"\n", 3, "no file \"y\" stands beside it"),
            ("[[reply]]\npath = \"/x\"\nfields = [\"y\"]\n", 3, "\"y\" is no field"),
            ("[[reply]]\npath = \"/x\"\nfields = [\"y: a\\nb\"]\n", 3, "\"y: a\\nb\" is no field"),
            ("[[reply]]\npath = \"/x\"\nstatus = 20\n", 1, "20 is no status"),
            ("through_attempt = 1\n", 1, "through_attempt stands outside of a phase"),
            ("[[phase]]\ndns = \"silent\"\n", 1, "a phase has no through_attempt"),
            (
                "[[phase]]\nthrough_attempt = 1\n[[phase]]\nthrough_attempt = 1\n",
                4,
                "a phase ends before it begins",
            ),
            (
                "[[reply]]\npath = \"/x\"\nbody = \"abc\"\nrepeat = 900000000\n",
                1,
                "a body has more than 268435456 octets",
            ),
        ] {
            let refusal = describe("site.toml", text, &files()).err().expect(text);
            assert!(refusal.message.starts_with(message), "{text}: {refusal}");
            assert_eq!(refusal.line, Some(line), "{text}: {refusal}");
        }
    }
}
