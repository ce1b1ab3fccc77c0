//! The blocks that a score threshold reduces.

use crate::feedback::{Scale, State};
use contextfit_kernel::{Context, Reason, Values};
use contextfit_text::float;
use serde::{Deserialize, Serialize};

use crate::relevance::scores;

/// What a score threshold is compared with.
///
/// Retrievers score on different scales: a cosine is between -1 and 1, reciprocal rank fusion never exceeds about 0.02,
/// and BM25 has no upper bound. An absolute threshold suits only the first; the other modes suit any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ScoreMode {
    /// The score unchanged. If no score of the request reaches the threshold, the scores are on another scale than the
    /// threshold and are normalised first.
    #[default]
    Absolute,
    /// The score scaled so that the request's lowest is 0 and its highest 1; if all are equal, they count as 1.
    Normalised,
    /// The position in the order of scores: a threshold of 5 keeps the best five.
    Rank,
    /// The share of blocks that score lower: a threshold of 0.4 reduces the lowest 40 %.
    Quantile,
}

contextfit_kernel::names!(
    ScoreMode, "score mode": Absolute => "absolute", Normalised => "normalised", Rank => "rank",
    Quantile => "quantile",
);

impl ScoreMode {
    /// The value of each block's score that `threshold` is compared with; `None` if the score is missing or not finite.
    /// O(n log n).
    #[must_use]
    pub fn compared(self, scores: &[Option<f64>], threshold: f64) -> Vec<Option<f64>> {
        let known = || scores.iter().flatten().filter(|score| score.is_finite());
        if self == Self::Absolute && known().next().is_some() && known().all(|&score| score < threshold) {
            return Self::Normalised.values(scores);
        }
        self.values(scores)
    }

    /// The scale on which thresholds of this mode are learned; `None` for ranks, whose range depends on the request.
    #[must_use]
    pub const fn scale(self) -> Option<Scale> {
        match self {
            Self::Absolute => Some(Scale::Absolute),
            Self::Normalised => Some(Scale::Normalised),
            Self::Quantile => Some(Scale::Quantile),
            Self::Rank => None,
        }
    }

    /// For each block of `context`, the reason to reduce it, if any. Blocks with a missing or non-finite score are
    /// never reduced, because nothing is known against them. A threshold from `feedback` on the same scale replaces
    /// `threshold`. O(n log n).
    pub(crate) fn below(
        self,
        context: &Context,
        threshold: f64,
        feedback: Option<&State>,
    ) -> Vec<Option<Reason>> {
        let feedback = feedback.filter(|state| Some(state.rule().scale()) == self.scale());
        let values = self.compared(&scores(context), threshold).into_iter().zip(&context.blocks);
        let reason = |(value, block): (Option<f64>, _)| {
            let value = value?;
            let Some((scope, found)) = feedback.and_then(|state| state.of_block(block)) else {
                return self.reason(value, threshold);
            };
            // Nothing is learned for ranks.
            let threshold = found.threshold.value;
            (value < threshold).then(|| Reason::BelowLearned {
                value,
                threshold,
                scope: scope.to_string(),
                reports: found.reports.all(),
            })
        };
        values.map(reason).collect()
    }

    fn reason(self, value: f64, threshold: f64) -> Option<Reason> {
        match self {
            Self::Rank => (value > threshold).then_some(Reason::BeyondRank { rank: value, last: threshold }),
            _ => (value < threshold).then_some(Reason::BelowThreshold { value, threshold }),
        }
    }

