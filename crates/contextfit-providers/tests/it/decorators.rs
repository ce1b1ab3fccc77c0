//! Retries, limits and meters, on a clock that only advances when everything waits.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use contextfit_kernel::{CompletionRequest, EmbeddingProvider, LlmProvider, ProviderError, Tokens};
use contextfit_providers::{Concurrent, DeadlineExceeded, Metered, RateLimited, Retry, RetryPolicy};
use contextfit_testkit::check_llm;
use contextfit_text::{CharsPer, Prices};
use futures_util::future::join_all;
use tokio::time::Instant;

use crate::scripted::{Act, Scripted};

const FAIL: Act = Act::Fail { retryable: true, wait: None };

fn fail_after(wait: Duration) -> Act {
    Act::Fail { retryable: true, wait: Some(wait) }
}

fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

fn request() -> CompletionRequest {
    CompletionRequest::new("be brief", "some text", Tokens::new(10))
}

/// Runs the script; returns the result and the times of the calls.
async fn ask(script: Vec<Act>, policy: RetryPolicy) -> (Result<String, ProviderError>, Vec<u128>) {
    let scripted = Arc::new(Scripted::new(script));
    let start = Instant::now();
    let result = Retry::new(Arc::clone(&scripted), policy).complete(&request()).await;
    assert!(start.elapsed() <= policy.deadline, "the deadline holds");
    (result.map(|answer| answer.text), scripted.times(start))
}

#[tokio::test(start_paused = true)]
async fn retries_back_off_with_jitter() {
    let (result, times) = ask(vec![FAIL, FAIL, FAIL], RetryPolicy::default()).await;
    assert_eq!(result.unwrap(), "fine");
    assert_eq!(times.len(), 4);
    for (n, pair) in times.windows(2).enumerate() {
        let (delay, least) = (pair[1] - pair[0], 500 << n);
        assert!((least..=2 * least + 2).contains(&delay), "delay {n} is {delay} ms");
    }
}

#[tokio::test(start_paused = true)]
async fn retries_wait_as_long_as_the_provider_asks() {
    let (result, times) =
        ask(vec![fail_after(seconds(7)), fail_after(seconds(0))], RetryPolicy::default()).await;
    assert_eq!(result.unwrap(), "fine");
    assert!((7_000..7_010).contains(&times[1]), "{times:?}");
    assert!(times[2] - times[1] >= 1_000, "no sooner than the back-off: {times:?}");
}

#[tokio::test(start_paused = true)]
async fn retries_end_with_the_attempts_the_deadline_or_a_final_error() {
    let (result, times) = ask((0..9).map(|_| FAIL).collect(), RetryPolicy::default()).await;
    assert_eq!((result.unwrap_err().status, times.len()), (Some(429), 4));

    let once = RetryPolicy::default().with_attempts(0);
    let (result, times) = ask(vec![FAIL], once).await;
    assert!(result.is_err() && times.len() == 1);

    let (result, times) = ask(vec![Act::Fail { retryable: false, wait: None }], RetryPolicy::default()).await;
    assert!(result.is_err() && times.len() == 1, "a retry that cannot help is not tried");

    // Waiting longer than the time left would only waste it.
    let start = Instant::now();
    let (result, times) = ask(vec![fail_after(seconds(600))], RetryPolicy::default()).await;
    assert!(result.unwrap_err().retryable && times.len() == 1 && start.elapsed() < seconds(1));
}

#[tokio::test(start_paused = true)]
async fn a_stalled_provider_ends_at_the_deadline() {
    let (result, times) = ask(vec![FAIL, Act::Stall], RetryPolicy::default()).await;
    let error = result.unwrap_err();
    let exceeded: &DeadlineExceeded = error.source.downcast_ref().unwrap();
    assert_eq!((exceeded.attempt, exceeded.deadline, times.len()), (2, seconds(180), 2));
    assert!(exceeded.last.is_some() && !error.retryable);
}

