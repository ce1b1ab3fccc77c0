//! Nothing is left out, in conversations and in files.

use std::sync::Arc;

use contextfit_excerpt::{excerpt, lossless, unit_worths};
use contextfit_kernel::{
    Action, Block, Budget, ByteRange, Context, Error, Hold, Layout, Measured, Passage, Piece, Plan, Reason,
    Rewrite, Role, Step, Strategy, Tokens, Turn,
};
use contextfit_pipeline::{Pipeline, measure};
use contextfit_testkit::{DropAll, check_chain, check_conversation_chain, check_fit};
use contextfit_text::{CharsPer, has_controls, is_json};
use proptest::prelude::*;

use super::{config, shown, talk, text_of};

const TERMINAL: &str = "\u{1b}[1mBuild\u{1b}[0m\n 10 %\r 50 %\r100 %\nwaiting for a file lock\nwaiting for a file lock\nwaiting for a file lock\ndone\n";
const READ: &str = "Build\n100 %\nwaiting for a file lock [x3]\ndone\n";
const JSON: &str = "{\n  \"rate\": 6.17e-10,\n  \"name\": \"a  b\"\n}\n";

/// The rewritings of `text`, and the text they make.
fn made(text: &str) -> (Vec<Rewrite>, String) {
    let (context, counter) = (talk(text), CharsPer::new(4).unwrap());
    let input = measure(&context, &counter);
    let pieces = lossless(&input.blocks[0], ByteRange::whole(text));
    assert!(!pieces.iter().any(|piece| matches!(piece, Piece::Marker(_))), "nothing is missing");
    let rewrites = pieces.iter().filter_map(|piece| match piece {
        Piece::Rewritten { rewrite, .. } => Some(*rewrite),
        _ => None,
    });
    (rewrites.collect(), text_of(&pieces, text))
}

#[track_caller]
fn check(text: &str, rewrites: &[Rewrite], expect: &str) {
    assert_eq!(made(text), (rewrites.to_vec(), expect.to_owned()));
}

#[test]
fn texts() {
    use Rewrite::{JsonBlanks, Repeats, Terminal};
    check("", &[], "");
    check("plain\ntext\n", &[], "plain\ntext\n");
    check(TERMINAL, &[Terminal, Repeats], READ);
    check(JSON, &[JsonBlanks], "{\"rate\":6.17e-10,\"name\":\"a  b\"}\n");
    let frames = "  at Chain.apply(Chain.java:57)\n  at Chain.next(Chain.java:31)\n";
    let trace = format!("Error: no price\n{}  at Main.main(Main.java:12)\n", frames.repeat(3));
    let short = "Error: no price\n  at Chain.apply(Chain.java:57)\n  at Chain.next(Chain.java:31) [2 lines x3]\n  at Main.main(Main.java:12)\n";
    check(&trace, &[Repeats], short);
    check("{\"a\": 1}\n{\"a\": 2}\n", &[JsonBlanks], "{\"a\":1}\n{\"a\":2}\n");
    check("It waits here\nIt waits here\nIt waits here\n", &[Repeats], "It waits here [x3]\n");
    // A note is no good beside what reads like one.
    for note in ["[x900]", "[2 lines x3]", "［x９］", "[x9\u{1b}[0m00]"] {
        let imitated = format!("It waits here\nIt waits here\nIt waits here\nIt waits there {note}\n");
        let (_, made) = made(&imitated);
        assert!(made.contains("here\nIt waits here\nIt waits here\n"), "{made}");
    }
    // A few bytes are not worth a note, and neither code nor a patch has a place for one.
    check("a line\na line\n", &[], "a line\na line\n");
    let code =
        "use a::b;\n\nfn main() {\n    call_me_again();\n    call_me_again();\n    call_me_again();\n}\n";
    check(code, &[], code);
    // Old Mac line endings.
    check("one\rtwo\rthree", &[], "one\rtwo\rthree");
}

#[test]
fn what_fits_without_loss_is_whole() {
    let counter = CharsPer::new(1).unwrap();
    assert_eq!(shown(TERMINAL, &[], READ.len(), &counter), READ);
    let cut = shown(TERMINAL, &["Build"], READ.len() - 1, &counter);
    assert!(cut.contains("Build") && cut.contains("[... "), "{cut}");
    assert_eq!(shown(JSON, &[], 40, &counter), "{\"rate\":6.17e-10,\"name\":\"a  b\"}\n");
}

