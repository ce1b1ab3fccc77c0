//! Carries plans out.
//!
//! The flow, in one direction: a context is measured ([`measure`]), a strategy plans, the plan is checked and rendered,
//! the text is recounted, and only a text that fits is a result. A plan that turns out too long is made again with less
//! room; a strategy that fails or never fits gives way to the next; when nothing else fits, the pinned blocks alone
//! remain; and when even they do not, the error says how many tokens they need and which they are.

mod assembly;
mod by_shape;
mod conversation;
mod measure;
mod numbering;
mod pipeline;
mod remembered;
mod render;
mod validity;

pub use crate::{by_shape::ByShape, measure::measure, pipeline::Pipeline, validity::check_plan};
