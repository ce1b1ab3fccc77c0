//! Standing instructions: how many are found, how much else is taken for one, what takes the place of what.

mod cues;
mod measured;
mod ordinary;
mod scale;
mod sources;
mod superseded;

use contextfit_conversational::{Instruction, standing_instructions};
use contextfit_kernel::{Block, Context, Role, Turn};
use contextfit_pipeline::measure;
use contextfit_text::CharsPer;

/// What reads like an instruction by itself.
const STRONG: f64 = 0.6;

/// The standing instructions of a talk, and their texts.
fn find(talk: &[(Role, &str)]) -> Vec<(Instruction, String)> {
    let block =
        |(n, (role, text)): (usize, &(Role, &str))| Block::turn(n.to_string(), Turn::new(*role), *text);
    find_in(talk.iter().enumerate().map(block).collect())
}

fn find_in(blocks: Vec<Block>) -> Vec<(Instruction, String)> {
    let context = Context::new(blocks);
    let counter = CharsPer::new(4).unwrap();
    let measured = measure(&context, &counter);
    let texts = |found: Instruction| (found.clone(), found.text(&measured).to_owned());
    standing_instructions(&measured).into_iter().map(texts).collect()
}

/// The strength of `sentence` as the turn of a person.
fn strength(sentence: &str) -> f64 {
    find(&[(Role::User, sentence)]).iter().map(|(found, _)| found.strength).fold(0.0, f64::max)
}
