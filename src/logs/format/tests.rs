//! One request in every format, and what surrounds it.

use super::{Format, Frame, Layout, Line, Mapped, Reading, Stated, Template, Zone, sniff};
use crate::logs::request::Request;
use crate::stamp::Stamp;

/// The same request as different servers write it: at 2026-11-30T08:00:01Z 192.0.2.10 as GPTBot asks
/// for /a?b=1 and gets 200.
const SAME: &[(Format, usize, &str)] = &[
    (
        Format::Combined,
        0,
        r#"192.0.2.10 - - [30/Nov/2026:09:00:01 +0100] "GET /a?b=1 HTTP/1.1" 200 512 "-" "GPTBot/1.3""#,
    ),
    (
        Format::Combined,
        0,
        r#"www.example.com:443 192.0.2.10 - - [30/Nov/2026:08:00:01 +0000] "GET /a?b=1 HTTP/1.1" 200 512 "-" "GPTBot/1.3""#,
    ),
    (
        Format::Combined,
        5,
        r#"Nov 30 09:00:01 web nginx[7]: 192.0.2.10 - - [30/Nov/2026:09:00:01 +0100] "GET /a?b=1 HTTP/1.1" 200 512 "-" "GPTBot/1.3""#,
    ),
    (
        Format::Combined,
        0,
        r#"192.0.2.10 - - [30/Nov/2026:08:00:01 +0000] "GET /a?b=1 HTTP/2.0" 200 512 "-" "GPTBot/1.3" 89 "web@docker" "http://10.0.0.5:80" 12ms"#,
    ),
    (
        Format::Json,
        0,
        r#"{"time_iso8601":"2026-11-30T09:00:01+01:00","remote_addr":"192.0.2.10","request_uri":"/a?b=1","request_method":"GET","status":"200","http_user_agent":"GPTBot/1.3","http_x_forwarded_for":""}"#,
    ),
    (
        Format::Json,
        0,
        r#"{"level":"info","ts":1796025601.123,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"192.0.2.10","client_ip":"192.0.2.10","method":"GET","host":"www.example.com","uri":"/a?b=1","headers":{"User-Agent":["GPTBot/1.3"]}},"status":200,"size":512}"#,
    ),
    (
        Format::Json,
        0,
        r#"{"ClientAddr":"192.0.2.10:4711","RequestHost":"www.example.com","RequestMethod":"GET","RequestPath":"/a?b=1","DownstreamStatus":200,"StartUTC":"2026-11-30T08:00:01.5Z","request_User-Agent":"GPTBot/1.3"}"#,
    ),
    (
        Format::Json,
        0,
        r#"{"ClientIP":"192.0.2.10","ClientRequestHost":"www.example.com","ClientRequestMethod":"GET","ClientRequestURI":"/a?b=1","ClientRequestUserAgent":"GPTBot/1.3","EdgeResponseStatus":200,"EdgeStartTimestamp":1796025601000000000}"#,
    ),
    (
        Format::Json,
        0,
        r#"{"httpRequest":{"requestMethod":"GET","requestUrl":"https://www.example.com/a?b=1","status":200,"userAgent":"GPTBot/1.3","remoteIp":"192.0.2.10"},"timestamp":"2026-11-30T08:00:01.123456789Z"}"#,
    ),
    (
        Format::Json,
        0,
        r#"{"time":"2026-11-30T08:00:01.1234567Z","category":"FrontDoorAccessLog","properties":{"httpMethod":"GET","requestUri":"https://www.example.com:443/a?b=1","userAgent":"GPTBot/1.3","socketIp":"192.0.2.10","httpStatusCode":"200"}}"#,
    ),
    (
        Format::Json,
        3,
        r#"2026-11-30T09:00:01.4+01:00 stdout F {":authority":"www.example.com","downstream_remote_address":"192.0.2.10:1","method":"GET","response_code":200,"start_time":"2026-11-30T08:00:01.479Z","user-agent":"GPTBot/1.3","x-envoy-origin-path":"/a?b=1"}"#,
    ),
    (
        Format::Haproxy,
        5,
        r#"Nov 30 09:00:01 lb haproxy[77]: 192.0.2.10:51234 [30/Nov/2026:08:00:01.123] fe~ be/w1 0/0/1/12/13 200 1534 - - ---- 3/3/0/0/0 0/0 {a.test|GPTBot/1.3} "GET /a?b=1 HTTP/1.1""#,
    ),
    (
        Format::Alb,
        0,
        r#"https 2026-11-30T08:00:01.123456Z app/web/50dc 192.0.2.10:2817 10.0.0.1:80 0.000 0.012 0.000 200 200 34 366 "GET https://www.example.com:443/a?b=1 HTTP/2.0" "GPTBot/1.3" ECDHE TLSv1.3 arn:aws"#,
    ),
    (
        Format::S3,
        0,
        r#"b659 www.example.com [30/Nov/2026:08:00:01 +0000] 192.0.2.10 - EB35 WEBSITE.GET.OBJECT a "GET /a?b=1 HTTP/1.1" 200 - 368 368 10 9 "-" "GPTBot/1.3""#,
    ),
    (
        Format::Bitrix,
        0,
        r#"192.0.2.10 - - [30/Nov/2026:08:00:01 +0000 - 0.031] 200 "GET /a?b=1 HTTP/1.0" 162 "-" "GPTBot/1.3" "-""#,
    ),
    (
        Format::Hestia,
        0,
        r#"192.0.2.10 - - [30/Nov/2026:08:00:01 +0000] GET /a?b=1 HTTP/1.1 "200" 162 "-" "GPTBot/1.3" "-""#,
    ),
    (
        Format::Gandi,
        0,
        r#"www.example.com 192.0.2.10 - - [30/Nov/2026:08:00:01 +0000] (0 s) "GET /a?b=1 HTTP/1.1" 200 1 "-" "GPTBot/1.3""#,
    ),
    (
        Format::NginxProxyManager,
        0,
        r#"[30/Nov/2026:08:00:01 +0000] 200 - GET https www.example.com "/a?b=1" [Client 192.0.2.10] [Length 3] [Gzip -] "GPTBot/1.3" "-""#,
    ),
];

