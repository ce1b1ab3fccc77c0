//! The examples run, and docs/rust.md shows one of them.

#[path = "../../examples/custom_compressor.rs"]
mod custom_compressor;
#[path = "../../examples/custom_strategy.rs"]
mod custom_strategy;
#[path = "../../examples/memories.rs"]
mod memories;
#[path = "../../examples/quickstart.rs"]
mod quickstart;

#[test]
fn they_run() {
    quickstart::main().unwrap();
    custom_strategy::main().unwrap();
    custom_compressor::main().unwrap();
    memories::main().unwrap();
}

/// The Rust block of docs/rust.md is the body of `quickstart`, line by line.
#[test]
fn the_page_shows_the_quickstart() {
    let root = env!("CARGO_MANIFEST_DIR");
    let read = |path: &str| std::fs::read_to_string(format!("{root}/{path}")).unwrap();
    let (page, example) = (read("../../docs/rust.md"), read("examples/quickstart.rs"));
    let (_, rest) = page.split_once("```rust\n").unwrap();
    let (block, _) = rest.split_once("```").unwrap();
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let example = flat(&example);
    let (imports, body) = block.split_once("\n\n").unwrap();
    assert!(example.contains(&flat(imports)) && example.contains(&flat(body)), "{block}");
}
