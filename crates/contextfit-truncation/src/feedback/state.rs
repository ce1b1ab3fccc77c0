//! What was learned for a project.

use std::collections::BTreeMap;

use contextfit_kernel::Block;
use serde::Serialize;

use super::{
    Event, Learned, Rule, Scope,
    scope::{enclosing, within},
};

/// What was learned for each scope of a project.
///
/// A report changes the scope that it names and no other. A block is governed by the narrowest scope that contains it
/// and has reports; without one, nothing was learned for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct State {
    project: String,
    rule: Rule,
    scopes: BTreeMap<Scope, Learned>,
}

impl State {
    /// Nothing learned yet.
    #[must_use]
    pub fn new(project: impl Into<String>, rule: Rule) -> Self {
        Self { project: project.into(), rule, scopes: BTreeMap::new() }
    }

    /// Learns from an event; those of other projects change nothing. O(log n) in the number of scopes, linear for a
    /// reset.
    pub fn observe(&mut self, event: &Event) {
        match event {
            Event::Used(subject) | Event::Restored(subject) | Event::Failed(subject) => {
                if subject.project == self.project {
                    let new = || Learned::new(self.rule);
                    self.scopes.entry(subject.scope.clone()).or_insert_with(new).observe(event, self.rule);
                }
            }
            Event::Reset(reset) => {
                if reset.project == self.project {
                    self.scopes.retain(|scope, _| !reset.scope.includes(scope));
                }
            }
        }
    }

    /// The scope that governs blocks from `path`, and what was learned for it. An absolute path in the project is
    /// relative to it. O(d log n) for a path of d components and n scopes.
    #[must_use]
    pub fn of(&self, path: &str) -> Option<(&Scope, &Learned)> {
        if self.scopes.is_empty() {
            return None;
        }
        enclosing(within(&self.project, path)).find_map(|scope| self.scopes.get_key_value(scope.as_str()))
    }

    /// The scope that governs `block`, by its path, or else by its id, and what was learned for it.
    #[must_use]
    pub fn of_block(&self, block: &Block) -> Option<(&Scope, &Learned)> {
        self.of(block.as_passage().and_then(|passage| passage.path.as_deref()).unwrap_or(&block.id))
    }

    /// The scopes with reports, in order.
    #[must_use]
    pub const fn scopes(&self) -> &BTreeMap<Scope, Learned> {
        &self.scopes
    }

    /// The rule.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// The project.
    #[must_use]
    pub fn project(&self) -> &str {
        &self.project
    }
}
