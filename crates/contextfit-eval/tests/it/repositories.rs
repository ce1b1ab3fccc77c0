//! Tasks in repositories that the tests create with git.

use std::fs;

use contextfit_eval::{Dataset, EvalError, Kept, Repositories};
use contextfit_kernel::{Budget, Context, Noun, Tokens};
use contextfit_pipeline::Pipeline;
use contextfit_testkit::git;
use contextfit_text::counter;
use tempfile::TempDir;

use crate::datasets::Show;

const SOURCE: &str = "use b::B;\n\nfn one() {\n    1;\n\n    2;\n}\n\nfn two() {\n    3;\n}\n";
const GUIDE: &str = "# Guide\n\nRead it.\n";

/// Repositories, the folder of a data set, and the parent of its commit.
struct Made {
    folder: TempDir,
    parent: String,
}

impl Made {
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let clone = folder.path().join("mirror/me+tool");
        let files: [(&str, &[u8]); 7] = [
            ("src/lib.rs", SOURCE.as_bytes()),
            ("src.md", b"Beside src.\n"),
            (".github/ci.yml", b"on: push\n"),
            ("docs/guide.md", GUIDE.as_bytes()),
            ("logo.png", b"\x89PNG\0"),
            ("latin.txt", b"caf\xe9\n"),
            ("empty.txt", b""),
        ];
        for (path, bytes) in files {
            let path = clone.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        git(&clone, &["init", "-q"])?;
        git(&clone, &["add", "-A", "-f"])?;
        let target = git(&clone, &["hash-object", "-w", "src.md"])?;
        git(&clone, &["update-index", "--add", "--cacheinfo", &format!("120000,{target},link.md")])?;
        git(&clone, &["commit", "-q", "-m", "First"])?;
        let parent = git(&clone, &["rev-parse", "HEAD"])?;
        fs::write(clone.join("src/lib.rs"), "fn gone() {}\n").unwrap();
        git(&clone, &["commit", "-q", "-a", "-m", "Second"])?;
        fs::create_dir(folder.path().join("data")).unwrap();
        let made = Self { folder, parent };
        made.write("dev", &[made.line("c1", r#"{"path": "src/lib.rs", "functions": [{"name": "one", "start": 3, "end": 7, "sig_line": 3}, {"name": "two", "start": 9, "end": 11, "sig_line": 9}]}, {"path": "docs/guide.md", "functions": []}"#)]);
        made.write("guard.dev", &[made.line("g1", r#"{"path": "docs/guide.md", "functions": []}"#)]);
        Some(made)
    }

    /// The commit `id` that changes `gold`.
    fn line(&self, id: &str, gold: &str) -> String {
        let parent = &self.parent;
        format!(
            "{{\"id\": \"{id}\", \"repo\": \"me+tool\", \"parent\": \"{parent}\", \"query\": \"Fix `one`.\\n\", \
             \"query_noid\": \"Fix .\", \"gold\": [{gold}]}}\n"
        )
    }

    fn write(&self, split: &str, lines: &[String]) {
        fs::write(self.folder.path().join(format!("data/{split}.jsonl")), lines.concat()).unwrap();
    }

    fn read(&self, split: Option<&str>, without_identifiers: bool) -> Result<Dataset, EvalError> {
        let folder = Some(self.folder.path().join("mirror"));
        let repositories = Repositories { folder, without_identifiers };
        Dataset::read_with(&self.folder.path().join("data"), split, &repositories)
    }

    fn dev(&self) -> Dataset {
        self.read(Some("dev"), false).unwrap()
    }

    /// The error for a split `dev` with these lines.
    fn told(&self, lines: &[String]) -> String {
        self.write("dev", lines);
        let error = self.read(Some("dev"), false).unwrap_err().to_string();
        let place = self.folder.path().to_string_lossy();
        error.replace(&*place, "here").replace(&self.parent, "PARENT")
    }
}

fn context(dataset: &Dataset) -> Context {
    dataset.items[0].input.context(&*counter("chars/1").unwrap()).into_owned()
}

#[test]
fn contexts_are_what_files_makes_of_the_tree() {
    let Some(made) = Made::new() else { return };
    let dataset = made.dev();
    assert_eq!(
        (dataset.kind, dataset.material.name(), dataset.items.len()),
        ("repository", "repositories", 1)
    );
    let budgets: Vec<String> = dataset.budgets.iter().map(ToString::to_string).collect();
    assert_eq!(budgets, ["2000", "8000", "32000"]);
    let context = context(&dataset);
    let ids: Vec<&str> = context.blocks.iter().map(|block| block.id.as_str()).collect();
    assert_eq!(ids, [".github/ci.yml", "docs/guide.md", "empty.txt", "src/lib.rs", "src.md"]);
    assert_eq!(context.blocks[3].text, SOURCE);
    assert_eq!(context.blocks[3].as_passage().unwrap().path.as_deref(), Some("src/lib.rs"));
    assert_eq!(context.layout.omission, Some(Noun::new("file", "files")));
    assert_eq!(context.query.as_deref(), Some("Fix `one`.\n"));
    let without = made.read(Some("dev"), true).unwrap();
    assert_eq!(self::context(&without).query.as_deref(), Some("Fix ."));
}

#[test]
fn bare_repositories_are_found_too() {
    let Some(made) = Made::new() else { return };
    let clone = made.folder.path().join("mirror/me+tool");
    fs::rename(clone.join(".git"), clone.join("repo")).unwrap();
    assert_eq!(made.dev().items.len(), 1);
    fs::rename(clone.join("repo"), made.folder.path().join("bare")).unwrap();
    fs::remove_dir_all(&clone).unwrap();
    fs::rename(made.folder.path().join("bare"), &clone).unwrap();
    assert_eq!(made.dev().items.len(), 1);
}

/// Asserts that `expect` is kept of the functions, signatures and files of the first item when `shown` is. Returns the
/// share of gold tokens.
#[track_caller]
fn check(dataset: &Dataset, shown: &[(&'static str, &[(usize, usize)])], expect: [Option<f64>; 3]) -> f64 {
    let item = &dataset.items[0];
    let show = Show(shown.iter().map(|(id, ranges)| (*id, ranges.to_vec())).collect());
    let pipeline = Pipeline::new(counter("chars/1").unwrap()).with_strategy(show);
    let context = context(dataset);
    let whole = pipeline.fit(&context, &Budget::new(Tokens::MAX)).unwrap().metrics.tokens_before;
    let result = pipeline.fit(&context, &Budget::new(whole.saturating_sub(Tokens::new(1)))).unwrap();
    assert_eq!(result.strategy(), Some("show"), "{:?}", result.stages);
    let kept = item.gold.judge(&context, Some(&result), pipeline.counter());
    assert_eq!([kept.functions, kept.signatures, kept.files], expect, "{}", result.text);
    assert_eq!(Some(kept.fraction), kept.functions.or(kept.files), "the evidence is the functions, if any");
    assert_eq!(kept.all, kept.fraction >= 1.0);
    kept.gold_share.unwrap()
}

#[test]
fn functions_signatures_and_files_are_looked_for_by_lines() {
    let Some(made) = Made::new() else { return };
    let dataset = made.dev();
    let at = |part: &str| SOURCE.find(part).unwrap();
    let (one, second, end, two) = (at("fn one"), at("    2;"), at("\nfn two"), at("fn two"));
    let (file, guide) = ("src/lib.rs", "docs/guide.md");
    let half = Some(0.5);
    check(&dataset, &[(file, &[]), (guide, &[])], [Some(1.0), Some(1.0), Some(1.0)]);
    check(&dataset, &[(file, &[(one, end)])], [half, half, half]);
    // The blank line inside may be missing, and the last line feed.
    check(&dataset, &[(file, &[(one, second - 1), (second, end - 1)])], [half, half, half]);
    check(&dataset, &[(file, &[(two, two + 10)])], [Some(0.0), half, half]);
    let alone = check(&dataset, &[(file, &[])], [Some(1.0), Some(1.0), half]);
    let beside = check(&dataset, &[(file, &[]), ("src.md", &[])], [Some(1.0), Some(1.0), half]);
    assert!(0.0 < beside && beside < alone && alone < 1.0, "{beside}, {alone}");
    assert_eq!(check(&dataset, &[("src.md", &[])], [Some(0.0); 3]), 0.0);
    let guard = made.read(Some("guard.dev"), false).unwrap();
    assert!(check(&guard, &[(guide, &[(9, 17)])], [None, None, Some(1.0)]) > 0.0);
    assert_eq!(check(&guard, &[(file, &[])], [None, None, Some(0.0)]), 0.0);
}

#[test]
fn without_a_result_nothing_is_kept() {
    let Some(made) = Made::new() else { return };
    let dataset = made.dev();
    let kept = dataset.items[0].gold.judge(&context(&dataset), None, &*counter("chars/1").unwrap());
    let nothing = Some(0.0);
    let expect = Kept {
        functions: nothing,
        signatures: nothing,
        files: nothing,
        gold_share: nothing,
        ..Kept::default()
    };
    assert_eq!(kept, expect);
}

#[test]
fn the_split_is_a_file_with_commits() {
    let Some(made) = Made::new() else { return };
    fs::write(made.folder.path().join("data/notes.jsonl"), "{\"id\": \"n1\"}\n").unwrap();
    let error = made.read(None, false).unwrap_err().to_string();
    assert_eq!(error.rsplit_once(" has ").unwrap().1, "the splits dev, guard.dev; choose one");
    assert_eq!(made.read(Some("guard.dev"), false).unwrap().split, "guard.dev");
}

#[test]
fn what_is_not_there_is_skipped_and_counted() {
    let Some(made) = Made::new() else { return };
    let guide = r#"{"path": "docs/guide.md", "functions": []}"#;
    let elsewhere = |id: &str| made.line(id, guide).replace("me+tool", "you+tool");
    let unborn = made.line("c3", guide).replace(&made.parent, "00ff");
    let binary = made.line("c4", r#"{"path": "logo.png", "functions": []}"#);
    let lines = [elsewhere("c1"), made.line("c0", guide), elsewhere("c2"), unborn, binary];
    made.write("dev", &lines);
    let dataset = made.dev();
    assert_eq!(dataset.items.iter().map(|item| item.id.as_str()).collect::<Vec<_>>(), ["c0"]);
    let skipped: String = dataset.skipped.iter().map(|(reason, n)| format!("{n} with {reason}\n")).collect();
    let place = made.folder.path().to_string_lossy();
    let skipped = skipped.replace(&*place, "here").replace(&made.parent, "PARENT");
    assert_eq!(
        skipped,
        "1 with no commit 00ff in me+tool\n2 with no repository you+tool in here/mirror\n\
         1 with no text logo.png in me+tool at PARENT\n"
    );
    assert_eq!(
        made.told(&[elsewhere("c1"), elsewhere("c2")]),
        "here/data: none of its 2 items can be measured; --repositories needs DIR/OWNER+NAME/repo or DIR/OWNER+NAME:\n  \
         2 with no repository you+tool in here/mirror"
    );
    let error = Dataset::read(&made.folder.path().join("data"), Some("dev")).unwrap_err().to_string();
    assert!(error.ends_with(
        "dev.jsonl needs git repositories: give --repositories DIR, a folder with OWNER+NAME/repo or OWNER+NAME"
    ));
}

#[test]
fn every_fault_has_its_place() {
    let Some(made) = Made::new() else { return };
    let function =
        |lines: &str| made.line("c1", &format!(r#"{{"path": "src/lib.rs", "functions": [{lines}]}}"#));
    for (line, expect) in [
        (
            function(r#"{"start": 9, "end": 13, "sig_line": 9}"#),
            "gold[0].functions[0]: lines 9 to 13 (signature on 9) are not a function in the 12 lines of src/lib.rs",
        ),
        (
            function(r#"{"start": 3, "end": 7, "sig_line": 8}"#),
            "gold[0].functions[0]: lines 3 to 7 (signature on 8) are not a function in the 12 lines of src/lib.rs",
        ),
        (
            function("").replace(&made.parent, "--help"),
            "parent: expected the hexadecimal name of a commit, found \"--help\"",
        ),
    ] {
        assert_eq!(made.told(&[line]), format!("here/data/dev.jsonl: line 1: {expect}"));
    }
    made.write("dev", &[function("").replace("query_noid", "query_other")]);
    assert_eq!(made.dev().items.len(), 1);
    let error = made.read(Some("dev"), true).unwrap_err().to_string();
    assert!(error.ends_with("line 1: query_noid: expected a string, found nothing"), "{error}");
}
