//! What is asked with whose permission, from saved answers; the network itself is tested with the
//! command.

use url::Url;

use super::{Probes, Request, Source, gather};
use crate::audit::{GuidanceKind, NotAsked, Probe, SitemapProbe, Subject};
use crate::library::Library;
use crate::observation::{
    Answer, Exchange, Failure, Field, Hop, Operation, Outcome, TransportMode,
};

/// Saved answers: addresses with their status and body.
fn probes(answers: &[(&str, u16, &str)]) -> Probes {
    let mut probes = Probes::of("https://a.test/page");
    for (url, status, body) in answers {
        probes.add(Exchange::unasked((*url).to_owned(), answered(*status, body)));
    }
    probes
}

/// An answer without fields.
fn answered(status: u16, body: &str) -> Outcome {
    Outcome::Answered(Answer {
        status,
        fields: Vec::new(),
        raw_body: Vec::new(),
        body: body.as_bytes().to_vec(),
        truncated: false,
    })
}

/// A site gathered from saved answers.
fn gathered(
    answers: &[(&str, u16, &str)],
    robots: Option<&str>,
    asks_other_origins: bool,
) -> Subject {
    gathered_from(probes(answers), robots, asks_other_origins)
}

/// A site gathered from saved probes.
fn gathered_from(probes: Probes, robots: Option<&str>, asks_other_origins: bool) -> Subject {
    let signals = Library::embedded().unwrap().signals;
    let request = Request {
        url: Url::parse("https://a.test/page").unwrap(),
        token: "our-token",
        signals: &signals,
        robots: robots.map(|text| ("robots.txt".to_owned(), text.as_bytes().to_vec())),
        probes_sitemaps: true,
        asks_other_origins,
        probes_guidance: true,
    };
    let mut source = Source::Saved(probes);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(gather(&mut source, request)).unwrap()
}

/// What became of a probe, in a word.
fn told(probe: &Probe) -> String {
    match probe {
        Probe::Asked(exchange) => exchange.answer().map_or(0, |answer| answer.status).to_string(),
        Probe::NotAsked(why) => why.to_string(),
    }
}

const ROBOTS: &str = "https://a.test/robots.txt";
const PAGE: (&str, u16, &str) = ("https://a.test/page", 200, "<title>a</title>");

#[test]
fn the_page_is_asked_for_only_if_robots_txt_allows_it() {
    for (status, robots, expected) in [
        (200, "User-agent: *\nDisallow: /x\n", "200"),
        (200, "User-agent: *\nDisallow: /page\n", "disallowed"),
        (200, "User-agent: our-token\nDisallow:\n\nUser-agent: *\nDisallow: /\n", "200"),
        (404, "User-agent: *\nDisallow: /\n", "200"),
        (403, "", "robots_state"),
        (503, "User-agent: *\nDisallow:\n", "robots_state"),
        (200, "", "robots_state"),
    ] {
        let subject = gathered(&[(ROBOTS, status, robots), PAGE], None, false);
        assert_eq!(told(&subject.page), expected, "{status} {robots}");
    }
    let subject =
        gathered(&[(ROBOTS, 200, "User-agent: *\nDisallow: /page\n"), PAGE], Some(""), false);
    assert_eq!(told(&subject.page), "200", "permission is decided anew by the file that was given");
}

#[test]
fn a_redirect_is_followed_with_the_leave_of_the_origin_that_it_leads_to() {
    let hop = |from: &str, to: &str| {
        let location = Field { name: "location".to_owned(), value: to.as_bytes().to_vec() };
        Hop::new(from.to_owned(), 301, vec![location])
    };
    let open = "User-agent: *\nDisallow: /x\n";
    for (last, robots, expected) in [
        ("https://a.test/moved", None, "200"),
        ("https://a.test/x", None, "redirect_not_allowed"),
        ("https://b.test/", Some((200, open)), "200"),
        ("https://b.test/", Some((404, "")), "200"),
        ("https://b.test/x", Some((200, open)), "redirect_not_allowed"),
        ("https://b.test/", Some((503, "")), "redirect_not_allowed"),
        ("https://b.test/", None, "not_saved"),
        ("https://a.test/page", None, "failed: cycle"),
        ("ftp://a.test/", None, "failed: scheme"),
    ] {
        let mut answers = vec![(ROBOTS, 200, open)];
        answers.extend(robots.map(|(status, text)| ("https://b.test/robots.txt", status, text)));
        let mut probes = probes(&answers);
        let hops = vec![hop(PAGE.0, "/on"), hop("https://a.test/on", last)];
        let answer = Exchange::unasked(last.to_owned(), answered(200, "<title>a</title>"));
        probes.add(Exchange { url: PAGE.0.to_owned(), hops, ..answer });
        let page = gathered_from(probes, None, false).page;
        let exchange = page.exchange();
        let failure = exchange.and_then(|exchange| exchange.failure());
        let word = failure.map_or_else(|| told(&page), |it| format!("failed: {}", it.cause));
        assert_eq!(word, expected, "{last} {robots:?}");
        if let Some(exchange) = exchange {
            assert_eq!((exchange.url.as_str(), exchange.hops.len()), (PAGE.0, 2), "{last}");
            assert!(failure.is_some() || exchange.final_url == last, "{last}");
        }
    }
}

