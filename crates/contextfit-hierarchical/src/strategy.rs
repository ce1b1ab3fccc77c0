//! The levels as a strategy for blocks of any text.

use std::{collections::HashSet, sync::Arc};

use contextfit_kernel::{
    Action, Block, BlockKind, Error, Hold, Importance, Level, Measured, MeasuredBlock, Memory, Piece, Plan,
    Reason, Scorer, Step, Strategy, Tokens, Values, in_brackets, one_line,
};
use contextfit_packing::{Choice, Items, Packer, PackingMode, TooSmall, together};
use contextfit_text::{gap_marker, keep_shown, words};

use crate::{
    LevelLimits, Weights,
    worth::{Worth, scored},
};

/// Shows memory blocks at four levels, chosen by the packer: whole, their first sentences, a line, or id and type.
///
/// Only the blocks themselves are known. [`MemoryCompressor`](crate::MemoryCompressor) knows all fields of a memory and
/// chooses better. Linearithmic in the number of blocks, linear in their text.
#[derive(Debug, Clone, Default)]
pub struct MemoryLevels {
    weights: Weights,
    limits: LevelLimits,
    scorer: Option<Arc<dyn Scorer>>,
}

impl MemoryLevels {
    /// The strategy with the default weights and limits, and no scorer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the scorer for relevance to the query.
    #[must_use]
    pub fn with_scorer(mut self, scorer: Arc<dyn Scorer>) -> Self {
        self.scorer = Some(scorer);
        self
    }

    /// Sets the weights. Near-duplicates among blocks are not detected.
    #[must_use]
    pub const fn with_weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }
}

impl Strategy for MemoryLevels {
    fn name(&self) -> &str {
        "memory-levels"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let keep: Vec<bool> = input.context.holds().into_iter().map(|hold| hold == Hold::Pinned).collect();
        let kept: Tokens = (input.blocks.iter().zip(&keep).filter(|(_, keep)| **keep))
            .map(|(block, _)| block.framing() + block.tokens())
            .sum();
        let relevant = self.relevance(input);
        let worth = self.worth(input, relevant.as_deref());
        let entries = entries(input, &keep);
        let forms: Vec<[(Action, Tokens); 4]> =
            input.blocks.iter().map(|block| Level::ALL.map(|level| self.form(block, level, input))).collect();
        let items = items(&entries, &forms, &worth);
        let packed = packed(&items, room.saturating_sub(kept), input.omission)?;
        let mut chosen: Vec<Option<usize>> = vec![None; input.blocks.len()];
        for (members, choice) in entries.iter().zip(packed) {
            for &n in members {
                chosen.set(n, choice);
            }
        }
        let steps = input.blocks.iter().zip(keep).zip(chosen).zip(forms).map(
            |(((measured, keep), choice), forms)| {
                let whole = measured.framing() + measured.tokens();
                let (action, reason, cost) = match choice.and_then(|level| forms.into_iter().nth(level)) {
                    _ if keep => (Action::Keep, Reason::Pinned, whole),
                    Some((Action::Keep, cost)) => (Action::Keep, Reason::Fits, cost),
                    Some((action, cost)) => (action, Reason::NoRoom { needed: whole }, cost),
                    None => (Action::Drop, Reason::NoRoom { needed: whole }, Tokens::ZERO),
                };
                Step::new(&measured.block().id, action, reason).with_tokens(cost)
            },
        );
        let mut plan = Plan { strategy: self.name().into(), steps: steps.collect() };
        keep_shown(&mut plan, input, room);
        Ok(plan)
    }
}

impl MemoryLevels {
    /// The value of each whole block by the formula of [`Weights`], from its importance and confidence.
    fn worth(&self, input: &Measured<'_>, relevant: Option<&[f64]>) -> Worth {
        let standing = |block: &Block| {
            let (importance, confidence) = known(block);
            let confidence = if confidence.is_nan() { 0.5 } else { confidence.clamp(0.0, 1.0) };
            (self.weights.base + self.weights.confidence * confidence) * self.weights.of(importance)
        };
        Worth::new(self.weights, input.context.blocks.iter().map(standing).collect(), relevant)
    }

    /// The relevance of each block to the query, as a share of the best; `None` if there is no query or nothing answers
    /// it.
    fn relevance(&self, input: &Measured<'_>) -> Option<Vec<f64>> {
        let texts: Vec<&str> = input.context.blocks.iter().map(|block| block.text.as_str()).collect();
        let memory_type = |block: &Block| match &block.kind {
            BlockKind::Memory(memory) => memory.memory_type.clone(),
            _ => String::new(),
        };
        let types: HashSet<String> = input.context.blocks.iter().map(memory_type).collect();
        let scores = scored(input.context.query.as_deref()?, &texts, self.scorer.as_deref()?, types.len());
        scores.iter().any(|score| *score > 0.0).then_some(scores)
    }

