//! Uses the turns of labelled conversations (LoCoMo) as memories and measures how many of the turns that answer a
//! question are shown.

use std::{collections::HashMap, fs, path::Path};

use contextfit::{
    Tokens,
    memory::MemoryRecord,
    memory::{FitOptions, MemoryCompressor, PackingMode},
};
use serde_json::Value;

/// One in this many questions is asked.
const EVERY: usize = 5;

/// Prints, for each budget and mode, the share of questions whose evidence is shown completely. A turn counts as shown
/// if its whole text is shown.
pub(crate) fn evidence(compressor: &MemoryCompressor, folder: &Path) {
    let lines = |name: &str| {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let mut conversations: HashMap<String, Vec<MemoryRecord>> = HashMap::new();
    for conversation in lines("dev.conversations.jsonl") {
        let id = text(&conversation["conv_id"]);
        let sessions = conversation["sessions"].as_array().unwrap().iter();
        let turns = sessions.flat_map(|session| session["turns"].as_array().unwrap());
        conversations.insert(id, turns.map(turn).collect());
    }
    let questions = lines("dev.queries.jsonl");
    let questions: Vec<&Value> = questions
        .iter()
        .filter(|question| {
            question["adversarial"] != true && !question["evidence"].as_array().unwrap().is_empty()
        })
        .step_by(EVERY)
        .collect();
    println!("\nconversations: {} questions\n", questions.len());
    println!("| budget | Cortex greedy | optimal |\n|---|---:|---:|");
    for percent in [2, 5, 10] {
        let share = |mode| {
            let kept = questions
                .iter()
                .filter(|question| all_kept(compressor, &conversations, question, percent, mode));
            100.0 * kept.count() as f64 / questions.len() as f64
        };
        println!(
            "| {percent} % | {:.1} % | {:.1} % |",
            share(PackingMode::InTurn),
            share(PackingMode::Optimal)
        );
    }
}

fn turn(turn: &Value) -> MemoryRecord {
    let knowledge = [text(&turn["speaker"]), text(&turn["text"])].join(": ");
    MemoryRecord::new(text(&turn["id"]), "turn").with_knowledge(knowledge)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Whether every turn of the question's evidence is shown in `percent` of the conversation's tokens.
fn all_kept(
    compressor: &MemoryCompressor,
    conversations: &HashMap<String, Vec<MemoryRecord>>,
    question: &Value,
    percent: usize,
    mode: PackingMode,
) -> bool {
    let memories = &conversations[&text(&question["conv_id"])];
    let query = text(&question["question"]);
    let tokens = whole_tokens(compressor, memories);
    let options = FitOptions::default().with_mode(mode).with_query(&query);
    let budget = Tokens::new(tokens * percent / 100);
    let batch = compressor.compress_batch_to_fit(memories, budget, &options).unwrap();
    let shown: HashMap<&str, &str> =
        batch.memories.iter().map(|memory| (memory.id(), memory.text.as_str())).collect();
    let known: HashMap<&str, &MemoryRecord> =
        memories.iter().map(|memory| (memory.id.as_str(), memory)).collect();
    question["evidence"].as_array().unwrap().iter().all(|id| {
        let id = id.as_str().unwrap_or_default();
        known.get(id).is_none_or(|memory| shown.get(id).is_some_and(|text| text.contains(&memory.knowledge)))
    })
}

/// Tokens of the memories' texts.
fn whole_tokens(compressor: &MemoryCompressor, memories: &[MemoryRecord]) -> usize {
    memories.iter().map(|memory| compressor.compress(memory, contextfit::Level::Full).tokens().get()).sum()
}
