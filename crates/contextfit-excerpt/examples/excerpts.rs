//! Excerpts of tool outputs, measured.
//!
//! `excerpts speed log 100` generates 100 MB of output and cuts it to a fiftieth; the kinds are json, log, csv, grep,
//! prose, colours and repeats.
//! `excerpts values FILE 0.25` reads transcripts (`eval_points` with the values used later), cuts each tool output to a
//! quarter and reports how many of the values in it survive. With `SHOW` set, it prints the others.

#![allow(clippy::print_stdout, reason = "an example that prints figures")]

use std::{
    collections::{HashMap, HashSet},
    error::Error,
    fmt::Write,
    fs,
    time::Instant,
};

use contextfit_excerpt::excerpt;
use contextfit_kernel::{
    Block, ByteRange, Context, Framing, Layout, MeasuredBlock, Piece, Role, TokenCounter, Tokens, Turn,
};
use contextfit_pipeline::measure;
use contextfit_text::{CharsPer, text_kind, words};
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["values", path, share] => values(path, share.parse()?),
        ["speed", kind, megabytes] => speed(kind, megabytes.parse()?),
        _ => Err("excerpts values FILE SHARE | excerpts speed KIND MEGABYTES".into()),
    }
}

fn talk(text: String) -> Context {
    let framing = Framing { request: Tokens::ZERO, record: Tokens::ZERO };
    Context::new(vec![Block::turn("output", Turn::new(Role::Tool), text)])
        .with_layout(Layout::conversation(framing))
}

fn text_of(pieces: &[Piece], source: &str) -> String {
    pieces.iter().map(|piece| piece.text(source)).collect()
}

/// The focus of each unit: the words of `asked` in it, rare ones weighted higher.
fn focus(block: &MeasuredBlock<'_>, asked: &HashSet<String>) -> Vec<f64> {
    let shared = |n: usize| -> HashSet<String> {
        words(block.text(n, n + 1)).map(str::to_lowercase).filter(|word| asked.contains(word)).collect()
    };
    let shared: Vec<HashSet<String>> = (0..block.units().len()).map(shared).collect();
    let mut units: HashMap<&String, f64> = HashMap::new();
    for word in shared.iter().flatten() {
        *units.entry(word).or_default() += 1.0;
    }
    let rare = |word: &String| units.get(word).map_or(0.0, |units| 1.0 / units);
    shared.iter().map(|words| words.iter().map(rare).sum()).collect()
}

fn values(path: &str, share: f64) -> Result<(), Box<dyn Error>> {
    let Ok(lines) = fs::read_to_string(path) else {
        println!("{path} not found: nothing to measure");
        return Ok(());
    };
    let counter = CharsPer::new(4).ok_or("no counter")?;
    // All values, and those kept without a focus, with the words of the last message that is not an output, and by head
    // and tail.
    let (mut all, mut kept) = (0_usize, [0_usize; 3]);
    for line in lines.lines() {
        let run: Value = serde_json::from_str(line)?;
        let content = |n: usize| {
            run.pointer(&format!("/messages/{n}/content")).and_then(Value::as_str).unwrap_or_default()
        };
        let role = |n: usize| {
            run.pointer(&format!("/messages/{n}/role")).and_then(Value::as_str).unwrap_or_default()
        };
        let points = run.get("eval_points").and_then(Value::as_array).cloned().unwrap_or_default();
        let is_swe = path.contains("swe");
        for point in &points {
            let cut = point.get("cut").and_then(Value::as_u64).unwrap_or(0) as usize;
            let said = |n: &usize| role(*n) != "tool" && !content(*n).is_empty();
            let asked = (0..cut).rev().find(said).map(content).unwrap_or_default();
            let asked: HashSet<String> =
                words(asked).filter(|word| word.len() > 1).map(str::to_lowercase).collect();
            for gold in point.get("gold").and_then(Value::as_array).into_iter().flatten() {
                let value = gold.get("value").and_then(Value::as_str).unwrap_or_default();
                for seen in gold.get("seen_in").and_then(Value::as_array).into_iter().flatten() {
                    let seen = seen.as_u64().unwrap_or(0) as usize;
                    let is_output = role(seen) == "tool" || is_swe && role(seen) == "user" && seen > 1;
                    let text = content(seen);
                    if !is_output || !text.contains(value) || text.len() < 400 {
                        continue;
                    }
                    all += 1;
                    let context = talk(text.to_owned());
                    let input = measure(&context, &counter);
                    let Some(block) = input.blocks.first() else { continue };
                    let room = Tokens::new((counter.count(text).get() as f64 * share) as usize);
                    let whole = ByteRange::whole(text);
                    let plain = text_of(&excerpt(block, whole, &[], room, &counter), text);
                    let asking = text_of(&excerpt(block, whole, &focus(block, &asked), room, &counter), text);
                    let half = room.get() * 2;
                    let ends = [
                        text.get(..text.floor_char_boundary(half)),
                        text.get(text.floor_char_boundary(text.len() - half)..),
                    ];
                    let ends = ends.map(Option::unwrap_or_default).concat();
                    let found = [plain.contains(value), asking.contains(value), ends.contains(value)];
                    if std::env::var_os("SHOW").is_some() && !found.iter().take(2).all(|found| *found) {
                        println!("---- {value:?} {:?} {found:?}\n{plain}\n", text_kind(text));
                    }
                    for (kept, found) in kept.iter_mut().zip(found) {
                        *kept += usize::from(found);
                    }
                }
            }
        }
    }
    let [plain, asking, ends] = kept.map(|kept| kept as f64 / all as f64);
    println!(
        "{all} values in outputs, each cut to {share}: kept {plain:.3}, with a focus {asking:.3}, by head and tail {ends:.3}"
    );
    Ok(())
}

