//! Every dependency has a permissive licence.

use super::{files::Tree, finding::Finding, spdx};
use crate::workspace::Package;

/// Licences that require no more than a notice.
const ALLOWED: &[&str] = &[
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// A package whose licence is accepted by way of exception.
struct Exception {
    package: &'static str,
    licence: &'static str,
    /// For the reader; deny.toml has the same.
    #[expect(dead_code, reason = "an exception without a reason must not compile")]
    why: &'static str,
}

const EXCEPTIONS: &[Exception] = &[Exception {
    package: "webpki-root-certs",
    licence: "CDLA-Permissive-2.0",
    why: "data, not code: the certificates that Mozilla trusts, which TLS needs; asks for no more than its own text",
}];

/// Packages that name a licence file instead of a licence, with the licence found in that file.
const READ: &[(&str, &str)] = &[("model2vec-rs", "MIT")];

/// Finds packages without a licence, or with one that is not allowed.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let packages = tree.workspace.members.iter().chain(&tree.workspace.others);
    packages.filter_map(|package| fault(package, EXCEPTIONS).map(|fault| finding(package, &fault))).collect()
}

fn fault(package: &Package, exceptions: &[Exception]) -> Option<String> {
    let allowed = |licence: &str| {
        let exception = |e: &Exception| e.package == package.name && e.licence == licence;
        ALLOWED.contains(&licence) || exceptions.iter().any(exception)
    };
    let read = READ.iter().find(|(name, _)| *name == package.name).map(|(_, licence)| *licence);
    let Some(expression) = package.licence.as_deref().or(read) else { return Some("has no licence".into()) };
    match spdx::can_be_met(expression, &allowed) {
        Ok(true) => None,
        Ok(false) => Some(format!("has the licence `{expression}`")),
        Err(error) => Some(format!("has the licence `{expression}`, which cannot be read: {error}")),
    }
}

fn finding(package: &Package, fault: &str) -> Finding {
    let what = format!("{} {} {fault}", package.name, package.version);
    Finding::in_file(
        "Cargo.lock",
        what,
        "replace the dependency, or add an exception to tidy/licences.rs and deny.toml",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_licence(name: &str, licence: Option<&str>, expect: Option<&str>) {
        let licence = licence.map(Into::into);
        let package = Package { name: name.into(), licence, ..Package::default() };
        let exception = Exception { package: "named", licence: "MPL-2.0", why: "for the test" };
        assert_eq!(fault(&package, &[exception]).as_deref(), expect);
    }

    #[test]
    fn permissive_licences_are_allowed() {
        check_licence("x", Some("MIT OR Apache-2.0"), None);
        check_licence("x", Some("Unlicense/MIT"), None);
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
    fn the_finding_names_the_package() {
        let package = Package { name: "x".into(), version: "1.0.0".into(), ..Package::default() };
        let text = finding(&package, "has no licence").to_string();
        assert!(text.starts_with("Cargo.lock: x 1.0.0 has no licence; "), "{text}");
    }
}
