//! The commands in docs/book run as they are, and print what the pages say.

#![cfg(all(unix, feature = "code"))]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::run::contextfit;

/// A fenced block of a page.
struct Block<'p> {
    language: &'p str,
    text: &'p str,
}

/// The fenced blocks of `page`, in order.
fn blocks(page: &str) -> Vec<Block<'_>> {
    // Every second part is inside a fence.
    let inside = page.split("\n```").skip(1).step_by(2);
    inside
        .map(|block| block.split_once('\n').unwrap())
        .map(|(language, text)| Block { language, text })
        .collect()
}

/// Runs the shell blocks of the page in order, in one folder, and compares the output with the text block after each.
#[track_caller]
fn check(page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book").join(page);
    let text = fs::read_to_string(path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut ran = None;
    for Block { language, text } in blocks(&text) {
        match language {
            "sh" => ran = Some(run(folder.path(), text)),
            "text" => assert_eq!(ran.take().as_deref().map(str::trim_end), Some(text.trim_end()), "{page}"),
            // The facade runs these as documentation tests.
            "rust" => {}
            // `cargo xtask downstream` builds the program below with these dependencies.
            other => {
                assert_eq!((page, other), ("one-crate.md", "toml"), "nothing checks these blocks");
            }
        }
    }
}

/// Standard output of `script`, all of whose commands must succeed. `contextfit` is the binary under test.
fn run(folder: &Path, script: &str) -> String {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_contextfit"));
    let folders = env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect::<Vec<_>>();
    let search =
        env::join_paths([binary.parent().unwrap().to_path_buf()].into_iter().chain(folders)).unwrap();
    let mut shell = Command::new("sh");
    // The same isolation as for the binary itself.
    for (name, value) in contextfit().get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    let output = shell.args(["-e", "-c", script]).env("PATH", search).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    assert!(output.status.success(), "{script}\n{}", text(output.stderr));
    text(output.stdout)
}

#[test]
fn every_page_is_checked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book");
    let mut pages: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "README.md")
        .collect();
    pages.sort();
    assert_eq!(pages, PAGES);
    assert_eq!(blocks("a\n```sh\nls\n```\n\n```text\nb\n```\n").len(), 2);
}

const PAGES: [&str; 10] = [
    "chat.md",
    "choosing.md",
    "cookbook.md",
    "excerpt.md",
    "files.md",
    "measuring.md",
    "memory.md",
    "one-crate.md",
    "search.md",
    "troubleshooting.md",
];

#[test]
fn the_pages_of_the_book() {
    PAGES.into_iter().for_each(check);
}
