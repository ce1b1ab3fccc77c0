//! Code of any language: items nest, outlines are valid cuts within the budget.

#![no_main]

use contextfit_fuzz::{Input, check};
use contextfit_kernel::{Block, Context, Passage};
use contextfit_outline::{Outline, Outlining};
use contextfit_text::Language;
use libfuzzer_sys::fuzz_target;

const LANGUAGES: [&str; 15] = [
    "bash",
    "c",
    "cpp",
    "go",
    "html",
    "java",
    "javascript",
    "json",
    "markdown",
    "python",
    "ruby",
    "rust",
    "toml",
    "typescript",
    "yaml",
];

fuzz_target!(|input: Input<'_>| {
    let (choice, room, text) = input;
    let language = Language::named(LANGUAGES[usize::from(choice) % LANGUAGES.len()]).unwrap();
    let outline = Outline::of(text, language);
    for (n, item) in outline.items.iter().enumerate() {
        assert!(item.range.of(text).is_some(), "{item:?} is no part of the text");
        assert!(item.name.is_none_or(|name| name.of(text).is_some()));
        let Some(parent) = item.parent else { continue };
        let around = outline.items[parent].range;
        assert!(parent < n && around.start() <= item.range.start() && item.range.end() <= around.end());
    }
    assert_eq!(outline, Outline::of(text, language), "not deterministic");
    let passage = Passage::default().with_language(language.name);
    let query = text.split_whitespace().nth(1).unwrap_or_default();
    let context = Context::new(vec![Block::passage("file", passage, text)]).with_query(query);
    check(&context, Outlining::new(), choice, room);
});