#[test]
fn sitemaps_are_followed_through_indexes_each_with_its_permission() {
    let robots = "User-agent: *\nDisallow: /closed\n\nSitemap: https://a.test/i.xml\n\
                  Sitemap: https://a.test/closed.xml\nSitemap: /relative.xml\n\
                  Sitemap: https://b.test/s.xml\nSitemap: https://c.test/s.xml\n\
                  Sitemap: https://d.test/s.xml\n";
    let index = "<sitemapindex><sitemap><loc>https://a.test/1.xml</loc></sitemap>\
                 <sitemap><loc>https://a.test/i.xml</loc></sitemap></sitemapindex>";
    let answers = [
        (ROBOTS, 200, robots),
        PAGE,
        ("https://a.test/i.xml", 200, index),
        ("https://a.test/1.xml", 200, "<urlset/>"),
        ("https://a.test/llms.txt", 404, ""),
        ("https://b.test/robots.txt", 404, ""),
        ("https://b.test/s.xml", 200, "<urlset/>"),
        ("https://c.test/robots.txt", 200, "User-agent: *\nDisallow: /\n"),
        ("https://d.test/robots.txt", 500, ""),
    ];
    let told = |subject: &Subject| -> Vec<(Option<u32>, String)> {
        let told = |it: &SitemapProbe| (it.line, told(&it.probe));
        subject.sitemaps.as_ref().unwrap().iter().map(told).collect()
    };
    let words = |words: &[(Option<u32>, &str)]| -> Vec<(Option<u32>, String)> {
        words.iter().map(|(line, word)| (*line, (*word).to_owned())).collect()
    };
    let without = gathered(&answers, None, false);
    assert_eq!(
        told(&without),
        words(&[
            (Some(4), "200"),
            (Some(5), "disallowed"),
            (Some(6), "bad_address"),
            (Some(7), "other_origin"),
            (Some(8), "other_origin"),
            (Some(9), "other_origin"),
            (None, "200"),
        ])
    );
    let with: Vec<String> =
        told(&gathered(&answers, None, true)).into_iter().skip(3).map(|(_, word)| word).collect();
    assert_eq!(with, ["200", "disallowed", "other_robots", "200"]);
    let guidance = without.guidance.unwrap();
    assert_eq!(guidance[0].kind, GuidanceKind::Llms);
    assert!(matches!(guidance[1].probe, Probe::NotAsked(NotAsked::NotSaved)));
}

#[test]
fn probes_are_read_as_they_were_written() {
    let mut probes = probes(&[(ROBOTS, 200, "x")]);
    let field = Field { name: "x-odd".to_owned(), value: vec![0xff, 0] };
    let hop = Hop {
        url: "https://a.test/".to_owned(),
        status: 301,
        location: "/b".to_owned(),
        fields: vec![field, Field { name: "location".to_owned(), value: b"/b".to_vec() }],
    };
    let failure = Failure {
        mode: TransportMode::Tls,
        operation: Operation::Handshake,
        cause: "cert_expired".to_owned(),
        answered: true,
    };
    probes.add(Exchange {
        url: "https://a.test/".to_owned(),
        hops: vec![hop],
        final_url: "https://a.test/b".to_owned(),
        outcome: Outcome::Failed(failure),
    });
    let json = probes.to_json().unwrap();
    assert_eq!(Probes::from_json("p.json", &json).unwrap(), probes);
    for (from, to, message) in [
        ("scanner-probes/1", "scanner-probes/9", "not of the form"),
        ("\"handshake\"", "\"handclap\"", "unknown operation: handclap"),
        ("eA==", "?", "body_b64"),
        ("\"hops\"", "\"hopes\"", "unknown field"),
    ] {
        let refusal = Probes::from_json("p.json", &json.replacen(from, to, 1)).unwrap_err();
        assert!(refusal.message.contains(message), "{refusal}");
    }
}
