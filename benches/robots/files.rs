//! The files that are measured: the corpus where it is there, else files of our own making.

use scanner::seed::Stream;

use crate::{corpus, wild};

/// Files that are made where there is no corpus.
const MADE_FILES: u64 = 1_500;

/// The files, and in words where they come from.
pub(crate) fn files() -> (&'static str, Vec<Vec<u8>>) {
    match corpus::folder() {
        Some(folder) => {
            let files = wild::files(&folder, "main.jsonl");
            ("real files", files.into_iter().map(|file| file.octets).collect())
        }
        None => ("made files", (0..MADE_FILES).map(made).collect()),
    }
}

/// A file with the shapes that real ones have, the same each time: a few groups, some of which name
/// crawlers, and each with rules of which one in four holds a star or an anchor.
fn made(place: u64) -> Vec<u8> {
    const AGENTS: [&str; 8] =
        ["*", "*", "*", "Googlebot", "GPTBot", "ClaudeBot", "CCBot/2.0", "AhrefsBot"];
    const STEPS: [&str; 10] =
        ["admin", "search", "wp-content", "user", "cart", "2024", "api", "tag", "feed", "print"];
    let mut stream = Stream::new("scanner bench", &[&place.to_le_bytes()]);
    let mut draw = |bound: usize| usize::try_from(stream.below(bound as u64)).unwrap();
    let mut text = String::from("# robots.txt\n");
    for _ in 0..1 + draw(6) {
        text += &format!("\nUser-agent: {}\n", AGENTS[draw(AGENTS.len())]);
        for _ in 0..1 << draw(7) {
            let key = if draw(5) == 0 { "Allow" } else { "Disallow" };
            let star = if draw(5) == 0 { "*" } else { "" };
            let end = ["/", "", "/", "?", ".php$", "/*?page=", "/"][draw(7)];
            text += &format!("{key}: /{star}{}", STEPS[draw(STEPS.len())]);
            text += &format!("/{}{end}\n", STEPS[draw(STEPS.len())]);
        }
    }
    text += "\nSitemap: https://example.com/sitemap.xml\n";
    text.into_bytes()
}
