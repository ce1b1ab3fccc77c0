//! Planning: from scored sentences to a plan.

use std::{collections::HashMap, ops::Range};

use contextfit_kernel::{
    Action, ByteRange, Hold, Measured, MeasuredBlock, Piece, Plan, Reason, Step, Tokens, Values,
};
use contextfit_packing::Score;
use contextfit_text::{Language, Needs, Shape, cut_pieces, float, keep_shown};

use crate::{
    SentenceOptions, Unmatched,
    options::weight,
    relevance::Relevance,
    selection::{SentenceChoice, Sentences},
};

/// The maximum number of times that room freed by shorter markers is filled.
const REFILL_ROUNDS: usize = 3;

/// The maximum number of sentences in all additional plans together.
const EXTRA_SENTENCES: usize = 1 << 11;

/// The maximum number of smaller rooms that are tried, each smaller by one token.
const SMALLER_ROOMS: usize = 16;

/// The cut of a block, the number of units that it keeps, and its cost.
type BlockCut = (Action, usize, Tokens);

/// A request with scored sentences, prepared for planning in any room.
pub(crate) struct Planning<'r, 'a> {
    input: &'r Measured<'a>,
    options: &'r SentenceOptions,
    relevance: Relevance,
    /// The minimum score of a sentence.
    min_score: f64,
    keep: Vec<bool>,
    /// The cost of the pinned blocks.
    pinned: Tokens,
    languages: Vec<Option<&'static Language>>,
    sentences: Sentences,
}

