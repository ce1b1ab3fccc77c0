//! Random plans.

use std::collections::HashMap;

use contextfit_formats::Conversation;
use contextfit_kernel::{
    Action, Block, Budget, ByteRange, CompressionResult, Context, Entry, Error, Hold, Label, Measured,
    MeasuredBlock, Piece, Plan, Quote, QuoteSource, Reason, Step, Strategy, TokenCounter, Tokens, Voice,
};
use contextfit_pipeline::{Pipeline, measure};

/// Counts the letter X. Nothing that a plan or a format writes has one, so no plan makes a conversation longer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Xs;

impl TokenCounter for Xs {
    fn name(&self) -> &str {
        "xs"
    }

    fn count(&self, text: &str) -> Tokens {
        Tokens::new(text.matches('X').count())
    }
}

/// Treats each block as the next number says: keep, cut, quote all of it in the record, or drop. The blocks of a group
/// are treated like their first.
#[derive(Debug, Clone)]
pub(super) struct ByLot(pub(super) Vec<u8>);

impl ByLot {
    fn at(&self, n: usize) -> u8 {
        self.0.get(n % self.0.len().max(1)).copied().unwrap_or_default()
    }
}

impl Strategy for ByLot {
    fn name(&self) -> &str {
        "by-lot"
    }

    fn plan(&self, input: &Measured<'_>, _: Tokens) -> Result<Plan, Error> {
        let mut groups = HashMap::new();
        let holds = input.context.holds();
        let numbers = input.context.numbers();
        let steps = input.blocks.iter().zip(holds).enumerate().map(|(n, (measured, hold))| {
            let block = measured.block();
            let own = self.at(n);
            let lot = block.group.as_ref().map_or(own, |group| *groups.entry(group.clone()).or_insert(own));
            let action = match lot % 4 {
                _ if hold == Hold::Pinned => Action::Keep,
                _ if hold == Hold::Shown && own < 100 => Action::Keep,
                _ if hold == Hold::Shown => Action::Cut { pieces: pieces(measured, own) },
                0 | 1 if own < 100 => Action::Keep,
                0 | 1 => Action::Cut { pieces: pieces(measured, own) },
                2 => quoted(block, numbers[n]),
                _ => Action::Drop,
            };
            Step::new(&block.id, action, Reason::Other("by lot".into()))
        });
        Ok(Plan { strategy: self.name().into(), steps: steps.collect() })
    }
}

/// Everything that a turn says and calls, as entries of the record; existing entries stay.
fn quoted(block: &Block, number: usize) -> Action {
    let Some(turn) = block.as_turn().filter(|_| block.level.shows_source()) else { return Action::Keep };
    let entry = |source: QuoteSource, part: ByteRange, voice: Voice| {
        let text = part.of(source.of(block).unwrap()).unwrap();
        let start = part.start() + text.len() - text.trim_start().len();
        let range = ByteRange::new(start, start + text.trim().len()).filter(|range| !range.is_empty())?;
        let quote = Quote::new(source, range);
        Some(Entry { label: Label::new(number, voice), lines: vec![vec![quote]] })
    };
    let said = turn.ranges(&block.text).filter_map(|part| {
        let name = turn.name_for(&block.text, part).map(str::to_owned);
        entry(QuoteSource::Text, part, Voice::Said { role: turn.role, name })
    });
    let calls = turn.calls.iter().enumerate().filter_map(|(n, call)| {
        let voice = Voice::Called { tool: call.name.clone() };
        entry(QuoteSource::Arguments(n), ByteRange::whole(&call.arguments), voice)
    });
    let entries: Vec<Entry> = said.chain(calls).collect();
    if entries.is_empty() { Action::Drop } else { Action::Record { entries } }
}

/// The units that the bits of `mask` select, with a marker in every gap of every part.
fn pieces(measured: &MeasuredBlock<'_>, mask: u8) -> Vec<Piece> {
    let block = measured.block();
    let mut pieces = Vec::new();
    for range in block.as_turn().unwrap().ranges(&block.text) {
        let mut gap = false;
        for n in measured.units_before(range.start())..measured.units_before(range.end()) {
            if mask >> (n % 7) & 1 == 1 {
                pieces.push(Piece::Source(measured.range(n, n + 1)));
                gap = false;
            } else if !gap {
                pieces.push(Piece::Marker("[...]".into()));
                gap = true;
            }
        }
    }
    pieces
}

/// `context` shortened by at least one token, as `lot` says.
pub(super) fn shorten(context: &Context, lot: &[u8]) -> Option<CompressionResult> {
    let before = measure(context, &Xs).tokens;
    let budget = Budget::new(before.checked_sub(Tokens::new(1))?);
    Pipeline::new(std::sync::Arc::new(Xs)).with_strategy(ByLot(lot.to_vec())).fit(context, &budget).ok()
}

/// The tokens of a request, counted with `Xs`.
pub(super) fn tokens(conversation: &Conversation) -> Tokens {
    measure(&conversation.context(&Xs, &contextfit_formats::Pins::default()), &Xs).tokens
}
