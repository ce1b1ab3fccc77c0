//! A plan in the making: what each exchange takes, and what is left of the room.

use contextfit_kernel::{Action, Block, Hold, Level, Measured, Plan, Reason, Role, Step, Tokens};
use contextfit_text::keep_shown;

use crate::exchange::{Exchange, exchanges};

/// How an exchange is shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Form {
    /// Not at all.
    Dropped,
    /// Every message whole.
    Kept(Reason),
    /// Every message as one of these, in the order of the members.
    As(Vec<(Action, Reason)>),
}

impl Form {
    /// Whether it is messages, and not lines.
    fn is_shown(&self) -> bool {
        let shows = |action: &Action| action.level(Level::Full).is_some_and(Level::shows_source);
        match self {
            Self::Kept(_) => true,
            Self::Dropped => false,
            Self::As(forms) => forms.iter().any(|(action, _)| shows(action)),
        }
    }
}

/// A plan in the making.
#[derive(Clone)]
pub(crate) struct Draft<'a> {
    pub(crate) input: &'a Measured<'a>,
    pub(crate) exchanges: Vec<Exchange>,
    forms: Vec<Form>,
    /// What each exchange takes so far.
    spent: Vec<Tokens>,
    room: Tokens,
    /// What is left of the room; what the first ledger takes is set aside.
    pub(crate) left: Tokens,
}

impl<'a> Draft<'a> {
    /// What is pinned is kept, and what must be shown where it fits, the newest first; nothing else. Linear.
    pub(crate) fn new(input: &'a Measured<'a>, room: Tokens) -> Self {
        let exchanges = exchanges(input);
        let framing = input.context.layout.framing.as_ref();
        let request = framing.map_or(Tokens::ZERO, |framing| framing.request);
        let mut draft = Self {
            input,
            forms: vec![Form::Dropped; exchanges.len()],
            spent: vec![Tokens::ZERO; exchanges.len()],
            exchanges,
            room,
            left: room.saturating_sub(request + input.omission + input.ledger),
        };
        for n in 0..draft.exchanges.len() {
            if draft.exchanges.get(n).is_some_and(|exchange| exchange.hold == Hold::Pinned) {
                draft.left = draft.left.saturating_sub(draft.cost(n));
                draft.set(n, Form::Kept(Reason::Pinned));
            }
        }
        for n in (0..draft.exchanges.len()).rev() {
            if draft.exchanges.get(n).is_some_and(|exchange| exchange.hold == Hold::Shown) {
                draft.keep(n, draft.left, Reason::Shown);
            }
        }
        draft
    }

