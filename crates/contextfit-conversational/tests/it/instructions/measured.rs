//! Measured on sentences written for it: half of them chose cues and weights, the other half was held back.

use contextfit_kernel::Role;

use super::{find, strength};

const PLANTED: &str = include_str!("planted.txt");
const FILLER: &str = include_str!("filler.txt");
const REPLACED: &str = include_str!("replaced.txt");

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The share of the planted instructions of a half (0 chose, 1 held back) that are at least so strong.
fn recall(half: usize, least: f64) -> f64 {
    let planted: Vec<&str> = lines(PLANTED).skip(half).step_by(2).collect();
    planted.iter().filter(|line| strength(line) >= least).count() as f64 / planted.len() as f64
}

/// Sentences of ordinary talk that are at least so strong, of a thousand.
fn false_alarms(least: f64) -> f64 {
    let filler: Vec<&str> = lines(FILLER).collect();
    filler.iter().filter(|line| strength(line) >= least).count() as f64 * 1000.0 / filler.len() as f64
}

/// Of pairs that replace, how many are found; of pairs that do not, how many are taken for it.
fn replacing(half: usize) -> (usize, usize, usize, usize) {
    let (mut found, mut all, mut wrong, mut apart) = (0, 0, 0, 0);
    for line in lines(REPLACED).skip(half).step_by(2) {
        let (earlier, later, replaces) = match line.split_once(" > ") {
            Some((earlier, later)) => (earlier, later, true),
            None => line.split_once(" | ").map(|(earlier, later)| (earlier, later, false)).unwrap(),
        };
        let mut talk = vec![(Role::User, earlier)];
        talk.extend(lines(FILLER).take(8).map(|line| (Role::User, line)));
        talk.push((Role::User, later));
        let instructions = find(&talk);
        let is_replaced =
            instructions.iter().any(|(instruction, _)| instruction.block == 0 && !instruction.stands());
        all += usize::from(replaces);
        found += usize::from(replaces && is_replaced);
        apart += usize::from(!replaces);
        wrong += usize::from(!replaces && is_replaced);
        if replaces != is_replaced && std::env::var_os("SHOW").is_some() && half == 0 {
            println!("pair {line}");
        }
    }
    (found, all, wrong, apart)
}

#[test]
fn figures() {
    for half in [0, 1] {
        for least in [0.3, 0.4, 0.5, 0.6, 0.8] {
            println!("half {half} recall at {least}: {:.3}", recall(half, least));
        }
        println!("half {half} replaced {:?}", replacing(half));
    }
    for least in [0.3, 0.4, 0.5, 0.6, 0.8] {
        println!("false alarms at {least}: {:.1}", false_alarms(least));
    }
    if std::env::var_os("SHOW").is_some() {
        for line in lines(PLANTED).step_by(2).filter(|line| strength(line) < 0.6) {
            println!("weak {:.2} {line}", strength(line));
        }
        for line in lines(FILLER).filter(|line| strength(line) >= 0.3) {
            println!("strong {:.2} {line}", strength(line));
        }
    }
}
