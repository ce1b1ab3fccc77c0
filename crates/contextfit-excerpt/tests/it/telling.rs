//! What must be shown even when little is: the one unlike the others, outcomes, and what a line is about.

use std::fmt::Write as _;

use contextfit_text::CharsPer;

use super::shown;

/// Asserts that one in `share` of the tokens of `text` shows all of `expect`.
#[track_caller]
fn check(text: &str, share: usize, expect: &[&str]) {
    let counter = CharsPer::new(4).unwrap();
    let shown = shown(text, &[], text.len() / 4 / share, &counter);
    for expect in expect {
        assert!(shown.contains(expect), "{expect:?} is missing in\n{shown}");
    }
}

/// `lines` lines by `line`, but for the one at `at`.
fn all_but(lines: usize, at: usize, line: impl Fn(usize) -> String, other: &str) -> String {
    (0..lines).map(|n| if n == at { other.to_owned() } else { line(n) } + "\n").collect()
}

#[test]
fn the_row_unlike_the_others() {
    let pod = |n: usize| format!("shop-api-7d9f8b6c5d-{n:05}   1/1     Running   0          {}d", n % 40);
    let other = "shop-api-7d9f8b6c5d-00077   0/1     Running   0          29d";
    let pods = "NAME                        READY   STATUS    RESTARTS   AGE\n".to_owned()
        + &all_but(200, 77, pod, other);
    check(&pods, 6, &["0/1"]);

    let step = |n: usize| format!("[{n:03}] step ok errors=0 warnings=0");
    check(
        &all_but(300, 210, step, "[210] step ok errors=0 warnings=0 skipped=17 (no key)"),
        6,
        &["skipped=17"],
    );

    let request = |n: usize| {
        format!(
            "{{\"ts\": {}, \"msg\": \"done\", \"status\": 200, \"ms\": {}}}",
            1_700_000_000 + n,
            n * 7 % 40
        )
    };
    let slow = "{\"ts\": 1700000099, \"msg\": \"done\", \"status\": 200, \"ms\": 29900}";
    check(&all_but(300, 99, request, slow), 6, &["29900"]);
}

#[test]
fn a_record_unlike_the_others() {
    let container = |n: usize, killed: bool, code: u8| {
        format!(
            "  {{\n    \"Name\": \"/app_{n}\",\n    \"State\": {{\n      \"OOMKilled\": {killed},\n      \"ExitCode\": {code}\n    }}\n  }}"
        )
    };
    let containers: Vec<String> =
        (0..14).map(|n| if n == 9 { container(n, true, 137) } else { container(n, false, 0) }).collect();
    check(&format!("[\n{}\n]\n", containers.join(",\n")), 4, &["\"OOMKilled\":true", "137", "/app_9"]);
}

#[test]
fn what_an_assertion_found_and_the_outcome() {
    let mut text = String::from("============ test session starts ============\ncollected 212 items\n\n");
    (0..40).for_each(|n| writeln!(text, "tests/test_m{n}.py ..........       [{:>3}%]", n * 2).unwrap());
    text += "\n============ FAILURES ============\n____________ test_refund ____________\n\n    def test_refund():\n\
             >       assert refund(order, 250) == 750\nE       assert 1250 == 750\n\ntests/test_refund.py:31: AssertionError\n\
             ------------ Captured stdout call ------------\n";
    (0..40).for_each(|n| writeln!(text, "refund step {n}: balance {}", 1000 + n).unwrap());
    text += "============ 1 failed, 210 passed in 12.31s ============\n";
    check(&text, 9, &["E       assert 1250 == 750", "1 failed, 210 passed"]);

    let changes = all_but(60, 99, |n| format!("  ~ tag = \"a{n}\" to \"b{n}\""), "");
    check(&(changes + "\nPlan: 1 to add, 25 to change, 1 to destroy.\n"), 10, &["1 to destroy."]);
}

#[test]
fn where_an_error_happened() {
    let mut text = String::from(
        "TypeError: Cannot read properties of undefined\n    at total (/srv/app/src/cart.ts:41:23)\n",
    );
    (0..40).for_each(|n| {
        writeln!(text, "    at Layer.handle (/srv/app/node_modules/express/lib/layer.js:{n}:5)").unwrap();
    });
    check(&text, 12, &["TypeError", "cart.ts:41"]);
}

#[test]
fn the_subject_of_a_commit() {
    let mut text =
        String::from("commit 51bc1a9c\nAuthor: A <a@b.c>\nDate:   Wed Nov 25\n\n    Count runs once\n\n");
    text += "diff --git a/a.rs b/a.rs\n--- a/a.rs\n+++ b/a.rs\n@@ -1,40 +1,80 @@\n";
    (0..40).for_each(|n| writeln!(text, " line {n}\n+added line number {n}").unwrap());
    check(&text, 8, &["Count runs once"]);
}

