//! What data sets are made of, which decides what can be measured on them.

use crate::Baseline;

/// What the items of a data set are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Material {
    /// Passages and files: the results of a search.
    Passages,
    /// Whole repositories, with a task.
    Repository,
    /// Memories, with a question.
    Memories,
    /// Conversations between people, with a question about them.
    Talk,
    /// Runs of an agent that calls tools.
    Agent,
}

impl Material {
    /// The display name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passages => "passages",
            Self::Repository => "repositories",
            Self::Memories => "memories",
            Self::Talk => "talk",
            Self::Agent => "agent runs",
        }
    }

    /// The baselines for it.
    #[must_use]
    pub const fn baselines(self) -> &'static [Baseline] {
        match self {
            Self::Passages | Self::Memories => &Baseline::PASSAGES,
            Self::Repository => &Baseline::REPOSITORY,
            Self::Talk => &Baseline::TALK,
            Self::Agent => &Baseline::AGENT,
        }
    }
}

/// The main figure of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Measure {
    /// The share of items with all evidence kept.
    All,
    /// The mean fraction of evidence kept.
    Fraction,
}
