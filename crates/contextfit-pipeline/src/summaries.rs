//! Summaries in plans: the blocks that they cover, the prompts, and the answers.

#[cfg_attr(not(feature = "llm"), allow(dead_code, reason = "only a summarizer asks and is answered"))]
mod answer;
#[cfg_attr(not(feature = "llm"), allow(dead_code, reason = "only a summarizer asks and is answered"))]
mod prompt;
mod settle;

pub use self::prompt::PROMPT_VERSION;
pub(crate) use self::{
    answer::Answers,
    prompt::SummaryPart,
    settle::{Settled, settle},
};
#[cfg(feature = "llm")]
pub(crate) use self::{
    answer::{Answer, Piece},
    prompt::requests,
};
