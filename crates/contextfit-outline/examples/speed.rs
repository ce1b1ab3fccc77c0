#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::pedantic
)]
use contextfit_kernel::*;
use contextfit_outline::{Outline, Outlining};
use contextfit_pipeline::measure;
use contextfit_text::Language;
use std::sync::Arc;
fn main() {
    let counter = contextfit_text::counter("o200k_base").unwrap();
    counter.count("warm up the engine");
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let lang = Language::of_path(&path).unwrap();
        let mb = text.len() as f64 / 1e6;
        let best = |f: &mut dyn FnMut()| {
            (0..7)
                .map(|_| {
                    let cpu = || {
                        std::fs::read_to_string("/proc/thread-self/schedstat")
                            .unwrap()
                            .split(' ')
                            .next()
                            .unwrap()
                            .parse::<f64>()
                            .unwrap()
                            / 1e6
                    };
                    let t = cpu();
                    f();
                    cpu() - t
                })
                .fold(f64::MAX, f64::min)
        };
        let n = counter.count(&text).get();
        let ts: tree_sitter::Language = match lang.name {
            "rust" => tree_sitter_rust::LANGUAGE.into(),
            "python" => tree_sitter_python::LANGUAGE.into(),
            "java" => tree_sitter_java::LANGUAGE.into(),
            "javascript" => tree_sitter_javascript::LANGUAGE.into(),
            "c" => tree_sitter_c::LANGUAGE.into(),
            "go" => tree_sitter_go::LANGUAGE.into(),
            "cpp" => tree_sitter_cpp::LANGUAGE.into(),
            "ruby" => tree_sitter_ruby::LANGUAGE.into(),
            "bash" => tree_sitter_bash::LANGUAGE.into(),
            "json" => tree_sitter_json::LANGUAGE.into(),
            "toml" => tree_sitter_toml_ng::LANGUAGE.into(),
            "markdown" => tree_sitter_md::LANGUAGE.into(),
            "typescript" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            _ => tree_sitter_yaml::LANGUAGE.into(),
        };
        let count = best(&mut || {
            counter.count(&text);
        });
        let raw = best(&mut || {
            let mut parser = tree_sitter::Parser::new();
            parser.set_language(&ts).unwrap();
            parser.parse(&text, None);
        });
        let outline = best(&mut || {
            Outline::of(&text, lang);
        });
        let context = Context::new(vec![Block::passage(
            "x",
            Passage { path: Some(path.clone()), ..Passage::default() },
            text.as_str(),
        )])
        .with_query("parse the token stream and report errors");
        let m = measure(&context, &*counter);
        let s = Outlining::new(Arc::new(contextfit_bm25::Bm25::default()));
        print!(
            "{:24} {mb:.2} MB count {count:.1} raw {raw:.1} outline {outline:.1}",
            path.rsplit('/').next().unwrap()
        );
        for r in [10, 4, 2] {
            let p = best(&mut || {
                s.plan(&m, Tokens::new(n / r)).unwrap();
            });
            print!(" plan/{r} {p:.1} = {:.2}x", p / (raw + count));
        }
        println!();
    }
}
