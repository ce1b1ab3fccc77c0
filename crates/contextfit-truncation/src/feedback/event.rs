//! The reports of an application, with scores on the scale of a threshold.

use contextfit_kernel::Level;
use serde::{Deserialize, Serialize};

use crate::feedback::{Scope, scope::within};

/// A line of a history.
///
/// Nothing is reported about blocks that nobody mentions. Silence is unknown, not success.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// An answer used the block.
    Used(Subject),
    /// Somebody wanted more of the block than was shown: it was restored, read or requested again.
    Restored(Subject),
    /// An answer failed because the block was missing.
    Failed(Subject),
    /// The application discards what was learned so far for a scope and for all scopes in it.
    Reset(Reset),
}

/// The block that a report is about, and how it was shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// The project: a name or its root folder.
    pub project: String,
    /// The only scope that learns from the report.
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
    /// Creates the subject for a block whose id is its path, without a score, in its [usual scope](Scope::around).
    #[must_use]
    pub fn new(project: impl Into<String>, path: impl Into<String>, shown: Option<Level>) -> Self {
        let (project, block) = (project.into(), path.into());
        let scope = Scope::around(within(&project, &block));
        Self { project, scope, block, shown, score: None }
    }

    /// Sets the scope that learns from the report to the [usual one](Scope::around) of a block from `path`.
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

/// The scope to reset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reset {
    /// The project.
    pub project: String,
    /// The scope. All scopes in it are reset too.
    pub scope: Scope,
}

/// The kind of value that a threshold is compared with. Values on different scales are not comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// The retriever's score, such as a cosine.
    Absolute,
    /// The score scaled to the request: lowest 0, highest 1.
    Normalised,
    /// The share of the request's blocks that score lower.
    Quantile,
}

contextfit_kernel::names!(
    Scale, "scale": Absolute => "absolute", Normalised => "normalised", Quantile => "quantile",
);

/// The value of a block that a threshold was compared with, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw")]
pub struct Score {
    scale: Scale,
    value: f64,
}

impl Score {
    /// Creates a score. `None` if `value` is not from 0 to 1: other scores have no common range for a threshold.
    #[must_use]
    pub fn new(scale: Scale, value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self { scale, value })
    }

    /// The scale.
    #[must_use]
    pub const fn scale(self) -> Scale {
        self.scale
    }

    /// The value, from 0 to 1.
    #[must_use]
    pub const fn value(self) -> f64 {
        self.value
    }
}

/// A score before it is checked.
#[derive(Deserialize)]
struct Raw {
    scale: Scale,
    value: f64,
}

impl TryFrom<Raw> for Score {
    type Error = String;

    fn try_from(Raw { scale, value }: Raw) -> Result<Self, String> {
        Self::new(scale, value).ok_or_else(|| format!("expected a score from 0 to 1, found {value}"))
    }
}
