//! A strategy of one's own: the newest notes whole, the others by their first line.
//!
//! `cargo run -p contextfit --no-default-features --features tiktoken --example custom_strategy`

#![allow(clippy::print_stdout, clippy::indexing_slicing, reason = "an example prints, and is short")]

use std::slice;

use contextfit::{
    Block, Budget, Context, Error, Pipeline, Strategy, Tokens, counter,
    kernel::{Action, Hold, Measured, Plan, Reason, Step},
    text::{cut_pieces, keep_shown},
};

/// Shows notes from the newest to the oldest: whole while there is room, then by their first line.
struct Newest;

impl Strategy for Newest {
    fn name(&self) -> &str {
        "newest"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let holds = input.context.holds();
        let step = |n: usize, action: Action, why: &str| {
            Step::new(&input.blocks[n].block().id, action, Reason::Other(why.into()))
        };
        // The cost of an action is known before it is taken: every unit was counted once.
        let cost = |n: usize, action: &Action| input.blocks[n].cost(action, input.counter);
        let whole = |_: usize| Action::Keep;
        let first_line = |n: usize| match input.blocks[n].units().len() {
            0 | 1 => Action::Keep,
            _ => Action::Cut { pieces: cut_pieces(&input.blocks[n], None, slice::from_ref(&(0..1))) },
        };
        let forms: [(&dyn Fn(usize) -> Action, &str); 2] =
            [(&whole, "there is room"), (&first_line, "its first line must do")];
        let mut steps: Vec<Step> = (0..holds.len()).map(|n| step(n, Action::Drop, "no room")).collect();
        let mut left = room;
        // Pinned notes are kept whatever they take.
        for n in (0..holds.len()).filter(|&n| holds[n] == Hold::Pinned) {
            left = left.saturating_sub(cost(n, &Action::Keep));
            steps[n] = step(n, Action::Keep, "pinned");
        }
        // Notes of a group are shown together or not at all.
        for group in input.context.groups().into_iter().rev().filter(|group| holds[group[0]] != Hold::Pinned)
        {
            let together =
                |form: &dyn Fn(usize) -> Action| -> Tokens { group.iter().map(|&n| cost(n, &form(n))).sum() };
            if let Some((form, why)) = forms.into_iter().find(|(form, _)| together(form) <= left) {
                left = left.saturating_sub(together(form));
                group.iter().for_each(|&n| steps[n] = step(n, form(n), why));
            }
        }
        let mut plan = Plan { strategy: self.name().into(), steps };
        // Of notes that must be shown, at least something is.
        keep_shown(&mut plan, input, room);
        Ok(plan)
    }
}

/// The suite of `contextfit-testkit` finds what breaks the contract: `cargo test --example custom_strategy`.
#[cfg(test)]
#[test]
fn it_keeps_the_contract() {
    contextfit_testkit::check_strategy(std::sync::Arc::new(Newest));
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let days = ["Monday", "Tuesday", "Wednesday", "Thursday"];
    let note =
        |day: &str| format!("Notes of {day}\n{}", "The team met and wrote down what it found. ".repeat(8));
    let blocks = days.map(|day| Block::passage(day, format!("{day}.txt"), note(day)));
    let context = Context::new(blocks.into());

    // The pipeline checks the plan, renders it, counts again, and asks for a smaller plan if the text is too long.
    let pipeline = Pipeline::new(counter("o200k_base")?).with_strategy(Newest);
    let result = pipeline.fit(&context, &Budget::new(220))?;

    println!("{}", result.text);
    assert!(result.metrics.tokens_after.get() <= 220);
    assert!(result.text.contains("Notes of Monday"));
    Ok(())
}
