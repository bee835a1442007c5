//! What this machine has to give: descriptors, ports, memory, room on the disk, and the proxies that
//! its environment names.
//!
//! Each is `None` where the system does not say. No measurement depends on it: it is for telling
//! before a run that it cannot go well. The one thing that is set is the bound on descriptors, which
//! a process may raise itself up to one that it may not.

#![allow(clippy::disallowed_methods, reason = "it looks at the environment in order to warn of it")]

use std::path::Path;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::files;

/// Octets of a file of the system that describes itself.
const SYSTEM_FILE_OCTETS: u64 = 64 * 1024;

/// Variables by which programs are told to go out through a proxy.
const PROXY_VARIABLES: [&str; 6] =
    ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

/// Raises the number of descriptors that this process may have open towards `wanted`, as far as the
/// system lets it; returns how many it may have now, `None` where there is no bound.
pub fn allow_descriptors(wanted: u64) -> Option<u64> {
    let bound = getrlimit(Resource::Nofile);
    let now = bound.current?;
    let raised = wanted.min(bound.maximum.unwrap_or(u64::MAX));
    let rlimit = Rlimit { current: Some(raised), maximum: bound.maximum };
    let is_raised = raised > now && setrlimit(Resource::Nofile, rlimit).is_ok();
    Some(if is_raised { raised } else { now })
}

/// How many local ports connections to one address and port may go out from (Linux).
pub fn ports() -> Option<u64> {
    let range = system_file("/proc/sys/net/ipv4/ip_local_port_range")?;
    let mut ends = range.split_whitespace().map(str::parse::<u64>);
    let (first, last) = (ends.next()?.ok()?, ends.next()?.ok()?);
    Some((last + 1).saturating_sub(first))
}

/// Memory that can be had without swapping, in octets (Linux).
pub fn memory_octets() -> Option<u64> {
    let lines = system_file("/proc/meminfo")?;
    let available = lines.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = available.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1_024)
}

/// Room for this user on the disk that a path lies on, or will lie on, in octets.
pub fn room_octets(path: &Path) -> Option<u64> {
    let there = path.ancestors().find(|above| files::exists(above)).unwrap_or(Path::new("."));
    let there = if there.as_os_str().is_empty() { Path::new(".") } else { there };
    let disk = rustix::fs::statvfs(there).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// The variables of the environment that name a proxy.
pub fn proxies() -> Vec<&'static str> {
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    PROXY_VARIABLES.into_iter().filter(is_set).collect()
}

/// A file in which the system describes itself.
fn system_file(path: &str) -> Option<String> {
    files::read_text(Path::new(path), SYSTEM_FILE_OCTETS).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn what_the_system_says_of_itself_can_be_read() {
        assert!(super::allow_descriptors(0).is_none_or(|count| count > 8));
        assert!(super::ports().is_none_or(|count| (1..=65_536).contains(&count)));
        assert!(super::memory_octets().is_none_or(|octets| octets > 1 << 20));
        let here = super::room_octets(Path::new("."));
        assert!(here.is_some_and(|octets| octets > 0));
        assert!(super::room_octets(Path::new("no/such/folder/yet")).is_some(), "it will lie here");
    }

    #[test]
    fn the_bound_on_descriptors_is_raised_and_never_lowered() {
        let Some(before) = super::allow_descriptors(0) else { return };
        let raised = super::allow_descriptors(before + 1);
        assert!(raised >= Some(before));
        assert!(super::allow_descriptors(1) >= raised);
    }
}
