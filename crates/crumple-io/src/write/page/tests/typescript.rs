//! The TypeScript types of what a page says about itself, made from the records: `viewer/src/data/records.ts`.

use std::path::Path;

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::super::Head;

/// All interfaces and enumerations, in alphabetical order.
fn types() -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut root = settings.into_generator().into_root_schema_for::<Head>().to_value();
    let mut types: Map<String, Value> = root["$defs"].take().as_object().cloned().unwrap_or_default();
    types.insert("Head".to_owned(), root);
    let mut text =
        "// Made from the records of crumple-io; see crates/crumple-io/src/write/page/tests/typescript.rs.\n"
            .to_owned();
    for (name, schema) in &types {
        text += &format!("\n{}", comment(schema, ""));
        let Some(fields) = schema["properties"].as_object() else {
            text += &format!("export type {name} = {};\n", alternatives(schema).join(" | "));
            continue;
        };
        text += &format!("export interface {name} {{\n");
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (field, schema) in fields {
            let is_required = required.contains(&Value::from(field.as_str()));
            // What is not there is left out, not null.
            let kinds = alternatives(schema).into_iter().filter(|kind| is_required || kind != "null");
            let (mark, kinds) = (if is_required { "" } else { "?" }, kinds.collect::<Vec<_>>().join(" | "));
            text += &format!("{}  {field}{mark}: {kinds};\n", comment(schema, "  "));
        }
        text += "}\n";
    }
    text
}

/// What a value may be.
fn alternatives(schema: &Value) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        return vec![name.trim_start_matches("#/$defs/").to_owned()];
    }
    if let Some(all) = [&schema["anyOf"], &schema["oneOf"]].into_iter().find_map(Value::as_array) {
        return all.iter().flat_map(alternatives).collect();
    }
    if let Some(word) = schema["const"].as_str() {
        return vec![format!("'{word}'")];
    }
    let kinds = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
    let kind = |kind: &Value| match kind.as_str() {
        Some("integer" | "number") => "number".to_owned(),
        Some("array") => array(schema),
        Some(plain @ ("string" | "boolean" | "null")) => plain.to_owned(),
        other => panic!("TypeScript for {other:?} in {schema}"),
    };
    kinds.iter().map(kind).collect()
}

fn array(schema: &Value) -> String {
    let item = alternatives(&schema["items"]).join(" | ");
    match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
        (Some(least), Some(most)) if least == most => format!("[{}]", vec![item; least as usize].join(", ")),
        _ if item.contains('|') => format!("({item})[]"),
        _ => format!("{item}[]"),
    }
}

fn comment(schema: &Value, indent: &str) -> String {
    let Some(text) = schema["description"].as_str() else { return String::new() };
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("{indent}/** {} */\n", words.join(" ").replace("[`", "`").replace("`]", "`"))
}

#[test]
fn the_types_of_the_viewer_are_those_of_the_records() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../viewer/src/data/records.ts");
    let made = types();
    if std::env::var_os("CRUMPLE_WRITE_SCHEMA").is_some() {
        std::fs::write(&file, &made).unwrap();
    }
    let there = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        there == made,
        "viewer/src/data/records.ts is not what the records say: write it with \
         CRUMPLE_WRITE_SCHEMA=1 cargo test -p crumple-io --lib records"
    );
}
