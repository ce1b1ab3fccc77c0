//! Every feature on its own: a crate must build with none, and with any single one.

use std::collections::BTreeSet;

use crate::{command::Program, workspace::Package};

/// One check for each set of features that differs from those before it.
pub(crate) fn checks(package: &Package) -> Vec<Program> {
    let none = Program::cargo("check -p").arg(&package.name).arg("--no-default-features");
    let mut seen = BTreeSet::from([BTreeSet::new()]);
    let single = package.features.keys().filter(|feature| seen.insert(effect(package, feature)));
    let single = single.map(|feature| none.clone().arg("--features").arg(feature));
    [none.clone()].into_iter().chain(single).collect()
}

/// Everything that `feature` turns on in the end. A feature that only turns on others of the crate has no separate
/// effect: `default = ["a"]` is the same as `a`, and an empty `default` is the same as none.
fn effect<'p>(package: &'p Package, feature: &'p str) -> BTreeSet<&'p str> {
    let mut effect = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![feature];
    while let Some(name) = open.pop() {
        if !seen.insert(name) {
            continue;
        }
        let parts = package.features.get(name).map(Vec::as_slice).unwrap_or_default();
        let only_others = !parts.is_empty() && parts.iter().all(|part| package.features.contains_key(part));
        if name != "default" && !only_others {
            effect.insert(name);
        }
        open.extend(parts.iter().map(String::as_str));
    }
    effect
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(features: &[(&str, &[&str])], expect: &[&str]) {
        let features = features.iter().map(|(name, parts)| {
            (name.to_string(), parts.iter().map(ToString::to_string).collect::<Vec<_>>())
        });
        let package = Package { name: "x".into(), features: features.collect(), ..Package::default() };
        let lines: Vec<_> = checks(&package).iter().map(Program::line).collect();
        let expect: Vec<_> = expect
            .iter()
            .map(|feature| match *feature {
                "" => "cargo check -p x --no-default-features".to_string(),
                feature => format!("cargo check -p x --no-default-features --features {feature}"),
            })
            .collect();
        assert_eq!(lines, expect);
    }

    #[test]
    fn a_crate_without_features_is_checked_once() {
        check(&[], &[""]);
        check(&[("default", &[])], &[""]);
    }

    #[test]
    fn every_feature_is_checked_alone() {
        check(&[("a", &["dep:a"]), ("b", &[])], &["", "a", "b"]);
    }

    #[test]
    fn equal_sets_are_checked_once() {
        check(&[("a", &["dep:a"]), ("default", &["a"])], &["", "a"]);
        check(
            &[("a", &["dep:a"]), ("b", &["dep:b"]), ("default", &["a", "b"]), ("full", &["b", "a"])],
            &["", "a", "b", "default"],
        );
    }

    #[test]
    fn a_feature_that_needs_another_is_not_the_same() {
        check(&[("a", &["dep:a"]), ("b", &["a", "x/b"])], &["", "a", "b"]);
    }

    #[test]
    fn a_circle_of_features_ends() {
        check(&[("a", &["b"]), ("b", &["a", "dep:c"])], &["", "a"]);
    }
}
