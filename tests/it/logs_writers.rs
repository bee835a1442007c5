//! The requests of a model as other servers write them: whoever wrote a log, it says the same.

use std::fmt::Write as _;

use crate::logs_model::{Asked, Model};

/// A writer: the name of its log, what stands before all lines, and how a request is written.
type Writer = (&'static str, &'static str, fn(&Asked) -> String);

const WRITERS: [Writer; 5] = [
    ("iis.log", IIS, iis),
    ("cloudfront.log", CLOUDFRONT, cloudfront),
    ("alb.log", "", alb),
    ("nginx.jsonl", "", nginx),
    ("caddy.jsonl", "", caddy),
];

const IIS: &str = "#Software: Microsoft Internet Information Services 10.0\n#Fields: date time s-ip \
    cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status \
    sc-substatus sc-win32-status time-taken\n";

const CLOUDFRONT: &str = "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method \
    cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) \
    x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken \
    x-forwarded-for\n";

impl Model {
    /// The log as each of the writers would have it, and as Docker keeps it.
    pub(crate) fn renderings(&self) -> Vec<(&'static str, String)> {
        let mut renderings: Vec<(&str, String)> = WRITERS
            .iter()
            .map(|(name, header, write)| {
                (*name, (*header).to_owned() + &self.requests.iter().map(write).collect::<String>())
            })
            .collect();
        let mut docker = String::new();
        for line in &self.lines {
            let record = serde_json::json!({ "log": line, "stream": "stdout", "time": "t" });
            let _ = writeln!(docker, "{record}");
        }
        renderings.push(("docker.log", docker));
        renderings
    }
}

/// The day, the time of day, and the parts of the target around its question mark.
fn parts(asked: &Asked) -> (String, String, &str, &str) {
    let stamp = scanner::registry::Stamp::from_unix(asked.at_s).to_string();
    let (stem, query) = asked.path.split_once('?').unwrap_or((&asked.path, "-"));
    (stamp[..10].to_owned(), stamp[11..19].to_owned(), stem, query)
}

fn iis(asked: &Asked) -> String {
    let (day, time, stem, query) = parts(asked);
    let (address, status, agent) = (&asked.address, asked.status, asked.agent.replace(' ', "+"));
    format!("{day} {time} 10.0.0.5 GET {stem} {query} 443 - {address} {agent} - {status} 0 0 15\n")
}

fn cloudfront(asked: &Asked) -> String {
    let (day, time, stem, query) = parts(asked);
    let agent = asked.agent.replace('%', "%25").replace(' ', "%20").replace('"', "%22");
    [
        &day,
        &time,
        "FRA50-P1",
        "34",
        &asked.address,
        "GET",
        "d111.cloudfront.net",
        stem,
        &asked.status.to_string(),
        "-",
        &agent,
        query,
        "-",
        "Miss",
        "id",
        "www.example.com",
        "https",
        "10",
        "0.031",
        "-",
    ]
    .join("\t")
        + "\n"
}

fn alb(asked: &Asked) -> String {
    let (day, time, ..) = parts(asked);
    let Asked { address, path, status, .. } = asked;
    let agent = asked.agent.replace('"', "\\\"");
    format!(
        "https {day}T{time}.123456Z app/web/50dc {address}:2817 10.0.0.1:80 0.000 0.012 0.000 {status} \
         {status} 34 34 \"GET https://www.example.com:443{path} HTTP/2.0\" \"{agent}\" ECDHE TLSv1.3 \
         arn:aws \"Root=1\" \"www.example.com\" \"-\" 0\n"
    )
}

fn nginx(asked: &Asked) -> String {
    let (day, time, ..) = parts(asked);
    serde_json::json!({
        "time_iso8601": format!("{day}T{time}+00:00"), "remote_addr": asked.address,
        "request_method": "GET", "request_uri": asked.path, "status": asked.status.to_string(),
        "body_bytes_sent": "34", "http_user_agent": asked.agent,
    })
    .to_string()
        + "\n"
}

fn caddy(asked: &Asked) -> String {
    serde_json::json!({
        "level": "info", "ts": asked.at_s as f64 + 0.25, "logger": "http.log.access",
        "request": {
            "remote_ip": asked.address, "client_ip": asked.address, "method": "GET",
            "host": "www.example.com", "uri": asked.path, "headers": { "User-Agent": [asked.agent] },
        },
        "status": asked.status, "size": 34,
    })
    .to_string()
        + "\n"
}
