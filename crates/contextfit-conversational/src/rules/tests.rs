//! Rules of many kinds stand, ordinary talk does not.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "tests fail by panicking")]

use super::*;

fn said<'a>(block: usize, text: &'a str) -> Sentence<'a> {
    Sentence { block, range: ByteRange::whole(text), text, role: Role::User, name: None }
}

fn strength(text: &str) -> f64 {
    standing_rules(&[said(0, text)]).first().map_or(0.0, |rule| rule.strength)
}

#[test]
fn dump() {
    let Ok(path) = std::env::var("RULES_FILE") else { return };
    for line in std::fs::read_to_string(path).unwrap().lines() {
        println!("{:.2}\t{line}", strength(line));
    }
}
#[test]
fn dump_pairs() {
    let Ok(path) = std::env::var("PAIRS_FILE") else { return };
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let Some((a, b)) = line.split_once(" > ").or(line.split_once(" | ")) else { continue };
        let rules = standing_rules(&[said(0, a), said(1, b)]);
        println!(
            "{}\t{:?}\t{line}",
            rules.first().is_some_and(|r| r.replaced) == line.contains(" > "),
            rules.iter().map(|r| r.strength).collect::<Vec<_>>()
        );
    }
}
