//! Carries plans out.
//!
//! The flow, in one direction: a context is measured ([`measure`]), a strategy plans, the plan is checked and rendered,
//! the text is recounted, and only a text that fits is a result. A plan that turns out too long is made again with less
//! room; a strategy that fails or never fits gives way to the next; when nothing else fits, pinned blocks
//! remain, and what there is room for of those that must be shown; and when even they do not fit, the error says how many
//! tokens they need and which they are.
//!
//! A plan can want blocks summarized by a model. A [`Summarizer`] is asked then: planning itself never waits, so what is
//! missing is asked for, all of it at once, and then planned again with the answers at hand.
//!
//! With the feature `parallel` (dependency: `rayon`) blocks are counted on all cores; results are the same.

mod assembly;
mod conversation;
mod dispatch;
mod forgery;
mod handles;
mod measure;
mod numbering;
mod pipeline;
mod remembered;
mod render;
mod summaries;
mod validity;

pub use crate::{
    dispatch::{Dispatch, Traits},
    measure::measure,
    pipeline::Pipeline,
    summaries::{PROMPT_VERSION, Summarizer},
    validity::check_plan,
};
