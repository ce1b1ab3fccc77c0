//! Plans that break the contract are refused, each for its reason.

use contextfit_kernel::{
    Action, Block, ByteRange, Context, Framing, Hold, InvalidPlan, Layout, Level, Part, Passage, Piece, Plan,
    Reason, Rewrite, Role, Step, Tokens, Turn,
};
use contextfit_pipeline::{check_plan, measure};
use contextfit_text::CharsPer;

fn context() -> Context {
    let code = Passage::default().with_language("rust");
    let block = |id: &str| Block::passage(id, code.clone(), "one\ntwo\nthree\n");
    Context::new(vec![block("a").with_pinned(), block("b").with_group("g"), block("c").with_group("g")])
}

fn source(start: usize, end: usize) -> Piece {
    Piece::Source(ByteRange::new(start, end).unwrap())
}

fn marker() -> Piece {
    Piece::Marker("// ...\n".into())
}

/// Checks a plan that keeps "a" and does `action` to "b" and "c".
#[track_caller]
fn check(action: Action, expect: Option<InvalidPlan>) {
    let step = |id: &str, action: &Action| Step::new(id, action.clone(), Reason::Fits);
    check_steps(vec![step("a", &Action::Keep), step("b", &action), step("c", &action)], expect);
}

#[track_caller]
fn check_steps(steps: Vec<Step>, expect: Option<InvalidPlan>) {
    check_in(&context(), steps, expect);
}

#[track_caller]
fn check_in(context: &Context, steps: Vec<Step>, expect: Option<InvalidPlan>) {
    let counter = CharsPer::new(1).unwrap();
    let plan = Plan { strategy: "test".into(), steps };
    assert_eq!(check_plan(&measure(context, &counter), &plan).err(), expect);
}

#[test]
fn cuts() {
    let range = |start, end| Some(InvalidPlan::Range { id: "b".into(), start, end });
    let cut = |pieces: Vec<Piece>| Action::Cut { pieces };
    check(cut(vec![source(0, 4), marker(), source(8, 14)]), None);
    check(cut(vec![marker(), source(4, 8), marker()]), None);
    check(cut(vec![source(0, 14)]), None);
    check(cut(vec![source(0, 4), source(4, 14)]), None);
    // A line is whole without its line feed, which is then part of a gap.
    check(cut(vec![source(0, 3), marker()]), None);
    check(cut(vec![source(0, 3), marker(), source(4, 14)]), None);
    check(cut(vec![source(0, 3), source(4, 14)]), Some(InvalidPlan::UnmarkedGap("b".into())));
    check(cut(vec![source(0, 3), source(3, 14)]), range(3, 14));
    check(cut(vec![source(0, 2), marker()]), range(0, 2));
    check(cut(vec![source(4, 8), marker(), source(0, 4)]), Some(InvalidPlan::UnmarkedGap("b".into())));
    check(cut(vec![marker(), source(4, 8), marker(), source(0, 4)]), range(0, 4));
    check(cut(vec![marker(), source(8, 14), source(14, 99)]), range(14, 99));
    check(cut(vec![source(0, 4), source(8, 14)]), Some(InvalidPlan::UnmarkedGap("b".into())));
    check(cut(vec![source(0, 4)]), Some(InvalidPlan::UnmarkedGap("b".into())));
    check(cut(vec![]), Some(InvalidPlan::UnmarkedGap("b".into())));
}

#[test]
fn levels() {
    let render = |level| Action::Render { level, text: "a gist".into() };
    check(render(Level::Gist), None);
    check(render(Level::Reference), None);
    check(render(Level::Extract), Some(InvalidPlan::Level("b".into())));
    check(Action::Drop, None);
}

