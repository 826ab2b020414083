//! `demo`, in a few frames.

use crumple_methods::Method;

use crate::run::{Folder, redacted};

#[test]
fn the_demo_compares_all_methods_and_writes_a_plot_and_a_page() {
    let folder = Folder::new();
    let ended = folder.crumple(&["demo", "--frames", "60..62"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    let text = redacted(&ended.stdout);
    for method in Method::all().iter().filter(|method| **method != Method::BruteForce) {
        assert!(text.contains(&format!("\n{method} # # # # # # #\n")), "{method} is not in\n{text}");
    }
    for words in [
        "Two bumpy spheres of 20,480 triangles deform and move into each other",
        "LE1: all pairs, 2 frames, first contact in frame 60, ",
        "\nfloor # # # # # # #\n",
        "\nTheir volumes overlap from frame 60 on, most in frame 61: by ",
        "All methods found the same pairs in every frame; brute-force agrees in frame 60, 61.",
        "crumple-demo.html shows the spheres in motion, with what collides in red: open it in a browser.",
        "crumple-blocks.html plays a soft block that falls on another, pushed back by the gradient of their exact overlap",
        "crumple-demo.svg shows the time of every frame.",
        "crumple check spheres/sphere-a.ply@spheres/sphere-a.pc2 spheres/sphere-b.ply@spheres/sphere-b.pc2 --html",
    ] {
        assert!(text.contains(words), "{words}\nis not in\n{text}");
    }
    let svg = std::fs::read_to_string(folder.path().join("crumple-demo.svg")).unwrap();
    assert!(svg.contains("hybrid-tree") && svg.contains("milliseconds per frame"));
    let page = std::fs::read_to_string(folder.path().join("crumple-demo.html")).unwrap();
    assert!(page.contains("Triangles meet in 2 of 2 frames: first in frame 60, last in frame 61."));
    let blocks = std::fs::read_to_string(folder.path().join("crumple-blocks.html")).unwrap();
    assert!(blocks.contains("<title>A soft block comes to rest on another</title>") && blocks.len() < 3_000_000);
    assert!(page.contains("<title>Two bumpy spheres collide</title>") && page.contains("hybrid-tree"));
}

#[test]
fn the_live_page_is_one_file_and_the_only_one() {
    let folder = Folder::new();
    let ended = folder.crumple(&["demo", "--live"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    assert!(ended.stdout.starts_with("crumple-live.html simulates a cloth and soft balls: open it in a browser"));
    let page = std::fs::read_to_string(folder.path().join("crumple-live.html")).unwrap();
    assert!(page.contains("<title>crumple playground</title>") && page.contains("Content-Security-Policy"));
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"), "nothing is fetched");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(folder.crumple(&["demo", "--live", "--frames", "1"]).code, Some(2));
}

#[cfg(unix)]
#[test]
fn a_plot_or_page_that_cannot_be_written_is_named() {
    for name in ["crumple-demo.svg", "crumple-demo.html", "crumple-blocks.html"] {
        let folder = Folder::new();
        std::fs::create_dir(folder.path().join(name)).unwrap();
        let ended = folder.crumple(&["demo"]);
        assert_eq!((ended.code, ended.stderr.lines().count()), (Some(2), 1));
        assert!(ended.stderr.starts_with(&format!("error: {name}: cannot be written: ")), "{}", ended.stderr);
    }
}
