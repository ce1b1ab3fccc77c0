//! Regression tests for the known defects of the original system, KB Labs Mind.

use std::{fmt::Write as _, sync::Arc};

use contextfit_kernel::{
    Action, Block, Budget, Chars, CompressionResult, Context, Level, Passage, Strategy, TokenCounter, Tokens,
};
use contextfit_pipeline::{Pipeline, SMALLEST};
use contextfit_text::{CharsPer, Tiktoken};
use contextfit_truncation::{Incremental, MetadataOnly, SmartTruncation, TruncationOptions};

/// A chunk of `language`.
fn chunk(id: &str, language: &str, score: Option<f64>, text: &str) -> Block {
    let passage = Passage::at(format!("{id}.{language}")).with_score(score);
    Block::passage(id, passage, text)
}

#[track_caller]
fn fit(strategy: impl Strategy + 'static, blocks: Vec<Block>, budget: usize) -> CompressionResult {
    let pipeline = Pipeline::new(Arc::new(Tiktoken::o200k_base())).with_strategy(strategy);
    pipeline.fit(&Context::new(blocks), &Budget::new(Tokens::new(budget))).unwrap()
}

/// Smart truncation of one chunk to `max_length`, with a budget that requires no more than that.
#[track_caller]
fn truncate(language: &str, text: &str, max_length: usize) -> String {
    let mut options = TruncationOptions::default();
    options.smart_truncation.max_length = Chars::new(max_length);
    let pipeline =
        Pipeline::new(Arc::new(CharsPer::new(1).unwrap())).with_strategy(SmartTruncation::new(options));
    let context = Context::new(vec![chunk("a", language, None, text)]);
    let all = pipeline.fit(&context, &Budget::new(Tokens::MAX)).unwrap().metrics.tokens_before;
    let budget = Budget::new(all.saturating_sub(Tokens::new(1)));
    let result = pipeline.fit(&context, &budget).unwrap();
    result.context.blocks[0].text.clone()
}

fn numbered_lines(n: usize) -> String {
    (1..=n).fold(String::new(), |mut text, line| {
        writeln!(text, "    step_{line}(value, {line});").unwrap();
        text
    })
}

#[test]
fn one_long_line_does_not_become_a_bare_marker() {
    let line = "let a=1;".repeat(625);
    assert_eq!(line.len(), 5_000);
    // There is room for it, so it stays: a line of code has no parts to be cut at.
    assert_eq!(truncate("ts", &line, 2_000), "[metadata-only] a.ts");
    let kept = fit(
        SmartTruncation::new(TruncationOptions::default()),
        vec![chunk("a", "ts", None, &line), chunk("b", "ts", None, &numbered_lines(400))],
        4_500,
    );
    assert_eq!(kept.context.blocks[0].text, line);
    // There is no room, so it is named, not replaced by an empty gap.
    let named =
        fit(SmartTruncation::new(TruncationOptions::default()), vec![chunk("a", "ts", None, &line)], 100);
    assert_eq!(named.text, "[metadata-only] a.ts");
}

#[test]
fn one_long_line_of_prose_keeps_whole_sentences() {
    let text: String =
        (0..60).map(|n| format!("This is sentence number {n} of a long paragraph. ")).collect();
    let cut = truncate("md", &text, 1_000);
    assert!(cut.starts_with("This is sentence number 0 of a long paragraph. "), "{cut}");
    assert!(cut.ends_with("This is sentence number 59 of a long paragraph. "), "{cut}");
    assert!(cut.contains("sentences] This is"), "{cut}");
    assert!(cut.len() <= 1_000);
}

#[test]
fn the_promised_end_survives_the_markers() {
    for max_length in [200, 500, 1_000, 2_000] {
        let cut = truncate("ts", &numbered_lines(100), max_length);
        assert!(cut.starts_with("    step_1(value, 1);\n"), "{max_length}: {cut}");
        assert!(cut.ends_with("    step_100(value, 100);\n"), "{max_length}: {cut}");
        assert!(cut.chars().count() <= max_length, "{max_length}: {}", cut.chars().count());
    }
}

#[test]
fn first_and_last_thirty_percent_where_they_fit() {
    let cut = truncate("ts", &numbered_lines(100), 2_000);
    for line in (1..=30).chain(71..=100) {
        assert!(cut.contains(&format!("    step_{line}(value, {line});\n")), "line {line} is missing: {cut}");
    }
}

#[test]
fn no_line_is_cut_in_the_middle() {
    let text = numbered_lines(100);
    for max_length in 60..400 {
        for line in truncate("ts", &text, max_length).lines().filter(|line| !line.contains("...")) {
            assert!(
                text.lines().any(|whole| whole == line) || line.starts_with("[metadata-only]"),
                "{line:?}"
            );
        }
    }
}

