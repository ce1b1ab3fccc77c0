//! The suite for stores of originals.

use contextfit_kernel::OriginalStore;
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::{Config, TestRunner},
};

use crate::awkward_texts;

/// Checks the contract of `store`, which must have room for a few megabytes: exact texts, one handle per text.
///
/// # Panics
/// If the contract is violated.
pub async fn check_store(store: &dyn OriginalStore) {
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let arbitrary = (0..32).map(|_| "(?s).{0,200}".new_tree(&mut runner).unwrap().current());
    let mut texts: Vec<String> = awkward_texts().into_iter().chain(arbitrary).collect();
    texts.sort();
    texts.dedup();
    let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
    let handles = store.store_all(&borrowed).await.expect("texts are stored");
    assert_eq!(handles.len(), texts.len(), "one handle per text");
    for (text, handle) in texts.iter().zip(&handles) {
        let loaded = store.load(handle).await.unwrap_or_else(|error| panic!("{error}: {text:?}"));
        assert_eq!(loaded.as_ref(), Some(text), "exact bytes");
        assert_eq!(&store.store(text).await.unwrap(), handle, "the same handle: {text:?}");
    }
    let mut distinct = handles.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), handles.len(), "different texts have different handles");
    for wrong in
        ["", "no handle", "漢字", &handles[0][..handles[0].len() / 2], &handles[0].replace(|_| true, "0")]
    {
        // An error or nothing; any text would be the wrong one.
        assert!(!matches!(store.load(wrong).await, Ok(Some(_))), "{wrong:?} has a text");
    }
}
