//! What holds for any input.

use contextfit_kernel::{Block, Context, Passage};
use contextfit_report::{Comparison, Fate, Quality};
use proptest::prelude::*;

use crate::{contexts::Case, page::page_of};

proptest! {
    #[test]
    fn any_text_can_be_evaluated_compared_and_shown(
        texts in prop::collection::vec(r#"([a-zA-Z_0-9 .,:;/@'"`<>&é語\n-]|Never |\PC){0,80}"#, 1..6),
        query in ".{0,20}",
        budgets in [40_usize..300, 40..300],
    ) {
        let blocks = texts.iter().enumerate().map(|(n, text)| Block::passage(n.to_string(), Passage::default(), text));
        let input = Context::new(blocks.collect()).with_query(query);
        let [a, b] = budgets.map(|budget| Case::fitted(input.clone(), "bm25", budget));
        let (a, b) = (a.compression(), b.compression());
        let quality = Quality::of(&a);
        prop_assert!(quality.fault.is_none());
        for (kind, loss) in quality.lost.each() {
            prop_assert!(loss.total <= loss.of && loss.names.len() <= loss.total, "{kind}");
        }
        prop_assert!(quality.repetition.said_again <= quality.repetition.dropped);
        if a.outcomes().iter().all(|outcome| outcome.fate == Fate::Kept) {
            prop_assert!(quality.lost.each().all(|(_, loss)| loss.total == 0));
        }
        let comparison = Comparison::of(&a, &b).unwrap();
        prop_assert_eq!(comparison.same_blocks + comparison.blocks.len(), texts.len());
        let turned = Comparison::of(&b, &a).unwrap();
        prop_assert_eq!(&comparison.lost_in_a, &turned.lost_in_b);
        prop_assert_eq!(comparison.source.only_a, turned.source.only_b);
    }
}

#[test]
fn the_same_result_gives_the_same_page() {
    let case = crate::contexts::conversation(400);
    assert_eq!(page_of(&case, "r"), page_of(&case, "r"));
}
