//! `cargo xtask check`: everything about some crates, for the time between two runs of `ci`.

use strsim::damerau_levenshtein;

use crate::{
    Result,
    step::{self, Action, Scope, Step},
    tidy, workspace,
    workspace::{Package, Workspace},
};

/// At most this many names are suggested.
const SUGGESTIONS: usize = 3;

/// The arguments of `check`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The crate to check; may be repeated
    #[arg(short, long = "package", value_name = "CRATE")]
    packages: Vec<String>,
}

/// Runs the checks of the crates, then the project's rules.
///
/// # Errors
/// The first failure, or a name that no crate has.
pub(crate) fn run(args: &Args) -> Result {
    let root = workspace::root();
    let workspace = workspace::load(&root)?;
    let mut steps = Scope::Packages(chosen(&workspace, &args.packages)?).steps(&root);
    steps.push(Step { name: "tidy", action: Action::Ours("cargo xtask tidy", tidy::run) });
    step::run(steps, &root)
}

/// The crates called `names`.
fn chosen<'w>(workspace: &'w Workspace, names: &[String]) -> Result<Vec<&'w Package>> {
    if names.is_empty() {
        return Err(
            "expected a crate: `cargo xtask check -p CRATE`, or `cargo xtask ci` for all of them".into()
        );
    }
    let named = |name: &String| {
        let found = workspace.members.iter().find(|package| package.name == *name);
        found.ok_or_else(|| {
            let names = workspace.members.iter().map(|package| package.name.as_str());
            unknown("crate", name, names).into()
        })
    };
    names.iter().map(named).collect()
}

/// That no `what` is called `name`, and the nearest names: first those that contain it, then those with the fewest
/// differences, with the prefix that most crates share or without.
pub(crate) fn unknown<'k>(what: &str, name: &str, known: impl Iterator<Item = &'k str>) -> String {
    let distance = |of: &str| {
        let short = of.strip_prefix("contextfit-").unwrap_or(of);
        (!short.contains(name), damerau_levenshtein(of, name).min(damerau_levenshtein(short, name)))
    };
    let mut names: Vec<&str> = known.collect();
    names.sort_by_key(|of| distance(of));
    names.truncate(SUGGESTIONS);
    format!("no {what} is called `{name}`; the nearest names are {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace() -> Workspace {
        let names = ["contextfit", "contextfit-bm25", "contextfit-pipeline", "contextfit-text", "xtask"];
        let package = |name: &str| Package { name: name.into(), ..Package::default() };
        Workspace { members: names.into_iter().map(package).collect(), ..Workspace::default() }
    }

    #[track_caller]
    fn check(names: &[&str], expect: std::result::Result<&[&str], &str>) {
        let workspace = workspace();
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let found = chosen(&workspace, &names).map_err(|error| error.to_string());
        let found = found.map(|found| found.iter().map(|package| package.name.as_str()).collect::<Vec<_>>());
        assert_eq!(found.as_deref().map_err(String::as_str), expect);
    }

    #[test]
    fn crates_are_chosen_by_name() {
        check(&["contextfit-text"], Ok(&["contextfit-text"]));
        check(&["xtask", "contextfit"], Ok(&["xtask", "contextfit"]));
    }

    #[test]
    fn an_unknown_name_is_an_error_with_the_nearest() {
        check(
            &["contextfit-pipelines"],
            Err("no crate is called `contextfit-pipelines`; \
                 the nearest names are contextfit-pipeline, contextfit-text, contextfit-bm25"),
        );
        check(
            &["text"],
            Err(
                "no crate is called `text`; the nearest names are contextfit-text, contextfit, contextfit-bm25",
            ),
        );
    }

    #[test]
    fn no_name_is_an_error() {
        check(
            &[],
            Err("expected a crate: `cargo xtask check -p CRATE`, or `cargo xtask ci` for all of them"),
        );
    }
}
