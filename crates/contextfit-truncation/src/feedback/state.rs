//! The thresholds and weights that were learned for a project.

use std::collections::BTreeMap;

use contextfit_kernel::{Block, Level};
use serde::Serialize;

use crate::feedback::{
    Event, Rule, Scope, Subject, WORTH,
    scope::{enclosing, within},
};

/// The thresholds and weights that were learned for the scopes of a project.
///
/// A report changes only the scope that it names. A block is governed by the narrowest scope that contains it and has
/// reports. Without such a scope, nothing was learned for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct State {
    project: String,
    rule: Rule,
    scopes: BTreeMap<Scope, Learned>,
}

impl State {
    /// Creates a state in which nothing was learned.
    #[must_use]
    pub fn new(project: impl Into<String>, rule: Rule) -> Self {
        Self { project: project.into(), rule, scopes: BTreeMap::new() }
    }

    /// Learns from an event. Events of other projects are ignored. O(log n) in the number of scopes, linear for a
    /// reset.
    pub fn observe(&mut self, event: &Event) {
        match event {
            Event::Used(subject) | Event::Restored(subject) | Event::Failed(subject)
                if subject.project == self.project =>
            {
                let new = || Learned::new(self.rule);
                self.scopes.entry(subject.scope.clone()).or_insert_with(new).observe(event, self.rule);
            }
            Event::Reset(reset) if reset.project == self.project => {
                self.scopes.retain(|scope, _| !reset.scope.includes(scope));
            }
            _ => {}
        }
    }

    /// The scope that governs blocks from `path`, and what was learned for it. An absolute path in the project counts
    /// as relative to it. O(d log n) for a path of d components and n scopes.
    #[must_use]
    pub fn of(&self, path: &str) -> Option<(&Scope, &Learned)> {
        if self.scopes.is_empty() {
            return None;
        }
        enclosing(within(&self.project, path)).find_map(|scope| self.scopes.get_key_value(scope.as_str()))
    }

    /// The scope that governs `block`, by its path, otherwise by its id, and what was learned for it.
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

/// The threshold and the weight of a scope, and the reports from which they were learned.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Learned {
    /// Blocks that score below this threshold are shown by their metadata.
    pub threshold: Moving,
    /// The weight that multiplies the relevance of the scope's blocks, from 0.5 to 2.
    pub worth: Moving,
    /// All reports, including those that changed nothing.
    pub reports: Reports,
}

/// A value that changes with each trial.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Moving {
    /// The value.
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
    /// Blocks that were requested in more detail than shown.
    pub restored: u32,
    /// Blocks that were missing when an answer failed.
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
    /// Nothing learned yet.
    pub(crate) fn new(rule: Rule) -> Self {
        Self { threshold: Moving::at(rule.start()), worth: Moving::at(1.0), reports: Reports::default() }
    }

    /// Learns from one report.
    ///
    /// A trial is a report that a block was needed. Whether its text was missing changes the weight; whether the
    /// current threshold hides the block changes the threshold. These reports show neither and are only counted:
    ///
    /// - a block was used of which only the name was shown: the name was enough;
    /// - more of a block was requested although it was shown whole: there is no more.
    ///
    /// If more was requested of a block that scores above the threshold, there was no room for it. That is a trial of
    /// the weight only: no threshold would have helped.
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

/// Whether a report that the text of the block was `missing`, or was not, is consistent with how it was shown.
fn is_trial(subject: &Subject, missing: bool) -> bool {
    match subject.shown {
        Some(level) if missing => level != Level::Full,
        Some(level) => level.shows_source(),
        None => missing,
    }
}
