//! Outlines of code, next to what cannot be done without: parsing each file once and counting it once.

use std::{hint::black_box, sync::Arc};

use contextfit::{Block, Bm25, Context, Outlining, Passage, Pipeline, Tiktoken, TokenCounter, Tokens};
use tree_sitter::{Language, Parser};

use crate::{
    inputs, quarter,
    timing::{Row, Table, least_of_both},
};

/// Each file by itself at a quarter of its tokens, with a query.
pub(crate) fn rows(table: &mut Table, scale: usize) {
    let counter = Tiktoken::o200k_base();
    let pipeline = Pipeline::new(Arc::new(counter)).with_strategy(Outlining::new(Arc::new(Bm25::default())));
    let languages: [(&str, &str, Language); 3] = [
        ("rust", "rs", tree_sitter_rust::LANGUAGE.into()),
        ("python", "py", tree_sitter_python::LANGUAGE.into()),
        ("typescript", "ts", tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()),
    ];
    for (name, extension, language) in languages {
        let files = some(inputs::sources(extension), 24 * scale);
        let bytes = files.iter().map(|(_, text)| text.len()).sum();
        let context = |(path, text): &(String, String)| {
            let passage = Passage { path: Some(path.clone()), ..Passage::default() };
            Context::new(vec![Block::passage(path, passage, text)]).with_query("how are tokens counted")
        };
        let contexts: Vec<Context> = files.iter().map(context).collect();
        let requests: Vec<_> =
            contexts.iter().map(|context| (context, quarter(&pipeline, context))).collect();
        let outline = || {
            let outlines = requests.iter().map(|(context, budget)| pipeline.fit(context, budget).unwrap());
            black_box(outlines.map(|result| result.metrics.tokens_after).sum::<Tokens>())
        };
        let mut parser = Parser::new();
        parser.set_language(&language).unwrap();
        let parse_and_count = || {
            let read = files.iter().map(|(_, text)| {
                black_box(parser.parse(text, None).unwrap());
                counter.count(text)
            });
            black_box(read.sum::<Tokens>())
        };
        let (seconds, other) = least_of_both(outline, parse_and_count);
        let label = format!("{name}, {} files", files.len());
        table.push(Row::new("outline", &label, bytes, seconds).against("parsing and counting once", other));
    }
}

/// At most about `n` of `files`, from all over.
fn some(files: Vec<(String, String)>, n: usize) -> Vec<(String, String)> {
    let step = files.len().div_ceil(n).max(1);
    files.into_iter().step_by(step).collect()
}
