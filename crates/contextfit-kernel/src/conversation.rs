//! How the blocks of a conversation become messages.

use crate::{Block, Context, Label, Record, Voice};

/// A message of a shortened conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Message<'a> {
    /// A block at level 2 or 3.
    Turn(&'a Block),
    /// The record that replaces several blocks: its text.
    Record(String),
}

impl Context {
    /// The number of each block in the whole session: the number that its turn has, or else one more than that of the
    /// block before. Blocks that the caller left out ([`Context::omitted`]) are counted after the opening instructions,
    /// unless turns have numbers.
    #[must_use]
    pub fn numbers(&self) -> Vec<usize> {
        let own = |block: &Block| block.as_turn().map_or(0, |turn| turn.number);
        let mut omitted = if self.blocks.iter().any(|block| own(block) > 0) { 0 } else { self.omitted };
        let mut number: usize = 0;
        let mut next = |block: &Block| {
            let instructs = block.as_turn().is_some_and(|turn| turn.role.instructs());
            let before = if instructs { 0 } else { std::mem::take(&mut omitted) };
            number = match own(block) {
                0 => number.saturating_add(before).saturating_add(1),
                own => own,
            };
            number
        };
        self.blocks.iter().map(&mut next).collect()
    }

    /// The messages that the blocks form, in order. If the layout is not a conversation, each block is one
    /// [`Message::Turn`]. Linear in the length of the blocks at levels 0 and 1.
    #[must_use]
    pub fn messages(&self) -> Vec<Message<'_>> {
        if self.layout.framing.is_none() {
            return self.blocks.iter().map(Message::Turn).collect();
        }
        let mut messages = Vec::with_capacity(self.blocks.len());
        let mut gap = Gap::default();
        for (block, number) in self.blocks.iter().zip(self.numbers()) {
            if !block.level.shows_source() {
                gap.quote(number, &block.text);
                continue;
            }
            messages.extend(gap.close(number.saturating_sub(1)));
            messages.push(Message::Turn(block));
            gap = Gap { from: number.saturating_add(1), left_out: gap.left_out, ..Gap::default() };
        }
        // Omitted turns that are in no gap were left out after the last message.
        let trailing = self.omitted.saturating_sub(gap.left_out + gap.silent());
        let last = gap.last.max(gap.from.saturating_sub(1)).saturating_add(trailing);
        messages.extend(gap.close(last));
        messages
    }
}

/// The turns between two messages.
struct Gap {
    /// The first turn of the gap.
    from: usize,
    /// The last turn that is quoted.
    last: usize,
    /// Turns that are quoted or covered by a summary: first and last of each run, ascending.
    covered: Vec<(usize, usize)>,
    entries: String,
    /// Turns left out in all gaps so far.
    left_out: usize,
}

impl Default for Gap {
    fn default() -> Self {
        Self { from: 1, last: 0, covered: Vec::new(), entries: String::new(), left_out: 0 }
    }
}

impl Gap {
    fn quote(&mut self, number: usize, entries: &str) {
        if entries.is_empty() {
            return;
        }
        // A summary covers all turns from the first one that it names to its own.
        let mut first = match Label::parse(entries).map(|(label, _)| label.voice) {
            Some(Voice::Summary { from }) => from.clamp(self.from.min(number), number),
            _ => number,
        };
        while let Some((start, _)) = self.covered.pop_if(|(_, end)| *end >= first) {
            first = first.min(start);
        }
        self.covered.push((first, number));
        self.last = self.last.max(number);
        self.entries.extend(["\n", entries]);
    }

    /// The number of turns that are quoted or covered by a summary.
    fn n_covered(&self) -> usize {
        self.covered.iter().map(|(first, last)| last.saturating_add(1).saturating_sub(*first)).sum()
    }

    /// The number of turns up to the last quoted one that are neither quoted nor summarized.
    fn silent(&self) -> usize {
        self.last.saturating_add(1).saturating_sub(self.from).saturating_sub(self.n_covered())
    }

