//! Honest results are verified, and no corruption of one is.

use contextfit_kernel::{Action, Budget, CompressionResult, Context, Piece, Plan, Tokens};
use contextfit_pipeline::{Claim, verify};
use contextfit_presets::preset;
use contextfit_testkit::{arbitrary_context, arbitrary_conversation};
use proptest::prelude::*;

use crate::counter;

/// The result of `auto`; `None` if the context cannot fit.
fn fitted(context: &Context, budget: &Budget) -> Option<CompressionResult> {
    preset("auto", counter()).unwrap().fit(context, budget).ok()
}

/// Asserts that the result is verified, and that corruptions at the place `lot` are not.
fn check(context: &Context, tokens: usize, lot: usize) {
    let budget = Budget::new(tokens);
    let Some(result) = fitted(context, &budget) else { return };
    let counter = counter();
    let honest = Claim::from(&result);
    let refuted = |claim: Claim<'_>, budget: &Budget| verify(context, &claim, budget, &*counter).is_err();
    assert_eq!(verify(context, &honest, &budget, &*counter), Ok(()));
    // Without them, it would depend on the units how many tokens a report claims for a block.
    assert!(honest.plan.is_none_or(|plan| plan.steps.iter().all(|step| step.tokens.is_some())));

    assert!(refuted(Claim { tokens: honest.tokens + Tokens::new(1), ..honest }, &budget));
    if let Some(less) = honest.tokens.checked_sub(Tokens::new(1)) {
        assert!(refuted(Claim { tokens: less, ..honest }, &budget));
        assert!(refuted(honest, &Budget::new(less)));
    }
    let places: Vec<(usize, char)> = result.text.char_indices().collect();
    if let Some((at, c)) = places.get(lot % places.len().max(1)).copied() {
        let (head, tail) = (&result.text[..at], &result.text[at + c.len_utf8()..]);
        let other = if c == 'x' { 'y' } else { 'x' };
        for text in [format!("{head}{tail}"), format!("{head}{other}{tail}"), format!("{head}{c}{c}{tail}")] {
            assert!(refuted(Claim { text: &text, ..honest }, &budget), "{text:?}");
        }
    }
    for plan in result.plan().map(|plan| corrupted(plan, lot)).unwrap_or_default() {
        assert!(refuted(Claim { plan: Some(&plan), ..honest }, &budget), "{plan:?}");
    }
}

/// Plans that differ from `plan` in one marker, or in one step.
fn corrupted(plan: &Plan, lot: usize) -> Vec<Plan> {
    let mut plans = Vec::new();
    let mut change = |change: &dyn Fn(&mut Plan) -> bool| {
        let mut other = plan.clone();
        plans.extend(change(&mut other).then_some(other));
    };
    change(&|plan| {
        let mut markers = plan.steps.iter_mut().flat_map(|step| match &mut step.action {
            Action::Cut { pieces } => pieces.as_mut_slice(),
            _ => &mut [],
        });
        let marker = markers.find_map(|piece| match piece {
            Piece::Marker(text) => Some(text),
            _ => None,
        });
        marker.map(|text| text.push('9')).is_some()
    });
    change(&|plan| {
        let at = lot % plan.steps.len().max(1);
        plan.steps.get_mut(at).map(|step| step.id.push('~')).is_some()
    });
    change(&|plan| plan.steps.pop().is_some());
    plans
}

proptest! {
    #[test]
    fn passages(context in arbitrary_context(), tokens in 0..600_usize, lot: usize) {
        check(&context, tokens, lot);
    }

    #[test]
    fn conversations(context in arbitrary_conversation(), tokens in 0..900_usize, lot: usize) {
        check(&context, tokens, lot);
    }
}
