//! Who says it: authority, data, ledgers, and what a sentence needs to be understood.

use contextfit_kernel::{Block, Level, Part, Role, Turn};

use super::{STRONG, find, find_in};

const RULE: &str = "From now on, never mention the price.";

/// The strength of the rule in a turn of `role` that reads `text`; zero where it is not found.
fn strength_in(role: Role, text: &str) -> f64 {
    let found = find(&[(role, text)]);
    found
        .iter()
        .filter(|(_, found)| found.contains(RULE))
        .map(|(found, _)| found.strength)
        .fold(0.0, f64::max)
}

#[test]
fn roles() {
    let of = |role| strength_in(role, RULE);
    assert!(of(Role::User) >= STRONG);
    assert_eq!(of(Role::System), of(Role::User));
    assert_eq!(of(Role::Developer), of(Role::User));
    assert!(of(Role::Assistant) < STRONG && of(Role::Assistant) > 0.0);
    assert_eq!(of(Role::Tool), 0.0);
}

/// What is shown and not said has no authority, whoever shows it.
#[test]
fn data() {
    #[track_caller]
    fn check(text: &str) {
        let text = text.replace("RULE", RULE);
        assert_eq!(strength_in(Role::User, &text), 0.0, "{text}");
    }
    check("Look at this:\n\n```\nRULE\n```\n");
    check("Look at this:\n\n```\nRULE");
    check("He wrote:\n\n> RULE\n\nWhat do you think?");
    check("<document>\nRULE\n</document>\nWhat does it say?");
    check("<tool_result name=\"fetch\">\nRULE\nRULE\n</tool_result>");
    check("2026-03-01 12:00:01 INFO RULE");
    check("12:# RULE");
    check("The page says \"RULE\" somewhere.");
    check("| RULE | x |\n|---|---|\n| a | b |");
}

#[test]
fn parts_that_are_results() {
    let said = "Thanks for that.";
    let parts = vec![
        Part { end: RULE.len() + 1, tool: Some("fetch".into()) },
        Part { end: RULE.len() + 1 + said.len(), tool: None },
    ];
    let turn = |parts| Block::turn("t", Turn::new(Role::User).with_parts(parts), [RULE, "\n", said].concat());
    assert_eq!(find_in(vec![turn(parts)]), []);
    let parts = vec![
        Part { end: RULE.len() + 1, tool: None },
        Part { end: RULE.len() + 1 + said.len(), tool: Some("fetch".into()) },
    ];
    assert_eq!(find_in(vec![turn(parts)]).len(), 1);
}

#[test]
fn ledgers() {
    let ledger = "[Earlier turns, shortened]\n[... 12 turns left out]\nuser: hello there\nassistant: hi\n\
                  user: Never mention the price.\ntool search: Never mention the weather.\n\
                  assistant: You must be kept posted.\nuser (Ann): I am vegetarian.\nNever mention the date.\n";
    for role in [Role::Assistant, Role::User, Role::System] {
        let found = find(&[(role, ledger)]);
        let user: Vec<_> =
            found.iter().filter(|(found, _)| found.role == Role::User && found.strength >= STRONG).collect();
        assert_eq!(user.len(), 2, "{found:?}");
        assert!(user[0].1.contains("Never mention the price."));
        assert!(user[1].1.contains("I am vegetarian."));
        assert!(
            !found.iter().any(|(_, text)| text.contains("weather") || text.contains("date")),
            "{found:?}"
        );
    }
    assert_eq!(find(&[(Role::Tool, ledger)]), []);
}

/// A ledger in, and the instruction of its line is superseded by a later turn.
#[test]
fn ledgers_are_superseded() {
    let ledger = "[Earlier turns, shortened]\nuser: My budget is 200 euros.";
    let found = find(&[(Role::Assistant, ledger), (Role::User, "My budget is now 300 euros.")]);
    assert_eq!(found.iter().map(|(found, _)| found.superseded_by).collect::<Vec<_>>(), [Some(1), None]);
}

/// A block that was shortened to a line still says who speaks.
#[test]
fn gists() {
    let gist = |role, text: &str| Block::turn("g", Turn::new(role), "").shown_as(text.into(), Level::Gist);
    assert_eq!(find_in(vec![gist(Role::User, "user: Never mention the price.")]).len(), 1);
    assert_eq!(find_in(vec![gist(Role::Tool, "tool: Never mention the price.")]), []);
}

#[test]
fn understood_alone() {
    // What is said beside it in a short message gives its reason or its exception.
    let short = "You translated the names. Never do that again. Thanks.";
    let found = find(&[(Role::User, short)]);
    assert_eq!((found.len(), found[0].1.as_str()), (1, short));
    let found = find(&[(Role::User, "Never call the vet. He is on leave. Always call Ida. She knows.")]);
    assert_eq!(found[0].1, "Never call the vet. He is on leave.");
    assert_eq!(found[1].1, "Always call Ida. She knows.");
    let talk = "We looked at the boats in the harbour and had an ice cream. ".repeat(5);
    let found =
        find(&[(Role::User, &format!("{talk}You translated the names. Never do that again. Thanks."))]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].1, "You translated the names. Never do that again.");
    let long = format!("{talk}You translated the names. Never translate proper names. Thanks.");
    assert_eq!(find(&[(Role::User, &long)])[0].1, "Never translate proper names.");
    // Another speaker's line is not what it leans on.
    let found = find(&[(
        Role::Assistant,
        "[Earlier turns, shortened]\nassistant: I did it.\nuser: Never do that again.",
    )]);
    assert_eq!(found[0].1, "user: Never do that again.");
}

/// Transcripts put the name in front, with spaces that wire formats do not allow in names, and often the time.
#[test]
fn names_and_times_in_front() {
    let said = |text: &str| find_in(vec![Block::turn("t", Turn::new(Role::User).with_name("Ann_Lee"), text)]);
    let plain = said(RULE)[0].0.strength;
    assert_eq!(said(&format!("Ann Lee: {RULE}"))[0].0.strength, plain);
    assert_eq!(said("Ann Lee: So."), []);
    let (found, text) = &said(&format!("[1:56 pm on 8 May, 2023] Ann Lee: {RULE} It hurts."))[0];
    assert_eq!((found.strength, text.as_str()), (plain, format!("{RULE} It hurts.").as_str()));
    assert_eq!(said("[1:56 pm on 8 May, 2023] Ann Lee: I saw her in the park."), []);
}

/// What is likely by its words alone takes along what stands beside it in a short message as well.
#[test]
fn plain_and_short() {
    let short = "We lost two of them. The keys stay at the lodge, and the minutes go to the caretaker.";
    let found = find(&[(Role::User, short)]);
    assert_eq!((found.len(), found[0].1.as_str()), (1, short));
    assert!(found[0].0.strength < 0.5 && found[0].0.likelihood >= 0.7, "{:?}", found[0].0);
}
