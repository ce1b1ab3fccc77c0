//! Question answering: a question, passages to answer it from, and the sentences that do.

use std::collections::HashMap;

use contextfit_kernel::{Block, CompressionResult, Context, Passage, TokenCounter, Tokens};
use serde::Deserialize;

use crate::{
    Base, EvalError, Gold, Input, Item, Kept,
    folder::{Folder, Line, some},
    python::{chars, folded},
};

#[derive(Deserialize)]
struct PassageLine {
    pid: String,
    title: String,
    text: String,
}

#[derive(Deserialize)]
struct QueryLine {
    id: String,
    question: String,
    answers: Vec<String>,
    gold: Vec<Sentence>,
    candidates: Vec<String>,
}

/// Characters `start..end` of a passage.
#[derive(Deserialize)]
struct Sentence {
    pid: String,
    start: usize,
    end: usize,
}

/// The questions of a folder.
pub(crate) fn load(folder: &Folder) -> Result<Vec<Line<Item>>, EvalError> {
    let mut passages = HashMap::new();
    for Line { number, value } in folder.read::<PassageLine>("passages")? {
        if let Some(twice) = passages.insert(value.pid.clone(), value) {
            let message = format!("{:?} is the pid of an earlier passage", twice.pid);
            return Err(folder.malformed("passages", number, "pid", message));
        }
    }
    folder.items("queries", folder.read("queries")?, |query| item(query, &passages))
}

/// The item of `query`; on error, the field and a message.
fn item(query: QueryLine, passages: &HashMap<String, PassageLine>) -> Result<Item, (String, String)> {
    let known = |pid: &str, field: String| {
        passages.get(pid).ok_or_else(|| (field, format!("there is no passage {pid:?}")))
    };
    let mut blocks = Vec::with_capacity(query.candidates.len());
    for (n, pid) in query.candidates.iter().enumerate() {
        let PassageLine { pid, title, text } = known(pid, format!("candidates[{n}]"))?;
        let passage = Passage::default().with_title(title.clone());
        blocks.push(Block::passage(pid, passage, text));
    }
    some("gold", &query.gold)?;
    let mut evidence = Vec::with_capacity(query.gold.len());
    for (n, Sentence { pid, start, end }) in query.gold.iter().enumerate() {
        let field = format!("gold[{n}].pid");
        let text = &known(pid, field.clone())?.text;
        if !query.candidates.contains(pid) {
            let message = format!("passage {pid:?} is not among the {} `candidates`", query.candidates.len());
            return Err((field, message));
        }
        let sentence = chars(text, *start, *end).ok_or_else(|| {
            let length = text.chars().count();
            (
                format!("gold[{n}]"),
                format!("{start}..{end} is not a range of the {length} characters of passage {pid:?}"),
            )
        })?;
        evidence.push(folded(sentence));
    }
    let passages = query.gold.iter().map(|sentence| sentence.pid.clone()).collect();
    let answers = query.answers.iter().map(|answer| folded(answer)).collect();
    let context = Context::new(blocks).with_query(query.question);
    Ok(Item {
        id: query.id,
        input: Input::Passages(context),
        gold: Box::new(Question { evidence, passages, answers }),
    })
}

/// The evidence for a question, folded.
struct Question {
    /// Sentences, all of which are needed.
    evidence: Vec<String>,
    /// The ids of their passages.
    passages: Vec<String>,
    /// Spellings of the answer, one of which suffices.
    answers: Vec<String>,
}

impl Gold for Question {
    /// Titles and texts, each pair with a separating token.
    fn base(&self, context: &Context, counter: &dyn TokenCounter) -> Base {
        let size = |block: &Block| {
            let title = block.as_passage().and_then(|passage| passage.title.as_deref()).unwrap_or_default();
            counter.count(&format!("{title}\n{}", block.text)) + Tokens::new(1)
        };
        Base { fixed: Tokens::ZERO, shared: context.blocks.iter().map(size).sum() }
    }

    fn blocks(&self) -> &[String] {
        &self.passages
    }

    fn judge(&self, _: &Context, result: Option<&CompressionResult>, _: &dyn TokenCounter) -> Kept {
        let Some(result) = result else { return Kept { answer: Some(false), ..Kept::default() } };
        let shown = folded(&result.text);
        let kept = self.evidence.iter().filter(|sentence| shown.contains(sentence.as_str())).count();
        let answer = Some(self.answers.iter().any(|answer| shown.contains(answer.as_str())));
        Kept { answer, ..Kept::of(kept, self.evidence.len()) }
    }
}
