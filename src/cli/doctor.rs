//! `scanner doctor`: can a study be made from here?

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::courtesy::resolver;
use super::internet;
use super::talk::{print_json, print_page};
use super::{DONE, FAILED, UNFIT, failed};
use crate::fetch::{CANARIES, Vantage};
use crate::limits::{CONCURRENCY_DEFAULT, Limits};
use crate::report::Printable;
use crate::run::{Check, Fitness, RunError, default_user_agent, of_machine, of_network};
use crate::words::Word as _;
use crate::world;

/// Shown below the options.
const AFTER_HELP: &str = "\
Looks at what the machine says of itself (descriptors, ports, memory, disk, proxies) and, \
through each DNS server, asks a canary over HTTPS: a host that devices use to see whether they are \
connected. A live run looks at the same before its first request. Status 7 where something is unfit.

Examples:
  scanner doctor
  scanner doctor --resolver 127.0.0.1 --concurrency 512 --json
  scanner doctor --world fixtures/worlds/faults --canary robots-file.test";

/// Tells whether a study can be made from here.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Domains that the study will ask at the same time
    #[arg(long, value_name = "N", default_value_t = CONCURRENCY_DEFAULT)]
    concurrency: usize,

    /// Folder that the run will lie in
    #[arg(long, value_name = "DIR", default_value = "runs")]
    out: PathBuf,

    /// DNS server to look through instead of the system's; may be given again
    #[arg(long, value_name = "ADDR", value_parser = resolver, num_args = 1..)]
    resolver: Vec<SocketAddr>,

    /// Host to ask whether the network is there; may be given again
    /// [default: three hosts that devices use for this]
    #[arg(long, value_name = "HOST", num_args = 1..)]
    canary: Vec<String>,

    /// Look at a fixture internet instead of the real one; needs a --canary that it holds
    #[arg(long, value_name = "WORLD", requires = "canary", conflicts_with = "resolver")]
    world: Option<PathBuf>,

    /// Print what was found as one JSON document
    #[arg(long)]
    json: bool,
}

/// Looks; returns the exit status.
pub(super) fn doctor(arguments: &Arguments) -> u8 {
    let checks = match looked(arguments) {
        Ok(checks) => checks,
        Err(error) => return failed(&error),
    };
    let was_printed = match arguments.json {
        true => print_json(&json(&checks)),
        false => print_page(&Printable(&page(&checks)).to_string()),
    };
    match was_printed {
        false => FAILED,
        true if is_unfit(&checks) => UNFIT,
        true => DONE,
    }
}

/// Looks at machine and network.
fn looked(arguments: &Arguments) -> Result<Vec<Check>, RunError> {
    let is_fixture = arguments.world.is_some();
    let limits = Limits::METHOD;
    let mut checks = of_machine(arguments.concurrency, is_fixture, &limits, &arguments.out);
    checks.extend(internet::online(network(arguments, limits))?);
    Ok(checks)
}

/// Looks at the network.
async fn network(arguments: &Arguments, mut limits: Limits) -> Result<Vec<Check>, RunError> {
    let canaries = match &arguments.canary[..] {
        [] => CANARIES.map(str::to_owned).to_vec(),
        named => named.to_vec(),
    };
    let internet = arguments.world.as_deref().map(world::open).transpose()?;
    let served = match &internet {
        Some(internet) => Some(world::serve(Arc::clone(internet)).await?),
        None => None,
    };
    let vantage = match &served {
        Some(served) => {
            limits = limits.with_deadline_ms(served.deadline_ms.unwrap_or(u64::MAX));
            Vantage::loopback(
                served.dns,
                served.https_port,
                served.http_port,
                &served.authority_der,
            )?
        }
        None if !arguments.resolver.is_empty() => Vantage::asking(arguments.resolver.clone()),
        None => Vantage::live().map_err(|error| {
            RunError::Unfit(format!("no DNS server is configured here: {error}"))
        })?,
    };
    Ok(of_network(&vantage, &limits, &default_user_agent(), &canaries).await?)
}

fn is_unfit(checks: &[Check]) -> bool {
    checks.iter().any(|check| check.fitness == Fitness::Unfit)
}

/// One line a check, with what to do beneath.
fn page(checks: &[Check]) -> String {
    let mut page = String::new();
    for check in checks {
        let (subject, fitness) = (check.subject.word(), check.fitness.word());
        page.push_str(&format!("{fitness:<9}{subject:<12}{}\n", check.said));
        if let Some(hint) = check.hint {
            page.push_str(&format!("{:21}hint: {hint}\n", ""));
        }
    }
    page.push_str(match is_unfit(checks) {
        true => "No study can be made from here.\n",
        false => "A study can be made from here.\n",
    });
    page
}

/// The same as a document.
fn json(checks: &[Check]) -> String {
    let checks_json: Vec<_> = checks
        .iter()
        .map(|check| {
            serde_json::json!({
                "subject": check.subject.word(),
                "fitness": check.fitness.word(),
                "said": check.said,
                "hint": check.hint,
            })
        })
        .collect();
    let document = serde_json::json!({ "fit": !is_unfit(checks), "checks": checks_json });
    format!("{document:#}\n")
}
