//! `scanner run --dry-run`: what the run would do, as a page or as JSON.

use std::fmt::Write as _;

use super::talk::{print_json, print_page};
use crate::report::Printable;
use crate::run::Forecast;
use crate::words::counted;

/// Prints what a run would do; returns whether it could be.
pub(super) fn print(forecast: &Forecast, is_json: bool) -> std::io::Result<bool> {
    if is_json {
        return Ok(print_json(&(serde_json::to_string_pretty(forecast)? + "\n")));
    }
    Ok(print_page(&Printable(&page(forecast)).to_string()))
}

/// The page.
fn page(forecast: &Forecast) -> String {
    let mut page = String::new();
    let mut line = |title: &str, text: String| {
        let _ = writeln!(page, "{title:<8}{text}");
    };
    let Forecast { domains, attempts, seed, .. } = forecast;
    line(
        "Plan",
        format!("{}: {domains} domains, seed {seed}, {attempts} attempts at most", forecast.sample),
    );
    line("Asks", "https://{domain}/robots.txt, /, a path that cannot exist, /llms.txt".to_owned());
    line(
        "",
        format!(
            "{} requests in attempt 1, {} at most in all; up to {} redirects each",
            forecast.requests_first, forecast.requests_most, forecast.redirects_most
        ),
    );
    line("First", forecast.first.join(", "));
    if forecast.excluded_by_name > 0 {
        line("Never", format!("{} by name", counted(forecast.excluded_by_name as usize, "domain")));
    }
    line("As", forecast.user_agent.clone());
    line("By", by(forecast));
    line("Pace", pace(forecast));
    line(
        "Takes",
        format!(
            "about {} for attempt 1, {} at most in all",
            time(forecast.first_likely_s),
            time(forecast.all_most_s)
        ),
    );
    let allowed = forecast.descriptors_allowed.map_or("no bound".to_owned(), |n| n.to_string());
    line(
        "Needs",
        format!(
            "{} descriptors of {allowed}; {} MiB of memory at most for what is in flight",
            forecast.descriptors_needed, forecast.memory_most_mib
        ),
    );
    line("Goes to", format!("{}/ with evidence: {}", forecast.folder, forecast.evidence));
    for mark in &forecast.marks {
        line("Mark", mark.clone());
    }
    page.push_str("Nothing was asked.\n");
    page
}

/// By which way sites are asked.
fn by(forecast: &Forecast) -> String {
    match &forecast.world {
        Some(world) => format!("the fixture internet {world}"),
        None => format!(
            "the DNS servers {}; canaries: {}",
            forecast.resolver.join(", "),
            if forecast.canaries.is_empty() { "none".into() } else { forecast.canaries.join(", ") }
        ),
    }
}

/// How hard they are asked.
fn pace(forecast: &Forecast) -> String {
    let mut pace = format!("{} domains at once", forecast.concurrency);
    if let Some(rate) = forecast.rate {
        let _ = write!(pace, ", {rate} begun in a second");
    }
    if let Some(bounds) = forecast.politeness {
        for (what, bound) in [("address", bounds.address), ("network", bounds.network)] {
            let _ = write!(
                pace,
                "; of one {what} {} and {} requests/s",
                bound.at_once, bound.per_second
            );
        }
    }
    if forecast.attempt_gap_s > 0 {
        let _ = write!(pace, "; {} between attempts", time(forecast.attempt_gap_s.into()));
    }
    pace
}

/// Seconds as a person says them.
fn time(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h", seconds.div_ceil(3_600)),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_time_is_rounded_up_to_what_a_person_says() {
        for (seconds, said) in [(0, "0 s"), (119, "119 s"), (121, "3 min"), (7_201, "3 h")] {
            assert_eq!(super::time(seconds), said);
        }
    }
}
