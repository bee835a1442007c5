//! Whether a study can be made from here: what is looked at before anything of a sample is asked.
//!
//! The machine is looked at by what it says of itself, the network by asking a canary over HTTPS
//! through each DNS server: one answer shows that names resolve, that the line leads out, that
//! nobody in between replaces certificates, and what time it is.

use std::io;
use std::path::Path;

use crate::clock;
use crate::closed_list;
use crate::fetch::{DESCRIPTORS, Fetcher, Vantage};
use crate::limits::{DESCRIPTORS_OF_A_RUN, Limits, WAITING_PER_SLOT};
use crate::machine;
use crate::observation::{Exchange, Outcome, TransportMode};
use crate::sample::Domain;

/// Octets of a canary's answer that are read.
const CANARY_OCTETS: u64 = 4_096;

/// Local ports below which many connections to one address may find none.
const PORTS_FEW: u64 = 4_096;

/// Room on the disk below which a run may find none, in octets.
const ROOM_LITTLE: u64 = 1 << 30;

/// Seconds by which a clock may be off before certificates and dates are judged wrongly.
const CLOCK_OFF_MOST_S: u64 = 300;

closed_list! {
    /// What is looked at.
    pub enum Subject {
        /// Descriptors for the domains in flight.
        Descriptors = "descriptors",
        /// Local ports.
        Ports = "ports",
        /// Memory for what is read of the domains in flight.
        Memory = "memory",
        /// Room for the run's folder.
        Disk = "disk",
        /// Proxies that the environment names.
        Proxy = "proxy",
        /// The DNS servers.
        Resolver = "resolver",
        /// The way out.
        Uplink = "uplink",
        /// Whether a certificate that should be believed is.
        Tls = "tls",
        /// The clock.
        Clock = "clock",
    }
}

closed_list! {
    /// What was found.
    pub enum Fitness {
        /// It will do.
        Fit = "fit",
        /// It may not do, or could not be looked at.
        Doubtful = "doubtful",
        /// No study can be made.
        Unfit = "unfit",
    }
}

/// One thing looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What.
    pub subject: Subject,
    /// What was found.
    pub fitness: Fitness,
    /// It in words.
    pub said: String,
    /// What to do about it, where something is to be done.
    pub hint: Option<&'static str>,
}

impl Check {
    fn new(subject: Subject, fitness: Fitness, said: String, hint: &'static str) -> Self {
        Self { subject, fitness, said, hint: (fitness != Fitness::Fit).then_some(hint) }
    }
}

/// Descriptors that a run may need at once for the domains that are asked.
pub(super) fn descriptors_needed(concurrency: usize, is_fixture: bool) -> u64 {
    (concurrency * descriptors_of_one(is_fixture) + DESCRIPTORS_OF_A_RUN) as u64
}

/// Descriptors that this process may have open, raised as far as the system lets it towards what a
/// run can use. Domains that wait for a busy network may hold some beyond those needed: where they
/// cannot be had, that is trouble of our own, and waited for.
pub(super) fn descriptors_allowed(concurrency: usize, is_fixture: bool) -> Option<u64> {
    machine::allow_descriptors(descriptors_needed(concurrency * WAITING_PER_SLOT, is_fixture))
}

/// Descriptors for a domain in flight: of a fixture internet both ends are in this process.
const fn descriptors_of_one(is_fixture: bool) -> usize {
    if is_fixture { 2 * DESCRIPTORS } else { DESCRIPTORS }
}

/// Octets that the domains in flight may hold at most.
pub(super) fn memory_most(concurrency: usize, limits: &Limits) -> u64 {
    concurrency as u64 * limits.octets_in_flight_most()
}

/// Whether there are descriptors enough.
pub(super) fn of_descriptors(concurrency: usize, is_fixture: bool) -> Check {
    let (fitness, said) =
        descriptors_beside(descriptors_allowed(concurrency, is_fixture), concurrency, is_fixture);
    let hint = "allow more with `ulimit -n`, or ask fewer domains at once with --concurrency";
    Check::new(Subject::Descriptors, fitness, said, hint)
}

