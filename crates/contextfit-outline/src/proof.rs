//! Proof that outlines still parse, on whatever sources are available.
//!
//! Each file is checked with arbitrary choices of items and with the results of the strategy at several budgets. None
//! of them may contain an error that the source did not have, or anything but source and comments. Each marker must
//! have exactly the number of lines it replaces, and a marker after a signature may replace only lines of that
//! definition's own body.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use contextfit_kernel::{Action, Block, Budget, ByteRange, Context, MeasuredBlock, Passage, Piece, Tokens};
use contextfit_packing::Holder;
use contextfit_pipeline::{Pipeline, measure};
use contextfit_text::{CharsPer, Language, Shape};

use crate::{
    Outline, Outlining,
    grammar::Compiled,
    grammars::grammar,
    lines::Lines,
    page::OutlinePage,
    shelf::Shelf,
    stretches::divided,
    syntax::{outline, read},
};

/// The maximum number of files per language.
const FILES: usize = 500;

/// The maximum length of a file, in bytes; longer ones take too long for a test.
const LONGEST_FILE_BYTES: usize = 400_000;

/// The number of arbitrary choices per round, each of which has fewer items than the one before.
const CHOICES: u64 = 6;

/// The number of rounds of arbitrary choices for a small source.
const SMALL_SOURCE_ROUNDS: u64 = 80;

