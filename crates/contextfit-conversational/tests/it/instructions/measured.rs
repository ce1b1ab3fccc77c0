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

/// Of pairs that replace, how many are found of how many; of those that do not, how many are taken for it of how many.
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
    }
    (found, all, wrong, apart)
}

#[test]
fn recall_of_planted_instructions() {
    for (half, least, expect) in [(0, 0.6, 0.84), (0, 0.4, 0.96), (1, 0.6, 0.77), (1, 0.4, 0.9)] {
        let recall = recall(half, least);
        assert!(recall >= expect, "half {half}: {recall:.3} at {least}");
    }
}

#[test]
fn false_alarms_in_ordinary_talk() {
    for (least, expect) in [(0.6, 25.0), (0.4, 60.0)] {
        let alarms = false_alarms(least);
        assert!(alarms <= expect, "{alarms:.1} of a thousand at {least}");
    }
}

#[test]
fn replaced_and_kept_apart() {
    for (half, expect) in [(0, 18), (1, 14)] {
        let (found, all, wrong, apart) = replacing(half);
        assert!(found >= expect && wrong == 0, "half {half}: {found} of {all}, {wrong} of {apart} wrongly");
    }
}
