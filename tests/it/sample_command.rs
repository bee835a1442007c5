//! `scanner sample`: checking, freezing and drawing lists, as a person meets them.

#![allow(clippy::disallowed_methods, reason = "a test looks at what was written")]

use std::path::Path;

use scanner::draw::About;
use scanner::sample::{Sample, Sidecar};

use crate::corpus;
use crate::scratch::{Scratch, output, scanner, study, text};

/// The samples drawn from the frame: name, country, number.
const DRAWN: [(&str, &str, &str); 4] = [
    ("us-808", "us", "808"),
    ("gb-500", "gb", "500"),
    ("au-340", "au", "340"),
    ("sg-47", "sg", "47"),
];

/// What the frame is made of.
const ABOUT: &str = "samples/frames/merged-frame.toml";

/// A list with something of every kind.
const FAULTY: &str = "domain,stratum
exa mple.com,
A.com.,x
a.com,x
b.com
www.a.com,x
co.uk,X
a.con,x
bücher.de,x
xn--bcher-kva.at,x
";

fn words(path: &Path) -> String {
    path.to_str().expect("UTF-8").to_owned()
}

/// Status, stdout and stderr, the scratch folder's name left out.
fn told(scratch: &Scratch, arguments: &[&str]) -> (i32, String, String) {
    let output = output(arguments);
    let plain = |octets: Vec<u8>| {
        let folder = format!("{}/", scratch.join("").display()).replace("//", "/");
        String::from_utf8(octets).expect("UTF-8").replace(&folder, "")
    };
    (output.status.code().expect("a status"), plain(output.stdout), plain(output.stderr))
}

#[test]
fn help_teaches() {
    for (name, arguments) in [
        ("help_sample", &["sample", "--help"][..]),
        ("help_sample_check", &["sample", "check", "--help"]),
        ("help_sample_freeze", &["sample", "freeze", "--help"]),
        ("help_sample_draw", &["sample", "draw", "--help"]),
    ] {
        let output = scanner(arguments).env("COLUMNS", "80").output().expect("help");
        insta::assert_snapshot!(name, String::from_utf8(output.stdout).expect("UTF-8"));
    }
}

#[test]
fn a_check_tells_every_fault_of_every_line() {
    let scratch = Scratch::new();
    let list = words(&scratch.write("faulty.csv", FAULTY));
    let (status, stdout, stderr) = told(&scratch, &["sample", "check", &list]);
    assert_eq!((status, stderr.as_str()), (3, ""));
    insta::assert_snapshot!("check_faulty", stdout);
    let (status, stdout, _) = told(&scratch, &["sample", "check", &list, "--json"]);
    assert_eq!(status, 3);
    insta::assert_snapshot!("check_faulty_json", stdout);
}

#[test]
fn a_check_ends_by_the_worst_finding() {
    let scratch = Scratch::new();
    for (name, rows, status) in [
        ("clean", "a.com\nb.com\n", 0),
        ("twins", "www.a.com\nshop.a.com\n", 4),
        ("suffix", "co.uk\n", 4),
        ("form", "A.com\n", 4),
        ("twice", "a.com\na.com\n", 3),
        ("empty", "", 3),
    ] {
        let list = words(&scratch.write(&format!("{name}.csv"), &format!("domain\n{rows}")));
        assert_eq!(told(&scratch, &["sample", "check", &list]).0, status, "{name}");
    }
    let absent = words(&scratch.join("absent.csv"));
    let (status, _, stderr) = told(&scratch, &["sample", "check", &absent]);
    assert!(status == 3 && stderr.starts_with("error: absent.csv: "), "{stderr}");
}

#[test]
fn what_a_check_refuses_a_run_refuses_and_what_it_passes_a_run_takes() {
    let scratch = Scratch::new();
    let list = words(&scratch.write("s.csv", "domain,stratum\nprimary.test,x\n"));
    let beside = |n: usize, strata: &str| {
        let digest = "4e5d2bf9ac0a7aa0fd2ff2d6ba8d0dffb6bb0a8bbb1b7ad8ad30ddb0bb9ad8c2";
        let head = "source = 's'\ndrawn_on = '2026-11-30'\nrule = 'r'\n";
        format!("{head}n = {n}\nsha256 = '{digest}'\nstrata = [{strata}]\n")
    };
    scratch.write("s.toml", &beside(1, "{ name = 'x', n = 1 }"));
    let (status, stdout, _) = told(&scratch, &["sample", "check", &list]);
    assert!(status == 3 && stdout.contains("s.toml: refused: sha256 is 4e5d"), "{stdout}");
    let out = words(&scratch.join("run"));
    let world = "fixtures/worlds/faults";
    let run = ["run", "--sample", &list, "--seed", "1", "--world", world, "--out", &out, "--quiet"];
    let (status, _, stderr) = told(&scratch, &run);
    assert!(status == 3 && stderr.contains("s.toml: sha256 is 4e5d"), "{stderr}");
}

