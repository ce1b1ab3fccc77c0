//! A server over HTTP.
//!
//! | route | request | answer |
//! |---|---|---|
//! | `POST /v1/search`, `/v1/chat`, `/v1/memory`, `/v1/excerpt` | the JSON of the command line | its answer, or `{"id", "error": {"code", "message"}}` |
//! | `POST /v1/compress` | messages, as gateways send them to their sidecar | the same messages with shorter outputs of tools |
//! | `GET /v1/retrieve/{hash}` | | `{"original_content"}`, or 404 |
//! | `GET /healthz` | | `ok` |
//! | `GET /metrics` | | figures for Prometheus |
//!
//! Nothing of a request is logged.

mod endpoints;
mod guard;
mod metrics;
mod sidecar;

use std::{fmt, io, path::PathBuf, sync::Arc, thread, time::Duration};

use axum::{
    Router,
    extract::{DefaultBodyLimit, Request},
    http::StatusCode,
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use contextfit::presets::Fitter;
use tokio::{
    net::TcpListener,
    sync::{Semaphore, oneshot},
    time::{sleep, timeout},
};

use self::{endpoints::ENDPOINTS, guard::Guard, metrics::Metrics, sidecar::Sidecar};
use crate::SavedOutputs;

/// The most bytes of a request, if nothing else is said.
const USUAL_BODY_BYTES: usize = 64 << 20;

/// The most bytes of originals.
const KEPT_BYTES: u64 = 1_000_000_000;

/// How long originals are kept, if nothing else is said.
const USUAL_KEEP: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How long a request may take, its body included: as long as gateways wait.
const LONGEST: Duration = Duration::from_secs(60);

/// How long requests that have begun may take once the server is told to end.
const LONGEST_DRAIN: Duration = Duration::from_secs(10);

/// How a server answers. The token is not among what is printed for debugging.
#[derive(Clone)]
#[non_exhaustive]
pub struct HttpOptions {
    /// The folder of the originals that a gateway may retrieve.
    pub originals: PathBuf,
    /// How long originals are kept; at most 1 GB of them, the newest.
    pub keep: Duration,
    /// The token that requests must bear: `Authorization: Bearer TOKEN`.
    pub token: Option<String>,
    /// The names under which the server may be called, besides `localhost` and the addresses of this machine for itself.
    pub hosts: Vec<String>,
    /// The most bytes of a request.
    pub body_bytes: usize,
}

impl fmt::Debug for HttpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { originals, keep, hosts, body_bytes, token: _ } = self;
        f.debug_struct("HttpOptions")
            .field("originals", originals)
            .field("keep", keep)
            .field("hosts", hosts)
            .field("body_bytes", body_bytes)
            .finish_non_exhaustive()
    }
}

impl HttpOptions {
    /// The usual options, with this folder for originals. It need not exist.
    #[must_use]
    pub fn new(originals: impl Into<PathBuf>) -> Self {
        Self {
            originals: originals.into(),
            keep: USUAL_KEEP,
            token: None,
            hosts: Vec::new(),
            body_bytes: USUAL_BODY_BYTES,
        }
    }
}

contextfit::kernel::setters! {
    HttpOptions {
        with_keep(keep: Duration), with_token(token: impl Into<String> => some), with_hosts(hosts: Vec<String>),
        with_body_bytes(body_bytes: usize),
    }
}

/// What all requests share.
struct Service {
    fitter: Fitter,
    sidecar: Sidecar,
    metrics: Metrics,
    /// Fitting keeps a core busy, so more requests at a time would only make each of them slower.
    cores: Semaphore,
}

/// The routes of a server that answers with `fitter`.
///
/// ```no_run
/// use contextfit_serve::{contextfit::{Counting, Fitter}, http::{HttpOptions, router, serve}, tokio};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8787").await?;
/// let router = router(Fitter::new(Counting::new(None, None)?), HttpOptions::new("/var/lib/contextfit"));
/// serve(listener, router, std::future::pending()).await?;
/// # Ok(())
/// # }
/// ```
pub fn router(fitter: Fitter, options: HttpOptions) -> Router {
    let HttpOptions { originals, keep, token, hosts, body_bytes } = options;
    let saved = SavedOutputs::new(originals).with_bytes(KEPT_BYTES).with_age(keep);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let service = Arc::new(Service {
        fitter,
        sidecar: Sidecar::new(saved),
        metrics: Metrics::default(),
        cores: Semaphore::new(cores),
    });
    let guard = Arc::new(Guard::new(token, hosts));
    let mut router = Router::new();
    for endpoint in ENDPOINTS {
        let answer = move |service, body| endpoints::answer(service, endpoint, body);
        router = router.route(endpoint.0, post(answer));
    }
    router
        .route(sidecar::COMPRESS, post(sidecar::compress))
        .route("/v1/retrieve/{hash}", get(sidecar::retrieve))
        .route("/metrics", get(metrics::show))
        .route("/healthz", get(|| async { "ok\n" }))
        .fallback(|| async { (StatusCode::NOT_FOUND, "no such route; docs/agents.md lists them\n") })
        .layer(DefaultBodyLimit::max(body_bytes))
        .layer(middleware::from_fn(in_time))
        .layer(middleware::from_fn_with_state(guard, guard::check))
        .with_state(service)
}

/// Answers the requests that come to `listener`, until `shutdown` is done; then those that have begun are finished, for at
/// most ten seconds.
///
/// # Errors
/// If the listener fails.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let (tell, told) = oneshot::channel();
    let graceful = axum::serve(listener, router).with_graceful_shutdown(async move {
        shutdown.await;
        // Nobody listens any more if the listener failed.
        let _ = tell.send(());
    });
    let late = async {
        let _ = told.await;
        sleep(LONGEST_DRAIN).await;
    };
    tokio::select! {
        done = graceful => done,
        () = late => Ok(()),
    }
}

/// Ends a request that takes too long, for instance because its body does not end.
async fn in_time(request: Request, next: Next) -> Response {
    let late = || (StatusCode::REQUEST_TIMEOUT, "the request took too long\n").into_response();
    timeout(LONGEST, next.run(request)).await.unwrap_or_else(|_| late())
}

impl Service {
    /// Does `work` on a thread of its own. `None` if it panicked.
    async fn on_a_core<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Option<T> {
        // Nobody closes it.
        let _core = self.cores.acquire().await.ok()?;
        let service = Arc::clone(self);
        tokio::task::spawn_blocking(move || work(&service)).await.ok()
    }
}
