//! Inputs of the benchmark.

use std::{fs, iter, path::Path, sync::OnceLock};

use contextfit::{
    Block, Context, Passage, TokenCounter,
    formats::{Conversation, Pins},
};
use contextfit_packing::{Choice, Items};
use serde_json::json;

use crate::made;

/// Whether all inputs are made; those of this repository and of the benchmark data otherwise.
pub(crate) static MADE: OnceLock<bool> = OnceLock::new();

pub(crate) fn are_made() -> bool {
    MADE.get() == Some(&true)
}

/// Texts to count: code, prose, languages, and text known to break tokenizers. About 100 KB times `scale` of each one.
pub(crate) fn texts(scale: usize) -> Vec<(String, String)> {
    let size = 100_000 * scale;
    let mut random = Random(88_172_645_463_325_252);
    let mut pick = |n: usize| (random.next() >> 11) as usize % n;
    let mut texts = vec![
        ("code".to_owned(), code(size)),
        ("code of many languages".to_owned(), repeated(data("code/dev.files.jsonl", "content"), size)),
        ("prose".to_owned(), prose(size)),
        ("markdown".to_owned(), repeated(texts_of(sources("md")), size)),
        ("JSON".to_owned(), json_lines(size)),
    ];
    let languages = include_str!("languages.txt").split("\n## ").skip(1);
    texts.extend(languages.filter_map(|language| {
        let (name, text) = language.split_once('\n')?;
        Some((name.to_owned(), shuffled(text, size, &mut pick)))
    }));
    let mut add = |name: &str, pick: &mut dyn FnMut() -> char| {
        let mut text = String::new();
        while text.len() < size {
            text.push(pick());
        }
        texts.push((name.to_owned(), text));
    };
    add("base64", &mut || BASE64[pick(64)] as char);
    add("hex", &mut || b"0123456789abcdef"[pick(16)] as char);
    add("random letters", &mut || char::from(b'a' + pick(26) as u8));
    add("random Unicode", &mut || char::from_u32(pick(0x11_0000) as u32).unwrap_or(' '));
    add("random Chinese characters", &mut || char::from_u32(0x4E00 + pick(0x5000) as u32).unwrap_or(' '));
    add("one letter", &mut || 'a');
    add("spaces", &mut || ' ');
    texts.extend([
        ("runs of 200 letters".to_owned(), runs(size, |n| char::from(b'a' + (n % 26) as u8))),
        ("runs of 200 tabs".to_owned(), runs(size, |_| '\t')),
        ("emoji in prose".to_owned(), with_emoji(&prose(size), &mut pick)),
    ]);
    texts
}

/// `size` bytes of parts of `text`, its words or one to six of its characters: new pieces of the same language.
fn shuffled(text: &str, size: usize, pick: &mut impl FnMut(usize) -> usize) -> String {
    let characters: Vec<char> = text.trim_end().chars().collect();
    let words: Vec<&str> = text.trim_end().split_inclusive(' ').collect();
    let mut made = String::new();
    while made.len() < size {
        if words.len() > 1 {
            made.push_str(words[pick(words.len())]);
        } else {
            let start = pick(characters.len());
            made.extend(characters.iter().skip(start).take(1 + pick(6)));
        }
    }
    made
}

/// `prose` with an emoji after each eighth word.
fn with_emoji(prose: &str, pick: &mut impl FnMut(usize) -> usize) -> String {
    const EMOJI: [&str; 5] = ["😀 ", "👍🏽 ", "🎉 ", "👨\u{200d}👩\u{200d}👧 ", "❤\u{fe0f} "];
    let words = prose.split_inclusive(' ').enumerate();
    words.flat_map(|(n, word)| [word, if n % 8 == 7 { EMOJI[pick(5)] } else { "" }]).collect()
}

/// `size` bytes of the lines of a log in JSON.
fn json_lines(size: usize) -> String {
    let line = |n: usize| {
        let (time, path) = (n * 131 % 4_000, format!("/api/v1/items/{}", n * 7_919 % 9_973));
        let line = json!({"id": n, "path": path, "status": 200 + n % 7, "ms": time, "tags": ["a", "b"], "user": null});
        format!("{line}\n")
    };
    (0..).map(line).scan(0, |all, text| take(all, size, text)).collect()
}

