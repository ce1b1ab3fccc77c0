//! The text and the context that a plan results in.

use std::{collections::HashSet, ops::RangeInclusive};

use contextfit_kernel::{
    Action, Block, BlockKind, ByteRange, Context, Entry, Framing, Label, Layout, Level, Measured,
    MeasuredBlock, Piece, Plan, Step, TokenCounter, Tokens, Voice, in_part,
};

use crate::{assembly::Assembly, conversation, numbering::Numbering, remembered::Remembered};

/// A rendered plan.
pub(crate) struct Rendered {
    pub(crate) context: Context,
    pub(crate) text: String,
    /// The exact tokens of `text` and of what the application adds around its blocks.
    pub(crate) tokens: Tokens,
    /// Tokens of each input block as shown.
    pub(crate) block_tokens: Vec<Tokens>,
    /// The number of blocks that this plan shows at level 1 or 0.
    pub(crate) metadata_only: usize,
}

/// Renders `plan`, which must have passed [`check_plan`](crate::check_plan). If the text takes more than `available`
/// tokens, the error is the number of tokens that it takes.
pub(crate) fn render(
    input: &Measured<'_>,
    memory: &Remembered<'_>,
    plan: &Plan,
    available: Tokens,
) -> Result<Rendered, Tokens> {
    if let Some(framing) = &input.context.layout.framing {
        let rendered = render_conversation(input, memory, plan, framing);
        return if rendered.tokens <= available { Ok(rendered) } else { Err(rendered.tokens) };
    }
    let steps = || input.blocks.iter().zip(plan.steps.iter().map(|step| &step.action));
    let mut page = Page::new(input.context, memory);
    let mut omitted = input.context.omitted;
    for (block, action) in steps() {
        page.show(block, action);
        omitted += usize::from(action.level(block.block().level).is_none());
    }
    let (text, tokens) = page.finish(omitted);
    if tokens > available {
        return Err(tokens);
    }
    let blocks = steps().filter_map(|(block, action)| {
        let mut shown = shown(block.block(), action, &input.context.layout)?;
        let fence = block.fence().filter(|_| !matches!(action, Action::Render { .. }));
        shown.fence = fence.map(|(open, close)| (open.to_owned(), close.to_owned()));
        Some(shown)
    });
    let blocks = blocks.collect();
    let block_tokens = input.blocks.iter().zip(&plan.steps);
    let block_tokens = { block_tokens }
        .map(|(block, step)| step.tokens.unwrap_or_else(|| block.cost(&step.action, input.counter)));
    Ok(Rendered {
        context: shortened(input, blocks),
        text,
        tokens,
        block_tokens: block_tokens.collect(),
        metadata_only: steps().filter(|(_, action)| matches!(action, Action::Render { .. })).count(),
    })
}

/// Renders a plan for a conversation.
fn render_conversation(
    input: &Measured<'_>,
    memory: &Remembered<'_>,
    plan: &Plan,
    framing: &Framing,
) -> Rendered {
    let mut blocks = Vec::new();
    let mut messages = Vec::new();
    let mut block_tokens = Vec::with_capacity(plan.steps.len());
    let mut metadata_only = 0;
    let numbers = input.context.numbers();
    // The turns of which an entry of an earlier record is dropped.
    let is_dropped =
        |step: &Step, block: &Block| step.action.level(block.level).is_none() && quotes_turn(block);
    let entries = plan.steps.iter().zip(&input.blocks).zip(&numbers);
    let torn: HashSet<usize> = entries
        .filter_map(|((step, block), number)| is_dropped(step, block.block()).then_some(*number))
        .collect();
    for ((block, Step { action, tokens, .. }), number) in input.blocks.iter().zip(&plan.steps).zip(numbers) {
        let (mut shown, exact) = match (action, block.block().as_turn()) {
            (Action::Cut { pieces }, Some(turn)) => {
                let (shown, exact) = conversation::cut(block, turn, pieces, memory);
                (Some(shown), Some(exact))
            }
            (Action::Keep, _) => {
                (shown(block.block(), action, &input.context.layout), Some(block.framing() + block.tokens()))
            }
            _ => (shown(block.block(), action, &input.context.layout), None),
        };
        if let Some(entry) = shown.as_mut().filter(|_| torn.contains(&number) && quotes_turn(block.block())) {
            entry.text = in_part(&entry.text);
        }
        if let Some(BlockKind::Turn(turn)) = shown.as_mut().map(|block| &mut block.kind) {
            turn.number = number;
        }
        messages.extend(exact.filter(|_| shown.as_ref().is_some_and(|block| block.level.shows_source())));
        block_tokens.push(exact.or(*tokens).unwrap_or_else(|| block.cost(action, input.counter)));
        metadata_only += usize::from(matches!(action, Action::Record { .. } | Action::Render { .. }));
        blocks.extend(shown);
    }
    let mut context = shortened(input, blocks);
    // A turn with several entries is omitted if none of them remains. A turn covered by a summary is not omitted.
    let before: HashSet<usize> = input.context.numbers().into_iter().collect();
    let after: HashSet<usize> = context.numbers().into_iter().collect();
    let covered: Vec<RangeInclusive<usize>> = context.blocks.iter().filter_map(covered).collect();
    let left_out =
        before.difference(&after).filter(|number| !covered.iter().any(|covered| covered.contains(number)));
    context.omitted = input.context.omitted + left_out.count();
    let (text, tokens) = conversation::lay_out(&context, framing, input.counter, messages);
    Rendered { context, text, tokens, block_tokens, metadata_only }
}

