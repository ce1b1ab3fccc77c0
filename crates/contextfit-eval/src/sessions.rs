//! Sessions of a developer with a coding agent, cut right after the developer has spoken.

use crate::{
    EvalError, Item,
    agents::{self, Run},
    folder::{FileLine, Folder},
    transcript::{is_of, is_system},
};

/// The points of all sessions in a folder.
pub(crate) fn load(folder: &Folder) -> Result<Vec<FileLine<Item>>, EvalError> {
    agents::points(folder, Run::Session)
}

/// Whether the runs of a folder are sessions: none has an application's instructions, which developers' tools do not
/// record, and all points come right after a user message.
pub(crate) fn is_session(folder: &Folder) -> Result<bool, EvalError> {
    let runs = agents::runs(folder)?;
    Ok(runs.iter().all(|FileLine { value: run, .. }| {
        let said = |cut: usize| cut.checked_sub(1).and_then(|at| run.messages.get(at));
        let asked = |cut: usize| said(cut).is_some_and(|message| is_of(message, "user"));
        run.eval_points.iter().all(|point| asked(point.cut)) && !run.messages.iter().any(is_system)
    }))
}
