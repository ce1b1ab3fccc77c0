//! A strategy of one's own: the newest notes whole, the others by their first line.
//!
//! `cargo run -p contextfit --no-default-features --features tiktoken --example custom_strategy`

#![allow(clippy::print_stdout, reason = "examples print to the terminal")]

use contextfit::{
    Block, Budget, Context, Error, Level, Pipeline, Strategy, Tokens, counter,
    kernel::{Action, Measured, Plan, Reason, Step},
};

/// Shows notes from the newest to the oldest: whole while there is room, then by their first line.
struct Newest;

impl Strategy for Newest {
    fn name(&self) -> &str {
        "newest"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let mut left = room;
        let mut steps = Vec::with_capacity(input.blocks.len());
        for measured in input.blocks.iter().rev() {
            let block = measured.block();
            let title = block
                .text
                .lines()
                .next()
                .ok_or_else(|| Error::strategy("newest", format!("note {:?} is empty", block.id)))?;
            let titled = Action::Render { level: Level::Gist, text: title.to_owned() };
            // The cost of an action is known before it is taken: every unit was counted once.
            let forms = [(Action::Keep, "there is room"), (titled, "its title must do")];
            let fits = forms.into_iter().find(|(action, _)| measured.cost(action, input.counter) <= left);
            let (action, why) = fits.unwrap_or((Action::Drop, "no room"));
            left = left.saturating_sub(measured.cost(&action, input.counter));
            steps.push(Step::new(&block.id, action, Reason::Other(why.into())));
        }
        steps.reverse();
        Ok(Plan { strategy: self.name().into(), steps })
    }
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
    assert!(result.text.starts_with("Notes of Monday\nNotes of Tuesday\n"));
    Ok(())
}