/// How many descriptors there are beside those that a run may need. What is too little for one
/// connection a domain cannot go well; where only the connections kept beside that one may not all
/// be had, a domain that finds none is asked again.
fn descriptors_beside(
    allowed: Option<u64>,
    concurrency: usize,
    is_fixture: bool,
) -> (Fitness, String) {
    let Some(there) = allowed else {
        return (Fitness::Fit, "no bound on descriptors".to_owned());
    };
    let most = descriptors_needed(concurrency, is_fixture);
    let of_run = DESCRIPTORS_OF_A_RUN as u64;
    let one_connection = descriptors_of_one(is_fixture) / DESCRIPTORS;
    if there >= most {
        return (Fitness::Fit, format!("{there} descriptors, {most} may be needed"));
    }
    let enough_for = there.saturating_sub(of_run) / one_connection as u64;
    let said = format!(
        "{concurrency} domains at once may need {most} descriptors, and {there} are allowed"
    );
    match enough_for < concurrency as u64 {
        true => (Fitness::Unfit, format!("{said}, enough for {enough_for} at the least")),
        false => (Fitness::Doubtful, said),
    }
}

/// What the machine says of itself.
pub fn of_machine(concurrency: usize, is_fixture: bool, limits: &Limits, out: &Path) -> Vec<Check> {
    let mebibytes = |octets: u64| octets >> 20;
    let memory_most = memory_most(concurrency, limits);
    let enough = |there: Option<u64>, needed: u64, what: &str| match there {
        None => (Fitness::Doubtful, format!("the system does not say how much {what} there is")),
        Some(there) if there < needed => (
            Fitness::Doubtful,
            format!("{} MiB of {what}, {} might be needed", mebibytes(there), mebibytes(needed)),
        ),
        Some(there) => (Fitness::Fit, format!("{} MiB of {what}", mebibytes(there))),
    };
    let (memory, memory_said) = enough(machine::memory_octets(), memory_most, "memory");
    let (disk, disk_said) = enough(machine::room_octets(out), ROOM_LITTLE, "room on the disk");
    let (ports, ports_said) = match machine::ports() {
        Some(count) if count < PORTS_FEW => (Fitness::Doubtful, format!("{count} local ports")),
        Some(count) => (Fitness::Fit, format!("{count} local ports")),
        None => (Fitness::Doubtful, "the system does not say how many local ports".to_owned()),
    };
    let proxies = machine::proxies();
    let (proxy, proxy_said) = match &proxies[..] {
        [] => (Fitness::Fit, "no proxy in the environment".to_owned()),
        named => (Fitness::Doubtful, format!("{} is set and not used", named.join(", "))),
    };
    vec![
        of_descriptors(concurrency, is_fixture),
        Check::new(
            Subject::Ports,
            ports,
            ports_said,
            "few ports are used up soon: widen the range",
        ),
        Check::new(
            Subject::Memory,
            memory,
            memory_said,
            "hostile answers might fill it: ask fewer domains at once with --concurrency",
        ),
        Check::new(
            Subject::Disk,
            disk,
            disk_said,
            "evidence takes about 6 KiB a domain and attempt",
        ),
        Check::new(
            Subject::Proxy,
            proxy,
            proxy_said,
            "a measurement goes out directly: a proxy would be another vantage",
        ),
    ]
}

/// What the network shows.
pub async fn of_network(
    vantage: &Vantage,
    limits: &Limits,
    user_agent: &str,
    canaries: &[String],
) -> io::Result<Vec<Check>> {
    let mut sights = Vec::new();
    for &server in &vantage.dns {
        let through = Vantage { dns: vec![server], ..vantage.clone() };
        let fetcher = Fetcher::new(through, limits.clone(), user_agent.to_owned())?;
        sights.push((server.to_string(), look(&fetcher, canaries).await));
    }
    Ok(checks_of(&sights))
}

/// What one look at a canary gave: an exchange, or our own trouble.
type Sight = Result<Exchange, String>;

