//! Who says what in a conversation.

use contextfit_kernel::{MeasuredBlock, Role};

use crate::speech::is_printed;

/// Who says what: which messages are people's words, and which were printed by programs.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// For each block, whether it comes from a tool or a program.
    printed: Vec<bool>,
    /// Whether this is a session with tools: it has calls, or outputs of programs in the user's name. Otherwise it is a
    /// conversation between people.
    pub(crate) has_tools: bool,
    /// Whether programs speak in the user's name: their outputs come as user messages.
    pub(crate) by_user: bool,
    /// Whether turns are quoted whole or not at all: in a conversation without tools that has a query.
    pub(crate) whole_turns: bool,
}

impl Said {
    /// Determines who says what in `blocks`; `asked` if there is a query. Linear.
    pub(crate) fn new(blocks: &[MeasuredBlock<'_>], asked: bool) -> Self {
        let turns =
            || blocks.iter().filter_map(|measured| Some((measured.block(), measured.block().as_turn()?)));
        let mut users = turns().filter(|(_, turn)| turn.role == Role::User).map(|(block, _)| block).skip(1);
        let (all, outputs) = users.by_ref().fold((0, 0), |(all, outputs), block| {
            (all + 1, outputs + usize::from(block.level.shows_source() && is_printed(&block.text)))
        });
        // Some agents send the output of their commands in the user's name.
        let by_user = outputs * 2 > all;
        let has_calls = turns().any(|(_, turn)| {
            turn.role == Role::Tool
                || !turn.calls.is_empty()
                || turn.parts.iter().any(|part| part.tool.is_some())
        });
        let mut first = true;
        let printed = |measured: &MeasuredBlock<'_>| {
            let block = measured.block();
            let Some(turn) = block.as_turn() else { return false };
            match turn.role {
                Role::Tool => true,
                Role::User if turn.parts.iter().any(|part| part.tool.is_some()) => true,
                Role::User => {
                    let is_first = std::mem::take(&mut first);
                    by_user && !is_first && is_printed(&block.text)
                }
                _ => false,
            }
        };
        let printed = blocks.iter().map(printed).collect();
        let has_tools = has_calls || by_user;
        let whole_turns = asked && !has_tools; // ablate: chat.whole-turns => false
        Self { printed, has_tools, by_user, whole_turns }
    }

    /// Whether block `at` comes from a tool or a program.
    pub(crate) fn is_printed(&self, at: usize) -> bool {
        self.printed.get(at) == Some(&true)
    }

    /// For each block, whether it is printed.
    pub(crate) fn printed(&self) -> &[bool] {
        &self.printed
    }
}