fn request<'a>(layout: &Layout, line: &'a str) -> Request<'a> {
    match layout.read(line.as_bytes(), &mut Reading::new(None)) {
        Line::Request(request) => request,
        other => panic!("{other:?}: {line}"),
    }
}

/// Holds a line to the request that all of them are.
fn assert_same(layout: &Layout, line: &str) {
    let request = request(layout, line);
    let at_s = Stamp::parse("2026-11-30T08:00:01Z").unwrap().unix();
    assert_eq!(request.at_s, at_s, "{line}");
    let peer = crate::logs::address::parse(&request.peer).map(|address| address.to_string());
    assert_eq!(peer.as_deref(), Some("192.0.2.10"), "{line}");
    assert_eq!((&*request.method, request.status), (&b"GET"[..], 200), "{line}");
    let path = crate::robots::Target::new(&request.plain_target());
    assert_eq!(path.as_text(), "/a?b=1", "{line}");
    assert_eq!(&*request.plain_user_agent(), b"GPTBot/1.3", "{line}");
}

#[test]
fn one_request_reads_alike_in_every_format() {
    for (format, words, line) in SAME {
        let sniffed = sniff(line.as_bytes(), &Zone::UTC.into());
        assert_eq!(sniffed.layout.format, Some(*format), "{line}");
        let frame = if *words == 0 { Frame::Nothing } else { Frame::Words(*words) };
        assert_eq!(sniffed.layout.frame, frame, "{line}");
        assert_same(&sniffed.layout, line);
    }
}

