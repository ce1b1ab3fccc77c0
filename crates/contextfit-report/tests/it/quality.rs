//! What a compression lost, and what its output is made of.

use contextfit_kernel::{Action, Scorer};
use contextfit_report::{Loss, Quality};

use crate::contexts::{Case, conversation, documents, marker, source};

#[track_caller]
fn check(loss: &Loss, of: usize, lost: &[&str]) {
    let names: Vec<&str> = loss.names.iter().map(|lost| lost.name.as_str()).collect();
    assert_eq!((names.as_slice(), loss.total, loss.of), (lost, lost.len(), of));
}

#[test]
fn losses_have_names() {
    let case = documents();
    let lost = Quality::of(&case.compression()).lost;
    check(&lost.identifiers, 2, &["retry_count", "8080-tcp"]);
    check(&lost.numbers, 2, &["8443"]);
    check(&lost.quotations, 1, &["8080-tcp"]);
    // "Never raise it." is said by another document.
    check(&lost.instructions, 3, &["Ask retry_count first.", "Use port 8443."]);
    check(&lost.query_words, 2, &["port", "server"]);
    assert_eq!(lost.identifiers.names[0].block, "b.md");
}

#[test]
fn what_the_output_is_made_of() {
    let case = documents();
    let quality = Quality::of(&case.compression());
    let output = quality.output;
    assert_eq!((output.whole, output.markers, output.descriptions, output.parts), (29 + 24, 16, 4, 0));
    assert!((output.share_whole() - 53.0 / 57.0).abs() < 1e-9);
    // Of what was dropped, "Never raise it." and "Colours vary." are said elsewhere.
    assert_eq!(quality.repetition.said_again, " Never raise it.".len() + " Colours vary.".len());
    assert!(quality.repetition.share().unwrap() < 0.5);
    assert_eq!(quality.transcript, None);
}

#[test]
fn within_the_budget_nothing_is_lost() {
    let case = Case::fitted(documents().input, "bm25", 10_000);
    let quality = Quality::of(&case.compression());
    assert!(quality.lost.each().all(|(_, loss)| loss.total == 0));
    assert_eq!((quality.repetition.share(), quality.output.share_whole()), (None, 1.0));
}

#[test]
fn conversations_say_whether_calls_are_paired() {
    let case = conversation(400);
    let compression = case.compression();
    let quality = Quality::of(&compression);
    let calls = quality.transcript.unwrap();
    assert!(calls.paired && calls.calls_before == 1, "{calls:?}");
    assert_eq!(quality.fault, None);
    insta::assert_json_snapshot!(quality);
}

#[test]
fn a_plan_that_is_not_valid_is_a_fault() {
    let actions = vec![Action::Cut { pieces: vec![source(2, 9), marker()] }];
    let case = Case::by_hand(&[("a", "One sentence. And another.")], actions, "");
    let quality = Quality::of(&case.compression());
    assert!(quality.fault.unwrap().contains("a"));
    assert_eq!((quality.output.whole, quality.output.parts), (0, 7));
}

/// Two texts are as near as the share of characters of the shorter one that they begin with in common.
struct Beginnings;

impl Scorer for Beginnings {
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
        let near = |text: &&str| {
            let same = query.chars().zip(text.chars()).take_while(|(a, b)| a == b).count();
            f64::from(u32::try_from(same).unwrap()) / f64::from(u32::try_from(query.len()).unwrap())
        };
        texts.iter().map(near).collect()
    }
}

#[test]
fn with_a_model_the_output_is_compared_by_meaning() {
    let nearness = |actions| {
        let case = Case::by_hand(&[("a", "One sentence. "), ("b", "Another one.")], actions, "");
        let compression = case.compression();
        Quality::of(&compression).with_nearness(&compression, &Beginnings).nearness
    };
    assert_eq!(nearness(vec![Action::Drop, Action::Drop]), None);
    let half = nearness(vec![Action::Keep, Action::Drop]).unwrap();
    assert!((half - 0.5).abs() < 1e-9, "{half}");
}