#[test]
fn freezing_writes_the_canonical_form_and_pins_it() {
    let scratch = Scratch::new();
    let list = "\u{FEFF}Stratum,Domain\r\n# why\r\nx,A.com.\r\n\"y, z\",bücher.de\r\n";
    let list = words(&scratch.write("raw.csv", list));
    let common = ["--source", "a source", "--rule", "all of it", "--drawn-on", "2026-11-30"];
    let freeze = |extra: &[&str]| {
        let arguments = [&["sample", "freeze", &list], &common[..], extra].concat();
        told(&scratch, &arguments)
    };
    let (status, _, stderr) = freeze(&[]);
    assert!(
        status == 3 && stderr.contains("raw.csv: the file is not in canonical form"),
        "{stderr}"
    );

    let frozen = words(&scratch.join("frozen.csv"));
    let (status, stdout, stderr) = freeze(&["--out", &frozen, "--licence", "CC0-1.0"]);
    assert_eq!((status, stdout.as_str()), (0, ""), "{stderr}");
    let csv = text(Path::new(&frozen));
    assert_eq!(csv, "domain,stratum\na.com,x\nxn--bcher-kva.de,\"y, z\"\n");
    insta::assert_snapshot!("frozen_sidecar", text(&scratch.join("frozen.toml")));
    assert_eq!(told(&scratch, &["sample", "check", &frozen]).0, 0);

    // The same again changes nothing and is no overwriting; in place, no --out is needed.
    assert_eq!(freeze(&["--out", &frozen]).0, 0);
    let again = [&["sample", "freeze", &frozen], &common[..]].concat();
    assert_eq!(told(&scratch, &again).0, 0);
    assert_eq!(text(Path::new(&frozen)), csv);
    assert!(text(&scratch.join("frozen.toml")).contains("licence = \"CC0-1.0\""), "it is kept");

    // The day of the draw is kept too, unless another is given.
    let day = |extra: &[&str]| {
        let given = ["sample", "freeze", &frozen, "--source", "a source", "--rule", "all of it"];
        assert_eq!(told(&scratch, &[&given[..], extra].concat()).0, 0);
        let sidecar = Sidecar::parse("frozen", &text(&scratch.join("frozen.toml")));
        sidecar.expect("a sidecar").drawn_on
    };
    assert_eq!(day(&["--drawn-on", "2025-01-31"]), "2025-01-31");
    assert_eq!(day(&[]), "2025-01-31");

    let (status, ..) = freeze(&["--out", &list]);
    assert_eq!((status, text(Path::new(&list))), (0, csv), "in place");
}

#[test]
fn freezing_overwrites_another_list_only_by_force() {
    let scratch = Scratch::new();
    let one = words(&scratch.write("one.csv", "domain,stratum\na.com,x\n"));
    let other = words(&scratch.write("other.csv", "domain,stratum\nb.com,x\n"));
    let freeze = |list: &str, extra: &[&str]| {
        let given = ["sample", "freeze", list, "--source", "s", "--rule", "r"];
        told(&scratch, &[&given[..], extra].concat())
    };
    assert_eq!(freeze(&one, &[]).0, 0);
    let (status, _, stderr) = freeze(&other, &["--out", &one]);
    assert!(status == 3 && stderr.contains("one.csv: another list is in its place"), "{stderr}");
    scratch.write("one.csv", "domain,stratum\na.com,x\nc.com,x\n");
    let (status, _, stderr) = freeze(&one, &[]);
    assert!(status == 3 && stderr.contains("one.toml: the sidecar pins another list"), "{stderr}");
    assert_eq!(freeze(&one, &["--force"]).0, 0);
    assert_eq!(told(&scratch, &["sample", "check", &one]).0, 0);
    let (status, _, stderr) = freeze(&one, &["--out", "one.toml"]);
    assert!(status == 2 && stderr.contains("cannot be .toml"), "{stderr}");
    let (status, _, stderr) = freeze(&one, &["--drawn-on", "today"]);
    assert!(status == 2 && stderr.contains("written as 2026-11-30"), "{stderr}");
    let (status, ..) = freeze(&one, &["--drawn-on", "2026-99-99"]);
    assert_eq!(status, 2, "a day that the calendar does not have");
    let bad = words(&scratch.write("bad.csv", "domain\na b\n"));
    assert_eq!(freeze(&bad, &["--out", &words(&scratch.join("x.csv"))]).0, 3);
}

