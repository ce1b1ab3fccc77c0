//! An agent loop in which the session is made to fit before every model call, including those inside the tool loop.
//!
//! The model and the tools are stand-ins, so that the example runs anywhere: `cargo run -p contextfit --example
//! agent_loop`

#![allow(
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "examples print to the terminal; a missing JSON field indexes as null"
)]

use std::sync::Arc;

use contextfit::{
    ContextCompressor, Tokens,
    chat::{Session, WaterMarks},
    counter, preset,
};
use serde_json::{Value, json};

/// Stand-in for a model: requests five readings, then answers.
fn model(request: &Value, step: usize) -> Value {
    let known = request["messages"].as_array().map_or(0, Vec::len);
    match step % 6 {
        5 => {
            json!({"role": "assistant", "content": format!("Read five stations ({known} messages in the prompt).")})
        }
        n => {
            json!({"role": "assistant", "content": null, "tool_calls": [{"id": format!("call_{step}"), "type": "function",
            "function": {"name": "read_station", "arguments": json!({"station": format!("ST-{n}{step}")}).to_string()}}]})
        }
    }
}

/// Stand-in for a tool with long output.
fn tool(call: &Value) -> Value {
    let readings: Vec<Value> = (0..60)
        .map(|hour| json!({"hour": hour, "level": 200 + hour * 7 % 40, "valid": hour % 9 != 0}))
        .collect();
    let content = json!({"station": call["function"]["arguments"], "readings": readings}).to_string();
    json!({"role": "tool", "tool_call_id": call["id"], "content": content})
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let counter = counter("o200k_base")?;
    let compressor: Arc<dyn ContextCompressor> = Arc::new(preset("auto", counter.clone())?);
    let body = json!({"model": "gpt-4o", "messages": [
        {"role": "system", "content": "You watch the level of a river. Report in centimetres."}]});
    let marks = WaterMarks::new(Tokens::new(6000), Tokens::new(2500))?;
    let mut session = Session::new(body, marks, counter.clone())?;

    let mut step = 0;
    for day in 1..=8 {
        let ask = format!("Day {day}: read the stations. Never report a reading that is not valid.");
        session.push(json!({"role": "user", "content": ask}))?;
        loop {
            // The key step: before each call, the request is shortened if it has grown too large.
            if let Some(done) = session.prepare(&*compressor).await? {
                println!(
                    "after {:>3} messages: {} -> {} tokens by {}, {} messages unchanged, {} tokens to read again",
                    done.after_messages,
                    done.tokens_before,
                    done.tokens_after,
                    done.strategy,
                    done.same_prefix,
                    done.tokens_changed
                );
            }
            let answer = model(session.request(), step);
            step += 1;
            session.push(answer.clone())?;
            let Some(calls) = answer["tool_calls"].as_array() else { break };
            for call in calls {
                session.push(tool(call))?;
            }
        }
    }
    println!("given {} messages, {} tokens now", session.given(), session.tokens());
    Ok(())
}
