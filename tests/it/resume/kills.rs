//! The process killed at seeded moments, as by `kill -9`: nothing is lost, nothing differs.
//!
//! A moment is a point of the run's progress, not of a clock: a journal has so many lines, a name
//! has appeared, or a step is about to write a file. For the last kind the test puts a named pipe
//! where the file would be, which holds the process there until it dies. Several kills hit one run
//! before it may end. `SCANNER_KILLS` asks for another number of them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use scanner::seed::Stream;

use super::study::{
    DOMAINS, Study, assert_ended_well, assert_pins_hold, assert_same, ended, manifest, names,
};
use crate::scratch::text;

/// Kills in an ordinary test run.
const KILLS: usize = 50;

/// Time after which a moment that has not come never will.
const PATIENCE: Duration = Duration::from_secs(300);

/// Runs that are killed at the same time.
const WORKERS: usize = 2;

/// Where in a run the process is killed.
#[derive(Clone, Debug)]
pub(super) enum Moment {
    /// The journal of an attempt has so many lines.
    Lines { attempt: u32, lines: usize },
    /// A name has appeared in the folder.
    Appeared(String),
    /// The first file is there, and the second is about to be begun.
    Before { seen: String, begun: String },
    /// The next manifest is about to be begun: the one that closes an attempt or the run.
    BeforeManifest,
}

/// The moments of a run, part by part: one kill of a run is drawn from each.
fn parts(asked: [usize; 3]) -> Vec<Vec<Moment>> {
    let appeared = |name: &str| Moment::Appeared(name.to_owned());
    let before = |seen: &str, begun: &str| Moment::Before {
        seen: seen.to_owned(),
        begun: format!("{begun}.partial"),
    };
    let lines = |attempt: u32| {
        let asked = asked[attempt as usize - 1];
        (1..=asked).map(move |lines| Moment::Lines { attempt, lines })
    };
    let closing = |attempt: u32| {
        let name = |table: &str| format!("attempt-{attempt}{table}.csv");
        let tables = ["", ".crawlers", ".paths", ".review", ".timing"].map(name);
        let begun = tables.windows(2).map(|pair| before(&format!("{}.partial", pair[0]), &pair[1]));
        let mut moments: Vec<Moment> = begun.collect();
        moments.extend(tables.iter().map(|table| appeared(table)));
        moments.push(Moment::BeforeManifest);
        moments
    };
    let begins = ["run.lock", "manifest.json.partial", "manifest.json", "attempt-1.journal"];
    let merges = [
        before("merged.csv.partial", "crawlers.csv"),
        before("crawlers.csv", "paths.csv"),
        before("paths.csv", "review.csv"),
        before("review.csv", "summary.json"),
        Moment::BeforeManifest,
        appeared("merged.csv.partial"),
        appeared("paths.csv.partial"),
        appeared("summary.json.partial"),
        appeared("summary.json"),
        appeared("merged.csv"),
    ];
    vec![
        begins.map(appeared).into_iter().chain(lines(1)).collect(),
        lines(1).collect(),
        closing(1),
        lines(2).chain(closing(2)).collect(),
        lines(3).collect(),
        closing(3),
        merges.to_vec(),
    ]
}

#[cfg(unix)]
#[test]
fn a_run_killed_at_any_moment_ends_with_the_bytes_of_an_uninterrupted_one() {
    let wanted = std::env::var("SCANNER_KILLS").ok().and_then(|number| number.parse().ok());
    let wanted: usize = wanted.unwrap_or(KILLS);
    let study = Study::new();
    let expected = study.uninterrupted("expected");
    let asked = [1, 2, 3].map(|attempt| {
        let asked = &manifest(&expected)["attempts"][attempt - 1]["asked"];
        asked.as_u64().expect("a number") as usize
    });
    assert_eq!(asked, [DOMAINS, DOMAINS / 2, DOMAINS / 3], "faults heal in attempts 2 and 3");
    let hits = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for worker in 0..WORKERS {
            let (study, expected, hits) = (&study, &expected, &hits);
            scope.spawn(move || kill_runs(study, expected, asked, (worker, wanted), hits));
        }
    });
    let hits = hits.into_inner().expect("no worker failed");
    println!("{} kills hit: {hits:?}", hits.values().sum::<usize>());
    for part in ["attempt 1", "attempt 2", "attempt 3", "closing", "merging", "manifest"] {
        assert!(hits.keys().any(|hit| hit.starts_with(part)), "no kill hit {part}: {hits:?}");
    }
}

