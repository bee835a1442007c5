//! Walks over chains, honest and forged.

use std::borrow::Cow;

use super::{ClientBasis as Basis, Hop, Prefix, Proxies, Stamp, Trusted};
use crate::logs::request::{Request, SingleAddress};

/// 10.0.0.0/8 and fd00::/8 are our own proxies, 198.51.100.0/24 is Cloudflare's from 2026 on.
fn proxies() -> Proxies {
    let trusted = |prefix: &str, name: &str, from: Option<&str>| Trusted {
        prefix: Prefix::parse(prefix).unwrap(),
        name: name.to_owned(),
        valid_from: from.and_then(Stamp::parse),
        valid_to: None,
    };
    Proxies::new(vec![
        trusted("10.1.2.3/32", "own", None),
        trusted("10.9.0.0/16", "own", None),
        trusted("fd00::/16", "own", None),
        trusted("198.51.100.0/24", "cloudflare-edge", Some("2026-01-01")),
    ])
}

fn request<'a>(peer: &'a str, forwarded_for: Option<&'a str>) -> Request<'a> {
    Request {
        at_s: Stamp::parse("2026-06-01").unwrap().unix(),
        peer: Cow::Borrowed(peer.as_bytes()),
        forwarded_for: forwarded_for.map(|list| Cow::Borrowed(list.as_bytes())),
        ..Request::default()
    }
}

fn found(request: &Request<'_>) -> (String, Basis) {
    let client = proxies().client(request);
    (client.address.map_or("-".into(), |address| address.to_string()), client.basis)
}

#[test]
fn a_chain_is_walked_from_the_right_over_trusted_proxies_alone() {
    for (peer, list, client, basis) in [
        ("203.0.113.7", None, "203.0.113.7", Basis::Peer),
        ("10.1.2.3", None, "10.1.2.3", Basis::Peer),
        ("10.1.2.3", Some("203.0.113.7"), "203.0.113.7", Basis::Forwarded),
        // The client wrote the left entries itself.
        ("10.1.2.3", Some("66.249.66.1, 203.0.113.7"), "203.0.113.7", Basis::Forwarded),
        ("10.1.2.3", Some("66.249.66.1,203.0.113.7, 10.9.1.1"), "203.0.113.7", Basis::Forwarded),
        // A trusted proxy in the middle does not vouch for what stands left of a stranger.
        ("10.1.2.3", Some("1.1.1.1, 10.9.1.1, 203.0.113.7"), "203.0.113.7", Basis::Forwarded),
        // Nobody else may speak for others.
        ("203.0.113.7", Some("66.249.66.1"), "203.0.113.7", Basis::HeaderIgnored),
        // 10.1.2.30 begins like 10.1.2.3 and is not it.
        ("10.1.2.30", Some("66.249.66.1"), "10.1.2.30", Basis::HeaderIgnored),
        ("10.1.2.3", Some("203.0.113.7, 10.1.2.30"), "10.1.2.30", Basis::Forwarded),
        (
            "10.1.2.3:4711",
            Some("203.0.113.7:33453,+10.9.0.1:49770"),
            "203.0.113.7",
            Basis::Forwarded,
        ),
        ("[fd00::1]:80", Some("[2001:db8::1]:4711"), "2001:db8::1", Basis::Forwarded),
        ("::ffff:10.1.2.3", Some("::ffff:203.0.113.5"), "203.0.113.5", Basis::Forwarded),
        ("10.1.2.3", Some("64:ff9b::203.0.113.5"), "203.0.113.5", Basis::Forwarded),
        ("fd00::1%eth0", Some("2001:db8::2, fd00::9"), "2001:db8::2", Basis::Forwarded),
        ("10.1.2.3", Some("10.9.0.2, 10.9.0.1"), "10.9.0.2", Basis::AllTrusted),
        ("10.1.2.3", Some("66.249.66.1, unknown"), "10.1.2.3", Basis::Garbage),
        ("10.1.2.3", Some("66.249.66.1, _x, 10.9.0.1"), "10.9.0.1", Basis::Garbage),
        ("10.1.2.3", Some(""), "10.1.2.3", Basis::Garbage),
        ("10.1.2.3", Some("\"203.0.113.7\" "), "203.0.113.7", Basis::Forwarded),
        // An envoy logs no peer, and appends the address that it spoke to.
        ("", Some("66.249.66.1, 203.0.113.7"), "203.0.113.7", Basis::PeerNotLogged),
        ("", Some("203.0.113.7, 10.1.2.3"), "203.0.113.7", Basis::PeerNotLogged),
        ("", None, "-", Basis::NoAddress),
        ("crawler.example.com", None, "-", Basis::NoAddress),
    ] {
        assert_eq!(found(&request(peer, list)), (client.to_owned(), basis), "{peer} {list:?}");
    }
    let long = vec!["10.9.0.1"; 1_000].join(", ");
    let long = format!("203.0.113.7, {long}");
    assert_eq!(found(&request("10.1.2.3", Some(&long))).0, "203.0.113.7");
}