#[test]
fn a_key_is_shown_under_its_parents() {
    let path = |n: usize| {
        format!(
            "  /v1/things_{n}:\n    get:\n      summary: \"List things {n}\"\n      responses:\n        \"200\":\n          description: \"all right\"\n"
        )
    };
    let mut text = String::from("openapi: 3.0.0\npaths:\n");
    (0..30).for_each(|n| text += &path(n));
    text += "  /v1/refunds:\n    post:\n      responses:\n        \"409\":\n          description: \"invalid key\"\n";
    let shown = shown(&text, &["invalid"], text.len() / 4 / 8, &CharsPer::new(4).unwrap());
    for parent in ["paths:", "  /v1/refunds:", "    post:", "        \"409\":", "invalid key"] {
        assert!(shown.contains(parent), "{parent:?} is missing in\n{shown}");
    }
}

/// A line of a section says nothing without the section's title.
#[test]
fn a_line_is_shown_under_the_title_of_its_section() {
    let all = |section: &dyn Fn(usize) -> String| (0..20).map(section).collect::<String>();
    let counter = CharsPer::new(4).unwrap();
    let timeout = |n: usize| if n == 13 { 90 } else { 5 };
    let check = |text: &str, asked: &[&str], title: &str, line: &str| {
        let shown = shown(text, asked, text.len() / 4 / 8, &counter);
        let (title, line) = (shown.find(title), shown.find(line));
        assert!(title.is_some() && title < line, "{asked:?}: {title:?}, {line:?} in\n{shown}");
    };
    let ini = all(&|n| format!("[service.s{n}]\nport = 80{n:02}\nretries = 3\ntimeout = {}\n\n", timeout(n)));
    check(&ini, &["service.s13"], "[service.s13]", "timeout = 90");
    let hosts = all(&|n| format!("host h{n}\n  user deploy\n  port {}\n  key ~/.ssh/{n}\n\n", timeout(n)));
    check(&hosts, &["host h13"], "host h13", "port 90");
    let links = all(&|n| {
        let errors = if n == 13 { 4411 } else { 0 };
        format!(
            "eth{n}: flags=4163<UP>  mtu 1500\n    RX packets 9{n}1\n    RX errors {errors}  dropped 0\n\n"
        )
    });
    check(&links, &[], "eth13:", "RX errors 4411");
    let pods = all(&|n| {
        let replicas = if n == 13 { 0 } else { 3 };
        format!(
            "kind: Deployment\nmetadata:\n  name: shop-{n}\n  namespace: a\nspec:\n  replicas: {replicas}\n---\n"
        )
    });
    check(&pods, &["replicas: 0"], "name: shop-13", "replicas: 0");
}

#[test]
fn a_rare_error_of_a_compiler_and_the_change_of_a_merge() {
    let error =
        |n: usize| format!("src/c{n}.ts({n},3): error TS2322: Type 'a' is not assignable to type 'b'.");
    check(
        &all_but(50, 30, error, "src/pay.ts(88,4): error TS2304: Cannot find name 'Stripe'."),
        8,
        &["Stripe"],
    );

    let mut merge = String::from(
        "commit 51bc1a9c\nMerge: 1 2\n\n    Merge: b\n\ndiff --cc a.rs\n--- a/a.rs\n+++ b/a.rs\n",
    );
    merge += "@@@ -1,41 -1,41 +1,41 @@@\n";
    (0..40).for_each(|n| writeln!(merge, "  line {n} as it was on both of the sides").unwrap());
    merge += "- let limit = 3;\n -let limit = 4;\n++let limit = 7;\n";
    check(&merge, 6, &["++let limit = 7;"]);
}

/// A gap that ends within a line says how many lines it touches.
#[test]
fn lines_are_not_hidden_behind_characters() {
    let long = "x".repeat(300) + " " + &"--flag=value ".repeat(60);
    let row = |n: usize| format!("root {n:>6} 0.0 0.1 S 09:28 [worker-{n}]");
    let text = "USER    PID %CPU %MEM S TIME COMMAND\n".to_owned()
        + &all_but(60, 30, row, &format!("root     30 9.9 9.9 R 09:28 {long}"));
    let counter = CharsPer::new(4).unwrap();
    for share in [4, 8] {
        let shown = shown(&text, &["--flag"], text.len() / 4 / share, &counter);
        for marker in shown.lines().filter(|line| line.contains("characters]")) {
            assert!(!marker.starts_with("[... "), "whole lines behind {marker:?}");
        }
    }
}

