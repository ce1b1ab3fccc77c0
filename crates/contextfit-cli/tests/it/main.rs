//! The command line as people and scripts see it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

#[cfg(feature = "llm")]
mod agents;
mod chat;
mod command_run;
mod config;
mod config_show;
mod count;
mod estimates;
mod eval;
mod eval_repositories;
mod evaluation;
mod excerpt;
mod feedback;
mod files;
mod files_found;
mod files_shown;
mod files_wanted;
mod hook;
mod jsonl;
#[cfg(feature = "llm")]
mod llm;
#[cfg(feature = "mcp")]
mod mcp;
mod meaning;
mod memory;
mod outputs;
mod pages;
mod pipes;
mod promises_input;
mod promises_memory;
mod promises_parts;
mod promises_room;
mod promises_verify;
mod restore;
mod run;
mod search;
#[cfg(feature = "serve")]
mod serve;
mod verify;
