//! Real logs of others, each read as a person reads it.

use serde_json::Value;

use crate::corpus;
use crate::scratch::{output, study};

/// Real logs: file, format, requests, rejected lines, claims.
const REAL: &[(&str, &str, u64, u64, u64)] = &[
    ("ai__apache_vhost_suffix_2024.log", "combined", 12, 0, 9),
    ("ai__awkhub_robots_fetches_2026-09.log", "combined", 35, 0, 25),
    ("ai__combined_xff_variants_2025.log", "combined", 15, 0, 6),
    ("ai__journald_aiohttp_impersonated_ai_2026-09.log", "aiohttp", 21, 0, 18),
    ("ai__mixed_nginx_ai_crawlers_2024-2026.log", "combined", 30, 0, 23),
    ("combined__elastic_apache_2015_a.log", "combined", 1200, 0, 163),
    ("combined__zanbil_shop_2019_a.log", "combined", 650, 0, 250),
    ("crowdsec__apache2-logs.log", "combined", 7, 2, 0),
    ("crowdsec__apache2-malformed.log", "combined", 11, 0, 0),
    ("crowdsec__aws-alb-logs.log", "alb", 14, 0, 0),
    ("crowdsec__aws-cloudfront-logs.log", "cloudfront", 2, 0, 0),
    ("crowdsec__caddy-logs.log", "json", 10, 0, 0),
    ("crowdsec__envoy-logs.log", "json", 10, 0, 0),
    ("crowdsec__fastly-logs.log", "json", 4, 0, 0),
    ("crowdsec__http-dos-switching-ua.log", "combined", 15, 0, 0),
    ("crowdsec__litespeed-logs.log", "combined", 1, 2, 0),
    ("crowdsec__nginx-bad-user-agent.log", "combined", 3, 0, 0),
    ("crowdsec__nginx-http-malformed.log", "combined", 12, 0, 0),
    ("crowdsec__nginx-proxy-manager-logs.log", "nginx_proxy_manager", 12, 2, 1),
    ("crowdsec__nginx_http-logs.log", "combined", 7, 2, 1),
    ("crowdsec__traefik_clf.log", "combined", 7, 0, 0),
    ("crowdsec__traefik_json.log", "json", 6, 1, 0),
    ("json__cloudflare_logpush_http_requests.jsonl", "json", 4, 0, 3),
    ("json__gcp_https_lb.jsonl", "json", 1, 1, 0),
    ("lnav__logfile_access_log.0", "combined", 3, 0, 0),
    ("lnav__logfile_access_log_dupe.0", "combined", 3, 0, 0),
    ("lnav__logfile_bad_access_log.0", "combined", 2, 1, 0),
    ("lnav__logfile_caddy_log.0", "json", 4, 0, 0),
    ("lnav__logfile_cloudflare.json", "json", 1, 0, 0),
    ("lnav__logfile_haproxy.0", "haproxy", 13, 4, 0),
    ("lnav__logfile_w3c.0", "w3c", 1, 0, 0),
    ("lnav__logfile_w3c.1", "w3c", 1, 0, 0),
    ("lnav__logfile_w3c.3", "w3c", 3, 0, 0),
    ("lnav__logfile_w3c.4", "w3c", 2, 0, 0),
    ("lnav__logfile_w3c.5", "w3c", 1, 0, 0),
    ("lnav__logfile_w3c.6", "w3c", 1, 0, 1),
    ("lnav__logfile_w3c_big.0", "w3c", 210, 0, 13),
    ("matomo__alb.log", "alb", 1, 0, 0),
    ("matomo__amazon_cloudfront_web.log", "w3c", 1, 0, 0),
    ("matomo__caddy_json.log", "json", 3, 0, 0),
    ("matomo__common.log", "combined", 1, 0, 0),
    ("matomo__common.log.bz2", "combined", 1, 0, 0),
    ("matomo__common.log.gz", "combined", 1, 0, 0),
    ("matomo__common_complete.log", "combined", 1, 0, 0),
    ("matomo__common_encoding_big5.log", "combined", 1, 0, 0),
    ("matomo__common_vhost.log", "combined", 1, 0, 0),
    ("matomo__elb.log", "elb", 2, 0, 0),
    ("matomo__gandi.log", "gandi", 2, 0, 0),
    ("matomo__iis.log", "w3c", 1, 0, 0),
    ("matomo__logs_to_tests.log", "combined", 4, 0, 0),
    ("matomo__ncsa_extended.log", "combined", 1, 0, 0),
    ("matomo__netscaler.log", "w3c", 1, 0, 0),
    ("matomo__nginx_json.log", "json", 2, 0, 0),
    ("matomo__s3.log", "s3", 1, 0, 0),
    ("matomo__static_ignores.log", "combined", 4, 0, 0),
];

/// A log without a year: its lines bear no time of their own, and their collector's has none.
const WITHOUT_YEAR: &str = "lnav__logfile_syslog_with_access_log.0";

fn audited(arguments: &[&str]) -> Value {
    let all = [&["logs", "audit", "--json"], arguments].concat();
    serde_json::from_str(&study(&all)).expect("one document")
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a test lists a folder")]
fn real_logs_are_read_as_a_person_reads_them() {
    let Some(folder) = corpus::folder() else { return };
    let logs = folder.join("data/logs");
    for &(name, format, parsed, rejected, claims) in REAL {
        let found = audited(&[&logs.join(name).to_string_lossy()]);
        let file = &found["files"][0];
        assert_eq!(file["format"], format, "{name}");
        let counts = (file["parsed"].as_u64(), file["rejected"].as_u64());
        assert_eq!(counts, (Some(parsed), Some(rejected)), "{name}");
        assert_eq!(found["requests"]["claims"], claims, "{name}");
    }
    let output = output(&["logs", "audit", &logs.join(WITHOUT_YEAR).to_string_lossy()]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(3) && said.contains("no line of any file"), "{said}");
    let files = std::fs::read_dir(&logs).unwrap().map(|entry| entry.unwrap().file_name());
    let files = files.map(|name| name.to_string_lossy().into_owned());
    let is_log =
        |name: &String| !matches!(name.as_str(), "README.md" | "index.json" | "rotated-derived");
    for name in files.filter(is_log) {
        let is_pinned = REAL.iter().any(|(known, ..)| *known == name) || name == WITHOUT_YEAR;
        assert!(is_pinned, "{name} is not pinned");
    }
}

#[test]
fn a_rotated_set_is_the_log_that_it_was() {
    let Some(folder) = corpus::folder() else { return };
    let logs = folder.join("data/logs");
    let whole = audited(&[&logs.join("combined__zanbil_shop_2019_a.log").to_string_lossy()]);
    let rotated = logs.join("rotated-derived").to_string_lossy().into_owned();
    let found = audited(&[&rotated]);
    assert_eq!((&found["lines"]["lines"], &found["overlap"]["copies"]), (&675.into(), &25.into()));
    let found = audited(&[&rotated, "--dedupe", "lines"]);
    assert_eq!(found["lines"]["repeated"], 25);
    for field in ["requests", "claims", "octets"] {
        assert_eq!(found["requests"][field], whole["requests"][field], "{field}");
    }
    assert_eq!(found["crawlers"], whole["crawlers"]);
}
