//! Measures how much of the evidence survives a budget.
//!
//! A [`Dataset`] is a folder of questions with labels: the evidence that must survive for a question to be answered.
//! Each [`Item`] is fitted into every [`Allowance`] by every [`Contender`], a named [`InputFitter`]; its [`Gold`] judges the
//! result. [`evaluate`] turns the judgements into [`Row`]s: means over the items, each an [`Estimate`] with its 95 %
//! interval and its n, and [`plot`] draws them. A [`Baseline`] is a simple strategy for comparison.
//!
//! No model is involved: a judgement is whether a text occurs in another, whether lines were kept, or whether the text
//! that replaces omitted messages is made of their whole sentences and lines.

mod error;
mod folder;
mod git;

mod share;

mod input;
mod item;
mod python;

mod agents;
mod code;
mod dataset;
mod excerpts;
mod locomo;
mod memories;
mod outputs;
mod qa;
mod qmsum;
mod repository;
mod transcript;

mod labels;
mod legible;
mod units;

mod baselines;

mod bootstrap;
mod evaluate;
mod plot;

// What is in the signatures of this crate.
#[doc(no_inline)]
pub use contextfit_formats as formats;
#[doc(no_inline)]
pub use contextfit_kernel as kernel;

pub use crate::{
    baselines::Baseline,
    bootstrap::{Estimate, LEVEL, RESAMPLES},
    dataset::Dataset,
    dataset::{Material, Measure},
    error::EvalError,
    evaluate::{Contender, Evaluation, InputFitter, ItemRow, Row, evaluate},
    input::Input,
    input::Worktree,
    item::{Gold, Item, Kept, Places, Record},
    plot::plot,
    repository::Repositories,
    share::{Allowance, Base, Share},
};
