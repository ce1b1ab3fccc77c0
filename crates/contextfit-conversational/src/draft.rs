//! A plan under construction: the form and the cost of each exchange, and the remaining room.

use contextfit_kernel::{Action, Block, Hold, Level, Measured, Plan, Reason, Step, Tokens, Values};
use contextfit_text::keep_shown;

/// How an exchange is shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ExchangeForm {
    /// Not at all.
    Dropped,
    /// Every message whole.
    Kept(Reason),
    /// Every message in its own form, in the order of the members.
    As(Vec<(Action, Reason)>),
}

impl ExchangeForm {
    /// Whether the exchange is shown as messages, cut or not, rather than as entries.
    fn is_shown(&self) -> bool {
        let shows = |action: &Action| action.level(Level::Full).is_some_and(Level::shows_source);
        match self {
            Self::Kept(_) => true,
            Self::Dropped => false,
            Self::As(forms) => forms.iter().any(|(action, _)| shows(action)),
        }
    }
}

/// A plan under construction.
#[derive(Clone)]
pub(crate) struct Draft<'a> {
    pub(crate) input: &'a Measured<'a>,
    pub(crate) exchanges: Vec<Exchange>,
    /// The question that decides which parts of long outputs are shown.
    pub(crate) question: Option<&'a str>,
    forms: Vec<ExchangeForm>,
    /// The tokens that each exchange takes so far.
    spent: Vec<Tokens>,
    room: Tokens,
    /// The remaining room for messages and entries; the tokens of records without entries are already deducted.
    pub(crate) left: Tokens,
}

impl<'a> Draft<'a> {
    /// A draft that shows only pinned exchanges; `question` decides which parts of long outputs are shown. Linear.
    pub(crate) fn new(input: &'a Measured<'a>, room: Tokens, question: Option<&'a str>) -> Self {
        let exchanges = exchanges(input);
        let framing = input.context.layout.framing.as_ref();
        let request = framing.map_or(Tokens::ZERO, |framing| framing.request);
        let mut draft = Self {
            input,
            question,
            forms: vec![ExchangeForm::Dropped; exchanges.len()],
            spent: vec![Tokens::ZERO; exchanges.len()],
            exchanges,
            room,
            left: room.saturating_sub(request + input.omission),
        };
        for n in 0..draft.exchanges.len() {
            if draft.hold(n) == Hold::Pinned {
                draft.left = draft.left.saturating_sub(draft.cost(n));
                draft.set(n, ExchangeForm::Kept(Reason::Pinned));
            }
        }
        draft.left = draft.left.saturating_sub(draft.records());
        draft
    }

    /// Raises the room to `room`, and `left` by the difference unless it is 0: the room may be overdrawn by more.
    pub(crate) fn widen(&mut self, room: Tokens) {
        if self.left > Tokens::ZERO {
            self.left += room.saturating_sub(self.room);
        }
        self.room = room;
    }

    /// Whether the draft shows the same as `other`, with the same room left.
    pub(crate) fn shows_as(&self, other: &Self) -> bool {
        self.left == other.left && self.forms == other.forms
    }

    /// How exchange `n` is held.
    pub(crate) fn hold(&self, n: usize) -> Hold {
        self.exchanges.get(n).map_or(Hold::Free, |exchange| exchange.hold)
    }

    /// The tokens of records without their entries: one record for each run of blocks that are not shown as messages.
    pub(crate) fn records(&self) -> Tokens {
        let owners = self.owners();
        let shown: Vec<bool> = owners.iter().map(|&n| self.is_shown(n)).collect();
        let gaps = shown.chunk_by(|a, b| a == b).filter(|run| run.first() == Some(&false)).count();
        Tokens::new(self.input.record.get().saturating_mul(gaps))
    }

