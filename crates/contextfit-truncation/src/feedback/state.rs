//! What was learned for a project and its scopes.

use std::collections::BTreeMap;

use contextfit_kernel::{Block, Level};
use serde::Serialize;

use crate::feedback::{
    Event, Rule, Scope, Subject, WORTH,
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

/// The threshold and the weight of a scope, and the reports that they come from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Learned {
    /// Blocks that score below it are shown by their metadata.
    pub threshold: Moving,
    /// The factor by which the relevance of the scope's blocks is multiplied, from 0.5 to 2.
    pub worth: Moving,
    /// The reports, whether or not they moved anything.
    pub reports: Reports,
}

/// A figure that moves with each trial.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Moving {
    /// Its value.
    pub value: f64,
    /// The number of trials.
    pub trials: u32,
    /// The number of trials that were misses.
    pub misses: u32,
}

/// The number of reports of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Reports {
    /// Blocks that answers used.
    pub used: u32,
    /// Blocks of which more was wanted than was shown.
    pub restored: u32,
    /// Blocks for lack of which answers failed.
    pub failed: u32,
}

impl Reports {
    /// The number of all reports.
    #[must_use]
    pub const fn all(self) -> u32 {
        self.used.saturating_add(self.restored).saturating_add(self.failed)
    }
}

impl Moving {
    const fn at(value: f64) -> Self {
        Self { value, trials: 0, misses: 0 }
    }

    fn count(&mut self, miss: bool) {
        self.trials = self.trials.saturating_add(1);
        self.misses = self.misses.saturating_add(u32::from(miss));
    }
}

impl Learned {
    /// Nothing yet.
    pub(crate) fn new(rule: Rule) -> Self {
        Self { threshold: Moving::at(rule.start()), worth: Moving::at(1.0), reports: Reports::default() }
    }

    /// Learns from one report.
    ///
    /// A trial is a report that a block was needed. Whether its text was missing decides the weight; whether the
    /// threshold hides it, as it is now, decides the threshold. These reports say neither and are only counted:
    ///
    /// - a block was used of which only the name was shown: the name was enough;
    /// - more was wanted of a block that was shown whole: there is no more.
    ///
    /// A block of which more was wanted although it scores above the threshold was short of room. It is a trial of the
    /// weight only: no threshold would have changed that.
    pub(crate) fn observe(&mut self, event: &Event, rule: Rule) {
        let (subject, counted, missing) = match event {
            Event::Used(subject) => (subject, &mut self.reports.used, false),
            Event::Restored(subject) => (subject, &mut self.reports.restored, true),
            Event::Failed(subject) => (subject, &mut self.reports.failed, true),
            Event::Reset(_) => return,
        };
        *counted = counted.saturating_add(1);
        if !is_trial(subject, missing) {
            return;
        }
        let up = rule.step(self.worth.trials, missing);
        self.worth.value = (self.worth.value + up).clamp(WORTH.0, WORTH.1);
        self.worth.count(missing);

        let Some(score) = subject.score.filter(|score| score.scale() == rule.scale()) else { return };
        let below = score.value() < self.threshold.value;
        if missing && !below {
            return;
        }
        let down = rule.step(self.threshold.trials, below);
        let (lowest, highest) = rule.bounds();
        self.threshold.value = (self.threshold.value - down).clamp(lowest, highest);
        self.threshold.count(below);
    }
}

/// Whether a report that the block's text was missing, or was not, fits how it was shown.
fn is_trial(subject: &Subject, missing: bool) -> bool {
    match subject.shown {
        Some(level) if missing => level != Level::Full,
        Some(level) => level.shows_source(),
        None => missing,
    }
}
