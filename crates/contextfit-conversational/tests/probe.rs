//! Local.
use contextfit_conversational::standing_instructions;
use contextfit_kernel::{Block, Context, Role, Turn};
use contextfit_pipeline::measure;
use contextfit_text::CharsPer;

#[test]
fn probe() {
    let Ok(text) = std::fs::read_to_string("/tmp/instr-talks.tsv") else { return };
    let mut kinds: std::collections::BTreeMap<String, (usize, [usize; 6])> = Default::default();
    let mut out = String::new();
    for talk in text.split("\n\n") {
        let mut kind = String::new();
        let blocks: Vec<Block> = talk
            .lines()
            .filter_map(|line| {
                let mut f = line.splitn(4, '\t');
                kind = f.next()?.to_owned();
                let role = match f.next()? {
                    "system" => Role::System,
                    "assistant" => Role::Assistant,
                    "tool" => Role::Tool,
                    _ => Role::User,
                };
                let name = f.next()?;
                let text = f.next()?.replace("\\n", "\n").replace("\\t", "\t");
                let mut turn = Turn::new(role);
                if !name.is_empty() {
                    turn = turn.with_name(name);
                }
                Some(Block::turn("x", turn, text))
            })
            .collect();
        let context = Context::new(blocks);
        let counter = CharsPer::new(4).unwrap();
        let measured = measure(&context, &counter);
        let entry = kinds.entry(kind.clone()).or_default();
        entry.0 += measured
            .blocks
            .iter()
            .filter(|b| b.block().as_turn().is_some_and(|t| !t.role.instructs()))
            .map(|b| b.units().len())
            .sum::<usize>();
        let found = standing_instructions(&measured);
        for i in &found {
            if i.role.instructs() {
                continue;
            }
            for (n, least) in [0.25, 0.4, 0.5, 0.6, 0.8, 1.0].into_iter().enumerate() {
                if i.strength >= least - 1e-9 {
                    entry.1[n] += 1;
                }
            }
            let t = i.text(&measured).replace('\n', " ");
            let by = i
                .superseded_by
                .map(|n| format!("  ==> {}", found[n].text(&measured).replace('\n', " ")))
                .unwrap_or_default();
            out.push_str(&format!("{kind}\t{:.2}\t{:?}\t{:?}\t{}{by}\n", i.strength, i.role, i.cues, t));
        }
    }
    for (kind, (all, at)) in &kinds {
        println!(
            "{kind}: {all} units; per 1000 at .25 .4 .5 .6 .8 1: {:?}",
            at.map(|n| n as f64 * 1000.0 / *all as f64)
        );
    }
    std::fs::write("/tmp/instr-out.tsv", out).unwrap();
}