#[test]
fn what_a_single_record_says_of_its_state() {
    let mut flags = String::new();
    (0..6).for_each(|n| write!(flags, "\"Is{n}\": false, ").unwrap());
    let mut settings = String::new();
    (0..60).for_each(|n| write!(settings, "\"Setting{n}\": \"v\", ").unwrap());
    let record = format!(
        "{{\"Id\": \"9f1c\", {settings}\"State\": {{\"Status\": \"exited\", {flags}\"OOMKilled\": true, \"Pid\": 0, \"ExitCode\": 137}}, {settings}\"End\": 1}}"
    );
    check(&record, 8, &["\"OOMKilled\":true", "\"ExitCode\":137"]);
}

#[test]
fn the_value_unlike_the_others_of_its_key() {
    let service = |n: usize| {
        let replicas = if n == 6 { 0 } else { 3 };
        format!(
            "- kind: Service\n  metadata:\n    name: svc-{n}\n    team: shop\n  spec:\n    replicas: {replicas}\n    port: 8080\n"
        )
    };
    let list: String = "items:\n".to_owned() + &(0..12).map(service).collect::<String>();
    check(&list, 5, &["name: svc-6", "replicas: 0"]);
}

#[test]
fn a_state_unlike_the_others() {
    let state = |n: usize| format!("worker-{n} state Running since {n} days");
    check(&all_but(60, 41, state, "worker-41 state CrashLoopBackOff since 2 days"), 8, &["CrashLoopBackOff"]);
    // In other languages as well.
    let line = |n: usize| {
        format!("src/Bill{n}.java:{n}: \u{60c5}\u{5831}: \u{6e08}\u{307f}\u{307e}\u{3057}\u{305f}")
    };
    let other =
        "src/Bill9.java:15: \u{30a8}\u{30e9}\u{30fc}: \u{578b}\u{304c}\u{4e0d}\u{6b63}\u{3067}\u{3059}";
    check(&all_but(60, 41, line, other), 8, &[other]);
}

#[test]
fn both_sides_of_a_failed_comparison() {
    let passed: String = (0..30).fold(String::new(), |mut all, n| {
        let _ = writeln!(all, "PASS src/case{n}.test.ts");
        all
    });
    let failed = "FAIL src/tax.test.ts\n  \u{25cf} tax \u{203a} reduced\n\n    expect(received).toBe(expected)\n\n    \
                  Expected: 10.7\n    Received: 11.9\n\n      at Object.toBe (src/tax.test.ts:33:27)\n";
    check(
        &format!("{passed}{failed}{passed}"),
        5,
        &["tax \u{203a} reduced", "Expected: 10.7", "Received: 11.9"],
    );
}

#[test]
fn a_row_of_a_page_under_its_heading() {
    let part = |name: &str, state: &str| {
        format!(
            "<h2\n>{name}</h2>\n<table>\n<tr><th>Region</th><th>State</th></tr>\n<tr><td>east</td><td>Operational</td></tr>\n\
             <tr><td>west</td><td>{state}</td></tr>\n</table>\n"
        )
    };
    let parts = ["Search", "Carts", "Refunds", "Mail", "Exports", "Login", "Tax"]
        .map(|name| part(name, if name == "Refunds" { "Outage since 08:41" } else { "Operational" }));
    let page = format!(
        "<html>\n<head>\n<title>Status</title>\n</head>\n<body>\n{}</body>\n</html>\n",
        parts.concat()
    );
    let shown = shown(&page, &["Outage"], page.len() / 4 / 3, &CharsPer::new(4).unwrap());
    let outage = shown.find("Outage since 08:41").unwrap();
    let above = &shown[shown.find(">Refunds</h2>").unwrap()..outage];
    assert!(above.contains("<th>State</th>") && !above.contains("Mail"), "{shown}");
}

#[test]
fn errors_behind_times_and_fields() {
    let line = |text: &str| format!("build\tRun tests\t2026-01-02T03:04:05.1234567Z {text}\n");
    let steps: String = (0..60).map(|n| line(&format!("step {n} of the build is done"))).collect();
    let failure = [
        "==== FAILURES ====",
        "E       assert 40 == 41",
        "FAILED tests/test_a.py::test_sum - assert 40 == 41",
    ];
    let log = format!("{steps}{}{steps}", failure.map(line).concat());
    check(&log, 10, &["FAILED tests/test_a.py::test_sum"]);
}

#[test]
fn a_conflict_and_what_functions_changed() {
    let change =
        |n: usize| format!("  let a{n} = {n};\n-}}\n+fn changed_{n}(a: u32, b: u32) -> u32 {{\n+}}\n");
    let hunk: String = (0..20).map(change).collect();
    let diff = format!(
        "Auto-merging a.rs\nCONFLICT (content): Merge conflict in a.rs\ndiff --git a/a.rs b/a.rs\n--- a/a.rs\n+++ b/a.rs\n\
         @@ -1,40 +1,60 @@\n{hunk}"
    );
    check(&diff, 4, &["CONFLICT (content): Merge conflict in a.rs", "+fn changed_0("]);
}