/// A pseudo-random number derived from `n`.
fn mixed(n: u64) -> u64 {
    let n = (n ^ (n >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (n ^ (n >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11
}

/// The number of errors in a text.
fn errors(grammar: &Compiled, text: &str) -> Option<usize> {
    let tree = grammar.parse(text)?;
    if !tree.root_node().has_error() {
        return Some(0);
    }
    let mut cursor = tree.walk();
    let mut found = 0;
    loop {
        let node = cursor.node();
        found += usize::from(node.is_error() || node.is_missing());
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(found);
            }
        }
    }
}

/// The text that an action produces, and its markers.
fn shown(source: &str, action: &Action) -> (String, Vec<String>) {
    match action {
        Action::Cut { pieces } => {
            let markers = pieces.iter().filter_map(|piece| match piece {
                Piece::Marker(marker) => Some(marker.clone()),
                _ => None,
            });
            (pieces.iter().map(|piece| piece.text(source)).collect(), markers.collect())
        }
        Action::Keep => (source.to_owned(), Vec::new()),
        _ => (String::new(), Vec::new()),
    }
}

/// The false statements in the markers of an action.
fn lies(block: &MeasuredBlock<'_>, language: &Language, action: &Action) -> Vec<String> {
    let text = block.block().text.as_str();
    let Action::Cut { pieces } = action else { return Vec::new() };
    let outline = Outline::of(text, language);
    let mut lies = Vec::new();
    for (n, piece) in pieces.iter().enumerate() {
        let Piece::Marker(marker) = piece else { continue };
        let source = |piece: Option<&Piece>| match piece {
            Some(Piece::Source(range)) => Some(*range),
            _ => None,
        };
        let from = source(n.checked_sub(1).and_then(|before| pieces.get(before))).map_or(0, ByteRange::end);
        let to = source(pieces.get(n + 1)).map_or(text.len(), ByteRange::start);
        if let Some((before, _)) = marker.split_once(" sentence") {
            let units = block.units_before(from)..block.units_before(to);
            let holds = |unit: &usize| !block.text(*unit, unit + 1).trim().is_empty();
            let told = before.rsplit(' ').next().and_then(|count| count.parse().ok());
            if told != Some(units.filter(holds).count()) {
                lies.push(format!("{marker:?} for {:?}", text.get(from..to)));
            }
            continue;
        }
        // A marker at the end of a visible line replaces the lines below it.
        let line_end = text.get(from..).unwrap().find('\n').map_or(text.len(), |feed| from + feed + 1);
        let start = if from > 0 && !text.get(..from).unwrap().ends_with('\n') { line_end } else { from };
        // Each line of the marker accounts for some lines of the source.
        let all = text.get(start..to).unwrap();
        let mut hidden = all.split_inclusive('\n');
        let mut first = None;
        let truth = marker.split_inclusive('\n').all(|line| {
            let counted = count(line).map(|count| hidden.by_ref().take(count).map(str::len).sum::<usize>());
            first = first.or(counted);
            match line.split_once(" */ ") {
                Some((_, closer)) => hidden.next().map(str::trim) == Some(closer.trim()),
                None => counted.is_some() || hidden.next().is_some_and(|hidden| hidden.trim() == line.trim()),
            }
        });
        if !truth || hidden.next().is_some() {
            lies.push(format!("{marker:?} for {all:?}"));
        }
        let shown = from.saturating_sub(1);
        let holds = |item: &&crate::OutlineItem| {
            item.kind.defines() && item.range.start() <= shown && item.range.end() > start && from > 0
        };
        let own = outline.items.iter().rfind(holds).filter(|_| language.shape == Shape::Code);
        if let Some(own) = own
            && first.is_some_and(|first| start + first > own.range.end())
        {
            lies.push(format!("{marker:?} hides more than the body of its definition: {all:?}"));
        }
    }
    lies
}

/// The number of missing lines in one line of a marker.
fn count(marker: &str) -> Option<usize> {
    let (before, _) = marker.split_once(" line")?;
    before.rsplit([' ', '\t']).next()?.parse().ok()
}

/// The label of an outline, its source, and the outline, for another parser to check.
type Pair = (String, String, String);

/// The faults in the outlines of one text. Python outlines are also added to `python`.
fn faults(path: &str, language: &Language, text: &str, rounds: u64, python: &mut Vec<Pair>) -> Vec<String> {
    // A text that no grammar can read is outlined by its indentation.
    let Some(_) = outline(text, language, &Lines::new(text)) else { return Vec::new() };
    let Some((grammar, _)) = read(text, language) else { return Vec::new() };
    let Some(before) = errors(grammar, text) else { return Vec::new() };
    let passage = Passage::at(path).with_language(language.name);
    let words: Vec<&str> = text.split_whitespace().collect();
    let query = format!(
        "{} {}",
        words.get(words.len() / 3).unwrap_or(&""),
        words.get(words.len() / 2).unwrap_or(&"")
    );
    let context = Context::new(vec![Block::passage("x", passage, text)]).with_query(query);
    let counter: Arc<CharsPer> = Arc::new(CharsPer::new(4).unwrap());
    let measured = measure(&context, &*counter);
    let mut faults = Vec::new();
    let mut look = |what: &str, action: &Action| {
        let (outlined, markers) = shown(text, action);
        faults.extend(
            lies(&measured.blocks[0], language, action)
                .into_iter()
                .map(|lie| format!("{path}: {what}: {lie}")),
        );
        if language.name == "python" {
            python.push((format!("{path}: {what}"), text.to_owned(), outlined.clone()));
        }
        let is_json = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        if language.name == "json" && is_json(text) {
            let mut bare = outlined.clone();
            for marker in &markers {
                bare = bare.replacen(marker, "", 1);
            }
            if !bare.trim().is_empty() && !is_json(&bare) {
                faults.push(format!("{path}: {what}: no JSON"));
            }
        }
        let after = errors(grammar, &outlined);
        if after.is_none_or(|after| after > before) {
            faults.push(format!("{path}: {what}: {after:?} errors, {before} before"));
            if let Ok(folder) = env::var("CONTEXTFIT_FAULTS") {
                fs::write(Path::new(&folder).join(Path::new(path).file_name().unwrap()), &outlined).unwrap();
            }
        }
    };
    let pipeline = Pipeline::new(counter.clone()).with_strategy(Outlining::new());
    for percent in [5, 10, 25, 50, 80] {
        let budget = Tokens::new(text.len() / 4 * percent / 100);
        if let Some(plan) =
            pipeline.fit(&context, &Budget::new(budget)).ok().as_ref().and_then(|result| result.plan())
        {
            look(&format!("{percent} %"), &plan.steps[0].action);
        }
    }
    // Arbitrary choices of items.
    let pages = [OutlinePage::new(&measured.blocks[0], None)];
    let shelf = Shelf::new(&pages, &[Holder::default()]);
    for seed in 0..CHOICES * rounds {
        let mut selection = shelf.select(usize::MAX / 8);
        for part in 0..pages[0].parts.len() {
            match mixed(part as u64 + 1_000_003 * seed) % (8 << (seed % CHOICES)) {
                0 => shelf.show(&mut selection, (0, Some(part)), [], 0),
                1 => shelf.show(&mut selection, (0, Some(part)), pages[0].parts[part].rows.clone(), 0),
                2 => {
                    let all = divided(&pages[0], part);
                    let stretch = all.get(mixed(seed) as usize % all.len().max(1));
                    stretch.is_some_and(|stretch| {
                        shelf.show(&mut selection, (0, stretch.holder), stretch.all(), 0)
                    })
                }
                _ => false,
            };
        }
        if selection.is_open(0) {
            look(&format!("choice {seed}"), &pages[0].action(selection.shown(0), Tokens::ZERO));
        }
    }
    faults
}

/// Adds the files in a folder and its subfolders to `found`.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// The outlines that CPython does not compile although it compiles their sources. Empty, with a note on stderr, if
/// there is no `python3`.
fn refused(python: &[Pair]) -> Vec<String> {
    const SCRIPT: &str = "import ast, json, sys, warnings
warnings.simplefilter('ignore')
def compiles(text):
    try: ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError): return False
    return True
good, seen = {}, 0
for line in open(sys.argv[1], encoding='utf-8'):
    what, source, outline = json.loads(line)
    if source not in good: good[source] = compiles(source)
    seen += good[source]
    if good[source] and not compiles(outline): print(what)
print(seen, 'outlines compiled by CPython', file=sys.stderr)
";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pairs.jsonl");
    let lines: Vec<String> = python.iter().map(|pair| serde_json::to_string(pair).unwrap()).collect();
    fs::write(&path, lines.join("\n")).unwrap();
    match Command::new("python3").arg("-c").arg(SCRIPT).arg(&path).output() {
        Ok(output) => {
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            let refused = String::from_utf8_lossy(&output.stdout).into_owned();
            refused.lines().map(|what| format!("{what}: CPython does not compile it")).collect()
        }
        Err(_) => {
            eprintln!("no python3: outlines in Python were not compiled");
            Vec::new()
        }
    }
}

