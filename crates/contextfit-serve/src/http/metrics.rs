//! Figures for Prometheus.

use std::{sync::Arc, time::Duration};

use axum::{extract::State, http::header, response::IntoResponse};
use contextfit::kernel::Tokens;
use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::{Registry, Unit},
};

use super::Service;

/// The upper ends of the buckets for durations.
const SECONDS: [f64; 10] = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Failure {
    route: &'static str,
    code: &'static str,
}

/// What the server has done since it started.
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<Route, Counter>,
    failures: Family<Failure, Counter>,
    before: Family<Route, Counter>,
    after: Family<Route, Counter>,
    seconds: Family<Route, Histogram>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("contextfit");
        let (requests, failures) = (Family::default(), Family::default());
        let (before, after) = (Family::default(), Family::default());
        let seconds = Family::<Route, Histogram>::new_with_constructor(|| Histogram::new(SECONDS));
        registry.register("requests", "Requests", Family::clone(&requests));
        registry.register("failures", "Requests that failed, by code", Family::clone(&failures));
        registry.register("tokens_before", "Tokens of what was to be shortened", Family::clone(&before));
        registry.register("tokens_after", "Tokens of the answers", Family::clone(&after));
        let help = "Time from the whole request to its answer";
        registry.register_with_unit("request_duration", help, Unit::Seconds, Family::clone(&seconds));
        Self { registry, requests, failures, before, after, seconds }
    }
}

impl Metrics {
    /// Counts a request to `route`.
    pub(super) fn answered(&self, route: &'static str, took: Duration) {
        self.requests.get_or_create(&Route { route }).inc();
        self.seconds.get_or_create(&Route { route }).observe(took.as_secs_f64());
    }

    /// Counts the tokens of a request and its answer.
    pub(super) fn tokens(&self, route: &'static str, before: Tokens, after: Tokens) {
        self.before.get_or_create(&Route { route }).inc_by(before.get() as u64);
        self.after.get_or_create(&Route { route }).inc_by(after.get() as u64);
    }

    /// Counts a failure.
    pub(super) fn failed(&self, route: &'static str, code: &'static str) {
        self.failures.get_or_create(&Failure { route, code }).inc();
    }
}

/// All figures.
pub(super) async fn show(State(service): State<Arc<Service>>) -> impl IntoResponse {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = encode(&mut text, &service.metrics.registry);
    ([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text)
}
