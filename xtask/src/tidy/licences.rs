//! Every dependency has a permissive licence: one that deny.toml allows.

use serde::Deserialize;

use super::tree::{Finding, Tree};
use crate::workspace::Package;

/// The policy, relative to the root: `cargo deny` checks it too, wherever it is installed.
const POLICY: &str = "deny.toml";

/// What is read of the policy.
#[derive(Deserialize)]
struct Deny {
    licenses: Policy,
}

#[derive(Deserialize)]
struct Policy {
    allow: Vec<String>,
    exceptions: Vec<Exception>,
}

/// Licences that are accepted for one package.
#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    package: String,
    allow: Vec<String>,
}

/// Packages that name a licence file instead of a licence, with the licence found in that file.
const READ: &[(&str, &str)] = &[("model2vec-rs", "MIT")];

/// Finds packages without a licence, or with one that is not allowed.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let policy = tree.file(POLICY).map_or("", |file| &file.text);
    let Deny { licenses } = match toml::from_str(policy) {
        Ok(policy) => policy,
        Err(error) => return vec![Finding::in_file(POLICY, error.message(), "list the licences to allow")],
    };
    let packages = tree.workspace.members.iter().chain(&tree.workspace.others);
    packages.filter_map(|package| fault(package, &licenses).map(|fault| finding(package, &fault))).collect()
}

fn fault(package: &Package, policy: &Policy) -> Option<String> {
    let allowed = |licence: &str| {
        let own = policy.exceptions.iter().filter(|exception| exception.package == package.name);
        policy.allow.iter().chain(own.flat_map(|exception| &exception.allow)).any(|one| one == licence)
    };
    let read = READ.iter().find(|(name, _)| *name == package.name).map(|(_, licence)| *licence);
    let Some(expression) = package.licence.as_deref().or(read) else { return Some("has no licence".into()) };
    match can_be_met(expression, &allowed) {
        Ok(true) => None,
        Ok(false) => Some(format!("has the licence `{expression}`")),
        Err(error) => Some(format!("has the licence `{expression}`, which cannot be read: {error}")),
    }
}

fn finding(package: &Package, fault: &str) -> Finding {
    let what = format!("{} {} {fault}", package.name, package.version);
    Finding::in_file("Cargo.lock", what, "replace the dependency, or add an exception to deny.toml")
}

/// Whether `expression` can be satisfied with licences that `allowed` accepts. `AND` binds tighter than `OR`; a licence
/// with an exception is passed to `allowed` as one: `Apache-2.0 WITH LLVM-exception`.
///
/// # Errors
/// A message if the expression is invalid.
pub(crate) fn can_be_met(expression: &str, allowed: &dyn Fn(&str) -> bool) -> Result<bool, String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = Parser { words: &words, allowed };
    let met = parser.alternatives()?;
    match parser.words {
        [] => Ok(met),
        [word, ..] => Err(format!("{word:?} is out of place")),
    }
}

/// The words still to be read.
struct Parser<'w> {
    words: &'w [&'w str],
    allowed: &'w dyn Fn(&str) -> bool,
}

impl<'w> Parser<'w> {
    fn alternatives(&mut self) -> Result<bool, String> {
        let mut met = self.together()?;
        while self.skip("OR") {
            met |= self.together()?;
        }
        Ok(met)
    }

    fn together(&mut self) -> Result<bool, String> {
        let mut met = self.one()?;
        while self.skip("AND") {
            met &= self.one()?;
        }
        Ok(met)
    }

    fn one(&mut self) -> Result<bool, String> {
        if self.skip("(") {
            let met = self.alternatives()?;
            return if self.skip(")") { Ok(met) } else { Err("a bracket is not closed".into()) };
        }
        let licence = self.name()?;
        if self.skip("WITH") {
            let exception = self.name()?;
            return Ok((self.allowed)(&format!("{licence} WITH {exception}")));
        }
        Ok((self.allowed)(licence))
    }

