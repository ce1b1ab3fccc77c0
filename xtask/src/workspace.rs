//! The workspace as `cargo metadata` describes it, reduced to what the commands need.

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};
use ignore::{Walk, WalkBuilder};

use crate::say::Result;

/// The packages of the workspace.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workspace {
    /// The workspace's packages, by name.
    pub members: Vec<Package>,
    /// The folder of what is built.
    pub target: PathBuf,
}

/// One package.
#[derive(Debug, Clone, Default)]
pub(crate) struct Package {
    pub name: String,
    pub version: String,
    /// Its manifest, relative to the root of the workspace.
    pub manifest: String,
    pub dependencies: Vec<Dependency>,
    /// What each feature enables, as in the manifest.
    pub features: BTreeMap<String, Vec<String>>,
    /// Whether it has a library.
    pub has_library: bool,
}

/// A dependency as a manifest names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub name: String,
    pub kind: Kind,
}

/// The purpose of a dependency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The crate itself or its build script.
    Normal,
    /// Tests, examples and benchmarks.
    Dev,
}

/// The root of the workspace that cargo runs in, since checkouts may share a build.
pub(crate) fn root() -> PathBuf {
    let xtask =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    xtask.parent().unwrap_or(&xtask).into()
}

/// Loads the workspace from cargo.
///
/// # Errors
/// If `cargo metadata` fails.
pub(crate) fn load(root: &Path) -> Result<Workspace> {
    let mut command = MetadataCommand::new();
    command.manifest_path(root.join("Cargo.toml")).no_deps();
    Ok(reduce(&command.exec()?, root))
}

fn reduce(metadata: &Metadata, root: &Path) -> Workspace {
    let mut members: Vec<_> = metadata.packages.iter().map(|package| reduce_package(package, root)).collect();
    members.sort_by(|a, b| a.name.cmp(&b.name));
    Workspace { members, target: metadata.target_directory.clone().into_std_path_buf() }
}

fn reduce_package(package: &cargo_metadata::Package, root: &Path) -> Package {
    let manifest = package.manifest_path.as_std_path();
    let dependencies = package.dependencies.iter().map(|dependency| Dependency {
        name: dependency.name.clone(),
        kind: match dependency.kind {
            DependencyKind::Development => Kind::Dev,
            _ => Kind::Normal,
        },
    });
    Package {
        name: package.name.to_string(),
        version: package.version.to_string(),
        manifest: slashes(manifest.strip_prefix(root).unwrap_or(manifest)),
        dependencies: dependencies.collect(),
        features: package.features.clone().into_iter().collect(),
        has_library: package.targets.iter().any(|t| t.is_lib() || t.is_proc_macro()),
    }
}

/// What is below `root` and not ignored, in order: files, folders and links. Dot folders hold workflows and templates,
/// which belong to the project too.
pub(crate) fn files(root: &Path) -> Walk {
    WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        .filter_entry(|entry| entry.file_name() != ".git" && entry.file_name() != "target")
        .sort_by_file_path(Ord::cmp)
        .build()
}

/// The path with `/` on every system.
pub(crate) fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
