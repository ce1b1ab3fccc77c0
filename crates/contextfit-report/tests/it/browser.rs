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
    let page = page_of(case, "result.json");
    let shown = shown(browser, &page, open);
    assert_eq!(shown.matches("<details class=\"row").count(), case.input.blocks.len());
    for text in texts {
        assert!(shown.contains(text), "{text}\n{shown}");
    }
}

/// Checks that the page of the documents shows `texts` after `script`.
#[track_caller]
fn check_after(browser: &str, script: &str, texts: &[&str]) {
    let press = "const press = key => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));";
    let page = page_of(&documents(), "result.json");
    let page = page.replace("</body>", &format!("<script>{press}{script}</script></body>"));
    let shown = shown(browser, &page, 0);
    for text in texts {
        assert!(shown.contains(text), "{text}\n{shown}");
    }
}

/// The part of the document of `page` that is shown. The data comes after it.
#[track_caller]
fn shown(browser: &str, page: &str, open: usize) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (document, told) = load(browser, folder.path(), page, open);
    let errors: Vec<&str> = told.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert_eq!(errors, [""; 0]);
    assert!(document.contains("data-ready=\"yes\""), "{told}");
    document.split("<script").next().unwrap().to_owned()
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
    check(&browser, &hostile(), 2, &[escaped]);
    // Dropped blocks are listed when they are asked for.
    let listed = shown(&browser, &page_of(&hostile(), "result.json"), 1);
    assert_eq!(listed.matches("<details class=\"row").count(), 1);
    assert!(listed.contains(">Show 1 dropped ("), "{listed}");
    check_after(&browser, "press('j'); press('j'); press('o');", &["<details class=\"row cut\" open"]);
    check_after(&browser, "press('?');", &["<dialog id=\"keys\" aria-label=\"Keys\" open"]);
    let search = "press('/'); document.activeElement.value = 'RETRY'; document.activeElement.dispatchEvent(new Event('input'));";
    check_after(&browser, search, &[">1 of 3</span>", "<main id=\"blocks\"><details class=\"row cut"]);
    let filter = "document.querySelector('[data-of=described]').click();";
    check_after(&browser, filter, &[">1 of 3</span>", "<main id=\"blocks\"><details class=\"row described"]);
}
