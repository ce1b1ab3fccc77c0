//! `eval`.

use std::fs;

use tempfile::TempDir;

use crate::run::{Ran, run, tree};

/// A question data set and a code data set.
fn data() -> TempDir {
    let text = |n: usize| {
        format!("Station {n} opened in 18{n}0. It has {n} platforms and one hall. Its clock is famous.")
    };
    let passages: String = (1..10)
        .map(|n| format!("{{\"pid\": \"p{n}\", \"title\": \"Station {n}\", \"text\": \"{}\"}}\n", text(n)))
        .collect();
    let queries: String = (1..10)
        .map(|n| {
            let candidates: Vec<String> = (1..10).map(|n| format!("\"p{n}\"")).collect();
            format!(
                "{{\"id\": \"q{n}\", \"question\": \"How many platforms has station {n}?\", \"answers\": [\"{n} platforms\"], \
                 \"gold\": [{{\"pid\": \"p{n}\", \"start\": 26, \"end\": 60}}], \"candidates\": [{}]}}\n",
                candidates.join(", ")
            )
        })
        .collect();
    let code: String = (1..30).map(|n| format!("fn f{n}() {{\\n    call({n});\\n}}\\n")).collect();
    let commit = format!(
        "{{\"id\": \"c1\", \"path\": \"a.rs\", \"lang\": \"rust\", \"query\": \"call f1 again\", \"query_body\": \"\", \
         \"content\": \"{code}\", \"gold\": [{{\"start\": 1, \"end\": 3}}], \"decls\": [{{\"sig_line\": 1}}, {{\"sig_line\": 4}}]}}\n"
    );
    tree(&[
        ("stations/dev.passages.jsonl", passages.as_bytes()),
        ("stations/dev.queries.jsonl", queries.as_bytes()),
        ("commits/dev.localize.jsonl", commit.as_bytes()),
    ])
}

/// The output without the rates, which depend on the machine.
fn untimed(ran: &Ran) -> String {
    let rates = |line: &str| match line.trim_end().rsplit_once("  ") {
        Some((figures, _)) => format!("{}\n", figures.trim_end()),
        None => format!("{line}\n"),
    };
    let out: String = ran.out.lines().map(rates).collect();
    Ran { code: ran.code, out, err: ran.err.clone() }.told()
}

#[test]
fn a_table_of_what_is_kept() {
    let data = data();
    let args = ["eval", "stations", "commits", "-s", "head", "-s", "whole-chunks-bm25", "--budget", "20%"];
    insta::assert_snapshot!(untimed(&run(data.path(), &args, "")));
}

#[test]
fn the_regret_of_auto() {
    let data = data();
    let ran = |strategies: &[&str]| {
        let flags = strategies.iter().flat_map(|strategy| ["-s", strategy]);
        let args: Vec<&str> = ["eval", "stations", "-b", "20%"].into_iter().chain(flags).collect();
        run(data.path(), &args, "").err
    };
    let told = "regret of auto on stations: 0.0 % at 20 % (bm25)";
    assert!(ran(&["auto", "bm25", "metadata-only", "head"]).contains(told));
    for none in [&["auto", "head"][..], &["bm25"]] {
        assert!(!ran(none).contains("regret"), "{none:?}");
    }
}