#[test]
fn a_network_is_trusted_only_while_it_is_valid() {
    let mut request = request("198.51.100.7", Some("203.0.113.7"));
    assert_eq!(found(&request), ("203.0.113.7".into(), Basis::Forwarded));
    request.at_s = Stamp::parse("2025-12-31").unwrap().unix();
    assert_eq!(found(&request), ("198.51.100.7".into(), Basis::HeaderIgnored));
}

#[test]
fn forwarded_is_walked_like_a_list() {
    for (field, client, basis) in [
        ("for=203.0.113.7", "203.0.113.7", Basis::Forwarded),
        (
            "for=66.249.66.1, For=203.0.113.7;proto=https;by=10.1.2.3",
            "203.0.113.7",
            Basis::Forwarded,
        ),
        (r#"for="[2001:db8::1]:4711""#, "2001:db8::1", Basis::Forwarded),
        (
            r#"proto=https;for="203.0.113.7:47011";host="a,b;c", for=10.9.0.1"#,
            "203.0.113.7",
            Basis::Forwarded,
        ),
        ("for=_hidden", "10.1.2.3", Basis::Garbage),
        ("proto=https", "10.1.2.3", Basis::Garbage),
    ] {
        let mut request = request("10.1.2.3", None);
        request.forwarded = Some(Cow::Borrowed(field.as_bytes()));
        assert_eq!(found(&request), (client.to_owned(), basis), "{field}");
    }
}

#[test]
fn a_header_with_one_address_counts_only_from_the_network_that_writes_it() {
    for (header, peer, client, basis) in [
        ("cf-connecting-ip", "198.51.100.7", "203.0.113.7", Basis::SingleHeader),
        ("cf-connecting-ip", "10.1.2.3", "10.1.2.3", Basis::Peer),
        ("cf-connecting-ip", "192.0.2.1", "192.0.2.1", Basis::HeaderIgnored),
        ("x-real-ip", "10.1.2.3", "203.0.113.7", Basis::SingleHeader),
        ("x-real-ip", "192.0.2.1", "192.0.2.1", Basis::HeaderIgnored),
    ] {
        let mut request = request(peer, None);
        request.single = Some(SingleAddress { header, value: Cow::Borrowed(b"203.0.113.7") });
        assert_eq!(found(&request), (client.to_owned(), basis), "{header} {peer}");
    }
}

#[test]
fn every_hop_of_a_walk_can_be_told() {
    let mut hops = Vec::new();
    proxies()
        .client_told(&request("10.1.2.3", Some("1.1.1.1, 203.0.113.7, 10.9.1.1")), &mut |hop| {
            hops.push(hop)
        });
    let told: Vec<(String, bool, bool)> = hops
        .iter()
        .map(|Hop { address, trusted_as, is_forgeable }| {
            (address.unwrap().to_string(), trusted_as.is_some(), *is_forgeable)
        })
        .collect();
    let expected = [
        ("10.1.2.3", true, false),
        ("10.9.1.1", true, false),
        ("203.0.113.7", false, false),
        ("1.1.1.1", false, true),
    ];
    let expected = expected
        .map(|(address, is_trusted, is_forgeable)| (address.to_owned(), is_trusted, is_forgeable));
    assert_eq!(told, expected);
}

#[test]
fn what_nobody_trusted_wrote_is_kept_and_said_to_be_forgeable() {
    for (peer, list, expected) in [
        ("203.0.113.7", "66.249.66.1, 1.1.1.1", "1.1.1.1 66.249.66.1"),
        ("10.1.2.3", "66.249.66.1, x, 10.9.0.1", "66.249.66.1"),
        ("10.1.2.3", "x, 203.0.113.7", "-"),
        ("10.1.2.3", "10.9.0.2, 10.9.0.1", ""),
    ] {
        let mut hops = Vec::new();
        proxies().client_told(&request(peer, Some(list)), &mut |hop| hops.push(hop));
        let forgeable = hops.iter().filter(|hop| hop.is_forgeable);
        let address = |hop: &Hop| hop.address.map_or("-".to_owned(), |found| found.to_string());
        assert_eq!(forgeable.map(address).collect::<Vec<_>>().join(" "), expected, "{peer} {list}");
    }
}