/// `size` bytes of `texts`, repeated.
fn repeated(texts: Vec<String>, size: usize) -> String {
    texts.into_iter().cycle().scan(0, |all, text| take(all, size, text)).collect()
}

fn texts_of(files: Vec<(String, String)>) -> Vec<String> {
    files.into_iter().map(|(_, text)| text).collect()
}

/// The texts in a field of the lines of a file of the benchmark data if available, otherwise the documentation comments
/// of this workspace.
fn data(file: &str, field: &str) -> Vec<String> {
    if are_made() {
        return made::passages(400);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(file);
    let of = |line: &str| {
        serde_json::from_str::<serde_json::Value>(line).ok()?.get(field)?.as_str().map(str::to_owned)
    };
    match fs::read_to_string(path) {
        Ok(lines) => lines.lines().filter_map(of).collect(),
        Err(_) => sources("rs").iter().flat_map(|(_, text)| comments(text)).collect(),
    }
}

/// `size` bytes of runs of 200, the nth made of `character(n)`, with a semicolon after each.
fn runs(size: usize, character: impl Fn(usize) -> char) -> String {
    (0..size / 201).flat_map(|n| iter::repeat_n(character(n), 200).chain([';'])).collect()
}

/// Whether tiktoken-rs can take the input whole.
pub(crate) fn safe_for_peer(name: &str) -> bool {
    name != "spaces"
}

/// Search results: code and prose in chunks of 20 to 80 lines.
pub(crate) fn contexts(scale: usize) -> Vec<(String, Context)> {
    vec![
        ("code in chunks".to_owned(), chunks(60 * scale)),
        ("whole files".to_owned(), Context::new(files(40 * scale)).with_query("how are tokens counted")),
        (
            "prose in passages".to_owned(),
            Context::new(passages(100 * scale)).with_query("how are tokens counted"),
        ),
    ]
}

/// `n` chunks of code with scores, paths and lines, like the output of a retriever.
pub(crate) fn chunks(n: usize) -> Context {
    let code = code(n * 1_600);
    let lines: Vec<&str> = code.split_inclusive('\n').collect();
    let mut blocks = Vec::with_capacity(n);
    let mut start = 0;
    for chunk in 0..n {
        let end = (start + 20 + chunk * 7 % 60).min(lines.len());
        let passage = Passage::at(format!("src/module_{}.rs", chunk % 97))
            .with_score(1.0 / (1.0 + chunk as f64 / 10.0))
            .with_lines(start + 1, end);
        blocks.push(Block::passage(format!("chunk {chunk}"), passage, lines[start..end].concat()));
        start = if end + 80 < lines.len() { end } else { 0 };
    }
    Context::new(blocks).with_query("how are tokens counted")
}

/// A session of an agent that is asked about `n` pieces of code, reads each one and comments on it. One piece takes
/// about 1,000 tokens.
pub(crate) fn session(n: usize, counter: &dyn TokenCounter) -> Context {
    let blocks = chunks(n * 2).blocks;
    let messages = blocks.chunks(2).enumerate().flat_map(|(turn, blocks)| {
        let (path, id) = (format!("src/module_{}.rs", turn % 97), format!("call_{turn}"));
        let text: String = blocks.iter().map(|block| block.text.as_str()).collect();
        let answer =
            comments(&text).into_iter().next().unwrap_or_else(|| "Nothing is said of it.".to_owned());
        let call = json!({"name": "read", "arguments": json!({"path": path}).to_string()});
        [
            json!({"role": "user", "content": format!("Go on with {path}: what does part {turn} do?")}),
            json!({"role": "assistant", "tool_calls": [{"id": id, "type": "function", "function": call}]}),
            json!({"role": "tool", "tool_call_id": id, "content": text}),
            json!({"role": "assistant", "content": answer}),
        ]
    });
    let ask = json!({"role": "user", "content": "Which of these parts are tested?"});
    let messages: Vec<_> = messages.chain([ask]).collect();
    let conversation = Conversation::parse(json!({"model": "gpt-4o", "messages": messages})).unwrap();
    conversation.context(counter, &Pins::none())
}

/// `n` requests of twenty passages, each asking for some words from one of them.
pub(crate) fn requests(n: usize) -> Vec<Context> {
    let all = passages(n * 20);
    let request = |blocks: &[Block]| {
        let words = blocks[blocks.len() / 2].text.split(' ').filter(|word| word.len() > 4);
        let query = words.step_by(7).take(6).collect::<Vec<_>>().join(" ");
        Context::new(blocks.to_vec()).with_query(query)
    };
    all.chunks(20).map(request).collect()
}

/// `n` files: the workspace's own, repeated.
fn files(n: usize) -> Vec<Block> {
    let sources = sources("rs");
    let block = |n: usize| {
        let (path, text) = &sources[n % sources.len()];
        Block::passage(path, Passage::at(path.clone()), text)
    };
    (0..n).map(block).collect()
}

/// `n` passages of prose of about 700 bytes, one line each.
fn passages(n: usize) -> Vec<Block> {
    let prose = prose(n * 700);
    let sentences: Vec<&str> = prose.split_inclusive(". ").collect();
    let passage = |(n, part): (usize, &[&str])| {
        Block::passage(n.to_string(), Passage::default().with_title(format!("Passage {n}")), part.concat())
    };
    sentences.chunks(6).enumerate().map(passage).collect()
}

/// `size` bytes of the workspace's sources.
fn code(size: usize) -> String {
    repeated(texts_of(sources("rs")), size)
}

/// `size` bytes of prose.
fn prose(size: usize) -> String {
    let passages = data("nq_multidoc/dev.passages.jsonl", "text");
    repeated(passages.into_iter().map(|text| text + " ").collect(), size)
}

/// The files of the benchmark data in `language`, each with the description of the commit that changed it; none if the
/// data is not available.
pub(crate) fn changes(language: &str) -> Vec<Context> {
    if are_made() {
        return Vec::new();
    }
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/code/dev.localize.jsonl");
    let change = |line: &str| {
        let change: serde_json::Value = serde_json::from_str(line).ok()?;
        let field = |name: &str| change.get(name)?.as_str();
        let passage = Passage::at(field("path")?);
        let block = Block::passage(field("id")?, passage, field("content")?);
        (field("lang")? == language)
            .then(|| Context::new(vec![block]).with_query(field("query").unwrap_or_default()))
    };
    fs::read_to_string(data).unwrap_or_default().lines().filter_map(change).collect()
}

/// The contents of the documentation comments in `text`.
fn comments(text: &str) -> Vec<String> {
    text.lines().filter_map(|line| line.trim_start().strip_prefix("/// ")).map(str::to_owned).collect()
}

/// Passes texts on until they add up to `size` bytes.
fn take(all: &mut usize, size: usize, text: String) -> Option<String> {
    (*all < size).then(|| {
        *all += text.len();
        text
    })
}

/// The workspace's sources whose names end in `extension`, by path.
pub(crate) fn sources(extension: &str) -> Vec<(String, String)> {
    if are_made() {
        return made::sources(extension, 120);
    }
    let of = |folder: &str| {
        let mut found = Vec::new();
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), extension, &mut found);
        found.sort();
        found
    };
    [of(".."), of("../../xtask"), of("../../docs")].concat()
}

fn collect(folder: &Path, wanted: &str, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, wanted, found);
        } else if path.extension().is_some_and(|extension| extension == wanted)
            && let Ok(text) = fs::read_to_string(&path)
        {
            found.push((path.display().to_string(), text));
        }
    }
}

/// Items with four levels each, of random weights and values.
pub(crate) fn levels(n: usize) -> Items {
    let mut random = Random(88_172_645_463_325_252);
    let mut share = || (random.next() >> 11) as f64 / (1_u64 << 53) as f64;
    let mut items = Items::new();
    for _ in 0..n {
        let worth = share() + 0.01;
        let level =
            |(weight, value): (f64, f64)| Choice::new((weight * (0.5 + share())) as usize + 1, worth * value);
        items.push([(5.0, 0.05), (50.0, 0.4), (200.0, 0.8), (500.0, 1.0)].map(level));
    }
    items
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Marsaglia's xorshift: the same numbers on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
