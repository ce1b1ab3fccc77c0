//! Awkward inputs of every kind.

use contextfit_kernel::{Block, BlockKind, Context, Hold, Importance, Memory, Passage, Role, Symbols, Turn};
use proptest::prelude::*;

/// Texts that have broken tokenizers, cutters and people.
#[must_use]
pub fn awkward_texts() -> Vec<String> {
    let code = "use std::fmt;\n\n/// Adds two numbers together.\npub fn add(\n    left: u64,\n    right: u64,\n) -> u64 {\n    left + right\n}\n\n";
    let prose = "Dr. Who lives in the U.S. at 3.14 Main St. He said \"no.\" Then he left! 彼は行った。そして帰った。 ";
    [
        "",
        " ",
        "\n",
        "\n\n\n\n",
        "x",
        "\u{feff}bom",
        "a\r\nb\r\n",
        "no line feed at the end",
        "נאום בעברית. עוד משפט אחד כאן.\nمرحبا بالعالم. جملة أخرى.",
        "e\u{301}\u{301}\u{301} z̷̛̗a̸l̶g̵o̷",
        "👩‍👩‍👧‍👦👍🏽 <|endoftext|> <|im_start|>",
        "\u{0}\u{1}\u{7f}\u{85}\u{2028}\u{2029}",
        "it's we'll I'D y'all'\u{17f} //\n//\n;//\n",
        "[... 3 lines]\n// ... 12 lines\n[metadata-only] x\n---\n",
    ]
    .into_iter()
    .map(str::to_owned)
    .chain([
        "a".repeat(5_000),
        "word ".repeat(2_000),
        "one line of minified;code(){}".repeat(300),
        code.repeat(40),
        prose.repeat(60),
        "\n".repeat(1_000),
        "x\n".repeat(3_000),
        "汉字".repeat(2_000),
        "\u{1b}[32mok\u{1b}[0m a::b\n 10 %\r 50 %\r100 %\nwaiting for a lock\nwaiting for a lock\n\u{1b}[K\n"
            .repeat(40),
    ])
    .collect()
}

/// Contexts with every known trouble: no blocks, duplicate ids, scores that are equal or NaN, pins, groups, one giant
/// line, very many tiny chunks.
#[must_use]
pub fn awkward_contexts() -> Vec<Context> {
    let passage = |n: usize, score: Option<f64>, text: &str| {
        let path = Some(format!("src/модуль_{}.rs", n % 7));
        Block::passage(format!("c{n}"), Passage { path, score, ..Passage::default() }, text)
    };
    let all = |score: fn(usize) -> Option<f64>| {
        awkward_texts().iter().enumerate().map(|(n, text)| passage(n, score(n), text)).collect::<Vec<_>>()
    };
    let scored = |n: usize| Some([0.9, 0.1, 0.4, 0.0, -3.0][n % 5]);
    let mut pinned = all(scored);
    for block in pinned.iter_mut().step_by(9) {
        block.hold = Hold::Pinned;
    }
    let mut shown = all(scored);
    for block in shown.iter_mut().step_by(5) {
        block.hold = Hold::Shown;
    }
    let mut grouped = all(scored);
    for (n, block) in grouped.iter_mut().enumerate() {
        block.group = Some(format!("g{}", n / 3));
        block.hold = match n {
            4 => Hold::Pinned,
            10 => Hold::Shown,
            _ => Hold::Free,
        };
    }
    let same_id = all(scored).into_iter().map(|mut block| {
        block.id = "same".into();
        block
    });
    vec![
        Context::default(),
        Context::new(vec![passage(0, None, "")]),
        Context::new(vec![passage(0, Some(f64::NAN), &"giant ".repeat(2_000))]),
        Context::new(vec![passage(0, Some(1.0), &"minified(){};".repeat(2_000))]),
        Context::new(all(|_| None)).with_query("add two numbers"),
        Context::new(all(|_| Some(f64::NAN))),
        Context::new(all(|_| Some(0.5))),
        Context::new(all(|n| Some(if n % 2 == 0 { f64::INFINITY } else { f64::NEG_INFINITY }))),
        Context::new(all(scored)),
        Context::new(pinned),
        Context::new(shown),
        Context::new(grouped),
        Context::new(same_id.collect()),
        Context::new((0..2_000).map(|n| passage(n, Some(1.0 / (n + 1) as f64), "tiny")).collect())
            .with_omitted(3),
    ]
}

/// Any context: few or many blocks of any kind and text, pins, groups, scores of any value.
pub fn arbitrary_context() -> impl Strategy<Value = Context> {
    let block =
        (text(), kind(), any::<bool>(), 0..6_u8, 0..9_usize).prop_map(|(text, kind, same, group, pin)| {
            let mut block = Block::new(if same { "same" } else { "é/ß.rs" }, kind, text);
            block.hold = [Hold::Pinned, Hold::Shown].get(pin).copied().unwrap_or_default();
            block.group = (group < 2).then(|| format!("group {group}"));
            block
        });
    (prop::collection::vec(block, 0..12), prop::option::of(".{0,20}"), 0..3_usize).prop_map(
        |(blocks, query, omitted)| {
            let mut context = Context::new(blocks).with_omitted(omitted);
            context.query = query;
            context
        },
    )
}

/// Any text: of any characters, of lines of code, of sentences.
fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("pub fn read(&self) -> usize {".to_owned()),
        Just("    let x = call(1, 2);".to_owned()),
        Just("}".to_owned()),
        Just(String::new()),
        Just("// A comment that says what it is.".to_owned()),
        Just("A sentence. Another one! 第三句。And a fourth, which is a little longer than the ones before it; still one. ".repeat(2)),
        ".{0,60}",
    ];
    let lines = prop::collection::vec(line, 0..60).prop_map(|lines| lines.join("\n"));
    prop_oneof![3 => lines, 1 => "(?s).{0,400}", 1 => "[ \\n\\r\\t/;.]{0,80}"]
}

/// Any kind of block.
fn kind() -> impl Strategy<Value = BlockKind> {
    let word = || prop::option::of("[a-zé]{1,8}");
    let passage =
        (word(), word(), prop::option::of(any::<f64>()), prop::option::of(0..900_usize), word(), word());
    let passage = passage.prop_map(|(title, path, score, start_line, language, class)| {
        let symbols = Symbols { class, ..Symbols::default() };
        let end_line = start_line.map(|line| line + 40);
        BlockKind::Passage(Passage {
            title,
            path,
            score,
            start_line,
            end_line,
            language,
            symbols,
            part: None,
        })
    });
    let importance = Importance::Critical;
    prop_oneof![
        4 => passage,
        1 => Just(BlockKind::Turn(Turn::new(Role::User))),
        1 => any::<f64>().prop_map(move |confidence| BlockKind::Memory(Memory { memory_type: "fact".into(), importance, confidence })),
    ]
}
