//! Compression by a language model: the division into calls, the prompt, and the check of the answers.

use std::{collections::HashSet, sync::Arc};

use async_trait::async_trait;
use contextfit_kernel::{
    Chunk, ChunkCompressor, ChunkOutcome, CompletionRequest, CompressedChunk, KeptBecause, LlmProvider,
    TokenCounter, Tokens,
};
use contextfit_text::{Fence, Judge, Language, Shape, unit_ends};
use futures_util::{StreamExt as _, stream};
use tracing::debug;

/// Tokens allowed for the lines around one text of an answer.
const FRAME_LINES_TOKENS: Tokens = Tokens::new(32);

/// Options of an [`LlmCompressor`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LlmCompressorOptions {
    /// The maximum tokens of one answer. Default: 2,000.
    pub max_tokens: Tokens,
    /// The target length of a chunk as a share of the original, which answers may exceed. Default: 0.3.
    pub ratio: f64,
    /// The maximum number of chunks in one call. Default: 4.
    pub batch: usize,
    /// The maximum tokens of the chunks in one call. A larger chunk is shortened piece by piece. Default: 8,000.
    pub batch_tokens: Tokens,
    /// The maximum number of concurrent calls. Default: 4.
    pub concurrency: usize,
}

impl Default for LlmCompressorOptions {
    fn default() -> Self {
        let (max_tokens, batch_tokens) = (Tokens::new(2_000), Tokens::new(8_000));
        Self { max_tokens, ratio: 0.3, batch: 4, batch_tokens, concurrency: 4 }
    }
}

/// Shortens chunks with a language model, several in one call.
///
/// An answer is accepted for a chunk only if it is shorter, not empty, complete, has every signature of the chunk (in
/// the languages known to [`contextfit_text::Language`], by the chunk's path), and passes the [`Judge`] as a
/// replacement. Otherwise the chunk is kept unchanged, with the reason; of a divided chunk, only the rejected piece is.
/// Chunks are passed to the model as data: see [`Fence`].
///
/// Timeouts and retries are left to the provider: wrap it in a [`Retry`](crate::Retry).
#[derive(Debug)]
pub struct LlmCompressor<P> {
    provider: P,
    counter: Arc<dyn TokenCounter>,
    options: LlmCompressorOptions,
    judge: Judge,
}

impl<P: LlmProvider> LlmCompressor<P> {
    /// The version of the prompt, which is a part of cache keys because other words give other answers.
    pub const PROMPT_VERSION: &str = "1";

    /// A compressor that calls `provider` and counts with `counter`.
    pub fn new(provider: P, counter: Arc<dyn TokenCounter>, options: LlmCompressorOptions) -> Self {
        Self { provider, counter, options, judge: Judge::new() }
    }

    /// Sets the judge of answers, such as one with an embedding model.
    #[must_use]
    pub fn with_judge(mut self, judge: Judge) -> Self {
        self.judge = judge;
        self
    }

    /// The target length of a chunk of `tokens`.
    fn target(&self, tokens: Tokens) -> Tokens {
        let target = (tokens.get() as f64 * self.options.ratio.clamp(0.0, 1.0)).ceil() as usize;
        Tokens::new(target.max(1)).min(self.options.max_tokens)
    }

