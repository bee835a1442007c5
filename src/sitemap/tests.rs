//! What is read as a sitemap, and what is not.

use std::io::Write as _;

use super::{SitemapFault, SitemapKind, parse};
use crate::limits::SITEMAP_URLS;

const NAMESPACE: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

#[test]
fn each_kind_of_sitemap_is_read() {
    let urlset = format!(
        "\u{feff}<?xml version=\"1.0\"?>\n<urlset {NAMESPACE} xmlns:image=\"i\">\
         <!-- <url><loc>https://a.test/no</loc></url> -->\
         <url><loc> https://a.test/?a=1&amp;b=&#50; </loc>\
         <image:image><image:loc>https://a.test/i.png</image:loc></image:image></url>\
         <url><loc><![CDATA[https://a.test/b]]></loc><priority>1</priority></url></urlset>"
    );
    let index = format!(
        "<sitemapindex {NAMESPACE}><sitemap><loc>https://a.test/s.xml</loc></sitemap></sitemapindex>"
    );
    let atom = "<feed><entry><link href='https://a.test/1'/></entry></feed>";
    let rss = "<rss><channel><item><link>https://a.test/2</link></item></channel></rss>";
    let text = "https://a.test/1\r\n\r\nhttps://a.test/2\n";
    for (document, kind, locations) in [
        (
            urlset.as_str(),
            SitemapKind::UrlSet,
            &["https://a.test/?a=1&b=2", "https://a.test/b"][..],
        ),
        (&index, SitemapKind::Index, &["https://a.test/s.xml"]),
        (atom, SitemapKind::Feed, &["https://a.test/1"]),
        (rss, SitemapKind::Feed, &["https://a.test/2"]),
        (text, SitemapKind::Text, &["https://a.test/1", "https://a.test/2"]),
        ("<urlset/>", SitemapKind::UrlSet, &[]),
    ] {
        let sitemap =
            parse(document.as_bytes()).unwrap_or_else(|fault| panic!("{fault}: {document}"));
        assert_eq!(sitemap.kind, kind);
        assert_eq!(sitemap.locations, locations);
        assert_eq!((sitemap.count, sitemap.is_over_limit), (locations.len(), false));
    }
}

#[test]
fn what_is_no_sitemap_is_called_by_its_name() {
    for (document, fault) in [
        (&b""[..], SitemapFault::Empty),
        (b" \n", SitemapFault::Empty),
        (b"<!doctype html><title>Not found</title>", SitemapFault::Html),
        (b"{\"a\": 1}", SitemapFault::NotXml),
        (b"https://a.test/1\nnot an address", SitemapFault::NotXml),
        (b"<Error><Code>NoSuchKey</Code></Error>", SitemapFault::OtherXml),
        (b"<urlset><url><loc>https://a.test/</loc>", SitemapFault::BrokenXml),
        (b"<urlset><url></wrong></urlset>", SitemapFault::BrokenXml),
        (b"\x1f\x8bnot gzip", SitemapFault::BrokenGzip),
        (b"<?xml version='1.0'?>", SitemapFault::NotXml),
    ] {
        assert_eq!(parse(document), Err(fault), "{}", String::from_utf8_lossy(document));
    }
}

#[test]
fn gzip_is_taken_off_and_too_many_addresses_are_counted() {
    let many = format!(
        "<urlset>{}</urlset>",
        "<url><loc>https://a.test/</loc></url>".repeat(SITEMAP_URLS + 1)
    );
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(many.as_bytes()).unwrap();
    let sitemap = parse(&packer.finish().unwrap()).unwrap();
    assert_eq!((sitemap.count, sitemap.locations.len()), (SITEMAP_URLS + 1, SITEMAP_URLS));
    assert!(sitemap.is_over_limit);
}

proptest::proptest! {
    #[test]
    fn any_octets_are_read_without_a_panic(document in "[<>/a-z&;#!?\\[\\]=\"' x0-9:-]{0,200}") {
        let _ = parse(document.as_bytes());
        let _ = parse(format!("<urlset>{document}</urlset>").as_bytes());
    }
}