#[test]
fn every_format_is_found_in_every_frame() {
    let bare = SAME.iter().filter(|(_, words, _)| *words == 0);
    for (format, _, line) in bare {
        let in_docker = serde_json::json!({
            "log": format!("{line}\n"), "stream": "stdout", "time": "2026-11-30T08:00:02.1Z",
        });
        let syslog = "<134>Nov 30 09:00:01 web nginx[7]: ";
        let runtime = "2026-11-30T09:00:01.4+01:00 stdout F ";
        for (frame, framed) in [
            (Frame::Docker, in_docker.to_string()),
            (Frame::Words(5), format!("{syslog}{line}")),
            (Frame::Words(3), format!("{runtime}{line}")),
            (Frame::Words(2), format!("web-1  | {line}")),
            (Frame::Words(5), format!("<190>Nov 30 09:00:01 web nginx: {line}")),
        ] {
            let sniffed = sniff(framed.as_bytes(), &Zone::UTC.into());
            let found = (sniffed.layout.format, sniffed.layout.frame);
            assert_eq!(found, (Some(*format), frame), "{framed}");
            assert_same(&sniffed.layout, &framed);
        }
    }
}

#[test]
fn a_template_reads_a_format_of_ones_own() {
    for (template, line) in [
        (
            r#"$time_iso8601|$remote_addr|$request_method|$uri|$args|$status|$http_user_agent|"#,
            "2026-11-30T09:00:01+01:00|192.0.2.10|GET|/a|b=1|200|GPTBot/1.3|",
        ),
        (
            r#"%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i" %{X-Forwarded-For}i"#,
            r#"192.0.2.10 - a b [30/Nov/2026:09:00:01 +0100] "GET /a?b=1 HTTP/1.1" 200 1 "-" "GPTBot/1.3" 203.0.113.7, 10.0.0.1"#,
        ),
    ] {
        let template = Template::parse(template).unwrap();
        let stated = Stated { template: Some(template), ..Zone::UTC.into() };
        let sniffed = sniff(line.as_bytes(), &stated);
        assert_eq!(sniffed.layout.format, Some(Format::Template), "{line}");
        let request = request(&sniffed.layout, line);
        assert_eq!((&*request.target, request.status), (&b"/a?b=1"[..], 200), "{line}");
        assert_eq!(&*request.user_agent, b"GPTBot/1.3");
    }
    for (template, fault) in [
        ("$remote_addr $request", "no field holds the time"),
        ("$remote_addr$time_local", "two fields touch"),
        ("%h %t %", "a % stands"),
        ("${a $time_local", "a ${ does not"),
    ] {
        assert!(Template::parse(template).unwrap_err().starts_with(fault), "{template}");
    }
}