    /// `chunk` with its token count; if that exceeds a call's limit, its pieces: whole sentences or lines.
    fn pieces<'a>(&self, chunk: &Chunk<'a>) -> Vec<(Chunk<'a>, Tokens)> {
        let (tokens, most) = (self.counter.count(chunk.text), self.options.batch_tokens.get().max(1));
        if tokens.get() <= most {
            return vec![(*chunk, tokens)];
        }
        let shape = chunk.path.and_then(Language::of_path).map_or(Shape::Prose, |_| Shape::Code);
        let size = (chunk.text.len() / tokens.get().div_ceil(most)).max(1);
        let (mut pieces, mut start, mut last) = (Vec::new(), 0, 0);
        let mut cut = |from: usize, to: usize| {
            let piece = Chunk { text: chunk.text.get(from..to).unwrap_or_default(), ..*chunk };
            pieces.push((piece, self.counter.count(piece.text)));
        };
        for end in unit_ends(chunk.text, shape) {
            if end - start > size && last > start {
                cut(start, last);
                start = last;
            }
            last = end;
        }
        cut(start, last);
        pieces
    }

    /// `chunk` reassembled from its pieces. Pieces that were not shortened are unchanged.
    fn joined(&self, chunk: &Chunk<'_>, mut pieces: Vec<CompressedChunk>) -> CompressedChunk {
        if pieces.len() == 1
            && let Some(whole) = pieces.pop()
        {
            return whole;
        }
        let kept = pieces.iter().find_map(|piece| match &piece.outcome {
            ChunkOutcome::Kept(because) => Some(because.clone()),
            ChunkOutcome::Shortened { .. } => None,
        });
        let is_shorter = pieces.iter().any(|piece| matches!(piece.outcome, ChunkOutcome::Shortened { .. }));
        match kept.filter(|_| !is_shorter) {
            Some(because) => CompressedChunk::kept(chunk, because),
            None => {
                let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.trim_end()).collect();
                let text = texts.join("\n");
                let (before, after) = (self.counter.count(chunk.text), self.counter.count(&text));
                match after < before {
                    true => CompressedChunk { text, outcome: ChunkOutcome::Shortened { before, after } },
                    false => CompressedChunk::kept(chunk, KeptBecause::NotShorter { before, after }),
                }
            }
        }
    }

    async fn ask(&self, batch: Vec<(Chunk<'_>, Tokens)>) -> Vec<CompressedChunk> {
        let texts: Vec<&str> = batch.iter().map(|(chunk, _)| chunk.text).collect();
        let fence = Fence::around(&texts);
        let targets: Vec<(&str, Tokens)> =
            batch.iter().map(|(chunk, tokens)| (chunk.text, self.target(*tokens))).collect();
        // An answer as long as the texts would be rejected.
        let room: Tokens = batch.iter().map(|(_, tokens)| *tokens + FRAME_LINES_TOKENS).sum();
        let request = request(&fence, &targets, room.min(self.options.max_tokens));
        let answer = match self.provider.complete(&request).await {
            Ok(answer) => answer,
            Err(error) => {
                let error = Arc::new(error);
                let failed = |(chunk, _): &(Chunk<'_>, Tokens)| {
                    CompressedChunk::kept(chunk, KeptBecause::Failed(Arc::clone(&error)))
                };
                return batch.iter().map(failed).collect();
            }
        };
        let alone = batch.len() == 1;
        let judged = batch.iter().enumerate().map(|(at, (chunk, tokens))| {
            let part = match fence.find(&answer.text, at + 1) {
                Some(part) => part,
                None if answer.truncated => return CompressedChunk::kept(chunk, KeptBecause::Truncated),
                // A single text needs no lines around it.
                None if alone && !answer.text.contains(fence.name()) => answer.text.as_str(),
                None => return CompressedChunk::kept(chunk, KeptBecause::Garbled),
            };
            self.judged(chunk, *tokens, part)
        });
        judged.collect()
    }

    /// Accepts `answer` in place of `chunk`, which has `before` tokens, if it is not empty, is shorter, has every
    /// signature, and passes the judge.
    fn judged(&self, chunk: &Chunk<'_>, before: Tokens, answer: &str) -> CompressedChunk {
        let text = answer.trim();
        if text.is_empty() {
            return CompressedChunk::kept(chunk, KeptBecause::Empty);
        }
        let after = self.counter.count(text);
        if after >= before || text.len() >= chunk.text.len() {
            return CompressedChunk::kept(chunk, KeptBecause::NotShorter { before, after });
        }
        if let Some(line) = lost_signature(chunk, text) {
            return CompressedChunk::kept(chunk, KeptBecause::LostSignature(line.into()));
        }
        match self.judge.check(chunk.text, text, self.target(before)) {
            Err(why) => CompressedChunk::kept(chunk, KeptBecause::Unfit(why)),
            Ok(()) => {
                CompressedChunk { text: text.into(), outcome: ChunkOutcome::Shortened { before, after } }
            }
        }
    }
}

