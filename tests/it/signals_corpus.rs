//! CMS and delivery networks against facts and answers that others collected.

use std::collections::BTreeMap;

use scanner::library::Signals;
use scanner::page::signals;
use serde_json::Value;

use crate::corpus;
use crate::guidance_corpus::{base64, markers, rows, string};

/// Systems of the corpus and what one of our answers that shows them looks like: our name, a header
/// field or nothing, markup or nothing. Written by hand after the corpus's words.
const SHOWN: [(&str, &str, &str, &str); 40] = [
    ("WordPress", "WordPress", "", r#"<meta name="generator" content="WordPress 6.6">"#),
    ("WordPress.com", "WordPress.com", "host-header: WordPress.com", ""),
    ("TYPO3", "TYPO3", "", r#"<link rel="stylesheet" href="/typo3temp/assets/a.css">"#),
    ("Drupal", "Drupal", "x-drupal-dynamic-cache: MISS", ""),
    ("Joomla", "Joomla", "", r#"<script src="/media/system/js/core.js"></script>"#),
    ("Contao", "Contao", "", r#"<meta name="generator" content="Contao Open Source CMS">"#),
    (
        "Government Site Builder",
        "Government Site Builder",
        "",
        r#"<meta name="generator" content="Government Site Builder">"#,
    ),
    ("Blogger", "Blogger", "", r#"<meta name="generator" content="blogger">"#),
    ("Shopify", "Shopify", "", r#"<link href="https://cdn.shopify.com/s/a.css">"#),
    ("Wix", "Wix", "x-wix-request-id: 1730000000.1", ""),
    ("Squarespace", "Squarespace", "server: Squarespace", ""),
    ("GoDaddy Websites", "GoDaddy Websites", "server: DPS/2.0.0", ""),
    ("Hostinger", "Hostinger", "server: hcdn", ""),
    ("Framer", "Framer", "server: Framer/8f1e2d", ""),
    ("Webflow", "Webflow", "x-wf-region: eu-west-1", ""),
    ("GitBook", "GitBook", "x-gitbook-route-site: abc", ""),
    ("HubSpot CMS", "HubSpot", "x-hs-hub-id: 1", ""),
    ("Adobe AEM", "Adobe Experience Manager", "", r#"<img src="/content/dam/site/a.jpg">"#),
    ("SharePoint", "SharePoint", "microsoftsharepointteamservices: 16.0", ""),
    ("Statamic", "Statamic", "x-powered-by: Statamic", ""),
    ("Next.js", "Next.js", "", r#"<script src="/_next/static/chunks/a.js"></script>"#),
    ("Nuxt", "Nuxt", "", r#"<script src="/_nuxt/a.js"></script>"#),
    ("Cloudflare", "Cloudflare", "cf-ray: 8f0000000000abcd-FRA", ""),
    ("Amazon CloudFront", "Amazon CloudFront", "x-amz-cf-pop: FRA60-P1", ""),
    ("Amazon S3", "Amazon S3", "server: AmazonS3", ""),
    ("Fastly", "Fastly", "x-served-by: cache-fra-etou8220001-FRA", ""),
    ("Akamai", "Akamai", "server: AkamaiGHost", ""),
    ("Imperva", "Imperva", "x-cdn: Imperva", ""),
    ("Sucuri", "Sucuri", "x-sucuri-id: 11005", ""),
    ("Vercel", "Vercel", "x-vercel-id: fra1::1", ""),
    ("Netlify", "Netlify", "x-nf-request-id: 01J", ""),
    ("GitHub Pages", "GitHub Pages", "server: GitHub.com", ""),
    ("Fly.io", "Fly.io", "fly-request-id: 01J-fra", ""),
    ("Google (GFE/LB)", "Google Front End", "via: 1.1 google", ""),
    ("Azure Front Door", "Azure Front Door", "x-azure-ref: 20261130T0", ""),
    ("bunny.net", "bunny.net", "server: BunnyCDN-DE1-1080", ""),
    ("Kinsta", "Kinsta", "x-kinsta-cache: HIT", ""),
    ("WP Engine", "WP Engine", "x-powered-by: WP Engine", ""),
    ("Pantheon", "Pantheon", "x-pantheon-styx-hostname: styx-fe1", ""),
    ("Acquia", "Acquia", "x-ah-environment: prod", ""),
];

/// Systems of the corpus that are recorded under no name, and why.
const LEFT_OUT: [(&str, &str); 7] = [
    ("Jumpseller", "its one mark is a sentence in llms.txt, and signals are those of the homepage"),
    ("ASP.NET/IIS", "a server: it says who answers, not who runs the content or the edge"),
    ("Plesk", "a panel of the machine"),
    ("LiteSpeed", "a server"),
    ("Varnish", "a cache that sites run themselves and that networks share"),
    ("Tengine", "a server"),
    ("WP Rocket", "an extension of WordPress, which shows by itself"),
];

/// Answers that look like a system and are not: a field or nothing, markup or nothing.
const DECOYS: [(&str, &str); 8] = [
    ("content-security-policy: script-src cdnjs.cloudflare.com", ""),
    ("via: 1.1 varnish", ""),
    ("", "<p>Drupal keeps its files in /sites/default/files/ and WordPress in /wp-content/.</p>"),
    ("", r#"<script src="//js.hs-scripts.com/1.js"></script>"#),
    ("", r#"<a href="https://www.squarespace.com/">made elsewhere</a>"#),
    ("server: openresty", ""),
    ("x-powered-by: PHP/8.3", ""),
    ("", r#"<script type="application/json">{"a":"/_next/static/"}</script>"#),
];

/// What one answer shows.
fn shown(library: &Signals, field: &str, markup: &str) -> Vec<String> {
    let fields: Vec<(&str, &str)> = field.split_once(": ").into_iter().collect();
    let page = format!("<!doctype html><html><head>{markup}</head><body>Welcome</body></html>");
    let detected = signals(library, &fields, page.as_bytes(), b"");
    detected.cms.into_iter().chain(detected.cdn).collect()
}

#[test]
fn every_system_that_is_known_to_others_shows_or_is_left_out_for_a_reason() {
    let library = markers();
    for (_, name, field, markup) in SHOWN {
        assert_eq!(shown(&library, field, markup), [name], "{field}{markup}");
    }
    for (field, markup) in DECOYS {
        assert!(shown(&library, field, markup).is_empty(), "{field}{markup}");
    }
    let Some(folder) = corpus::folder() else { return };
    let text = scanner::files::read_text(&folder.join("data/cms-cdn-markers.json"), 1 << 20)
        .expect("the corpus is readable");
    let facts: Value = serde_json::from_str(&text).expect("JSON");
    let mut known: Vec<&str> = facts["entries"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|fact| string(fact, "name"))
        .collect();
    let mut told: Vec<&str> = SHOWN.iter().map(|row| row.0).collect();
    told.extend(LEFT_OUT.iter().map(|row| row.0));
    known.sort_unstable();
    told.sort_unstable();
    assert_eq!(told, known);
}

#[test]
fn real_answers_show_the_systems_that_their_fields_name() {
    let Some(folder) = corpus::folder() else { return };
    let library = markers();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows(&folder.join("data/llms-wild.jsonl")) {
        let fields: Vec<(&str, &str)> = row["headers"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.as_str(), value.as_str().unwrap_or_default()))
            .collect();
        let detected = signals(&library, &fields, &base64(string(&row, "body_b64")), b"");
        for name in detected.cms.into_iter().chain(detected.cdn) {
            *counts.entry(name).or_default() += 1;
        }
    }
    let counts: Vec<String> =
        counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    // Counted apart by the fields' names; Drupal, Next.js and Webflow show in markup.
    let expected = "Acquia 1, Amazon CloudFront 1, Cloudflare 21, Drupal 1, Fastly 4, Fly.io 1, \
                    GitBook 3, GoDaddy Websites 7, Google Front End 5, Hostinger 5, Kinsta 2, \
                    Next.js 2, Vercel 3, Webflow 1, Wix 4";
    assert_eq!(counts.join(", "), expected);
}
