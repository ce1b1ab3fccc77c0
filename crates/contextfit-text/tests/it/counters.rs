//! Every counter this build has.

use contextfit_kernel::TokenCounter;
use contextfit_text::CharsPer;

pub(crate) fn all() -> Vec<Box<dyn TokenCounter>> {
    let mut counters: Vec<Box<dyn TokenCounter>> = Vec::new();
    for n in [1, 4] {
        counters.push(Box::new(CharsPer::new(n).unwrap()));
    }
    #[cfg(feature = "tiktoken")]
    for counter in [contextfit_text::Tiktoken::o200k_base(), contextfit_text::Tiktoken::cl100k_base()] {
        counters.push(Box::new(counter));
    }
    counters
}
