//! The real data sets, if available.

use std::{
    env,
    path::{Path, PathBuf},
};

use contextfit_eval::{Baseline, Contender, Dataset, Material, evaluate};
use contextfit_kernel::{Budget, Tokens};
use contextfit_pipeline::Pipeline;
use contextfit_text::counter;

/// The data set called `name`; `None`, after printing a line, if it is not available.
fn dataset(name: &str) -> Option<Dataset> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let path = env::var_os("CONTEXTFIT_DATA").map_or_else(beside, PathBuf::from).join(name);
    if !path.is_dir() {
        println!("skipped: no data set at {}; set CONTEXTFIT_DATA to their folder", path.display());
        return None;
    }
    Some(Dataset::read(&path, None).unwrap())
}

/// With room for everything, all evidence is kept: offsets, folding and lines match the labels. Answers need not occur
/// in the evidence: some are `yes`.
#[track_caller]
fn check(name: &str, baseline: Baseline) {
    // The pinned part of a run can be more than a tenth of it.
    let runs = matches!(baseline, Baseline::CutToolOutputs | Baseline::TrimMessages);
    let Some(dataset) = dataset(name) else { return };
    // Conversations are long: a sample of the questions will do.
    let most = if dataset.material == Material::Talk { 60 } else { usize::MAX };
    let dataset = dataset.with_limit(most);
    let pipeline = Pipeline::new(counter("chars/4").unwrap()).with_strategy(contextfit_testkit::DropAll);
    for item in &dataset.items {
        let context = item.input.context(pipeline.counter());
        let whole = pipeline.fit(&context, &Budget::new(Tokens::MAX)).unwrap();
        let kept = item.gold.judge(&context, Some(&whole), pipeline.counter());
        assert!(kept.all && (kept.fraction - 1.0).abs() < 1e-9, "{}: {kept:?}", item.id);
    }
    let pipeline = pipeline.with_strategy(baseline);
    let few = dataset.with_limit(20);
    let rows = evaluate(&few, &[Contender::new(baseline.name(), pipeline)], few.budgets, || ()).rows;
    assert!(
        rows.iter().all(|row| row.n == 20
            && row.over_budget == 0
            && (row.errors == 0 || runs)
            && row.invalid.is_none_or(|n| n == 0)),
        "{rows:?}"
    );
    assert!(rows.is_sorted_by(|a, b| a.evidence_fraction.mean <= b.evidence_fraction.mean), "{rows:?}");
}

#[test]
fn squad_en() {
    check("squad_en", Baseline::Head);
}

#[test]
fn nq_multidoc() {
    check("nq_multidoc", Baseline::Head);
}

#[test]
fn hotpot_distractor() {
    check("hotpot_distractor", Baseline::Head);
}

#[test]
fn code() {
    check("code", Baseline::Head);
}

#[test]
fn locomo() {
    check("locomo", Baseline::Bm25Turns);
}

#[test]
fn qmsum() {
    check("qmsum", Baseline::RecentTurns);
}

#[test]
fn tau_airline() {
    check("tau_airline", Baseline::CutToolOutputs);
}

#[test]
fn swe_agent() {
    check("swe_agent_mit", Baseline::TrimMessages);
}

#[test]
fn tool_outputs() {
    check("tool_outputs", Baseline::CutToolOutputs);
}

#[test]
fn coding_sessions() {
    check("coding_sessions", Baseline::RecentTurns);
    let Some(sessions) = dataset("coding_sessions") else { return };
    let budgets: Vec<String> = sessions.budgets.iter().map(ToString::to_string).collect();
    assert_eq!((sessions.kind, budgets.join(", ").as_str()), ("session", "5 %, 10 %, 25 %"));
    // Nothing replaces what a baseline drops.
    let pipeline = Pipeline::new(counter("chars/4").unwrap()).with_strategy(Baseline::RecentTurns);
    let contender = Contender::new("recent-turns", pipeline);
    for row in evaluate(&sessions, &[contender], sessions.budgets, || ()).rows {
        assert_eq!((row.fragments, row.whole_units), (Some(0.0), Some(row.evidence_fraction)), "{row:?}");
        assert!(row.user_words.is_some_and(|words| words.n <= row.n), "{row:?}");
    }
}

#[test]
fn runs_of_applications_are_no_sessions() {
    for name in ["tau_airline", "swe_agent_mit"] {
        let Some(runs) = dataset(name) else { continue };
        assert_eq!(runs.kind, "agent", "{name}");
    }
}
