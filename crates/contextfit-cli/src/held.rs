//! Explains what keeps a conversation from fitting, and what would free it.

use contextfit_formats::{ChatRequest, Held};
use contextfit_kernel::{Blocker, Context, Error};

use crate::error::CliError;

/// The most messages that an error lists.
const LISTED: usize = 3;

/// `error` with the largest messages that keep `request`, read as `input`, from fitting: why each is kept, and what
/// would free it.
pub(crate) fn explained(error: Error, request: &ChatRequest, input: &Context) -> CliError {
    let Error::Infeasible { needed, available, blockers } = error else { return error.into() };
    let mut lines: Vec<String> =
        blockers.iter().take(LISTED).map(|blocker| line(blocker, request, input)).collect();
    match blockers.len().saturating_sub(LISTED) {
        0 => {}
        1 => lines.push("and 1 smaller message".into()),
        more => lines.push(format!("and {more} smaller messages")),
    }
    CliError::Held { needed, available, lines }
}

/// One message: its id, its tokens, and why it is kept.
fn line(Blocker { id, tokens, hold }: &Blocker, request: &ChatRequest, input: &Context) -> String {
    let turn = input.blocks.iter().find(|block| block.id == *id).and_then(|block| block.as_turn());
    let role = turn.map_or("message", |turn| turn.role.name());
    let why = request.conversation.why_held(id, &request.pins).as_ref().map(why);
    let why = why.unwrap_or_else(|| hold.name().to_owned());
    format!("message {id} ({role}): {tokens} tokens, {why}")
}

/// Why a message is kept, with the flag or request field that changes it.
fn why(held: &Held) -> String {
    match held {
        Held::Instructions => {
            "pinned as instructions; --unpin-instructions (pins.instructions: false) lets it be cut".into()
        }
        Held::Index(index) => format!("pinned by --pin {index} (pins.indices)"),
        Held::Id(id) => format!("pinned by --pin-id {id} (pins.ids)"),
        Held::Tool(tool) => format!("pinned by --pin-tool {tool} (pins.tools)"),
        Held::Marker(text) => format!("pinned by --pin-text {text:?} (pins.markers)"),
        Held::PinnedUser => "pinned by --pin-last-user (pins.last_user)".into(),
        Held::LastUser => "the last user message, already cut as far as possible".into(),
        Held::Unread => {
            "a tool result that the model has not read yet, already cut as far as possible".into()
        }
        Held::With { id, held } => format!("in one group with message {id}: {}", why(held)),
        _ => "kept for the provider, which refers to it or needs it where it is".into(),
    }
}
