//! What must hold between the tables of a model, each fault refused with its line.
//!
//! The shape of each table alone is for `format`.

use std::collections::{BTreeMap, BTreeSet};

use toml::Spanned;

use super::format::{AccessExpect, Behaviour, Format, GuidanceExpect};
use crate::refusal::Refusal;
use crate::world::site::{Connection, Dns, Tls};

/// Attempts that the truth table covers.
pub(super) const ATTEMPTS: u32 = 3;

/// The failure modes that a model may expect: the method's and the declared overflow.
const MODES: [&str; 15] = [
    "dns",
    "connect",
    "timeout",
    "reset",
    "tls",
    "redirect_loop",
    "http_401",
    "http_403",
    "http_429",
    "http_5xx",
    "http_4xx",
    "challenge",
    "not_robots",
    "protocol",
    "other",
];

/// Those of them that the transport names, with what was being done and why.
const TRANSPORT_MODES: [&str; 8] =
    ["dns", "connect", "timeout", "reset", "tls", "redirect_loop", "protocol", "other"];

/// The access classes, the most restrictive first.
const CLASSES: [&str; 5] =
    ["whole_site", "primary", "secondary", "functionally_open", "fully_open"];

/// The states of a robots.txt that was read as policy.
const POLICY_STATES: [&str; 4] = ["file", "empty", "absent", "soft_404"];

/// The states of the guidance layer.
const LLMS_STATES: [&str; 4] =
    ["present_conformant", "present_nonconformant", "absent", "unscannable"];

/// A checker of one file.
struct Check<'a> {
    file: &'a str,
    text: &'a str,
}

/// Refuses the first thing that does not hold.
pub(super) fn check(file: &str, text: &str, format: &Format) -> Result<(), Refusal> {
    let check = Check { file, text };
    check.strata(format)?;
    check.behaviours(format)?;
    check.variants(format)?;
    if *format.model.n.get_ref() == 0 {
        let message = "a model of no domain";
        return Err(check.refused(&format.model.n, message, "n is at least 1"));
    }
    Ok(())
}

