//! Plans and texts on small inputs, as snapshots. Budgets are in characters.

use std::fmt::Write as _;

use contextfit_bm25::{SentenceOptions, Unmatched};
use contextfit_kernel::{Block, CompressionResult, Context, Passage, Symbols};

use crate::requests::{chunk, fit, own_words, titled};

/// What happened to each block and why, the metrics, and the text.
fn told(result: &CompressionResult) -> String {
    let mut told = String::new();
    for (step, tokens) in result.plan().unwrap().steps.iter().zip(&result.tokens) {
        writeln!(told, "{}: {}, {tokens} tokens, {}", step.id, step.action.name(), step.reason).unwrap();
    }
    let metrics = result.metrics;
    writeln!(told, "{} of {} tokens\n=====", metrics.tokens_after, metrics.tokens_before).unwrap();
    told + &result.text
}

/// A snapshot of `context` in `budget` with default options.
#[track_caller]
fn check(name: &str, context: &Context, budget: usize) {
    insta::assert_snapshot!(name, told(&fit(&SentenceOptions::default(), context, budget)));
}

/// A snapshot of the effect of one part of the score: the same `context` without it and with it.
#[track_caller]
fn check_part(
    name: &str,
    (without, with): (SentenceOptions, SentenceOptions),
    context: &Context,
    budget: usize,
) {
    let (before, after) = (fit(&without, context, budget), fit(&with, context, budget));
    assert_ne!(before.text, after.text, "{name} changes nothing");
    insta::assert_snapshot!(name, format!("without: {}\n\n##### with: {}", told(&before), told(&after)));
}

/// Options without any part of the score except the words of the sentence and its heading.
fn plain() -> SentenceOptions {
    own_words().with_heading(SentenceOptions::default().heading)
}

#[test]
fn english() {
    let context = Context::new(vec![
        titled(
            "Orland",
            "Orland is a town on the river Wend. It has 4,300 inhabitants, two schools and a market on Fridays.\n\nThe first bridge at Orland was wooden. It burned down in 1871. The present one, of steel, was opened on 3 May 1902 by Dr. A. Quill. Tolls were raised until 1931.",
        ),
        titled(
            "Wend",
            "The Wend rises in the Hale hills. It is 212 km long. Seven bridges cross it, the oldest of them at Orland. Barges went up as far as Tarn until the railway came.",
        ),
        titled(
            "Tarn",
            "Tarn is known for its cheese. Every autumn a fair is held. The town hall was built in 1902.",
        ),
    ]);
    check("english at 260", &context.clone().with_query("When was the steel bridge of Orland opened?"), 260);
    check("english at 150", &context.clone().with_query("When was the steel bridge opened?"), 150);
    check("english misspelt", &context.clone().with_query("fair held in autum, chese"), 150);
    check("english unmatched", &context.with_query("zebra"), 300);
}

#[test]
fn german() {
    let context = Context::new(vec![
        titled(
            "Wendtal",
            "Das Wendtal liegt im Norden. Es hat ca. 4.300 Einwohner, u. a. in zwei Dörfern. Die erste Brücke wurde am 3. Mai 1902 eröffnet. Dr. Quill hielt die Rede. Im Winter ist die Straße gesperrt.",
        ),
        titled(
            "Tarn",
            "Tarn ist für seinen Käse bekannt. Das Rathaus wurde 1902 gebaut. Die Häuser am Markt sind älter als das Rathaus.",
        ),
    ]);
    check("german at 130", &context.clone().with_query("Wann wurden die Brücken eröffnet?"), 130);
    check("german at 110", &context.with_query("Wie alt ist das Haus am Markt?"), 110);
}

#[test]
fn chinese() {
    let context = Context::new(vec![
        titled(
            "溫德河",
            "溫德河發源於黑爾山。全長二百一十二公里。河上有七座橋樑。最古老的橋樑建於一八七一年。冬天河水結冰。",
        ),
        titled("塔恩", "塔恩以乳酪聞名。每年秋天舉行市集。市政廳建於一九〇二年。"),
    ]);
    check("chinese at 75", &context.with_query("最古老的橋樑建於哪一年？"), 75);
}

