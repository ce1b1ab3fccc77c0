//! Terms remembered from one text to the next.

use std::{cell::RefCell, collections::HashMap, sync::Arc};

use foldhash::fast::FixedState;

use crate::Tongue;

/// Words remembered on each thread, at most; then all are forgotten. Some megabytes.
const MOST: usize = 65_536;

/// What an analyzer is told apart by: its language, and whether stop words are terms.
pub(crate) type Kind = (Tongue, bool);

type Terms = HashMap<Box<str>, Option<Arc<str>>, FixedState>;

thread_local! {
    /// The terms of words, for the kind of analyzer that was asked last: one request is all of one kind.
    static REMEMBERED: RefCell<(Option<Kind>, Terms)> = RefCell::default();
}

/// The term of `word` as `kind` folds it, by `fold` where it is not remembered. Folding is pure: what is remembered is what
/// would be found again.
pub(crate) fn remembered(
    kind: Kind,
    word: &str,
    fold: impl FnOnce() -> Option<Arc<str>>,
) -> Option<Arc<str>> {
    REMEMBERED.with_borrow_mut(|(known, terms)| {
        if *known != Some(kind) || terms.len() >= MOST {
            *known = Some(kind);
            terms.clear();
        }
        if let Some(term) = terms.get(word) {
            return term.clone();
        }
        let term = fold();
        terms.insert(word.into(), term.clone());
        term
    })
}
