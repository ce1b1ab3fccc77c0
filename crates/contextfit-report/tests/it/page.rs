//! The page: its data, and that nothing in it is markup.

use contextfit_kernel::Action;
use contextfit_report::{Quality, page};
use serde_json::Value;

use crate::contexts::{Case, conversation, documents};

pub(crate) fn page_of(case: &Case, title: &str) -> String {
    let compression = case.compression();
    page(&compression, &Quality::of(&compression), title, "chars/1").unwrap()
}

/// The data in a page.
fn data(page: &str) -> Value {
    let (_, after) = page.split_once(r#"<script type="application/json" id="data">"#).unwrap();
    serde_json::from_str(after.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn the_data_has_every_block_in_place() {
    insta::assert_json_snapshot!("documents", data(&page_of(&documents(), "result.json")));
    insta::assert_json_snapshot!("conversation", data(&page_of(&conversation(400), "result.json")));
}

/// What would run, end the data or load something if it were markup.
pub(crate) const HOSTILE: &str = "</script><script>document.title='taken'</script><img src=x onerror=alert(1)>\
    <!--<script> {{data}} \u{2028} ]]> &lt;b&gt; <b>bold</b>";

pub(crate) fn hostile() -> Case {
    let blocks = [(HOSTILE, HOSTILE), ("b", HOSTILE)];
    Case::by_hand(&blocks, vec![Action::Keep, Action::Drop], HOSTILE)
}

#[test]
fn hostile_texts_stay_data() {
    let made = page_of(&hostile(), HOSTILE);
    let plain = page_of(&documents(), "result.json");
    for markup in ["<script", "</script", "<img", "<b>", "<!--"] {
        assert_eq!(made.matches(markup).count(), plain.matches(markup).count(), "{markup}");
    }
    let data = data(&made);
    assert_eq!(data["blocks"][0]["parts"][0][1], HOSTILE);
    assert_eq!([&data["title"], &data["query"]], [HOSTILE, HOSTILE]);
}

#[test]
fn the_page_loads_nothing() {
    let made = page_of(&documents(), "result.json");
    assert!(made.contains("default-src 'none'"));
    for loads in ["http:", "https:", " src=", "href=", "@import", "url(", "innerHTML", "eval("] {
        assert!(!made.contains(loads), "{loads}");
    }
}
