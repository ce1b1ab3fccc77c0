//! What a record says of turns that leave a conversation: it names their attachments and the calls that no entry quotes,
//! and no longer points to them.

use std::collections::{BTreeMap, HashMap, HashSet};

use contextfit_kernel::{
    Action, Attachment, Block, ByteRange, Entry, Hold, InvalidPlan, Label, Level, Measured, Medium, Plan,
    Quote, QuoteSource, Reason, Step, Turn, Voice, entry_body,
};

/// The name, in a trace, of the plan of last resort: it keeps what must be shown and nothing else.
pub const SMALLEST: &str = "smallest";

/// The entries that name the departures of each block, by the index of the block.
type Due = BTreeMap<usize, Vec<Entry>>;

/// Adds to `plan` the entries that name what leaves the conversation: the attachments of each turn that is not shown,
/// and one entry for all calls that are neither shown nor quoted, at the last of them. Such an entry of an earlier
/// record is kept, or its calls are added to the new entry. If `calls` is false, calls are not named. Linear in the
/// size of the plan.
pub(crate) fn name_departures(plan: &mut Plan, input: &Measured<'_>, calls: bool) {
    if input.context.layout.framing.is_none() {
        return;
    }
    for (step, measured) in plan.steps.iter_mut().zip(&input.blocks) {
        if let Action::Record { entries } = &mut step.action {
            entries.retain(|entry| !is_name(entry));
        }
        if step.action == Action::Drop && names_attachments(measured.block()) {
            step.action = Action::Keep;
            step.tokens = None;
        }
    }
    for (at, names) in due(plan, input, calls) {
        let Some((step, measured)) = plan.steps.get_mut(at).zip(input.blocks.get(at)) else { continue };
        step.tokens = None;
        match &mut step.action {
            Action::Record { entries } => entries.extend(names),
            Action::Render { text, .. } => text.insert_str(0, &lines(&names, measured.block())),
            action => *action = Action::Record { entries: names },
        }
    }
}

/// Drops the entries of earlier records that only point to a turn (`#2 user again in #7:`) which `plan` does not show.
/// Linear.
pub(crate) fn drop_pointers(plan: &mut Plan, input: &Measured<'_>) {
    for at in dangling(plan, input) {
        if let Some((step, block)) = plan.steps.get_mut(at).zip(input.blocks.get(at)) {
            let needed = block.cost(&Action::Keep, input.counter);
            *step = Step::new(&step.id, Action::Drop, Reason::NoRoom { needed });
        }
    }
}

/// The blocks of which `plan` only shows that another turn says the same, which it does not show. Pinned ones are left
/// out.
pub(crate) fn dangling(plan: &Plan, input: &Measured<'_>) -> Vec<usize> {
    let (mut shown, mut found) = (HashSet::new(), Vec::new());
    if input.context.layout.framing.is_none() {
        return found;
    }
    let numbers = input.context.numbers().into_iter().zip(input.context.holds());
    let steps: Vec<_> = plan.steps.iter().zip(&input.blocks).zip(numbers).enumerate().collect();
    // A pointer leads to a later turn.
    for (at, ((step, measured), (number, hold))) in steps.into_iter().rev() {
        let block = measured.block();
        let label = match &step.action {
            Action::Record { entries } => entries.first().map(|entry| entry.label.clone()),
            _ if block.level.shows_source() => None,
            _ => Label::parse(&block.text).map(|(label, _)| label),
        };
        match label.map(|label| label.voice) {
            _ if step.action.level(block.level).is_none() => {}
            Some(Voice::Again { at: target, .. }) if hold == Hold::Free && !shown.contains(&target) => {
                found.push(at);
            }
            _ => _ = shown.insert(number),
        }
    }
    found
}

/// The entries for departures that a plan must have.
pub(crate) struct Owed(Due);

impl Owed {
    /// The entries that `plan` must have for the departures from `input`.
    pub(crate) fn by(plan: &Plan, input: &Measured<'_>) -> Self {
        if input.context.layout.framing.is_none() {
            return Self(Due::new());
        }
        // If nothing else fits, a plan does not name calls; their turns are only counted as left out.
        let entries = plan.steps.iter().filter_map(|step| match &step.action {
            Action::Record { entries } => Some(entries),
            _ => None,
        });
        let calls = plan.strategy != SMALLEST || entries.flatten().any(names_calls);
        Self(due(plan, input, calls))
    }

    /// Checks that the step for the block at `at` has exactly the required entries for departures. If the step is a
    /// summary, returns its text without them.
    ///
    /// # Errors
    /// [`InvalidPlan::Departure`].
    pub(crate) fn check<'s>(
        &self,
        at: usize,
        step: &'s Step,
        block: &Block,
    ) -> Result<Option<&'s str>, InvalidPlan> {
        let due = self.0.get(&at).map(Vec::as_slice).unwrap_or_default();
        let missing = || InvalidPlan::Departure(block.id.clone());
        match &step.action {
            Action::Record { entries } => {
                let names = entries.iter().filter(|entry| is_name(entry));
                if names.eq(due) { Ok(None) } else { Err(missing()) }
            }
            Action::Render { text, .. } => {
                text.strip_prefix(&lines(due, block)).map(Some).ok_or_else(missing)
            }
            Action::Drop if names_attachments(block) => Err(missing()),
            _ if due.is_empty() => Ok(None),
            _ => Err(missing()),
        }
    }
}

