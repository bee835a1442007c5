//! `scanner world serve`: a fixture internet for other tools, until it is interrupted.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::internet;
use super::talk::{print_json, print_page, say};
use super::{DONE, FAILED, failed};
use crate::files;
use crate::report::Printable;
use crate::run::RunError;
use crate::scan::Stop;
use crate::world::{self, Served};

/// Shown below the options.
const AFTER_HELP: &str = "\
Examples:
  scanner world serve fixtures/worlds/faults
  scanner world serve fixtures/worlds/demo-808.toml --attempt 2 --ca /tmp/ca.pem
  scanner world serve captured.warc.gz --json";

/// Which world, and in which attempt.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// World: a folder, a model (.toml) or an archive (.warc, .warc.gz)
    #[arg(value_name = "WORLD")]
    world: PathBuf,

    /// File for the authority's certificate (PEM), which a client must trust
    #[arg(long, value_name = "FILE", default_value = "world-ca.pem")]
    ca: PathBuf,

    /// Attempt that is under way: what heals is a function of it
    #[arg(long, value_name = "N", default_value_t = 1)]
    attempt: u32,

    /// Print where it is served as one JSON document
    #[arg(long)]
    json: bool,
}

/// Serves until a signal comes; returns the exit status.
pub(super) fn serve(arguments: &Arguments) -> u8 {
    match served(arguments) {
        Ok(true) => DONE,
        Ok(false) => FAILED,
        Err(error) => failed(&error),
    }
}

/// Serves; returns whether it could be said where.
fn served(arguments: &Arguments) -> Result<bool, RunError> {
    let internet = world::open(&arguments.world)?;
    let hosts = internet.some_hosts(HOSTS_SHOWN);
    internet::online(async {
        let served = world::serve(Arc::clone(&internet)).await?;
        served.set_attempt(arguments.attempt);
        files::write_whole(&arguments.ca, served.authority_pem().as_bytes())?;
        // Before it is said where: whoever reads it may end the world at once.
        let mut stop = Stop::on_signals()?;
        let was_printed = match arguments.json {
            true => print_json(&json(&served, &arguments.ca, &hosts)),
            false => print_page(&Printable(&page(&served, &arguments.ca, &hosts)).to_string()),
        };
        stop.asked().await;
        say("the world is gone");
        Ok(was_printed)
    })
}

/// Hosts that are named to try.
const HOSTS_SHOWN: usize = 3;

/// Where it is served, with lines to try.
fn page(served: &Served, ca: &Path, hosts: &[String]) -> String {
    let Served { dns, https_port, http_port, .. } = served;
    let ca = ca.display();
    let mut page = format!(
        "DNS     {dns} (UDP)\nHTTPS   port {https_port} stands for 443, on 127.0.0.1 to 127.0.0.4\n\
         HTTP    port {http_port} stands for 80\nCA      {ca}\n\nTry\n"
    );
    for host in hosts {
        page.push_str(&format!(
            "  curl --cacert {ca} --connect-to ::127.0.0.1:{https_port} https://{host}/robots.txt\n"
        ));
    }
    if let Some(host) = hosts.first() {
        page.push_str(&format!(
            "  curl --connect-to ::127.0.0.1:{http_port} http://{host}/\n  \
             dig @{} -p {} {host}\n",
            dns.ip(),
            dns.port()
        ));
    }
    page.push_str(
        "\nWhat happens to a connection is decided by its address: ask the DNS for it.\n\
         Ctrl-C ends the world.\n",
    );
    page
}

/// The same as a document.
fn json(served: &Served, ca: &Path, hosts: &[String]) -> String {
    let document = serde_json::json!({
        "dns": served.dns.to_string(),
        "https_port": served.https_port,
        "http_port": served.http_port,
        "ca": ca.to_string_lossy(),
        "hosts": hosts,
        "deadline_ms": served.deadline_ms,
    });
    format!("{document:#}\n")
}
