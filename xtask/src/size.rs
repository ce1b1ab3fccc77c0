//! `cargo xtask size`: what the binary of a release consists of. Needs `nm` and `size` of binutils, on Linux.

use std::{collections::BTreeMap, ffi::OsStr, fs, path::Path, process::Command};

use cargo_metadata::Message;

use crate::{
    binary::reports,
    program::Program,
    say::{self, Result},
    workspace,
};

/// The data files that are part of the binary.
const TABLES: [&str; 4] = [
    "crates/contextfit-outline/data/vectors.bin",
    "crates/contextfit-text/vocabulary/cl100k_base.bin",
    "crates/contextfit-text/vocabulary/classes.bin",
    "crates/contextfit-text/vocabulary/o200k_base.bin",
];

/// The sections that only unwind a panic, and those that only relocate.
const UNWINDING: [&str; 3] = [".eh_frame", ".eh_frame_hdr", ".gcc_except_table"];
const RELOCATION: [&str; 3] = [".rela.dyn", ".data.rel.ro", ".got"];

/// The number of crates with a line.
const CRATES: usize = 25;

/// Builds the binary as for a release, but with its symbols, and prints the bytes of its parts.
///
/// # Errors
/// If the build fails or binutils are missing.
pub(crate) fn run() -> Result {
    let root = workspace::root();
    // The setting of the profile does not reach a package with settings of its own.
    let cargo = Program::cargo("build --profile dist --package contextfit-cli --config")
        .arg("profile.dist.package.contextfit-cli.strip=\"none\"");
    let (mut binary, mut grammars) = (None, Vec::new());
    for message in reports(cargo, &root)? {
        match message {
            Message::CompilerArtifact(artifact) => binary = artifact.executable.or(binary),
            Message::BuildScriptExecuted(script) => grammars.extend(grammar(script.out_dir.as_std_path())?),
            _ => {}
        }
    }
    let binary = binary.ok_or("cargo reported no binary")?.into_std_path_buf();
    let sections = sections(&binary)?;
    let of = |names: &[&str]| names.iter().filter_map(|name| sections.get(*name)).sum::<usize>();
    print("everything but symbols", sections.values().sum());
    let tables = TABLES.map(|path| (path, fs::metadata(root.join(path)).map_or(0, |found| found.len())));
    print("grammars of languages", grammars.iter().map(|(_, bytes)| bytes).sum());
    print("tables", tables.iter().filter_map(|(_, bytes)| usize::try_from(*bytes).ok()).sum());
    print("code", of(&[".text"]));
    print("unwinding of panics", of(&UNWINDING));
    print("relocations and what they change", of(&RELOCATION));
    heading("grammars, and tree-sitter itself");
    grammars.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    grammars.iter().for_each(|(name, bytes)| print(name, *bytes));
    heading("tables");
    tables.iter().for_each(|(path, bytes)| print(path, usize::try_from(*bytes).unwrap_or_default()));
    heading("code by crate, as far as symbols say");
    let mut crates: Vec<(String, usize)> = code(&binary)?.into_iter().collect();
    crates.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    crates.iter().take(CRATES).for_each(|(name, bytes)| print(name, *bytes));
    Ok(())
}

fn print(what: &str, bytes: usize) {
    say::result(&format!("{:>9.1} kB  {what}", crate::figures::float(bytes) / 1000.0));
}

fn heading(text: &str) {
    say::result(&format!("\n{text}"));
}

/// The output of a program of binutils.
fn binutils(program: &str, arguments: &[&OsStr]) -> Result<String> {
    let output = Command::new(program).args(arguments).output();
    let output = output.map_err(|error| format!("cannot run {program}, which binutils have: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8(output.stdout)?)
    } else {
        Err(format!("{program} failed").into())
    }
}

/// The name and size of the grammar that a build script left in `folder`.
fn grammar(folder: &Path) -> Result<Option<(String, usize)>> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(None) };
    for entry in entries {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension() == Some(OsStr::new("a")) && name.contains("tree-sitter") {
            let sizes = binutils("size", &["--totals".as_ref(), path.as_os_str()])?;
            let total = sizes.lines().last().and_then(|line| line.split_whitespace().nth(3)?.parse().ok());
            return Ok(total.map(|bytes| (name.trim_start_matches("lib").to_owned(), bytes)));
        }
    }
    Ok(None)
}

/// The bytes of each section that is loaded.
fn sections(binary: &Path) -> Result<BTreeMap<String, usize>> {
    let listed = binutils("size", &["-A".as_ref(), "-d".as_ref(), binary.as_os_str()])?;
    let section = |line: &str| {
        let mut columns = line.split_whitespace();
        let (name, bytes) = (columns.next()?, columns.next()?.parse().ok()?);
        (name.starts_with('.') && name != ".bss" && name != ".comment").then(|| (name.to_owned(), bytes))
    };
    Ok(listed.lines().filter_map(section).collect())
}

/// The bytes of the functions of each crate; those of generic ones count for the crate that is named first and is not of
/// Rust itself.
fn code(binary: &Path) -> Result<BTreeMap<String, usize>> {
    let listed = binutils("nm", &["--print-size".as_ref(), "--demangle".as_ref(), binary.as_os_str()])?;
    let mut crates = BTreeMap::new();
    for line in listed.lines() {
        let mut columns = line.splitn(4, ' ').skip(1);
        let (Some(bytes), Some("t" | "T"), Some(name)) = (columns.next(), columns.next(), columns.next())
        else {
            continue;
        };
        let bytes = usize::from_str_radix(bytes, 16).unwrap_or_default();
        *crates.entry(crate_of(name)).or_default() += bytes;
    }
    Ok(crates)
}

/// The crate of a function, by its name.
fn crate_of(name: &str) -> String {
    let ours = |path: &str| {
        path.chars().next().is_some_and(|c| c.is_ascii_lowercase())
            && !["core", "alloc", "std", "hashbrown", "dyn", "mut", "const"].contains(&path)
    };
    let words = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != ':';
    let paths = name.split(words).filter_map(|word| word.split_once("::").map(|(first, _)| first));
    let first = paths.clone().find(|first| ours(first));
    match first {
        Some(first) => first.to_owned(),
        None if name.contains("::") => "Rust's own libraries".to_owned(),
        None => "C".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_belong_to_crates() {
        for (name, expect) in [
            ("redb::tree_store::insert", "redb"),
            ("<alloc::vec::Vec<serde_json::Value> as core::clone::Clone>::clone", "serde_json"),
            ("core::ptr::drop_in_place<alloc::string::String>", "Rust's own libraries"),
            ("ts_lex", "C"),
        ] {
            assert_eq!(crate_of(name), expect, "{name}");
        }
    }
}
