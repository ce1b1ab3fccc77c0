//! Outlines of code, compared with the unavoidable work: parsing each file once and counting it once.

use std::{hint::black_box, sync::Arc};

use contextfit::{
    Block, Budget, Context, Passage, Pipeline, TokenCounter, Tokens, code::Outlining, text::Tiktoken,
};
use tree_sitter::{Language, Parser};

use crate::{
    fit_all, inputs, quarter, scale,
    timing::{Row, Table, least_of_both},
};

const QUERY: &str = "how are tokens counted";

/// Each file alone at a quarter of its tokens, with a query, and all files of a language in one request.
pub(crate) fn rows(table: &mut Table, quick: bool) {
    let languages: [(&str, &str, Language); 3] = [
        ("rust", "rs", tree_sitter_rust::LANGUAGE.into()),
        ("python", "py", tree_sitter_python::LANGUAGE.into()),
        ("typescript", "ts", tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()),
    ];
    for (name, extension, language) in &languages {
        let block = |(path, text): &(String, String)| {
            let passage = Passage::at(path.clone());
            Block::passage(path, passage, text)
        };
        let blocks: Vec<Block> =
            some(inputs::sources(extension), 24 * scale(quick)).iter().map(block).collect();
        let alone = blocks.iter().map(|block| Context::new(vec![block.clone()]).with_query(QUERY)).collect();
        push(table, &format!("{name}, a file a request"), alone, language);
        push(
            table,
            &format!("{name}, all files in one request"),
            vec![Context::new(blocks).with_query(QUERY)],
            language,
        );
    }
    for (name, _, language) in &languages {
        let changes = inputs::changes(name);
        if !changes.is_empty() {
            push(table, &format!("{name}, files of the data"), changes, language);
        }
    }
}

/// The time that `requests` take, compared with parsing and counting.
fn push(table: &mut Table, label: &str, requests: Vec<Context>, language: &Language) {
    let counter = Tiktoken::o200k_base();
    let pipeline = Pipeline::new(Arc::new(counter)).with_strategy(Outlining::new());
    let texts = || requests.iter().flat_map(|request| &request.blocks).map(|block| block.text.as_str());
    let budgets: Vec<Budget> = requests.iter().map(|request| quarter(&pipeline, request)).collect();
    let outline = || fit_all(&pipeline, &requests, &budgets);
    let mut parser = Parser::new();
    parser.set_language(language).unwrap();
    let parse_and_count = || {
        let read = texts().map(|text| {
            black_box(parser.parse(text, None).unwrap());
            counter.count(text)
        });
        black_box(read.sum::<Tokens>())
    };
    let (seconds, other) = least_of_both(outline, parse_and_count);
    let bytes = texts().map(str::len).sum();
    table.push(Row::new("outline", label, bytes, seconds).against("parsing and counting once", other));
}

/// At most about `n` of `files`, evenly spread.
fn some(files: Vec<(String, String)>, n: usize) -> Vec<(String, String)> {
    let step = files.len().div_ceil(n).max(1);
    files.into_iter().step_by(step).collect()
}