    fn name(&mut self) -> Result<&'w str, String> {
        match self.words {
            [] => Err("a licence is missing at the end".into()),
            [word @ ("OR" | "AND" | "WITH" | "(" | ")"), ..] => Err(format!("{word:?} is out of place")),
            [name, rest @ ..] => {
                self.words = rest;
                Ok(name)
            }
        }
    }

    /// Takes the next word if it is `word`.
    fn skip(&mut self, word: &str) -> bool {
        match self.words {
            [first, rest @ ..] if *first == word => {
                self.words = rest;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::tests::{check_findings, tree};

    #[track_caller]
    fn check_licence(name: &str, licence: Option<&str>, expect: Option<&str>) {
        let licence = licence.map(Into::into);
        let package = Package { name: name.into(), licence, ..Package::default() };
        let exception = Exception { package: "named".into(), allow: vec!["MPL-2.0".into()] };
        let allow = ["Apache-2.0", "MIT", "Unicode-3.0"].map(Into::into).into();
        assert_eq!(fault(&package, &Policy { allow, exceptions: vec![exception] }).as_deref(), expect);
    }

    #[test]
    fn permissive_licences_are_allowed() {
        check_licence("x", Some("MIT OR Apache-2.0"), None);
        check_licence("x", Some("GPL-3.0/MIT"), None);
        check_licence("x", Some("(MIT OR Apache-2.0) AND Unicode-3.0"), None);
        check_licence("x", Some("LGPL-3.0 OR MIT"), None);
    }

    #[test]
    fn others_are_found() {
        check_licence("x", Some("MPL-2.0"), Some("has the licence `MPL-2.0`"));
        check_licence("x", None, Some("has no licence"));
        check_licence(
            "x",
            Some("MIT AND"),
            Some("has the licence `MIT AND`, which cannot be read: a licence is missing at the end"),
        );
    }

    #[test]
    fn a_licence_that_was_read_counts() {
        check_licence("model2vec-rs", None, None);
        check_licence("model2vec-rs", Some("GPL-3.0"), Some("has the licence `GPL-3.0`"));
    }

    #[test]
    fn an_exception_is_for_one_package_and_one_licence() {
        check_licence("named", Some("MPL-2.0"), None);
        check_licence("named", Some("GPL-3.0"), Some("has the licence `GPL-3.0`"));
    }

    #[test]
    fn the_policy_is_that_of_cargo_deny() {
        let policy = "[licenses]\nallow = [\"MIT\"]\nexceptions = [{ crate = \"b\", allow = [\"X\"] }]\n";
        let package =
            |name: &str| Package { name: name.into(), licence: Some("X".into()), ..Package::default() };
        let mut policed = tree(&[("deny.toml", policy)]);
        policed.workspace.others = vec![package("a"), package("b")];
        let advice = "replace the dependency, or add an exception to deny.toml";
        check_findings(&check(&policed), &[&format!("Cargo.lock: a  has the licence `X`; {advice}")]);
        assert_eq!(check(&tree(&[])).len(), 1);
    }

    #[test]
    fn the_finding_names_the_package() {
        let package = Package { name: "x".into(), version: "1.0.0".into(), ..Package::default() };
        let text = finding(&package, "has no licence").to_string();
        assert!(text.starts_with("Cargo.lock: x 1.0.0 has no licence; "), "{text}");
    }

    #[track_caller]
    fn check_expression(expression: &str, expect: Result<bool, &str>) {
        let allowed =
            |licence: &str| ["MIT", "BSD-3-Clause", "Apache-2.0 WITH LLVM-exception"].contains(&licence);
        assert_eq!(can_be_met(expression, &allowed), expect.map_err(String::from), "{expression}");
    }

    #[test]
    fn one_allowed_alternative_is_enough() {
        check_expression("MIT", Ok(true));
        check_expression("GPL-3.0", Ok(false));
        check_expression("GPL-3.0 OR MIT", Ok(true));
        check_expression("MIT/GPL-3.0", Ok(true));
        check_expression("GPL-3.0 / AGPL-3.0", Ok(false));
    }

    #[test]
    fn everything_joined_must_be_allowed() {
        check_expression("MIT AND BSD-3-Clause", Ok(true));
        check_expression("MIT AND GPL-3.0", Ok(false));
        check_expression("GPL-3.0 OR MIT AND BSD-3-Clause", Ok(true));
        check_expression("(GPL-3.0 OR MIT) AND GPL-2.0", Ok(false));
        check_expression("(MIT OR GPL-3.0) AND (BSD-3-Clause)", Ok(true));
    }

    #[test]
    fn an_exception_belongs_to_its_licence() {
        check_expression("Apache-2.0 WITH LLVM-exception OR GPL-3.0", Ok(true));
        check_expression("Apache-2.0", Ok(false));
    }

    #[test]
    fn what_is_no_expression_is_an_error() {
        check_expression("", Err("a licence is missing at the end"));
        check_expression("MIT OR", Err("a licence is missing at the end"));
        check_expression("OR MIT", Err("\"OR\" is out of place"));
        check_expression("(MIT", Err("a bracket is not closed"));
        check_expression("MIT BSD-3-Clause", Err("\"BSD-3-Clause\" is out of place"));
    }
}
