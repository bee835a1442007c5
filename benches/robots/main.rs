//! Measures the robots.txt engine beside its peers: `cargo bench --bench robots`.
//!
//! All contenders run in one process on one thread, round by round in turn, over the same files with
//! the same questions; the least of the rounds counts. What the numbers mean stands in
//! `benches/README.md`.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]
#![allow(clippy::disallowed_methods, reason = "a measurement reads the clock")]
#![allow(missing_docs, reason = "a program has no readers of its interface")]

use std::time::{Duration, Instant};

use scanner::library::Library;

mod contenders;
#[path = "../../tests/it/corpus.rs"]
mod corpus;
mod files;
mod hostile;
#[path = "../../tests/it/wild.rs"]
#[allow(dead_code, reason = "a measurement does not name its files")]
mod wild;

use contenders::{CONTENDERS, Contender, Questions, Times};

/// Rounds of which the least counts.
const ROUNDS: usize = 7;

/// What is asked about every file.
const PATHS: [&str; 10] = [
    "/",
    "/about",
    "/index.html",
    "/blog/2026/11/a-post-with-a-long-name/",
    "/search?q=robots&page=2",
    "/wp-admin/admin-ajax.php",
    "/products/12345.html?utm_source=feed",
    "/media/report-2026.pdf",
    "/de/artikel/gr%C3%B6%C3%9Fe",
    "/cgi-bin/test",
];

fn main() {
    let library = Library::embedded().unwrap();
    let tokens: Vec<&str> = library.crawlers.iter().map(|crawler| crawler.token.as_str()).collect();
    let questions = Questions { tokens: &tokens, paths: &PATHS };
    let (source, files) = files::files();
    let octets: usize = files.iter().map(Vec::len).sum();
    println!(
        "{source}: {} files, {octets} octets, {} crawlers, {} paths, least of {ROUNDS} rounds\n",
        files.len(),
        tokens.len(),
        PATHS.len()
    );
    compare(&files, &questions, octets);
    hostile::compare();
    hostile::slopes();
}

/// Runs every contender over the files and prints what each took.
fn compare(files: &[Vec<u8>], questions: &Questions, octets: usize) {
    let mut least = CONTENDERS.map(|_| Times::most());
    for _ in 0..ROUNDS {
        for (least, contender) in least.iter_mut().zip(&CONTENDERS) {
            least.keep_less(&round(contender, files, questions));
        }
    }
    println!(
        "| | parse once, MB/s | parse for all crawlers, ms | decide, ms | decisions/s | octets to decisions, ms | times ours | allowed |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let asked = files.len() * questions.tokens.len() * questions.paths.len();
    let ours = least[0].whole().as_secs_f64();
    for (times, contender) in least.iter().zip(&CONTENDERS) {
        println!(
            "| {} | {:.0} | {:.1} | {:.1} | {:.2} M | {:.1} | {:.2} | {} |",
            contender.name,
            octets as f64 / 1e6 / times.parse.as_secs_f64(),
            milliseconds(times.ready),
            milliseconds(times.decide),
            asked as f64 / 1e6 / times.decide.as_secs_f64(),
            milliseconds(times.whole()),
            times.whole().as_secs_f64() / ours,
            times.allowed,
        );
    }
    println!();
}

/// One round of one contender.
fn round(contender: &Contender, files: &[Vec<u8>], questions: &Questions) -> Times {
    let mut times = Times::default();
    let start = Instant::now();
    for octets in files {
        (contender.parse)(octets);
    }
    times.parse = start.elapsed();
    for octets in files {
        (contender.ask)(octets, questions, &mut times);
    }
    times
}

/// A time in milliseconds.
fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
