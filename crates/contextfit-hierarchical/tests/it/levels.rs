//! One memory at each level.

use contextfit_hierarchical::{CompressedMemory, FitOptions, LevelLimits, LevelOutput};
use contextfit_kernel::{Blocker, Error, Hold, Level, MemoryRecord, Tokens};

use crate::memories::{exact, long, retries};

#[test]
fn every_level_of_a_memory_with_every_field() {
    let compressor = exact();
    let mut told = String::new();
    for level in Level::ALL {
        let shown = compressor.compress(&retries(), level);
        told += &format!("--- level {}, {} tokens\n{}\n", u8::from(level), shown.tokens(), shown.text);
    }
    insta::assert_snapshot!(told);
}

#[test]
fn every_level_as_json() {
    insta::assert_json_snapshot!(Level::ALL.map(|level| exact().compress(&retries(), level)));
}

#[test]
fn every_level_is_read_back_from_json() {
    for level in Level::ALL {
        let mut shown = exact().compress(&retries(), level);
        let read: CompressedMemory = serde_json::from_str(&serde_json::to_string(&shown).unwrap()).unwrap();
        shown.text.clear();
        assert_eq!(read, shown);
    }
}

/// Token counts at the levels of a memory with this many sentences.
#[track_caller]
fn check_ladder(sentences: usize, expect: [usize; 4]) {
    assert_eq!(exact().ladder(&long("m", sentences)).map(Tokens::get), expect);
}

#[test]
fn counts_are_real() {
    check_ladder(0, [4, 4, 4, 4]);
    check_ladder(1, [4, 20, 20, 20]);
    check_ladder(5, [4, 25, 80, 80]);
    check_ladder(40, [4, 25, 296, 605]);
}

#[test]
fn maxima_are_kept_where_something_can_be_cut_and_checked_where_not() {
    let limits = LevelLimits::default();
    let compressor = exact();
    let mut memory = long("m", 200);
    memory.summary = "A summary that goes on and on. ".repeat(30);
    for (level, within) in
        [(Level::Reference, true), (Level::Gist, true), (Level::Extract, true), (Level::Full, false)]
    {
        let shown = compressor.compress(&memory, level);
        assert_eq!(shown.is_within(&limits), within, "{level:?}: {}", shown.tokens());
    }
    memory.id = "3f1b4f0e-8c55-4d0c-9a39-1d3a8c1c1f5e".into();
    assert!(!compressor.compress(&memory, Level::Reference).is_within(&limits), "an id is never cut");
}

#[test]
fn the_highest_level_that_fits() {
    let (compressor, memory) = (exact(), long("m", 40));
    for (max, level) in [(4, 0), (24, 0), (25, 1), (295, 1), (296, 2), (604, 2), (605, 3), (100_000, 3)] {
        let fitted = compressor.compress_to_fit(&memory, Tokens::new(max), &FitOptions::default()).unwrap();
        assert_eq!(u8::from(fitted.level), level, "{max}");
        assert!(fitted.tokens() <= Tokens::new(max));
        assert_eq!(compressor.suggest_level(&memory, Tokens::new(max)), Some(fitted.level));
    }
    assert_eq!(compressor.suggest_level(&memory, Tokens::new(3)), None);
}

#[test]
fn lowest_and_highest_levels_are_respected() {
    let (compressor, memory) = (exact(), long("m", 40));
    let options = FitOptions::default().with_min_level(Level::Gist).with_max_level(Level::Extract);
    let fitted = compressor.compress_to_fit(&memory, Tokens::new(5_000), &options).unwrap();
    assert_eq!(fitted.level, Level::Extract);
    let Err(Error::Infeasible { needed, available, blockers }) =
        compressor.compress_to_fit(&memory, Tokens::new(24), &options)
    else {
        panic!("level 1 needs 25 tokens")
    };
    let blocker = Blocker { id: "m".into(), tokens: Tokens::new(25), hold: Hold::Shown };
    assert_eq!((needed, available, blockers), (Tokens::new(25), Tokens::new(24), vec![blocker]));
}

#[test]
fn level_3_loses_nothing() {
    let memory = retries();
    let LevelOutput::Full(output) = exact().compress(&memory, Level::Full).output else { panic!("level 3") };
    assert_eq!(MemoryRecord::from(*output), memory);
}

#[test]
fn level_2_shows_the_summary_and_nothing_twice() {
    #[track_caller]
    fn check(memory_type: &str, summary: &str, knowledge: &str, expect: &str) {
        let memory = MemoryRecord::new("m", memory_type).with_summary(summary).with_knowledge(knowledge);
        assert_eq!(exact().compress(&memory, Level::Extract).text, expect);
        let [.., extract, full] = exact().ladder(&memory);
        assert!(extract <= full, "{extract} > {full}");
    }
    let vet = "Must be told of a bite within an hour.";
    check("contact", "The vet: Ada Roth.", vet, &["[m] contact normal: The vet: Ada Roth.\n", vet].concat());
    let lift = "1. Pull the lever.\n2. Never pull it twice.\n3. Wait.";
    check(
        "procedure",
        "How to stop the lift",
        lift,
        &["[m] procedure normal: How to stop the lift\n", lift].concat(),
    );
    check("fact", "", lift, &["[m] fact normal\n", lift].concat());
}
