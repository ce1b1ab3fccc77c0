//! Learns thresholds and weights from feedback about the blocks that were needed.
//!
//! An application knows afterwards which blocks of a context were needed: an answer used one, or somebody restored one
//! that had been shown only by name. Each such [`Event`] is a line of a [`History`]. A [`State`] is the result of a
//! history under a [`Rule`]. For each [`Scope`], usually a folder, it has a score threshold and a weight. Blocks that
//! score below the threshold are shown by their metadata. The weight multiplies the relevance of the scope's blocks.
//!
//! The state depends only on the history and the rule, so it can be computed anywhere, inspected and repeated. The
//! caller reads and writes files. With the feature `json`, `History::parse` and `Event::to_line` convert their lines.
//!
//! ```
//! # mod contextfit { pub use ::contextfit_kernel::Level; pub use ::contextfit_truncation::feedback; }
//! use contextfit::{Level, feedback::{Event, History, Rule, Scale, Score, Subject}};
//!
//! let subject = |path: &str, shown, value| {
//!     Subject::new("shop", path, shown).with_score(Score::new(Scale::Absolute, value))
//! };
//! let mut history = History::default();
//! // Scored 0.35 and was therefore shown by its name only, but it was needed.
//! history.push(Event::Restored(subject("src/cart.rs", Some(Level::Gist), 0.35)));
//! history.push(Event::Used(subject("src/main.rs", Some(Level::Full), 0.9)));
//!
//! let state = history.state("shop", Rule::new(Scale::Absolute, 0.4)?);
//! let (scope, learned) = state.of("src/price.rs").ok_or("src has reports")?;
//! assert_eq!(scope.to_string(), "src/");
//! assert!(learned.threshold.value < 0.4);
//! assert!(state.of("docs/guide.md").is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod scope;

mod event;
mod history;
mod rule;
mod state;

#[cfg(feature = "json")]
pub use self::history::Unread;
pub use self::{
    event::{Event, Reset, Subject},
    event::{Scale, Score},
    history::History,
    rule::{Rule, RuleError, WORTH},
    scope::{Scope, within},
    state::State,
    state::{Learned, Moving, Reports},
};
