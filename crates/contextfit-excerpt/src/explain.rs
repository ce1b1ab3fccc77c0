//! Query plans as `EXPLAIN` prints them in PostgreSQL and MySQL: the nodes that take the time, the estimates that are
//! wrong, and what each of them does.

use foldhash::HashSet;

use crate::{
    headings::indent,
    rows::Rows,
    signals::is_drawn,
    worth::{ERROR, FOCUS, NOTABLE, PLAIN, Sheet, TOTAL, end},
};

/// A plan has at least this many nodes; fewer are shown whole or by any other rule.
const FEWEST: usize = 2;

/// An estimate that is wrong by less than this factor is good.
const WRONG: f64 = 8.0;

/// Whether the lines of a `sample` are a query plan: nodes, and for each at most 20 lines about it.
pub(crate) fn is_explained(sample: &[&str]) -> bool {
    const TOLD: usize = 20;
    let nodes = sample.iter().filter(|line| line.trim_start().starts_with("-> ") && Node::of(line).is_some());
    let nodes = nodes.count();
    nodes >= FEWEST && nodes * TOLD >= sample.len()
}

/// Scores the rows of a query plan: a node by its share of the time that the query takes, or of the cost if it was not
/// run, without that of the nodes below it; and by the error of its estimate, unless that comes from a node below. What
/// is told about a node, its conditions before the rest, scores with it and is shown under it.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let plan = Plan::of(rows);
    let first = plan.nodes.first().map_or(0, |node| node.row);
    let mut above: Option<(usize, f32)> = None;
    // Lines that are indented deeper than the first one about a node are about what one of its workers did.
    let mut deepest = usize::MAX;
    let mut nodes = plan.nodes.iter().enumerate().peekable();
    for (n, line) in rows.texts().enumerate() {
        if is_drawn(line) {
            sheet.set_hollow(n);
        } else if let Some((at, node)) = nodes.next_if(|(_, node)| node.row == n) {
            let worth = plan.worth(at);
            let is_outermost = node.parent.is_none();
            sheet.raise(n, if is_outermost { worth.max(NOTABLE) } else { worth });
            (above, deepest) = (Some((n, worth)), usize::MAX);
        } else if line.trim() == "QUERY PLAN" {
            sheet.set_hollow(n);
        } else if n < first {
            sheet.raise(n, end(n));
        } else if indent(line) <= plan.nodes.first().map_or(0, |node| node.indent) {
            above = None;
            sheet.raise(n, of_whole(line));
        } else if let Some((node, worth)) = above {
            sheet.put_under(n, Some(node));
            deepest = deepest.min(indent(line));
            let share = if indent(line) > deepest { 0.0 } else { told(line) };
            sheet.raise(n, (share * worth).max(if is_spilled(line) { TOTAL } else { PLAIN }));
            sheet.lift(n, sheet.focus(node) * FOCUS * share / 2.0);
        } else {
            sheet.raise(n, of_whole(line) / 2.0);
        }
    }
}

/// The score of a line about the whole: its times, then its settings.
fn of_whole(line: &str) -> f32 {
    match line.split_once(':') {
        Some((key, _)) if key.to_ascii_lowercase().ends_with("time") => 1.5 * TOTAL,
        Some((_, value)) if !value.trim().is_empty() => NOTABLE,
        _ => PLAIN,
    }
}

/// The share of a node's score that a line about it has: what it looks for, what it throws away, where it sorts; then
/// what it read and how.
fn told(line: &str) -> f32 {
    const OTHERS: &[&str] = &["Worker", "Output", "Buckets", "Planned", "Inner Unique", "I/O", "WAL"];
    let (key, _) = line.trim_start().split_once(':').unwrap_or_default();
    match key {
        _ if OTHERS.iter().any(|other| key.starts_with(other)) => 0.0,
        "Buffers" => 0.25,
        _ => 0.75,
    }
}

/// Whether `line` tells that memory was too small.
fn is_spilled(line: &str) -> bool {
    line.contains("Disk") || line.contains("lossy=")
}

/// The nodes of a plan, in the order of their rows.
struct Plan {
    nodes: Vec<Node>,
    /// The time, or cost, of each without the nodes below it.
    own: Vec<f64>,
    /// Nodes whose wrong estimate comes from one below.
    misled: HashSet<usize>,
}

