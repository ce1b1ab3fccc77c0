//! A selection's promises: its price is that of a recount, a step that does not fit leaves no trace, and the room holds.

use contextfit_packing::{Holder, Ledger, Need, Node, Relation, Selection, With};
use proptest::prelude::*;

/// The cost of what is shown, counted from scratch.
fn recount(ledger: &Ledger, holders: &[Holder], selection: &Selection<'_>) -> usize {
    let cost = |(n, holder): (usize, &Holder)| {
        if !selection.is_open(n) {
            return if selection.group_is_open(n) { holder.stand_in } else { 0 };
        }
        let rows = ledger.rows(n);
        let gaps = selection.shown(n).chunk_by(|a, b| a == b).filter(|run| !run[0]).count();
        let taken = rows.filter(|&row| selection.is_taken(row));
        holder.opening + gaps * holder.marker + taken.map(|row| ledger.cost(&(row..row + 1))).sum::<usize>()
    };
    holders.iter().enumerate().map(cost).sum()
}

/// What is shown, and the room left.
fn state(ledger: &Ledger, selection: &Selection<'_>) -> (usize, Vec<bool>, Vec<bool>) {
    let open = (0..30).map(|n| selection.is_open(n)).collect();
    (selection.left(), (0..ledger.len()).map(|row| selection.is_taken(row)).collect(), open)
}

fn holder() -> impl Strategy<Value = (Holder, Vec<(usize, f64)>)> {
    let group = prop::option::of(0_usize..3);
    let costs = (0_usize..20, 0_usize..9, 0_usize..12, 0_usize..5, group);
    let rows = prop::collection::vec((0_usize..30, (0..9).prop_map(f64::from)), 0..12);
    (costs, rows).prop_map(|((opening, marker, between, stand_in, group), rows)| {
        (Holder { opening, marker, between, stand_in, group }, rows)
    })
}

fn node() -> impl Strategy<Value = Node> {
    prop_oneof![4 => (0_usize..40).prop_map(Node::Row), 1 => (0_usize..6).prop_map(Node::Holder)]
}

fn need() -> impl Strategy<Value = Need> {
    let rows = (0_usize..40, 0_usize..4).prop_map(|(start, len)| start..start + len);
    prop_oneof![
        rows.clone().prop_map(Need::All),
        rows.prop_map(Need::One),
        (0_usize..6).prop_map(Need::Holder)
    ]
}

fn with() -> impl Strategy<Value = With> {
    prop_oneof![4 => Just(With::All), 1 => Just(With::Each), 1 => Just(With::Direct), 1 => Just(With::Nothing)]
}

proptest! {
    #[test]
    fn the_books_are_in_order(
        holders in prop::collection::vec(holder(), 1..6),
        needs in prop::collection::vec((node(), need()), 0..24),
        steps in prop::collection::vec((prop::collection::vec(node(), 1..5), with(), 0_usize..40, any::<bool>()), 1..30),
        room in 0_usize..500,
    ) {
        let mut ledger = Ledger::default();
        for (holder, rows) in &holders {
            ledger.hold(*holder, rows.iter().copied());
        }
        let holders: Vec<Holder> = holders.into_iter().map(|(holder, _)| holder).collect();
        let relation: Relation = needs.iter().cloned().collect();
        let mut selection = Selection::new(&ledger, &relation, room);
        let all_needed = steps.iter().all(|(_, with, _, gives_back)| *with == With::All && !gives_back);
        for (asked, with, reserve, gives_back) in steps {
            let before = state(&ledger, &selection);
            let took = selection.take(asked.iter().copied(), with, reserve);
            if took && gives_back {
                selection.give_back();
            }
            if !took || gives_back {
                prop_assert_eq!(&before, &state(&ledger, &selection));
            } else {
                prop_assert!(selection.left() >= reserve);
                for node in asked {
                    let is_shown = match node {
                        Node::Row(row) => selection.is_taken(row) || row >= ledger.len(),
                        Node::Holder(n) => selection.is_open(n) || n >= holders.len(),
                    };
                    prop_assert!(is_shown);
                }
            }
            prop_assert_eq!(selection.left() + recount(&ledger, &holders, &selection), room);
        }
        let is_taken = |row: usize| selection.is_taken(row) || row >= ledger.len();
        for (node, need) in needs.into_iter().filter(|_| all_needed) {
            let is_shown = match node {
                Node::Row(row) => selection.is_taken(row),
                Node::Holder(n) => selection.is_open(n),
            };
            let is_met = match need {
                Need::All(mut rows) => rows.all(is_taken),
                Need::One(mut rows) => rows.is_empty() || rows.any(is_taken),
                Need::Holder(n) => selection.is_open(n) || n >= holders.len(),
            };
            prop_assert!(!is_shown || is_met);
        }
        for n in 0..holders.len() {
            // Showing a run instead of single rows never costs more.
            let rows = ledger.rows(n);
            let shown: usize = selection.runs(n).iter().map(ExactSizeIterator::len).sum();
            prop_assert!(shown >= rows.filter(|&row| selection.is_taken(row)).count());
        }
    }
}