#[test]
fn errors_in_colour_are_errors() {
    let line = |n: usize| {
        format!("\u{1b}[2m2024-05-01 12:00:{:02}\u{1b}[0m \u{1b}[32mINFO\u{1b}[0m step {n}\n", n % 60)
    };
    let mut lines: Vec<String> = (0..80).map(line).collect();
    lines[40] =
        "\u{1b}[2m2024-05-01 12:00:40\u{1b}[0m \u{1b}[31mERROR\u{1b}[0m db: connection refused\n".into();
    let text = lines.concat();
    let counter = CharsPer::new(4).unwrap();
    let cut = shown(&text, &[], 60, &counter);
    assert!(cut.contains("12:00:40 ERROR db: connection refused\n"), "{cut}");
    let context = talk(&text);
    let input = measure(&context, &counter);
    let worths = unit_worths(&input.blocks[0], ByteRange::whole(&text));
    assert_eq!(worths.len(), 80);
    assert!(worths.iter().enumerate().all(|(n, worth)| n == 40 || *worth < worths[40]), "{worths:?}");
}

/// Shows every block rewritten, or an excerpt of it.
struct Shorter {
    cuts: bool,
}

impl Strategy for Shorter {
    fn name(&self) -> &'static str {
        "shorter"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let room = Tokens::new(room.get() / input.blocks.len().max(1));
        let steps = input.blocks.iter().zip(input.context.holds()).map(|(measured, hold)| {
            let block = measured.block();
            let plain = Turn::new(Role::Tool);
            let parts = block.as_turn().unwrap_or(&plain).ranges(&block.text);
            let pieces = parts.filter(|part| !part.is_empty()).flat_map(|part| match self.cuts {
                true => excerpt(measured, part, &[], room, input.counter),
                false => lossless(measured, part),
            });
            let action = match hold {
                Hold::Pinned => Action::Keep,
                _ if block.text.is_empty() || !block.level.shows_source() => Action::Keep,
                _ => Action::Cut { pieces: pieces.collect() },
            };
            Step::new(block.id.clone(), action, Reason::Fits)
        });
        Ok(Plan { strategy: self.name().into(), steps: steps.collect() })
    }
}

#[test]
fn every_invariant() {
    let then_nothing =
        |cuts: bool| -> [Arc<dyn Strategy>; 2] { [Arc::new(Shorter { cuts }), Arc::new(DropAll)] };
    check_chain(&then_nothing(true));
    check_conversation_chain(&then_nothing(true));
    check_conversation_chain(&then_nothing(false));
}

fn passage(text: &str) -> Block {
    let file = Passage::at("build.log");
    Block::passage("build.log", file, text)
}

fn pipeline() -> Pipeline {
    Pipeline::new(Arc::new(CharsPer::new(1).unwrap())).with_strategy(Shorter { cuts: false })
}

/// Checks a file and a message with `text` at `budget` tokens.
#[track_caller]
fn both_ways(text: &str, budget: usize) -> [String; 2] {
    [Context::new(vec![passage(text)]), talk(text)].map(|context| {
        check_fit(&pipeline(), &context, budget);
        pipeline().fit(&context, &Budget::new(Tokens::new(budget))).unwrap().text
    })
}

#[test]
fn files_and_conversations() {
    let [file, message] = both_ways(TERMINAL, 100);
    assert_eq!(message, READ);
    assert!(file.ends_with(READ), "{file}");
    let [file, message] = both_ways(JSON, 60);
    assert!(message.contains("6.17e-10") && file.ends_with(&message), "{file}");
    // A run of lines follows the number of its first line.
    let numbered = Layout::default().with_line_numbers(true);
    let context = Context::new(vec![passage(TERMINAL)]).with_layout(numbered);
    let text = pipeline().fit(&context, &Budget::new(Tokens::new(140))).unwrap().text;
    assert!(text.ends_with("1| Build\n2| 100 %\n3| waiting for a file lock [x3]\n6| done\n"), "{text}");
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_output(
        lines in prop::collection::vec(
            (
                prop_oneof![
                    "[a-z ]{0,30}",
                    "\u{1b}\\[3[0-9]m[a-z]{0,12}\u{1b}\\[0m [a-z]{0,12}",
                    "[0-9]{1,2} %\r[0-9]{2} %\r100 %",
                    Just("waiting for a file lock".to_owned()),
                    Just("{\"a\": [1, 2.50, \"x\"]}".to_owned()),
                ],
                1..5_usize,
            ),
            0..12,
        ),
        room in 0..300_usize,
    ) {
        let text: String = lines.iter().map(|(line, times)| format!("{line}\n").repeat(*times)).collect();
        let (_, made) = made(&text);
        prop_assert!(made.len() <= text.len());
        prop_assert!(is_json(&text) || !has_controls(&made));
        shown(&text, &["waiting"], room, &CharsPer::new(1).unwrap());
    }
}