#[test]
fn gaps_say_how_many_lines_are_missing() {
    let cut = truncate("ts", &numbered_lines(100), 500);
    let missing: usize = cut
        .lines()
        .filter_map(|line| line.strip_prefix("// ... ")?.strip_suffix(" lines")?.parse::<usize>().ok())
        .sum();
    let shown = cut.lines().filter(|line| line.contains("step_")).count();
    assert_eq!(missing + shown, 100, "{cut}");
}

/// Checks whether a text with `line` amid noise in its middle keeps that line.
#[track_caller]
fn keeps(language: &str, line: &str, expect: bool) {
    let noise = numbered_lines(60);
    let cut = truncate(language, &format!("{noise}{line}\n{noise}"), 900 + line.len() + 40);
    assert_eq!(cut.contains(line), expect, "{language}: {line:?} in\n{cut}");
}

#[test]
fn words_count_at_a_declaration_only() {
    keeps("ts", "export const LIMIT = 5;", true);
    keeps("ts", "  constructor(private readonly a: number) {", false);
    keeps("ts", "    letter = constant + typed;", false);
    keeps("ts", "    // the type of the class", false);
    keeps("ts", "    type: \"function\",", false);
}

#[test]
fn declarations_of_many_languages() {
    let cases = [
        ("py", "async def load(path):"),
        ("py", "class Loader(Base):"),
        ("rs", "pub(crate) async fn load() -> Result<()> {"),
        ("rs", "impl<T> Load for Vec<T> {"),
        ("go", "func (l *Loader) Load() error {"),
        ("java", "    public static int load(String path) {"),
        ("kt", "    suspend fun load(path: String) {"),
        ("c", "static int load(const char *path)"),
        ("c", "int load(const char *path) {"),
        ("cpp", "template <typename T>"),
        ("cs", "    public async Task<int> Load(string path)"),
        ("rb", "  def load(path)"),
        ("php", "    public function load($path)"),
        ("swift", "    func load(path: String) -> Int {"),
        ("sh", "function load() {"),
        ("js", "export default class Loader {"),
        ("tsx", "export enum Kind {"),
    ];
    for (language, line) in cases {
        keeps(language, line, true);
    }
}

#[test]
fn signatures_of_several_lines_stay_whole() {
    keeps(
        "ts",
        "export async function load(\n  path: string,\n  options: Options,\n): Promise<void> {",
        true,
    );
    keeps("py", "@cached\n@retry(3)\ndef load(\n    path,\n    options,\n):", true);
    keeps("rs", "#[must_use]\npub fn load<T>(\n    path: &Path,\n) -> Option<T>", true);
}

#[test]
fn an_absolute_threshold_does_not_reduce_every_fusion_score() {
    let text = numbered_lines(30);
    let blocks: Vec<Block> =
        (1..=10).map(|n| chunk(&format!("c{n}"), "ts", Some(1.2 / f64::from(60 + n)), &text)).collect();
    let result = fit(MetadataOnly::new(TruncationOptions::default()), blocks, 2_000);
    assert!((1..10).contains(&result.metrics.metadata_only), "{:?}", result.metrics);
}

#[test]
fn blocks_are_shortened_before_they_are_chosen() {
    // The original selected whole chunks first: it would have taken one of these, or an oversized one.
    let blocks: Vec<Block> =
        (0..4).map(|n| chunk(&format!("c{n}"), "ts", Some(0.9), &numbered_lines(200))).collect();
    let result = fit(Incremental::new(TruncationOptions::default()), blocks, 1_500);
    let cut =
        result.plan().unwrap().steps.iter().filter(|step| matches!(step.action, Action::Cut { .. })).count();
    assert!(cut >= 3, "{cut} of 4 chunks are shown in part");
    assert!(result.metrics.tokens_after <= Tokens::new(1_500));
}

#[test]
fn an_oversized_first_chunk_is_not_added_whole() {
    let result = fit(
        Incremental::new(TruncationOptions::default()),
        vec![chunk("a", "ts", Some(1.0), &numbered_lines(2_000))],
        300,
    );
    assert!(result.metrics.tokens_after <= Tokens::new(300));
    assert_eq!(result.context.blocks[0].level, Level::Extract);
}

#[test]
fn before_and_after_are_counted_alike() {
    let result = fit(
        SmartTruncation::new(TruncationOptions::default()),
        vec![chunk("a", "ts", None, &numbered_lines(400))],
        1_000,
    );
    let before = format!("File: a.ts\n\n{}", numbered_lines(400));
    assert_eq!(result.metrics.tokens_before, Tiktoken::o200k_base().count(&before));
}

