//! `cargo xtask downstream`: an application outside the workspace, made from the packaged crates alone.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{Result, command::Program, say, workspace};

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
    run_in(&root, &Program::cargo("package --workspace --exclude xtask --no-verify --allow-dirty"))?;
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
        run_in(&packages, &Program::new("tar", ["-xzf", &archive]))?;
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
        run_in(&folder, &target(Program::cargo("run --quiet --bin").arg(example), &folder))?;
    }
    say::line(&format!("{} programs ran from {}", EXAMPLES.len(), folder.display()));
    Ok(())
}

/// `program` with a target folder of its own: the build must not find anything of the workspace.
fn target(program: Program, folder: &Path) -> Program {
    let target: PathBuf = folder.join("target");
    program.env("CARGO_TARGET_DIR", &target.display().to_string())
}

fn run_in(folder: &Path, program: &Program) -> Result {
    say::line(&format!("\n==> {}", program.line()));
    let status = program.status(folder)?;
    if status.success() { Ok(()) } else { Err(format!("`{}`: {status}", program.line()).into()) }
}
