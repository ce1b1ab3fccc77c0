//! The details of a memory at level 2: sentences, the best example, the most certain evidence.

use std::{cmp::Reverse, collections::HashSet};

use contextfit_kernel::{CodeSnippet, Evidence, MemoryRecord, TokenCounter, Tokens};
use contextfit_text::{tally, words};

use crate::{
    Details, Level1Output,
    render::{Note, extract},
};

/// The maximum number of pieces of evidence at level 2.
const EVIDENCE: usize = 2;

/// The details that level 2 adds to `gist`, within `max` tokens for the whole text, and the language of its example.
///
/// The knowledge gets two thirds of the maximum if there is an example or evidence, otherwise all of it. Then come the
/// [best example](by_worth) that fits and the evidence that fits, most certain first. Any remainder goes back to the
/// knowledge, whose units end at `ends`. Linear in the length of the memory.
pub(crate) fn details<'m>(
    memory: &'m MemoryRecord,
    note: &Note<'_>,
    gist: &Level1Output,
    ends: &[usize],
    max: Tokens,
    counter: &dyn TokenCounter,
) -> (Details, &'m str) {
    let fits = |details: &Details, language: &str| {
        counter.count(&extract(memory, note, gist, details, language)) <= max
    };
    let alone = memory.examples.is_empty() && memory.evidence.is_empty();
    let share = if alone { max } else { Tokens::new(max.get() / 3 * 2) };
    let mut kept = fitting(&memory.knowledge, ends, share, counter);
    let mut details = Details { knowledge: first_sentences(memory, ends, kept), ..Details::default() };
    // The heading and the marker are not counted yet.
    while kept > 0 && !fits(&details, "") {
        kept -= 1;
        details.knowledge = first_sentences(memory, ends, kept);
    }
    let mut language = "";
    for example in by_worth(memory) {
        details.example = Some(example.code.clone());
        if fits(&details, &example.language) {
            language = &example.language;
            break;
        }
        details.example = None;
    }
    for evidence in surest(&memory.evidence) {
        details.evidence.push(evidence.description.clone());
        if !fits(&details, language) {
            details.evidence.pop();
        }
    }
    while kept < ends.len() {
        kept += 1;
        let knowledge = first_sentences(memory, ends, kept);
        let before = std::mem::replace(&mut details.knowledge, knowledge);
        if !fits(&details, language) {
            details.knowledge = before;
            break;
        }
    }
    (details, language)
}

/// The number of first units of `text` that take at most `max` tokens. Text far beyond them is not counted.
fn fitting(text: &str, ends: &[usize], max: Tokens, counter: &dyn TokenCounter) -> usize {
    let mut read = 8;
    loop {
        let first = ends.get(..read).unwrap_or(ends);
        let end = first.last().copied().unwrap_or(0);
        let units = tally(counter, text.get(..end).unwrap_or(text), first);
        let kept = units.partition_point(|unit| unit.tokens_through <= max);
        if kept < first.len() || read >= ends.len() {
            return kept;
        }
        read *= 2;
    }
}

/// The first `kept` sentences of the knowledge, and a line with the number left out.
fn first_sentences(memory: &MemoryRecord, ends: &[usize], kept: usize) -> String {
    let missing = match ends.len().saturating_sub(kept) {
        0 => return memory.knowledge.clone(),
        1 => "[... 1 sentence]".into(),
        missing => format!("[... {missing} sentences]"),
    };
    let end = kept.checked_sub(1).and_then(|last| ends.get(last)).copied().unwrap_or(0);
    match memory.knowledge.get(..end).unwrap_or_default().trim_end() {
        "" => missing,
        shown => [shown, "\n", &missing].concat(),
    }
}

/// The examples, best first: those that share the most words with summary, tags and knowledge, then those with an
/// explanation, then the shorter, then the earlier ones. Examples without code are ignored.
fn by_worth(memory: &MemoryRecord) -> Vec<&CodeSnippet> {
    let mut examples: Vec<&CodeSnippet> =
        memory.examples.iter().filter(|example| !example.code.trim().is_empty()).collect();
    if examples.len() > 1 {
        let said = [&memory.summary, &memory.knowledge].into_iter().chain(&memory.tags);
        let said: HashSet<String> = said.flat_map(|text| words(text)).map(str::to_lowercase).collect();
        let shared = |example: &CodeSnippet| {
            let own = words(&example.code).chain(words(&example.explanation)).map(str::to_lowercase);
            own.filter(|word| said.contains(word)).collect::<HashSet<_>>().len()
        };
        examples.sort_by_cached_key(|example| {
            (Reverse(shared(example)), example.explanation.trim().is_empty(), example.code.len())
        });
    }
    examples
}

/// The most certain [`EVIDENCE`] pieces, highest confidence first, ties in order, those without a confidence last.
fn surest(evidence: &[Evidence]) -> Vec<&Evidence> {
    let mut order: Vec<&Evidence> = evidence.iter().filter(|piece| !piece.description.is_empty()).collect();
    let sure = |piece: &Evidence| piece.confidence.filter(|sure| !sure.is_nan()).unwrap_or(f64::NEG_INFINITY);
    order.sort_by(|a, b| sure(b).total_cmp(&sure(a)));
    order.truncate(EVIDENCE);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_example(summary: &str, examples: &[(&str, &str)], expect: &[&str]) {
        let snippet = |&(code, explanation): &(&str, &str)| CodeSnippet {
            language: String::new(),
            code: code.into(),
            explanation: explanation.into(),
        };
        let memory = MemoryRecord::default()
            .with_summary(summary)
            .with_examples(examples.iter().map(snippet).collect());
        let order: Vec<&str> = by_worth(&memory).iter().map(|example| &*example.code).collect();
        assert_eq!(order, expect);
    }

    #[test]
    fn the_best_example_speaks_of_what_the_memory_says() {
        check_example("", &[], &[]);
        check_example(
            "use the retry budget",
            &[("a()", ""), ("retry(budget)", "")],
            &["retry(budget)", "a()"],
        );
        check_example("x", &[("longer()", ""), ("b()", ""), ("a()", "why")], &["a()", "b()", "longer()"]);
        check_example("令牌预算", &[("a()", ""), ("b() // 预算", "")], &["b() // 预算", "a()"]);
        check_example("", &[(" ", "no code"), ("b()", "")], &["b()"]);
    }

    #[track_caller]
    fn check_evidence(confidences: &[Option<f64>], expect: &[usize]) {
        let evidence: Vec<Evidence> = (0..confidences.len())
            .map(|n| Evidence { description: n.to_string(), confidence: confidences[n] })
            .collect();
        let found: Vec<usize> =
            surest(&evidence).iter().map(|piece| piece.description.parse().unwrap()).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn the_surest_evidence_comes_first() {
        check_evidence(&[], &[]);
        check_evidence(&[Some(0.2), Some(0.9), Some(0.5)], &[1, 2]);
        check_evidence(&[None, Some(0.1), Some(f64::NAN), Some(0.1)], &[1, 3]);
    }
}