#[async_trait]
impl<P: LlmProvider> ChunkCompressor for LlmCompressor<P> {
    async fn compress(&self, chunks: &[Chunk<'_>]) -> Vec<CompressedChunk> {
        let mut counts = Vec::with_capacity(chunks.len());
        let mut counted: Vec<(Chunk<'_>, Tokens)> = Vec::with_capacity(chunks.len());
        for chunk in chunks {
            let before = counted.len();
            counted.extend(self.pieces(chunk));
            counts.push(counted.len() - before);
        }
        let sizes: Vec<_> = counted.iter().map(|(_, tokens)| (*tokens, self.target(*tokens))).collect();
        let mut calls = Vec::new();
        for count in batches(&sizes, &self.options) {
            let rest = counted.split_off(count.min(counted.len()));
            calls.push(self.ask(std::mem::replace(&mut counted, rest)));
        }
        let answers: Vec<_> = stream::iter(calls).buffered(self.options.concurrency.max(1)).collect().await;
        let mut pieces = answers.into_iter().flatten();
        let joined = |(chunk, n): (&Chunk<'_>, usize)| self.joined(chunk, pieces.by_ref().take(n).collect());
        let all: Vec<CompressedChunk> = chunks.iter().zip(counts).map(joined).collect();
        for (at, chunk) in all.iter().enumerate() {
            match &chunk.outcome {
                ChunkOutcome::Shortened { before, after } => debug!(at, %before, %after, "chunk shortened"),
                ChunkOutcome::Kept(because) => debug!(at, %because, "chunk kept"),
            }
        }
        all
    }
}

/// The request for `texts`, each with its target length in tokens.
fn request(fence: &Fence, texts: &[(&str, Tokens)], max_tokens: Tokens) -> CompletionRequest {
    let bare: Vec<&str> = texts.iter().map(|(text, _)| *text).collect();
    let targets: Vec<String> =
        texts.iter().enumerate().map(|(n, (_, tokens))| format!("text {}: {tokens} tokens", n + 1)).collect();
    let form = match texts {
        [_] => "Answer with the shorter text alone: no introduction, no comment.",
        _ => {
            "Answer with the shorter texts alone, each between the same two lines as the text it is made from, in the \
             same order."
        }
    };
    let instructions = format!(
        "You shorten excerpts of code and documents for a reader who has a question about them. Keep every signature \
         (functions, methods, types) exactly as it is written, and keep names, numbers, paths, conditions and errors. \
         Leave out what is repeated, obvious or decorative; say in few words what a body does. Add nothing that the text \
         does not say.\n{}\n{form}\nAim at: {}.",
        fence.explanation(),
        targets.join("; "),
    );
    CompletionRequest::new(instructions, fence.enclose(&bare), max_tokens)
}

/// Groups neighbours into batches, each within the limits of `options` or a single chunk, and returns the number of
/// chunks in each. `sizes` holds the tokens of each chunk before and after.
fn batches(sizes: &[(Tokens, Tokens)], options: &LlmCompressorOptions) -> Vec<usize> {
    let LlmCompressorOptions { max_tokens, batch, batch_tokens, .. } = *options;
    let mut batches = Vec::new();
    let (mut count, mut input, mut output) = (0, Tokens::ZERO, Tokens::ZERO);
    for &(before, after) in sizes {
        let full = count >= batch || input + before > batch_tokens || output + after > max_tokens;
        if count > 0 && full {
            batches.push(count);
            (count, input, output) = (0, Tokens::ZERO, Tokens::ZERO);
        }
        count += 1;
        input += before;
        output += after;
    }
    batches.extend((count > 0).then_some(count));
    batches
}

/// The first declaration that is not in `answer`, ignoring indentation and bodies.
fn lost_signature<'a>(chunk: &Chunk<'a>, answer: &str) -> Option<&'a str> {
    let language = chunk.path.and_then(Language::of_path)?;
    let there: HashSet<&str> = answer.lines().map(head).collect();
    let declared = chunk.text.lines().filter(|line| language.declares(line) && !is_value(line)).map(head);
    declared.filter(|line| !there.contains(line)).find(|line| !line.is_empty())
}

/// A line without its indentation and the start of a body.
fn head(line: &str) -> &str {
    let line = line.split_once('{').map_or(line, |(head, _)| head);
    line.trim().trim_end_matches(['.', ':', ';', ' ', '…'])
}

/// Whether the line names a value (`const LIMIT = 3`), which is not a signature.
fn is_value(line: &str) -> bool {
    line.split(['(', '{']).next().is_some_and(|head| head.contains('='))
}

#[cfg(test)]
mod tests {
    use contextfit_testkit::FakeModel;
    use contextfit_text::CharsPer;

