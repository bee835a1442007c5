//! How a run treats those whom it asks: what the command line says of it, settled.
//!
//! Over the internet there are bounds unless others are named. A fixture internet is this machine:
//! all its hosts lie on a few addresses of its own, whom nobody need spare and whose bounds would
//! only slow a run, so there they hold where they are asked for and nowhere else. None of it changes
//! a result: waiting is outside every deadline.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::RunError;
use crate::exclusion::Exclusions;
use crate::fetch::{CANARIES, Conduct};
use crate::files;
use crate::limits::{
    ATTEMPT_GAP_DEFAULT_S, ATTEMPT_GAP_MOST_S, BOUND_MOST, EXCLUSIONS_OCTETS, OUTAGE_DEFAULT_S,
    OUTAGE_MOST_S, Politeness, RETRY_AFTER_DEFAULT_S, RETRY_AFTER_MOST_S,
};
use crate::manifest::{Excluded, Recorded};
use crate::refusal::Refusal;
use crate::sample::Domain;

/// The word for no canary at all.
const NONE: &str = "none";

/// What the command line says of how others are treated.
#[derive(Clone, Debug, Default)]
pub struct Courtesy {
    /// Domains in contact with one address at the same time.
    pub address_concurrency: Option<u32>,
    /// Requests to one address in a second.
    pub address_rate: Option<u32>,
    /// Domains in contact with one network at the same time.
    pub network_concurrency: Option<u32>,
    /// Requests to one network in a second.
    pub network_rate: Option<u32>,
    /// Seconds between two attempts.
    pub attempt_gap_s: Option<u32>,
    /// Longest Retry-After that is waited for, in seconds.
    pub retry_after_most_s: Option<u32>,
    /// A list of who is never asked.
    pub exclude: Option<PathBuf>,
    /// Hosts that show that the network is there, instead of the built-in ones.
    pub canaries: Vec<String>,
    /// Seconds for which the network may be away before the run stops.
    pub outage_most_s: Option<u32>,
}

impl Courtesy {
    /// What a recorded run was told of it.
    pub(super) fn recorded(recorded: &Recorded) -> Self {
        let occasion = &recorded.occasion;
        let bounds = occasion.politeness;
        let is_without = occasion.canaries.is_empty() && recorded.world.is_none();
        Self {
            address_concurrency: bounds.map(|bounds| bounds.address.at_once),
            address_rate: bounds.map(|bounds| bounds.address.per_second),
            network_concurrency: bounds.map(|bounds| bounds.network.at_once),
            network_rate: bounds.map(|bounds| bounds.network.per_second),
            attempt_gap_s: Some(occasion.attempt_gap_s),
            retry_after_most_s: Some(occasion.retry_after_most_s),
            exclude: occasion.exclude_file.as_ref().map(PathBuf::from),
            canaries: if is_without { vec![NONE.to_owned()] } else { occasion.canaries.clone() },
            outage_most_s: Some(occasion.outage_most_s),
        }
    }
}

/// The same, settled.
#[derive(Clone, Debug, Default)]
pub(super) struct Settled {
    pub(super) politeness: Option<Politeness>,
    pub(super) attempt_gap_s: u32,
    pub(super) retry_after_most_s: u32,
    pub(super) exclusions: Option<Arc<Exclusions>>,
    pub(super) exclude_file: Option<PathBuf>,
    pub(super) canaries: Vec<String>,
    pub(super) outage_most_s: u32,
}

impl Courtesy {
    /// Settles what is said, over the internet or over a fixture internet.
    pub(super) fn settled(&self, is_fixture: bool) -> Result<Settled, RunError> {
        self.check()?;
        let or = |default: u32| if is_fixture { 0 } else { default };
        Ok(Settled {
            politeness: self.politeness(is_fixture),
            attempt_gap_s: self.attempt_gap_s.unwrap_or(or(ATTEMPT_GAP_DEFAULT_S)),
            retry_after_most_s: self.retry_after_most_s.unwrap_or(or(RETRY_AFTER_DEFAULT_S)),
            exclusions: self.exclude.as_deref().map(exclusions).transpose()?.map(Arc::new),
            exclude_file: self.exclude.clone(),
            canaries: self.canaries(is_fixture)?,
            outage_most_s: self.outage_most_s.unwrap_or(OUTAGE_DEFAULT_S),
        })
    }

    /// Refuses numbers that no run can have.
    fn check(&self) -> Result<(), RunError> {
        for (flag, value, least, most) in [
            ("address-concurrency", self.address_concurrency, 1, BOUND_MOST),
            ("address-rate", self.address_rate, 1, BOUND_MOST),
            ("network-concurrency", self.network_concurrency, 1, BOUND_MOST),
            ("network-rate", self.network_rate, 1, BOUND_MOST),
            ("attempt-gap", self.attempt_gap_s, 0, ATTEMPT_GAP_MOST_S),
            ("retry-after-most", self.retry_after_most_s, 0, RETRY_AFTER_MOST_S),
            ("outage-most", self.outage_most_s, 0, OUTAGE_MOST_S),
        ] {
            if let Some(value) = value.filter(|value| !(least..=most).contains(value)) {
                let message = format!("--{flag} {value} is not between {least} and {most}");
                return Err(RunError::Usage(message));
            }
        }
        Ok(())
    }