/// Checks that `expect` is shown of a page of `text` in `budget` tokens without a query.
#[track_caller]
fn check_page(text: &str, budget: usize, expect: &str) {
    let strategy = SmartTruncation::new(TruncationOptions::default());
    let result = fit(strategy, vec![chunk("a", "md", None, text)], budget);
    assert_eq!(result.context.blocks[0].text, expect);
}

#[test]
fn the_end_of_a_page_is_shown_under_its_heading() {
    let filler =
        "Gulls cry over the roofs of the old town by the sea all day long and all night too.\n\n".repeat(30);
    let text = format!("# Town\n\n```sh\n# No heading\nrun\n```\n\n{filler}## End\n\nThe train is late.\n");
    check_page(
        &text,
        60,
        "# Town\n\n```sh\n# No heading\nrun\n```\n\nGulls cry over the roofs of the old town by the sea all day long and all \
         night too.\n\n[... 58 lines]\n## End\n\nThe train is late.\n",
    );
}

#[test]
fn what_is_left_out_because_shortening_is_off_says_so() {
    let text = numbered_lines(120);
    let blocks = || vec![chunk("a", "ts", None, &text)];
    let reason = |strategy: Box<dyn Strategy>| {
        let pipeline = Pipeline::new(Arc::new(Tiktoken::o200k_base())).with_strategy(strategy);
        let result = pipeline.fit(&Context::new(blocks()), &Budget::new(300)).unwrap();
        result.plan().unwrap().steps[0].reason.to_string()
    };
    let with = |smart, metadata| {
        let mut options = TruncationOptions::default();
        (options.smart_truncation.enabled, options.metadata_only.enabled) = (smart, metadata);
        options
    };
    let says = |reason: String, option| {
        assert!(reason.ends_with(&format!(" tokens, and `{option}` is false")), "{reason}");
    };
    says(reason(Box::new(SmartTruncation::new(with(false, false)))), "enabled");
    says(reason(Box::new(SmartTruncation::new(with(false, true)))), "smartTruncation.enabled");
    says(reason(Box::new(Incremental::new(with(false, true)))), "smartTruncation.enabled");
    says(reason(Box::new(MetadataOnly::new(with(false, false)))), "enabled");
    says(reason(Box::new(MetadataOnly::new(with(true, false)))), "metadataOnly.enabled");
}

#[test]
fn free_blocks_give_way_to_blocks_that_must_be_shown() {
    // Their smallest forms take most of the room, and the free ones little of it.
    let shown =
        (0..40).map(|n| chunk(&format!("s{n}"), "ts", Some(0.1), "first();\nsecond();\n").with_shown());
    let free = (0..2).map(|n| chunk(&format!("f{n}"), "ts", Some(0.9), "go();\n"));
    let context = Context::new(free.chain(shown).collect());
    let check = |strategy: Box<dyn Strategy>| {
        let pipeline = Pipeline::new(Arc::new(CharsPer::new(1).unwrap())).with_strategy(strategy);
        let fits = |budget: &usize| pipeline.fit(&context, &Budget::new(*budget)).is_ok();
        let least = (0..3_000).find(fits).unwrap();
        for budget in least..least + 80 {
            let result = pipeline.fit(&context, &Budget::new(budget)).unwrap();
            assert_ne!(result.strategy(), Some(SMALLEST), "at {budget}, {least} are enough: {}", result.text);
        }
    };
    check(Box::new(SmartTruncation::new(TruncationOptions::default())));
    check(Box::new(Incremental::new(TruncationOptions::default())));
    check(Box::new(MetadataOnly::new(TruncationOptions::default())));
}

/// A cut that has other seams than planned is made again, until it fits.
#[test]
fn a_token_more_does_not_leave_only_the_name() {
    let page = "# Counting\n\nThe count of the final text must be exact, and counting dominates the time. Both rest on one \
                promise of counters:\nwhere a text splits, the tokens of the whole are the sum of those of both parts.\n\n\
                1. Units are found first, and each of them ends where a\n   reader would stop. Nothing is counted twice.\n\
                2. A strategy plans by subtraction: the cost of a run is\n   the difference of two figures, and nothing else.\n\n"
        .repeat(3);
    let block = || vec![Block::passage("a.txt", Passage::at("a.txt"), page.clone())];
    for budget in 80..300 {
        let options = TruncationOptions::default;
        let (some, edges) = (
            fit(Incremental::new(options()), block(), budget),
            fit(SmartTruncation::new(options()), block(), budget),
        );
        for result in [some, edges] {
            let used = result.metrics.tokens_after.get();
            assert!(used * 2 >= budget, "{used} of {budget} tokens: {}", result.text);
        }
    }
}