#[test]
fn prose_code_and_symbols() {
    let passage = |path: &str, function: Option<&str>| {
        let symbols = Symbols { function: function.map(Into::into), ..Symbols::default() };
        let mut passage = Passage::at(path).with_symbols(symbols);
        passage.start_line = Some(10);
        passage
    };
    let code = "use crate::Tokens;\n\n/// Refuses what is over the limit.\npub fn enforce_budget(limit: Tokens, spent: Tokens) -> bool {\n    let left = limit.checked_sub(spent);\n    left.is_some()\n}\n";
    let notes = "# Notes\n\n- The budget is enforced twice.\n- Colours are read from the terminal.\n\n| option | meaning |\n|---|---|\n| `maxTokens` | the budget |\n\nTôi không biết. 預算在這裡檢查。";
    let other = "fn colour() -> Colour {\n    Colour::default()\n}\n";
    let context = Context::new(vec![
        Block::passage("budget", passage("src/budget.rs", Some("enforce_budget")), code),
        Block::passage("notes", passage("docs/notes.md", None), notes),
        Block::passage("colour", passage("src/colour.rs", Some("colour")), other),
    ]);
    check("code at 330", &context.clone().with_query("where is enforceBudget"), 330);
    check("code in Chinese at 200", &context.with_query("預算 檢查"), 200);
}

/// Documents in which the second answers what the first leads to, and two that share a word with the question.
fn two_steps() -> Context {
    Context::new(vec![
        titled(
            "Harrow Bridge",
            "The Harrow Bridge crosses the Wend at Orland. Its architect was Ada Quill, who also drew the station. The steel came from Tarn by barge. Painters work on it all year round.",
        ),
        titled(
            "Ada Quill",
            "Ada Quill (1871-1940) grew up in a mill on the Wend. She studied at night and without a teacher. Her drawings are kept in Hale.",
        ),
        titled(
            "Jon Marr",
            "Jon Marr wrote poems about cheese. He was born in Hale, like his four brothers before him. Nobody printed them.",
        ),
        titled("Hale", "Hale lies in the hills. Few children are born there these days. Sheep graze on the green."),
    ])
    .with_query("When was the architect of the Harrow Bridge born?")
}

#[test]
fn a_passage_whose_title_is_named() {
    let with = SentenceOptions::default().with_shared_name(0.0);
    let without = with.clone().with_mention(0.0);
    check_part("title named", (without, with), &two_steps(), 330);
}

#[test]
fn a_passage_whose_title_is_named_where_a_title_named_leads() {
    let context = Context::new(vec![
        titled(
            "The Tin Heron",
            "The Tin Heron is a silent film that Mara Lind directed. It was shot in a week.",
        ),
        titled(
            "Mara Lind",
            "Mara Lind painted before she made films. She married Otto Reyes in Hale. Her sister sang.",
        ),
        titled("Otto Reyes", "Otto Reyes repaired clocks. He never saw any film to its end."),
        titled("Tin", "Tin is a soft metal. Cups are made of it, and toys."),
        titled("Herons", "Herons fish where water is shallow. They nest in trees."),
    ])
    .with_query("What did the husband of the director of The Tin Heron do?");
    let with = plain().with_mention(1.0);
    check_part("titles named in turn", (plain(), with), &context, 320);
}

#[test]
fn parts_of_a_document_share_its_names_anyway() {
    let context = |title: &str| {
        Context::new(vec![
            titled("Orland", "The mill at Orland was sold by Tobias Vane in 1866. The roof was new."),
            titled(title, "Snow fell early that year. Old Vane stayed at home. The post was slow."),
            titled("Song", "Over the hills and far away. Nobody sang it twice."),
        ])
        .with_query("when was the mill sold")
    };
    let options = plain().with_shared_name(0.5);
    let shows = |title| fit(&options, &context(title), 170).text.contains("Old Vane");
    assert_eq!((shows("Letters"), shows("Orland")), (true, false));
}

#[test]
fn a_rare_name_is_shared() {
    let context = Context::new(vec![
        chunk("deed", "The mill at Orland was sold in 1866. Its buyer paid in silver, as Tobias Vane liked to. The roof was new."),
        chunk("letters", "Snow fell early that year. The younger Vane had come from Tarn. Nobody wrote back. The post was slow."),
        chunk("song", "Over the hills and far away. The mill stood still. Nobody sang it twice."),
    ])
    .with_query("who was the buyer of the mill, paid in silver");
    let with = plain().with_shared_name(0.5);
    check_part("name shared", (plain(), with), &context, 210);
}

#[test]
fn the_same_sentence_twice() {
    let said = "The steel bridge was opened in 1902.";
    let context = Context::new(vec![
        chunk("first", &format!("{said} Rain fell all week. Nobody came.")),
        chunk("second", &format!("Gulls cry over roofs. {said} Lamps burn late.")),
        chunk("third", "Tolls for the bridge were raised until 1931. Bells ring twice. Doors stay shut."),
    ])
    .with_query("steel bridge opened");
    let with = plain().with_repetition(1.0);
    check_part("repetition", (plain(), with), &context, 165);
}

#[test]
fn what_stands_beside() {
    let context = Context::new(vec![
        chunk("a", "Gulls cry over roofs. The steel bridge was opened by the mayor. It was in May of 1902. Rain fell then."),
        chunk("b", "A bridge was painted. Bells ring twice. Doors stay shut. Lamps burn late. Trains run late."),
    ])
    .with_query("steel bridge opened mayor");
    let with = plain().with_neighbour(0.5);
    check_part("neighbour", (plain(), with), &context, 140);
}

