//! `check --output-format`: what other programs read, held against what their formats demand.

use serde_json::Value;

use crate::character::{IDLE, WAVE};
use crate::run::{Ended, Folder};

/// A character whose arm goes into its head, with names that every format has to escape.
fn hostile() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("a b")).unwrap();
    let object = |name: &str, x: f32| {
        let corners = [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]];
        let lines: String = corners.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
        format!("o {name}\n{lines}f -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -2 -4 -1\n")
    };
    let text = object("<arm> & \"hand\", left: 50%", 0.0) + &object("head", 0.5) + &object("ball", 9.0);
    std::fs::write(folder.path().join("a b/all.obj"), text).unwrap();
    folder
}

fn check(format: &str, more: &[&str]) -> Ended {
    let words = ["check", "a b/all.obj", "--obj-bodies", "objects", "--output-format", format];
    hostile().crumple(&[&words[..], more].concat())
}

#[test]
fn json_is_what_json_prints() {
    let (one, other) =
        (check("json", &[]), hostile().crumple(&["check", "a b/all.obj", "--obj-bodies", "objects", "--json"]));
    assert_eq!((one.code, one.stdout.lines().count()), (Some(1), other.stdout.lines().count()));
    let both = ["check", "x.obj", "--json", "--output-format", "csv"];
    assert_eq!(Folder::new().crumple(&both).code, Some(2));
    assert!(check("text", &[]).stdout.contains(": 6 pairs in frame 0 (") || check("text", &[]).code == Some(1));
}

#[test]
fn csv_has_a_line_per_finding_with_as_many_cells_as_columns() {
    let ended = check("csv", &["--depth"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(1), ""));
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    let columns = "kind,name_a,name_b,animation,first,last,frames,worst_frame,worst_pairs,pairs,depth,area,distance,status,\
                   region,carrier_a,carrier_b,bones_apart,region_area,x,y,z,rest_a_x,rest_a_y,rest_a_z,rest_b_x,rest_b_y,rest_b_z";
    assert_eq!(lines[0], columns);
    assert!(lines[1].starts_with("contact,\"<arm> & \"\"hand\"\", left: 50%\",head,,0,0,1,0,"), "{}", lines[1]);
    let mut is_quoted = false;
    let commas = lines[1].chars().filter(|&c| {
        is_quoted ^= c == '"';
        c == ',' && !is_quoted
    });
    assert_eq!(commas.count(), columns.matches(',').count());
    let nothing = check("csv", &["--only", "ball"]);
    assert_eq!((nothing.code, nothing.stdout.lines().count()), (Some(0), 1));
}

/// An element of XML: name, attributes, children, text.
#[derive(Debug)]
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    children: Vec<Element>,
    text: String,
}

impl Element {
    fn get(&self, name: &str) -> &str {
        let found = self.attributes.iter().find(|(other, _)| other == name);
        found.map_or_else(|| panic!("{} has no {name}", self.name), |(_, value)| value)
    }

    fn number(&self, name: &str) -> usize {
        self.get(name).parse().unwrap()
    }
}

/// Parses a document without comments, doctypes and name spaces; anything that is not well-formed panics.
fn xml(text: &str) -> Element {
    let rest = text.strip_prefix(r#"<?xml version="1.0" encoding="UTF-8"?>"#).expect("a declaration");
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "control characters");
    let mut open: Vec<Element> = Vec::new();
    let mut rest = rest.trim();
    loop {
        let at = rest.find('<').expect("a tag");
        if let Some(element) = open.last_mut() {
            element.text += &plain(&rest[..at]);
        }
        let end = rest.find('>').expect("the end of a tag");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let done = open.pop().expect("an open element");
            assert_eq!(done.name, name);
            match open.last_mut() {
                Some(parent) => parent.children.push(done),
                None => {
                    assert_eq!(rest.trim(), "");
                    return done;
                }
            }
            continue;
        }
        let is_empty = tag.ends_with('/');
        let tag = tag.trim_end_matches('/');
        let (name, mut words) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = Vec::new();
        while let Some((key, after)) = words.trim_start().split_once("=\"") {
            let (value, after) = after.split_once('"').expect("the end of an attribute");
            attributes.push((key.to_owned(), plain(value)));
            words = after;
        }
        let element = Element { name: name.to_owned(), attributes, children: Vec::new(), text: String::new() };
        match (is_empty, open.last_mut()) {
            (true, Some(parent)) => parent.children.push(element),
            _ => open.push(element),
        }
    }
}

