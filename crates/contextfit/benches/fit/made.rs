//! Made inputs: the same in every commit and on every machine.

use std::fmt::Write as _;

use crate::inputs::Random;

/// Words of comments and names.
const WORDS: &str = "account batch budget buffer cache chunk client column count cursor date error event field file \
                     filter frame group index input item key label layer length level limit line list lock message mode \
                     name node number offset order output packet page part path point pool query queue range record \
                     request result row score session size source stage state step stream table task text time token \
                     total type unit user value version weight window word";

/// Words between them.
const SMALL: &str =
    "a the of in for with every each is are and or not when before after by from to that this one more less";

/// A file for each of `n`: a path and a text in the language of `extension`.
pub(crate) fn sources(extension: &str, n: usize) -> Vec<(String, String)> {
    let mut maker = Maker::new(n as u64 + 1);
    let file = |at: usize| (format!("src/module_{at}.{extension}"), maker.file(extension));
    (0..n).map(file).collect()
}

/// `n` passages of prose of some 700 bytes.
pub(crate) fn passages(n: usize) -> Vec<String> {
    let mut maker = Maker::new(7);
    (0..n).map(|_| (0..8).map(|_| maker.sentence()).collect::<Vec<_>>().join(" ")).collect()
}

/// Syllables of rarer words: a text has many words that it has once.
const SYLLABLES: &str =
    "ar bel con dra el fi gor ham in jor kel lum nar nor os per qua ret sol tan ur ven wex yal zen";

struct Maker {
    random: Random,
    words: Vec<&'static str>,
    small: Vec<&'static str>,
    syllables: Vec<&'static str>,
}

impl Maker {
    fn new(seed: u64) -> Self {
        let random = Random(88_172_645_463_325_252 ^ seed);
        let [words, small, syllables] = [WORDS, SMALL, SYLLABLES].map(|words| words.split(' ').collect());
        Self { random, words, small, syllables }
    }

    fn pick(&mut self, n: usize) -> usize {
        (self.random.next() >> 11) as usize % n
    }

    /// A word; the first ones are the most frequent, as in any text, and every third is made of syllables.
    fn word(&mut self) -> String {
        if self.pick(3) == 0 {
            let places: Vec<usize> = (0..2 + self.pick(2)).map(|_| self.pick(self.syllables.len())).collect();
            return places.into_iter().map(|at| self.syllables[at]).collect();
        }
        let most = 1 + self.pick(self.words.len());
        let at = self.pick(most);
        self.words[at].to_owned()
    }

    fn sentence(&mut self) -> String {
        let mut text = String::from("The");
        for _ in 0..6 + self.pick(12) {
            let at = self.pick(self.small.len());
            let word = if self.pick(3) == 0 { self.small[at].to_owned() } else { self.word() };
            text.extend([" ", &word]);
        }
        text + "."
    }

    fn file(&mut self, extension: &str) -> String {
        let mut text = String::new();
        for _ in 0..8 + self.pick(24) {
            let (about, name) = (self.sentence(), format!("{}_{}", self.word(), self.word()));
            let (a, b, n) = (self.word(), self.word(), self.pick(1_000));
            // Writing to a String cannot fail.
            let _ = match extension {
                "py" => write!(
                    text,
                    "def {name}({a}, limit):\n    \"\"\"{about}\"\"\"\n    {b} = len({a}) + {n}\n    if {b} > limit:\n        \
                     return None\n    return {b} * {n}\n\n\n"
                ),
                "ts" => write!(
                    text,
                    "/** {about} */\nexport function {name}({a}: string, limit: number): number | null {{\n  const {b} = {a}.length + \
                     {n};\n  if ({b} > limit) {{\n    return null;\n  }}\n  return {b} * {n};\n}}\n\n"
                ),
                "md" => write!(text, "## {a} {b}\n\n{about} {about}\n\n- `{name}`: {n}\n\n"),
                _ => write!(
                    text,
                    "/// {about}\npub fn {name}({a}: &str, limit: usize) -> Option<usize> {{\n    let {b} = {a}.len() + {n};\n    if {b} > \
                     limit {{\n        return None;\n    }}\n    Some({b} * {n})\n}}\n\n"
                ),
            };
        }
        text
    }
}
