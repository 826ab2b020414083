//! `cargo xtask peers`: crumple beside parry3d and Embree in one run.
//!
//! Embree is C++: a small library of ours around it is built where a compiler and Debian's `libembree-dev` are, and said
//! to be missing where they are not. None of this is part of `cargo xtask test`.

use anyhow::{Context, Result};

use crate::step::Call;
use crate::{results, root};

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let target = root().join("target").join("peers");
    std::fs::create_dir_all(&target).with_context(|| target.display().to_string())?;
    let library = target.join("libembree_peer.so");
    let build = Call::new("g++ -O3 -std=c++17 -shared -fPIC peers/pairs/embree.cpp -lembree3 -o")
        .with_word(library.to_string_lossy());
    let mut call = Call::new("cargo run --release --manifest-path peers/pairs/Cargo.toml --target-dir")
        .with_word(target.to_string_lossy())
        .with_words("-- --machine")
        .with_word(results::machine())
        .with_word("--commit")
        .with_word(results::commit()?);
    if build.works() {
        call = call.with_word("--embree").with_word(library.to_string_lossy());
    } else {
        eprintln!("Embree is missing: `apt-get install g++ libembree-dev` brings it; going on without it");
    }
    for word in words {
        call = call.with_word(*word);
    }
    call.run()
}
