//! A server of the [Model Context Protocol](https://modelcontextprotocol.io), on standard input and output.
//!
//! It speaks the versions 2025-06-18, 2025-11-25 and 2026-07-28. The tools are the application's: [`Tools`]. This is the
//! only place that knows the SDK.

use std::{
    borrow::Cow,
    collections::HashMap,
    io,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
        ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, Tool,
        ToolAnnotations,
    },
    service::{NotificationContext, RequestContext},
    transport::stdio,
};
use serde_json::{Value, json};
use tokio::{
    sync::{Mutex, Semaphore},
    task::{JoinHandle, spawn_blocking},
    time::timeout,
};
use url::Url;

/// How long a call may take. The work goes on after it, so that the next call finds more of it done.
const LONGEST: Duration = Duration::from_secs(10);

/// How long a late answer is kept for a call that comes again. Files may have changed after that.
const LATEST: Duration = Duration::from_secs(120);

/// How long a client may take to name its folders.
const LONGEST_ROOTS: Duration = Duration::from_secs(2);

/// The versions of the protocol, the newest last.
const VERSIONS: [ProtocolVersion; 3] =
    [ProtocolVersion::V_2025_06_18, ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28];

/// The arguments of the tool `search_code`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchCode {
    /// What the caller wants to know.
    pub query: String,
    /// The file or folder to search; everything without one.
    pub path: Option<String>,
    /// Tokens to spend.
    pub budget: Option<usize>,
}

/// The arguments of the tool `restore`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Restore {
    /// The handle of a marker, or the path of a saved output.
    pub handle: String,
    /// The first line, from 1.
    pub from: Option<usize>,
    /// The last line.
    pub to: Option<usize>,
    /// A regular expression that lines must match.
    pub grep: Option<String>,
}

/// What the server does. Calls come on threads of their own, and may come at once. An error is a text for the caller: what
/// was wrong, and what to do.
pub trait Tools: Send + Sync + 'static {
    /// The code that answers a question.
    ///
    /// # Errors
    /// A message for the caller.
    fn search_code(&self, call: &SearchCode) -> Result<String, String>;

    /// An original, or part of it.
    ///
    /// # Errors
    /// A message for the caller.
    fn restore(&self, call: &Restore) -> Result<String, String>;

    /// Takes the folders that the client works in, in place of those that it named before. `None` for one that cannot be on
    /// this machine; no folders at all if the client has none.
    fn set_roots(&self, roots: Vec<Option<PathBuf>>);
}

/// Answers calls on standard input until it ends.
///
/// # Errors
/// If the client does not speak the protocol, or a stream fails.
pub async fn serve(tools: Arc<dyn Tools>) -> io::Result<()> {
    let server = Server::new(tools).serve(stdio()).await.map_err(io::Error::other)?;
    server.waiting().await.map_err(io::Error::other)?;
    Ok(())
}

struct Server {
    tools: Arc<dyn Tools>,
    /// Whether the client has been asked for its folders since they last changed.
    knows_roots: Mutex<bool>,
    /// What goes on although nobody waits for it any more.
    late: Mutex<HashMap<Call, Late>>,
    places: Arc<Semaphore>,
}

/// Work that nobody waits for any more.
struct Late {
    since: Instant,
    work: JoinHandle<Answer>,
}

/// What a tool answers, or what was wrong.
type Answer = Result<String, String>;

/// A tool and its arguments.
type Call = (String, String);

/// The calls that go on at a time. Searching keeps all cores busy, so more would only make each of them slower.
const PLACES: usize = 2;

/// The tools. Every request of an agent carries their descriptions, so these are short.
fn tools() -> Vec<Tool> {
    let tool = |name: &'static str, description: &'static str, properties: Value, required: &[&str]| {
        let mut schema = JsonObject::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), properties);
        schema.insert("required".into(), json!(required));
        let annotations = ToolAnnotations::new().read_only(true).open_world(false);
        Tool::new(name, description, schema).with_annotations(annotations)
    };
    vec![
        tool(
            "search_code",
            "The code that answers a question: whole functions, and the lines that lead to them",
            json!({
                "query": {"type": "string"},
                "path": {"type": "string", "description": "File or folder"},
                "budget": {"type": "integer", "description": "Tokens, 3000 by default"},
            }),
            &["query"],
        ),
        tool(
            "restore",
            "The original of an output that contextfit shortened, or lines of it",
            json!({
                "handle": {"type": "string", "description": "Handle or path, from the excerpt"},
                "from": {"type": "integer"},
                "to": {"type": "integer"},
                "grep": {"type": "string"},
            }),
            &["handle"],
        ),
    ]
}

