//! The whole of what `check` and `info` print, for people and for scripts, with the times taken out.

use crate::run::{Folder, redacted, redacted_records};

/// A ball that falls through a sheet, comes to lie in a box, and goes through its wall.
fn story() -> Folder {
    let folder = Folder::new();
    folder.cuboid("ball.ply", [0.0, 0.0, 0.0], 0.5);
    folder.cuboid("box.ply", [0.0, 0.0, -4.0], 2.0);
    std::fs::write(folder.path().join("sheet.obj"), "v -3 -3 0.1\nv 3 -3 0.1\nv 3 3 0.1\nv -3 3 0.1\nf 1 2 3 4\n")
        .unwrap();
    folder.moving_cuboid("ball.pc2", 0.5, &[[0.0, 0.0, 2.0], [0.0, 0.0, 0.3], [0.0, 0.0, -4.0], [1.9, 0.0, -4.0]]);
    folder
}

const FILES: [&str; 4] = ["check", "ball.ply@ball.pc2", "box.ply", "sheet.obj"];

#[test]
fn what_people_read() {
    let folder = story();
    let ended = folder.crumple(&[&FILES[..], &["--containment", "--threads", "1"]].concat());
    assert_eq!(ended.code, Some(1));
    assert_eq!(
        redacted(&ended.stdout),
        "\
bodies frames in contact worst frame its pairs all pairs
ball × box 3 (1 of 4) 3 12 12
ball × sheet 1 (1 of 4) 1 12 12
ball inside box 2 (1 of 4)"
    );
    assert_eq!(
        redacted(&ended.stderr),
        "4 frames of 3 bodies by wide-tree, # per frame\n\
         3 pairs of bodies checked; bodies were not checked against themselves: --self\n\
         nothing can be inside sheet: an open surface has no inside"
    );
    let listed = folder.crumple(&[&FILES[..], &["--pairs", "--max-pairs", "2", "--frames", "1", "--quiet"]].concat());
    assert_eq!(
        redacted(&listed.stdout),
        "\
frame 1: ball 4 × sheet 0
frame 1: ball 5 × sheet 0
frame 1: ball × sheet: 10 more
ball × sheet: 12 pairs in frame 1 (#)"
    );
    assert_eq!(listed.stderr, "");
}

#[test]
fn what_scripts_read() {
    let ended = story().crumple(&[&FILES[..], &["--containment", "--json", "--pairs", "--max-pairs", "1"]].concat());
    assert_eq!((ended.code, &*ended.stderr), (Some(1), ""));
    assert_eq!(
        redacted_records(&ended.stdout),
        r##"{"schema":"crumple.report/1","method":"wide-tree","bodies":[{"id":0,"name":"ball","triangles":12,"vertices":8,"closed":true},{"id":1,"name":"box","triangles":12,"vertices":8,"closed":true},{"id":2,"name":"sheet","triangles":2,"vertices":4,"closed":false,"face_of_triangle":[0,0]}],"frames":4}
{"frame":0,"contacts":[],"update_us":#,"query_us":#}
{"frame":1,"contacts":[{"a":0,"b":2,"count":12,"pairs":[[4,0]]}],"update_us":#,"query_us":#}
{"frame":2,"contacts":[],"contained":[{"inner":0,"outer":1}],"update_us":#,"query_us":#}
{"frame":3,"contacts":[{"a":0,"b":1,"count":12,"pairs":[[0,10]]}],"update_us":#,"query_us":#}
{"summary":{"frames":4,"frames_in_contact":2,"first":1,"last":3,"worst":{"frame":1,"count":12},"pairs":24,"frames_with_containment":1,"tested":{"body_pairs":3,"self":0},"findings":[{"kind":"inside","a":0,"b":1,"first":2,"last":2,"frames":1,"worst":{"frame":2,"count":0},"pairs":0,"most_pairs":0},{"kind":"contact","a":0,"b":2,"first":1,"last":1,"frames":1,"worst":{"frame":1,"count":12},"pairs":12,"most_pairs":12},{"kind":"contact","a":0,"b":1,"first":3,"last":3,"frames":1,"worst":{"frame":3,"count":12},"pairs":12,"most_pairs":12}]}}"##
    );
}

#[test]
fn nothing_to_tell_is_told_in_one_line() {
    let ended = story().crumple(&[&FILES[..], &["--frames", "0"]].concat());
    assert_eq!((ended.code, &*ended.stdout), (Some(0), "nothing collides in 1 frame\n"));
}