impl<'r, 'a> Planning<'r, 'a> {
    pub(crate) fn new(
        input: &'r Measured<'a>,
        options: &'r SentenceOptions,
        needs: &[Needs],
        mut relevance: Relevance,
    ) -> Self {
        let corpus = &relevance.corpus;
        let mut min_score = 0.0;
        if relevance.matched {
            min_score = weight(options.min_relevance).min(1.0) * best_answer(&relevance);
        } else {
            let by_position = |block| (0..corpus.sentences(block).len()).map(|unit| 1.0 / float(unit + 1));
            relevance.scores = (0..corpus.n_blocks()).flat_map(by_position).collect();
        }
        let keep: Vec<bool> = input.context.holds().into_iter().map(|hold| hold == Hold::Pinned).collect();
        let pinned =
            input.blocks.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(block, _)| whole(block)).sum();
        let languages: Vec<_> = input.blocks.iter().map(Language::of_measured).collect();
        let markers = markers(input, &languages);
        let sentences = Sentences::new(input, &relevance.scores, needs, &markers);
        Self { input, options, relevance, min_score, keep, pinned, languages, sentences }
    }

    /// The plan for a room of `all` tokens. Plans for slightly smaller rooms fit too and can be better. If no word
    /// matches, for example, the first sentence of a passage can displace a whole passage without being more valuable.
    pub(crate) fn plan(&self, all: Tokens) -> Plan {
        let tries = match self.relevance.matched {
            // Needs are taken regardless of their score, so scores do not show which plan is better.
            true => 0,
            false => (EXTRA_SENTENCES / self.relevance.corpus.len().max(1)).min(SMALLER_ROOMS),
        };
        let mut best = self.plan_in(all);
        let mut worth = self.worth(&best);
        for less in 1..=tries {
            let Some(room) = all.checked_sub(Tokens::new(less)) else { break };
            let plan = self.plan_in(room);
            let own = self.worth(&plan);
            if own > worth {
                (best, worth) = (plan, own);
            }
        }
        keep_shown(&mut best, self.input, all);
        best
    }

    /// The value of `plan`: the scores of the sentences that it shows, in descending order, then their tokens.
    fn worth(&self, plan: &Plan) -> (Vec<Score>, Tokens) {
        let (mut scores, mut tokens) = (Vec::new(), Tokens::ZERO);
        for (n, (block, step)) in self.input.blocks.iter().zip(&plan.steps).enumerate() {
            let whole = ByteRange::whole(&block.block().text);
            let shown: Vec<ByteRange> = match &step.action {
                Action::Keep => vec![whole],
                Action::Cut { pieces } => pieces.iter().filter_map(Piece::range).collect(),
                _ => Vec::new(),
            };
            let start = self.relevance.corpus.sentences(n).start;
            for range in shown {
                let units = block.units_before(range.start())..block.units_before(range.end());
                tokens += block.tokens_between(units.start, units.end);
                let of_units = self.relevance.scores.get(start + units.start..start + units.end);
                scores.extend(of_units.into_iter().flatten().copied().map(Score));
            }
        }
        scores.sort_unstable_by(|a, b| b.cmp(a));
        (scores, tokens)
    }

    /// The plan that fills a room of `all` tokens.
    fn plan_in(&self, all: Tokens) -> Plan {
        let room = all.saturating_sub(self.pinned).saturating_sub(self.omission());
        let mut selection = SentenceChoice::new(&self.sentences, &self.relevance.corpus, room);
        let cuts = if self.wanted() { self.select(room, &mut selection) } else { Vec::new() };
        let mut cuts = cuts.into_iter();
        let blocks = self.input.blocks.iter().zip(&self.keep).enumerate();
        let steps = blocks.map(|(n, (measured, &keep))| {
            let cut = cuts.next().flatten();
            let (action, reason, tokens) = match keep {
                true => (Action::Keep, Reason::Pinned, whole(measured)),
                false => self.shown(n, measured, &selection, cut),
            };
            Step::new(&measured.block().id, action, reason).with_tokens(tokens)
        });
        Plan { strategy: "bm25".into(), steps: steps.collect() }
    }

    /// The cost of the line with the number of omitted blocks. Zero for a single block, which is shown or is the only
    /// one omitted.
    fn omission(&self) -> Tokens {
        match self.input.blocks.len() {
            1 if self.input.context.omitted == 0 => Tokens::ZERO,
            _ => self.input.omission,
        }
    }

    /// Takes the sentences that fit, then fills the room freed by shorter markers. Returns the cut of each block that
    /// is shown in part.
    fn select(&self, room: Tokens, selection: &mut SentenceChoice<'_>) -> Vec<Option<BlockCut>> {
        let mut cuts: Vec<Option<BlockCut>> = vec![None; self.input.blocks.len()];
        for _ in 0..REFILL_ROUNDS {
            selection.take_best(&self.relevance.scores, self.min_score, self.options.repetition, &self.keep);
            let mut spent = Tokens::ZERO;
            for (n, (measured, cut)) in self.input.blocks.iter().zip(&mut cuts).enumerate() {
                if selection.has_changed(n) {
                    *cut = self.cut(n, measured, &selection.runs(n));
                }
                spent += match cut {
                    Some((_, _, tokens)) => *tokens,
                    None if selection.is_open(n) => whole(measured),
                    None => Tokens::ZERO,
                };
            }
            // If every block is shown, the line about omitted blocks is not needed.
            let mut blocks = self.keep.iter().enumerate();
            let all =
                blocks.all(|(n, keep)| *keep || selection.is_open(n)) && self.input.context.omitted == 0;
            let room = if all { room + self.omission() } else { room };
            if !selection.settle(room, spent) {
                break;
            }
        }
        cuts
    }

    /// The action for block `n`, its reason and its cost.
    fn shown(
        &self,
        n: usize,
        measured: &MeasuredBlock<'_>,
        selection: &SentenceChoice<'_>,
        cut: Option<BlockCut>,
    ) -> (Action, Reason, Tokens) {
        let opened = selection.is_open(n);
        let sentences = self.relevance.corpus.sentences(n);
        let of = sentences.len();
        let score = |n: usize| self.relevance.scores.at(n);
        let best = sentences.clone().map(score).fold(0.0, f64::max);
        if !opened {
            let reason = match best < self.min_score {
                _ if !self.wanted() => Reason::Unmatched { kept: 0, of },
                true => Reason::Irrelevant { best, min_score: self.min_score },
                false => Reason::NoRoom { needed: whole(measured) },
            };
            return (Action::Drop, reason, Tokens::ZERO);
        }
        match cut {
            None => (Action::Keep, Reason::Fits, whole(measured)),
            Some((action, kept, tokens)) => match self.relevance.matched {
                true => {
                    let taken = sentences.filter(|&n| selection.is_taken(n));
                    let score = taken.map(score).fold(0.0, f64::max);
                    (action, Reason::Relevant { kept, of, score, best }, tokens)
                }
                false if self.input.context.is_asked() => (action, Reason::Unmatched { kept, of }, tokens),
                false => (action, Reason::NoRoomWhole { kept, of }, tokens),
            },
        }
    }

    /// Whether any sentence should be kept.
    fn wanted(&self) -> bool {
        self.relevance.matched || self.options.unmatched == Unmatched::Position
    }

    /// Cuts block `n` to `runs`, with a marker for every gap; `None` if that is the whole block.
    fn cut(&self, n: usize, measured: &MeasuredBlock<'_>, runs: &[Range<usize>]) -> Option<BlockCut> {
        let units = measured.units().len();
        let kept = runs.iter().map(ExactSizeIterator::len).sum();
        if kept == units {
            return None;
        }
        let language = self.languages.at(n);
        let action = Action::Cut { pieces: cut_pieces(measured, language, runs) };
        let tokens = measured.cost(&action, self.input.counter);
        Some((action, kept, tokens))
    }
}

/// The highest score of a sentence that is not a heading, because a heading that repeats the question is not an answer.
fn best_answer(relevance: &Relevance) -> f64 {
    let score = |n: usize| relevance.scores.at(n);
    let below = relevance.corpus.passages().iter().flat_map(|passage| passage.text..passage.sentences.end);
    let best = below.map(score).fold(0.0, f64::max);
    if best > 0.0 { best } else { relevance.scores.iter().copied().fold(0.0, f64::max) }
}

/// The cost of the whole block.
fn whole(measured: &MeasuredBlock<'_>) -> Tokens {
    measured.framing() + measured.tokens()
}

/// The maximum cost of a marker in each block. Markers depend on the language of the block and the number of digits.
/// Each combination is counted once.
fn markers(input: &Measured<'_>, languages: &[Option<&'static Language>]) -> Vec<Tokens> {
    let mut known: HashMap<(&str, usize), Tokens> = HashMap::new();
    let mut cost = |(measured, language): (&MeasuredBlock<'_>, &Option<&'static Language>)| {
        let language = language.filter(|language| language.shape == Shape::Code);
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
    input.blocks.iter().zip(languages).map(&mut cost).collect()
}