/// The arguments of a call.
struct Arguments(JsonObject);

impl Arguments {
    fn text(&self, name: &str) -> Result<Option<String>, String> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(format!("`{name}`: expected a text, found {other}")),
        }
    }

    fn number(&self, name: &str) -> Result<Option<usize>, String> {
        let expected = |found: &Value| format!("`{name}`: expected a whole number from 1, found {found}");
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                // Models write numbers as texts too, and clients as floats.
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let number = text.strip_suffix(".0").unwrap_or(&text).parse().ok();
                number.filter(|number| *number > 0).map(Some).ok_or_else(|| expected(value))
            }
        }
    }

    fn needed(&self, name: &str) -> Result<String, String> {
        let text = self.text(name)?.filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| format!("`{name}` is missing"))
    }
}

/// What `tool` answers.
fn call(tools: &dyn Tools, tool: &str, arguments: &Arguments) -> Answer {
    match tool {
        "search_code" => tools.search_code(&SearchCode {
            query: arguments.needed("query")?,
            path: arguments.text("path")?,
            budget: arguments.number("budget")?,
        }),
        _ => tools.restore(&Restore {
            handle: arguments.needed("handle")?,
            from: arguments.number("from")?,
            to: arguments.number("to")?,
            grep: arguments.text("grep")?,
        }),
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let own = Implementation::new("contextfit", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(own)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Owned(VERSIONS.to_vec())
    }

    async fn on_roots_list_changed(&self, _: NotificationContext<RoleServer>) {
        *self.knows_roots.lock().await = false;
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !tools().iter().any(|tool| tool.name == request.name) {
            return Err(ErrorData::invalid_params(format!("no tool is called {:?}", request.name), None));
        }
        self.learn_roots(&context).await;
        let answer = self.answer(request.name.into_owned(), request.arguments.unwrap_or_default()).await;
        let result = match answer {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(message) => CallToolResult::error(vec![ContentBlock::text(message)]),
        };
        Ok(result.into())
    }
}

impl Server {
    fn new(tools: Arc<dyn Tools>) -> Self {
        Self {
            tools,
            knows_roots: Mutex::default(),
            late: Mutex::default(),
            places: Arc::new(Semaphore::new(PLACES)),
        }
    }

    /// What the tool answers, if it does in time. A call that comes again finds the work of the one before.
    async fn answer(&self, tool: String, arguments: JsonObject) -> Answer {
        let key = (tool.clone(), Value::Object(arguments.clone()).to_string());
        let started = Instant::now();
        let seconds = LONGEST.as_secs();
        let mut work = match self.late.lock().await.remove(&key).filter(|late| late.since.elapsed() < LATEST)
        {
            Some(late) => late.work,
            None => {
                let place = timeout(LONGEST, Arc::clone(&self.places).acquire_owned()).await;
                let busy = |_| format!("busy with earlier calls for {seconds} seconds: ask again later");
                let place = place.map_err(busy)?;
                let tools = Arc::clone(&self.tools);
                spawn_blocking(move || {
                    let _place = place;
                    call(&*tools, &tool, &Arguments(arguments))
                })
            }
        };
        match timeout(LONGEST.saturating_sub(started.elapsed()), &mut work).await {
            Ok(answer) => answer.unwrap_or_else(|_| Err("contextfit failed; this is a fault of ours".into())),
            Err(_) => {
                let mut late = self.late.lock().await;
                late.retain(|_, late| late.since.elapsed() < LATEST);
                late.insert(key, Late { since: Instant::now(), work });
                Err(format!(
                    "no answer within {seconds} seconds; the work goes on: ask the same again, or about a smaller part"
                ))
            }
        }
    }

    /// Asks a client that has folders for them, once. One that does not answer has none.
    async fn learn_roots(&self, context: &RequestContext<RoleServer>) {
        let mut is_known = self.knows_roots.lock().await;
        let has_roots = context.peer.peer_info().is_some_and(|client| client.capabilities.roots.is_some());
        if *is_known || !has_roots {
            return;
        }
        *is_known = true;
        if let Ok(Some(roots)) = timeout(LONGEST_ROOTS, roots(context)).await {
            self.tools.set_roots(roots);
        }
    }
}

/// The folders of a client.
#[expect(deprecated, reason = "clients of the versions before 2026-07-28 name their folders so")]
async fn roots(context: &RequestContext<RoleServer>) -> Option<Vec<Option<PathBuf>>> {
    let answer = context.peer.list_roots().await.ok()?;
    Some(answer.roots.iter().map(|root| Url::parse(&root.uri).ok()?.to_file_path().ok()).collect())
}
