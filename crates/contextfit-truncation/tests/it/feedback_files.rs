//! Histories as lines.

use contextfit_kernel::Level;
use contextfit_truncation::feedback::{Event, History, Reset, Rule, Scale, Scope, Score, Subject};

fn events() -> Vec<Event> {
    let subject = |path: &str| Subject::new("/home/me/shop", path, Some(Level::Gist));
    vec![
        Event::Restored(subject("/home/me/shop/src/a.rs").with_score(Score::new(Scale::Absolute, 0.1 + 0.2))),
        Event::Used(Subject { shown: None, ..subject("docs/ü\n.md") }),
        Event::Failed(subject("c1")),
        Event::Reset(Reset { project: "/home/me/shop".into(), scope: Scope::new("docs") }),
    ]
}

fn lines() -> Vec<String> {
    events().iter().map(|event| event.to_line().unwrap()).collect()
}

#[test]
fn lines_are_read_back() {
    let text = lines().concat();
    assert_eq!(
        text,
        "{\"event\":\"restored\",\"project\":\"/home/me/shop\",\"scope\":\"src\",\"block\":\"/home/me/shop/src/a.rs\",\
         \"shown\":1,\"score\":{\"scale\":\"absolute\",\"value\":0.30000000000000004}}\n\
         {\"event\":\"used\",\"project\":\"/home/me/shop\",\"scope\":\"docs\",\"block\":\"docs/ü\\n.md\",\"shown\":null}\n\
         {\"event\":\"failed\",\"project\":\"/home/me/shop\",\"scope\":\"\",\"block\":\"c1\",\"shown\":1}\n\
         {\"event\":\"reset\",\"project\":\"/home/me/shop\",\"scope\":\"docs\"}\n"
    );
    let (history, unread) = History::parse(&text);
    assert_eq!((history.events(), unread), (events().as_slice(), Vec::new()));
}

/// A line that is cut anywhere is reported, and all lines before it count; so do lines after it.
#[test]
fn a_torn_line_is_reported_and_loses_nothing() {
    let lines = lines();
    let before = lines[..2].concat();
    for torn in (1..lines[2].len() - 1).filter_map(|cut| lines[2].get(..cut)) {
        let (history, unread) = History::parse(&(before.clone() + torn));
        assert_eq!(history.events(), &events()[..2]);
        assert_eq!(unread.len(), 1, "{torn}");
        assert!(unread[0].torn && unread[0].line == 3);

        let (history, unread) = History::parse(&(before.clone() + torn + "\n" + &lines[3]));
        assert_eq!(history.events(), [&events()[..2], &events()[3..]].concat());
        assert!(unread.len() == 1 && !unread[0].torn && unread[0].line == 3);
    }
    let (history, unread) = History::parse(lines[0].trim_end());
    assert_eq!((history.events().len(), unread.len()), (1, 0), "a whole line without a line feed counts");
}

#[test]
fn bad_lines_are_reported() {
    let check = |line: &str, expect: &str| {
        let (history, unread) = History::parse(&format!("\n{line}\n"));
        assert!(history.events().is_empty());
        assert_eq!(unread[0].to_string(), expect);
    };
    check("{", "line 2: EOF while parsing an object at column 1");
    check("{\"event\":\"used\"}", "line 2: missing field `project`");
    check(
        "{\"event\":\"liked\"}",
        "line 2: unknown variant `liked`, expected one of `used`, `restored`, `failed`, `reset` at column 16",
    );
    check(
        "{\"event\":\"used\",\"project\":\"\",\"scope\":\"\",\"block\":\"\",\"shown\":1,\"score\":{\"scale\":\"absolute\",\"value\":7}}",
        "line 2: expected a score from 0 to 1, found 7",
    );
    let (_, unread) = History::parse("{\"event\":\"us");
    assert_eq!(
        unread[0].to_string(),
        "line 1: the line is incomplete: EOF while parsing a string at column 12"
    );
}

#[test]
fn absolute_and_relative_paths_share_their_scope() {
    let history: History = events().into_iter().collect();
    let state = history.state("/home/me/shop", Rule::new(Scale::Absolute, 0.4).unwrap());
    for path in ["src/b.rs", "./src/b.rs", "/home/me/shop/src/b.rs"] {
        assert_eq!(state.of(path).map(|(scope, _)| scope.as_str()), Some("src"), "{path}");
    }
}