    /// The block at `at`.
    pub(crate) fn block(&self, at: usize) -> Option<&'a Block> {
        self.input.blocks.get(at).map(contextfit_kernel::MeasuredBlock::block)
    }

    /// What exchange `n` takes whole.
    pub(crate) fn cost(&self, n: usize) -> Tokens {
        let members = self.exchanges.get(n).into_iter().flat_map(|exchange| &exchange.members);
        let blocks = members.filter_map(|&at| self.input.blocks.get(at));
        blocks.map(|block| block.framing() + block.tokens()).sum()
    }

    /// The lengths of the outputs of exchange `n`.
    pub(crate) fn output_lengths(&self, n: usize, outputs: &[bool]) -> Vec<Tokens> {
        let members = self.exchanges.get(n).into_iter().flat_map(|exchange| &exchange.members);
        let outputs = members.filter(|at| outputs.get(**at) == Some(&true));
        outputs.filter_map(|&at| Some(self.input.blocks.get(at)?.tokens())).collect()
    }

    /// Whether exchange `n` is not shown so far.
    pub(crate) fn is_open(&self, n: usize) -> bool {
        matches!(self.forms.get(n), Some(Form::Dropped))
    }

    /// Keeps exchange `n` whole if `room` has room for it; what it took.
    pub(crate) fn keep(&mut self, n: usize, room: Tokens, reason: Reason) -> Option<Tokens> {
        let cost = self.cost(n);
        if cost > room.min(self.left) || !self.is_open(n) {
            return None;
        }
        self.spend(n, cost);
        self.set(n, Form::Kept(reason));
        Some(cost)
    }

    /// Exchange `n` takes `tokens` more.
    pub(crate) fn spend(&mut self, n: usize, tokens: Tokens) {
        self.left = self.left.saturating_sub(tokens);
        if let Some(spent) = self.spent.get_mut(n) {
            *spent += tokens;
        }
    }

    /// Shows exchange `n` in a form that takes `tokens`, in place of what it took so far.
    pub(crate) fn replace(&mut self, n: usize, form: Form, tokens: Tokens) {
        if let Some(spent) = self.spent.get_mut(n) {
            self.left = (self.left + *spent).saturating_sub(tokens);
            *spent = tokens;
        }
        self.set(n, form);
    }

    /// What exchange `n` may take: what it takes, and what is left.
    pub(crate) fn room_for(&self, n: usize) -> Tokens {
        self.left + self.spent.get(n).copied().unwrap_or_default()
    }

    /// Whether exchange `n` is shown as messages, be they cut.
    pub(crate) fn is_shown(&self, n: usize) -> bool {
        self.forms.get(n).is_some_and(Form::is_shown)
    }

    /// Keeps the newest exchanges that are not shown so far, at most `most` of them and as far as `room` has room; what is
    /// kept is one stretch but for those shown before.
    pub(crate) fn keep_newest(&mut self, mut room: Tokens, most: usize, reason: &Reason) {
        let open: Vec<usize> = (0..self.exchanges.len()).rev().filter(|&n| self.is_open(n)).collect();
        for n in open.into_iter().take(most) {
            let Some(cost) = self.keep(n, room, reason.clone()) else { break };
            room = room.saturating_sub(cost);
        }
    }

    /// How exchange `n` is shown so far.
    pub(crate) fn form(&self, n: usize) -> Option<&Form> {
        self.forms.get(n)
    }

    /// Shows exchange `n` in another form, without asking what it takes.
    pub(crate) fn set(&mut self, n: usize, form: Form) {
        if let Some(known) = self.forms.get_mut(n) {
            *known = form;
        }
    }

    /// For each block its exchange.
    pub(crate) fn owners(&self) -> Vec<usize> {
        let mut owners = vec![0; self.input.blocks.len()];
        for (n, exchange) in self.exchanges.iter().enumerate() {
            for &at in &exchange.members {
                owners.get_mut(at).into_iter().for_each(|owner| *owner = n);
            }
        }
        owners
    }

    /// For each exchange the number of those before it that are shown as messages: lines of exchanges with the same number
    /// share a ledger.
    pub(crate) fn stretches(&self) -> Vec<usize> {
        let mut before = 0;
        let count = |form: &Form| {
            let here = before;
            before += usize::from(form.is_shown());
            here
        };
        self.forms.iter().map(count).collect()
    }

    /// The plan; of what must be shown, at least the first units or a marker.
    pub(crate) fn finish(self, strategy: &str) -> Plan {
        let mut steps: Vec<Option<Step>> = vec![None; self.input.blocks.len()];
        for (n, (exchange, form)) in self.exchanges.iter().zip(&self.forms).enumerate() {
            let needed = self.cost(n);
            for (member, &at) in exchange.members.iter().enumerate() {
                let Some(block) = self.block(at) else { continue };
                let (action, reason) = match form {
                    Form::Dropped => (Action::Drop, Reason::NoRoom { needed }),
                    Form::Kept(reason) => (Action::Keep, reason.clone()),
                    Form::As(forms) => {
                        forms.get(member).cloned().unwrap_or((Action::Drop, Reason::NoRoom { needed }))
                    }
                };
                if let Some(step) = steps.get_mut(at) {
                    *step = Some(Step::new(&block.id, action, reason));
                }
            }
        }
        let mut plan = Plan { strategy: strategy.to_owned(), steps: steps.into_iter().flatten().collect() };
        keep_shown(&mut plan, self.input, self.room);
        plan
    }
}

/// For each block whether it brings what a tool or a machine said, and not a part in the talk.
///
/// Wire formats say so of results of calls. Older agents send what their commands print in the name of the user: a long
/// message behind the first, most of whose lines are no sentences, is taken for such a thing.
pub(crate) fn outputs(input: &Measured<'_>) -> Vec<bool> {
    let mut users = 0;
    let is_output = |block: &Block| {
        let Some(turn) = block.as_turn() else { return false };
        users += usize::from(turn.role == Role::User);
        match turn.role {
            Role::Tool => true,
            Role::User if turn.parts.iter().any(|part| part.tool.is_some()) => true,
            Role::User if users > 1 => looks_printed(&block.text),
            _ => false,
        }
    };
    input.blocks.iter().map(contextfit_kernel::MeasuredBlock::block).map(is_output).collect()
}

/// A message of fewer lines than this is taken for speech.
const LINES: usize = 4;

/// Whether most lines of `text` look printed by a machine: they do not begin with a letter and end like a sentence, nor run
/// on like a paragraph.
fn looks_printed(text: &str) -> bool {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let said = |line: &&str| {
        let words = line.split_whitespace().count();
        words > 14 || (words > 3 && line.ends_with(['.', '?', '!', ',', ':', ';', '。', '？', '！']))
    };
    let (mut all, mut spoken) = (0, 0);
    for line in lines {
        all += 1;
        spoken += usize::from(said(&line));
    }
    all >= LINES && spoken * 2 < all
}
