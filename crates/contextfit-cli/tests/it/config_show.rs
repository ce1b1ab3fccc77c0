//! `config show`, and the order in which configurations apply.

use std::path::Path;

use serde_json::Value;

use crate::run::{Ran, contextfit, run, tree};

/// Runs with these environment variables; the user's files are in `home`, everything runs in `here/src`.
fn run_in(root: &Path, variables: &[(&str, &str)], args: &[&str]) -> Ran {
    let mut command = contextfit();
    command.env("XDG_CONFIG_HOME", root.join("home")).current_dir(root.join("here/src"));
    let output = command.envs(variables.iter().copied()).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap().replace(&root.display().to_string(), "[root]");
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

const USER: (&str, &[u8]) = (
    "home/contextfit/config.yaml",
    b"profile: quality\nreserve: 10\nbudget: 1000\nllm:\n  model: small\n  keyEnv: KEY\n  url: http://localhost:1/v1\n",
);
const PROJECT: (&str, &[u8]) = (
    "here/contextfit.toml",
    b"# ours\nbudget = 2000\ntokenizer = \"chars/4\"\n\n[bm25]\nk1 = 1.5\nminRelevance = 0.2\n",
);
const TEXT: (&str, &[u8]) = ("here/src/a.txt", b"hello");

#[test]
fn every_key_with_its_origin() {
    let folder = tree(&[USER, PROJECT, TEXT]);
    let variables = [("CONTEXTFIT_BM25_MIN_RELEVANCE", "0.1"), ("CONTEXTFIT_CHAT", ""), ("KEY", "sk-secret")];
    let ran = run_in(folder.path(), &variables, &["config", "show", "--origin", "--reserve", "20"]);
    assert!(!ran.told().contains("sk-secret"));
    insta::assert_snapshot!(ran.told());
}

#[test]
fn the_profiles() {
    let folder = tree(&[]);
    let lines = |name: &str| {
        let ran = run(folder.path(), &["config", "show", "--profile", name], "");
        ran.out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let balanced = lines("balanced");
    let mut told = String::new();
    for name in ["fast", "quality", "cost-optimized"] {
        let differing: Vec<String> =
            lines(name).into_iter().filter(|line| !balanced.contains(line)).collect();
        told += &format!("{}\n\n", differing.join("\n"));
    }
    insta::assert_snapshot!(told);
}

/// The value of `key` and the kind of its origin.
#[track_caller]
fn check(root: &Path, variables: &[(&str, &str)], args: &[&str], key: &str, expect: (Value, &str)) {
    let ran = run_in(root, variables, &[&["config", "show", "--json"], args].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let settings = answer["settings"].as_array().unwrap();
    let setting = settings.iter().find(|setting| setting["key"] == key).unwrap();
    let kind = setting["origin"]["kind"].as_str().unwrap_or("none");
    assert_eq!((setting["value"].clone(), kind), expect, "{key}");
}

#[test]
fn flag_environment_project_user_profile_default() {
    let user = ("home/contextfit/config.yaml", &b"bm25: {minRelevance: 0.2}\nbudget: 2\n"[..]);
    let project = ("here/contextfit.json", &b"{\"budget\": 3, \"bm25\": {\"k1\": 1.0}}"[..]);
    let folder = tree(&[user, project, TEXT]);
    let root = folder.path();
    let budget = [("CONTEXTFIT_BUDGET", "4")];
    check(root, &budget, &["-b", "5"], "budget", (5.into(), "flag"));
    check(root, &budget, &[], "budget", (4.into(), "environment"));
    check(root, &[("CONTEXTFIT_BUDGET", "")], &[], "budget", (3.into(), "project file"));
    let quality = ["--profile", "quality"];
    check(root, &[], &quality, "bm25.minRelevance", (0.2.into(), "user file"));
    check(root, &[], &quality, "compression.smartTruncation.maxLength", (3000.into(), "profile"));
    check(root, &[], &quality, "profile", ("quality".into(), "flag"));
    check(root, &[], &quality, "llm.deadline", (60.into(), "default"));
    check(root, &[], &["--config", "none"], "budget", (Value::Null, "none"));
    check(root, &[("CONTEXTFIT_CONFIG", "none")], &[], "budget", (Value::Null, "none"));
    // A named file is read instead of the others.
    let named = ["--config", "../contextfit.json"];
    check(root, &[("CONTEXTFIT_CONFIG", "none")], &named, "budget", (3.into(), "file"));
    check(root, &[], &named, "bm25.minRelevance", (0.3.into(), "default"));
    // Whoever names a model wants its tokenizer.
    let tokenizer = [("CONTEXTFIT_TOKENIZER", "chars/4")];
    check(root, &tokenizer, &["--model", "gpt-4"], "tokenizer", ("cl100k_base".into(), "flag"));
    let both = ["--model", "gpt-4", "--tokenizer", "chars/2"];
    check(root, &tokenizer, &both, "tokenizer", ("chars/2".into(), "flag"));
}

/// What `search` and `files` use is what `config show` says.
#[test]
fn runs_use_the_configuration_in_force() {
    let project = ("here/contextfit.toml", &b"budget = 30\ncompression.smartTruncation.maxLength = 77\n"[..]);
    let folder = tree(&[project, TEXT]);
    let args = ["files", "a.txt", "--profile", "cost-optimized", "--report", "report.json"];
    let ran = run_in(folder.path(), &[("CONTEXTFIT_TOKENIZER", "chars/1")], &args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("of 30 tokens (chars/1)"), "{}", ran.err);
    let report = std::fs::read(folder.path().join("here/src/report.json")).unwrap();
    let report: Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["options"]["smartTruncation"]["maxLength"], 77);
    assert_eq!(report["options"]["metadataOnly"]["scoreThreshold"], 0.5);
    let count = run_in(folder.path(), &[("CONTEXTFIT_TOKENIZER", "chars/1")], &["count", "a.txt"]);
    assert!(count.out.contains('5') && count.code == 0, "{}", count.out);
}

/// No profile overrides what somebody set.
#[test]
fn a_profile_yields_to_flags_variables_and_files() {
    let request = r#"{"query": "tokens", "budget": 60, "chunks": [{"id": "a", "text": "TEXT"}]}"#;
    let request = request.replace("TEXT", &"Tokens are counted once. Nothing else is said here. ".repeat(20));
    let chat = r#"[{"role": "user", "content": "TEXT"}, {"role": "user", "content": "go on"}]"#;
    let chat = chat.replace("TEXT", &"Tokens are counted once. ".repeat(20));
    let files = |project: &str| {
        tree(&[
            ("here/contextfit.toml", project.as_bytes()),
            ("here/src/request.json", request.as_bytes()),
            ("here/src/chat.json", chat.as_bytes()),
        ])
    };
    let strategy = |project: &str, variables: &[(&str, &str)], args: &[&str]| {
        let ran = run_in(files(project).path(), variables, &[args, &["--profile", "fast"]].concat());
        let answer: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| Value::from(ran.told()));
        answer["strategy"].as_str().map(str::to_owned)
    };
    let (search, chat) = (["search", "request.json"], ["chat", "chat.json", "--answer", "-b", "60"]);
    let check = |found: Option<String>, expect: &str| assert_eq!(found.as_deref(), Some(expect));
    check(strategy("", &[], &search), "smart-truncation");
    check(strategy("", &[], &[&search[..], &["-s", "bm25"]].concat()), "bm25");
    check(strategy("", &[("CONTEXTFIT_STRATEGY", "bm25")], &search), "bm25");
    check(strategy("strategy = \"bm25\"", &[], &search), "bm25");
    check(strategy("", &[], &chat), "sliding-window");
    check(strategy("chat = \"hierarchical\"", &[], &chat), "hierarchical");
}

#[test]
fn a_project_that_nobody_named_does_not_say_where_texts_go() {
    let text = b"[llm]\nmodel = \"m\"\nurl = \"http://evil.example\"\nkeyEnv = \"HOME\"\n[cache]\nkind = \"memory\"\n\
        [feedback]\nfile = \"/tmp/x\"\nproject = \"shop\"\n[compression.llm]\nenabled = true\n";
    let folder = tree(&[("here/contextfit.toml", text), TEXT]);
    let ran = run_in(folder.path(), &[], &["config", "show", "--origin"]);
    assert!(!ran.out.contains("evil") && ran.out.contains("feedback.project = \"shop\""), "{}", ran.out);
    insta::assert_snapshot!(ran.err);
    let named = run_in(folder.path(), &[], &["config", "show", "--config", "../contextfit.toml"]);
    assert!(named.out.contains("evil") && named.err.is_empty(), "{}", named.told());
}

#[test]
fn secrets_are_not_shown() {
    let text = b"[llm]\nmodel = \"m\"\nkeyEnv = \"sk-hunter2\"\nurl = \"https://h/v1?key=hunter2\"\n\
        [cache]\nurl = \"redis://:hunter2@h\"\n";
    let folder = tree(&[("home/contextfit/config.toml", text), TEXT]);
    for args in [&["config", "show", "--origin"][..], &["config", "show", "--json"]] {
        let ran = run_in(folder.path(), &[], args);
        assert!(ran.code == 0 && !ran.told().contains("hunter2"), "{}", ran.told());
        assert!(ran.out.contains("set"), "{}", ran.out);
    }
    let url = [("CONTEXTFIT_LLM_URL", "https://u:hunter2@h/v1")];
    let ran = run_in(folder.path(), &url, &["config", "show"]);
    assert!(ran.code == 2 && !ran.told().contains("hunter2"), "{}", ran.told());
}

/// The output can be saved and used.
#[test]
fn what_is_shown_is_a_configuration() {
    let folder = tree(&[USER, PROJECT, TEXT]);
    let shown = run_in(folder.path(), &[], &["config", "show", "--origin"]).out;
    std::fs::write(folder.path().join("here/src/saved.toml"), &shown).unwrap();
    let checked = run_in(folder.path(), &[], &["config", "check", "saved.toml"]);
    assert_eq!((checked.code, checked.err.as_str()), (0, "saved.toml: no problems\n"));
    let plain = run_in(folder.path(), &[], &["config", "show"]).out;
    assert_eq!(run_in(folder.path(), &[], &["config", "show", "--config", "saved.toml"]).out, plain);
}

#[test]
fn a_variable_that_is_no_setting_is_a_warning() {
    let folder = tree(&[TEXT]);
    let warning = "warning: the environment variable CONTEXTFIT_BUGDET is not a setting and has no effect\n";
    for args in [&["config", "show"][..], &["files", "a.txt", "-b", "50"], &["count", "a.txt"]] {
        let ran = run_in(folder.path(), &[("CONTEXTFIT_BUGDET", "5")], args);
        assert!(ran.code == 0 && ran.err.starts_with(warning), "{}", ran.told());
        assert_eq!(ran.err.matches("is not a setting").count(), 1, "{}", ran.err);
    }
}

/// Only the closest file counts, and none beyond the repository.
#[test]
fn the_project_ends_with_its_repository() {
    let files = [("contextfit.toml", &b"budget = 1\n"[..]), ("here/.git/HEAD", b""), TEXT];
    let folder = tree(&files);
    check(folder.path(), &[], &[], "budget", (Value::Null, "none"));
    let folder = tree(&[files[0], TEXT]);
    check(folder.path(), &[], &[], "budget", (1.into(), "project file"));
    let folder = tree(&[files[0], PROJECT, TEXT]);
    check(folder.path(), &[], &[], "budget", (2000.into(), "project file"));
}

/// Paths in a file that was found are those of its folder.
#[test]
fn paths_are_relative_to_the_file_that_was_found() {
    let text = b"[llm]\nkeyFile = \"keys/llm\"\n[cache]\npath = \"answers.redb\"\n";
    let folder = tree(&[("home/contextfit/config.toml", text), TEXT]);
    let ran = run_in(folder.path(), &[], &["config", "show"]);
    assert!(ran.out.contains("llm.keyFile = \"[root]/home/contextfit/keys/llm\""), "{}", ran.out);
    assert!(ran.out.contains("cache.path = \"[root]/home/contextfit/answers.redb\""), "{}", ran.out);
}

#[test]
fn what_cannot_be_read_stops_every_command() {
    let mut told = String::new();
    let mut tell = |files: &[(&str, &[u8])], variables: &[(&str, &str)], args: &[&str]| {
        let folder = tree(&[files, &[TEXT]].concat());
        let ran = run_in(folder.path(), variables, args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
        told += &format!("{}\n", ran.err);
    };
    let count = ["count", "a.txt"];
    tell(&[("here/contextfit.toml", b"budget = \n")], &[], &count);
    tell(&[("here/contextfit.yaml", b"budgett: 5\n")], &[], &["files", "a.txt", "-b", "9"]);
    tell(&[("here/contextfit.toml", b"budget = 5 # \xff\n")], &[], &["config", "show"]);
    tell(&[("here/contextfit.toml", b""), ("here/contextfit.json", b"{}")], &[], &count);
    tell(&[("home/contextfit/config.json", b"[]")], &[], &count);
    tell(&[], &[("CONTEXTFIT_CONFIG", "missing.toml")], &["config", "show"]);
    tell(&[], &[("CONTEXTFIT_BUDGET", "many")], &["config", "show"]);
    tell(&[], &[("CONTEXTFIT_STRATEGY", "bm52")], &count);
    tell(&[], &[("CONTEXTFIT_MODEL", "gpt-4oo")], &["config", "show"]);
    let known = format!("lists all {}", contextfit::text::models().len());
    insta::assert_snapshot!(told.replace(&known, "lists all"));
}

/// `memory` follows a profile wherever it is set.
#[test]
fn memories_follow_the_profile() {
    let check = |file: &str, variables: &[(&str, &str)], args: &[&str], expect: &str| {
        let here = tree(&[
            ("here/contextfit.toml", file.as_bytes()),
            ("here/src/m.json", br#"[{"id": "m", "knowledge": "Services run in containers."}]"#),
        ]);
        let all = [&["memory", "m.json", "-b", "24", "--report", "r.json"], args].concat();
        let ran = run_in(here.path(), variables, &all);
        let report =
            std::fs::read(here.path().join("here/src/r.json")).unwrap_or_else(|_| panic!("{}", ran.err));
        let report: Value = serde_json::from_slice(&report).unwrap();
        assert_eq!(report["strategy"], expect);
    };
    check("", &[], &[], "optimal");
    check("profile = \"fast\"", &[], &[], "greedy");
    check("", &[("CONTEXTFIT_PROFILE", "fast")], &[], "greedy");
    check("profile = \"fast\"", &[], &["--profile", "quality"], "optimal");
    check("profile = \"fast\"", &[], &["--strategy", "optimal"], "optimal");
}
