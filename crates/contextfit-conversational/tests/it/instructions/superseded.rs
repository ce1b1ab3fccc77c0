//! What takes the place of what.

use contextfit_kernel::{Block, Role, Turn};

use super::{find, find_in};

/// For each sentence, a turn each, the place of the one that supersedes it; all must be found.
#[track_caller]
fn check(turns: &[&str], expect: &[Option<usize>]) {
    let talk: Vec<_> = turns.iter().map(|text| (Role::User, *text)).collect();
    let found = find(&talk);
    assert_eq!(
        found.iter().map(|(found, _)| found.block).collect::<Vec<_>>(),
        (0..turns.len()).collect::<Vec<_>>()
    );
    assert_eq!(found.iter().map(|(found, _)| found.superseded_by).collect::<Vec<_>>(), expect);
}

#[test]
fn slots() {
    check(&["Call me Ann.", "Call me Dr Lee."], &[Some(1), None]);
    check(&["Answer in French.", "Answer in German.", "Answer in Dutch."], &[Some(1), Some(2), None]);
    check(&["My budget is 200.", "Keep answers short.", "My budget is 300."], &[Some(2), None, None]);
    check(&["Use metric units.", "Use imperial units from now on."], &[Some(1), None]);
}

#[test]
fn corrections() {
    check(&["Never use emojis.", "You can use emojis again."], &[Some(1), None]);
    check(&["We'll use MySQL for storage.", "Actually, let's use SQLite for storage."], &[Some(1), None]);
    check(&["Send reports at most 3 times a day.", "Scratch that."], &[Some(1), None]);
}

/// One word in common, in what the same people ask for, says little; "no longer than" takes nothing back.
#[test]
fn beside_each_other() {
    for pair in [
        [
            "Always put calls from the tax office through to Vera, extension 219.",
            "I prefer a seat by the window in any office, strip lights give me headaches.",
        ],
        ["Keep your answers under 100 words.", "Titles should be no longer than 60 characters."],
        ["Each slide needs a title.", "Each slide may have three bullet points at most."],
    ] {
        check(&pair, &[None, None]);
    }
}

#[test]
fn days_in_the_plural() {
    check(&["Deploy only on Fridays.", "Deploy only on Tuesdays."], &[Some(1), None]);
}

/// Said anew in other words: what is rare in both, and another value measured alike or a word that sets them against each other.
#[test]
fn renewed() {
    check(
        &[
            "Rent the small van for at most 90 dollars a day.",
            "Small vans went up, so rent one for 110 dollars a day at the most.",
        ],
        &[Some(1), None],
    );
    check(
        &[
            "The choir must rehearse at 18:30 in the chapel.",
            "Rehearsals of the choir in the chapel begin at 19:00 and never sooner.",
        ],
        &[Some(1), None],
    );
    check(
        &[
            "Water the ferns in the hall at most 2 times a week.",
            "The ferns in the hall must get at least 4 hours of light.",
        ],
        &[None, None],
    );
}

#[test]
fn unrelated() {
    check(&["Never use emojis.", "Never use footnotes."], &[None, None]);
    check(&["The budget for Rome is 200.", "The budget for Oslo is 300."], &[None, None]);
    check(&["Always answer in French.", "Actually, keep it under 50 words."], &[None, None]);
}

/// Nobody takes back what somebody with more authority said, or what another says of himself.
#[test]
fn speakers() {
    let found = find(&[(Role::System, "Never use emojis."), (Role::User, "You can use emojis again.")]);
    assert!(found[0].0.stands());
    let found = find(&[
        (Role::User, "Never use emojis."),
        (Role::Assistant, "Correction: you must always use emojis."),
    ]);
    assert!(found[0].0.stands());
    let said = |name: &str, text: &str| Block::turn("t", Turn::new(Role::User).with_name(name), text);
    let found = find_in(vec![said("Ann", "I am vegetarian."), said("Ben", "I am vegan.")]);
    assert!(found[0].0.stands());
    let found = find_in(vec![said("Ann", "I am vegetarian."), said("Ann", "I am vegan.")]);
    assert!(!found[0].0.stands());
}

/// A remark that hardly is an instruction takes no place, whatever words it shares.
#[test]
fn remarks() {
    let found = find(&[
        (Role::User, "The feature extraction must run in under 200 milliseconds."),
        (Role::User, "Somebody had heard of 30 features instead."),
    ]);
    assert!(found[0].0.stands(), "{found:?}");
}

/// Words that hold any sentence together join none.
#[test]
fn fillers() {
    let rules = [
        "From now on reply to me in Portuguese, even when I paste something in English.",
        "Our committee must sign off whatever goes over 250 pounds.",
        "After all, even the lift takes 600 kilos now, so from here on the piano goes up instead.",
    ];
    check(&rules, &[None, None, None]);
}
