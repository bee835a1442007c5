//! A model's TOML as values: strata, behaviours, guidance, homepages, and what is expected of each.
//!
//! Unknown keys are refused. What must hold between the tables is for `check` to say, and how
//! domains are dealt to them is for the model.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, de};
use toml::Spanned;

use crate::words::Word;
use crate::world::site::{Connection, Dns, Fault, Reply, Tls};

/// A whole model.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Format {
    pub(super) model: Head,
    pub(super) stratum: Vec<Stratum>,
    pub(super) behaviour: Vec<Behaviour>,
    pub(super) guidance: Vec<Guidance>,
    pub(super) homepage: Vec<Homepage>,
    #[serde(default)]
    pub(super) host: Vec<Host>,
}

/// What the model is.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    pub(super) name: String,
    #[serde(rename = "about")]
    _about: String,
    /// Who has which behaviour hangs on this and on the domain's name alone.
    pub(super) seed: u64,
    /// How many domains there are when nothing else is said.
    pub(super) n: Spanned<usize>,
    pub(super) deadline_ms: u64,
}

/// A sector of the sample.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stratum {
    pub(super) name: Spanned<String>,
    /// Its part of the sum of all strata's shares.
    pub(super) share: f64,
    /// The second words of its domains' names; no other stratum has them.
    pub(super) words: Vec<String>,
}

/// How a host answers for its robots.txt, or fails to.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Behaviour {
    pub(super) name: Spanned<String>,
    /// Why its columns are expected as they are.
    #[serde(rename = "about")]
    _about: String,
    /// Its part of the sum of all behaviours' shares; none if only others lead to it.
    #[serde(default)]
    pub(super) share: f64,
    /// How much likelier it is in a stratum than elsewhere; 1 where not named.
    #[serde(default)]
    pub(super) tilt: BTreeMap<String, f64>,
    #[serde(default, deserialize_with = "word")]
    pub(super) dns: Dns,
    #[serde(default, deserialize_with = "word")]
    pub(super) connection: Connection,
    #[serde(default, deserialize_with = "word")]
    pub(super) tls: Tls,
    /// Whether every path answers as robots.txt does.
    #[serde(default)]
    pub(super) whole_host: bool,
    /// The homepage that goes with it, where robots.txt tells what the site runs on.
    pub(super) homepage: Option<String>,
    /// The attempt from which on `then` acts.
    pub(super) heals_on: Option<u32>,
    pub(super) then: Option<String>,
    /// The answer to `/robots.txt`.
    pub(super) robots: Option<Answer>,
    /// Answers to other paths.
    #[serde(default)]
    pub(super) also: BTreeMap<String, Answer>,
    pub(super) expect: AccessExpect,
}

/// The hand-stated columns of a behaviour; an empty one does not apply.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AccessExpect {
    pub(super) layer: String,
    pub(super) robots_state: String,
    pub(super) failure_mode: String,
    /// What was being done, and a finer cause: stated by all failures of the transport, or by none.
    pub(super) failure_operation: String,
    pub(super) failure_cause: String,
    pub(super) http_status: Option<u16>,
    pub(super) access_class: String,
    pub(super) class_wildcard: String,
    /// Stated exactly where the guidance dimension has no say: the host answers nothing else.
    pub(super) guidance: Option<GuidanceExpect>,
    /// What the homepage shows where the homepage dimension has no say.
    pub(super) homepage: HomepageExpect,
}

/// How a host answers for `/llms.txt` and for paths that do not exist.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Guidance {
    pub(super) name: Spanned<String>,
    #[serde(rename = "about")]
    _about: String,
    pub(super) share: f64,
    #[serde(default)]
    pub(super) tilt: BTreeMap<String, f64>,
    /// The answer to `/llms.txt`; the answer to any other path if not given.
    pub(super) llms: Option<Answer>,
    /// The answer to any other path; a plain 404 if not given.
    pub(super) otherwise: Option<Answer>,
    #[serde(default)]
    pub(super) also: BTreeMap<String, Answer>,
    pub(super) expect: GuidanceExpect,
}

/// The hand-stated columns of the guidance layer.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GuidanceExpect {
    pub(super) llms_state: String,
    #[serde(default)]
    pub(super) llms_likeness: String,
    #[serde(default)]
    pub(super) llms_failed_tests: String,
}

/// How a host answers for `/`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Homepage {
    pub(super) name: Spanned<String>,
    #[serde(rename = "about")]
    _about: String,
    pub(super) share: f64,
    #[serde(default)]
    pub(super) tilt: BTreeMap<String, f64>,
    pub(super) page: Answer,
    #[serde(default)]
    pub(super) expect: HomepageExpect,
}

/// The hand-stated columns of the homepage.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct HomepageExpect {
    pub(super) page_directives: String,
    pub(super) page_usage: String,
    pub(super) cms: String,
    pub(super) cdn: String,
}

impl HomepageExpect {
    /// Its columns, in their order.
    pub(super) fn cells(&self) -> [&str; 4] {
        [&self.page_directives, &self.page_usage, &self.cms, &self.cdn]
    }
}

/// A host outside the sample that others lead to.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Host {
    pub(super) name: Spanned<String>,
    #[serde(rename = "about")]
    _about: String,
    pub(super) answers: BTreeMap<String, Answer>,
}

/// An answer as it is written down.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    #[serde(default = "ok")]
    status: u16,
    #[serde(default = "plain_text")]
    content_type: String,
    /// Further fields; `{host}` in a value is the host that answers.
    #[serde(default)]
    fields: Vec<(String, String)>,
    #[serde(default)]
    body: String,
    /// What follows the body: one text many times, and an end.
    padding: Option<Padding>,
    #[serde(default)]
    template: bool,
    #[serde(default)]
    gzip: bool,
    #[serde(default = "no_fault", deserialize_with = "word")]
    fault: Fault,
}

/// A way to write a large body down in a few words.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Padding {
    text: String,
    times: usize,
    #[serde(default)]
    end: String,
}

impl Answer {
    /// The answer as a host gives it.
    pub(super) fn reply(&self, host: &str) -> Reply {
        let mut body = self.body.clone().into_bytes();
        if let Some(padding) = &self.padding {
            body.extend_from_slice(padding.text.repeat(padding.times).as_bytes());
            body.extend_from_slice(padding.end.as_bytes());
        }
        let filled =
            |(name, value): &(String, String)| (name.clone(), value.replace("{host}", host));
        let mut fields = vec![("content-type".to_owned(), self.content_type.clone())];
        fields.extend(self.fields.iter().map(filled));
        Reply {
            status: self.status,
            fields,
            body,
            template: self.template,
            gzip: self.gzip,
            fault: self.fault,
        }
    }
}

fn ok() -> u16 {
    200
}

fn plain_text() -> String {
    "text/plain; charset=utf-8".into()
}

fn no_fault() -> Fault {
    Fault::None
}

/// Reads a member of a closed list, and says which there are if it is none.
fn word<'de, D: Deserializer<'de>, W: Word>(deserializer: D) -> Result<W, D::Error> {
    let written = String::deserialize(deserializer)?;
    W::from_word(&written).ok_or_else(|| {
        let known: Vec<&str> = W::ALL.iter().map(|member| member.word()).collect();
        de::Error::custom(format!("{written:?} is none of {}", known.join(", ")))
    })
}
