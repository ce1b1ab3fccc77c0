//! Lossless rewriting: never longer, nothing lost, and the source comes back.

#![no_main]

use contextfit_kernel::Rewrite;
use contextfit_text::{is_json, repeated, rewritten, says_the_same};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

const ALL: [Rewrite; 3] = [Rewrite::Terminal, Rewrite::JsonBlanks, Rewrite::Repeats];

/// The JSON values in `text`; `None` if one of them is too large or too deep for `serde_json`.
fn values(text: &str) -> Option<Vec<Value>> {
    serde_json::Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().ok()
}

fuzz_target!(|source: &str| {
    for rewrite in ALL {
        let Some(text) = rewritten(rewrite, source) else { continue };
        assert!(text.len() <= source.len() && text != source, "{rewrite:?}");
        assert!(says_the_same(rewrite, source, &text), "{rewrite:?}: {text:?}");
        match rewrite {
            Rewrite::JsonBlanks if is_json(source) => assert_eq!(values(&text), values(source)),
            Rewrite::Repeats => {
                let (group, times) = repeated(&text).unwrap();
                let feed = if source.ends_with("\r\n") { "\r\n" } else { "\n" };
                assert_eq!(vec![group; times].join(feed), source.strip_suffix(feed).unwrap_or(source));
            }
            _ => {}
        }
    }
});