fn speed(kind: &str, megabytes: usize) -> Result<(), Box<dyn Error>> {
    let mut text = String::with_capacity(megabytes * 1_000_000 + 1_000);
    if kind == "json" {
        text.push('[');
    }
    let mut n = 0_usize;
    while text.len() < megabytes * 1_000_000 {
        match kind {
            "json" => write!(
                text,
                "{{\"id\": {n}, \"name\": \"user {n}\", \"tags\": [\"a{}\", \"b\"], \"at\": {{\"x\": {}, \"y\": 2}}}}, ",
                n % 7,
                n % 100
            )?,
            "log" if n % 5_000 == 17 => {
                writeln!(text, "2026-03-01 10:00:00 ERROR db: query {n} timed out\n  caused by: refused")?;
            }
            "log" => writeln!(
                text,
                "2026-03-01 10:{:02}:{:02} INFO http: GET /api/orders/{n} 200 {}ms",
                n / 60 % 60,
                n % 60,
                n % 90
            )?,
            "colours" => {
                write!(text, "\u{1b}[32m{}\u{1b}[0m %\r\u{1b}[32m100\u{1b}[0m % of part {n}\n", n % 99)?;
            }
            "repeats" => writeln!(text, "waiting for lock {}", n / 7)?,
            "csv" => writeln!(text, "{n},user {n},city {},{}", n % 50, n % 1_000)?,
            "grep" => {
                writeln!(text, "src/part_{}.rs:{}:    let value = read(&input[{n}])?;", n / 40, n % 40)?;
            }
            "prose" => {
                write!(text, "The booking number {n} was made on the third of May for two passengers. ")?;
            }
            _ => return Err("unknown kind: expected json, log, csv, grep, prose, colours or repeats".into()),
        }
        n += 1;
    }
    if kind == "json" {
        text.push_str("{}]");
    }
    let bytes = text.len() as f64 / 1e6;
    let counter = CharsPer::new(4).ok_or("no counter")?;
    let context = talk(text);
    let start = Instant::now();
    let input = measure(&context, &counter);
    let measured = start.elapsed().as_secs_f64();
    let block = input.blocks.first().ok_or("no block")?;
    let room = Tokens::new(block.tokens().get() / 50);
    let start = Instant::now();
    let pieces = excerpt(block, ByteRange::whole(&block.block().text), &[], room, &counter);
    let took = start.elapsed().as_secs_f64();
    let tokens = counter.count(&text_of(&pieces, &block.block().text));
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM: unknown");
    println!(
        "{kind} {bytes:.0} MB, {} units: measured at {:.0} MB/s, cut at {:.0} MB/s ({took:.3} s), {tokens} of {room} tokens, {} pieces, {peak}",
        block.units().len(),
        bytes / measured,
        bytes / took,
        pieces.len(),
    );
    Ok(())
}
