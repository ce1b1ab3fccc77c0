//! English sentences: the breaks of Unicode Standard Annex 29 and their repairs, rule by rule. A `¦` follows every
//! unit.

use crate::units::check;

/// Every text is divided at its bars.
#[track_caller]
fn all(texts: &[&str]) {
    for text in texts {
        check(text);
    }
}

#[test]
fn stops() {
    all(&[
        "",
        "No stop",
        "One.",
        "One.¦ Two.",
        "One!¦ Two?¦ Three.",
        "Short.¦ Line.\n",
        "What?!¦ No way!!¦ Yes.",
        "Really‽¦ Really.",
        "It works (mostly).¦ Good.",
        "It waits...¦ Then it goes.",
        "It waits... then it goes.",
        "He waits … then goes.",
        "End . . .¦ Next one.",
        "One.¦  Two.",
        "One.¦\tTwo.",
        "Stop.¦ 🙂 Go.",
    ]);
}

#[test]
fn small_letters_go_on() {
    all(&[
        "\"Why?\" she asked.",
        "“Stop!” he said, and left.",
        "The band Wham! was there.",
        "An exclamation! (as it were) and more.",
        "The file ends in .txt and is small.",
        "He uses .NET Framework at work.",
    ]);
}

#[test]
fn titles_and_initials() {
    all(&[
        "Dr. Who met Mrs. Brown and Prof. Smith.¦ They talked.",
        "Mr. It is a strange name.",
        "Gen. Grant met Sen. Sumner and Capt. Cook.",
        "J. R. R. Tolkien wrote it.¦ He was a professor.",
        "President George W. Bush spoke.",
        "St. Louis is on Mt. Fuji.",
        "Martin Luther King Jr. Day is in January.",
        "He was named after King Jr.¦ He liked it.",
        "Samuel L. Jackson acts.¦ Samuel L. does.",
        "Take vitamin C.¦ It helps.",
    ]);
}

#[test]
fn latin_abbreviations() {
    all(&[
        "Use a tool, e.g. Cargo, to build.",
        "The best one, i.e. Rust, won.",
        "See cf. Smith vs. Jones there.",
        "Apples, pears etc. Smith sells.",
        "Apples, pears, etc.¦ The shop sells them.",
        "As Smith et al. Showed in 1990, it works.",
        "As shown by Smith et al.¦ This is new.",
        "It took approx. 5 days.",
        "It is small (e.g. A is) and good.",
    ]);
}

#[test]
fn numbers_and_what_counts() {
    all(&[
        "See No. 5 and Fig. 3 on p. 7, vol. 2.",
        "He said no.¦ She said yes.",
        "Is it art?¦ It is art.¦ It hangs there.",
        "It happened on Jan. 5 and in Feb.¦ The rest is history.",
        "It costs $3.50 or 1.5 million.¦ Version 1.2.3 is out.",
        "It was 1990.¦ He was 5.¦ Then 6.",
        "Section 3.2.¦ Next.",
        "Room 5.¦ The end.",
        "He ran 3 km.¦ She ran 5 mi.¦ They won.",
        "1. Take it.¦ 2. Leave it.",
        "They left.¦ 35,064 people stayed.",
        "About 8 p. 5 is small.",
    ]);
}

#[test]
fn companies_places_and_times() {
    all(&[
        "He works at Foo Inc. Canada and Bar Ltd. London.",
        "He works at Foo Inc.¦ The firm is old.",
        "She lives in the U.S. Virgin Islands.",
        "She lives in the U.S.¦ The country is big.",
        "She lives in the U.S.¦ It is big.",
        "She lives in the U.S.¦ In Europe she does not.",
        "He came at 5 p.m. Monday.",
        "He came at 5 p.m.¦ He left at 6 a.m.¦ They waited.",
        "She has a Ph.D. from the U.K. and more.",
        "She has a Ph.D.¦ He has an M.A.¦ They work.",
        "Washington, D.C. Mayor Smith spoke.",
        "The Yahoo! Inc. building is tall.",
        "I did it.¦ So be it.¦ Trust me.¦ It is up to us.¦ Let it be so.¦ OK.",
    ]);
}

#[test]
fn names_of_places_in_the_net() {
    all(&[
        "See www.example.com.¦ It is there.",
        "See https://example.com/a.b?c=D&e=F!g for more.",
        "Go to https://example.com/Foo?Bar=Baz.¦ Read it.",
        "Write to john.doe@example.com.¦ He answers.",
        "Open main.rs and Cargo.toml.¦ Read README.md first.",
        "Use Node.js and System.Out or foo.Bar() here.",
        "Call fmt.Println to print and math.Floor to round.",
        "Use a!=b and c?.d here.",
        "It leaves $? = 255 at the end.",
        "It runs at 127.0.0.1 or 0.0.0.0.¦ Try it.",
    ]);
}

#[test]
fn quotes_and_brackets() {
    all(&[
        "He said “No.”¦ She left.",
        "\"It is.\"¦ \"It is not.\"",
        "(See below.)¦ (And above.)¦ Then go.",
        "It is so (see [1] there).¦ [This] is new.",
        "He left.”¦ She stayed.",
        "\"Why?\"¦ She asked him.",
        "They said: 'No.'¦ Then they went.",
        "One.¦ […] Two.",
        "One.¦ (Two.¦ Three.)",
        "It is **bold.** It is _not._ So.",
    ]);
}

#[test]
fn nothing_ends_without_a_space() {
    all(&[
        "It was called Foo.Bar by them.",
        "See the U.S.The end of it.",
        "They all went home.The next day came.",
    ]);
}

#[test]
fn nothing_stands_alone_but_a_line() {
    all(&["It ends. \"", "It ends. ...", "It ends. )", "...", "?!", "One.\n\n¦...\n\n¦Two.", "! ( ! ( ! ("]);
}