#[test]
fn what_is_no_request_has_its_own_word() {
    let combined = Layout::of(Format::Combined, Zone::UTC);
    let json = Layout::of(Format::Json, Zone::UTC);
    let stamp = "30/Nov/2026:09:00:01 +0100";
    for (layout, line, expected) in [
        (&combined, String::new(), "Blank"),
        (&combined, "  \t".into(), "Blank"),
        (&combined, "\r".into(), "Blank"),
        (&combined, "# a comment".into(), "Directive"),
        (&combined, format!("192.0.2.9 - - [{stamp}"), "Rejected(NoTime)"),
        (&combined, "garbage \0\x01 line".into(), "Rejected(NoTime)"),
        (&combined, "192.0.2.9 - - [99/Foo/2026:25:61:61 +0200] \"".into(), "Rejected(BadTime)"),
        (
            &combined,
            format!("192.0.2.9 [{stamp}] \"GET / HTTP/1.1\" 200 1"),
            "Rejected(MissingFields)",
        ),
        (&combined, format!("192.0.2.9 - - [{stamp}] \"GET / HTTP/1.1"), "Rejected(Unclosed)"),
        (&combined, format!("192.0.2.9 - - [{stamp}] \"GET /\" 2000 1"), "Rejected(BadStatus)"),
        (&json, "{".into(), "Rejected(NotJson)"),
        (&json, r#"{"level":"info","msg":"started"}"#.into(), "Directive"),
        (&json, r#"{"method":"GET","path":"/"}"#.into(), "Rejected(NoTime)"),
    ] {
        let read = format!("{:?}", layout.read(line.as_bytes(), &mut Reading::new(None)));
        assert_eq!(read, expected, "{line}");
    }
}

#[test]
fn odd_requests_are_read_and_have_no_target() {
    let layout = Layout::of(Format::Combined, Zone::UTC);
    let line = |request: &str| {
        format!("192.0.2.9 - - [30/Nov/2026:09:00:01 +0100] \"{request}\" 400 - \"-\" \"-\"")
    };
    for text in ["-", "", "\\x16\\x03\\x01", "HELP", "\\\"", "a\"b"] {
        let line = line(text);
        let request = request(&layout, &line);
        assert_eq!((request.target.len(), request.status, request.octets), (0, 400, 0), "{text}");
        assert!(request.user_agent.is_empty());
    }
}

#[test]
fn forwarded_addresses_and_hosts_behind_the_header_are_found() {
    let layout = Layout::of(Format::Combined, Zone::UTC);
    let head = r#"192.0.2.9 - - [30/Nov/2026:09:00:01 +0100] "GET / HTTP/1.1" 200 1 "-" "A \"B\"""#;
    for (tail, forwarded_for, host) in [
        ("", None, ""),
        (" \"-\"", None, ""),
        (" \"203.0.113.7, 10.0.0.1\"", Some("203.0.113.7, 10.0.0.1"), ""),
        (" www.example.com 192.0.2.1", None, "www.example.com"),
        (" \"unknown, 10.0.0.1\" 12", Some("unknown, 10.0.0.1"), ""),
        (" \"web@docker\" \"http://10.0.0.5:80\" 0ms", None, ""),
    ] {
        let line = format!("{head}{tail}");
        let request = request(&layout, &line);
        assert_eq!(request.forwarded_for.as_deref(), forwarded_for.map(str::as_bytes), "{tail}");
        assert_eq!(&*request.host, host.as_bytes(), "{tail}");
        assert_eq!(&*request.plain_user_agent(), b"A \"B\"");
    }
}

#[test]
fn names_of_a_json_log_can_be_stated_and_count_before_those_that_are_known() {
    let line = r#"{"when":"2026-11-30T08:00:01Z","net":{"from":{"ip":"192.0.2.10"},"remote_addr":"10.0.0.1"},
        "remote_addr":"10.0.0.2","call":"GET /a?b=1 HTTP/1.1","Status":200,"client":{"agent":{"original":"GPTBot/1.3"}}}"#;
    let line = line.replace('\n', "");
    let names =
        ["time=when", "peer=net.from.ip", "request=call", "user_agent=client.agent.original"];
    let mapped = Mapped::parse(names).unwrap();
    let stated = Stated { mapped: mapped.into(), ..Zone::UTC.into() };
    let sniffed = sniff(line.as_bytes(), &stated);
    assert_eq!(sniffed.layout.format, Some(Format::Json));
    assert_same(&sniffed.layout, &line);
    assert_eq!(sniff(line.as_bytes(), &Zone::UTC.into()).layout.format, None);
}

#[test]
fn json_that_is_not_quite_json_is_mended() {
    let layout = Layout::of(Format::Json, Zone::UTC);
    let line = b"{\"time\":\"2026-11-30T08:00:01Z\",\"method\":\"GET\",\"path\":\"/a\\x22\xff\",\"status\":200}";
    let Line::Request(request) = layout.read(line, &mut Reading::new(None)) else { panic!() };
    assert_eq!(&*request.target, "/a\"\u{ff}".as_bytes());
}