    /// The block at `at`.
    pub(crate) fn block(&self, at: usize) -> Option<&'a Block> {
        self.input.blocks.get(at).map(contextfit_kernel::MeasuredBlock::block)
    }

    /// The tokens of exchange `n` as a whole.
    pub(crate) fn cost(&self, n: usize) -> Tokens {
        let members = self.exchanges.get(n).into_iter().flat_map(|exchange| &exchange.members);
        let blocks = members.filter_map(|&at| self.input.blocks.get(at));
        blocks.map(|block| block.framing() + block.tokens()).sum()
    }

    /// The tokens of each of the `outputs` in exchange `n`.
    pub(crate) fn output_lengths(&self, n: usize, outputs: &[bool]) -> Vec<Tokens> {
        let members = self.exchanges.get(n).into_iter().flat_map(|exchange| &exchange.members);
        let outputs = members.filter(|at| outputs.at(**at));
        outputs.filter_map(|&at| Some(self.input.blocks.get(at)?.tokens())).collect()
    }

    /// Whether exchange `n` is not shown yet.
    pub(crate) fn is_open(&self, n: usize) -> bool {
        matches!(self.forms.get(n), Some(ExchangeForm::Dropped))
    }

    /// The exchanges that are not shown yet.
    pub(crate) fn open(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.exchanges.len()).filter(|&n| self.is_open(n))
    }

    /// Keeps exchange `n` whole if it fits in `room`. Returns its tokens. Without room nothing fits, not even an exchange
    /// that takes no tokens: it would divide a record in two.
    pub(crate) fn keep(&mut self, n: usize, room: Tokens, reason: Reason) -> Option<Tokens> {
        let (cost, room) = (self.cost(n), room.min(self.left));
        if room == Tokens::ZERO || cost > room || !self.is_open(n) {
            return None;
        }
        self.spend(n, cost);
        self.set(n, ExchangeForm::Kept(reason));
        Some(cost)
    }

    /// Charges `tokens` to exchange `n`.
    pub(crate) fn spend(&mut self, n: usize, tokens: Tokens) {
        self.left = self.left.saturating_sub(tokens);
        self.spent.change(n, |spent| *spent += tokens);
    }

    /// Shows exchange `n` in a form that takes `tokens`, instead of its previous form.
    pub(crate) fn replace(&mut self, n: usize, form: ExchangeForm, tokens: Tokens) {
        if let Some(spent) = self.spent.get_mut(n) {
            self.left = (self.left + *spent).saturating_sub(tokens);
            *spent = tokens;
        }
        self.set(n, form);
    }

    /// The tokens charged to exchange `n` so far.
    pub(crate) fn spent(&self, n: usize) -> Tokens {
        self.spent.at(n)
    }

    /// The tokens that exchange `n` may take: those it already takes, and those that are left.
    pub(crate) fn room_for(&self, n: usize) -> Tokens {
        self.left + self.spent(n)
    }

    /// Whether exchange `n` is shown as messages, cut or not.
    pub(crate) fn is_shown(&self, n: usize) -> bool {
        self.forms.get(n).is_some_and(ExchangeForm::is_shown)
    }

    /// Keeps the newest exchanges that are not shown yet, at most `most` of them, up to the first that does not fit in
    /// `room`. They form one run, not counting those shown before.
    pub(crate) fn keep_newest(&mut self, mut room: Tokens, most: usize) {
        let messages = (0..self.exchanges.len()).rev().take_while(|&n| !self.is_entry(n));
        let open: Vec<usize> = messages.filter(|&n| self.is_open(n)).collect();
        for n in open.into_iter().take(most) {
            let Some(cost) = self.keep(n, room, Reason::Recent) else { break };
            room = room.saturating_sub(cost);
        }
    }

    /// Whether exchange `n` is an entry of an earlier record.
    pub(crate) fn is_entry(&self, n: usize) -> bool {
        self.exchanges.get(n).is_some_and(|exchange| exchange.is_entry)
    }

    /// Shows exchange `n` in another form, without accounting for its tokens.
    pub(crate) fn set(&mut self, n: usize, form: ExchangeForm) {
        self.forms.set(n, form);
    }

    /// The exchange of each block.
    pub(crate) fn owners(&self) -> Vec<usize> {
        let mut owners = vec![0; self.input.blocks.len()];
        for (n, exchange) in self.exchanges.iter().enumerate() {
            for &at in &exchange.members {
                owners.set(at, n);
            }
        }
        owners
    }

    /// The finished plan, in which blocks that must be shown get at least their first units or a marker.
    pub(crate) fn finish(self, strategy: &str) -> Plan {
        let mut steps: Vec<Option<Step>> = vec![None; self.input.blocks.len()];
        for (n, (exchange, form)) in self.exchanges.iter().zip(&self.forms).enumerate() {
            let needed = self.cost(n);
            for (member, &at) in exchange.members.iter().enumerate() {
                let Some(block) = self.block(at) else { continue };
                let (action, reason) = match form {
                    ExchangeForm::Dropped => (Action::Drop, Reason::NoRoom { needed }),
                    ExchangeForm::Kept(reason) => (Action::Keep, reason.clone()),
                    ExchangeForm::As(forms) => {
                        forms.get(member).cloned().unwrap_or((Action::Drop, Reason::NoRoom { needed }))
                    }
                };
                steps.set(at, Some(Step::new(&block.id, action, reason)));
            }
        }
        let mut plan = Plan { strategy: strategy.to_owned(), steps: steps.into_iter().flatten().collect() };
        keep_shown(&mut plan, self.input, self.room);
        plan
    }
}

/// Messages that move together: a message that calls tools and the results of its calls, or a single message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exchange {
    /// Indices of its blocks in the context, ascending.
    pub(crate) members: Vec<usize>,
    /// How its blocks are held.
    pub(crate) hold: Hold,
    /// Whether it is an entry of an earlier record rather than a message.
    pub(crate) is_entry: bool,
}

/// The exchanges of `input`, in the order of their first messages. Linear.
pub(crate) fn exchanges(input: &Measured<'_>) -> Vec<Exchange> {
    let holds = input.context.holds();
    let exchange = |members: Vec<usize>| {
        let first = members.first().copied().unwrap_or_default();
        let hold = holds.at(first);
        let is_entry = input.blocks.get(first).is_some_and(|block| !block.block().level.shows_source());
        Exchange { members, hold, is_entry }
    };
    input.context.groups().into_iter().map(exchange).collect()
}
