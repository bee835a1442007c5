//! What a source (the network or an archive) gave for one domain in one attempt.
//!
//! Facts only, complete before any judging starts and never edited afterwards. A site's failure is
//! one word of a closed list inside the observation, never a Rust `Err`. What the facts mean is for
//! `classify` to say.

use crate::closed_list;
use crate::limits::Limits;
use crate::sample::Domain;

closed_list! {
    /// How an exchange failed before an HTTP answer could be judged.
    ///
    /// The method's list; `protocol` and `other` are the declared overflow. The modes that a status
    /// or a body names (`http_403`, `challenge` …) are judgements and belong to `classify`.
    pub enum TransportMode {
        /// The name has no usable address, or its servers do not say.
        Dns = "dns",
        /// No TCP connection, or none that may be made.
        Connect = "connect",
        /// Silence past a deadline.
        Timeout = "timeout",
        /// The peer broke off: RST or an early end, in the handshake, the head or the body.
        Reset = "reset",
        /// The TLS handshake failed for another reason than silence or a break.
        Tls = "tls",
        /// Redirects that do not arrive: a cycle, too many hops, an unusable Location.
        RedirectLoop = "redirect_loop",
        /// An answer that is not HTTP, or cannot be decoded.
        Protocol = "protocol",
        /// Nothing of the above; its text is kept.
        Other = "other",
    }
}

closed_list! {
    /// What the scanner was doing when an exchange failed.
    pub enum Operation {
        /// Asking for the name's addresses.
        Resolve = "resolve",
        /// Refusing an address that must not be contacted.
        Guard = "guard",
        /// Opening the TCP connection.
        Connect = "connect",
        /// Negotiating TLS.
        Handshake = "handshake",
        /// Sending the request and reading the head of the answer.
        Request = "request",
        /// Reading the body.
        Body = "body",
    }
}

closed_list! {
    /// The method's requests of a domain, in their order.
    pub enum Step {
        /// `/robots.txt`.
        Robots = "robots",
        /// `/`.
        Homepage = "homepage",
        /// The path that cannot exist.
        Control = "control",
        /// `/llms.txt`.
        Llms = "llms",
    }
}

impl Step {
    /// How many steps there are.
    pub const COUNT: usize = 4;

    /// The path that is asked for; that of the control differs from domain to domain.
    pub fn path(self, control_path: &str) -> &str {
        match self {
            Self::Robots => "/robots.txt",
            Self::Homepage => "/",
            Self::Control => control_path,
            Self::Llms => "/llms.txt",
        }
    }

    /// The URL that is asked of a domain.
    pub fn url(self, domain: &Domain, control_path: &str) -> String {
        format!("https://{domain}{}", self.path(control_path))
    }

    /// Octets that are read of the answer's body, its content coding taken off. Of robots.txt it is
    /// one more than the engine reads, so that the engine can see that a document goes on.
    pub fn octets_most(self, limits: &Limits) -> usize {
        let octets = match self {
            Self::Robots => limits.robots_octets + 1,
            Self::Homepage => limits.homepage_octets,
            Self::Control | Self::Llms => limits.guidance_octets,
        };
        usize::try_from(octets).unwrap_or(usize::MAX / 4)
    }
}

closed_list! {
    /// How much of what was seen a run keeps as evidence.
    pub enum Kept {
        /// Every exchange.
        Full = "full",
        /// Every exchange but the homepage, which no class and no guidance verdict is made of.
        Policy = "policy",
        /// Nothing.
        None = "none",
    }
}

impl Kept {
    /// Whether a step's exchange is kept.
    pub fn holds(self, step: Step) -> bool {
        match self {
            Self::Full => true,
            Self::Policy => step != Step::Homepage,
            Self::None => false,
        }
    }
}

/// Why an exchange gave no usable answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The mode, from the closed list.
    pub mode: TransportMode,
    /// What was being done.
    pub operation: Operation,
    /// A finer, stable cause: `nxdomain`, `cert_expired` … Without addresses, times or names.
    pub cause: String,
    /// Whether any octet of an HTTP answer had arrived, on any hop of the exchange.
    pub answered: bool,
}

/// One hop of an exchange that answered with a redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The URL that was asked.
    pub url: String,
    /// The 3xx status.
    pub status: u16,
    /// The Location as it came, invalid UTF-8 replaced.
    pub location: String,
    /// The head's fields, in order, as they came.
    pub fields: Vec<Field>,
}

impl Hop {
    /// An answer that redirected; its Location is read from its fields.
    pub fn new(url: String, status: u16, fields: Vec<Field>) -> Self {
        let location = fields.iter().find(|field| field.name == "location");
        let text = |field: &Field| String::from_utf8_lossy(&field.value).into_owned();
        let location = location.map(text).unwrap_or_default();
        Self { url, status, location, fields }
    }
}

