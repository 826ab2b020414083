//! `--output-format sarif`: SARIF 2.1.0 (OASIS), one result per finding.
//!
//! Meshes have no lines, so that a result names its file and, as logical locations, its bodies; frames (by the numbers of their files), pairs, depth and area are
//! properties. A viewer recognises a result in the next run by two fingerprints, which are text: `crumple/key/v1` is kind,
//! animation, names of bodies and region, as in a baseline; `crumple/id/v1` adds which of the episodes with this key it is, by frame.

use anyhow::Result;
use crumple_io::report::Finding;
use serde_json::{Value, json};

use super::{Out, Sink};
use crate::excuse::baseline::Key;
use crate::finding::{KINDS, meaning};
use crate::outcome::Outcome;

/// The answer in this format.
pub(super) struct Sarif(pub(super) Out);

impl Sink for Sarif {
    fn end(mut self: Box<Self>, outcome: &Outcome) -> Result<Option<String>> {
        write(&[Ok(outcome)], &mut self.0)?;
        self.0.finish()?;
        Ok(None)
    }
}

/// Writes a run per outcome; instead of an outcome there may be the error that has prevented one.
pub(super) fn write(outcomes: &[Result<&Outcome, &str>], out: &mut Out) -> Result<()> {
    let runs: Vec<Value> = outcomes.iter().map(run).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": runs,
    });
    out.line(serde_json::to_string_pretty(&log)?)
}

fn run(outcome: &Result<&Outcome, &str>) -> Value {
    let rules: Vec<Value> = KINDS
        .map(|kind| json!({ "id": kind.name(), "shortDescription": { "text": meaning(kind) }, "defaultConfiguration": { "level": "error" } }))
        .to_vec();
    let driver = json!({
        "name": "crumple",
        "version": env!("CARGO_PKG_VERSION"),
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": rules,
    });
    let problem = outcome.map_or_else(|error| Some(error.to_owned()), Outcome::incomplete);
    let mut invocation = json!({ "executionSuccessful": problem.is_none() });
    if let Some(sentence) = problem {
        invocation["toolExecutionNotifications"] = json!([{ "level": "error", "message": { "text": sentence } }]);
    }
    let results = outcome.map(results).unwrap_or_default();
    json!({ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "invocations": [invocation], "results": results })
}

fn results(outcome: &Outcome) -> Vec<Value> {
    let findings = outcome.findings();
    let keys: Vec<String> = findings.iter().map(|finding| key(outcome, finding)).collect();
    let of_finding = |(finding, key): (&Finding, &String)| {
        let earlier = findings.iter().zip(&keys).filter(|(other, of)| *of == key && other.first < finding.first);
        result(outcome, finding, key, earlier.count() + 1)
    };
    findings.iter().zip(&keys).map(of_finding).collect()
}

/// What a finding is recognised by, in words between slashes.
fn key(outcome: &Outcome, finding: &Finding) -> String {
    let Key { kind, a, b, animation, region } = Key::of(finding, &outcome.header);
    let word = |text: &str| text.replace('%', "%25").replace('/', "%2F").replace('#', "%23");
    let region = region.map(|region| format!("/{}", word(&region))).unwrap_or_default();
    format!("{}/{}/{}/{}{region}", kind.name(), word(&animation.unwrap_or_default()), word(&a), word(&b))
}

fn result(outcome: &Outcome, finding: &Finding, key: &str, episode: usize) -> Value {
    let rule = KINDS.iter().position(|&kind| kind == finding.kind).unwrap_or_default();
    let mut bodies = vec![finding.a];
    bodies.extend((finding.a != finding.b).then_some(finding.b));
    let location = |&body: &u32| {
        json!({
            "physicalLocation": { "artifactLocation": { "uri": uri(outcome.file(body)) } },
            "logicalLocations": [{ "name": outcome.name(body), "kind": "object" }],
        })
    };
    let numbers = finding.own_numbers();
    let mut properties = json!({
        "first": numbers.first,
        "last": numbers.last,
        "frames": finding.frames,
        "worstFrame": numbers.worst,
        "worstPairs": finding.worst.count,
        "pairs": finding.pairs,
    });
    if let Value::Object(properties) = &mut properties {
        properties.extend(finding.depth.map(|depth| ("depth".to_owned(), json!(depth))));
        properties.extend(finding.area.map(|area| ("area".to_owned(), json!(area))));
        properties.extend(finding.volume.map(|volume| ("volume".to_owned(), json!(volume))));
        properties.extend(finding.distance.map(|distance| ("distance".to_owned(), json!(distance))));
        properties.extend(finding.region.as_ref().map(|region| ("region".to_owned(), json!(region))));
        properties.extend(finding.animation.as_ref().map(|name| ("animation".to_owned(), json!(name))));
    }
    json!({
        "ruleId": finding.kind.name(),
        "ruleIndex": rule,
        "level": "error",
        "message": { "text": outcome.sentence(finding) },
        "locations": bodies.iter().map(location).collect::<Vec<_>>(),
        "partialFingerprints": { "crumple/key/v1": key, "crumple/id/v1": format!("{key}#{episode}") },
        "properties": properties,
    })
}

/// A path as the reference part of a URI.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'@' => {
                uri.push(char::from(byte))
            }
            other => uri += &format!("%{other:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn a_path_becomes_a_reference() {
        assert_eq!(uri("a b/ä#1.ply"), "a%20b/%C3%A4%231.ply");
        assert_eq!(uri("c\\d.glb"), "c/d.glb");
    }
}
