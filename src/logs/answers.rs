//! Recorded answers of reverse and then forward DNS, so that a verdict can be repeated without asking.
//!
//! `dns.csv`: `address,asked_at,name,addresses,fault`. One row a name that the address's reverse
//! record gave; `addresses` are those that the name led to, parted by blanks; `fault` is the cause
//! where a question was not answered, and empty otherwise. No name and no fault: there is no reverse
//! record. An answer says nothing about the time before or after it but by the caller's leave.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::IpAddr;

use crate::closed_list;
use crate::refusal::Refusal;
use crate::registry::Crawler;
use crate::stamp::Stamp;
use crate::tabular::Table;

closed_list! {
    /// What DNS says of a claim.
    pub enum DnsVerdict {
        /// A name of the operator leads back to the address.
        Confirmed = "confirmed",
        /// No name of the operator does.
        Contradicted = "contradicted",
        /// A question was not answered.
        Fault = "fault",
    }
}

/// One name of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// When it was asked.
    pub asked_at: Stamp,
    /// The name; none where there is no reverse record or it was not answered.
    pub name: Option<String>,
    /// The addresses of the name.
    pub addresses: Vec<IpAddr>,
    /// Why a question was not answered.
    pub fault: Option<String>,
}

/// All recorded answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers(BTreeMap<IpAddr, Vec<Answer>>);

const COLUMNS: [&str; 5] = ["address", "asked_at", "name", "addresses", "fault"];

impl Answers {
    /// Reads a file of answers.
    pub fn parse(file: &str, text: &str) -> Result<Self, Refusal> {
        let mut answers = Self::default();
        for row in Table::of(file, text, &COLUMNS)? {
            let row = row?;
            let (address, answer) = answer_of(&row.cells)
                .map_err(|message| Refusal::of(file, message, COLUMNS.join(",")).at(row.line))?;
            answers.add(address, answer);
        }
        Ok(answers)
    }

    /// Adds an answer.
    pub fn add(&mut self, address: IpAddr, answer: Answer) {
        self.0.entry(address).or_default().push(answer);
    }

    /// Whether an address was asked about.
    pub fn knows(&self, address: IpAddr) -> bool {
        self.0.contains_key(&address)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The answers for an address.
    pub fn of(&self, address: IpAddr) -> &[Answer] {
        self.0.get(&address).map_or(&[], Vec::as_slice)
    }

    /// What DNS says of an address that claims to be a crawler; none where nobody asked.
    ///
    /// A name counts if it ends in one of the operator's domains and leads to the very address.
    pub fn verdict(&self, crawler: &Crawler, address: IpAddr) -> Option<DnsVerdict> {
        let answers = self.0.get(&address)?;
        let mut has_fault = false;
        for answer in answers {
            // A stranger's name proves the contrary, whether or not it leads back.
            let is_theirs = answer.name.as_ref().is_none_or(|name| crawler.owns_host(name));
            if answer.fault.is_some() && is_theirs {
                has_fault = true;
            }
            let leads_back = answer.name.is_some() && answer.addresses.contains(&address);
            if is_theirs && leads_back {
                return Some(DnsVerdict::Confirmed);
            }
        }
        Some(if has_fault { DnsVerdict::Fault } else { DnsVerdict::Contradicted })
    }

    /// The answers as a file.
    pub fn to_csv(&self) -> String {
        let mut text = COLUMNS.join(",") + "\n";
        for (address, answers) in &self.0 {
            for answer in answers {
                let addresses: Vec<String> =
                    answer.addresses.iter().map(ToString::to_string).collect();
                let _ = writeln!(
                    text,
                    "{address},{},{},{},{}",
                    answer.asked_at,
                    answer.name.as_deref().unwrap_or_default(),
                    addresses.join(" "),
                    answer.fault.as_deref().unwrap_or_default()
                );
            }
        }
        text
    }
}

/// Reads one row; `Err` says what is wrong.
fn answer_of(cells: &[String]) -> Result<(IpAddr, Answer), String> {
    let [address, asked_at, name, addresses, fault] = cells else {
        return Err("wrong number of cells".into());
    };
    let read = |text: &str| -> Result<IpAddr, String> {
        let address: IpAddr = text.parse().map_err(|_| format!("not an address: {text:?}"))?;
        Ok(address.to_canonical())
    };
    let asked_at = Stamp::parse(asked_at).ok_or(format!("not a moment: {asked_at:?}"))?;
    let addresses: Vec<IpAddr> =
        addresses.split_ascii_whitespace().map(read).collect::<Result<_, _>>()?;
    let said = |cell: &String| (!cell.is_empty()).then(|| cell.clone());
    Ok((read(address)?, Answer { asked_at, name: said(name), addresses, fault: said(fault) }))
}

#[cfg(test)]
mod tests {
    use super::{Answers, COLUMNS, DnsVerdict};
    use crate::registry::Registry;

    fn answers(rows: &str) -> Answers {
        Answers::parse("dns.csv", &format!("{}\n{rows}", COLUMNS.join(","))).unwrap()
    }

    #[test]
    fn a_claim_is_confirmed_only_by_a_name_of_the_operator_that_leads_back() {
        let registry = Registry::embedded().unwrap();
        let googlebot = registry.crawler("Googlebot").unwrap();
        for (row, expected) in [
            ("crawl-1.googlebot.com,66.249.66.1,", DnsVerdict::Confirmed),
            ("crawl-1.googlebot.com,66.249.66.1 66.249.66.2,", DnsVerdict::Confirmed),
            // Whoever owns an address may write any reverse record.
            ("crawl-1.googlebot.com,192.0.2.1,", DnsVerdict::Contradicted),
            ("crawl-1.googlebot.com,,", DnsVerdict::Contradicted),
            ("crawl-1.googlebot.com.evil.test,66.249.66.1,", DnsVerdict::Contradicted),
            ("ec2-1.compute.amazonaws.com,66.249.66.1,", DnsVerdict::Contradicted),
            (",,", DnsVerdict::Contradicted),
            (",,timeout", DnsVerdict::Fault),
            ("crawl-1.googlebot.com,,servfail", DnsVerdict::Fault),
            ("host.evil.test,,servfail", DnsVerdict::Contradicted),
        ] {
            let answers = answers(&format!("66.249.66.1,2026-11-30,{row}\n"));
            let verdict = answers.verdict(googlebot, "66.249.66.1".parse().unwrap());
            assert_eq!(verdict, Some(expected), "{row}");
            assert_eq!(answers.verdict(googlebot, "66.249.66.2".parse().unwrap()), None);
        }
    }

    #[test]
    fn a_file_of_answers_reads_back() {
        let rows = "66.249.66.1,2026-11-30T00:00:00Z,a.googlebot.com,66.249.66.1,\n\
                    2001:db8::1,2026-11-30T00:00:00Z,,,timeout\n";
        let text = format!("{}\n{rows}", COLUMNS.join(","));
        assert_eq!(answers(rows).to_csv(), text);
        for row in ["x,2026-11-30,,,\n", "192.0.2.1,soon,,,\n", "192.0.2.1,2026-11-30,a,b,\n"] {
            let text = format!("{}\n{row}", COLUMNS.join(","));
            assert_eq!(Answers::parse("dns.csv", &text).unwrap_err().line, Some(2));
        }
    }
}
