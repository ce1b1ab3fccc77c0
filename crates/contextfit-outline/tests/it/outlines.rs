//! Outlines of small sources in every language, with all bodies folded.

use std::sync::Arc;

use contextfit_kernel::{Block, Budget, Context, Passage, Tokens};
use contextfit_outline::{ItemKind, Outline, Outlining};
use contextfit_pipeline::Pipeline;
use contextfit_text::{CharsPer, Language};

/// The definitions of every input, indented by nesting.
#[test]
fn definitions() {
    insta::glob!("../inputs", "*.*", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let language = Language::of_path(path.to_str().unwrap()).unwrap();
        let outline = Outline::of(&text, language);
        let depth = |mut n: usize| {
            let mut depth = 0;
            while let Some(parent) = outline.items[n].parent {
                (n, depth) = (parent, depth + 1);
            }
            depth
        };
        let definitions = outline.items.iter().enumerate().filter(|(_, item)| item.kind != ItemKind::Other);
        let lines = definitions.map(|(n, item)| {
            let name = item.name.and_then(|name| name.of(&text)).unwrap_or_default();
            let lines = item.range.of(&text).unwrap().lines().count();
            format!("{}{:?} {name} ({lines})\n", "  ".repeat(depth(n)), item.kind)
        });
        insta::assert_snapshot!(lines.collect::<String>());
    });
}

/// Every input at half its length.
#[test]
fn halves() {
    let pipeline = Pipeline::new(Arc::new(CharsPer::new(4).unwrap())).with_strategy(Outlining::new());
    insta::glob!("../inputs", "*.*", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let budget = Budget::new(Tokens::new(text.len() / 8));
        let passage = Passage::at(name);
        let context =
            Context::new(vec![Block::passage("x", passage, text)]).with_query("how is the total counted");
        insta::assert_snapshot!(pipeline.fit(&context, &budget).unwrap().text);
    });
}