    /// The form of a block at a level, and its cost. The whole block if its form would not be shorter.
    fn form(&self, measured: &MeasuredBlock<'_>, level: Level, input: &Measured<'_>) -> (Action, Tokens) {
        let whole = (Action::Keep, measured.framing() + measured.tokens());
        let action = match level {
            Level::Full => return whole,
            Level::Extract => {
                let max = self.limits.of(level).max;
                let kept = (0..measured.units().len())
                    .take_while(|&n| measured.tokens_through(n + 1) <= max)
                    .count();
                first_units(measured, kept)
            }
            Level::Gist => {
                let line = words_of_first_line(&measured.block().text, self.limits.of(level).max);
                let text = if line.is_empty() {
                    named(measured.block())
                } else {
                    named(measured.block()) + ": " + &one_line(line)
                };
                Action::Render { level, text }
            }
            Level::Reference => Action::Render { level, text: named(measured.block()) },
        };
        let cost = measured.cost(&action, input.counter);
        if cost < whole.1 { (action, cost) } else { whole }
    }
}

/// The blocks that are not kept unchanged, in lists that share a level: the members of a group, or one block.
fn entries(input: &Measured<'_>, keep: &[bool]) -> Vec<Vec<usize>> {
    let mut entries = input.context.groups();
    entries.retain(|members| members.iter().all(|n| keep.get(*n) == Some(&false)));
    entries
}

/// The choices of each of the `entries`: one per level.
fn items(entries: &[Vec<usize>], forms: &[[(Action, Tokens); 4]], worth: &Worth) -> Items {
    let mut items = Items::new();
    for members in entries {
        let choices = members.iter().filter_map(|&n| {
            let forms = forms.get(n)?.iter().zip(Level::ALL);
            let choice =
                |((_, cost), level): (&(Action, Tokens), Level)| Choice::new(cost.get(), worth.at(n, level));
            Some(forms.map(choice).collect::<Vec<_>>())
        });
        let choices: Vec<Vec<Choice>> = choices.collect();
        items.push(together(&choices.iter().map(Vec::as_slice).collect::<Vec<_>>()));
    }
    items
}

/// The level chosen for each of the `items` in `room`. `omission` is the tokens of the line with the number of omitted
/// blocks.
fn packed(items: &Items, room: Tokens, omission: Tokens) -> Result<Vec<Option<usize>>, Error> {
    // Nothing is required, so packing cannot fail.
    let too_small = |TooSmall { needed, available }| Error::Infeasible {
        needed: Tokens::new(needed),
        available: Tokens::new(available),
        blockers: Vec::new(),
    };
    let packer = Packer::new(items, PackingMode::Optimal);
    let packing = packer.pack(room.get()).map_err(too_small)?;
    if packing.chosen.contains(&None) {
        // The line with the number of omitted blocks takes tokens too.
        let packing = packer.pack(room.saturating_sub(omission).get()).map_err(too_small)?;
        return Ok(packing.chosen);
    }
    Ok(packing.chosen)
}

/// The first `kept` units, and a marker for the rest.
fn first_units(measured: &MeasuredBlock<'_>, kept: usize) -> Action {
    let all = measured.units().len();
    if kept >= all {
        return Action::Keep;
    }
    let mut pieces = Vec::with_capacity(2);
    if kept > 0 {
        pieces.push(Piece::Source(measured.range(0, kept)));
    }
    pieces.push(Piece::Marker(gap_marker(measured, None, kept, all)));
    Action::Cut { pieces }
}

/// The importance and the confidence of a block, or defaults if they are unknown.
fn known(block: &Block) -> (Importance, f64) {
    match &block.kind {
        BlockKind::Memory(Memory { importance, confidence, .. }) => (*importance, *confidence),
        _ => (Importance::default(), 0.5),
    }
}

/// Level 0: the id and, for a memory, its type.
fn named(block: &Block) -> String {
    match &block.kind {
        BlockKind::Memory(Memory { memory_type, .. }) if !memory_type.is_empty() => {
            [&in_brackets(&block.id), " ", &*one_line(memory_type)].concat()
        }
        _ => in_brackets(&block.id),
    }
}

/// The first line with a word in it, cut after a word to at most three bytes for each of `max` tokens.
fn words_of_first_line(text: &str, max: Tokens) -> &str {
    let line = text.lines().map(str::trim).find(|line| words(line).next().is_some()).unwrap_or_default();
    let most = max.get().saturating_mul(3);
    if line.len() <= most {
        return line;
    }
    let end = line.char_indices().map(|(at, _)| at).take_while(|&at| at <= most).last().unwrap_or(0);
    let head = line.get(..end).unwrap_or_default();
    head.rsplit_once(char::is_whitespace).map_or(head, |(words, _)| words.trim_end())
}