#[test]
fn gaps_are_paid_for_and_paid_back() {
    let mut ledger = Ledger::default();
    ledger.hold(Holder { marker: 4, ..Holder::default() }, [(10, 0.0); 10]);
    let relation = Relation::default();
    let check = |steps: &[(usize, usize)], runs: &[(usize, usize)], left: usize| {
        let mut selection = Selection::new(&ledger, &relation, 104);
        for &(from, to) in steps {
            assert!(selection.take((from..to).map(Node::Row), With::All, 0));
        }
        assert_eq!(selection.left(), left);
        assert!(selection.runs(0).into_iter().map(|run| (run.start, run.end)).eq(runs.iter().copied()));
    };
    check(&[], &[], 104);
    check(&[(0, 3)], &[(0, 3)], 70);
    check(&[(0, 3), (7, 10)], &[(0, 3), (7, 10)], 40);
    check(&[(4, 5)], &[(4, 5)], 86);
    check(&[(4, 5), (5, 6)], &[(4, 6)], 76);
    check(&[(0, 4), (5, 10), (4, 5)], &[(0, 10)], 4);
    check(&[(0, 3), (1, 4)], &[(0, 4)], 60);
}

#[test]
fn what_is_shown_along() {
    let mut ledger = Ledger::default();
    let holder = Holder { opening: 5, marker: 4, between: 3, stand_in: 1, group: Some(0) };
    ledger.hold(holder, [(2, 0.0), (2, 0.0), (2, 0.0), (9, 1.0), (2, 2.0)]);
    ledger.hold(Holder { group: None, ..holder }, [(6, 0.0), (6, 3.0), (6, 3.0)]);
    let relation = [(Node::Row(3), Need::Holder(1)), (Node::Holder(1), Need::One(5..8))];
    let relation = Relation::from_iter(relation);
    let check = |steps: &[(usize, With)], taken: &[usize]| {
        let mut selection = Selection::new(&ledger, &relation, 1000);
        assert!(steps.iter().all(|(row, with)| selection.take([Node::Row(*row)], *with, 0)));
        assert_eq!((0..8).filter(|&row| selection.is_taken(row)).collect::<Vec<_>>(), taken);
    };
    check(&[(0, With::All), (2, With::All)], &[0, 1, 2]);
    check(&[(2, With::All), (4, With::All)], &[2, 4]);
    check(&[(3, With::All)], &[3, 6]);
    check(&[(3, With::Nothing)], &[3]);
    check(&[(5, With::Nothing)], &[5]);
    let mut selection = Selection::new(&ledger, &relation, 1000).with_most(0);
    assert!(selection.take([Node::Row(3)], With::All, 0));
}

/// A chain of 100,000 rows, each needing the one before it, in a room for half of them: no attempt walks all of it.
#[test]
fn long_chains_are_given_up() {
    let mut ledger = Ledger::default();
    ledger.hold(Holder { marker: 4, ..Holder::default() }, std::iter::repeat_n((1, 0.0), 100_000));
    let relation: Relation = (1..100_000).map(|row| (Node::Row(row), Need::All(row - 1..row))).collect();
    let mut selection = Selection::new(&ledger, &relation, 50_000).with_most(64);
    let taken = (0..100_000).rev().filter(|&row| selection.take([Node::Row(row)], With::All, 0)).count();
    assert_eq!(taken, 65);
    let mut selection = Selection::new(&ledger, &relation, 50_000).with_most(64);
    let taken = (0..100_000).filter(|&row| selection.take([Node::Row(row)], With::All, 0)).count();
    assert_eq!((taken, selection.left()), (49_996, 0));
}