#[test]
fn figures_and_picture() {
    let data = data();
    let args = [
        "eval",
        "stations",
        "--limit",
        "5",
        "--json",
        "figures.json",
        "--plot",
        "kept.svg",
        "--items",
        "items.jsonl",
    ];
    let ran = run(data.path(), &args, "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let read = |name: &str| fs::read_to_string(data.path().join(name)).unwrap();
    let json: serde_json::Value = serde_json::from_str(&read("figures.json")).unwrap();
    assert_eq!(
        json["datasets"],
        serde_json::json!([{"name": "stations", "kind": "qa", "split": "dev", "n": 5}])
    );
    let figures = json["figures"].as_array().unwrap();
    let named = |strategy: &str| figures.iter().filter(|row| row["strategy"] == strategy).collect::<Vec<_>>();
    for strategy in ["auto", "head", "head-per-chunk", "whole-chunks-bm25", "okapi-sentences"] {
        let budgets: Vec<&serde_json::Value> = named(strategy).iter().map(|row| &row["budget"]).collect();
        assert_eq!(budgets, [0.1, 0.25, 0.5], "{strategy}");
    }
    assert_eq!(figures.len(), 15);
    let items: Vec<serde_json::Value> =
        read("items.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(items.len(), 5 * figures.len());
    for row in figures {
        let same = |item: &&serde_json::Value| {
            ["dataset", "strategy", "budget"].iter().all(|key| item[key] == row[key])
        };
        let of_row: Vec<f64> =
            items.iter().filter(same).map(|item| item["fraction"].as_f64().unwrap()).collect();
        assert_eq!(of_row.len(), 5);
        let mean = of_row.iter().sum::<f64>() / 5.0;
        assert!((mean - row["evidenceFraction"]["mean"].as_f64().unwrap()).abs() < 1e-9, "{row}");
    }
    assert!(
        items[0]["id"].is_string() && items[0]["tokensAfter"].as_u64() <= items[0]["budgetTokens"].as_u64()
    );
    for row in figures {
        assert_eq!(
            (&row["n"], &row["evidenceAll"]["n"], &row["overBudget"]),
            (&5.into(), &5.into(), &0.into())
        );
        assert!(row["tokensPerSecond"].as_f64().unwrap() >= 0.0 && row.get("signatures").is_none(), "{row}");
    }
    let picture = read("kept.svg");
    assert!(picture.starts_with("<svg ") && picture.contains("stations (n = 5)"), "{picture}");
}

#[test]
fn our_strategies_are_those_of_search() {
    let data = data();
    let ran = run(data.path(), &["eval", "commits", "-s", "all", "-b", "0.5", "--json", "figures.json"], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let json: serde_json::Value =
        serde_json::from_slice(&fs::read(data.path().join("figures.json")).unwrap()).unwrap();
    let rows = json["figures"].as_array().unwrap();
    let commit: serde_json::Value =
        serde_json::from_slice(&fs::read(data.path().join("commits/dev.localize.jsonl")).unwrap()).unwrap();
    let count = |text: &str| run(data.path(), &["count"], text).out.trim().parse::<usize>().unwrap();
    let budget = count(commit["content"].as_str().unwrap()) / 2;
    for strategy in ["auto", "smart-truncation", "incremental"] {
        let request = serde_json::json!({
            "query": commit["query"], "budget": budget, "strategy": strategy,
            "chunks": [{"id": "c1", "path": "a.rs", "language": "rust", "text": commit["content"]}],
        });
        let answer = run(data.path(), &["search"], request.to_string());
        let answer: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
        let metrics = |name: &str| answer["metrics"][name].as_f64().unwrap();
        let row = rows.iter().find(|row| row["strategy"] == strategy).unwrap();
        assert_eq!(row["outputRatio"], metrics("tokensAfter") / metrics("tokensBefore"), "{strategy}");
        let kept = answer["context"].as_str().unwrap().contains("fn f1() {\n    call(1);\n}\n");
        assert_eq!(row["evidenceAll"]["mean"], if kept { 1.0 } else { 0.0 }, "{strategy}");
    }
}

/// A conversation of thirty turns, one of which answers the question, and an agent run.
fn conversations() -> TempDir {
    let turn = |n: usize| {
        let text = match n {
            7 => "I bought a sextant in Lisbon.".to_owned(),
            _ => format!("Nothing much happened on day {n} of the trip, we only walked."),
        };
        format!("{{\"id\": \"D1:{n}\", \"speaker\": \"Ada\", \"text\": \"{text}\"}}")
    };
    let turns: Vec<String> = (1..=30).map(turn).collect();
    let talk = format!(
        "{{\"conv_id\": \"c1\", \"sessions\": [{{\"date\": \"1 May\", \"turns\": [{}]}}]}}\n",
        turns.join(", ")
    );
    let query = "{\"id\": \"q1\", \"conv_id\": \"c1\", \"question\": \"Where was the sextant bought?\", \
                 \"adversarial\": false, \"evidence\": [\"D1:7\"]}\n";
    let output: String = (1..40).map(|n| format!("reservation R{n}: open\\n")).collect();
    let run = format!(
        "{{\"id\": \"r1\", \"messages\": [{{\"role\": \"system\", \"content\": \"Be brief.\"}}, \
         {{\"role\": \"user\", \"content\": \"What is open?\"}}, \
         {{\"role\": \"assistant\", \"content\": null, \"tool_calls\": [{{\"id\": \"c1\", \"type\": \"function\", \
         \"function\": {{\"name\": \"list\", \"arguments\": \"{{}}\"}}}}]}}, \
         {{\"role\": \"tool\", \"tool_call_id\": \"c1\", \"content\": \"{output}\"}}, \
         {{\"role\": \"user\", \"content\": \"And the first?\"}}], \
         \"eval_points\": [{{\"cut\": 5, \"gold\": [{{\"value\": \"R1\", \"seen_in\": [3]}}]}}]}}\n"
    );
    tree(&[
        ("talk/dev.conversations.jsonl", talk.as_bytes()),
        ("talk/dev.queries.jsonl", query.as_bytes()),
        ("agent/dev.trajectories.jsonl", run.as_bytes()),
        ("commits/dev.localize.jsonl", b"{\"id\": \"c1\", \"path\": \"a.rs\", \"lang\": \"rust\", \"query\": \"a\", \"query_body\": \"\", \"content\": \"fn a() {}\\n\", \"gold\": [{\"start\": 1, \"end\": 1}], \"decls\": []}\n"),
    ])
}

#[test]
fn conversations_are_measured_with_the_strategies_of_chat() {
    let data = conversations();
    let args = ["eval", "talk", "agent", "-s", "all", "--budget", "30%", "--json", "figures.json"];
    let ran = run(data.path(), &args, "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let json: serde_json::Value =
        serde_json::from_slice(&fs::read(data.path().join("figures.json")).unwrap()).unwrap();
    let rows = json["figures"].as_array().unwrap();
    let row = |dataset: &str, strategy: &str| {
        let found = rows.iter().find(|row| row["dataset"] == dataset && row["strategy"] == strategy);
        found.unwrap_or_else(|| panic!("{dataset}, {strategy}"))
    };
    for (dataset, baselines) in [
        ("talk", ["recent-turns", "trim-messages", "bm25-turns"]),
        ("agent", ["recent-turns", "trim-messages", "cut-tool-outputs"]),
    ] {
        for strategy in baselines.into_iter().chain(["auto", "sliding-window", "hierarchical"]) {
            let row = row(dataset, strategy);
            assert_eq!((&row["overBudget"], &row["errors"]), (&0.into(), &0.into()), "{row}");
        }
    }
    let kept = |dataset: &str, strategy: &str| row(dataset, strategy)["evidenceFraction"]["mean"].clone();
    assert_eq!(
        ["recent-turns", "bm25-turns", "hierarchical"].map(|strategy| kept("talk", strategy)),
        [0.0, 1.0, 1.0]
    );
    // The model has not read this output yet, so every strategy shows it.
    assert_eq!(["recent-turns", "cut-tool-outputs"].map(|strategy| kept("agent", strategy)), [1.0, 1.0]);
    assert_eq!(row("agent", "hierarchical")["invalid"], 0);
    let trimmed = row("agent", "trim-messages");
    assert_eq!(trimmed["wholeUnits"], trimmed["evidenceFraction"]);
    assert_eq!((&trimmed["fragments"], trimmed.get("userWords")), (&0.0.into(), None));
    assert!(row("talk", "hierarchical").get("invalid").is_none());
}

#[test]
fn sessions_say_what_is_left_of_the_users_words() {
    let session = serde_json::json!({
        "id": "s1",
        "messages": [
            {"role": "user", "content": "Look into task 154."},
            {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function":
                {"name": "run", "arguments": "{\"command\": \"grep -rn 154 doc/tasks | sort | head -n 20\"}"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "154: the parser loses the last line of a file\n".repeat(20)},
            {"role": "user", "content": "Then fix that."},
        ],
        "eval_points": [{"cut": 4, "gold": [{"value": "154", "seen_in": [0, 1, 2]}]}],
    });
    let data = tree(&[("sessions/dev.trajectories.jsonl", format!("{session}\n").as_bytes())]);
    let args = ["eval", "sessions", "-s", "recent-turns", "-b", "50%", "-b", "1", "--json", "figures.json"];
    insta::assert_snapshot!(untimed(&run(data.path(), &args, "")));
    let json: serde_json::Value =
        serde_json::from_slice(&fs::read(data.path().join("figures.json")).unwrap()).unwrap();
    assert_eq!(json["datasets"][0]["kind"], "session");
    let words = |n: usize| json["figures"][n]["userWords"]["mean"].clone();
    assert_eq!([words(0), words(1)], [0.0, 1.0]);
}

#[test]
fn strategies_of_the_other_kind_are_refused() {
    let data = conversations();
    let mut told = String::new();
    for args in [
        ["eval", "talk", "-s", "bm25"],
        ["eval", "agent", "-s", "bm25-turns"],
        ["eval", "commits", "-s", "sliding-window"],
        ["eval", "talk", "-s", "hybrids"],
    ] {
        let ran = run(data.path(), &args, "");
        told.push_str(&format!("$ contextfit {}\n[{}] {}\n", args.join(" "), ran.code, ran.err));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn wrong_usage_and_data() {
    let data = data();
    fs::create_dir(data.path().join("empty")).unwrap();
    fs::create_dir(data.path().join("broken")).unwrap();
    fs::write(data.path().join("broken/dev.localize.jsonl"), "{\"id\": \"c1\", \"path\": 7}\n").unwrap();
    let mut told = String::new();
    for args in [
        &["eval"][..],
        &["eval", "nowhere"],
        &["eval", "empty"],
        &["eval", "broken"],
        &["eval", "stations", "--split", "test"],
        &["eval", "stations", "--budget", "110%"],
        &["eval", "stations", "--strategy", "heads"],
        &["eval", "stations", "--tokenizer", "o100k"],
        &["eval", "commits", "-s", "head", "--json", "no/such/folder.json"],
    ] {
        let ran = run(data.path(), args, "");
        assert_eq!(ran.out, "", "{args:?}");
        told.push_str(&format!("$ contextfit {}\n[{}] {}\n", args.join(" "), ran.code, ran.err));
    }
    insta::assert_snapshot!(told);
}

/// Of outputs, the rows with their features, and which of them state each fact.
#[test]
fn rows_that_state_facts() {
    let tree = data();
    let lines: String =
        (0..40).map(|n| format!("12:00:{n:02} INFO shop: request {n} took {n} ms\n")).collect();
    let case = serde_json::json!({
        "id": "shop", "question": "Which port is taken?", "text": format!("{lines}error: disk full\n\nport 80 is in use\n"),
        "facts": [{"kind": "S", "must": ["disk", "full"], "span": 20}, {"kind": "Q", "must": ["port 80"], "span": 20}],
    });
    fs::create_dir(tree.path().join("logs")).unwrap();
    fs::write(tree.path().join("logs/dev.cases.jsonl"), case.to_string() + "\n").unwrap();
    let ran = run(tree.path(), &["eval", "logs", "--features", "rows.jsonl"], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = fs::read_to_string(tree.path().join("rows.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (names, outputs) = lines.split_first().unwrap();
    let width = names["names"].as_array().unwrap().len() + 1;
    let read = outputs.iter().map(|output| (&output["id"], &output["source"], &output["facts"]));
    // The blank line is no row.
    let expect = [
        (&"shop".into(), &"logs/shop".into(), &serde_json::json!([[[40]]])),
        (&"shop asked".into(), &"logs/shop".into(), &serde_json::json!([[[41]]])),
    ];
    assert_eq!(read.collect::<Vec<_>>(), expect);
    for output in outputs {
        let rows = output["rows"].as_array().unwrap();
        assert!(
            rows.len() == 42 && rows.iter().all(|row| row.as_array().unwrap().len() == width),
            "{output}"
        );
    }
    let focus = |n: usize| outputs[n]["rows"][41][0].as_i64();
    assert_eq!((focus(0), focus(1)), (Some(0), Some(100)));
    let ran = run(tree.path(), &["eval", "logs", "stations", "--features", "rows.jsonl"], "");
    assert!(ran.code == 2 && ran.err.contains("in a call of their own"), "{}", ran.err);
}
