//! The strategy that keeps the sentences that answer the query.

use std::{collections::HashMap, fmt, iter, ops::Range, rc::Rc, sync::Arc};

use contextfit_kernel::{
    Action, Block, Error, Measured, MeasuredBlock, Piece, Plan, Reason, Scorer, Step, Strategy, TokenCounter,
    Tokens,
};
use contextfit_text::{Language, Shape, gap_marker};

use crate::{
    Explanation, Fusion, SentenceOptions, Unmatched,
    bm25::exact,
    options::weight,
    relevance::{Relevance, explain, sentence_texts},
    selection::{Groups, Selection},
};

/// Keeps the sentences of all blocks that answer the query best (seed 002), whole, in their order, every gap marked.
///
/// Each sentence is scored by BM25 against the query, its heading (title, path, symbols) counting as part of it; it gains by
/// its passage's score, its better neighbour's, and by names that lead from one passage to the next
/// ([`SentenceOptions`] has the weights). Sentences are taken in descending order of their scores, skipping what does not
/// fit; headings and markers are paid for. Sentences are the units of [`Measured`]; in code they are lines.
///
/// Without a query, or where no word of it occurs, [`Unmatched`] says what to keep. Linear in the length of the context,
/// linear-logarithmic in the number of sentences.
///
/// ```
/// use contextfit_bm25::SentenceSelection;
/// use contextfit_kernel::{Block, Budget, Context, Passage, Tokens};
/// use contextfit_pipeline::Pipeline;
/// use contextfit_text::CharsPer;
///
/// let text = "The town lies on a river. Its bridge was built in 1902. It has two schools. The market is held on Fridays.";
/// let passage = Passage { title: Some("A town".into()), ..Passage::default() };
/// let context = Context::new(vec![Block::passage("p", passage, text)]).with_query("when was the bridge built");
/// let pipeline = Pipeline::new(CharsPer::new(1)?).with_strategy(SentenceSelection::default());
/// let result = pipeline.fit(&context, &Budget::new(Tokens::new(90)))?;
/// assert_eq!(result.text, "A town\n[... 1 sentence] Its bridge was built in 1902. [... 2 sentences]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct SentenceSelection {
    options: SentenceOptions,
    meaning: Option<(Arc<dyn Scorer>, Fusion)>,
}

impl fmt::Debug for SentenceSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fusion = self.meaning.as_ref().map(|(_, fusion)| fusion);
        f.debug_struct("SentenceSelection").field("options", &self.options).field("fusion", &fusion).finish()
    }
}

impl SentenceSelection {
    /// The strategy with `options`.
    #[must_use]
    pub const fn new(options: SentenceOptions) -> Self {
        Self { options, meaning: None }
    }

    /// The same strategy, its scores brought together with those of `scorer`, which sees each sentence behind its title: a
    /// model of meaning finds what the words do not say.
    #[must_use]
    pub fn with_meaning(mut self, scorer: Arc<dyn Scorer>, fusion: Fusion) -> Self {
        self.meaning = Some((scorer, fusion));
        self
    }

    /// Takes what fits, and once more into what the markers left over. For each block that is shown in part how it is cut,
    /// how many of its units are kept, and what that costs.
    fn select(
        &self,
        input: &Measured<'_>,
        scores: &[f64],
        least: f64,
        (keep, room): (&[bool], Tokens),
        selection: &mut Selection<'_, '_>,
    ) -> Vec<Option<Cut>> {
        let mut cuts = Vec::new();
        for _ in 0..ROUNDS {
            selection.take_best(scores, least, self.options.repetition, keep);
            let mut spent = Tokens::ZERO;
            cuts = Vec::with_capacity(input.blocks.len());
            for (n, measured) in input.blocks.iter().enumerate() {
                let opened = selection.is_opened(n);
                let cut = opened.then(|| cut(measured, &selection.runs(n), input.counter)).flatten();
                spent += match &cut {
                    Some((_, _, tokens)) => *tokens,
                    None if opened => measured.framing() + measured.tokens(),
                    None => Tokens::ZERO,
                };
                cuts.push(cut);
            }
            if !selection.settle(room, spent) {
                break;
            }
        }
        cuts
    }

    /// The texts that a model of meaning is asked about, in the order of the sentences of `input`: for
    /// [`Similarity::embed`](crate::Similarity::embed).
    #[must_use]
    pub fn texts(input: &Measured<'_>) -> Vec<String> {
        sentence_texts(input)
    }

    /// Why unit `unit` of block `block` scores what it does by its words, as a tree of parts and terms; `None` when there
    /// is no such unit. Linear in the length of the context.
    #[must_use]
    pub fn explain(&self, input: &Measured<'_>, block: usize, unit: usize) -> Option<Explanation> {
        explain(input, &self.options, block, unit)
    }
}