    use super::*;

    #[track_caller]
    fn check(sizes: &[(usize, usize)], expect: &[usize]) {
        let (max_tokens, batch_tokens) = (Tokens::new(30), Tokens::new(100));
        let options = LlmCompressorOptions { max_tokens, batch: 3, batch_tokens, ..Default::default() };
        let sizes: Vec<_> = sizes.iter().map(|(i, o)| (Tokens::new(*i), Tokens::new(*o))).collect();
        assert_eq!(batches(&sizes, &options), expect);
    }

    #[test]
    fn batches_keep_all_limits() {
        check(&[], &[]);
        check(&[(10, 3); 7], &[3, 3, 1]);
        check(&[(60, 3), (40, 3), (1, 1)], &[2, 1]);
        check(&[(10, 20), (10, 20)], &[1, 1]);
        check(&[(10, 3), (500, 150), (10, 3)], &[1, 1, 1]);
    }

    #[track_caller]
    fn check_verdict(path: &str, text: &str, answer: &str, lost: Option<&str>) {
        assert_eq!(lost_signature(&Chunk { id: "", text, path: Some(path) }, answer), lost);
    }

    #[test]
    fn signatures_are_found_whatever_their_body() {
        let rust = "/// Adds.\npub fn add(a: u8, b: u8) -> u8 {\n    a + b\n}\nstruct S;\n";
        check_verdict("a.rs", rust, "pub fn add(a: u8, b: u8) -> u8 { sum }\nstruct S", None);
        check_verdict("a.rs", rust, "  pub fn add(a: u8, b: u8) -> u8 { ... }", Some("struct S"));
        check_verdict("a.rs", rust, "fn add(a, b)\nstruct S;", Some("pub fn add(a: u8, b: u8) -> u8"));
        let python = "def load(path, retries=3):\n    limit = 3\n    return open(path)\n";
        check_verdict("a.py", python, "def load(path, retries=3): ...", None);
        check_verdict("a.py", python, "loads a file", Some("def load(path, retries=3)"));
        check_verdict("a.ts", "export const LIMIT = 3;\n", "a limit", None);
        check_verdict("a.md", "# fn main() {}\nfn main() {}", "nothing", None);
    }

    #[test]
    fn only_shorter_and_not_empty() {
        let chunk = Chunk { id: "", text: "one two three four five", path: None };
        let counter = Arc::new(CharsPer::new(1).unwrap());
        let compressor =
            LlmCompressor::new(FakeModel::new(Vec::new()), counter, LlmCompressorOptions::default());
        let before = compressor.counter.count(chunk.text);
        let outcome = |answer: &str| match compressor.judged(&chunk, before, answer).outcome {
            ChunkOutcome::Shortened { before, after } => format!("{before} to {after}"),
            ChunkOutcome::Kept(because) => because.to_string(),
        };
        assert_eq!(outcome(" one to five\n"), "23 to 11");
        assert_eq!(outcome("one to 512"), "the answer contains a number that is not in the source: 512");
        assert_eq!(outcome(" \n"), "the answer is empty");
        assert_eq!(outcome(chunk.text), "the answer has 23 tokens, the chunk 23");
    }
}
