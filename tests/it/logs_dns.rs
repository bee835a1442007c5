//! Claims verified by reverse and then forward DNS, asked of a server on loopback, and repeated from
//! the recorded answers without it.

use std::net::{SocketAddr, UdpSocket};

use serde_json::Value;

use crate::scratch::{Scratch, study, text};

/// What the server knows: a name, the type of its record, and the record.
const ZONE: [(&str, u16, &str); 4] = [
    ("1.2.0.192.in-addr.arpa", 12, "crawl-1.googlebot.com"),
    ("crawl-1.googlebot.com", 1, "192.0.2.1"),
    // A forged reverse name, which does not lead back.
    ("2.2.0.192.in-addr.arpa", 12, "crawl-2.googlebot.com"),
    ("crawl-2.googlebot.com", 1, "192.0.2.99"),
];

/// Starts a DNS server that answers from the zone until the test ends; its address.
fn served() -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let address = socket.local_addr().expect("bound");
    std::thread::spawn(move || {
        let mut query = [0; 1_500];
        while let Ok((octets, from)) = socket.recv_from(&mut query) {
            if let Some(answer) = answer(&query[..octets]) {
                let _ = socket.send_to(&answer, from);
            }
        }
    });
    address
}

/// The answer to a query (RFC 1035, 4.1).
fn answer(query: &[u8]) -> Option<Vec<u8>> {
    let (mut labels, mut at) = (Vec::new(), 12);
    while *query.get(at)? > 0 {
        let end = at + 1 + usize::from(query[at]);
        labels.push(String::from_utf8_lossy(query.get(at + 1..end)?).to_ascii_lowercase());
        at = end;
    }
    let kind = u16::from_be_bytes([*query.get(at + 1)?, *query.get(at + 2)?]);
    let question = query.get(12..at + 5)?;
    let name = labels.join(".");
    let found = ZONE.iter().find(|(known, of_kind, _)| *known == name && *of_kind == kind);
    let code = if found.is_some() { 0x80 } else { 0x83 };
    let mut answer = query[..2].to_vec();
    answer.extend([0x81, code, 0, 1, 0, u8::from(found.is_some()), 0, 0, 0, 0]);
    answer.extend_from_slice(question);
    if let Some((_, _, record)) = found {
        let data = if kind == 12 { name_data(record) } else { address_data(record) };
        answer.extend([0xc0, 12]);
        answer.extend(kind.to_be_bytes());
        answer.extend([0, 1, 0, 0, 0, 60]);
        answer.extend((data.len() as u16).to_be_bytes());
        answer.extend(data);
    }
    Some(answer)
}

fn name_data(name: &str) -> Vec<u8> {
    let label = |label: &str| [&[label.len() as u8], label.as_bytes()].concat();
    [name.split('.').flat_map(label).collect::<Vec<u8>>(), vec![0]].concat()
}

fn address_data(address: &str) -> Vec<u8> {
    address.parse::<std::net::Ipv4Addr>().expect("an address").octets().to_vec()
}

#[test]
fn dns_settles_what_lists_do_not_and_its_answers_are_kept() {
    let scratch = Scratch::new();
    let line = |last: u32, token: &str| {
        format!(
            "192.0.2.{last} - - [20/Jul/2009:22:59:26 +0000] \"GET / HTTP/1.0\" 200 1 \"-\" \"{token}/2.1\"\n"
        )
    };
    let lines =
        [line(1, "Googlebot"), line(2, "Googlebot"), line(3, "Googlebot"), line(1, "GPTBot")];
    let log = scratch.write("access.log", &lines.concat()).to_string_lossy().into_owned();
    let (server, out) = (served().to_string(), scratch.join("out").to_string_lossy().into_owned());
    let counts = |arguments: &[&str]| {
        let mut all = vec!["logs", "audit", "--json", &log];
        all.extend(arguments);
        let findings: Value = serde_json::from_str(&study(&all)).expect("one document");
        let crawlers = findings["crawlers"].as_array().expect("crawlers").clone();
        let of = |token: &str| {
            let of = crawlers.iter().find(|of| of["token"] == token).expect("claimed").clone();
            ["genuine", "impersonated", "unverifiable"]
                .map(|field| of[field].as_u64().expect("a count"))
        };
        (of("Googlebot"), of("GPTBot"))
    };
    assert_eq!(counts(&[]), ([0, 0, 3], [0, 0, 1]));
    let asked = counts(&["--verify", "dns", "--dns-server", &server, "-o", &out]);
    // What an operator does not document is not asked.
    assert_eq!(asked, ([1, 2, 0], [0, 0, 1]));
    let answers = scratch.join("out/dns.csv");
    assert_eq!(text(&answers).lines().count(), 4);
    assert_eq!(counts(&["--dns", &answers.to_string_lossy()]), asked);
}
