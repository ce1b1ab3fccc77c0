//! Which crate may depend on which: dependencies that the architecture does not allow must not appear.

use super::tree::{Finding, Tree};
use crate::workspace::{Dependency, Kind};

const FAMILIES: &[&str] = &[
    "contextfit-bm25",
    "contextfit-conversational",
    "contextfit-hierarchical",
    "contextfit-outline",
    "contextfit-truncation",
];
const PIPELINE: &[&str] = &["contextfit-pipeline"];
const PROVIDERS: &[&str] = &["contextfit-providers"];
const CACHE: &[&str] = &["contextfit-cache"];
const FORMATS: &[&str] = &["contextfit-formats"];
const SERVE: &[&str] = &["contextfit-serve"];
const EVAL: &[&str] = &["contextfit-eval"];
const TOP: &[&str] = &[
    "contextfit",
    "contextfit-cli",
    "contextfit-eval",
    "contextfit-presets",
    "contextfit-python",
    "contextfit-report",
    "contextfit-serve",
    "contextfit-testkit",
    "xtask",
];

/// Crates, and what they must never depend on. A crate in both lists must not depend on the others.
struct Never {
    who: &'static [&'static str],
    on: &'static [&'static [&'static str]],
}

const NEVER: &[Never] = &[
    Never {
        who: FAMILIES,
        on: &[
            FAMILIES,
            PIPELINE,
            PROVIDERS,
            CACHE,
            FORMATS,
            TOP,
            &["moka", "reqwest", "tiktoken-rs", "tokio"],
        ],
    },
    Never {
        who: &["contextfit-excerpt", "contextfit-packing", "contextfit-text"],
        on: &[FAMILIES, PIPELINE, PROVIDERS, CACHE, FORMATS, TOP, &["tokio"]],
    },
    Never { who: PIPELINE, on: &[FAMILIES, PROVIDERS, CACHE, FORMATS, TOP] },
    Never { who: &["contextfit-cache", "contextfit-providers"], on: &[FAMILIES, FORMATS, TOP] },
    // It turns requests into answers; models come in through traits.
    Never { who: &["contextfit-presets"], on: &[PROVIDERS, TOP] },
    Never { who: FORMATS, on: &[FAMILIES, PIPELINE, PROVIDERS, CACHE, TOP] },
    // They stand on the facade, and everything else comes through it.
    Never {
        who: &["contextfit-python", "contextfit-serve"],
        on: &[FAMILIES, PIPELINE, PROVIDERS, CACHE, FORMATS, EVAL],
    },
    // It measures the pipelines that are passed in; its baselines rank with BM25.
    Never {
        who: EVAL,
        on: &[
            &["contextfit-conversational", "contextfit-hierarchical", "contextfit-truncation"],
            PROVIDERS,
            CACHE,
            TOP,
            &["tokio"],
        ],
    },
    // It judges results by the kernel's types alone, however they were made.
    Never { who: &["contextfit-report"], on: &[FAMILIES, PROVIDERS, CACHE, FORMATS, TOP, &["tokio"]] },
    Never {
        who: &["xtask"],
        on: &[
            FAMILIES,
            PIPELINE,
            PROVIDERS,
            CACHE,
            FORMATS,
            TOP,
            &["contextfit-kernel", "contextfit-packing", "contextfit-text"],
        ],
    },
];

/// A crate that may depend only on these.
const KERNEL: &str = "contextfit-kernel";
const OF_KERNEL: &[&str] = &["async-trait", "serde", "thiserror"];

/// Libraries that only these crates may use: in the crates themselves, and in tests and benchmarks.
struct Home {
    of: &'static [&'static str],
    normal: &'static [&'static str],
    dev: Option<&'static [&'static str]>,
}

const HOMES: &[Home] = &[
    Home {
        of: &["candle-core", "candle-nn", "model2vec-rs", "reqwest"],
        normal: PROVIDERS,
        dev: Some(PROVIDERS),
    },
    Home { of: &["moka", "qdrant-client", "redb", "redis", "sha2"], normal: CACHE, dev: Some(CACHE) },
    // Their major versions change often, and what a server needs is no strategy's business.
    Home { of: &["axum", "prometheus-client", "rmcp"], normal: SERVE, dev: Some(SERVE) },
    // The benchmark of the facade measures against it.
    Home {
        of: &["tiktoken-rs"],
        normal: &["contextfit-text"],
        dev: Some(&["contextfit", "contextfit-text"]),
    },
    Home {
        of: &["tracing"],
        normal: &["contextfit-cache", "contextfit-cli", "contextfit-pipeline", "contextfit-providers"],
        dev: None,
    },
];

/// Finds forbidden dependencies.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &tree.workspace.members {
        for dependency in &package.dependencies {
            if let Some((what, advice)) = fault(&package.name, dependency) {
                findings.push(Finding::in_file(&package.manifest, what, advice));
            }
        }
    }
    findings
}