#[tokio::test(start_paused = true)]
async fn no_minute_has_more_requests_than_the_limit() {
    let scripted = Arc::new(Scripted::default());
    let limited = RateLimited::new(Arc::clone(&scripted), 10);
    let (start, request) = (Instant::now(), request());
    join_all((0..35).map(|_| limited.complete(&request))).await;
    let times = scripted.times(start);
    assert_eq!(times.len(), 35);
    for window in times.windows(11) {
        assert!(window[10] - window[0] >= 60_000, "{times:?}");
    }
    assert!(start.elapsed() < seconds(181), "and takes no longer than necessary");
}

#[tokio::test(start_paused = true)]
async fn no_minute_has_more_tokens_than_the_limit() {
    let scripted = Arc::new(Scripted::default());
    let counter = Arc::new(CharsPer::new(1).unwrap());
    let limited = RateLimited::new(Arc::clone(&scripted), 1_000).with_tokens(100, counter);
    let start = Instant::now();
    let of = |n: usize| CompletionRequest::new("", "x".repeat(n), Tokens::new(10));
    for n in [30, 30, 30, 400, 10] {
        limited.complete(&of(n)).await.unwrap();
    }
    let seconds: Vec<u128> = scripted.times(start).iter().map(|ms| ms / 1_000).collect();
    // Two of 40, the third a minute after the first; the giant alone, with nothing alongside.
    assert_eq!(seconds, [0, 0, 60, 120, 180]);
}

#[tokio::test(start_paused = true)]
async fn a_bounded_number_of_calls_run_at_a_time() {
    let scripted = Arc::new(Scripted { takes: seconds(1), ..Scripted::default() });
    let bounded = Concurrent::new(Arc::clone(&scripted), 3);
    let (start, request) = (Instant::now(), request());
    join_all((0..9).map(|_| bounded.complete(&request))).await;
    assert_eq!((scripted.most.load(Ordering::SeqCst), start.elapsed().as_secs()), (3, 3));
    // Dropped calls free their slot.
    for _ in 0..5 {
        let dropped = tokio::time::timeout(Duration::from_millis(1), bounded.complete(&request)).await;
        assert!(dropped.is_err());
    }
    bounded.complete(&request).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_meter_counts_tokens_money_and_failures() {
    let script = vec![Act::Report("ok", 20, 100), FAIL, Act::Say("four"), Act::Stall];
    let metered = Metered::new(Scripted::new(script))
        .with_prices(Prices::new(2_000_000, None, 8_000_000))
        .with_counter(Arc::new(CharsPer::new(1).unwrap()));
    for _ in 0..3 {
        let _ = metered.complete(&request()).await;
    }
    assert!(tokio::time::timeout(seconds(1), metered.complete(&request())).await.is_err());
    metered.embed(&["abc", "de"]).await.unwrap();
    let shown = metered.metering();
    assert_eq!((shown.calls, shown.failures, shown.cancelled, shown.unreported), (4, 1, 1, 2));
    // 17 characters of the request, 4 of the answer, 5 embedded.
    assert_eq!((shown.usage.input, shown.usage.output), (Tokens::new(42), Tokens::new(104)));
    assert_eq!(shown.cost.unwrap().to_string(), "$0.000916");
    assert_eq!(shown.factor.answers(), 1);
}

#[tokio::test(start_paused = true)]
async fn decorators_compose_and_keep_the_contract() {
    let provider: Box<dyn LlmProvider> = Box::new(Scripted::new([FAIL, FAIL]));
    let provider = Retry::new(
        Concurrent::new(RateLimited::new(Metered::new(provider), 1_000), 2),
        RetryPolicy::default(),
    );
    assert_eq!(provider.model(), "scripted");
    check_llm(&provider).await;
    let embedder = Retry::new(
        Concurrent::new(RateLimited::new(Metered::new(Scripted::new([FAIL])), 60), 2),
        RetryPolicy::default(),
    );
    assert_eq!(embedder.embed(&["a", "bc"]).await.unwrap(), [[1.0], [2.0]]);
}
