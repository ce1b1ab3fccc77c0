//! English words whose forms no stemmer unites.

use std::{collections::HashMap, sync::LazyLock};

use foldhash::fast::FixedState;

use crate::natural_language::WORDS;

/// The base form of `word`, in lowercase, if it is an irregular form of an English verb or noun.
pub(crate) fn base_form(word: &str) -> Option<&'static str> {
    // ablate: text.irregular => None
    static BASES: LazyLock<HashMap<&str, &str, FixedState>> = LazyLock::new(|| {
        let entries = WORDS.list("irregular forms").phrases().iter();
        let forms = entries.filter_map(|entry| {
            let (base, forms) = entry.split_once(' ')?;
            Some(forms.split(' ').map(move |form| (form, base)))
        });
        forms.flatten().collect()
    });
    BASES.get(word).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, base: Option<&str>) {
        assert_eq!(base_form(word), base);
    }

    #[test]
    fn forms() {
        check("wrote", Some("write"));
        check("children", Some("child"));
        check("hypotheses", Some("hypothesis"));
        check("write", None);
        check("", None);
    }
}
