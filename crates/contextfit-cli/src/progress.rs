//! How far a long job is, for people at a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error, if that is a terminal. Gone when dropped.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar for counting files that is full at `bytes`.
    pub(crate) fn bytes(bytes: u64) -> Self {
        Self::new(bytes, "counting {wide_bar} {bytes}/{total_bytes} {eta}")
    }

    /// A bar for measuring that is full at `items`.
    pub(crate) fn items(items: usize) -> Self {
        Self::new(items as u64, "measuring {wide_bar} {human_pos}/{human_len} {eta}")
    }

    fn new(length: u64, template: &str) -> Self {
        // Draws on terminals only.
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self(bar)
    }

    /// So much more is done.
    pub(crate) fn advance(&self, by: u64) {
        self.0.inc(by);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