/// Whether `block` is an entry of an earlier record that quotes a turn, to which other entries may belong too.
fn quotes_turn(block: &Block) -> bool {
    let label = Label::parse(&block.text).filter(|(_, body)| !block.level.shows_source() && !body.is_empty());
    label.is_some_and(|(label, _)| !matches!(label.voice, Voice::Summary { .. }))
}

/// The turns covered by a summary, if the block is one.
fn covered(block: &Block) -> Option<RangeInclusive<usize>> {
    let (label, _) = Label::parse(&block.text).filter(|_| !block.level.shows_source())?;
    match label.voice {
        Voice::Summary { from } => Some(from..=label.number),
        _ => None,
    }
}

/// The context of the remaining blocks.
fn shortened(input: &Measured<'_>, blocks: Vec<Block>) -> Context {
    let omitted = input.context.omitted + input.blocks.len() - blocks.len();
    // The line numbers are now part of the texts.
    let layout = input.context.layout.clone().with_line_numbers(false);
    let mut context = Context::new(blocks).with_layout(layout).with_omitted(omitted);
    context.query.clone_from(&input.context.query);
    context
}

/// The whole input as one text.
pub(crate) fn render_whole(input: &Measured<'_>, memory: &Remembered<'_>) -> (String, Tokens) {
    if let Some(framing) = &input.context.layout.framing {
        let shown = input.blocks.iter().filter(|block| block.block().level.shows_source());
        let tokens = shown.map(|block| block.framing() + block.tokens());
        return conversation::lay_out(input.context, framing, input.counter, tokens);
    }
    let mut page = Page::new(input.context, memory);
    for block in &input.blocks {
        page.show(block, &Action::Keep);
    }
    page.finish(input.context.omitted)
}

/// The block as shown; `None` if it is not shown.
fn shown(block: &Block, action: &Action, layout: &Layout) -> Option<Block> {
    let level = action.level(block.level)?;
    let mut numbering = Numbering::of(block, layout);
    let text = match action {
        Action::Keep | Action::Summarize { .. } | Action::Drop => match &mut numbering {
            Some(numbering) => numbering.show(ByteRange::whole(&block.text)),
            None => block.text.clone(),
        },
        Action::Render { text, .. } => text.clone(),
        Action::Record { entries } => Entry::texts(entries, block).join("\n"),
        Action::Cut { pieces } => match &mut numbering {
            Some(numbering) => pieces.iter().map(|piece| numbered(piece, numbering)).collect(),
            None => pieces.iter().map(|piece| piece.text(&block.text)).collect(),
        },
    };
    Some(block.shown_as(text, level))
}

/// The text of a piece with numbered lines.
fn numbered(piece: &Piece, numbering: &mut Numbering<'_>) -> String {
    match piece {
        Piece::Source(range) => numbering.show(*range),
        Piece::Rewritten { range, text, .. } => numbering.show_as(*range, text),
        marker => marker.text("").to_owned(),
    }
}