/// Asks canary after canary until one answers.
async fn look(fetcher: &Fetcher, canaries: &[String]) -> Vec<Sight> {
    let mut sights = Vec::new();
    for canary in canaries {
        let Ok(domain) = Domain::parse(canary) else { continue };
        let asked = fetcher.session(&domain).ask("/", CANARY_OCTETS).await;
        let sight = asked.map(|asked| asked.exchange).map_err(|trouble| trouble.cause.to_owned());
        let is_answer = sight.as_ref().is_ok_and(|exchange| exchange.answer().is_some());
        sights.push(sight);
        if is_answer {
            break;
        }
    }
    sights
}

/// What the looks through each DNS server mean.
fn checks_of(sights: &[(String, Vec<Sight>)]) -> Vec<Check> {
    let resolves = |sights: &[Sight]| sights.iter().any(|sight| !is_dns(sight));
    let (dead, alive): (Vec<_>, Vec<_>) = sights.iter().partition(|(_, seen)| !resolves(seen));
    let named = |servers: &[&(String, Vec<Sight>)]| {
        servers.iter().map(|(server, _)| server.as_str()).collect::<Vec<_>>().join(", ")
    };
    let all: Vec<&Sight> = sights.iter().flat_map(|(_, seen)| seen).collect();
    let causes = || all.iter().map(|sight| told(sight)).collect::<Vec<_>>().join("; ");
    let (resolver, said) = match (&alive[..], &dead[..]) {
        (alive, []) if !alive.is_empty() => (Fitness::Fit, format!("{} resolves", named(alive))),
        ([], _) => (Fitness::Unfit, format!("no DNS server resolves a canary: {}", causes())),
        (_, dead) => (Fitness::Doubtful, format!("{} does not resolve", named(dead))),
    };
    let hint = "name a resolver that works with --resolver";
    let mut checks = vec![Check::new(Subject::Resolver, resolver, said, hint)];
    if resolver == Fitness::Unfit {
        return checks;
    }
    let leads_out = all.iter().any(|sight| is_reached(sight));
    let (uplink, said) = match leads_out {
        true => (Fitness::Fit, "a canary can be reached".to_owned()),
        false => (Fitness::Unfit, format!("no canary can be reached: {}", causes())),
    };
    let hint = "sites are asked directly over ports 443 and 80; or name other hosts with --canary";
    checks.push(Check::new(Subject::Uplink, uplink, said, hint));
    if !leads_out {
        return checks;
    }
    let answer = all.iter().find_map(|sight| sight.as_ref().ok()?.answer());
    let (tls, said) = match answer {
        Some(_) => (Fitness::Fit, "a canary's certificate is believed".to_owned()),
        None => (Fitness::Unfit, format!("no canary answers over TLS: {}", causes())),
    };
    let hint = "somebody in between may replace certificates, or the clock may be wrong";
    checks.push(Check::new(Subject::Tls, tls, said, hint));
    let date = answer.and_then(|answer| answer.field("date"));
    checks.push(of_clock(date.and_then(|date| clock::seconds_off(&date))));
    checks
}

/// Whether the clock is right, by how many seconds it is off.
fn of_clock(off_s: Option<i64>) -> Check {
    let (fitness, said) = match off_s {
        None => (Fitness::Doubtful, "nobody told what time it is".to_owned()),
        Some(off_s) if off_s.unsigned_abs() > CLOCK_OFF_MOST_S => {
            (Fitness::Unfit, format!("the clock is off by {} s", off_s.unsigned_abs()))
        }
        Some(_) => (Fitness::Fit, "the clock agrees with a canary's".to_owned()),
    };
    Check::new(Subject::Clock, fitness, said, "set the clock: certificates are judged by it")
}

/// Whether a look ended at the resolver.
fn is_dns(sight: &Sight) -> bool {
    match sight {
        Ok(exchange) => {
            exchange.failure().is_some_and(|failure| failure.mode == TransportMode::Dns)
        }
        Err(_) => true,
    }
}

/// Whether somebody out there took the connection.
fn is_reached(sight: &Sight) -> bool {
    match sight {
        Ok(exchange) => !exchange.failure().is_some_and(|failure| {
            matches!(failure.mode, TransportMode::Dns | TransportMode::Connect)
                || failure.mode == TransportMode::Timeout && !failure.answered
        }),
        Err(_) => false,
    }
}