    /// The value of each score that is compared with the threshold.
    fn values(self, scores: &[Option<f64>]) -> Vec<Option<f64>> {
        let finite = |(n, score): (usize, &Option<f64>)| Some((n, score.filter(|score| score.is_finite())?));
        let mut known: Vec<(usize, f64)> = scores.iter().enumerate().filter_map(finite).collect();
        // The sort is stable, so equal scores keep the retriever's order.
        known.sort_by(|(_, left), (_, right)| right.total_cmp(left));
        let (high, low) =
            (known.first().map_or(0.0, |best| best.1), known.last().map_or(0.0, |worst| worst.1));
        let not_lower = |score: f64| known.partition_point(|(_, other)| *other >= score);
        let mut values = vec![None; scores.len()];
        for (before, &(n, score)) in known.iter().enumerate() {
            let value = match self {
                Self::Absolute => score,
                Self::Normalised if high > low => (score - low) / (high - low),
                Self::Normalised => 1.0,
                Self::Rank => float(before + 1),
                Self::Quantile => float(known.len() - not_lower(score)) / float(known.len()),
            };
            values.set(n, Some(value));
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::{Block, Passage};

    use super::*;

    fn context(scores: &[f64]) -> Context {
        let passage = |score: &f64| Passage::at("src/a.rs").with_score(*score);
        Context::new(scores.iter().map(|score| Block::passage("a", passage(score), "a")).collect())
    }

    #[test]
    fn names_are_read() {
        for mode in ScoreMode::ALL {
            let written = serde_json::to_value(mode).unwrap();
            assert_eq!((mode.name().parse(), written.as_str()), (Ok(mode), Some(mode.name())));
        }
        for scale in Scale::ALL {
            let written = serde_json::to_value(scale).unwrap();
            assert_eq!((scale.name().parse(), written.as_str()), (Ok(scale), Some(scale.name())));
        }
    }

    #[track_caller]
    fn check(mode: ScoreMode, scores: &[f64], threshold: f64, reduced: &[usize]) {
        let found: Vec<_> = mode
            .below(&context(scores), threshold, None)
            .iter()
            .enumerate()
            .filter_map(|(n, r)| r.as_ref().map(|_| n))
            .collect();
        assert_eq!(found, reduced, "{mode:?} of {scores:?} at {threshold}");
    }

    #[test]
    fn each_mode() {
        check(ScoreMode::Absolute, &[0.9, 0.4, 0.39], 0.4, &[2]);
        check(ScoreMode::Normalised, &[0.9, 0.4, 0.5], 0.4, &[1, 2]);
        check(ScoreMode::Normalised, &[0.2, 0.2], 0.4, &[]);
        check(ScoreMode::Rank, &[0.1, 0.9, 0.5], 2.0, &[0]);
        check(ScoreMode::Rank, &[0.5, 0.5, 0.5], 2.0, &[2]);
        check(ScoreMode::Quantile, &[0.1, 0.2, 0.3, 0.4, 0.5], 0.4, &[0, 1]);
        check(ScoreMode::Quantile, &[0.5, 0.5, 0.5], 0.4, &[0, 1, 2]);
        check(ScoreMode::Absolute, &[f64::NAN, f64::NEG_INFINITY], 0.4, &[]);
    }

    /// KB Labs Mind compared its threshold of 0.4 with reciprocal rank fusion scores, which never exceed 0.0197.
    #[test]
    fn fusion_scores_do_not_all_become_metadata() {
        let fused: Vec<f64> = (1..=10).map(|rank| 1.2 / (60.0 + f64::from(rank))).collect();
        check(ScoreMode::Absolute, &fused, 0.4, &[6, 7, 8, 9]);
        check(ScoreMode::Normalised, &fused, 0.4, &[6, 7, 8, 9]);
        check(ScoreMode::Rank, &fused, 5.0, &[5, 6, 7, 8, 9]);
        check(ScoreMode::Quantile, &fused, 0.4, &[6, 7, 8, 9]);
    }

    /// The advice in KB Labs Mind is the wrong way round: a lower threshold reduces fewer blocks.
    #[test]
    fn lower_threshold_reduces_fewer() {
        let scores: Vec<_> = (0..100).map(|n| f64::from(n) / 100.0).collect();
        let reduced = |t: f64| ScoreMode::Absolute.below(&context(&scores), t, None).iter().flatten().count();
        assert_eq!([reduced(0.3), reduced(0.4), reduced(0.5)], [30, 40, 50]);
    }
}