/// The text of a context, laid out block by block.
pub(crate) struct Page<'c> {
    layout: &'c Layout,
    assembly: Assembly<'c>,
    /// The line between blocks, with its line feed.
    separator: String,
    /// The tokens of the separator on its own.
    separator_tokens: Tokens,
    /// The level of the previous block; `None` before the first one.
    above: Option<Level>,
    /// The tokens that the application adds around the blocks.
    overhead: Tokens,
}

impl<'c> Page<'c> {
    pub(crate) fn new(context: &'c Context, memory: &'c Remembered<'c>) -> Self {
        // Includes space for headers, so that the text is rarely moved.
        let capacity = context.blocks.iter().map(|block| block.text.len() + 64).sum();
        Self::on(context, memory, Assembly::new(memory, capacity))
    }

    /// Creates a page of which only the tokens are wanted.
    pub(crate) fn counting(context: &'c Context, memory: &'c Remembered<'c>) -> Self {
        Self::on(context, memory, Assembly::counting(memory))
    }

    fn on(context: &'c Context, memory: &'c Remembered<'c>, assembly: Assembly<'c>) -> Self {
        let separator = format!("{}\n", context.layout.separator);
        Self {
            layout: &context.layout,
            assembly,
            separator_tokens: memory.count(&separator),
            separator,
            above: None,
            overhead: Tokens::ZERO,
        }
    }

    /// The tokens of the line between blocks.
    pub(crate) const fn separator_tokens(&self) -> Tokens {
        self.separator_tokens
    }

    /// Appends `block` according to `action`.
    pub(crate) fn show(&mut self, block: &MeasuredBlock<'_>, action: &Action) {
        let Some(level) = action.level(block.block().level) else { return };
        let headed = self.layout.headers && level.shows_source();
        let header = if headed { block.block().header() } else { String::new() };
        self.separate(level);
        let fence = block.fence().filter(|_| !matches!(action, Action::Render { .. }));
        match fence {
            Some((open, _)) => self.assembly.push(&[&header, open, "\n"].concat()),
            None => {
                let tokens = || block.framing().saturating_sub(self.separator_tokens + block.overhead());
                self.assembly.push_counted(&header, tokens);
            }
        }
        self.show_text(block, action);
        if let Some((_, close)) = fence.filter(|(_, close)| !close.is_empty()) {
            self.start_line();
            self.assembly.push(&[close, "\n"].concat());
        }
        self.above = Some(level);
        self.overhead += block.overhead();
    }

    /// Appends the text of `block`. The counts of its units do not include line numbers, so numbered lines are counted
    /// again.
    fn show_text(&mut self, block: &MeasuredBlock<'_>, action: &Action) {
        let whole = [Piece::Source(ByteRange::whole(&block.block().text))];
        let pieces = match action {
            Action::Keep => whole.as_slice(),
            Action::Cut { pieces } => pieces,
            Action::Render { text, .. } => return self.assembly.push(text),
            // Records occur only in conversations.
            Action::Record { .. } | Action::Summarize { .. } | Action::Drop => return,
        };
        let mut numbering = Numbering::of(block.block(), self.layout);
        for piece in pieces {
            match &mut numbering {
                Some(numbering) => self.assembly.push(&numbered(piece, numbering)),
                None => self.assembly.push_piece(block, piece),
            }
        }
    }

    /// Appends the separator between the previous block and the next one, which is at `level`.
    fn separate(&mut self, level: Level) {
        let Some(above) = self.above else { return };
        self.start_line();
        if above.shows_source() || level.shows_source() {
            self.assembly.push_counted(&self.separator, || self.separator_tokens);
        }
    }

    fn start_line(&mut self) {
        let text = self.assembly.text();
        if !text.is_empty() && !text.ends_with('\n') {
            self.assembly.push("\n");
        }
    }

    pub(crate) fn finish(mut self, omitted: usize) -> (String, Tokens) {
        if let Some(marker) = self.layout.omission_marker(omitted) {
            self.start_line();
            self.assembly.push(&marker);
        }
        let (text, tokens) = self.assembly.finish();
        (text, tokens + self.overhead)
    }
}
