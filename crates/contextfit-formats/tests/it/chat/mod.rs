//! Conversations in every wire format.

mod broken;
mod counts;
mod cuts;
mod detection;
mod plans;
mod properties;
mod real;
mod transcripts;
mod validity;
