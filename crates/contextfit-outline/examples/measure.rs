#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::pedantic
)]
use contextfit_kernel::*;
use contextfit_outline::Outlining;
use contextfit_pipeline::Pipeline;
use serde_json::Value;
use std::sync::Arc;
fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let show: Option<String> = std::env::args().nth(2);
    let text = std::fs::read_to_string(format!("{dir}/dev.localize.jsonl")).unwrap();
    let rows: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let counter = contextfit_text::counter("o200k_base").unwrap();
    let pipeline = Pipeline::new(counter.clone())
        .with_strategy(Outlining::new(Arc::new(contextfit_bm25::Bm25::default())));
    for ratio in [0.10, 0.25, 0.50] {
        let (mut full, mut sig, mut used, mut attempts) = (0.0, 0.0, 0.0, 0);
        let mut by: std::collections::BTreeMap<String, (f64, f64, f64)> = Default::default();
        for t in &rows {
            let content = t["content"].as_str().unwrap();
            let query = format!("{}\n{}", t["query"].as_str().unwrap(), t["query_body"].as_str().unwrap());
            let total = counter.count(content).get();
            let budget = (total as f64 * ratio) as usize;
            let passage = Passage {
                path: Some(t["path"].as_str().unwrap().into()),
                language: Some(t["lang"].as_str().unwrap().into()),
                ..Passage::default()
            };
            let context = Context::new(vec![Block::passage("x", passage, content)]).with_query(query.trim());
            let result = pipeline.fit(&context, &Budget::new(Tokens::new(budget))).unwrap();
            used += result.metrics.tokens_after.get() as f64 / budget as f64;
            attempts += result.stages.iter().map(|s| s.attempts).sum::<usize>();
            let mut keep = vec![false; content.len() + 1];
            if let Some(plan) = result.plan() {
                match &plan.steps[0].action {
                    Action::Cut { pieces } => {
                        for p in pieces {
                            if let Piece::Source(r) = p {
                                keep[r.start()..r.end()].fill(true);
                            }
                        }
                    }
                    Action::Keep => keep.fill(true),
                    _ => {}
                }
            } else {
                keep.fill(true);
            }
            let mut lines = Vec::new();
            let mut at = 0;
            for line in content.split('\n') {
                lines.push(line.trim().is_empty() || keep[at]);
                at += line.len() + 1;
            }
            let ok = t["gold"].as_array().unwrap().iter().all(|g| {
                (g["start"].as_u64().unwrap()..=g["end"].as_u64().unwrap()).all(|l| lines[l as usize - 1])
            });
            let decls = t["decls"].as_array().unwrap();
            let s = decls.iter().filter(|d| lines[d["sig_line"].as_u64().unwrap() as usize - 1]).count()
                as f64
                / decls.len().max(1) as f64;
            full += ok as u8 as f64;
            sig += s;
            let e = by.entry(t["repo"].as_str().unwrap().into()).or_default();
            e.0 += ok as u8 as f64;
            e.1 += s;
            e.2 += 1.0;
            if show.as_deref() == Some(t["id"].as_str().unwrap()) {
                println!("=== {ratio} {}\n{}", query, result.text);
            }
        }
        let n = rows.len() as f64;
        print!(
            "{ratio:.2} function {:.3} signatures {:.3} used {:.3} attempts {:.2} |",
            full / n,
            sig / n,
            used / n,
            attempts as f64 / n
        );
        if show.as_deref() == Some("by") {
            for (k, v) in &by {
                print!(" {} {:.2}/{:.2}", k.split('/').last().unwrap(), v.0 / v.2, v.1 / v.2);
            }
        }
        println!();
    }
}