/// Why `who` must not have `dependency`, and what to do; `None` if it may.
fn fault(who: &str, dependency: &Dependency) -> Option<(String, String)> {
    let on = dependency.name.as_str();
    let normal = dependency.kind == Kind::Normal;
    let forbidden = |rule: &Never| rule.who.contains(&who) && on != who && rule.on.concat().contains(&on);
    if normal && NEVER.iter().any(forbidden) {
        let advice = "reverse the dependency, or pass it in as a trait of contextfit-kernel";
        return Some((format!("{who} must never depend on `{on}`"), advice.into()));
    }
    if normal && who == KERNEL && !OF_KERNEL.contains(&on) {
        let advice = format!("its dependencies are a closed list: {}", OF_KERNEL.join(", "));
        return Some((format!("{who} must not depend on `{on}`"), advice));
    }
    let home = HOMES.iter().find(|home| home.of.contains(&on))?;
    let allowed = if normal { Some(home.normal) } else { home.dev };
    let allowed = allowed.filter(|allowed| !allowed.contains(&who))?;
    Some((format!("{who} must not use `{on}`"), format!("only {} may use it", allowed.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        tidy::tree::tests::{check_findings, tree},
        workspace::Package,
    };

    #[track_caller]
    fn check_fault(who: &str, on: &str, kind: Kind, expect: Option<&str>) {
        let found = fault(who, &Dependency { name: on.into(), kind });
        assert_eq!(found.as_ref().map(|(what, _)| what.as_str()), expect);
    }

    #[track_caller]
    fn check_free(who: &str, on: &str) {
        check_fault(who, on, Kind::Normal, None);
    }

    #[track_caller]
    fn check_never(who: &str, on: &str) {
        check_fault(who, on, Kind::Normal, Some(&format!("{who} must never depend on `{on}`")));
    }

    #[test]
    fn arrows_of_the_design_are_free() {
        check_free("contextfit", "contextfit-bm25");
        check_free("contextfit-bm25", "contextfit-text");
        check_free("contextfit-hierarchical", "contextfit-packing");
        check_free("contextfit-pipeline", "tokio");
        check_free("contextfit-cache", "contextfit-text");
        check_free("contextfit-testkit", "contextfit-pipeline");
        check_free("contextfit-cli", "contextfit-eval");
        check_free("contextfit-eval", "contextfit-bm25");
        check_free("contextfit-kernel", "serde");
    }

    #[test]
    fn other_arrows_are_found() {
        check_never("contextfit-bm25", "contextfit-truncation");
        check_never("contextfit-truncation", "contextfit-pipeline");
        check_never("contextfit-conversational", "tokio");
        check_never("contextfit-text", "contextfit-bm25");
        check_never("contextfit-packing", "tokio");
        check_never("contextfit-pipeline", "contextfit-cache");
        check_never("contextfit-pipeline", "contextfit-eval");
        check_never("contextfit-eval", "contextfit-truncation");
        check_never("contextfit-providers", "contextfit-formats");
        check_never("contextfit-report", "contextfit-formats");
        check_never("xtask", "contextfit-kernel");
        check_fault(
            "contextfit-kernel",
            "regex",
            Kind::Normal,
            Some("contextfit-kernel must not depend on `regex`"),
        );
    }

    #[test]
    fn tests_may_look_further() {
        check_fault("contextfit-bm25", "contextfit-pipeline", Kind::Dev, None);
        check_fault("contextfit-kernel", "serde_json", Kind::Dev, None);
    }

    #[test]
    fn some_libraries_live_in_one_place() {
        check_free("contextfit-text", "tiktoken-rs");
        check_fault("contextfit", "tiktoken-rs", Kind::Dev, None);
        check_fault("contextfit", "tiktoken-rs", Kind::Normal, Some("contextfit must not use `tiktoken-rs`"));
        check_fault(
            "contextfit-cli",
            "tiktoken-rs",
            Kind::Dev,
            Some("contextfit-cli must not use `tiktoken-rs`"),
        );
        check_fault(
            "contextfit-text",
            "tracing",
            Kind::Normal,
            Some("contextfit-text must not use `tracing`"),
        );
        check_fault("contextfit-text", "tracing", Kind::Dev, None);
    }

    #[test]
    fn findings_name_the_line() {
        let manifest = "crates/contextfit-cli/Cargo.toml";
        let mut tree = tree(&[(manifest, "[dependencies]\nserde.workspace = true\nmoka.workspace = true\n")]);
        tree.workspace.members.push(Package {
            name: "contextfit-cli".into(),
            manifest: manifest.into(),
            dependencies: vec![Dependency { name: "moka".into(), kind: Kind::Normal }],
            ..Package::default()
        });
        let expect = "crates/contextfit-cli/Cargo.toml: contextfit-cli must not use `moka`; \
                      only contextfit-cache may use it";
        check_findings(&check(&tree), &[expect]);
    }
}
