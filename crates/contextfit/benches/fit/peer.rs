//! The usual sentence selection in Python, where it is installed.

use std::{env, fs, io::Write, path::Path, process::Command};

use contextfit::{Block, Budget, Context};
use serde_json::{Value, json};

/// Seconds that `xtask/peers/rank_bm25.py` takes for `requests`, with `flags`; `None` if Python or its packages are
/// missing. The interpreter is `python3` or the value of `CONTEXTFIT_PYTHON`.
pub(crate) fn seconds(requests: &[Context], budgets: &[Budget], flags: &[&str]) -> Option<f64> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    for (request, budget) in requests.iter().zip(budgets) {
        let chunk = |block: &Block| json!({"id": block.id, "text": block.text});
        let chunks: Vec<Value> = request.blocks.iter().map(chunk).collect();
        let line = json!({"query": request.query, "budget": budget.available().get(), "chunks": chunks});
        writeln!(file, "{line}").unwrap();
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/peers/rank_bm25.py");
    assert!(fs::exists(&script).unwrap(), "{} is missing", script.display());
    let python = env::var("CONTEXTFIT_PYTHON").unwrap_or_else(|_| "python3".into());
    let output = Command::new(python).arg(script).args(flags).arg(file.path()).output().ok()?;
    let figures: Value = serde_json::from_slice(&output.stdout).ok()?;
    figures.get("seconds")?.as_f64()
}
