//! Two compressions of one input.

use contextfit_kernel::{Action, Block, Context, Passage};
use contextfit_report::{Comparison, Fate, Losses};

use crate::contexts::{Case, marker, source};

const BLOCKS: [(&str, &str); 3] =
    [("a", "The port is 8443. Use tls_only."), ("b", "Ask A-7731. Then stop."), ("c", "Third.")];

fn case(actions: [Action; 3]) -> Case {
    Case::by_hand(&BLOCKS, actions.into(), "")
}

fn first_sentence(end: usize) -> Action {
    Action::Cut { pieces: vec![source(0, end), marker()] }
}

#[test]
fn blocks_shown_differently_are_named() {
    let a = case([first_sentence(17), Action::Keep, Action::Drop]);
    let b = case([Action::Keep, first_sentence(11), Action::Drop]);
    let comparison = Comparison::of(&a.compression(), &b.compression()).unwrap();
    let fates: Vec<_> = comparison.blocks.iter().map(|of| (of.number, of.a.fate, of.b.fate)).collect();
    assert_eq!(fates, [(1, Fate::Cut, Fate::Kept), (2, Fate::Kept, Fate::Cut)]);
    assert_eq!((comparison.same_blocks, comparison.same_query), (1, true));
    assert_eq!((comparison.source.both, comparison.source.only_a, comparison.source.only_b), (28, 11, 14));
    let names = |lost: &Losses| -> Vec<String> {
        lost.each().flat_map(|(_, loss)| loss.names.iter().map(|lost| lost.name.clone())).collect()
    };
    assert_eq!(names(&comparison.lost_in_a), ["tls_only", "Use tls_only."]);
    assert_eq!(names(&comparison.lost_in_b), ["Then stop."]);
}

#[test]
fn the_same_twice_does_not_differ() {
    let a = case([first_sentence(17), Action::Keep, Action::Drop]);
    let comparison = Comparison::of(&a.compression(), &a.compression()).unwrap();
    assert_eq!((comparison.blocks.len(), comparison.same_blocks), (0, 3));
}

#[test]
fn inputs_must_be_the_same() {
    let check = |blocks: &[(&str, &str)], expect: &str| {
        let made = blocks.iter().map(|(id, text)| Block::passage(*id, Passage::default(), *text));
        let other = Case::fitted(Context::new(made.collect()), "bm25", 1_000);
        let a = case([Action::Keep, Action::Keep, Action::Keep]);
        let error = Comparison::of(&a.compression(), &other.compression()).unwrap_err();
        assert_eq!(error.to_string(), expect);
    };
    check(&[("a", "")], "the inputs differ: A has 3 blocks, B has 1");
    check(&[BLOCKS[0], ("x", ""), BLOCKS[2]], "the inputs differ: block 2 is \"b\" in A and \"x\" in B");
    check(&[BLOCKS[0], BLOCKS[1], ("c", "3.")], "the inputs differ: block 3, \"c\", has another text in B");
}