#[test]
fn a_draw_can_be_repeated_and_says_how() {
    let scratch = Scratch::new();
    let rows = |order: &mut dyn Iterator<Item = u32>| {
        let row = |number: u32| {
            let stratum = ["x", "y", "z"][(number % 7 % 3) as usize];
            format!("d{number}.com,{stratum},{}\n", ["", "odd"][(number % 2) as usize])
        };
        format!("domain,sector,flags\n{}", order.map(row).collect::<String>())
    };
    let frame = words(&scratch.write("frame.csv", &rows(&mut (0..60))));
    let mirrored = words(&scratch.write("mirrored/frame.csv", &rows(&mut (0..60).rev())));
    scratch.write(
        "frame.toml",
        "source = 'made up'\nlicence = 'CC0-1.0'\nweaknesses = ['small']\n\n[[sources]]\n\
         name = 'itself'\ncommit = '0'\nlicence = 'CC0-1.0'\n",
    );
    let draw = |frame: &str, out: &str, extra: &[&str]| {
        let out = words(&scratch.join(out));
        let given = ["sample", "draw", frame, "--out", &out, "--drawn-on", "2026-11-30"];
        told(&scratch, &[&given[..], extra].concat())
    };
    let equal = ["--n", "10", "--seed", "42", "--strata", "sector", "--where", "flags!=odd"];
    assert_eq!(draw(&frame, "drawn.csv", &equal).0, 0);
    insta::assert_snapshot!("drawn", text(&scratch.join("drawn.csv")));
    insta::assert_snapshot!("drawn_sidecar", text(&scratch.join("drawn.toml")));
    assert_eq!(told(&scratch, &["sample", "check", &words(&scratch.join("drawn.csv"))]).0, 0);
    assert_eq!(draw(&mirrored, "mirror.csv", &equal).0, 0);
    assert_eq!(text(&scratch.join("mirror.csv")), text(&scratch.join("drawn.csv")));

    let (status, _, stderr) =
        draw(&frame, "each.csv", &["--per-stratum", "20", "--seed", "1", "--strata", "sector"]);
    assert!(status == 0 && stderr.contains("! stratum \"z\" gives all it has: "), "{stderr}");
    let other = ["--n", "10", "--seed", "43", "--strata", "sector", "--where", "flags!=odd"];
    let (status, _, stderr) = draw(&frame, "drawn.csv", &other);
    assert!(status == 3 && stderr.contains("another list is in its place"), "{stderr}");
    for (extra, status, expected) in [
        (&["--n", "61", "--seed", "1"][..], 3, "61 are to be drawn and 60 are eligible"),
        (&["--n", "1", "--seed", "1", "--where", "size=1"], 3, "no column is named \"size\""),
        (&["--n", "1", "--seed", "1", "--where", "size"], 2, "COLUMN=VALUE"),
        (&["--n", "0", "--seed", "1"], 2, "at least one domain"),
        (&["--n", "1"], 2, "--seed"),
        (&["--seed", "1"], 2, "--n"),
        (&["--n", "1", "--seed", "1", "--salt", "x"], 2, "cannot be used with"),
        (&["--per-stratum", "1", "--seed", "1"], 2, "--strata"),
        (&["--n", "1", "--seed", "9223372036854775808"], 2, "--seed"),
    ] {
        let (found, _, stderr) = draw(&frame, "no.csv", extra);
        assert!(found == status && stderr.contains(expected), "{extra:?}: {found} {stderr}");
        assert!(!scratch.join("no.csv").exists() && !scratch.join("no.toml").exists());
    }
}