/// Kills run after run until all workers together have hit often enough.
fn kill_runs(
    study: &Study,
    expected: &Path,
    asked: [usize; 3],
    (worker, wanted): (usize, usize),
    hits: &Mutex<BTreeMap<String, usize>>,
) {
    let mut draw = Stream::new("kills", &[&[worker as u8]]);
    let are_enough = || hits.lock().expect("no worker failed").values().sum::<usize>() >= wanted;
    for run in 0.. {
        if are_enough() {
            return;
        }
        assert!(run <= wanted, "too few kills hit");
        let folder = study.scratch.join(&format!("run-{worker}-{run}"));
        for part in parts(asked) {
            let moment = &part[draw.below(part.len() as u64) as usize];
            if let Some(hit) = killed_at(study, &folder, moment) {
                *hits.lock().expect("no worker failed").entry(hit).or_default() += 1;
                lose_power(&folder, &mut draw);
            }
        }
        assert_ended_well(study.go_on(&folder));
        assert_pins_hold(&folder);
        assert_same(&folder, expected);
        fs::remove_dir_all(&folder).expect("removed");
    }
}

/// Starts or resumes a run and kills it at a moment; returns what the kill hit, or `None` if the
/// process ended before.
fn killed_at(study: &Study, folder: &Path, moment: &Moment) -> Option<String> {
    let hit = kill(study.go_on(folder), folder, moment);
    for name in names(folder) {
        let is_pipe = !folder.join(&name).metadata().expect("there").is_file();
        if is_pipe {
            fs::remove_file(folder.join(&name)).expect("removed");
        }
    }
    if folder.join("manifest.json").exists() {
        assert_pins_hold_unless_complete(folder);
        let is_complete = manifest(folder)["status"] == "complete";
        assert!(is_complete || !folder.join("merged.csv").exists(), "merged results of a part");
    }
    hit
}

/// What a manifest pins holds; merged.csv alone gets its name after the manifest.
fn assert_pins_hold_unless_complete(folder: &Path) {
    if manifest(folder)["status"] != "complete" {
        assert_pins_hold(folder);
    }
}

/// Starts a command and kills it at a moment; returns what the kill hit, or `None` if the process
/// ended well before.
pub(super) fn kill(mut command: Command, folder: &Path, moment: &Moment) -> Option<String> {
    let before = manifest_identity(folder);
    let mut watch = Watch::new(folder, moment);
    let mut child = Mortal(command.spawn().expect("the program starts"));
    let mut is_armed = false;
    let began = Instant::now();
    // A run that goes on first says so in a manifest of its own.
    while !(watch.has_come() && (before.is_none() || manifest_identity(folder) != before)) {
        if let Some(status) = child.0.try_wait().expect("a child") {
            let mut stderr = String::new();
            let mut pipe = child.0.stderr.take().expect("piped");
            pipe.read_to_string(&mut stderr).expect("UTF-8");
            assert!(status.success(), "{moment:?}: {status}: {stderr}");
            return None;
        }
        assert!(began.elapsed() < PATIENCE, "{moment:?} does not come");
        // A pipe put earlier would hold up the manifest that says that the run goes on.
        if !is_armed && manifest_identity(folder) != before {
            watch.arm();
            is_armed = true;
        }
        std::thread::yield_now();
    }
    drop(child);
    Some(phase(folder))
}

/// A process that does not outlive its test, which may have put a pipe in its way.
struct Mortal(Child);

impl Drop for Mortal {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Tells one manifest from the next: each is a file of its own.
#[cfg(unix)]
fn manifest_identity(folder: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(folder.join("manifest.json")).ok().map(|manifest| manifest.ino())
}

/// Watches for a moment.
struct Watch {
    folder: PathBuf,
    moment: Moment,
    journal: Option<File>,
    lines: usize,
    /// The last file before the next manifest, once the process has begun.
    last: Option<String>,
}

impl Watch {
    fn new(folder: &Path, moment: &Moment) -> Self {
        let (folder, moment) = (folder.to_owned(), moment.clone());
        Self { folder, moment, journal: None, lines: 0, last: None }
    }

    /// Puts a pipe where the process is to be held.
    fn arm(&mut self) {
        let begun = match &self.moment {
            Moment::Before { begun, .. } => begun,
            Moment::BeforeManifest => "manifest.json.partial",
            Moment::Lines { .. } | Moment::Appeared(_) => return,
        };
        let next = manifest(&self.folder)["attempts"].as_array().expect("a list").len() + 1;
        self.last = Some(format!("attempt-{next}.review.csv"));
        let pipe = self.folder.join(begun);
        let _ = fs::remove_file(&pipe);
        let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
        assert!(made.success() || pipe.exists(), "{}", pipe.display());
    }

