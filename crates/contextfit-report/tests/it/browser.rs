//! The page in a real browser, if there is one.

use std::{fs, path::Path, process::Command};

use crate::{
    contexts::{Case, conversation, documents},
    page::{hostile, page_of},
};

/// Names of Chromium, on the path.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome-headless-shell"];

/// The browser to test in: `CONTEXTFIT_TEST_CHROMIUM`, or the first on the path.
fn browser() -> Option<String> {
    let runs =
        |name: &String| Command::new(name).arg("--version").output().is_ok_and(|ran| ran.status.success());
    let named = std::env::var("CONTEXTFIT_TEST_CHROMIUM").ok();
    named.into_iter().chain(BROWSERS.map(str::to_owned)).find(runs)
}

/// The document that `browser` makes of `page`, and what it reports. `open` is the number of a block to open.
fn load(browser: &str, folder: &Path, page: &str, open: usize) -> (String, String) {
    let file = folder.join("page.html");
    fs::write(&file, page).unwrap();
    let flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --enable-logging=stderr --virtual-time-budget=2000 --dump-dom";
    let ran = Command::new(browser)
        .args(flags.split_whitespace())
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}#{open}", file.display()))
        .output()
        .unwrap();
    (String::from_utf8(ran.stdout).unwrap(), String::from_utf8_lossy(&ran.stderr).into_owned())
}

/// Checks that the page of `case` runs without an error and shows `texts` with block `open` opened.
#[track_caller]
fn check(browser: &str, case: &Case, open: usize, texts: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let (document, told) = load(browser, folder.path(), &page_of(case, "result.json"), open);
    let errors: Vec<&str> = told.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert_eq!(errors, [""; 0]);
    assert!(document.contains("data-ready=\"yes\""), "{told}");
    // The data is in the document as well; what is shown comes before it.
    let shown = document.split("<script").next().unwrap();
    assert_eq!(shown.matches("<details class=\"row").count(), case.input.blocks.len());
    for text in texts {
        assert!(shown.contains(text), "{text}\n{shown}");
    }
}

#[test]
fn pages_run_in_a_browser() {
    let Some(browser) = browser() else {
        eprintln!("skipped: no Chromium on the path; CONTEXTFIT_TEST_CHROMIUM can name one");
        return;
    };
    let cut = r#"<span class="k">The limit is 4096 bytes.</span><span class="m">[... 1 sentence]</span><span class="x"> Never"#;
    check(&browser, &documents(), 2, &[cut, "retry_count", "of 67 tokens"]);
    check(&browser, &documents(), 3, &["<pre class=\"instead\"><span class=\"s\">c.md</span>"]);
    check(
        &browser,
        &conversation(400),
        2,
        &["<span class=\"s\">#2 user: Never share my address.", "<span class=\"k\">Never share"],
    );
    let escaped = "&lt;img src=x onerror=alert(1)&gt;&lt;!--&lt;script&gt; {{data}}";
    check(&browser, &conversation(400), 3, &["<b>look_up </b><span class=\"x\">{\"order\": \"A-7731\"}"]);
    check(&browser, &hostile(), 1, &[escaped]);
}
