//! How far a long job is, for people at a terminal.

use std::{
    sync::Once,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What is done sooner needs no bar.
const SOON: Duration = Duration::from_secs(1);

/// A bar on standard error, if that is a terminal and the job takes longer than a second. Gone when dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    shown: Once,
}

impl Progress {
    /// A bar for counting files that is full at `bytes`.
    pub(crate) fn bytes(bytes: u64) -> Self {
        Self::new(bytes, "counting {wide_bar} {bytes}/{total_bytes} {eta}")
    }

    /// A bar for reading files that is full at `bytes`.
    pub(crate) fn reading(bytes: u64) -> Self {
        Self::new(bytes, "reading {wide_bar} {bytes}/{total_bytes} {eta}")
    }

    /// A bar for measuring that is full at `items`.
    pub(crate) fn items(items: usize) -> Self {
        Self::new(items as u64, "measuring {wide_bar} {human_pos}/{human_len} {eta}")
    }

    fn new(length: u64, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, started: Instant::now(), shown: Once::new() }
    }

    /// So much more is done.
    pub(crate) fn advance(&self, by: u64) {
        self.bar.inc(by);
        if self.started.elapsed() > SOON {
            // Draws on terminals only.
            self.shown.call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
