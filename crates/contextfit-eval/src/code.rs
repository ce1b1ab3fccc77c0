//! Localisation in code: a commit's subject, the file before it, and the functions it changed.

use std::ops::Range;

use contextfit_kernel::{Action, Block, CompressionResult, Context, Passage, TokenCounter, Values};
use serde::Deserialize;

use crate::{
    EvalError, Gold, Input, Item, Kept,
    folder::{Folder, Line, some},
    item::ratio,
    python::{is_blank, is_space_byte},
    units::lines_within,
};

#[derive(Deserialize)]
struct LocalizeLine {
    id: String,
    path: String,
    lang: String,
    query: String,
    query_body: String,
    content: String,
    gold: Vec<Function>,
    decls: Vec<Declaration>,
}

/// Lines `start` to `end`, from 1, inclusive.
#[derive(Deserialize)]
struct Function {
    start: usize,
    end: usize,
}

#[derive(Deserialize)]
struct Declaration {
    sig_line: usize,
}

/// The commits of a folder.
pub(crate) fn load(folder: &Folder) -> Result<Vec<Line<Item>>, EvalError> {
    folder.items("localize", folder.read("localize")?, item)
}

/// The item of a line; on error, the field and a message.
fn item(line: LocalizeLine) -> Result<Item, (String, String)> {
    let lines = line.content.split('\n').count();
    let outside = |number: usize| !(1..=lines).contains(&number);
    some("gold", &line.gold)?;
    for (n, Function { start, end }) in line.gold.iter().enumerate() {
        if outside(*start) || outside(*end) || start > end {
            return Err((
                format!("gold[{n}]"),
                format!("lines {start} to {end} are not a range of the {lines} lines of `content`"),
            ));
        }
    }
    let passage = Passage::at(line.path).with_language(line.lang);
    let block = Block::passage(&line.id, passage, line.content);
    let query = format!("{}\n{}", line.query, line.query_body);
    let gold = Commit {
        functions: line.gold.iter().map(|function| (function.start, function.end)).collect(),
        signatures: line.decls.iter().map(|declaration| declaration.sig_line).collect(),
    };
    Ok(Item {
        id: line.id,
        input: Input::Passages(Context::new(vec![block]).with_query(query.trim())),
        gold: Box::new(gold),
    })
}

/// The evidence for a commit, in lines from 1.
struct Commit {
    /// First and last line of each changed function.
    functions: Vec<(usize, usize)>,
    /// The line with the name of each declaration of the file.
    signatures: Vec<usize>,
}

impl Gold for Commit {
    fn judge(&self, context: &Context, result: Option<&CompressionResult>, _: &dyn TokenCounter) -> Kept {
        let asked = Kept { signatures: Some(0.0), ..Kept::default() };
        let (Some(result), Some(block)) = (result, context.blocks.first()) else { return asked };
        let text = block.text.as_str();
        let step = result.plan().and_then(|plan| plan.steps.first());
        let ranges = step.map_or(&Action::Keep, |step| &step.action).shown(text);
        // White space at the end of a line may be missing.
        let kept = lines_within(text, &ranges, is_space_byte);
        let blank: Vec<bool> = text.split('\n').map(is_blank).collect();
        let is_kept = |line: usize| kept.contains(&line) || blank.at(line - 1);
        let functions = self.functions.iter().filter(|(start, end)| (*start..=*end).all(is_kept)).count();
        let signatures = self.signatures.iter().filter(|line| kept.contains(line)).count();
        let signatures = Some(ratio(signatures, self.signatures.len()));
        Kept { signatures, ..Kept::of(functions, self.functions.len()) }
    }

    fn needs(&self, _: &str, lines: Range<usize>) -> bool {
        self.functions.iter().any(|(start, end)| *start < lines.end && lines.start <= *end)
    }
}