#[test]
fn a_frozen_sample_is_a_frame_whose_sidecar_goes_on() {
    let scratch = Scratch::new();
    let list = words(&scratch.write("list.csv", "domain,stratum\na.com,x\nb.com,x\nc.com,y\n"));
    let out = words(&scratch.join("part.csv"));
    let freeze = ["sample", "freeze", &list, "--source", "a source", "--rule", "all of it"];
    let said = ["--licence", "CC0-1.0", "--weakness", "small"];
    assert_eq!(told(&scratch, &[&freeze[..], &said[..]].concat()).0, 0);
    let draw = ["sample", "draw", &list, "--n", "2", "--seed", "1", "--strata", "stratum"];
    let more = ["--weakness", "smaller", "--out", &out];
    let (status, _, stderr) = told(&scratch, &[&draw[..], &more[..]].concat());
    assert_eq!(status, 0, "{stderr}");
    let part = Sidecar::parse("part", &text(&scratch.join("part.toml"))).expect("a sidecar");
    assert_eq!((part.source.as_str(), part.licence.as_deref()), ("a source", Some("CC0-1.0")));
    assert_eq!(part.weaknesses, ["small", "smaller"]);
    assert!(part.rule.starts_with("rows of list.csv; equal shares"), "{}", part.rule);

    // What was said of other octets is not said of these, unless it is asked for by name.
    scratch.write("list.csv", "domain,stratum\na.com,x\nd.com,y\n");
    let changed = [&draw[..], &["--out", &out, "--force"]].concat();
    let (status, _, stderr) = told(&scratch, &changed);
    assert!(status == 3 && stderr.contains("list.toml: the sidecar pins another"), "{stderr}");
    let sidecar = words(&scratch.join("list.toml"));
    let by_name = [&changed[..], &["--about", &sidecar]].concat();
    assert_eq!(told(&scratch, &by_name).0, 0);
}

#[test]
fn the_committed_samples_are_clean_and_say_what_they_are() {
    for (name, _, n) in DRAWN {
        let checked = study(&["sample", "check", &format!("{name}.csv"), "--json"]);
        let checked: serde_json::Value = serde_json::from_str(&checked).expect("JSON");
        assert_eq!(checked["n"].to_string(), n, "{name}");
        assert_eq!((&checked["findings"], &checked["notes"]), (&0.into(), &0.into()), "{name}");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
        let sidecar = text(&root.join(format!("{name}.toml")));
        let sidecar = Sidecar::parse(name, &sidecar).expect("a sidecar");
        assert!(sidecar.source.contains("not the domain list of the published C01 studies"));
        assert!(sidecar.sources.iter().all(|source| source.commit.len() == 40));
        assert!(sidecar.strata.iter().all(|stratum| stratum.population.is_some()));
        let csv = text(&root.join(format!("{name}.csv")));
        let sample = Sample::parse(name, csv.as_bytes(), None).expect("a sample");
        assert!(sample.entries.is_sorted_by_key(|entry| &entry.stratum), "{name}");
    }
}

#[test]
fn the_committed_samples_are_drawn_from_the_frame() {
    let Some(corpus) = corpus::folder() else { return };
    let frames = corpus.join("data/sample-frames");
    let frame = words(&frames.join("merged-frame.csv"));
    let draft = text(&frames.join("draft-samples.csv"));
    let scratch = Scratch::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let about = About::parse(ABOUT, &text(Path::new(ABOUT))).expect("what the frame is");
    for (name, country, n) in DRAWN {
        let out = words(&scratch.join(&format!("{name}.csv")));
        let (salt, of) = (format!("c01-draft-v1|{country}|"), format!("country={country}"));
        let mut arguments = vec!["sample", "draw", &frame, "--strata", "sector", "--n", n];
        for condition in [
            "entity_type=commercial",
            "sector!=other",
            "flags!=cctld_mismatch",
            "flags!=gov_domain",
        ] {
            arguments.extend(["--where", condition]);
        }
        arguments.extend(["--where", &of, "--salt", &salt, "--out", &out]);
        arguments.extend(["--about", ABOUT]);
        arguments.extend(["--drawn-on", "2026-11-30"]);
        // What is said against the frame stands first, and then what is said against this sample.
        let sidecar = text(&root.join(format!("{name}.toml")));
        let sidecar = Sidecar::parse(name, &sidecar).expect("a sidecar");
        let own = &sidecar.weaknesses[about.weaknesses.len()..];
        assert!(!own.is_empty(), "{name}");
        for weakness in own {
            arguments.extend(["--weakness", weakness]);
        }
        study(&arguments);
        for ending in ["csv", "toml"] {
            let file = format!("{name}.{ending}");
            assert_eq!(text(&scratch.join(&file)), text(&root.join(&file)), "{file}");
        }
        // The draft that came with the frame was drawn by the same rule with another program.
        let drawn: Vec<String> = text(&scratch.join(&format!("{name}.csv")))
            .lines()
            .skip(1)
            .map(str::to_owned)
            .collect();
        let draft_name = if name == "sg-47" { "sg-all" } else { name };
        let drafted = draft.lines().filter(|line| line.split(',').next() == Some(draft_name));
        let drafted = drafted.map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            format!("{},{}", cells[4], cells[2])
        });
        assert_eq!(drawn, drafted.collect::<Vec<_>>(), "{name}");
    }
}
