//! `contextfit --version --verbose`: what this build can do.

use std::{env::consts, ffi::OsString};

use contextfit::code::grammars;

/// The optional features of this build.
const FEATURES: &[(&str, bool)] = &[
    ("bert", cfg!(feature = "bert")),
    ("cache-qdrant", cfg!(feature = "cache-qdrant")),
    ("cache-redis", cfg!(feature = "cache-redis")),
    ("code", cfg!(feature = "code")),
    ("code-heavy", cfg!(feature = "code-heavy")),
    ("huggingface", cfg!(feature = "huggingface")),
    ("llm", cfg!(feature = "llm")),
    ("mcp", cfg!(feature = "mcp")),
    ("model2vec", cfg!(feature = "model2vec")),
    ("serve", cfg!(feature = "serve")),
    ("store", cfg!(feature = "store")),
];

/// Whether the arguments ask for the version in full.
pub(crate) fn is_asked(arguments: impl IntoIterator<Item = OsString>) -> bool {
    let (mut version, mut verbose) = (false, false);
    for argument in arguments {
        match argument.to_str() {
            Some("--version" | "-V") => version = true,
            Some("--verbose" | "-v") => verbose = true,
            _ => return false,
        }
    }
    version && verbose
}

/// The version, the grammars and the features.
pub(crate) fn text() -> String {
    let list = |names: Vec<&str>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let named =
        |is_on: bool| list(FEATURES.iter().filter(|(_, on)| *on == is_on).map(|(name, _)| *name).collect());
    let grammars = list(grammars().collect());
    format!(
        "contextfit {}\nplatform: {} {}\ngrammars: {grammars}; other code by indentation\nfeatures: {}\nnot built in: {}\n\
         exact counts: o200k_base, cl100k_base\n",
        env!("CARGO_PKG_VERSION"),
        consts::OS,
        consts::ARCH,
        named(true),
        named(false),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_two_flags_ask_for_it() {
        for (arguments, expect) in [
            (&["--version", "--verbose"][..], true),
            (&["-v", "-V"], true),
            (&["--version"], false),
            (&["--verbose"], false),
            (&["--version", "--verbose", "files"], false),
            (&[], false),
        ] {
            assert_eq!(is_asked(arguments.iter().map(OsString::from)), expect, "{arguments:?}");
        }
    }
}
