//! The parts of a `search --jsonl` answer that are used.

use serde::Deserialize;

use crate::Result;

/// An answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Answer {
    /// The outcome for each chunk.
    pub blocks: Vec<Block>,
    /// The figures.
    pub metrics: Metrics,
}

/// The outcome for a chunk.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Block {
    /// The level at which it is shown, from 0 to 3; `None` if it is dropped.
    pub level: Option<u8>,
}

/// The figures of an answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Metrics {
    pub tokens_before: usize,
    pub tokens_after: usize,
}

/// An answer that is an error.
#[derive(Deserialize)]
struct Failure {
    error: Cause,
}

#[derive(Deserialize)]
struct Cause {
    message: String,
}

impl Answer {
    /// The answer on `line`.
    ///
    /// # Errors
    /// If it is an error, or not an answer at all.
    pub(crate) fn parse(line: &str) -> Result<Self> {
        if let Ok(Failure { error }) = serde_json::from_str(line) {
            return Err(format!("contextfit reports: {}", error.message).into());
        }
        Ok(serde_json::from_str(line)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_and_errors() {
        let line = r#"{"id": "q", "context": "", "blocks": [{"id": "a", "level": null}, {"id": "b", "level": 2}],
            "metrics": {"tokensBefore": 9, "tokensAfter": 4, "compressionRate": "55.6%"}}"#;
        let answer = Answer::parse(line).unwrap();
        assert_eq!(answer.metrics, Metrics { tokens_before: 9, tokens_after: 4 });
        assert_eq!(answer.blocks, [Block { level: None }, Block { level: Some(2) }]);

        let error =
            Answer::parse(r#"{"id": "q", "error": {"code": "x", "message": "cannot fit"}}"#).unwrap_err();
        assert_eq!(error.to_string(), "contextfit reports: cannot fit");
    }
}
