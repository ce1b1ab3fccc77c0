//! What can be shown by itself, and how relevant it is to the query.

use std::{collections::HashMap, iter::successors};

use contextfit_kernel::{Block, Context, PartedText, Question, Scorer};
use contextfit_text::Shape;

use crate::{
    ItemKind,
    fields::{Fields, Scored},
    page::{Page, Part},
};

/// Definitions in more items than this are not looked at by themselves,
const DEEPEST: usize = 24;

/// nor those in more functions than this: each function is scored by all that is inside.
const FUNCTIONS: usize = 2;

/// What a word counts in the name of a definition, in the names of those it is in, in its comment, in its text and in the path
/// of its block.
const NAME: f64 = 0.5;
const HOLDERS: f64 = 0.25;
const COMMENT: f64 = 0.25;
const TEXT: f64 = 1.0;
const PATH: f64 = 0.2;

/// What the first line of a query counts beyond the rest: it says what the rest is about.
const FIRST_LINE: f64 = 1.0;

/// To this power the length of a definition counts: what is long is changed, and asked for, more often.
const LENGTH: f64 = 0.05;

/// What a test is worth beside other code that has the words of the query, when the query does not speak of tests: tests
/// repeat the words of what they test.
const TEST: f64 = 0.5;

/// What a type is worth beside a function that has the words of the query: what is done is asked for more often than what
/// something is made of.
const TYPE: f64 = 0.3;

/// What it counts, in shares of the best, that the query calls a definition by its very name.
const MENTION: f64 = 0.5;

/// What the retriever's score counts, in shares of the best.
const SCORE: f64 = 0.3;

/// Something that is shown or not by its own relevance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) page: usize,
    /// Its part; `None` for a block that has none.
    pub(crate) part: Option<usize>,
    pub(crate) kind: ItemKind,
    /// Whether it is worth opening whole: a function, a type that holds no definitions, a passage of prose.
    pub(crate) opens: bool,
    /// Tokens of its own rows.
    pub(crate) own: usize,
    /// Tokens of all its rows but for the comments before it.
    pub(crate) tokens: usize,
    pub(crate) relevance: f64,
}

/// The candidates of all pages, in order, each with its relevance. Linear in the text.
pub(crate) fn candidates(pages: &[Page<'_, '_>], context: &Context, scorer: &dyn Scorer) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut fields = Vec::new();
    for (n, page) in pages.iter().enumerate() {
        collect(n, page, &mut found, &mut fields);
    }
    let query = context.query.as_deref().unwrap_or_default();
    let headers: Vec<String> = context.blocks.iter().map(Block::header).collect();
    let mut scored = Scored::new(pages, &fields);
    let by_page: Vec<PartedText> = headers.iter().map(|header| scored.push(header)).collect();
    let mut asked = vec![
        (NAME, Question { query, texts: &scored.names }),
        (HOLDERS, Question { query, texts: &scored.holders }),
        (COMMENT, Question { query, texts: &scored.comments }),
        (TEXT, Question { query, texts: &scored.texts }),
    ];
    let first = query.split_once('\n').map(|(query, _)| Question { query, texts: &scored.texts });
    asked.extend(first.map(|first| (FIRST_LINE, first)));
    asked.push((PATH, Question { query, texts: &by_page }));
    let (weights, questions): (Vec<f64>, Vec<Question<'_>>) = asked.into_iter().unzip();
    let mut answers = scorer.score_parts(&scored.parts, &questions);
    let by_path = answers.pop().unwrap_or_default();
    for (weight, scores) in weights.into_iter().zip(answers) {
        for (candidate, score) in found.iter_mut().zip(scores) {
            candidate.relevance += weight * score;
        }
    }
    weigh(&mut found, &fields, pages, query);
    let by_path: Vec<f64> = by_path.into_iter().map(|score| PATH * score).collect();
    add_by_page(&mut found, &by_path);
    let best = found.iter().map(|candidate| candidate.relevance).fold(0.0, f64::max);
    for (candidate, mentioned) in found.iter_mut().zip(mentions(query, &fields)) {
        candidate.relevance += MENTION * best * mentioned;
    }
    let scale = if best > 0.0 { SCORE * best } else { SCORE };
    let by_score: Vec<f64> = scores(context).into_iter().map(|score| scale * score).collect();
    add_by_page(&mut found, &by_score);
    found
}

/// Weighs candidates by their length and kind, and tests by what the query says of tests.
fn weigh(found: &mut [Candidate], fields: &[Fields<'_>], pages: &[Page<'_, '_>], query: &str) {
    let of_tests = names_test(query);
    let in_tests: Vec<bool> =
        pages.iter().map(|page| !of_tests && names_test(&page.block.block().header())).collect();
    for (candidate, fields) in found.iter_mut().zip(fields) {
        candidate.relevance *= float(candidate.tokens).powf(LENGTH);
        if candidate.kind == ItemKind::Type {
            candidate.relevance *= TYPE;
        }
        let in_test = in_tests.get(candidate.page).copied().unwrap_or_default();
        if in_test || (!of_tests && names_test(fields.name)) {
            candidate.relevance *= TEST;
        }
    }
}

/// Whether a path, a name or a query speaks of tests: as a word, or as part of a name that is written like one.
fn names_test(text: &str) -> bool {
    identifier_words(text)
        .any(|word| matches!(word, "test" | "Test" | "tests" | "Tests" | "spec" | "testing" | "TEST"))
}

/// The words of a text, names parted where a capital follows a small letter.
fn identifier_words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphabetic());
    words.flat_map(|word| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let pairs = rest.as_bytes().array_windows();
            let hump = { pairs }.position(|[a, b]| a.is_ascii_lowercase() && b.is_ascii_uppercase());
            let (word, behind) = rest.split_at_checked(hump.map_or(rest.len(), |hump| hump + 1))?;
            rest = behind;
            (!word.is_empty()).then_some(word)
        })
    })
}

