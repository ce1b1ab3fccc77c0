//! The prompt.

use contextfit_kernel::{CompletionRequest, Tokens};
use contextfit_text::Fence;

/// Changing the words below changes answers, and so invalidates cached ones.
pub(super) const VERSION: &str = "1";

/// The request for `texts`, each with its target length in tokens.
pub(super) fn request(fence: &Fence, texts: &[(&str, Tokens)], max_tokens: Tokens) -> CompletionRequest {
    let bare: Vec<&str> = texts.iter().map(|(text, _)| *text).collect();
    let targets: Vec<String> =
        texts.iter().enumerate().map(|(n, (_, tokens))| format!("text {}: {tokens} tokens", n + 1)).collect();
    let form = match texts {
        [_] => "Answer with the shorter text alone: no introduction, no comment.".to_owned(),
        _ => "Answer with the shorter texts alone, each between the same two lines as the text it is made from, in the \
              same order."
            .to_owned(),
    };
    let instructions = format!(
        "You shorten excerpts of code and documents for a reader who has a question about them. Keep every signature \
         (functions, methods, types) exactly as it is written, and keep names, numbers, paths, conditions and errors. \
         Leave out what is repeated, obvious or decorative; say in few words what a body does. Add nothing that the text \
         does not say.\n{}\n{form}\nAim at: {}.",
        fence.explanation(),
        targets.join("; "),
    );
    CompletionRequest::new(instructions, fence.enclose(&bare), max_tokens)
}