    /// Whether the moment has come.
    fn has_come(&mut self) -> bool {
        let is_there = |name: &str| self.folder.join(name).exists();
        match &self.moment {
            Moment::Appeared(name) => is_there(name),
            Moment::Before { seen, .. } => is_there(seen),
            Moment::BeforeManifest => {
                self.last.as_deref().is_some_and(is_there) || is_there("summary.json")
            }
            Moment::Lines { attempt, lines } => {
                let (attempt, lines) = (*attempt, *lines);
                let is_closed = is_there(&format!("attempt-{attempt}.csv"));
                self.count_lines(attempt) >= lines || is_closed
            }
        }
    }

    /// Lines of a journal so far.
    fn count_lines(&mut self, attempt: u32) -> usize {
        if self.journal.is_none() {
            let path = self.folder.join(format!("attempt-{attempt}.journal"));
            self.journal = File::open(path).ok();
        }
        if let Some(journal) = &mut self.journal {
            let mut grown = Vec::new();
            journal.read_to_end(&mut grown).expect("readable");
            self.lines += grown.iter().filter(|octet| **octet == b'\n').count();
        }
        self.lines
    }
}

/// Where in a run its process died, by what it left.
fn phase(folder: &Path) -> String {
    if !folder.join("manifest.json").exists() {
        return "beginning".to_owned();
    }
    let manifest = manifest(folder);
    let closed = manifest["attempts"].as_array().expect("a list").len();
    let next = closed + 1;
    let is_there = |name: &str| folder.join(name).exists();
    let has = |wanted: &dyn Fn(&str) -> bool| names(folder).iter().any(|name| wanted(name));
    let of_next =
        |name: &str| name.starts_with(&format!("attempt-{next}")) && name.contains(".csv");
    if manifest["status"] == "complete" {
        "complete".to_owned()
    } else if has(&|name| name.contains("manifest.json.partial")) {
        format!("manifest after {closed} closed attempts")
    } else if has(&of_next) {
        format!("closing attempt {next}")
    } else if is_there("merged.csv.partial") || is_there("crawlers.csv") {
        "merging".to_owned()
    } else if is_there(&format!("attempt-{next}.journal")) {
        format!("attempt {next}")
    } else {
        format!("between, {closed} attempts closed")
    }
}

/// Now and then takes away what a machine without power would not have written: part of the last
/// record of a journal, or some octets of zero in its place, or the end of the evidence.
fn lose_power(folder: &Path, draw: &mut Stream) {
    let journals = names(folder).into_iter().filter(|name| name.ends_with(".journal"));
    let Some(journal) = journals.max() else { return };
    let path = folder.join(journal);
    let octets = fs::read(&path).expect("readable");
    let lines: Vec<&[u8]> = octets.split_inclusive(|octet| *octet == b'\n').collect();
    let Some(last) = lines.last() else { return };
    let lost = 1 + draw.below(last.len() as u64) as usize;
    let mut left = octets[..octets.len() - lost].to_vec();
    match draw.below(4) {
        0 => {}
        1 => fs::write(&path, left).expect("written"),
        2 => {
            left.resize(octets.len(), 0);
            fs::write(&path, left).expect("written");
        }
        _ => lose_evidence(folder, &lines, draw),
    }
}

/// Takes the end of the evidence away: that of the last domains, which is not synced yet.
fn lose_evidence(folder: &Path, lines: &[&[u8]], draw: &mut Stream) {
    let Ok(evidence) = File::options().write(true).open(folder.join("evidence.warc.gz.partial"))
    else {
        return;
    };
    let synced = manifest(folder)["occasion"]["evidence_octets"].as_u64().expect("a number");
    let end_of = |line: &&&[u8]| {
        let record = serde_json::from_slice::<serde_json::Value>(line.get(9..)?).ok()?;
        record["evidence_end"].as_u64()
    };
    let least = lines.iter().rev().filter_map(|line| end_of(&line)).nth(3).unwrap_or(synced);
    let is_longer_by = evidence.metadata().expect("there").len().saturating_sub(least.max(synced));
    if is_longer_by > 0 {
        evidence.set_len(least.max(synced) + draw.below(is_longer_by)).expect("cut");
    }
}

#[test]
fn a_run_that_died_before_it_said_what_it_was_is_begun_again() {
    let study = Study::new();
    let folder = study.scratch.join("run");
    study.scratch.write("run/run.lock", "1\n");
    study.scratch.write("run/manifest.json.partial", "{ \"address_fam");
    let (status, stderr) = ended(super::study::resume(&folder));
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("no run is here") && stderr.contains("scanner run"), "{stderr}");
    assert_ended_well(study.go_on(&folder));
    assert!(text(&folder.join("merged.csv")).lines().count() == DOMAINS + 1);
}