/// A number of tokens, one at least.
#[expect(clippy::cast_precision_loss, reason = "numbers of tokens stay far below 2^53")]
fn float(tokens: usize) -> f64 {
    tokens.max(1) as f64
}

/// Adds to each candidate what its page is worth.
fn add_by_page(candidates: &mut [Candidate], worth: &[f64]) {
    for candidate in candidates {
        candidate.relevance += worth.get(candidate.page).copied().unwrap_or_default();
    }
}

/// For each candidate how surely the query calls it by its name: shared among those of the same name.
fn mentions(query: &str, fields: &[Fields<'_>]) -> Vec<f64> {
    let identifiers = query.split(|c: char| !c.is_alphanumeric() && c != '_');
    // Short ones are words more often than names. Each with how many bear it.
    let mut called: HashMap<&str, f64> =
        identifiers.filter(|identifier| identifier.len() > 3).map(|identifier| (identifier, 0.0)).collect();
    for fields in fields {
        called.get_mut(fields.name).into_iter().for_each(|bearers| *bearers += 1.0);
    }
    fields.iter().map(|fields| called.get(fields.name).map_or(0.0, |bearers| 1.0 / bearers)).collect()
}

/// The retriever's score of each block, the highest as 1, the lowest or none as 0.
fn scores(context: &Context) -> Vec<f64> {
    let score = |block: &Block| {
        block.as_passage().and_then(|passage| passage.score).filter(|score| score.is_finite())
    };
    let known = || context.blocks.iter().filter_map(score);
    let (low, high) = known().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), s| (l.min(s), h.max(s)));
    let range = high - low;
    let scaled = |score: f64| if range > 0.0 && range.is_finite() { (score - low) / range } else { 0.0 };
    context.blocks.iter().map(|block| score(block).map_or(0.0, scaled)).collect()
}

/// The candidates of one page.
fn collect<'a>(n: usize, page: &Page<'a, '_>, found: &mut Vec<Candidate>, fields: &mut Vec<Fields<'a>>) {
    if page.parts.is_empty() {
        let all = 0..page.len();
        let (kind, own) = (ItemKind::Other, page.tokens(&all).get());
        found.push(Candidate { page: n, part: None, kind, opens: true, own, tokens: own, relevance: 0.0 });
        fields.push(Fields { page: n, name: "", holders: String::new(), comment: None, text: vec![all] });
        return;
    }
    let nesting = nesting(page);
    for ((at, part), nested) in page.parts.iter().enumerate().zip(&nesting) {
        let defines = part.kind.defines();
        let alone = nested.functions == 0 && !nested.holds;
        if nested.depth > DEEPEST || nested.functions > FUNCTIONS || !(defines || alone) {
            continue;
        }
        let above = |part: &Part| part.parent.and_then(|parent| page.parts.get(parent));
        let holder = above(part);
        if part.kind == ItemKind::Comment && holder.is_some_and(|holder| !holder.kind.defines()) {
            continue;
        }
        let comments = page.inner(&part.parts).iter().filter_map(|&n| page.parts.get(n));
        let mut comments =
            comments.filter(|inner| inner.kind == ItemKind::Comment).map(|inner| inner.rows.clone());
        let holders: Vec<&str> =
            successors(holder, |holder| above(holder)).map(|holder| page.name(holder)).collect();
        let holds_others = nested.holds && part.kind == ItemKind::Type;
        let text = if holds_others { page.own_rows(at).collect() } else { vec![part.rows.clone()] };
        fields.push(Fields {
            page: n,
            name: page.name(part),
            holders: holders.join(" "),
            comment: comments.next(),
            text,
        });
        found.push(Candidate {
            page: n,
            part: Some(at),
            kind: part.kind,
            opens: (defines && !holds_others) || page.shape() == Shape::Prose,
            own: page.own_rows(at).map(|rows| page.tokens(&rows).get()).sum(),
            tokens: page.body(at).map_or(0, |rows| page.tokens(&rows).get()),
            relevance: 0.0,
        });
    }
}

/// Where a part stands.
#[derive(Debug, Clone, Copy, Default)]
struct Nested {
    /// How many parts it is in.
    depth: usize,
    /// How many of them are functions.
    functions: usize,
    /// Whether there are definitions in it.
    holds: bool,
}

/// Where each part of a page stands. Linear: parts stand behind what they are in.
fn nesting(page: &Page<'_, '_>) -> Vec<Nested> {
    let mut nesting: Vec<Nested> = Vec::with_capacity(page.parts.len());
    for part in &page.parts {
        let above = part.parent.and_then(|parent| Some((page.parts.get(parent)?, *nesting.get(parent)?)));
        nesting.push(above.map_or_else(Nested::default, |(part, above)| Nested {
            depth: above.depth + 1,
            functions: above.functions + usize::from(part.kind == ItemKind::Function),
            holds: false,
        }));
    }
    for (at, part) in page.parts.iter().enumerate().rev() {
        let any = part.kind.defines() || nesting.get(at).is_some_and(|nested| nested.holds);
        if let Some(above) = part.parent.and_then(|parent| nesting.get_mut(parent)) {
            above.holds |= any;
        }
    }
    nesting
}