/// A look in a few words.
fn told(sight: &Sight) -> String {
    match sight {
        Err(cause) => cause.clone(),
        Ok(exchange) => match &exchange.outcome {
            Outcome::Failed(failure) => {
                format!("{} {} {}", exchange.final_host(), failure.mode, failure.cause)
            }
            _ => format!("{} answered", exchange.final_host()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Check, Fitness, Sight, checks_of, descriptors_beside, descriptors_needed, of_clock,
    };
    use crate::observation::{Answer, Exchange, Failure, Operation, Outcome, TransportMode};

    fn failed(mode: TransportMode, answered: bool) -> Sight {
        let failure =
            Failure { mode, operation: Operation::Connect, cause: "cause".into(), answered };
        Ok(Exchange::unasked("https://canary.test/".into(), Outcome::Failed(failure)))
    }

    fn answered() -> Sight {
        let answer = Answer {
            status: 204,
            fields: vec![],
            raw_body: vec![],
            body: vec![],
            truncated: false,
        };
        Ok(Exchange::unasked("https://canary.test/".into(), Outcome::Answered(answer)))
    }

    fn shown(checks: &[Check]) -> String {
        let shown = checks.iter().map(|check| format!("{} {}", check.subject, check.fitness));
        shown.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn what_a_canary_shows_is_told_step_by_step() {
        use TransportMode::{Connect, Dns, Timeout, Tls};
        for (seen, expected) in [
            (vec![answered()], "resolver fit, uplink fit, tls fit, clock doubtful"),
            (
                vec![failed(Dns, false), answered()],
                "resolver fit, uplink fit, tls fit, clock doubtful",
            ),
            (vec![failed(Dns, false)], "resolver unfit"),
            (vec![Err("resolver_unreachable".into())], "resolver unfit"),
            (vec![failed(Connect, false)], "resolver fit, uplink unfit"),
            (vec![failed(Timeout, false)], "resolver fit, uplink unfit"),
            (vec![failed(Tls, false)], "resolver fit, uplink fit, tls unfit, clock doubtful"),
        ] {
            assert_eq!(shown(&checks_of(&[("s".into(), seen)])), expected);
        }
        let one_dead =
            [("a".to_owned(), vec![failed(Dns, false)]), ("b".to_owned(), vec![answered()])];
        let checks = checks_of(&one_dead);
        assert_eq!(
            (checks[0].fitness, &*checks[0].said),
            (Fitness::Doubtful, "a does not resolve")
        );
    }

    #[test]
    fn a_clock_may_be_off_by_a_few_minutes_and_no_more() {
        for (off_s, fitness) in [
            (Some(0), Fitness::Fit),
            (Some(-300), Fitness::Fit),
            (Some(301), Fitness::Unfit),
            (Some(-4_000_000), Fitness::Unfit),
            (None, Fitness::Doubtful),
        ] {
            assert_eq!(of_clock(off_s).fitness, fitness, "{off_s:?}");
        }
    }

    #[test]
    fn the_usual_number_of_descriptors_is_enough_for_the_usual_concurrency() {
        assert!(descriptors_needed(64, false) <= 1_024);
        assert!(descriptors_needed(64, true) <= 1_024);
        assert!(descriptors_needed(1_024, false) > 1_024);
    }

    #[test]
    fn one_connection_a_domain_must_be_had_and_the_kept_ones_may_be_waited_for() {
        let fitness = |allowed, concurrency, is_fixture| {
            descriptors_beside(Some(allowed), concurrency, is_fixture).0
        };
        for (allowed, concurrency, is_fixture, expected) in [
            (2_112, 1_024, false, Fitness::Fit),
            (2_111, 1_024, false, Fitness::Doubtful),
            (1_088, 1_024, false, Fitness::Doubtful),
            (1_087, 1_024, false, Fitness::Unfit),
            (2_112, 1_024, true, Fitness::Doubtful),
            (2_111, 1_024, true, Fitness::Unfit),
        ] {
            assert_eq!(fitness(allowed, concurrency, is_fixture), expected, "{allowed}");
        }
    }
}
