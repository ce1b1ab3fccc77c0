//! `serve`: a server over HTTP.

use std::{
    env, fs, io,
    net::{SocketAddr, ToSocketAddrs},
    panic,
    path::PathBuf,
    time::Duration,
};

use clap::{ValueHint, value_parser};
use contextfit_serve::http::{HttpOptions, router, serve};
use tokio::{net::TcpListener, runtime::Builder};

use crate::{
    args::{CountingArgs, FitArgs},
    config::TOKEN,
    console,
    error::CliError,
    folders,
    settings::Settings,
    summary::counted,
};

/// The seconds of a day.
const DAY: u64 = 24 * 60 * 60;

/// The flags of `serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  contextfit serve
  CONTEXTFIT_TOKEN=... contextfit serve --listen 0.0.0.0:8787 --host contextfit.internal
  curl -s localhost:8787/v1/excerpt -d '{\"text\": \"...\", \"budget\": 1000}'

POST /v1/search, /v1/chat, /v1/memory and /v1/excerpt take the JSON of the command line, one request a call. POST \
/v1/compress and GET /v1/retrieve/HASH are what gateways call as their sidecar. GET /healthz, GET /metrics. Nothing of a \
request is logged. Beyond this machine, a token is needed. docs/agents.md describes it all.")]
pub(crate) struct ServeArgs {
    /// Address and port to listen at
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8787", value_parser = address)]
    listen: SocketAddr,
    /// A name under which others call this server; may be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// File with the token that requests must bear, instead of the variable CONTEXTFIT_TOKEN
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    token_file: Option<PathBuf>,
    /// Days to keep the originals of what a gateway had shortened; at most 1 GB of them, the newest
    #[arg(long, value_name = "DAYS", default_value_t = 7, value_parser = value_parser!(u64).range(1..))]
    keep: u64,
    /// Folder of these originals [default: contextfit/originals in $XDG_STATE_HOME or ~/.local/state]
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    originals: Option<PathBuf>,
    /// Configuration file, as for files and search; `none` for no file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    config: Option<PathBuf>,
    #[command(flatten)]
    counting: CountingArgs,
}

pub(crate) fn run(args: &ServeArgs) -> Result<(), CliError> {
    let flags =
        FitArgs { config: args.config.clone(), counting: args.counting.clone(), ..FitArgs::default() };
    let settings = Settings::resolve(&flags)?;
    let options = options(args)?;
    // The message of a panic may hold a text.
    panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(String::new, |place| format!(" at {place}"));
        console::problem(format!("contextfit failed{place}; this is a fault of ours"));
    }));
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| CliError::Failed(format!("cannot start: {error}")))?;
    let tokenizer = settings.fitter.counting.tokenizer().to_owned();
    runtime.block_on(async {
        let failed = |error| CliError::Failed(format!("cannot listen at {}: {error}", args.listen));
        let listener = TcpListener::bind(args.listen).await.map_err(failed)?;
        let at = listener.local_addr().map_err(failed)?;
        // Whoever reads the line may stop the server at once.
        let stopped = stopped().map_err(failed)?;
        console::note(format!(
            "listening at http://{at} ({tokenizer}); originals in {}, for {}",
            options.originals.display(),
            counted(usize::try_from(args.keep).unwrap_or(usize::MAX), "day", "days")
        ));
        serve(listener, router(settings.fitter, options), stopped).await.map_err(failed)
    })
}

/// The address that `text` names, such as `localhost:8787`.
fn address(text: &str) -> Result<SocketAddr, String> {
    let found = text.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| "expected an address and a port, such as 127.0.0.1:8787".into())
}

/// What the flags say.
///
/// # Errors
/// [`CliError::Usage`] if others can call the server without a token, or originals have no folder.
fn options(args: &ServeArgs) -> Result<HttpOptions, CliError> {
    let token = match &args.token_file {
        Some(path) => Some(
            fs::read_to_string(path)
                .map_err(|source| CliError::Read { path: path.display().to_string(), source })?,
        ),
        None => env::var(TOKEN).ok(),
    };
    let token = token.map(|token| token.trim().to_owned()).filter(|token| !token.is_empty());
    let address = args.listen.ip();
    if token.is_none() && (args.token_file.is_some() || !address.is_loopback()) {
        return Err(CliError::Usage(format!(
            "no token, and others may call {}: set {TOKEN} or --token-file, or listen at 127.0.0.1",
            args.listen
        )));
    }
    let originals = args.originals.clone().or_else(|| Some(folders::state()?.join("originals")));
    let originals = originals
        .ok_or_else(|| folders::missing("folder for originals", "XDG_STATE_HOME", "give --originals"))?;
    if originals.exists() && !originals.is_dir() {
        return Err(CliError::Usage(format!(
            "{} is a file; expected a folder for originals",
            originals.display()
        )));
    }
    let mut hosts = args.host.clone();
    hosts.extend((!address.is_unspecified()).then(|| address.to_string()));
    let options = HttpOptions::new(originals)
        .with_keep(Duration::from_secs(args.keep.saturating_mul(DAY)))
        .with_hosts(hosts);
    Ok(match token {
        Some(token) => options.with_token(token),
        None => options,
    })
}

/// Waits until somebody stops the process. Signals count from the call on, not from the first wait.
///
/// # Errors
/// If the system does not let this process wait for signals.
fn stopped() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};

        let (mut terminated, mut interrupted) =
            (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        Ok(async move {
            tokio::select! {
                _ = terminated.recv() => {}
                _ = interrupted.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
