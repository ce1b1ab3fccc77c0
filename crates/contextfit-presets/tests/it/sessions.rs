//! Sessions by a fitter: within the high mark as a request is counted that comes from elsewhere.

use contextfit_formats::{Conversation, Pins, Session, WaterMarks};
use contextfit_kernel::Tokens;
use contextfit_pipeline::measure;
use contextfit_presets::{CompressionStrategy, Counting, Fitter};
use serde_json::json;

#[test]
fn a_record_counts_with_its_heading_and_labels() {
    for strategy in CompressionStrategy::CHAT {
        let mut fitter = Fitter::new(Counting::new(None, None).unwrap());
        fitter.conversations = strategy;
        let counter = fitter.counting.counter.clone();
        for high in [60, 90, 300] {
            let request = json!([{"role": "system", "content": "Be brief."}]);
            let marks = WaterMarks::half_of(Tokens::new(high));
            let mut session = Session::new(request, marks, counter.clone()).unwrap();
            for n in 0..40 {
                let role = if n % 2 == 0 { "user" } else { "assistant" };
                let text = format!("Message {n}. {}", "alpha beta. ".repeat(n % 5));
                session.push(json!({"role": role, "content": text})).unwrap();
                if fitter.prepare(&mut session).is_err() {
                    continue;
                }
                let request = Conversation::parse(session.request().clone()).unwrap();
                let sent = measure(&request.context(&*counter, &Pins::none()), &counter).tokens;
                assert!(sent <= session.tokens(), "{strategy} {high} {n}: {sent} {}", session.tokens());
                assert!(sent <= Tokens::new(high), "{strategy} {high} {n}: {sent}");
            }
        }
    }
}
