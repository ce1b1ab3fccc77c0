//! Progress of a long job, for people at a terminal.

use std::{
    sync::Once,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A job that takes less time needs no bar.
const SOON: Duration = Duration::from_secs(1);

/// A progress bar on standard error, if that is a terminal and the job takes longer than a second. Disappears when
/// dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    shown: Once,
}

impl Progress {
    /// A bar for counting `bytes` bytes of files.
    pub(crate) fn bytes(bytes: u64) -> Self {
        Self::new(bytes, "counting {wide_bar} {bytes}/{total_bytes} {eta}")
    }

    /// A bar for reading `bytes` bytes of files.
    pub(crate) fn reading(bytes: u64) -> Self {
        Self::new(bytes, "reading {wide_bar} {bytes}/{total_bytes} {eta}")
    }

    /// A bar for measuring `items` items.
    pub(crate) fn items(items: usize) -> Self {
        Self::new(items as u64, "measuring {wide_bar} {human_pos}/{human_len} {eta}")
    }

    fn new(length: u64, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, started: Instant::now(), shown: Once::new() }
    }

    /// Advances the bar by `by`.
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
