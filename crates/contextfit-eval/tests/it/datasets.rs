//! Reading data sets and judging results.

use std::path::Path;

use contextfit_eval::{Base, Dataset, Kept};
use contextfit_kernel::{
    Action, Budget, ByteRange, Context, Error, Measured, Piece, Plan, Reason, Step, Strategy, Tokens,
};
use contextfit_pipeline::Pipeline;
use contextfit_text::counter;

use crate::folders::{LOCALIZE, OUTPUT, PASSAGES, QUERIES, commit, folder, questions, read};

/// Cuts every listed block to its byte ranges, or keeps it if it has none, and drops the others.
#[derive(Clone)]
pub(crate) struct Show(pub(crate) Vec<(&'static str, Vec<(usize, usize)>)>);

impl Strategy for Show {
    fn name(&self) -> &str {
        "show"
    }

    fn plan(&self, input: &Measured<'_>, _: Tokens) -> Result<Plan, Error> {
        let step = |block: &contextfit_kernel::MeasuredBlock<'_>| {
            let id = &block.block().id;
            let piece = |&(start, end): &(usize, usize)| {
                [Piece::Marker("...\n".into()), Piece::Source(ByteRange::new(start, end).unwrap())]
            };
            let action = match self.0.iter().find(|(shown, _)| shown == id) {
                None => Action::Drop,
                Some((_, ranges)) if ranges.is_empty() => Action::Keep,
                Some((_, ranges)) => {
                    let pieces = ranges.iter().flat_map(piece).chain([Piece::Marker("...\n".into())]);
                    Action::Cut { pieces: pieces.collect() }
                }
            };
            Step::new(id, action, Reason::Other("as told".into()))
        };
        Ok(Plan { strategy: self.name().into(), steps: input.blocks.iter().map(step).collect() })
    }
}

/// Asserts what is kept of item `n` when a strategy shows `shown`.
#[track_caller]
fn check(dataset: &Dataset, n: usize, shown: &[(&'static str, &[(usize, usize)])], expect: Kept) {
    let item = &dataset.items[n];
    let show = Show(shown.iter().map(|(id, ranges)| (*id, ranges.to_vec())).collect());
    let pipeline = Pipeline::new(counter("chars/1").unwrap()).with_strategy(show);
    let context = item.input.context(pipeline.counter());
    let whole = pipeline.fit(&context, &Budget::new(Tokens::MAX)).unwrap().metrics.tokens_before;
    let room = whole.saturating_sub(Tokens::new(1));
    let result = pipeline.fit(&context, &Budget::new(room)).unwrap();
    assert_eq!(result.strategy(), Some("show"), "{:?}", result.stages);
    assert_eq!(item.gold.judge(&context, Some(&result), pipeline.counter()), expect, "{}", result.text);
}

/// The context of item `n`.
fn context(dataset: &Dataset, n: usize) -> Context {
    dataset.items[n].input.context(&*counter("chars/1").unwrap()).into_owned()
}

fn question(all: bool, fraction: f64, answer: bool) -> Kept {
    let mut kept = Kept::default();
    (kept.all, kept.fraction, kept.answer) = (all, fraction, Some(answer));
    kept
}

fn code(all: bool, signatures: f64) -> Kept {
    let mut kept = Kept::default();
    (kept.all, kept.fraction, kept.signatures) = (all, f64::from(u8::from(all)), Some(signatures));
    kept
}

#[test]
fn evidence_and_answers_are_looked_for_in_the_text() {
    let dataset = questions();
    check(&dataset, 0, &[("p2", &[])], question(true, 1.0, true));
    check(&dataset, 0, &[("p1", &[]), ("p3", &[])], question(false, 0.0, false));
    check(&dataset, 1, &[("p1", &[])], question(false, 0.5, true));
    check(&dataset, 1, &[("p3", &[])], question(false, 0.5, false));
}

#[test]
fn without_a_result_nothing_is_kept() {
    for (dataset, expect) in [(questions(), question(false, 0.0, false)), (commit(), code(false, 0.0))] {
        let item = &dataset.items[0];
        let counter = counter("chars/1").unwrap();
        assert_eq!(item.gold.judge(&item.input.context(&*counter), None, &*counter), expect);
    }
}

#[test]
fn functions_are_kept_line_by_line() {
    let dataset = commit();
    let text = &context(&dataset, 0).blocks[0].text;
    let at = |part: &str| text.find(part).unwrap();
    let (retry, sleep, back, last) =
        (at("def retry"), at("    time.sleep"), at("    return delay"), at("def last"));
    let id = "r@1:a.py";
    check(&dataset, 0, &[(id, &[(retry, last)])], code(true, 1.0 / 3.0));
    // The blank line inside may be missing.
    let without_blank = [(retry, back - 1), (back, last)];
    check(&dataset, 0, &[(id, &without_blank)], code(true, 1.0 / 3.0));
    check(&dataset, 0, &[(id, &[(sleep, last)])], code(false, 0.0));
    check(&dataset, 0, &[(id, &[(0, back)])], code(false, 2.0 / 3.0));
    check(&dataset, 0, &[], code(false, 0.0));
}

#[test]
fn budgets_are_shares_of_titles_and_texts() {
    let chars = counter("chars/1").unwrap();
    let base = |dataset: &Dataset, n: usize| dataset.items[n].gold.base(&context(dataset, n), &*chars);
    let sum = |texts: &[&str]| Base {
        fixed: Tokens::ZERO,
        shared: Tokens::new(texts.iter().map(|text| text.chars().count()).sum()),
    };
    let questions = questions();
    let text = |context: &Context, n: usize| context.blocks[n].text.clone();
    let second = context(&questions, 1);
    assert_eq!(
        base(&questions, 1),
        sum(&["Bees\n", &text(&second, 0), " ", "Lighthouses\n", &text(&second, 1), " "])
    );
    let commit = commit();
    assert_eq!(base(&commit, 0), sum(&[&text(&context(&commit, 0), 0)]));
}

#[test]
fn contexts_are_what_a_search_request_would_be() {
    let questions = questions();
    let found = context(&questions, 0);
    assert_eq!(found.query.as_deref(), Some("When were X-rays discovered?"));
    let ids: Vec<&str> = found.blocks.iter().map(|block| block.id.as_str()).collect();
    assert_eq!(ids, ["p1", "p2", "p3"]);
    assert_eq!(found.blocks[1].header(), "Röntgen\n");
    let commit = commit();
    let file = context(&commit, 0);
    assert_eq!(file.query.as_deref(), Some("Fix the retry delay"));
    assert_eq!(file.blocks[0].as_passage().unwrap().language.as_deref(), Some("python"));
}

#[test]
fn the_split_is_clear_or_asked_for() {
    let files = [
        ("dev.passages.jsonl", PASSAGES),
        ("dev.queries.jsonl", QUERIES),
        ("test.passages.jsonl", PASSAGES),
        ("test.queries.jsonl", QUERIES),
        ("train.passages.jsonl", PASSAGES),
    ];
    let told = |split| match read(&files, split) {
        Ok(dataset) => dataset.split,
        Err(error) => error.to_string().rsplit_once(" has ").unwrap().1.to_owned(),
    };
    assert_eq!(told(Some("test")), "test");
    assert_eq!(told(None), "the splits dev, test; choose one");
    assert_eq!(told(Some("train")), "the splits dev, test; there is no split \"train\"");
    assert_eq!(questions().split, "dev");
}

#[test]
fn the_name_is_that_of_the_folder() {
    let folder = folder(&[("dev.localize.jsonl", LOCALIZE)]);
    let path = folder.path().join("x").join("..");
    std::fs::create_dir(folder.path().join("x")).unwrap();
    let dataset = Dataset::read(&path, None).unwrap();
    assert_eq!(dataset.name, folder.path().file_name().unwrap().to_string_lossy());
    assert_eq!(dataset.kind, "code");
}

#[test]
fn a_limit_takes_the_same_items_whatever_else_is_there() {
    let ids = |text: &str, most: usize| -> Vec<String> {
        let files = [("dev.passages.jsonl", PASSAGES), ("dev.queries.jsonl", text)];
        let dataset = read(&files, None).unwrap().with_limit(most);
        dataset.items.into_iter().map(|item| item.id).collect()
    };
    let line = |n: usize| QUERIES.lines().nth(1).unwrap().replace("\"q1\"", &format!("\"q{n}\"")) + "\n";
    let all: String = (0..40).map(line).collect();
    let reversed: String = (0..40).rev().map(line).collect();
    let few = ids(&all, 10);
    assert_eq!(few.len(), 10);
    let mut other = ids(&reversed, 10);
    other.reverse();
    assert_eq!(few, other, "the order of the file does not decide");
    assert!(ids(&all, 20).iter().filter(|id| few.contains(id)).count() == 10, "a larger limit adds items");
    assert_eq!(ids(&all, 400).len(), 40);
}

#[test]
fn facts_of_an_excerpt_with_and_without_a_question() {
    let outputs = read(&[("dev.cases.jsonl", OUTPUT)], None).unwrap();
    assert_eq!((outputs.kind, outputs.items.len()), ("excerpt", 2));
    let ids: Vec<&str> = outputs.items.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids, ["make", "make asked"]);
    let queries = [0, 1].map(|n| context(&outputs, n).query);
    assert_eq!(queries, [None, Some("Which file is missing?".to_owned())]);
    let kept = |all, fraction| Kept { all, fraction, ..Kept::default() };
    check(&outputs, 0, &[("make", &[(42, 56)])], kept(true, 1.0));
    check(&outputs, 1, &[("make", &[(42, 56)])], kept(false, 0.0));
    check(&outputs, 1, &[("make", &[(16, 42)])], kept(true, 1.0));
}

#[test]
fn words_of_the_memories_that_hold() {
    let memories = r#"{"id": "m", "question": "Which port?", "must": ["port 81", "on Mondays"], "memories": [{"id": "a", "time": "2026-01-02", "type": "fact", "importance": "low", "tags": [], "text": "It is port 80, said the note on the door of the server room, which was painted over when the lift was mended and the keys were changed."}, {"id": "b", "time": "2026-01-03", "type": "fact", "importance": "low", "tags": ["net"], "text": "It is port 81 now."}, {"id": "c", "time": "2026-01-03", "type": "fact", "importance": "low", "tags": ["net"], "text": "It is closed on Mondays."}]}"#;
    let memories = read(&[("dev.memories.jsonl", memories)], None).unwrap();
    assert_eq!((memories.kind, memories.material.name(), memories.items.len()), ("memory", "memories", 1));
    let context = context(&memories, 0);
    assert_eq!((context.blocks.len(), context.query.as_deref()), (3, Some("Which port?")));
    check(&memories, 0, &[("b", &[(0, 18)])], Kept { all: false, fraction: 0.5, ..Kept::default() });
    check(
        &memories,
        0,
        &[("b", &[(0, 18)]), ("c", &[(0, 24)])],
        Kept { all: true, fraction: 1.0, ..Kept::default() },
    );
}

/// The labelled cases of the repository, which the package leaves out.
#[test]
fn our_own_cases_are_read() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    if !data.exists() {
        eprintln!("skipped: there is no {}", data.display());
        return;
    }
    let kinds =
        [("outputs", "excerpt"), ("documents", "excerpt"), ("rules", "session"), ("memories", "memory")];
    for (set, kind) in kinds {
        for (half, split) in [(data.clone(), "dev"), (data.join("held"), "held")] {
            let read = Dataset::read(&half.join(set), Some(split)).unwrap();
            assert_eq!((read.kind, read.items.len() >= 12), (kind, true), "{set}, {split}");
        }
    }
}