/// Whether `entry` names departures.
pub(crate) fn is_name(entry: &Entry) -> bool {
    let of_attachments = |quote: &Quote| matches!(quote.source, QuoteSource::Attachments { .. });
    names_calls(entry) || entry.lines.iter().flatten().any(of_attachments)
}

/// Whether `entry` names calls without quoting them.
fn names_calls(entry: &Entry) -> bool {
    matches!(entry.label.voice, Voice::Called { .. } | Voice::Calls { .. }) && entry.lines.is_empty()
}

/// Whether `block` is an entry of an earlier record that names attachments.
fn names_attachments(block: &Block) -> bool {
    !block.level.shows_source()
        && Label::parse(&block.text).is_some_and(|(label, _)| matches!(label.voice, Voice::Attached { .. }))
        && Medium::is_named_by(&entry_body(&block.text))
}

/// The text of `names`, one entry per line.
fn lines(names: &[Entry], block: &Block) -> String {
    Entry::texts(names, block).into_iter().map(|name| name + "\n").collect()
}

/// The entries for the departures of `plan`, without regard to those that it already has.
fn due(plan: &Plan, input: &Measured<'_>, calls: bool) -> Due {
    let mut due = Due::new();
    // The calls of each tool that leave unquoted, the last of all, and the calls that quoted ones repeat.
    let mut left: BTreeMap<String, usize> = BTreeMap::new();
    let mut last = (0, 0);
    let mut repeated: HashMap<String, usize> = HashMap::new();
    let numbers = input.context.numbers();
    for (at, ((step, measured), &number)) in plan.steps.iter().zip(&input.blocks).zip(&numbers).enumerate() {
        let block = measured.block();
        let mut leave = |label: &Label| {
            let calls = match &label.voice {
                Voice::Called { tool } => vec![(tool.clone(), label.times)],
                Voice::Calls { tools } => tools.clone(),
                _ => Vec::new(),
            };
            for (tool, times) in calls {
                let calls = left.entry(tool).or_default();
                *calls = calls.saturating_add(times);
                last = (at, number);
            }
        };
        if !block.level.shows_source() {
            let is_kept = step.action == Action::Keep;
            let label = Label::parse(&block.text).map(|(label, _)| label);
            label.filter(|_| !is_kept).iter().for_each(leave);
            continue;
        }
        let shows_source = step.action.level(block.level).is_some_and(Level::shows_source);
        let Some(turn) = block.as_turn().filter(|_| !shows_source) else { continue };
        let names = attachments(turn, number);
        if !names.is_empty() {
            due.insert(at, names);
        }
        let entries = match &step.action {
            Action::Record { entries } => entries.as_slice(),
            _ => &[],
        };
        // The label of each quoted call.
        let quoted: HashMap<usize, &Label> = entries
            .iter()
            .flat_map(|entry| entry.lines.iter().flatten().map(move |quote| (quote.source, &entry.label)))
            .filter_map(|(source, label)| match source {
                QuoteSource::Arguments(n) => Some((n, label)),
                _ => None,
            })
            .collect();
        for (n, call) in turn.calls.iter().enumerate() {
            match quoted.get(&n) {
                None => leave(&Label::new(number, Voice::Called { tool: call.name.clone() })),
                Some(Label { voice: Voice::Called { tool }, times, .. }) => {
                    *repeated.entry(tool.clone()).or_default() += times.saturating_sub(1);
                }
                Some(_) => {}
            }
        }
    }
    let unquoted = left.into_iter().map(|(tool, n)| {
        let n = n.saturating_sub(repeated.get(&tool).copied().unwrap_or_default());
        (tool, n)
    });
    let mut tools: Vec<(String, usize)> = unquoted.filter(|(_, n)| calls && *n > 0).collect();
    let ((at, number), several) = (last, tools.len() > 1);
    let label = match tools.pop() {
        Some(one) if several => {
            tools.push(one);
            Label::new(number, Voice::Calls { tools })
        }
        Some((tool, times)) => Label::new(number, Voice::Called { tool }).with_times(times),
        None => return due,
    };
    due.entry(at).or_default().push(Entry { label, lines: Vec::new() });
    due
}

/// The entries that name the attachments of `turn`, which has this `number`: one for the speaker and one for each tool.
fn attachments(turn: &Turn, number: usize) -> Vec<Entry> {
    let mut from = 0;
    let mut names: Vec<Entry> = Vec::new();
    for run in turn.attachments.chunk_by(|a, b| a == b) {
        let Some(Attachment { tool, .. }) = run.first() else { continue };
        let to = from + run.len();
        let quote = Quote::new(QuoteSource::Attachments { from, to }, ByteRange::whole(""));
        from = to;
        let name = tool.clone().or_else(|| turn.name.clone());
        let label = Label::new(number, Voice::Attached { role: turn.role, name });
        match names.last_mut().filter(|entry| entry.label == label) {
            Some(entry) => entry.lines.iter_mut().for_each(|line| line.push(quote)),
            None => names.push(Entry { label, lines: vec![vec![quote]] }),
        }
    }
    names
}