/// A change that is like all others but for one word is shown, and the first of the others.
#[test]
fn the_change_unlike_the_others() {
    let file = |n: usize| {
        let quiet = if n == 14 { "True" } else { "quiet" };
        format!(
            "diff --git a/p{n}.py b/p{n}.py\n--- a/p{n}.py\n+++ b/p{n}.py\n@@ -9,3 +9,3 @@ def parse(data):\n     \"\"\"\n-    compatibility(name_of(module), info_of(module).compatible, quiet)\n+    check_compat(info_of(module), module.compatible, quiet={quiet})\n     return data\n"
        )
    };
    let diff: String = (0..25).map(file).collect();
    check(&diff, 6, &["+++ b/p14.py", "compatible, quiet=True)", "compatible, quiet=quiet)"]);
}

/// Keys of the outermost object do not displace the record unlike the others.
#[test]
fn the_record_unlike_the_others_of_an_object() {
    let record = |n: usize| {
        let state = if n == 3 { "STOPPED" } else { "RUNNING" };
        format!(" \"k{n}\": {{\n  \"meta\": {{\n   \"h\": {n}\n  }},\n  \"state\": \"{state}\"\n }}")
    };
    let records: Vec<String> = (0..20).map(record).collect();
    check(&format!("{{\n{}\n}}\n", records.join(",\n")), 4, &["\"k3\"", "STOPPED"]);
}

/// What stands beside an error belongs to it.
#[test]
fn the_message_beside_a_failure() {
    let result = |n: usize| {
        let (status, message) = match n {
            31 => ("failed", "a parcel of 3 kg costs 4.20, and 4.90 was asked for"),
            _ => ("passed", "the price of the parcel is the one in the list"),
        };
        format!(
            "{{\"name\": \"test_{n}\", \"status\": \"{status}\", \"output\": [\"{message}\"], \"seconds\": 0.{n}}}"
        )
    };
    let results: Vec<String> = (0..60).map(result).collect();
    check(&format!("{{\"results\": [{}]}}", results.join(", ")), 20, &["\"failed\"", "4.90 was asked for"]);
}

/// If the first drafts are too long, the last one is not the shortest possible.
#[test]
fn most_of_the_room_is_used() {
    // The sum of the tokens of parts is exact by characters, so no draft would be too long.
    let counter = contextfit_text::counter("o200k_base").unwrap();
    let record = |n: usize| format!("{{\"id\":\"{n}\",\"price\":\"{n}.99\",\"qty\":\"1\",\"t\":\"1e5\"}}");
    let records: Vec<String> = (0..300).map(record).collect();
    let text = format!("[{}]", records.join(","));
    for room in 250..400 {
        let tokens = counter.count(&shown(&text, &[], room, &*counter)).get();
        assert!(tokens <= room && tokens * 2 > room, "{tokens} of {room}");
    }
}

/// What an error in JSON says comes before the rest of the response; a long object is a list of records, whose names
/// are not shown without their values.
#[test]
fn the_message_of_an_error_and_the_records_of_an_object() {
    let field = |n: usize| {
        format!(
            "\"field_{n}\": {{\"type\": \"string\", \"description\": \"What the field {n} is for, in a few words\", \"nullable\": false}}"
        )
    };
    let fields: Vec<String> = (0..20).map(field).collect();
    let response = format!(
        "{{\"error\": {{\"code\": \"invalid_window\", \"message\": \"'from' must be before 'to' in every report that is asked for\"}}, \"schema\": {{{}}}}}",
        fields.join(", ")
    );
    check(&response, 10, &["\"invalid_window\"", "'from' must be before 'to'"]);

    let package = |n: usize| {
        format!(
            "\"node_modules/p{n}\": {{\"version\": \"{n}.1.{n}\", \"resolved\": \"https://registry.test/p{n}/-/p{n}-{n}.1.{n}.tgz\", \"license\": \"MIT\"}}"
        )
    };
    let packages: Vec<String> = (0..60).map(package).collect();
    let lock = format!(
        "{{\"name\": \"api\", \"packages\": {{\"\": {{\"dependencies\": {{\"p3\": \"3.1.3\"}}}}, {}}}}}",
        packages.join(", ")
    );
    let counter = CharsPer::new(4).unwrap();
    let cut = shown(&lock, &[], lock.len() / 4 / 10, &counter);
    assert!(cut.contains("\"p3\":\"3.1.3\"") && cut.contains("\"version\""), "{cut}");
    let empty = cut.matches("{\"...\":").count();
    assert!(empty == 0, "{empty} names without a value in\n{cut}");
}
