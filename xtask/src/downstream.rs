//! `cargo xtask downstream`: an application outside the workspace, made from the packaged crates alone.

use std::fs;

use crate::{
    checks,
    program::Program,
    say::{self, Result},
    workspace,
};

/// Examples of the facade that are the programs of the application.
const EXAMPLES: [&str; 4] = ["quickstart", "custom_strategy", "custom_compressor", "memories"];

/// What the examples need of other crates, in the form of a manifest.
const DEPENDENCIES: &str = r#"async-trait = "0.1"
contextfit = "0.1"
serde_json = "1"
tokio = { version = "1", features = ["macros", "rt"] }
"#;

/// Packages every crate, unpacks the packages, and runs the examples in a crate that depends on those.
///
/// # Errors
/// If a crate cannot be packaged, or an example does not compile or run.
pub(crate) fn run() -> Result {
    let root = workspace::root();
    let workspace = workspace::load(&root)?;
    Program::cargo(checks::PACKAGE).run(&root)?;
    let folder = workspace.target.join("downstream");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let packages = folder.join("packages");
    fs::create_dir_all(&packages)?;
    let mut manifest = format!(
        "[package]\nname = \"downstream\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         {DEPENDENCIES}\n[patch.crates-io]\n"
    );
    for package in workspace.members.iter().filter(|package| package.name.starts_with("contextfit")) {
        let name = format!("{}-{}", package.name, package.version);
        let archive = workspace.target.join("package").join(format!("{name}.crate"));
        let archive = archive.display().to_string();
        Program::new("tar", ["-xzf", &archive]).run(&packages)?;
        manifest += &format!("{} = {{ path = \"packages/{name}\" }}\n", package.name);
    }
    fs::write(folder.join("Cargo.toml"), manifest)?;
    let programs = folder.join("src/bin");
    fs::create_dir_all(&programs)?;
    for example in EXAMPLES {
        let source = root.join(format!("crates/contextfit/examples/{example}.rs"));
        fs::copy(source, programs.join(format!("{example}.rs")))?;
    }
    // Its own lock file, from what this machine has already.
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    for example in EXAMPLES {
        // The build must not find anything of the workspace.
        let target = folder.join("target").display().to_string();
        let program = Program::cargo("run --quiet --bin").arg(example);
        program.env("CARGO_TARGET_DIR", &target).run(&folder)?;
    }
    say::line(&format!("{} programs ran from {}", EXAMPLES.len(), folder.display()));
    Ok(())
}