    /// The record of the turns up to `to`; `None` if there are none.
    fn close<'a>(&mut self, to: usize) -> Option<Message<'a>> {
        let to = to.max(self.last);
        let turns = to.saturating_add(1).saturating_sub(self.from);
        if turns == 0 && self.covered.is_empty() {
            return None;
        }
        let left_out = turns.saturating_sub(self.n_covered());
        self.left_out = self.left_out.saturating_add(left_out);
        let entries = std::mem::take(&mut self.entries);
        let heading = Record::heading(self.from, to, left_out, !entries.is_empty());
        Some(Message::Record(heading + &entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Framing, Layout, Level, Role, Tokens, Turn};

    #[track_caller]
    fn check(blocks: &[(usize, Role, Level, &str)], omitted: usize, expect: &[&str]) {
        let framing = Framing { request: Tokens::ZERO, record: Tokens::ZERO };
        let block = |&(number, role, level, text): &(usize, Role, Level, &str)| {
            Block::turn("b", Turn::new(role).with_number(number), text).shown_as(text.into(), level)
        };
        let context = Context::new(blocks.iter().map(block).collect())
            .with_layout(Layout::conversation(framing))
            .with_omitted(omitted);
        let shown: Vec<String> = context
            .messages()
            .into_iter()
            .map(|message| match message {
                Message::Turn(block) => block.text.clone(),
                Message::Record(text) => {
                    let record = Record::parse(&text).expect("a record");
                    let entries: Vec<&str> = record.entries.iter().map(|(_, text)| text.as_str()).collect();
                    format!("{}-{}, {}: {}", record.from, record.to, record.left_out, entries.join("|"))
                }
            })
            .collect();
        assert_eq!(shown, expect);
    }

    #[test]
    fn messages() {
        use Level::{Extract, Full, Gist, Reference};
        use Role::{Assistant, System, User};

        check(&[], 0, &[]);
        check(&[(0, System, Full, "s"), (0, User, Full, "u")], 0, &["s", "u"]);
        check(&[(0, System, Full, "s"), (0, User, Full, "u")], 1, &["s", "2-2, 1: ", "u"]);
        check(&[(1, System, Full, "s"), (3, User, Full, "u")], 1, &["s", "2-2, 1: ", "u"]);
        check(&[], 2, &["1-2, 2: "]);
        let last = usize::MAX;
        check(&[(last, User, Gist, "#1 user: a")], 0, &[&format!("1-{last}, {}: #1 user: a", last - 1)]);
        check(
            &[
                (1, User, Gist, "#1 user: a"),
                (2, Assistant, Reference, "#2 assistant: b"),
                (3, User, Extract, "c"),
                (4, Assistant, Gist, "#4 assistant: d"),
            ],
            0,
            &["1-2, 0: #1 user: a|#2 assistant: b", "c", "4-4, 0: #4 assistant: d"],
        );
        check(
            &[
                (1, User, Full, "a"),
                (4, User, Gist, "#4 user: b"),
                (6, User, Full, "c"),
                (7, User, Full, "d"),
            ],
            5,
            &["a", "2-5, 3: #4 user: b", "c", "d", "8-9, 2: "],
        );
        check(
            &[
                (2, User, Gist, "#2 user: a"),
                (2, User, Gist, "#2 assistant called b: c"),
                (5, User, Gist, "#5 user: d"),
            ],
            4,
            &["1-6, 4: #2 user: a|#2 assistant called b: c|#5 user: d"],
        );
        check(
            &[
                (2, User, Gist, "#2 user: a"),
                (4, User, Gist, "#4 user: b"),
                (9, Assistant, Gist, "#9 summary from #3: c"),
            ],
            1,
            &["1-9, 1: #2 user: a|#4 user: b|#9 summary from #3: c"],
        );
    }
}