/// One header field: its name in lower case, its value as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name, in lower case.
    pub name: String,
    /// The value's octets.
    pub value: Vec<u8>,
}

/// A final answer: neither a followed redirect nor a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status of the answer.
    pub status: u16,
    /// The head's fields, in order, as they came.
    pub fields: Vec<Field>,
    /// The body as it came from the wire, its content coding still on.
    pub raw_body: Vec<u8>,
    /// The body with its content coding taken off, cut at the step's limit.
    pub body: Vec<u8>,
    /// Whether the decoded body was longer than the limit.
    pub truncated: bool,
}

impl Answer {
    /// The first field of a name (given in lower case), as text; invalid UTF-8 is replaced.
    pub fn field(&self, name: &str) -> Option<String> {
        self.fields_named(name).next()
    }

    /// All fields of a name (given in lower case), in order, as text.
    pub fn fields_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = String> + 'a {
        self.fields
            .iter()
            .filter(move |field| field.name == name)
            .map(|field| String::from_utf8_lossy(&field.value).into_owned())
    }
}

/// How an exchange ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An HTTP answer with its whole body, or as much of it as the limit allows.
    Answered(Answer),
    /// No usable answer.
    Failed(Failure),
    /// Not asked, since an earlier exchange ended the attempt or the domain's time was used up.
    NotAttempted,
    /// Not asked, since the site's robots.txt names our product token and disallows it.
    SelfDisallowed,
    /// Not asked, since the opt-out list names the host or its network.
    Excluded,
    /// An archive holds no answer to this request.
    NotCaptured,
}

/// One request, the redirects it led through, and its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The URL first asked.
    pub url: String,
    /// The answers that redirected, in order; the last of a chain that does not arrive included.
    pub hops: Vec<Hop>,
    /// The URL whose answer or failure ended the exchange.
    pub final_url: String,
    /// How it ended.
    pub outcome: Outcome,
}

impl Exchange {
    /// An exchange that was never begun.
    pub fn unasked(url: String, outcome: Outcome) -> Self {
        Self { final_url: url.clone(), url, hops: Vec::new(), outcome }
    }

    /// The final answer, if there is one.
    pub fn answer(&self) -> Option<&Answer> {
        match &self.outcome {
            Outcome::Answered(answer) => Some(answer),
            _ => None,
        }
    }

    /// The failure, if it is one.
    pub fn failure(&self) -> Option<&Failure> {
        match &self.outcome {
            Outcome::Failed(failure) => Some(failure),
            _ => None,
        }
    }

    /// The host of the final URL.
    pub fn final_host(&self) -> &str {
        host_of(&self.final_url)
    }
}

/// The host of an absolute URL as this crate writes them: `scheme://host[:port]/path`.
pub fn host_of(url: &str) -> &str {
    let authority = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|octet| octet.is_ascii_digit()) => host,
        _ => authority,
    }
}

/// The path of an absolute URL, `/` when it has none.
pub(crate) fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find('/').map_or("/", |slash| &rest[slash..]);
    path.split(['?', '#']).next().unwrap_or("/")
}

/// All that was seen of one domain in one attempt (the method's four requests, in their order).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Who was asked.
    pub domain: Domain,
    /// `/robots.txt`.
    pub robots: Exchange,
    /// `/`.
    pub homepage: Exchange,
    /// The path that cannot exist.
    pub control: Exchange,
    /// `/llms.txt`.
    pub llms: Exchange,
}

impl Observation {
    /// Makes an observation of what each step gave.
    pub fn of(domain: Domain, mut exchange: impl FnMut(Step) -> Exchange) -> Self {
        Self {
            domain,
            robots: exchange(Step::Robots),
            homepage: exchange(Step::Homepage),
            control: exchange(Step::Control),
            llms: exchange(Step::Llms),
        }
    }

    /// The exchange of a step.
    pub fn exchange(&self, step: Step) -> &Exchange {
        match step {
            Step::Robots => &self.robots,
            Step::Homepage => &self.homepage,
            Step::Control => &self.control,
            Step::Llms => &self.llms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{host_of, path_of};

    #[test]
    fn host_and_path_are_cut_out_of_a_url() {
        assert_eq!(host_of("https://a.test/robots.txt"), "a.test");
        assert_eq!(host_of("http://a.test:8080/x?y"), "a.test");
        assert_eq!(host_of("https://[::1]/x"), "[::1]");
        assert_eq!(path_of("https://a.test/en/llms.txt?x=/y"), "/en/llms.txt");
        assert_eq!(path_of("https://a.test"), "/");
    }
}
