//! Links entries that belong together: a call and its results, reasoning and its output.

use std::collections::HashMap;

use contextfit_kernel::{Role, Values};

use super::entry::Entry;

/// Sets the tool of every result, and groups entries that only make sense together. Nearly linear in the number of
/// entries and calls.
///
/// - A result belongs to the last call before it with its id. A result that names no call belongs to the assistant
///   message before it.
/// - Adjacent calls are parallel and form one group.
/// - The model's output directly after its reasoning belongs to the reasoning.
pub(super) fn link(entries: &mut [Entry]) {
    let mut groups = Groups { parent: (0..entries.len()).collect() };
    let mut callers: HashMap<String, (usize, String)> = HashMap::new();
    // The assistant message that results follow.
    let mut speaker = None;
    for (at, entry) in entries.iter_mut().enumerate() {
        for answer in &entry.answers {
            let caller = match answer {
                Some(id) => callers.get(id).map(|(caller, _)| *caller),
                None => speaker.filter(|_| entry.role == Role::Tool),
            };
            if let Some(caller) = caller {
                groups.unite(caller, at);
            }
        }
        let results = entry.slots.iter_mut().map(|slot| (&slot.answers, &mut slot.tool));
        for (answers, tool) in
            results.chain(entry.attachments.iter_mut().map(|it| (&it.answers, &mut it.tool)))
        {
            let called = answers.as_ref().and_then(|id| callers.get(id)).map(|(_, tool)| tool.clone());
            *tool = called.or_else(|| tool.take());
            // The role of such a message says that it is a result.
            if entry.role == Role::Tool && tool.as_deref() == Some("") {
                *tool = None;
            }
        }
        for call in &entry.calls {
            if let Some(id) = &call.id {
                callers.insert(id.clone(), (at, call.name.clone()));
            }
        }
        let speaks = entry.role == Role::Assistant;
        speaker = if speaks { Some(at) } else { speaker.filter(|_| entry.role == Role::Tool) };
    }
    unite_neighbours(entries, &mut groups);
    name(entries, &mut groups);
}

/// Unites neighbours that must not be separated.
fn unite_neighbours(entries: &[Entry], groups: &mut Groups) {
    let mut reasoned = false;
    for (at, pair) in entries.windows(2).enumerate() {
        let [before, entry] = pair else { continue };
        reasoned = before.role == Role::Assistant && (reasoned || before.reasons);
        let speaks = entry.role == Role::Assistant;
        let parallel = !before.calls.is_empty() && !entry.calls.is_empty();
        if speaks && (reasoned || parallel) {
            groups.unite(at, at + 1);
        }
    }
}

/// Sets the group of every entry that is not alone to the group's first entry.
fn name(entries: &mut [Entry], groups: &mut Groups) {
    let mut sizes: HashMap<usize, usize> = HashMap::new();
    let firsts: Vec<usize> = (0..entries.len()).map(|at| groups.first(at)).collect();
    for first in &firsts {
        *sizes.entry(*first).or_default() += 1;
    }
    for (entry, first) in entries.iter_mut().zip(firsts) {
        entry.group = (sizes.get(&first) > Some(&1)).then_some(first);
    }
}

/// Disjoint sets of entries; the root of each is its first entry.
struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    fn first(&mut self, mut at: usize) -> usize {
        while let Some(&parent) = self.parent.get(at).filter(|&&parent| parent != at) {
            let above = self.parent.get(parent).copied().unwrap_or(parent);
            self.parent.set(at, above);
            at = above;
        }
        at
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        self.parent.set(a.max(b), a.min(b));
    }
}