/// Text without its references.
fn plain(text: &str) -> String {
    for (at, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#10;", "&#9;"];
        assert!(known.iter().any(|known| text[at..].starts_with(known)), "{text}");
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#10;", "\n");
    text.replace("&#9;", "\t").replace("&amp;", "&")
}

#[test]
fn junit_has_a_case_per_two_bodies_and_fails_those_that_collide() {
    let ended = check("junit", &["--self"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(1), ""));
    let suites = xml(&ended.stdout);
    // The Jenkins schema: testsuites > testsuite (name) > testcase (name) > failure (message, type).
    assert_eq!((&*suites.name, suites.children.len()), ("testsuites", 1));
    let suite = &suites.children[0];
    assert_eq!((&*suite.name, suite.get("name")), ("testsuite", "crumple check"));
    assert_eq!(suite.number("tests"), suite.children.len());
    assert_eq!([suite.number("errors"), suite.number("skipped")], [0, 0]);
    assert!(suite.get("time").parse::<f64>().unwrap() >= 0.0);
    for case in &suite.children {
        assert_eq!((&*case.name, case.get("classname")), ("testcase", "crumple.check"));
        assert!(case.children.iter().all(|child| child.name == "failure" && !child.get("message").is_empty()));
    }
    let names: Vec<&str> = suite.children.iter().map(|case| case.get("name")).collect();
    let arm = "<arm> & \"hand\", left: 50%";
    let itself = |name: &str| format!("{name} × itself");
    let pair = |a: &str, b: &str| format!("{a} × {b}");
    let expected =
        [itself(arm), pair(arm, "head"), pair(arm, "ball"), itself("head"), pair("head", "ball"), itself("ball")];
    assert_eq!(names, expected);
    let failed: Vec<&Element> = suite.children.iter().filter(|case| !case.children.is_empty()).collect();
    assert_eq!((failed.len(), suite.number("failures")), (1, 1));
    let failure = &failed[0].children[0];
    assert_eq!(failure.get("type"), "contact");
    assert!(failure.text.starts_with(&format!("{arm} × head collide in frame 0; worst in frame 0: ")), "{failure:?}");
    let nothing = xml(&check("junit", &["--only", "ball"]).stdout);
    assert_eq!((nothing.number("tests"), nothing.number("failures")), (2, 0));
}

/// The properties that SARIF 2.1.0 demands of what we write, and the values it allows.
fn check_sarif(log: &Value) {
    let text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().unwrap().contains("sarif-2.1.0"));
    for run in log["runs"].as_array().unwrap() {
        let driver = &run["tool"]["driver"];
        assert!(text(&driver["name"]) && driver["informationUri"].as_str().unwrap().starts_with("https://"));
        let rules = driver["rules"].as_array().unwrap();
        for rule in rules {
            assert!(text(&rule["id"]) && text(&rule["shortDescription"]["text"]), "{rule}");
        }
        for result in run["results"].as_array().unwrap() {
            assert!(text(&result["message"]["text"]), "{result}");
            assert!(["none", "note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
            let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            for location in result["locations"].as_array().unwrap() {
                let uri = location["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
                assert!(uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"{}|\\^`".contains(&byte)), "{uri}");
                assert!(location["logicalLocations"].as_array().unwrap().iter().all(|logical| text(&logical["name"])));
            }
            assert!(result["partialFingerprints"].as_object().unwrap().values().all(text));
            assert!(result["properties"].is_object());
        }
    }
}

#[test]
fn sarif_has_a_result_per_finding_with_a_rule_and_places() {
    let ended = check("sarif", &["--depth"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(1), ""));
    let log: Value = serde_json::from_str(&ended.stdout).unwrap();
    check_sarif(&log);
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!((results.len(), &results[0]["ruleId"]), (1, &Value::from("contact")));
    let place = &results[0]["locations"][0];
    assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], "a%20b/all.obj");
    assert_eq!(place["logicalLocations"][0]["name"], "<arm> & \"hand\", left: 50%");
    assert!(results[0]["properties"]["depth"].as_f64().unwrap() >= 0.0);
    let nothing: Value = serde_json::from_str(&check("sarif", &["--only", "ball"]).stdout).unwrap();
    check_sarif(&nothing);
    assert_eq!(nothing["runs"][0]["results"], Value::Array(Vec::new()));
}

#[test]
fn sarif_results_differ_in_their_fingerprints() {
    let folder = Folder::new();
    folder.character_with("a", &["torso", "arm", "head"], &[("idle", &IDLE), ("up/down", &[WAVE, WAVE].concat())]);
    let ended = folder.crumple(&["check", "a.gltf", "--animation", "all", "--output-format", "sarif"]);
    let log: Value = serde_json::from_str(&ended.stdout).unwrap();
    check_sarif(&log);
    let prints = |name: &str| {
        let results = log["runs"][0]["results"].as_array().unwrap().iter();
        let mut all: Vec<_> =
            results.map(|result| result["partialFingerprints"][name].as_str().unwrap().to_owned()).collect();
        all.sort();
        all
    };
    let ids = [
        "contact/idle/arm/torso#1",
        "contact/up%2Fdown/arm/head#1",
        "contact/up%2Fdown/arm/head#2",
        "contact/up%2Fdown/arm/torso#1",
        "contact/up%2Fdown/arm/torso#2",
    ];
    assert_eq!(prints("crumple/id/v1"), ids);
    assert_eq!(prints("crumple/key/v1"), ids.map(|id| id.split_once('#').unwrap().0));
    let one = folder.crumple(&["check", "a.gltf", "--output-format", "sarif"]);
    assert!(one.stdout.contains("\"contact/idle/arm/torso#1\""), "{}", one.stdout);
}

#[test]
fn github_gets_one_command_per_finding() {
    let ended = check("github", &[]);
    assert_eq!((ended.code, &*ended.stderr), (Some(1), ""));
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    let start = "::error file=a b/all.obj,title=crumple%3A <arm> & \"hand\"%2C left%3A 50%25 × head::<arm> & ";
    assert!(lines[0].starts_with(start), "{}", lines[0]);
    assert_eq!(lines[1], "::warning title=crumple::1 finding in 1 frame");
    let nothing = check("github", &["--only", "ball"]);
    assert_eq!((nothing.code, &*nothing.stdout), (Some(0), "::notice title=crumple::no findings in 1 frame\n"));
}

#[test]
fn pairs_have_no_room_in_formats_of_findings() {
    for format in ["csv", "junit", "sarif", "github"] {
        let what = "--pairs lists pairs as text or JSON, and --output-format leaves no room for them";
        check(format, &["--pairs"]).refused(what, Some("--csv FILE writes the pairs to a file"));
    }
}
