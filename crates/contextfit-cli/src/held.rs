//! Explains why a request has no answer, in terms of flags: for instance what keeps a conversation from fitting, and what
//! would free it.

use contextfit::{
    formats::Held,
    presets::{FitError, HeldMessage},
};

use crate::{error::CliError, pins};

/// The most messages that an error lists.
const LISTED: usize = 3;

impl From<FitError> for CliError {
    fn from(error: FitError) -> Self {
        match error {
            FitError::MissingBudget => Self::MissingBudget,
            FitError::Fit(error) => Self::Fit(error),
            FitError::Held { needed, available, messages } => {
                Self::Held { needed, available, lines: lines(&messages) }
            }
            FitError::Pins(unmatched) => pins::unmatched(*unmatched),
            FitError::Model(error) => Self::Model(error),
            FitError::Counter(error) => Self::Counter(error),
            FitError::Embeddings(source) => Self::Embeddings(source),
            FitError::Json(source) => Self::Json(source),
            other => Self::Failed(other.to_string()),
        }
    }
}

/// A line for each of the largest `messages`: why it is kept, and what would free it.
fn lines(messages: &[HeldMessage]) -> Vec<String> {
    let mut lines: Vec<String> = messages.iter().take(LISTED).map(line).collect();
    match messages.len().saturating_sub(LISTED) {
        0 => {}
        1 => lines.push("and 1 smaller message".into()),
        more => lines.push(format!("and {more} smaller messages")),
    }
    lines
}

/// One message: its id, its tokens, and why it is kept.
fn line(HeldMessage { id, role, tokens, hold, why, .. }: &HeldMessage) -> String {
    let role = role.map_or("message", |role| role.name());
    let why = why.as_ref().map(self::why).unwrap_or_else(|| hold.name().to_owned());
    format!("message {id} ({role}): {tokens} tokens, {why}")
}

/// Why a message is kept, with the flag or request field that changes it.
fn why(held: &Held) -> String {
    match held {
        Held::UnknownRole(role) => format!("pinned because its role {role:?} is unknown"),
        Held::Instructions => {
            "pinned as instructions; --unpin-instructions (pins.instructions: false) lets it be cut".into()
        }
        Held::Index(index) => format!("pinned by --pin {index} (pins.indices)"),
        Held::Id(id) => format!("pinned by --pin-id {id} (pins.ids)"),
        Held::Tool(tool) => format!("pinned by --pin-tool {tool} (pins.tools)"),
        Held::Marker(text) => format!("pinned by --pin-text {text:?} (pins.markers)"),
        Held::PinnedUser => "pinned by --pin-last-user (pins.last_user)".into(),
        Held::LastUser => "the last user message, already cut as far as possible".into(),
        Held::Prefill => "the beginning of the answer, already cut as far as possible".into(),
        Held::Unread => {
            "a tool result that the model has not read yet, already cut as far as possible".into()
        }
        Held::With { id, held } => format!("in one group with message {id}: {}", why(held)),
        _ => "kept for the provider, which refers to it or needs it where it is".into(),
    }
}