impl Strategy for SentenceSelection {
    fn name(&self) -> &str {
        "bm25"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let meaning = self.meaning.as_ref().map(|(scorer, fusion)| (scorer.as_ref(), *fusion));
        let mut relevance = Relevance::new(input, &self.options, meaning);
        let corpus = &relevance.corpus;
        let mut least = 0.0;
        if relevance.matched {
            let best = relevance.scores.iter().copied().fold(0.0, f64::max);
            least = weight(self.options.min_relevance).min(1.0) * best;
        } else {
            let by_position = |block| (0..corpus.sentences(block).len()).map(|unit| 1.0 / exact(unit + 1));
            relevance.scores = (0..corpus.n_blocks()).flat_map(by_position).collect();
        }
        let keep = input.context.must_keep();
        let kept = |(measured, _): &(&MeasuredBlock<'_>, &bool)| measured.framing() + measured.tokens();
        let pinned: Tokens =
            input.blocks.iter().zip(&keep).filter(|(_, keep)| **keep).map(|pair| kept(&pair)).sum();
        let room = room.saturating_sub(pinned).saturating_sub(input.omission);
        let (markers, groups) = (markers(input), groups(input));
        let mut selection = Selection::new(&input.blocks, corpus, (&markers, &groups), room);
        let wanted = relevance.matched || self.options.unmatched == Unmatched::Position;
        let cuts = if wanted {
            self.select(input, &relevance.scores, least, (&keep, room), &mut selection)
        } else {
            Vec::new()
        };

        let steps = input.blocks.iter().zip(keep).enumerate().map(|(n, (measured, keep))| {
            let id = measured.block().id.as_str();
            let whole = measured.framing() + measured.tokens();
            if keep {
                return Step::new(id, Action::Keep, Reason::Pinned).with_tokens(whole);
            }
            let of = measured.units().len();
            let opened = selection.is_opened(n);
            let told = corpus.sentences(n).filter(|&n| !opened || selection.is_taken(n));
            let best = told.filter_map(|n| relevance.scores.get(n)).copied().fold(0.0, f64::max);
            if !opened {
                let reason = match best < least {
                    _ if !wanted => Reason::Unmatched { kept: 0, of },
                    true => Reason::Irrelevant { best, least },
                    false => Reason::NoRoom { needed: whole },
                };
                return Step::new(id, Action::Drop, reason).with_tokens(Tokens::ZERO);
            }
            let Some((action, kept, tokens)) = cuts.get(n).cloned().flatten() else {
                return Step::new(id, Action::Keep, Reason::Fits).with_tokens(whole);
            };
            let reason = match relevance.matched {
                true => Reason::Relevant { kept, of, score: best },
                false => Reason::Unmatched { kept, of },
            };
            Step::new(id, action, reason).with_tokens(tokens)
        });
        Ok(Plan { strategy: self.name().into(), steps: steps.collect() })
    }
}

/// How a block is cut, how many of its units are kept, and what that costs.
type Cut = (Action, usize, Tokens);

/// How often what the markers left over is filled.
const ROUNDS: usize = 3;

/// The text of `runs`, with a marker for every gap; `None` for all of the block.
fn cut(measured: &MeasuredBlock<'_>, runs: &[Range<usize>], counter: &dyn TokenCounter) -> Option<Cut> {
    let kept = runs.iter().map(ExactSizeIterator::len).sum();
    if kept == measured.units().len() {
        return None;
    }
    let language = Language::of_block(measured.block());
    let units = measured.units().len();
    let mut pieces = Vec::with_capacity(runs.len() * 2 + 1);
    let mut end = 0;
    for run in runs.iter().cloned().chain(iter::once(units..units)) {
        if run.start > end {
            pieces.push(Piece::Marker(gap_marker(measured, language, end, run.start)));
        }
        if !run.is_empty() {
            pieces.push(Piece::Source(measured.range(run.start, run.end)));
        }
        end = run.end;
    }
    let action = Action::Cut { pieces };
    let tokens = measured.cost(&action, counter);
    Some((action, kept, tokens))
}

/// What a marker in each block costs at most. Markers differ by the language of the block and by the digits of a number:
/// each kind is counted once.
fn markers(input: &Measured<'_>) -> Vec<Tokens> {
    let mut known: HashMap<(&str, usize), Tokens> = HashMap::new();
    let mut cost = |measured: &MeasuredBlock<'_>| {
        let language = Language::of_block(measured.block()).filter(|language| language.shape == Shape::Code);
        let digits = measured.units().len().checked_ilog10().unwrap_or(0) as usize + 1;
        let most = "9".repeat(digits);
        let count = || match language {
            Some(_) => {
                input.counter.count(&format!("{}\n", Language::marker(language, &format!("{most} lines"))))
            }
            None => input.counter.count(&Language::marker(None, &format!("{most} sentences"))),
        };
        *known.entry((language.map_or("", |language| language.name), digits)).or_insert_with(count)
    };
    input.blocks.iter().map(&mut cost).collect()
}

/// The groups of the blocks.
fn groups(input: &Measured<'_>) -> Groups {
    let mut members: HashMap<&str, Vec<usize>> = HashMap::new();
    for (n, block) in input.context.blocks.iter().enumerate() {
        if let Some(group) = block.group.as_deref() {
            members.entry(group).or_default().push(n);
        }
    }
    let shared: HashMap<&str, Rc<[usize]>> =
        members.into_iter().map(|(name, group)| (name, group.into())).collect();
    let group = |block: &Block| shared.get(block.group.as_deref()?).map(Rc::clone);
    input.context.blocks.iter().map(group).collect()
}
