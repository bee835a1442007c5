//! A small study whose faults heal in attempts 2 and 3, and what is to be seen of a run of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use scanner::archive::{self, Capture};

use crate::scratch::{Scratch, scanner, text};

/// Domains of the sample.
pub(super) const DOMAINS: usize = 48;

/// Files of a run that two runs of one thing do not share, by their ending.
const OF_THE_OCCASION: [&str; 4] = ["manifest.json", ".timing.csv", ".warc.gz", "report.html"];

/// The study's inputs.
pub(super) struct Study {
    pub(super) scratch: Scratch,
    sample: PathBuf,
    world: PathBuf,
}

impl Study {
    /// Writes the sample and its world.
    pub(super) fn new() -> Self {
        let scratch = Scratch::new();
        let mut sample = String::from("domain,stratum\n");
        scratch.write("world/world.toml", "about = \"faults that heal\"\n");
        for number in 0..DOMAINS {
            let name = format!("site-{number:02}.test");
            sample.push_str(&format!("{name},{}\n", ["news", "shops"][number % 2]));
            let write =
                |file: &str, text: &str| scratch.write(&format!("world/{name}/{file}"), text);
            let until = |attempt: u32, status: u16| {
                let phase = format!("[[phase]]\nthrough_attempt = {attempt}\n\n");
                let reply = format!("[[phase.reply]]\npath = \"/robots.txt\"\nstatus = {status}\n");
                write("site.toml", &(phase + &reply));
            };
            write("robots.txt", POLICIES[number % POLICIES.len()]);
            write("index.html", "<!doctype html><title>a page</title>\n");
            match number % 6 {
                2 => until(1, 403),
                3 => until(2, 503),
                4 => until(9, 429),
                _ => {}
            }
        }
        let sample = scratch.write("healing.csv", &sample);
        let world = scratch.join("world");
        Self { scratch, sample, world }
    }

    /// `scanner run` into a folder.
    pub(super) fn run(&self, folder: &Path) -> Command {
        let mut command = quiet("run");
        command.arg("--sample").arg(&self.sample).args(["--seed", "7", "--concurrency", "4"]);
        command.arg("--world").arg(&self.world).arg("--out").arg(folder);
        command
    }

    /// `scanner resume` of a folder, or `scanner run` where no run has begun there.
    pub(super) fn go_on(&self, folder: &Path) -> Command {
        if folder.join("manifest.json").exists() { resume(folder) } else { self.run(folder) }
    }

    /// A run that nothing interrupts.
    pub(super) fn uninterrupted(&self, name: &str) -> PathBuf {
        let folder = self.scratch.join(name);
        assert_ended_well(self.run(&folder));
        folder
    }
}

/// Documents that fill every table.
const POLICIES: [&str; 4] = [
    "User-agent: *\nDisallow: /products/\nDisallow: /shop\nDisallow: /qwertz/\n",
    "User-agent: GPTBot\nDisallow: /\nAllow: /press/\n\nUser-agent: *\nDisallow: /cart\n",
    "User-agent: *\nDisallow: /\n",
    "User-agent: *\nDisallow:\n",
];

/// `scanner resume` of a folder.
pub(super) fn resume(folder: &Path) -> Command {
    let mut command = quiet("resume");
    command.arg(folder);
    command
}

/// A command that says only what goes wrong.
fn quiet(command: &str) -> Command {
    let mut command = scanner(&[command, "--quiet"]);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Runs a command that must end well.
pub(super) fn assert_ended_well(mut command: Command) {
    let output = command.output().expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {:?}: {stderr}", output.status);
}

/// Exit status and stderr of a command.
pub(super) fn ended(mut command: Command) -> (Option<i32>, String) {
    let output = command.output().expect("the program starts");
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

/// The manifest of a run.
pub(super) fn manifest(folder: &Path) -> serde_json::Value {
    serde_json::from_str(&text(&folder.join("manifest.json"))).expect("JSON")
}

/// The names in a run's folder.
pub(super) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a run folder");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<String> =
        entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A file without the line of report.html that says when the run began.
fn timeless(path: &Path) -> String {
    const BEGUN: &str = r#"<tr><th scope="row">begun</th>"#;
    text(path).lines().filter(|line| !line.starts_with(BEGUN)).collect::<Vec<_>>().join("\n")
}

/// Every file of a folder with its octets.
pub(super) fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |name: String| {
        let octets = std::fs::read(folder.join(&name)).expect("readable");
        (name, octets)
    };
    names(folder).into_iter().map(read).collect()
}

/// Two runs hold the same files and, but for the occasion, the same octets.
pub(super) fn assert_same(found: &Path, expected: &Path) {
    assert_eq!(names(found), names(expected), "{}", found.display());
    for name in names(expected) {
        let is_result = !OF_THE_OCCASION.iter().any(|ending| name.ends_with(ending));
        let is_same = || timeless(&found.join(&name)) == timeless(&expected.join(&name));
        assert!(!is_result || is_same(), "{}: {name} differs", found.display());
    }
    assert_eq!(evidence(found), evidence(expected), "{}: evidence differs", found.display());
    let pinned = |folder: &Path| {
        let mut manifest = manifest(folder);
        manifest.as_object_mut().expect("an object").remove("occasion").expect("an occasion");
        manifest
    };
    assert_eq!(pinned(found), pinned(expected), "{}", found.display());
}

/// The answers in a run's evidence, whatever order they stand in.
fn evidence(folder: &Path) -> Vec<(String, u16, Vec<u8>)> {
    let captures = archive::captures(&folder.join("evidence.warc.gz")).expect("an archive");
    let answer = |capture: std::io::Result<Capture>| {
        let capture = capture.expect("a whole record");
        (capture.url, capture.status, capture.body)
    };
    let mut answers: Vec<_> = captures.map(answer).collect();
    assert!(answers.len() > DOMAINS, "{} answers", answers.len());
    answers.sort();
    answers
}

/// Every file that a manifest pins is there, and is as it says.
pub(super) fn assert_pins_hold(folder: &Path) {
    let manifest = manifest(folder);
    for files in [&manifest["files"], &manifest["occasion"]["files"]] {
        for (name, pinned) in files.as_object().expect("an object") {
            let octets = std::fs::read(folder.join(name)).expect("a pinned file is there");
            let digest = scanner::digest::Digest::of(&octets).to_string();
            assert_eq!(pinned.as_str(), Some(&*digest), "{name}");
        }
    }
}
