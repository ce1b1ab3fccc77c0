//! The rule by which thresholds and weights change.

use serde::Serialize;
use thiserror::Error;

use super::Scale;

/// The minimum and maximum weight of a scope: half and twice the usual one. Without bounds, many reports could push all
/// other blocks out of a context.
pub const WORTH: (f64, f64) = (0.5, 2.0);

/// The first step: a miss then lowers the threshold by almost a tenth of the range of scores.
const FIRST_STEP: f64 = 0.1;

/// The number of trials after which steps become noticeably smaller.
const PACE: f64 = 20.0;

/// The rule by which a threshold follows from reports.
///
/// With the miss rate α, after trial t the threshold λ becomes
///
/// > λ ← clip(λ − η(t) · (miss − α), lowest, highest), where miss is 0 or 1
///
/// This is the online conformal update of [Gibbs and Candès 2021](https://arxiv.org/abs/2106.00170). The sign is minus
/// because a *lower* threshold shows more text. For any sequence of trials, the long-run share of misses stays at α, as
/// long as the threshold stays clear of its bounds. Steps shrink as η(t) = η₁ · (1 + t / 20)^(−3/4), so the threshold
/// settles if trials are alike, as in [Angelopoulos, Barber and Bates, ICML 2024](https://arxiv.org/abs/2402.01139),
/// where steps are proportional to t^(−1/2−ε). The exponent is three quarters because two square roots give the same
/// bits on every machine.
///
/// The default miss rate is 0.1, and the threshold stays between 0 and 0.8.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    scale: Scale,
    start: f64,
    miss_rate: f64,
    lowest: f64,
    highest: f64,
}

/// The error for an invalid [`Rule`].
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum RuleError {
    /// The initial threshold is outside the range of scores.
    #[error("expected a score threshold from 0 to 1 to learn from, found {found}")]
    Start {
        /// The threshold.
        found: f64,
    },
    /// The miss rate is not above 0 and below 1.
    #[error("expected a miss rate above 0 and below 1, found {found}")]
    MissRate {
        /// The miss rate.
        found: f64,
    },
    /// The bounds are not in the range of scores or do not enclose the initial threshold.
    #[error("expected bounds from 0 to 1 around the threshold {start}, found {lowest} to {highest}")]
    Bounds {
        /// The threshold.
        start: f64,
        /// The lower bound.
        lowest: f64,
        /// The upper bound.
        highest: f64,
    },
}

impl Rule {
    /// The default miss rate.
    pub const MISS_RATE: f64 = 0.1;

    /// Creates the rule for thresholds on `scale` that start at `start`, with the default miss rate and bounds. If
    /// `start` is above 0.8, it is also the upper bound.
    ///
    /// # Errors
    /// [`RuleError::Start`] if `start` is not from 0 to 1.
    pub fn new(scale: Scale, start: f64) -> Result<Self, RuleError> {
        if !(0.0..=1.0).contains(&start) {
            return Err(RuleError::Start { found: start });
        }
        Ok(Self { scale, start, miss_rate: Self::MISS_RATE, lowest: 0.0, highest: start.max(0.8) })
    }

    /// Sets the share of needed blocks that may score below the threshold.
    ///
    /// # Errors
    /// [`RuleError::MissRate`] if it is not above 0 and below 1.
    pub fn with_miss_rate(self, miss_rate: f64) -> Result<Self, RuleError> {
        match miss_rate > 0.0 && miss_rate < 1.0 {
            true => Ok(Self { miss_rate, ..self }),
            false => Err(RuleError::MissRate { found: miss_rate }),
        }
    }

    /// Sets the bounds of the threshold.
    ///
    /// # Errors
    /// [`RuleError::Bounds`] if they are not from 0 to 1 or do not enclose the initial threshold.
    pub fn with_bounds(self, lowest: f64, highest: f64) -> Result<Self, RuleError> {
        let start = self.start;
        match 0.0 <= lowest && lowest <= start && start <= highest && highest <= 1.0 {
            true => Ok(Self { lowest, highest, ..self }),
            false => Err(RuleError::Bounds { start, lowest, highest }),
        }
    }

    /// The scale of the threshold. Scores on other scales are not compared with it.
    #[must_use]
    pub const fn scale(self) -> Scale {
        self.scale
    }

    /// The threshold without any reports.
    #[must_use]
    pub const fn start(self) -> f64 {
        self.start
    }

    /// The share of needed blocks that may score below the threshold.
    #[must_use]
    pub const fn miss_rate(self) -> f64 {
        self.miss_rate
    }

    /// The minimum and maximum threshold.
    #[must_use]
    pub const fn bounds(self) -> (f64, f64) {
        (self.lowest, self.highest)
    }

    /// The change after `trials` earlier trials: positive after a miss, negative otherwise.
    pub(crate) fn step(self, trials: u32, miss: bool) -> f64 {
        let root = (1.0 + f64::from(trials) / PACE).sqrt();
        FIRST_STEP / (root * root.sqrt()) * (f64::from(u8::from(miss)) - self.miss_rate)
    }
}
