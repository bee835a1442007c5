//! The account of one line, for a terminal.

use std::fmt::Write as _;

use crate::logs::Account;
use crate::report::Printable;
use crate::report::heading::heading;

/// The account as one JSON document, with a line end.
pub fn account_json(account: &Account) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(account)? + "\n")
}

/// The account as one line of JSON: what is needed to compare the verdicts of a whole log.
pub fn account_line(account: &Account, line: u64) -> serde_json::Result<String> {
    let document = serde_json::json!({
        "line": line,
        "kind": account.kind,
        "at": account.at,
        "client": account.client,
        "token": account.token,
        "identity": account.identity,
        "verdict": account.verdict,
        "version_from": account.version_from,
        "rule_line": account.rule_line,
    });
    Ok(serde_json::to_string(&document)? + "\n")
}

/// The account, step by step.
pub fn account(account: &Account) -> String {
    let mut page = Page(String::new());
    match (&account.at, &account.reason) {
        (Some(_), _) => page.request(account),
        (None, Some(reason)) => page.line(&format!("The line is no request: {reason}")),
        (None, None) => page.line(&format!("The line is no request: {}", account.kind)),
    }
    page.0
}

/// The page while it is written.
struct Page(String);

impl Page {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.0, "{}", Printable(text.trim_end()));
    }

    /// A fact with its name; nothing where there is none.
    fn fact(&mut self, label: &str, text: Option<&str>) {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            self.line(&format!("  {label:<14}{text}"));
        }
    }

    fn request(&mut self, account: &Account) {
        heading("1. The line", &mut self.0);
        self.fact("at", account.at.as_deref());
        self.fact("peer", account.peer.as_deref());
        self.fact("forwarded for", account.forwarded_for.as_deref());
        let asked = [account.method.as_deref(), account.target.as_deref()];
        self.fact("asked for", Some(&asked.map(Option::unwrap_or_default).join(" ")));
        self.fact("status", account.status.map(|status| status.to_string()).as_deref());
        self.fact("user-agent", account.user_agent.as_deref());
        heading("2. The client", &mut self.0);
        for hop in &account.hops {
            let address = hop.address.as_deref().unwrap_or("no address");
            let trusted = match &hop.trusted_as {
                Some(name) => format!("trusted: {name}"),
                None if hop.is_forgeable => "forgeable: not looked at".to_owned(),
                None => "not trusted: the walk ends".to_owned(),
            };
            self.line(&format!("  {address}  {trusted}"));
        }
        self.fact("client", account.client.as_deref());
        self.fact("by", account.client_basis.as_deref());
        heading("3. The claim", &mut self.0);
        let Some(token) = &account.token else {
            self.line("  it names no crawler of the registry: nothing more is asked");
            return;
        };
        self.fact("crawler", Some(token));
        self.fact("named too", Some(&account.others.join(", ")));
        self.identity(account);
        self.ruling(account);
    }

    fn identity(&mut self, account: &Account) {
        heading("4. The identity", &mut self.0);
        if account.lists.is_empty() {
            self.line("  no list of the operator's addresses is known");
        }
        for list in &account.lists {
            let whose = if list.is_own { "of the crawler" } else { "of another crawler" };
            let force = if list.in_force { "in force" } else { "not in force then" };
            self.line(&format!("  list {} ({}, {whose}): {force}", list.id, list.kind));
            self.line(&format!("    seen from {} to {}", list.known_from, list.known_until));
            if list.ranges.is_empty() {
                self.line("    it never held the client");
            }
            list.ranges.iter().for_each(|range| self.line(&format!("    holds it: {range}")));
        }
        self.fact("DNS", account.dns.as_deref());
        self.fact("identity", account.identity.as_deref());
        self.fact("by", account.evidence.as_deref());
    }

    fn ruling(&mut self, account: &Account) {
        heading("5. The rules in force", &mut self.0);
        self.fact("host", account.host.as_deref());
        self.fact("version", account.version_file.as_deref());
        self.fact("in force from", account.version_from.as_deref());
        self.fact("which was", account.version_state.as_deref());
        self.fact("governed as", account.through.as_deref());
        heading("6. The verdict", &mut self.0);
        self.fact("compared as", account.compared.as_deref());
        let rule = account.rule_line.zip(account.rule.as_deref());
        self.fact("rule", rule.map(|(line, rule)| format!("line {line}: {rule}")).as_deref());
        self.fact("why", account.sentence.as_deref());
        self.fact("verdict", account.verdict.as_deref());
        self.fact("ground", account.ground.as_deref());
        if account.excused == Some(true) {
            self.line("  a version of the last hours allowed it: excused under --judge grace");
        }
        self.fact("outcome", account.outcome.as_deref());
        let others = account.reasons.get(1..).unwrap_or_default().join(", ");
        self.fact("holds too", Some(&others));
        if account.identity.as_deref() != Some("genuine") {
            self.line("  it is not genuine: it counts neither as allowed nor as a violation");
        }
    }
}