impl Plan {
    fn of(rows: &Rows<'_, '_>) -> Self {
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for (n, line) in rows.texts().enumerate() {
            let Some(mut node) = Node::of(line) else { continue };
            node.row = n;
            open.retain(|&above| nodes.get(above).is_some_and(|above: &Node| above.indent < node.indent));
            node.parent = open.last().copied();
            open.push(nodes.len());
            nodes.push(node);
        }
        let was_run = nodes.iter().any(|node| node.time.is_some());
        // Below a gather, the time of a node is that of each of several workers at once.
        let mut workers: Vec<f64> = Vec::with_capacity(nodes.len());
        for node in &nodes {
            let above = node.parent.and_then(|above| Some((nodes.get(above)?, workers.get(above)?)));
            workers.push(
                above.map_or(1.0, |(above, &among)| if above.gathers { node.loops.max(1.0) } else { among }),
            );
        }
        let taken = |(node, workers): (&Node, &f64)| match node.time {
            Some(time) => time * node.loops / workers,
            None if was_run => 0.0,
            None => node.cost,
        };
        let all: Vec<f64> = nodes.iter().zip(&workers).map(taken).collect();
        let (mut own, mut misled) = (all.clone(), HashSet::default());
        for (node, taken) in nodes.iter().zip(&all) {
            let Some(above) = node.parent else { continue };
            own.get_mut(above).into_iter().for_each(|own| *own = (*own - taken).max(0.0));
            if nodes.get(above).is_some_and(|above| node.error() * 2.0 >= above.error()) {
                misled.insert(above);
            }
        }
        Self { nodes, own, misled }
    }

    /// The score of the node at this index.
    fn worth(&self, at: usize) -> f32 {
        let all: f64 = self.own.iter().sum();
        let share = self.own.get(at).copied().unwrap_or(0.0) / all.max(f64::MIN_POSITIVE);
        let error = self.nodes.get(at).map_or(1.0, Node::error);
        let is_wrong = error >= WRONG && !self.misled.contains(&at);
        let wrong = if is_wrong { NOTABLE * (error.log10() as f32).min(2.0) } else { 0.0 };
        PLAIN + 2.0 * ERROR * share as f32 + wrong
    }
}

/// A node of a plan.
#[derive(Debug)]
struct Node {
    row: usize,
    indent: usize,
    parent: Option<usize>,
    /// Whether it collects what several workers do at the same time.
    gathers: bool,
    cost: f64,
    /// Rows expected and returned in each loop.
    expected: Option<f64>,
    returned: Option<f64>,
    /// Milliseconds until the last row, in each loop.
    time: Option<f64>,
    loops: f64,
}

impl Node {
    /// The node that `line` describes: `->  Seq Scan on orders  (cost=0.00..5.1 rows=4 width=8) (actual time=0.1..2.5
    /// rows=3 loops=1)`. Its row and its parent are not known yet.
    fn of(line: &str) -> Option<Self> {
        let start = line.find("(cost=").into_iter().chain(line.find("(actual ")).min()?;
        let (name, numbers) = line.split_at_checked(start)?;
        let (planned, actual) = numbers.split_once("(actual").unwrap_or((numbers, ""));
        let field = |part: &str, key: &str| {
            let behind = part.split_once(key)?.1;
            behind.split([' ', ')']).next()?.rsplit("..").next()?.parse::<f64>().ok()
        };
        (indent(name) < name.len()).then(|| Self {
            row: 0,
            indent: indent(name),
            parent: None,
            gathers: name.trim_start().trim_start_matches("-> ").trim_start().starts_with("Gather"),
            cost: field(planned, "cost=").unwrap_or(0.0),
            expected: field(planned, "rows="),
            returned: field(actual, "rows="),
            time: field(actual, "time="),
            loops: field(actual, "loops=").unwrap_or(1.0),
        })
    }

    /// By which factor its estimate of rows is wrong, at least 1. Less than one row counts as one.
    fn error(&self) -> f64 {
        let (Some(expected), Some(returned)) = (self.expected, self.returned) else { return 1.0 };
        let ratio = expected.max(1.0) / returned.max(1.0);
        ratio.max(1.0 / ratio)
    }
}
