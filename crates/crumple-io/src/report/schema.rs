//! The JSON Schema of reports, generated from the records: `docs/report.schema.json`.

use std::path::Path;

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::{Record, SCHEMA};

/// The schema of one line of a report.
fn schema() -> Value {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Record>().to_value();
    schema["title"] = json!(format!("a record of {SCHEMA}"));
    // Readers step over what they do not know, so nothing forbids other fields.
    schema["description"] = json!("`--json` prints one record per line; new fields may appear at any time.");
    schema
}

#[test]
fn the_published_schema_is_that_of_the_records() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/report.schema.json");
    let generated = format!("{}\n", serde_json::to_string_pretty(&schema()).unwrap());
    if std::env::var_os("CRUMPLE_WRITE_SCHEMA").is_some() {
        std::fs::write(&file, &generated).unwrap();
    }
    let published = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        published == generated,
        "docs/report.schema.json is not what the records say: write it with \
         CRUMPLE_WRITE_SCHEMA=1 cargo test -p crumple-io --lib schema"
    );
}