impl Check<'_> {
    /// A refusal with the line of the value to blame.
    fn refused<T>(&self, at: &Spanned<T>, message: impl Into<String>, hint: &str) -> Refusal {
        Refusal::of(self.file, message, hint).at_offset(self.text, at.span().start)
    }

    /// Names are distinct, and so are the words that name domains.
    fn strata(&self, format: &Format) -> Result<(), Refusal> {
        self.distinct(format.stratum.iter().map(|stratum| &stratum.name))?;
        let mut owner: BTreeMap<&str, &str> = BTreeMap::new();
        for stratum in &format.stratum {
            let name = stratum.name.get_ref().as_str();
            self.share(&stratum.name, stratum.share)?;
            if stratum.words.is_empty() {
                return Err(self.refused(&stratum.name, "no words", "name at least one"));
            }
            for word in &stratum.words {
                if word.is_empty() || !word.bytes().all(|octet| octet.is_ascii_lowercase()) {
                    let message = format!("{word:?} cannot stand in a name");
                    return Err(self.refused(&stratum.name, message, "use the letters a to z"));
                }
                if let Some(other) = owner.insert(word, name) {
                    let message = format!("{word:?} stands in {other} already");
                    let hint = "a word belongs to one stratum, so that a name has one";
                    return Err(self.refused(&stratum.name, message, hint));
                }
            }
        }
        self.dealable("stratum", format.stratum.iter().map(|stratum| stratum.share))
    }

    /// Healing leads somewhere later, and expectations fit the answer.
    fn behaviours(&self, format: &Format) -> Result<(), Refusal> {
        let behaviours = &format.behaviour;
        self.distinct(behaviours.iter().map(|behaviour| &behaviour.name))?;
        let led_to: BTreeSet<&str> =
            behaviours.iter().filter_map(|behaviour| behaviour.then.as_deref()).collect();
        for behaviour in behaviours {
            self.share(&behaviour.name, behaviour.share)?;
            self.tilt(format, &behaviour.name, &behaviour.tilt)?;
            self.healing(behaviours, behaviour)?;
            let name = behaviour.name.get_ref().as_str();
            if behaviour.share == 0.0 && !led_to.contains(name) {
                let message = format!("{name} has no share, and no other behaviour leads to it");
                return Err(self.refused(&behaviour.name, message, "give it a share"));
            }
            if let Some((message, hint)) = misfit(behaviour).or_else(|| unfit(&behaviour.expect)) {
                return Err(self.refused(&behaviour.name, format!("{name}: {message}"), hint));
            }
            if let Some(page) = &behaviour.homepage
                && !format.homepage.iter().any(|homepage| homepage.name.get_ref() == page)
            {
                let message = format!("no homepage is named {page:?}");
                return Err(self.refused(&behaviour.name, message, "name one of this model"));
            }
            if let Some(guidance) = &behaviour.expect.guidance {
                self.guidance(&behaviour.name, guidance)?;
            }
            self.cells(&behaviour.name, &behaviour.expect.homepage.cells())?;
        }
        self.causes(behaviours)?;
        self.dealable("behaviour", behaviours.iter().map(|behaviour| behaviour.share))
    }

    /// If one failure of the transport says what was being done and why, all of them do.
    fn causes(&self, behaviours: &[Behaviour]) -> Result<(), Refusal> {
        let states = |behaviour: &&Behaviour| {
            let AccessExpect { failure_operation, failure_cause, .. } = &behaviour.expect;
            !failure_operation.is_empty() && !failure_cause.is_empty()
        };
        let transports = || {
            let of_transport = |mode: &str| TRANSPORT_MODES.contains(&mode);
            behaviours.iter().filter(move |behaviour| of_transport(&behaviour.expect.failure_mode))
        };
        match transports().find(|behaviour| !states(behaviour)) {
            Some(silent) if behaviours.iter().any(|behaviour| states(&behaviour)) => {
                let name = silent.name.get_ref();
                let hint = "state failure_operation and failure_cause for each, or for none";
                Err(self.refused(
                    &silent.name,
                    format!("{name} states no cause, and others do"),
                    hint,
                ))
            }
            _ => Ok(()),
        }
    }

    /// `heals_on` and `then` come together, and lead to what heals later or never.
    fn healing(&self, all: &[Behaviour], behaviour: &Behaviour) -> Result<(), Refusal> {
        let at = &behaviour.name;
        let (on, then) = match (behaviour.heals_on, &behaviour.then) {
            (None, None) => return Ok(()),
            (Some(on), Some(then)) if (2..=ATTEMPTS).contains(&on) => (on, then),
            (Some(on), Some(_)) => {
                return Err(self.refused(at, format!("heals_on is {on}"), "it is 2 or 3"));
            }
            _ => {
                let hint = "say when it heals and what it does then";
                return Err(self.refused(at, "heals_on and then come together", hint));
            }
        };
        let Some(next) = all.iter().find(|other| other.name.get_ref() == then) else {
            let message = format!("no behaviour is named {then:?}");
            return Err(self.refused(at, message, "then names another behaviour of the model"));
        };
        if next.heals_on.is_some_and(|next_on| next_on <= on) {
            let message = format!("{then:?} heals no later than {:?}", at.get_ref());
            return Err(self.refused(
                at,
                message,
                "a chain of behaviours goes forward in attempts",
            ));
        }
        Ok(())
    }

    /// A state of the guidance layer, and cells that can be written.
    fn guidance(&self, at: &Spanned<String>, expect: &GuidanceExpect) -> Result<(), Refusal> {
        if !LLMS_STATES.contains(&expect.llms_state.as_str()) {
            let message = format!("llms_state is {:?}", expect.llms_state);
            let hint = format!("it is one of {}", LLMS_STATES.join(", "));
            return Err(self.refused(at, message, &hint));
        }
        self.cells(at, &[&expect.llms_likeness, &expect.llms_failed_tests])
    }

    /// Guidance and homepages: names, shares, tilts and states.
    fn variants(&self, format: &Format) -> Result<(), Refusal> {
        self.distinct(format.guidance.iter().map(|guidance| &guidance.name))?;
        self.distinct(format.homepage.iter().map(|homepage| &homepage.name))?;
        self.distinct(format.host.iter().map(|host| &host.name))?;
        for guidance in &format.guidance {
            self.share(&guidance.name, guidance.share)?;
            self.tilt(format, &guidance.name, &guidance.tilt)?;
            self.guidance(&guidance.name, &guidance.expect)?;
        }
        for homepage in &format.homepage {
            self.share(&homepage.name, homepage.share)?;
            self.tilt(format, &homepage.name, &homepage.tilt)?;
            self.cells(&homepage.name, &homepage.expect.cells())?;
        }
        self.dealable("guidance", format.guidance.iter().map(|guidance| guidance.share))?;
        self.dealable("homepage", format.homepage.iter().map(|homepage| homepage.share))
    }

    /// A dimension without any share could be dealt to nobody.
    fn dealable(&self, table: &str, mut shares: impl Iterator<Item = f64>) -> Result<(), Refusal> {
        if shares.any(|share| share > 0.0) {
            return Ok(());
        }
        Err(Refusal::of(self.file, format!("no {table} has a share"), "give one a share"))
    }

    /// Cells of the truth table need no quotation.
    fn cells(&self, at: &Spanned<String>, cells: &[&str]) -> Result<(), Refusal> {
        match cells.iter().find(|cell| cell.contains([',', '"', '\n', '\r'])) {
            None => Ok(()),
            Some(cell) => {
                let message = format!("a cell cannot hold {cell:?}");
                Err(self.refused(at, message, "join several words by semicolons"))
            }
        }
    }

    fn share(&self, at: &Spanned<String>, share: f64) -> Result<(), Refusal> {
        if share.is_finite() && share >= 0.0 {
            return Ok(());
        }
        Err(self.refused(at, format!("share is {share}"), "a share is a number from 0 on"))
    }

    fn tilt(
        &self,
        format: &Format,
        at: &Spanned<String>,
        tilt: &BTreeMap<String, f64>,
    ) -> Result<(), Refusal> {
        for (stratum, &factor) in tilt {
            if !format.stratum.iter().any(|known| known.name.get_ref() == stratum) {
                let message = format!("tilt names no stratum: {stratum:?}");
                return Err(self.refused(at, message, "tilt names strata of this model"));
            }
            if !factor.is_finite() || factor < 0.0 {
                let message = format!("tilt of {stratum} is {factor}");
                return Err(self.refused(at, message, "a tilt is a number from 0 on"));
            }
        }
        Ok(())
    }

    fn distinct<'b>(
        &self,
        names: impl Iterator<Item = &'b Spanned<String>>,
    ) -> Result<(), Refusal> {
        let mut seen = BTreeSet::new();
        for name in names {
            let plain = |octet: u8| octet.is_ascii_alphanumeric() || b"_-.".contains(&octet);
            if name.get_ref().is_empty() || !name.get_ref().bytes().all(plain) {
                let message = format!("{:?} is no plain name", name.get_ref());
                return Err(self.refused(name, message, "use letters, digits, _ - ."));
            }
            if !seen.insert(name.get_ref()) {
                let message = format!("{:?} is named twice", name.get_ref());
                return Err(self.refused(name, message, "give each a name of its own"));
            }
        }
        Ok(())
    }
}

