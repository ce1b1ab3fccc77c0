//! Models whose tokenizer has a stand-in: budgets are in the model's tokens, and estimates are marked as such.

use serde_json::{Value, json};

use crate::run::{run, tree};

const TEXT: &str = "The gateway answers 504 when it is slow. Retry payments with an idempotency key.\n";

/// Runs `command` on `input` with a budget of 400 tokens for `model`, which is `safe` tokens of the stand-in, and
/// checks the figures in its output, its report, and one line of `--jsonl` if the command has it.
#[track_caller]
fn check(command: &[&str], input: &Value, model: &str, factor: f64, safe: u64) {
    let line = input.to_string();
    let folder = tree(&[("in.json", line.as_bytes()), ("src/a.md", TEXT.repeat(60).as_bytes())]);
    let budget = ["-b", "400", "--model", model];
    let args = [command, &budget, &["--report", "report.json"]].concat();
    let ran = run(folder.path(), &args, "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let report = parse(&std::fs::read_to_string(folder.path().join("report.json")).unwrap());
    assert_eq!(report["budget"]["limit"], safe);
    let mut answers = vec![parse(&ran.out), report];
    if command.contains(&"in.json") {
        let name = [command.first().copied().unwrap(), "--jsonl", "in.json"];
        answers.push(parse(&run(folder.path(), &[&name[..], &budget].concat(), "").out));
    }
    for answer in &answers {
        let (metrics, estimate) = (&answer["metrics"], &answer["estimate"]);
        let after = metrics["tokensAfter"].as_u64().unwrap();
        assert!(after > 0 && after <= safe, "{answer}");
        assert_eq!(estimate["tokensAfter"], (after as f64 * factor).ceil() as u64, "{estimate}");
        assert!(estimate["tokensAfter"].as_u64() <= Some(400), "{estimate}");
        assert_eq!((&estimate["model"], &estimate["factor"]), (&json!(model), &json!(factor)));
        assert!(estimate["source"][0].as_str().unwrap().starts_with("https://"), "{estimate}");
    }
    if let Some(cost) = answers.iter().find_map(|answer| answer.get("cost")) {
        let price = cost["inputPrice"].as_f64().unwrap() * factor / 1e6;
        let saved = answers[0]["metrics"]["tokensSaved"].as_f64().unwrap() * price;
        assert!((cost["saved"].as_f64().unwrap() - saved).abs() < 1e-9, "{cost}");
        assert_eq!(cost["estimated"]["factor"], factor, "{cost}");
    }
    let after = &answers[0]["estimate"]["tokensAfter"];
    let told = format!("of {safe} tokens (o200k_base) · {after} for {model} (estimated, x{factor:.2})");
    assert!(ran.err.contains(&told), "{}", ran.err);
    assert!(ran.err.contains("is assumed to use up to"), "{}", ran.err);
}

#[test]
fn budgets_are_by_the_count_of_the_model() {
    let messages: Vec<Value> = (0..40)
        .map(|n| json!({"role": if n % 2 == 0 { "user" } else { "assistant" }, "content": format!("{n}: {TEXT}")}))
        .collect();
    let chunks = json!([{"id": "c1", "text": TEXT.repeat(60)}]);
    let memories: Vec<Value> =
        (0..40).map(|n| json!({"id": n.to_string(), "importance": "normal", "knowledge": TEXT})).collect();
    for (model, factor, safe) in
        [("claude-sonnet-4-5", 1.35, 296), ("claude-opus-5", 1.8, 222), ("gemini-2.5-pro", 1.4, 285)]
    {
        check(&["chat", "in.json", "--answer"], &json!({ "messages": messages }), model, factor, safe);
        check(&["search", "in.json"], &json!({ "chunks": chunks }), model, factor, safe);
        check(&["files", "src", "--json"], &json!({}), model, factor, safe);
        check(&["memory", "in.json"], &json!({ "memories": memories }), model, factor, safe);
    }
}

#[test]
fn exact_counts_are_not_estimated() {
    let folder = tree(&[("a.md", TEXT.repeat(60).as_bytes())]);
    let ran = run(folder.path(), &["files", "a.md", "--json", "-b", "400", "--model", "gpt-4o"], "");
    assert!(!ran.err.contains("estimated") && !ran.out.contains("estimate"), "{}", ran.err);
}
