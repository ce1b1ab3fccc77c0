//! `cargo xtask downstream`: applications outside the workspace, made from the packaged crates alone.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use crate::{
    checks,
    program::Program,
    say::{self, Result},
    workspace,
};

/// Examples of the facade that are programs of one application.
const EXAMPLES: [&str; 4] = ["quickstart", "custom_strategy", "custom_compressor", "memories"];

/// What the examples need, in the form of a manifest.
const DEPENDENCIES: &str = r#"async-trait = "0.1"
contextfit = "0.1"
serde_json = "1"
tokio = { version = "1", features = ["macros", "rt"] }
"#;

/// The page with programs that use single crates: under each heading, the dependencies and the program.
const PAGE: &str = "docs/book/one-crate.md";

/// An application: its dependencies and its programs, each with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Application {
    name: String,
    dependencies: String,
    programs: Vec<(String, String)>,
}

/// Packages every crate, unpacks the packages, and runs applications that depend on those: the facade with its examples,
/// and the programs of the page about single crates. Says for each how many crates of others it is built from, and how
/// long that took.
///
/// # Errors
/// If a crate cannot be packaged, or a program does not compile or run.
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
    let mut patch = "[patch.crates-io]\n".to_owned();
    for package in workspace.members.iter().filter(|package| package.name.starts_with("contextfit")) {
        let name = format!("{}-{}", package.name, package.version);
        let archive = workspace.target.join("package").join(format!("{name}.crate"));
        let archive = archive.display().to_string();
        Program::new("tar", ["-xzf", &archive]).run(&packages)?;
        patch += &format!("{} = {{ path = \"../packages/{name}\" }}\n", package.name);
    }
    let mut applications = single_crates(&fs::read_to_string(root.join(PAGE))?);
    let source = |name: &str| fs::read_to_string(root.join(format!("crates/contextfit/examples/{name}.rs")));
    let programs = EXAMPLES.iter().map(|name| Ok(((*name).to_owned(), source(name)?)));
    applications.push(Application {
        name: "facade".into(),
        dependencies: DEPENDENCIES.into(),
        programs: programs.collect::<Result<_>>()?,
    });
    let mut built = Vec::new();
    for application in &applications {
        let place = folder.join(&application.name);
        write(application, &patch, &place)?;
        // Its own lock file, from what this machine has already.
        fs::copy(root.join("Cargo.lock"), place.join("Cargo.lock"))?;
        // The build must not find anything of the workspace.
        let target = place.join("target").display().to_string();
        let cargo = |line: &str| Program::cargo(line).env("CARGO_TARGET_DIR", &target);
        let start = Instant::now();
        cargo("build").run(&place)?;
        let seconds = start.elapsed().as_secs();
        for (name, _) in &application.programs {
            cargo("run --quiet --bin").arg(name).run(&place)?;
        }
        let tree = Program::cargo("tree --edges normal --prefix none --format {p}").output(&place)?;
        let others = others(&tree, &application.name);
        built.push(format!("{}: {others} crates of others, built in {seconds} s", application.name));
    }
    say::result(&built.join("\n"));
    Ok(())
}

/// The applications on `page`, named by their headings.
fn single_crates(page: &str) -> Vec<Application> {
    let mut applications = Vec::new();
    let (mut name, mut dependencies) = (String::new(), String::new());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let mut block = || lines.by_ref().take_while(|line| *line != "```").fold(String::new(), join);
        match line {
            "```toml" => dependencies = block(),
            "```rust" => {
                let programs = vec![(name.clone(), block())];
                applications.push(Application {
                    name: name.clone(),
                    dependencies: dependencies.clone(),
                    programs,
                });
            }
            _ => {
                if let Some(heading) = line.strip_prefix("## ") {
                    name = heading.to_lowercase().replace(' ', "-");
                }
            }
        }
    }
    applications
}

fn join(text: String, line: &str) -> String {
    text + line + "\n"
}

fn write(application: &Application, patch: &str, place: &Path) -> Result {
    let Application { name, dependencies, programs } = application;
    let bin: PathBuf = place.join("src/bin");
    fs::create_dir_all(&bin)?;
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         {dependencies}\n{patch}"
    );
    fs::write(place.join("Cargo.toml"), manifest)?;
    for (name, source) in programs {
        fs::write(bin.join(format!("{name}.rs")), source)?;
    }
    Ok(())
}

/// The number of crates in `tree` that are neither the application nor ours.
fn others(tree: &str, application: &str) -> usize {
    let names = tree.lines().filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != application && !name.starts_with("contextfit"))
        .collect::<BTreeSet<_>>()
        .len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_read_from_a_page() {
        let page =
            "# A\n\n## Two Words\n\ntext\n\n```toml\na = \"1\"\n```\n\n```rust\nfn main() {}\n```\n## Last\n";
        let expect = Application {
            name: "two-words".into(),
            dependencies: "a = \"1\"\n".into(),
            programs: vec![("two-words".into(), "fn main() {}\n".into())],
        };
        assert_eq!(single_crates(page), [expect]);
    }

    #[test]
    fn the_page_has_programs() {
        let page = fs::read_to_string(workspace::root().join(PAGE)).unwrap();
        let applications = single_crates(&page);
        let names: Vec<&str> = applications.iter().map(|one| one.name.as_str()).collect();
        let expect =
            ["sentences-of-passages", "files-cut-to-a-length", "an-executor-that-takes-any-compressor"];
        assert_eq!(names, expect);
        assert!(applications.iter().all(|one| one.dependencies.contains("contextfit-pipeline")));
    }

    #[test]
    fn crates_of_others_are_counted_once() {
        let tree = "app v0.0.0\ncontextfit-text v0.1.0\nserde v1.0.0\nserde v1.0.0 (*)\nserde_derive v1.0.0 (proc-macro)\n";
        assert_eq!(others(tree, "app"), 2);
    }
}