/// How a behaviour's answer contradicts what is expected of its other paths.
fn misfit(behaviour: &Behaviour) -> Option<(&'static str, &'static str)> {
    let reachable = behaviour.dns == Dns::Address
        && behaviour.connection == Connection::Accepted
        && behaviour.tls == Tls::Valid;
    let states_guidance = behaviour.expect.guidance.is_some();
    if reachable != behaviour.robots.is_some() {
        return Some((
            "robots and a host-level fault exclude each other",
            "say how robots.txt answers, or which fault of dns, connection or tls there is",
        ));
    }
    if (behaviour.whole_host || !reachable) && !states_guidance {
        return Some((
            "no guidance is expected where the host answers nothing else",
            "state expect.guidance.llms_state",
        ));
    }
    None
}

/// How an expectation contradicts itself.
fn unfit(expect: &AccessExpect) -> Option<(&'static str, &'static str)> {
    let classes = [&expect.access_class, &expect.class_wildcard];
    let states_classes = classes.iter().all(|class| CLASSES.contains(&class.as_str()));
    let states_none = classes.iter().all(|class| class.is_empty());
    match expect.layer.as_str() {
        "policy" if !POLICY_STATES.contains(&expect.robots_state.as_str()) => {
            Some(("policy without a state of robots.txt", "file, empty, absent or soft_404"))
        }
        "policy" if !expect.failure_mode.is_empty() => {
            Some(("policy with a failure mode", "what was observed did not fail"))
        }
        "policy" if !states_classes => {
            Some(("policy without both classes", "state access_class and class_wildcard"))
        }
        "policy" => None,
        "access_denied" | "unscannable" if expect.robots_state != "failed" => {
            Some(("a failure whose robots_state is not failed", "write failed"))
        }
        "access_denied" | "unscannable" if !MODES.contains(&expect.failure_mode.as_str()) => {
            Some(("a failure without a mode", "take one of the closed list"))
        }
        "access_denied" | "unscannable" if !states_none => {
            Some(("a failure with an access class", "no policy was read: leave both out"))
        }
        "access_denied" | "unscannable" => None,
        _ => Some(("no layer", "layer is policy, access_denied or unscannable")),
    }
}