#[test]
fn pins_groups_and_order() {
    let step = |id: &str, action| Step::new(id, action, Reason::Fits);
    let keep = |id: &str| step(id, Action::Keep);
    check_steps(vec![step("a", Action::Drop), keep("b"), keep("c")], Some(InvalidPlan::Pinned("a".into())));
    check_steps(vec![keep("a"), step("b", Action::Drop), keep("c")], Some(InvalidPlan::Group("g".into())));
    // A block is held as firmly as the firmest of its group.
    let gist = || Action::Render { level: Level::Gist, text: "a gist".into() };
    let cut = || Action::Cut { pieces: vec![marker()] };
    let pinned = Some(InvalidPlan::Pinned("b".into()));
    let shown = Some(InvalidPlan::Shown("b".into()));
    for (hold, action, fault) in [
        (Hold::Free, gist(), None),
        (Hold::Free, Action::Drop, None),
        (Hold::Shown, Action::Keep, None),
        (Hold::Shown, cut(), None),
        (Hold::Shown, gist(), shown.clone()),
        (Hold::Shown, Action::Drop, shown),
        (Hold::Pinned, Action::Keep, None),
        (Hold::Pinned, cut(), pinned.clone()),
        (Hold::Pinned, Action::Drop, pinned),
    ] {
        let mut context = context();
        context.blocks[2].hold = hold;
        let other = if hold == Hold::Pinned { Action::Keep } else { action.clone() };
        check_in(&context, vec![keep("a"), step("b", action), step("c", other)], fault);
    }
    check_steps(vec![keep("a"), keep("b")], Some(InvalidPlan::Steps { steps: 2, blocks: 3 }));
    let swapped = InvalidPlan::Order { at: 1, expected: "b".into(), found: "c".into() };
    check_steps(vec![keep("a"), keep("c"), keep("b")], Some(swapped));
}

#[test]
fn rewritten_pieces() {
    let turn = |text: &str| {
        let framing = Framing { request: Tokens::ZERO, record: Tokens::ZERO };
        let part = |start, end| Part::new(ByteRange::new(start, end).unwrap(), None);
        let parts = vec![part(0, 12), part(12, text.len())];
        let block = Block::turn("b", Turn::new(Role::Tool).with_parts(parts), text);
        Context::new(vec![block]).with_layout(Layout::conversation(framing))
    };
    let context = turn("\u{1b}[1mOne\u{1b}[0m\nIt waits.\nIt waits.\n{\"a\": 1}\n");
    let rewritten = |start, end, text: &str, rewrite| Piece::Rewritten {
        range: ByteRange::new(start, end).unwrap(),
        text: text.into(),
        rewrite,
    };
    let check = |pieces: Vec<Piece>, expect| {
        check_in(&context, vec![Step::new("b", Action::Cut { pieces }, Reason::Fits)], expect);
    };
    let fault = |start, end| Some(InvalidPlan::Rewritten { id: "b".into(), start, end });
    let one = || rewritten(0, 12, "One\n", Rewrite::Terminal);
    let run = |text: &str| rewritten(12, 32, text, Rewrite::Repeats);
    let rest = || source(32, 41);
    check(vec![one(), run("It waits. [x2]\n"), rest()], None);
    check(vec![one(), marker(), rest()], None);
    check(vec![one(), run("It waits. [x3]\n"), rest()], fault(12, 32));
    check(vec![one(), run("It waits.\n"), rest()], fault(12, 32));
    check(vec![rewritten(0, 12, "two\n", Rewrite::Terminal), marker()], fault(0, 12));
    check(vec![rewritten(0, 12, "One\n", Rewrite::Repeats), marker()], fault(0, 12));
    check(vec![one(), rewritten(12, 22, "It waits.\n", Rewrite::Terminal), marker()], fault(12, 22));
    check(
        vec![marker(), rewritten(32, 41, "{\"a\":1}\n", Rewrite::JsonBlanks)],
        Some(InvalidPlan::UnmarkedGap("b".into())),
    );
    check(vec![marker(), marker(), rewritten(32, 41, "{\"a\":1}\n", Rewrite::JsonBlanks)], None);
    check(vec![marker(), marker(), rewritten(32, 41, "{\"a\":2}\n", Rewrite::JsonBlanks)], fault(32, 41));
    // Between unit borders, in order, within one part.
    let range = |start, end| Some(InvalidPlan::Range { id: "b".into(), start, end });
    check(vec![rewritten(0, 9, "One", Rewrite::Terminal), marker()], range(0, 9));
    check(vec![one(), run("It waits. [x2]\n"), one(), rest()], range(0, 12));
    check(vec![rewritten(0, 22, "One\nIt waits.\n", Rewrite::Terminal), source(22, 41)], fault(0, 22));
    check(vec![one(), rest()], Some(InvalidPlan::UnmarkedGap("b".into())));
}
