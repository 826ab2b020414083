//! `check --each`: a check per file, and one answer about all of them.

use crate::run::Folder;

/// A body that meets itself, one that does not, and one that cannot be read.
fn files() -> Folder {
    let folder = Folder::new();
    folder.fold("fold.ply");
    folder.cuboid("cube.ply", [0.0; 3], 1.0);
    std::fs::write(folder.path().join("bad.ply"), "ply\nnonsense").unwrap();
    folder
}

#[test]
fn there_is_a_line_per_file_in_their_order_and_the_worst_decides() {
    let folder = files();
    let good = folder.crumple(&["check", "--each", "fold.ply", "cube.ply", "--quiet"]);
    let lines: Vec<&str> = good.stdout.lines().collect();
    assert_eq!((good.code, lines.len()), (Some(1), 2), "{good:?}");
    assert!(lines[0].starts_with("fold.ply: 1 finding in 1 frame; fold × itself collide in frame 0"), "{lines:?}");
    assert_eq!(lines[1], "cube.ply: no findings in 1 frame");
    assert_eq!(folder.crumple(&["check", "--each", "cube.ply", "cube.ply", "--quiet"]).code, Some(0));
    let all = folder.crumple(&["check", "--each", "bad.ply", "fold.ply", "cube.ply", "--quiet"]);
    assert!(all.stdout.starts_with("bad.ply: error: bad.ply: ") && all.stdout.lines().count() == 3, "{all:?}");
    assert!(all.stderr.contains("error: 1 file could not be checked"), "{all:?}");
    assert_eq!(all.code, Some(2));
}

#[test]
fn every_format_has_the_files_apart() {
    let folder = files();
    let answer = |format: &str| {
        folder.crumple(&["check", "--each", "fold.ply", "bad.ply", "cube.ply", "--output-format", format]).stdout
    };
    let junit = answer("junit");
    let suites: Vec<&str> = junit.lines().filter(|line| line.starts_with("  <testsuite ")).collect();
    assert_eq!(suites.len(), 3);
    assert!(suites[0].contains("name=\"fold.ply\" tests=\"1\" failures=\"1\" errors=\"0\""), "{suites:?}");
    assert!(suites[1].contains("name=\"bad.ply\" tests=\"1\" failures=\"0\" errors=\"1\""), "{suites:?}");
    assert!(junit.contains("<testsuites name=\"crumple check\" tests=\"3\" failures=\"1\" errors=\"1\""), "{junit}");
    let sarif: serde_json::Value = serde_json::from_str(&answer("sarif")).unwrap();
    let runs = sarif["runs"].as_array().unwrap();
    let successful: Vec<_> =
        runs.iter().map(|run| run["invocations"][0]["executionSuccessful"].as_bool().unwrap()).collect();
    assert_eq!(successful, [true, false, true]);
    assert_eq!(runs[0]["results"].as_array().unwrap().len(), 1);
    let csv = answer("csv");
    let cells: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(cells, [29; 3], "{csv}");
    assert!(csv.lines().nth(1).unwrap().ends_with(",fold.ply"), "{csv}");
    let json = answer("json");
    let files: Vec<serde_json::Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(files[0]["summary"]["findings"].as_array().unwrap().len(), 1);
    assert!(files[1]["error"].is_string() && files[2]["summary"]["frames"] == 1, "{json}");
    assert!(answer("github").contains("::error file=bad.ply,title=crumple::"));
}

#[test]
fn a_page_links_the_pages_of_all_files() {
    let folder = files();
    let ended =
        folder.crumple(&["check", "--each", "fold.ply", "bad.ply", "cube.ply", "--html", "report.html", "--quiet"]);
    assert_eq!(ended.code, Some(2));
    let index = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(index.contains("<a href=\"./report-fold.html\">fold.ply</a>"), "{index}");
    assert!(index.contains("3 files checked, 2 with findings"), "{index}");
    for (page, is_there) in [("report-fold.html", true), ("report-bad.html", false), ("report-cube.html", true)] {
        assert_eq!(folder.path().join(page).exists(), is_there, "{page}");
    }
    let refused = folder.crumple(&["check", "--each", "fold.ply", "--csv", "pairs.csv"]);
    refused.refused("--csv is about one check, and --each makes one per file", Some("leave one of the two out"));
}
