//! What the commands of the log audit are told alike: how logs are read, and by what they are judged.

use std::path::PathBuf;

use clap::Args;

use crate::logfiles::Expected;
use crate::logs::{Format, Mapped, PARAMETERS, Stated, Template, Zone};
use crate::refusal::Refusal;
use crate::words::Word as _;

/// How logs are read.
#[derive(Args)]
#[command(next_help_heading = "How logs are read")]
pub(super) struct Reading {
    /// Format of the logs: a word (combined, json, w3c, alb, haproxy …) or a format string
    ///
    /// A format string is nginx's ('$remote_addr - $remote_user [$time_local] "$request" …') or Apache's
    /// ('%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"'). [default: found out for each file]
    #[arg(long, value_name = "FORMAT")]
    pub(super) format: Option<String>,

    /// Name of a field of a JSON log, where it is none of the common ones: user_agent=agent.original
    ///
    /// Fields are time, peer, client, forwarded_for, forwarded, host, method, request, url, target, path,
    /// query, status, octets and user_agent; points part a name from the objects around it. May be
    /// given several times.
    #[arg(long = "map", value_name = "FIELD=NAME")]
    pub(super) mapped: Vec<String>,

    /// Zone of times that bear no offset: +02:00, or Europe/Berlin [default: UTC]
    #[arg(long, value_name = "ZONE")]
    pub(super) tz: Option<String>,

    /// Host of requests whose log names none
    #[arg(long, value_name = "HOST")]
    pub(super) log_host: Option<String>,
}

/// By what requests are judged.
#[derive(Args)]
#[command(next_help_heading = "By what requests are judged")]
pub(super) struct Evidence {
    /// A robots.txt, or a folder of its versions: manifest.csv, or files named by their moments
    #[arg(long, value_name = "PATH")]
    pub(super) robots_history: Option<PathBuf>,

    /// Folder of address ranges as operators published them, kept over time
    ///
    /// They take the place of the registry's own for the same crawlers.
    #[arg(long, value_name = "FOLDER")]
    pub(super) ranges: Option<PathBuf>,

    /// Read ranges of space that no crawler can have, such as documentation's
    #[arg(long, requires = "ranges")]
    pub(super) allow_test_ranges: bool,

    /// How long before and after it stood in a list an address is adjacent: 7d, 36h
    #[arg(long, value_name = "TIME", default_value = "7d", value_parser = seconds)]
    pub(super) range_slack: i64,

    /// How long before and after it was seen a list is in force; else claims are unverifiable
    #[arg(long, value_name = "TIME", default_value = "30d", value_parser = seconds)]
    pub(super) list_slack: i64,

    /// CSV of trusted proxies: prefix,name,valid_from,valid_to
    #[arg(long, value_name = "FILE")]
    pub(super) trusted: Option<PathBuf>,

    /// Trust a network to say for whom it forwards: 10.0.0.0/8, private, cloudflare-edge
    ///
    /// May be given several times.
    #[arg(long = "trust", value_name = "NETWORK")]
    pub(super) trust: Vec<String>,

    /// Recorded answers of reverse and forward DNS, as an audit with --verify dns writes them
    #[arg(long, value_name = "FILE")]
    pub(super) dns: Option<PathBuf>,

    /// Sitemap of the site, saved: XML or text, gzip or not; may be given several times
    ///
    /// What stands in none is counted as not_in_sitemap. The sitemaps that an index names are read from
    /// its own folder. A host of which no sitemap lists a page is not held against them.
    #[arg(long = "sitemap", value_name = "FILE")]
    pub(super) sitemaps: Vec<PathBuf>,

    /// CSV of addresses for which others stand: url,canonical
    #[arg(long, value_name = "FILE")]
    pub(super) canonical: Option<PathBuf>,

    /// Octets of the page that the server answers with 200 for what is not there
    #[arg(long = "soft-404-octets", value_name = "N")]
    pub(super) not_found_octets: Vec<u64>,

    /// Parameter without which a page is the same; * at its end stands for any ending
    ///
    /// May be given several times. [default: sessions and campaigns: utm_*, gclid, sid …]
    #[arg(long = "ignore-parameter", value_name = "NAME")]
    pub(super) parameters: Vec<String>,
}

impl Reading {
    /// What is said of the logs: their format, and what they do not tell themselves.
    pub(super) fn expected(&self) -> Result<Expected, Refusal> {
        let (format, template) = self.format()?;
        let mapped = Mapped::parse(self.mapped.iter().map(String::as_str));
        let hint = "user_agent=agent.original names the field of a JSON log that holds the header";
        let mapped = mapped.map_err(|message| Refusal::of("--map", message, hint))?;
        let stated = Stated { zone: self.zone()?, template, mapped: mapped.into() };
        Ok(Expected { format, stated, keeps_heads: false })
    }

    /// The format: a word of the list, or a template.
    fn format(&self) -> Result<(Option<Format>, Option<Template>), Refusal> {
        let Some(text) = &self.format else { return Ok((None, None)) };
        if text == "auto" {
            return Ok((None, None));
        }
        if let Some(format) = Format::from_word(text).filter(|format| *format != Format::Template) {
            return Ok((Some(format), None));
        }
        let refused = |message: String| {
            let words: Vec<&str> = Format::ALL
                .iter()
                .filter(|format| **format != Format::Template)
                .map(|format| format.word())
                .collect();
            Refusal::of("--format", message, format!("{}, or a format string", words.join(", ")))
        };
        if !text.contains(['$', '%']) {
            return Err(refused(format!("unknown format: {text:?}")));
        }
        let template = Template::parse(text).map_err(refused)?;
        Ok((Some(Format::Template), Some(template)))
    }

    /// The zone of times without an offset.
    fn zone(&self) -> Result<Zone, Refusal> {
        let Some(text) = &self.tz else { return Ok(Zone::UTC) };
        if let Some(offset_s) = Zone::offset_s(text) {
            return Ok(Zone::fixed(offset_s));
        }
        crate::logfiles::zone(text)
    }
}

impl Evidence {
    /// The parameters without which a page is the same.
    pub(super) fn parameters(&self) -> Vec<String> {
        match self.parameters.as_slice() {
            [] => PARAMETERS.map(str::to_owned).to_vec(),
            given => given.to_vec(),
        }
    }
}

/// Reads a time: `7d`, `24h`, `90m`, `30s`.
pub(super) fn seconds(text: &str) -> Result<i64, String> {
    let wrong = || format!("{text:?} is no time: 7d, 24h, 90m, 30s");
    let unit = text.chars().next_back().ok_or_else(wrong)?;
    let length = match unit {
        'd' => 86_400,
        'h' => 3_600,
        'm' => 60,
        's' => 1,
        _ => return Err(wrong()),
    };
    let number: u32 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    Ok(i64::from(number) * length)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn a_time_is_a_number_with_a_unit() {
        for (text, expected) in [("7d", 604_800), ("24h", 86_400), ("90m", 5_400), ("0s", 0)] {
            assert_eq!(seconds(text), Ok(expected));
        }
        for text in ["", "7", "d", "-1d", "7w", "1.5h"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
