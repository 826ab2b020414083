//! Lets plain `cargo build` link the module on macOS, as maturin does: what the interpreter has is looked up when it is loaded.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
