//! `cargo xtask ablate`: measures what each rule of the program contributes.
//!
//! A comment in the sources names a rule and says what is left without it. This builds a copy of the sources in which
//! each rule has a switch, and measures the labelled data sets with all rules on, then with each one off. Nothing that
//! ships has a switch.

mod effect;
mod rules;

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
};

use effect::{Effect, Run, Set, sets};
use rules::{Rule, Sources};

use crate::{
    binary::Binary,
    eval,
    program::Program,
    say::{self, Result, unknown},
    workspace,
};

/// The arguments of `ablate`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask ablate                                    every rule, its place and its lines
  cargo xtask ablate --rule bm25.heading --set squad_en
  cargo xtask ablate --rule 'bm25.*' --rule ranking.nearest
  cargo xtask ablate --together names.txt               all of them off at once

A rule is named by a comment in crates/*/src, on its own line in a function, which is then left early with the value:
  // ablate: excerpt.totals => Vec::new()
or at the end of a line, whose expression the value replaces:
  heading: 1.5, // ablate: bm25.heading => 0.0

The figures are points of the share of evidence kept, averaged over the budgets of 10 % and 25 %, with the paired 95 % \
interval, and how many items rise, how many fall, and how many others change in any other figure.")]
pub(crate) struct Args {
    /// Measure this rule, or with a trailing * a family; may be repeated. Lists the items that rise and fall
    #[arg(long = "rule", value_name = "NAME", conflicts_with_all = ["all", "together"])]
    rules: Vec<String>,
    /// Measure every rule, one after the other
    #[arg(long, conflicts_with = "together")]
    all: bool,
    /// Measure all rules that a file names, one per line, off at once. Lists the items that rise and fall
    #[arg(long, value_name = "FILE")]
    together: Option<PathBuf>,
    /// Measure only this data set; may be repeated
    #[arg(long = "set", value_name = "NAME")]
    sets: Vec<String>,
    /// Folder of the data sets that are not the project's [default: CONTEXTFIT_DATA, or else ../shared/data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Folder of the git repositories that repo_tasks and repo_questions refer to; without it they are left out
    #[arg(long, value_name = "DIR")]
    repositories: Option<PathBuf>,
}

/// Rules that are off at once.
struct Row<'r> {
    name: String,
    rules: Vec<&'r Rule>,
}

/// Measures, and prints what each rule contributes.
///
/// # Errors
/// If a comment cannot be read, a name is unknown, the copy cannot be built, or no data set can be measured.
pub(crate) fn run(args: &Args) -> Result {
    let root = workspace::root();
    let sources = Sources::read(&root)?;
    let rows = rows(args, &sources.rules)?;
    if rows.is_empty() {
        list(&sources.rules);
        return Ok(());
    }
    let sets = sets(&root, &eval::data(args.data.clone(), &root))?;
    let names = || sets.iter().map(|set| set.name.as_str());
    if let Some(name) = args.sets.iter().find(|name| names().all(|known| known != *name)) {
        return Err(unknown("data set", name, names()).into());
    }
    let asked = |set: &&Set| args.sets.is_empty() || args.sets.contains(&set.name);
    let folder = workspace::load(&root)?.target.join("ablate");
    let binary = build(&sources, &root, &folder)?;
    let measure = |set: &Set, off: &[&str]| set.run(&binary, off, args.repositories.as_deref(), &folder);
    let mut whole: Vec<(&Set, Run)> = Vec::new();
    for set in sets.iter().filter(asked) {
        match measure(set, &[]) {
            Ok(run) => whole.push((set, run)),
            Err(error) => say::line(&format!("{}: left out: {}", set.name, reason(&*error))),
        }
    }
    if whole.is_empty() {
        return Err("no data set can be measured; set their folder with --data DIR or CONTEXTFIT_DATA".into());
    }
    let mut unmissed = Vec::new();
    for (n, row) in (1..).zip(&rows) {
        say::line(&format!("{n} of {}: {}", rows.len(), row.name));
        let (report, is_missed) = row.measured(&whole, !args.all, measure)?;
        say::result(&report);
        unmissed.extend((!is_missed).then_some(row.name.as_str()));
    }
    say::result(&match unmissed.as_slice() {
        [] => "a measure misses each of them".into(),
        names => format!("no measure misses: {}", names.join(", ")),
    });
    Ok(())
}

/// Builds the copy with switches in `folder`: without what `eval` does not use, and without optimisation across crates,
/// which would take longer than they save. The lints of the workspace are not for what is generated.
fn build(sources: &Sources, root: &Path, folder: &Path) -> Result<Binary> {
    let copy = folder.join("source");
    sources.copy_to(&copy)?;
    let target = folder.join("target");
    let cargo = Program::cargo("build --release -p contextfit-cli --no-default-features --features code")
        .env("CARGO_TARGET_DIR", &target.to_string_lossy())
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("RUSTFLAGS", "--cap-lints=allow");
    Binary::build_by(cargo, &copy, root)
}

/// The last line of what a program said.
fn reason(error: &dyn Error) -> String {
    let said = error.to_string();
    said.trim_end().lines().next_back().unwrap_or_default().trim_start_matches("error: ").into()
}

/// What to measure: nothing if nothing is asked for.
fn rows<'r>(args: &Args, rules: &'r [Rule]) -> Result<Vec<Row<'r>>> {
    let alone = |rule: &'r Rule| Row { name: rule.name.clone(), rules: vec![rule] };
    if let Some(file) = &args.together {
        let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let names: Vec<String> = text.split_whitespace().map(Into::into).collect();
        let rules = chosen(rules, &names)?;
        if rules.is_empty() {
            return Err(format!("{} names no rule; expected one per line", file.display()).into());
        }
        return Ok(vec![Row { name: format!("{} rules together", rules.len()), rules }]);
    }
    let rules = if args.all { rules.iter().collect() } else { chosen(rules, &args.rules)? };
    Ok(rules.into_iter().map(alone).collect())
}

/// The rules called `names`, in the order of the sources.
fn chosen<'r>(rules: &'r [Rule], names: &[String]) -> Result<Vec<&'r Rule>> {
    let is = |rule: &Rule, name: &str| match name.strip_suffix('*') {
        Some(family) => rule.name.starts_with(family),
        None => rule.name == name,
    };
    if let Some(name) = names.iter().find(|name| !rules.iter().any(|rule| is(rule, name))) {
        return Err(unknown("rule", name, rules.iter().map(|rule| rule.name.as_str())).into());
    }
    Ok(rules.iter().filter(|rule| names.iter().any(|name| is(rule, name))).collect())
}

impl Row<'_> {
    /// What changes on each data set without its rules, with `whole`, the runs with all rules; and whether any score is
    /// missed. Lists the items that rise and fall if `lists_items`.
    fn measured(
        &self,
        whole: &[(&Set, Run)],
        lists_items: bool,
        measure: impl Fn(&Set, &[&str]) -> Result<Run>,
    ) -> Result<(String, bool)> {
        let off: Vec<&str> = self.rules.iter().map(|rule| rule.name.as_str()).collect();
        let (mut report, mut is_missed) = (format!("{}  {}", self.name, self.extent()), false);
        for (set, with) in whole {
            report.push_str(&format!("\n  {:18} ", set.name));
            if !off.iter().any(|name| with.consulted.contains(*name)) {
                report.push_str("not reached");
                continue;
            }
            say::line(&format!("  {}, about {:.0} s", set.name, with.seconds));
            match measure(set, &off) {
                // Without them there is no result, or one that is too long.
                Err(error) => {
                    is_missed = true;
                    report.push_str(&format!("fails: {}", reason(&*error)));
                }
                Ok(without) => {
                    let effect = Effect::of(&with.items, &without.items)?;
                    is_missed |= effect.is_loss();
                    report.push_str(&effect.to_string());
                    let items = effect.items().filter(|_| lists_items);
                    items.for_each(|item| report.push_str(&format!("\n    {item}")));
                }
            }
        }
        Ok((report, is_missed))
    }

    /// Where it is, and how many lines it has.
    fn extent(&self) -> String {
        let lines: usize = self.rules.iter().map(|rule| rule.lines).sum();
        let lines = if lines == 1 { "1 line".into() } else { format!("{lines} lines") };
        match self.rules.as_slice() {
            [Rule { file, line, .. }] => format!("{lines}, {file}:{line}"),
            _ => lines,
        }
    }
}

fn list(rules: &[Rule]) {
    for Rule { name, file, line, lines } in rules {
        say::result(&format!("{name:28} {lines:4}  {file}:{line}"));
    }
    say::line(&format!("{} rules; measure some with --rule NAME, or every one with --all", rules.len()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(names: &[&str], expect: std::result::Result<&[&str], &str>) {
        let rule = |name: &str| Rule { name: name.into(), file: "a.rs".into(), line: 1, lines: 1 };
        let rules = ["bm25.heading", "bm25.lead", "ranking.nearest"].map(rule);
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let found = chosen(&rules, &names).map_err(|error| error.to_string());
        let found = found.map(|found| found.iter().map(|rule| rule.name.as_str()).collect::<Vec<_>>());
        assert_eq!(found.as_deref().map_err(String::as_str), expect);
    }

    #[test]
    fn rules_are_chosen_by_name_and_family() {
        check(&[], Ok(&[]));
        check(&["ranking.nearest", "bm25.lead"], Ok(&["bm25.lead", "ranking.nearest"]));
        check(&["bm25.*", "bm25.lead"], Ok(&["bm25.heading", "bm25.lead"]));
        check(
            &["bm25.leads"],
            Err(
                "no rule is called `bm25.leads`; the nearest names are bm25.lead, bm25.heading, ranking.nearest",
            ),
        );
        check(
            &["bn25.*"],
            Err("no rule is called `bn25.*`; the nearest names are bm25.lead, bm25.heading, ranking.nearest"),
        );
    }
}
