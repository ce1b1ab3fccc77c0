//! What an application reports.

use contextfit_kernel::Level;
use serde::{Deserialize, Serialize};

use super::{Scope, Score, scope::within};

/// A line of a history.
///
/// Nothing is reported about blocks that nobody mentions: silence is unknown, not success.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// An answer used the block.
    Used(Subject),
    /// Somebody wanted more of the block than was shown: it was restored, read or requested again.
    Restored(Subject),
    /// An answer failed for lack of the block.
    Failed(Subject),
    /// What was learned so far for a scope, and for all scopes in it, no longer counts.
    Reset(Reset),
}

/// The block that a report is about, and how it was shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// The project: a name, or its root folder.
    pub project: String,
    /// The scope that learns from the report, and no other.
    pub scope: Scope,
    /// The id of the block.
    pub block: String,
    /// The level at which it was shown; `None` if it was dropped.
    pub shown: Option<Level>,
    /// The value that the threshold was compared with, if the block had a score from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
}

impl Subject {
    /// A block whose id is its path, without a score, in its [usual scope](Scope::around).
    #[must_use]
    pub fn new(project: impl Into<String>, path: impl Into<String>, shown: Option<Level>) -> Self {
        let (project, block) = (project.into(), path.into());
        let scope = Scope::around(within(&project, &block));
        Self { project, scope, block, shown, score: None }
    }

    /// Sets the scope that learns from the report: the usual one of a block from `path`.
    #[must_use]
    pub fn from_path(mut self, path: &str) -> Self {
        self.scope = Scope::around(within(&self.project, path));
        self
    }

    /// Sets the scope.
    #[must_use]
    pub fn in_scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Sets the score.
    #[must_use]
    pub const fn with_score(mut self, score: Option<Score>) -> Self {
        self.score = score;
        self
    }
}

/// What is forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reset {
    /// The project.
    pub project: String,
    /// The scope, with all scopes in it.
    pub scope: Scope,
}