#[track_caller]
fn check_all(sources: impl Iterator<Item = (String, &'static Language, String)>, rounds: u64) {
    let mut counts: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    let mut all = Vec::new();
    let mut python = Vec::new();
    for (path, language, text) in sources {
        let found = faults(&path, language, &text, rounds, &mut python);
        let clean = read(&text, language).and_then(|(grammar, _)| errors(grammar, &text)) == Some(0);
        let count = counts.entry(language.name).or_default();
        count.0 += 1;
        count.1 += usize::from(clean);
        count.2 += usize::from(!found.is_empty());
        all.extend(found.into_iter().map(|fault| format!("{}{fault}", if clean { "" } else { "(broken) " })));
    }
    for (language, (files, clean, faulty)) in &counts {
        eprintln!("{language}: {files} files, {clean} without errors, {faulty} faulty");
    }
    all.extend(refused(&python));
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all[..all.len().min(12)].join("\n"));
}

/// Small sources whose outlines used to be faulty: a lone comment in a body, a block in a body, a separator after a
/// comment, code next to an error, several sentences on one line.
#[test]
fn outlines_of_what_has_failed_parse() {
    let sources = [
        (
            "python",
            "def f(a):\n    \"\"\"Doc.\"\"\"\n    # Alone.\n\n    if a:\n        return b\n\n    return c\n",
        ),
        (
            "markdown",
            "# A\n\nOne is here. Two is there. Three goes on\nand ends.\n\n\nFour is here. Five.\n\n## B\n\nSix.\n",
        ),
        ("cpp", "void f()\n{\n\t{\n\t\ta();\n\t}\n\tb();\n}\n"),
        ("javascript", "f({\n  a: 1\n  /* why\n   */,\n  b: 2,\n  c: 3\n});\n"),
        ("javascript", "f({\n  a: 1\n  // why\n  ,\n  b: 2\n  , c: 3\n});\n"),
        (
            "typescript",
            "declare const a: import('b').C<{\n    d?: ((e: F, g: {\n    }) => void) | undefined;\n    h?: (import('b').I & J<K<never, string>>) | undefined;\n    l?: import('b').M;\n} & import('b').N<import('./o').P>> & {\n    Q: import('b').R<import('./s').T>;\n};\nexport default a;\n",
        ),
    ];
    let named =
        |(name, text): (&str, &str)| (name.to_owned(), Language::named(name).unwrap(), text.to_owned());
    check_all(sources.into_iter().map(named), SMALL_SOURCE_ROUNDS);
}

/// Every file of the labelled code.
#[test]
fn outlines_of_the_data_parse() {
    let data = env::var("CONTEXTFIT_DATA")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into());
    let read = |name: &str| fs::read_to_string(Path::new(&data).join("code").join(name)).ok();
    let Some(rows) =
        ["dev.files.jsonl", "dev.localize.jsonl"].map(read).into_iter().collect::<Option<String>>()
    else {
        eprintln!("no data at {data}: set CONTEXTFIT_DATA to its location");
        return;
    };
    let rows = rows.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap());
    let sources = rows.filter_map(|row| {
        let language = Language::named(row["lang"].as_str()?)?;
        Some((row["path"].as_str()?.to_owned(), language, row["content"].as_str()?.to_owned()))
    });
    check_all(sources, 1);
}

/// Every file in the folder that `CONTEXTFIT_SOURCES` names, up to 500 of each language.
#[test]
fn outlines_of_other_sources_parse() {
    let Ok(folder) = env::var("CONTEXTFIT_SOURCES") else {
        eprintln!("CONTEXTFIT_SOURCES is not set to a folder of sources");
        return;
    };
    let mut paths = Vec::new();
    files(Path::new(&folder), &mut paths);
    paths.sort_by_key(|path| {
        mixed(
            path.as_os_str().len() as u64 * 7919
                + path
                    .as_os_str()
                    .as_encoded_bytes()
                    .iter()
                    .fold(0, |n, b| n * 31 % 1_000_007 + u64::from(*b)),
        )
    });
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let sources = paths.into_iter().filter_map(|path| {
        let label = path.to_str()?.to_owned();
        let language = Language::of_path(&label).filter(|language| grammar(language.name).is_some())?;
        let count = counts.entry(language.name).or_default();
        if *count >= FILES {
            return None;
        }
        let text = fs::read_to_string(&path)
            .ok()
            .filter(|text| text.len() <= LONGEST_FILE_BYTES && text.len() > 200)?;
        *count += 1;
        Some((label, language, text))
    });
    check_all(sources, 1);
}
