//! The record of earlier turns: whatever is accepted is written back unchanged, and an entry cannot be forged.

#![no_main]

use contextfit_kernel::{Label, Record, Role, Voice, entry_body, labelled};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Some(record) = Record::parse(text) {
        assert_eq!(record.to_string(), text);
        assert!(record.entries.iter().all(|(label, _)| (record.from..=record.to).contains(&label.number)));
    }
    if let Some((label, rest)) = Label::parse(text) {
        assert_eq!(format!("{label}:{rest}"), text);
    }
    // Any text under any name is one entry of one turn.
    let name = text.lines().next().map(str::to_owned);
    let label = Label::new(2, Voice::Said { role: Role::User, name });
    let entry = labelled(&label, [text]);
    let record = Record { from: 1, to: 3, left_out: 0, entries: vec![(label, entry.clone())] };
    assert_eq!(Record::parse(&record.to_string()).as_ref(), Some(&record));
    assert_eq!(labelled(&record.entries[0].0, [entry_body(&entry)]), entry);
});