#[test]
fn words_side_by_side() {
    let context = Context::new(vec![
        chunk("a", "Stone was cut at the old mill. Rain fell on it all week long."),
        chunk("b", "Nobody came along in those days. An old stone was set at the mill. Lamps burn late."),
    ])
    .with_query("old stone mill");
    let with = plain().with_phrase(0.5);
    check_part("phrase", (plain(), with), &context, 110);
}

#[test]
fn the_first_sentence() {
    let context = Context::new(vec![
        titled(
            "Wend",
            "This is a river in the north that nobody from the south has ever followed up to its spring. Barges went up as far as Tarn when the water was high. Seven towns and a castle lie on it, all on the left. It is 212 km long.",
        ),
        titled("Hale", "Hills in the west. Sheep graze there. Snow lies deep until May."),
    ])
    .with_query("Wend");
    let with = plain().with_lead(0.5).with_passage(1.0);
    let without = with.clone().with_lead(0.0);
    check_part("lead", (without, with), &context, 180);
}

#[test]
fn the_passage() {
    let context = Context::new(vec![
        chunk("a", "Gulls cry over the roofs of the harbour. The bridge was shut for a day. Nobody came along on foot."),
        chunk("b", "Steel was dear in those years. The bridge was shut for a week. The deck was old, and trains ran late."),
    ])
    .with_query("old steel bridge");
    let with = plain().with_passage(1.0);
    check_part("passage", (plain(), with), &context, 175);
}

#[test]
fn the_retriever_knows_better() {
    let scored =
        |id: &str, score: f64, text: &str| Block::passage(id, Passage::default().with_score(score), text);
    let context = Context::new(vec![
        scored("a", 0.2, "The bridge was opened. Rain fell all week. Nobody came along."),
        scored("b", 0.9, "Gulls cry over roofs. The bridge was painted. Lamps burn late there."),
    ])
    .with_query("bridge");
    let with = plain().with_retrieval(0.3);
    check_part("retrieval", (plain(), with), &context, 95);
}

#[test]
fn what_the_retriever_ranks_first_is_shown() {
    let scored =
        |id: &str, score: f64, text: &str| Block::passage(id, Passage::default().with_score(score), text);
    let context = Context::new(vec![
        scored("a", 0.5, "The old bridge of Harrow. The old bridge of Harrow was painted."),
        scored("b", 0.9, "The Harrow bridge has a deck: everybody walks there."),
        scored("c", 0.1, "The old bridge of Harrow was shut."),
    ])
    .with_query("old Harrow bridge");
    let result = fit(&SentenceOptions::default(), &context, 85);
    assert!(result.text.contains("everybody walks"), "{}", result.text);
    let result = fit(&SentenceOptions::default().with_retrieval(0.0), &context, 85);
    assert!(!result.text.contains("everybody walks"), "{}", result.text);
}

#[test]
fn words_of_the_best_sentences() {
    let context = Context::new(vec![
        chunk("a", "The viaduct is a bridge of Orland. Gulls cry over roofs. Rain fell all week."),
        chunk("b", "Nobody came along. The viaduct of Orland opened in 1902. Lamps burn late there."),
        chunk("c", "Bells ring twice. Doors stay shut in Hale. Trains run late."),
    ])
    .with_query("bridge");
    let with = plain().with_feedback(3);
    check_part("feedback", (plain(), with), &context, 160);
}

#[test]
fn pins_and_groups() {
    let context = Context::new(vec![
        chunk("pinned", "Answer in one sentence. Gulls cry over roofs.").with_pinned(),
        chunk("call", "Looked up the bridge. Nobody came along. Lamps burn late there.").with_group("lookup"),
        chunk("result", "Rain fell all week. It was wet. Trains run late then.").with_group("lookup"),
        chunk("left", "Doors stay shut. Bells ring twice. Snow lies deep.").with_group("other"),
        chunk(
            "right",
            "The bridge is old, and its old stones are as old as the hills around it are old. Sheep graze.",
        )
        .with_group("other"),
    ])
    .with_query("bridge lookup");
    check("groups at 230", &context, 230);
    check("groups at 100", &context, 100);
}

#[test]
fn a_threshold() {
    let without = SentenceOptions::default().with_min_relevance(0.0);
    let with = SentenceOptions::default().with_min_relevance(0.6);
    check_part("threshold", (without, with), &two_steps(), 450);
}

#[test]
fn nothing_kept() {
    let options = SentenceOptions::default().with_unmatched(Unmatched::Nothing);
    let result = fit(&options, &two_steps().with_query("zebra"), 200);
    insta::assert_snapshot!("nothing kept", told(&result));
}