    /// The bounds that hold.
    fn politeness(&self, is_fixture: bool) -> Option<Politeness> {
        let asked = [
            self.address_concurrency,
            self.address_rate,
            self.network_concurrency,
            self.network_rate,
        ];
        if is_fixture && asked.iter().all(Option::is_none) {
            return None;
        }
        let mut politeness = Politeness::DEFAULT;
        let settings = [
            &mut politeness.address.at_once,
            &mut politeness.address.per_second,
            &mut politeness.network.at_once,
            &mut politeness.network.per_second,
        ];
        for (setting, asked) in settings.into_iter().zip(asked) {
            *setting = asked.unwrap_or(*setting);
        }
        Some(politeness)
    }

    /// The canaries that are asked.
    fn canaries(&self, is_fixture: bool) -> Result<Vec<String>, RunError> {
        match &self.canaries[..] {
            [] if is_fixture => Ok(Vec::new()),
            [] => Ok(CANARIES.map(str::to_owned).to_vec()),
            [word] if word == NONE => Ok(Vec::new()),
            named => named
                .iter()
                .map(|host| match Domain::parse(host) {
                    Ok(domain) => Ok(domain.as_str().to_owned()),
                    Err((message, _)) => Err(RunError::Usage(format!("--canary: {message}"))),
                })
                .collect(),
        }
    }
}

impl Settled {
    /// What the fetcher promises.
    pub(super) fn conduct(&self) -> Conduct {
        Conduct {
            politeness: self.politeness,
            exclusions: self.exclusions.clone(),
            canaries: self.canaries.clone(),
            outage_most_s: self.outage_most_s,
        }
    }

    /// Which opt-out list is kept to.
    pub(super) fn excluded(&self) -> Option<Excluded> {
        self.exclusions.as_ref().map(|list| Excluded {
            sha256: list.digest().to_string(),
            domains: list.domains(),
            networks: list.networks(),
        })
    }
}

/// Reads an opt-out list.
fn exclusions(path: &Path) -> Result<Exclusions, Refusal> {
    let octets = files::read(path, EXCLUSIONS_OCTETS)
        .map_err(|error| files::unreadable(path, &error, "an opt-out list is a text file"))?;
    Exclusions::parse(&path.to_string_lossy(), &octets)
}

#[cfg(test)]
mod tests {
    use super::{Courtesy, RunError};
    use crate::limits::Politeness;

    #[test]
    fn the_internet_is_spared_by_default_and_this_machine_is_not() {
        let settled = Courtesy::default().settled(false).expect("good");
        assert_eq!(settled.politeness, Some(Politeness::DEFAULT));
        assert_eq!((settled.attempt_gap_s, settled.retry_after_most_s), (60, 600));
        assert_eq!(settled.canaries.len(), 3);
        let fixture = Courtesy::default().settled(true).expect("good");
        assert_eq!(fixture.politeness, None);
        assert_eq!((fixture.attempt_gap_s, fixture.retry_after_most_s), (0, 0));
        assert!(fixture.canaries.is_empty());
    }

    #[test]
    fn what_is_asked_for_holds_in_both() {
        let asked = Courtesy {
            address_rate: Some(3),
            attempt_gap_s: Some(0),
            canaries: vec!["Canary.test".into()],
            ..Courtesy::default()
        };
        for is_fixture in [false, true] {
            let settled = asked.settled(is_fixture).expect("good");
            let politeness = settled.politeness.expect("bounds");
            assert_eq!((politeness.address.per_second, politeness.address.at_once), (3, 2));
            assert_eq!(
                (settled.attempt_gap_s, &*settled.canaries),
                (0, &["canary.test".into()][..])
            );
        }
        let none = Courtesy { canaries: vec!["none".into()], ..Courtesy::default() };
        assert!(none.settled(false).expect("good").canaries.is_empty());
    }

    #[test]
    fn numbers_and_names_that_cannot_be_are_usage() {
        for courtesy in [
            Courtesy { address_rate: Some(0), ..Courtesy::default() },
            Courtesy { network_concurrency: Some(1_001), ..Courtesy::default() },
            Courtesy { retry_after_most_s: Some(86_401), ..Courtesy::default() },
            Courtesy { canaries: vec!["a b".into()], ..Courtesy::default() },
        ] {
            assert!(matches!(courtesy.settled(false), Err(RunError::Usage(_))), "{courtesy:?}");
        }
    }
}
