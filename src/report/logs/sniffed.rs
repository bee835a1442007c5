//! What the beginning of a log says of its format → terminal, JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use crate::logs::{Frame, Line, Proxies, Reading, Sniffed};
use crate::report::Printable;
use crate::stamp::Stamp;
use crate::words::shortened;

/// Requests that are shown.
const REQUESTS_MOST: usize = 5;

/// The beginning of a log.
#[derive(Clone, Debug)]
pub struct Beginning<'a> {
    /// Its name.
    pub name: String,
    /// How it is compressed.
    pub compression: String,
    /// Octets of the file.
    pub octets: u64,
    /// The file whose copy it is.
    pub copy_of: Option<String>,
    /// What was found.
    pub sniffed: &'a Sniffed,
    /// Its first whole lines.
    pub head: &'a [u8],
    /// The networks whose peers are known to speak for others.
    pub proxies: &'a Proxies,
}

#[derive(Serialize)]
struct Document {
    files: Vec<FileRow>,
}

#[derive(Serialize)]
struct FileRow {
    file: String,
    compression: String,
    octets: u64,
    copy_of: Option<String>,
    format: Option<String>,
    also: Vec<String>,
    frame: Option<String>,
    lines: usize,
    read: usize,
    candidates: BTreeMap<String, usize>,
    clock_offsets: BTreeMap<String, u64>,
    rejected: BTreeMap<String, u64>,
    proxies: BTreeMap<String, u64>,
    requests: Vec<RequestRow>,
}

#[derive(Serialize)]
struct RequestRow {
    at: String,
    peer: String,
    forwarded_for: Option<String>,
    host: String,
    method: String,
    target: String,
    status: u16,
    octets: u64,
    user_agent: String,
}

/// The beginnings as one JSON document, with a line end.
pub fn beginnings_json(beginnings: &[Beginning<'_>]) -> serde_json::Result<String> {
    let files = beginnings.iter().map(file_row).collect();
    Ok(serde_json::to_string_pretty(&Document { files })? + "\n")
}

/// The beginnings for a terminal.
pub fn beginnings(beginnings: &[Beginning<'_>]) -> String {
    let mut page = String::new();
    for row in beginnings.iter().map(file_row) {
        let mut line = |text: String| {
            let _ = writeln!(page, "{}", Printable(text.trim_end()));
        };
        let format = row.format.as_deref().unwrap_or("no known format");
        line(format!("{}: {format}", row.file));
        line(format!("  {} of its first {} lines are requests", row.read, row.lines));
        line(format!("  {} octets, {}", row.octets, row.compression));
        if let Some(other) = row.copy_of {
            line(format!("  the same content as {other}"));
        }
        if let Some(frame) = &row.frame {
            line(format!("  each line is framed by {frame}"));
        }
        if !row.also.is_empty() {
            line(format!("  read beside it: {}", row.also.join(", ")));
        }
        let counted = |counts: &BTreeMap<String, u64>| {
            let words = counts.iter().map(|(word, count)| format!("{word} {count}"));
            words.collect::<Vec<_>>().join(", ")
        };
        if !row.rejected.is_empty() {
            line(format!("  rejected: {}", counted(&row.rejected)));
        }
        if !row.clock_offsets.is_empty() {
            line(format!("  clocks: {}", counted(&row.clock_offsets)));
        }
        if !row.proxies.is_empty() {
            let proxies = counted(&row.proxies);
            line(format!("  peers that are proxies, which --trust names: {proxies}"));
        }
        for request in row.requests {
            let host = if request.host.is_empty() { "-" } else { &request.host };
            line(format!("  {} {} {host}", request.at, request.peer));
            let target = shortened(&request.target, 60);
            line(format!("    {} {target} {} {}", request.method, request.status, request.octets));
            if let Some(list) = request.forwarded_for {
                line(format!("    forwarded for {}", shortened(&list, 60)));
            }
            line(format!("    {}", shortened(&request.user_agent, 74)));
        }
    }
    page
}

/// One file as it is shown.
fn file_row(beginning: &Beginning<'_>) -> FileRow {
    let layout = &beginning.sniffed.layout;
    let mut row = FileRow {
        file: beginning.name.clone(),
        compression: beginning.compression.clone(),
        octets: beginning.octets,
        copy_of: beginning.copy_of.clone(),
        format: layout.format.map(|format| format.to_string()),
        also: layout.also.iter().map(ToString::to_string).collect(),
        frame: (layout.frame != Frame::Nothing).then(|| layout.frame.to_string()),
        lines: beginning.sniffed.lines,
        read: beginning.sniffed.read,
        candidates: beginning
            .sniffed
            .candidates
            .iter()
            .map(|(format, _, read)| (format.to_string(), *read))
            .collect(),
        clock_offsets: BTreeMap::new(),
        rejected: BTreeMap::new(),
        proxies: BTreeMap::new(),
        requests: Vec::new(),
    };
    let mut reading = Reading::new(None);
    for line in beginning.head.split(|&octet| octet == b'\n') {
        match layout.read(line, &mut reading) {
            Line::Request(request) => {
                let offset = match request.offset_minutes {
                    Some(minutes) => format!("{minutes:+} min"),
                    None => "unstated".to_owned(),
                };
                *row.clock_offsets.entry(offset).or_default() += 1;
                if let Some(name) = beginning.proxies.name_of_peer(&request) {
                    *row.proxies.entry(name.to_owned()).or_default() += 1;
                }
                if row.requests.len() < REQUESTS_MOST {
                    row.requests.push(request_row(&request));
                }
            }
            Line::Rejected(rejection) => {
                *row.rejected.entry(rejection.to_string()).or_default() += 1;
            }
            Line::Blank | Line::Directive => {}
        }
    }
    row
}

/// One request as it is shown.
fn request_row(request: &crate::logs::Request<'_>) -> RequestRow {
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    RequestRow {
        at: Stamp::from_unix(request.at_s).to_string(),
        peer: text(&request.peer),
        forwarded_for: request.forwarded_for.as_deref().map(text),
        host: text(&request.host),
        method: text(&request.method),
        target: text(&request.plain_target()),
        status: request.status,
        octets: request.octets,
        user_agent: text(&request.plain_user_agent()),
    }
}
