//! `models.toml`: its structure, the checks of its figures, and the tables of models and prices as Rust.

use std::{
    collections::{BTreeMap, HashSet},
    fmt::{Display, Write as _},
};

use serde::Deserialize;
use toml::{Spanned, value::Datetime};

/// The encodings with a token counter.
const ENCODINGS: [&str; 2] = ["cl100k_base", "o200k_base"];

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Source {
    /// The factors by name.
    #[serde(default)]
    pub factor: BTreeMap<String, Factor>,
    pub family: Vec<Family>,
    #[serde(default)]
    pub prices: Vec<PriceList>,
}

/// The factor to calculate with if the encoding is a stand-in.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Factor {
    ratio: Spanned<f64>,
    pub source: Spanned<String>,
    pub checked: Spanned<Datetime>,
}

impl Factor {
    /// The vendor's tokens per hundred tokens of the stand-in.
    pub(crate) fn percent(&self) -> usize {
        (self.ratio.as_ref() * 100.0).round() as usize
    }
}

/// Models whose figures come from one source.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Family {
    vendor: Spanned<String>,
    encoding: Spanned<String>,
    pub exact: bool,
    factor: Option<Spanned<String>>,
    source: Spanned<String>,
    checked: Spanned<Datetime>,
    pub models: Vec<Model>,
}

/// One model.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Model {
    name: Spanned<String>,
    window: Spanned<usize>,
    output: Spanned<usize>,
}

/// Reads the file's text and checks it.
///
/// # Errors
/// A line for each fault, with its position.
pub(crate) fn parse(text: &str) -> Result<Source, String> {
    let source: Source = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut faults = Faults { text, lines: Vec::new() };
    for (name, factor) in &source.factor {
        factor_faults(name, factor, &mut faults);
    }
    let mut names = HashSet::new();
    for family in &source.family {
        family_faults(family, &source.factor, &mut faults);
        for model in &family.models {
            model_faults(model, &mut faults);
            if !names.insert(model.name.as_ref()) {
                faults.at(&model.name, format!("the name {:?} occurs twice", model.name.as_ref()));
            }
        }
    }
    price_faults(&source.prices, &names, &mut faults);
    if faults.lines.is_empty() { Ok(source) } else { Err(faults.lines.join("\n")) }
}

/// The faults in a text, each with the number of its line.
struct Faults<'t> {
    text: &'t str,
    lines: Vec<String>,
}

impl Faults<'_> {
    fn at<T>(&mut self, place: &Spanned<T>, fault: impl Display) {
        let before = self.text.bytes().take(place.span().start);
        let line = 1 + before.filter(|byte| *byte == b'\n').count();
        self.lines.push(format!("line {line}: {fault}"));
    }
}

fn factor_faults(name: &str, factor: &Factor, faults: &mut Faults<'_>) {
    // Below 1, a budget would be exceeded; and no tokenizer is three times as fine.
    if !(1.0..=3.0).contains(factor.ratio.as_ref()) {
        faults.at(&factor.ratio, format!("the ratio of factor {name:?} is not from 1 to 3"));
    }
    origin_faults(&factor.source, &factor.checked, faults);
}

fn family_faults(family: &Family, known: &BTreeMap<String, Factor>, faults: &mut Faults<'_>) {
    if family.vendor.as_ref().is_empty() {
        faults.at(&family.vendor, "the vendor has no name");
    }
    let encoding = family.encoding.as_ref().as_str();
    if !ENCODINGS.contains(&encoding) {
        let known = ENCODINGS.join(", ");
        faults.at(&family.encoding, format!("the encoding {encoding:?} is not known; known: {known}"));
    }
    match &family.factor {
        None if family.exact => {}
        None => faults.at(&family.encoding, "a stand-in needs a factor"),
        Some(factor) if family.exact => faults.at(factor, "an exact encoding has no factor"),
        Some(factor) if known.contains_key(factor.as_ref()) => {}
        Some(factor) => faults.at(factor, format!("there is no factor {:?}", factor.as_ref())),
    }
    origin_faults(&family.source, &family.checked, faults);
}

/// Faults in the source of figures and in the date when they were read.
fn origin_faults(source: &Spanned<String>, checked: &Spanned<Datetime>, faults: &mut Faults<'_>) {
    if !source.as_ref().starts_with("https://") {
        faults.at(source, "the source must be a public address, https://");
    }
    if checked.as_ref().date.is_none() || checked.as_ref().time.is_some() {
        faults.at(checked, "`checked` must be a date");
    }
}

fn model_faults(Model { name: place, window, output }: &Model, faults: &mut Faults<'_>) {
    let name = place.as_ref();
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
    if name.is_empty() || !name.chars().all(plain) {
        faults.at(place, format!("the name {name:?} must be of lower-case letters, digits, `-` and `.`"));
    }
    if *window.as_ref() == 0 {
        faults.at(window, format!("the window of {name:?} is empty"));
    }
    if output.as_ref() > window.as_ref() {
        faults.at(output, format!("the output of {name:?} is larger than its window"));
    }
}

/// The generated file up to the rows.
const PRICES_HEAD: &str = "\
// Generated by `cargo xtask codegen` from models.toml. Do not edit: change that file and run it again.

//! Prices by model, as `models.toml` has them.

use super::Prices;

/// All prices, in the order of `models.toml`.
pub(super) static PRICES: &[(&str, Prices)] = &[
";

/// Prices from one source.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PriceList {
    #[expect(dead_code, reason = "for the reader of models.toml")]
    vendor: String,
    source: Spanned<String>,
    checked: Spanned<Datetime>,
    models: Vec<Price>,
}

/// The prices of one model, in dollars per million tokens.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Price {
    name: Spanned<String>,
    input: f64,
    cached: Option<f64>,
    output: f64,
}

fn price_faults(lists: &[PriceList], models: &HashSet<&String>, faults: &mut Faults<'_>) {
    let mut seen = HashSet::new();
    for list in lists {
        origin_faults(&list.source, &list.checked, faults);
        for price in &list.models {
            let name = price.name.as_ref();
            let mut fault = |text: String| faults.at(&price.name, text);
            if !models.contains(name) {
                fault(format!("{name:?} has a price but is not a model"));
            }
            if !seen.insert(name) {
                fault(format!("{name:?} has two prices"));
            }
            if !(price.input > 0.0 && price.input.is_finite()) {
                fault(format!("the price of input of {name:?} is not a positive number"));
            }
            if price.cached.is_some_and(|cached| cached > price.input) {
                fault(format!("cached input of {name:?} costs more than other input"));
            }
            if price.cached.is_some_and(|cached| cached <= 0.0 || cached.is_nan()) {
                fault(format!("the price of cached input of {name:?} is not a positive number"));
            }
            if !(price.output >= 0.0 && price.output.is_finite()) {
                fault(format!("the price of output of {name:?} is negative or not a number"));
            }
        }
    }
}

/// The text of the file, not yet formatted.
pub(crate) fn prices(source: &Source) -> String {
    let mut text = String::from(PRICES_HEAD);
    let mut origins = String::new();
    for (n, list) in source.prices.iter().enumerate() {
        let (address, checked) = (list.source.as_ref(), list.checked.as_ref().to_string());
        // Writing to a String cannot fail.
        let _ = writeln!(origins, "/// The source of prices, and the day on which they were read.");
        let _ = writeln!(origins, "const FROM_{n}: (&str, &str) = ({address:?}, {checked:?});");
        for price in &list.models {
            let cached = price.cached.map_or("None".into(), |cached| format!("Some({})", micro(cached)));
            let (name, input, output) = (price.name.as_ref(), micro(price.input), micro(price.output));
            let _ = writeln!(text, "({name:?}, Prices::from_table({input}, {cached}, {output}, FROM_{n})),");
        }
    }
    format!("{text}];\n\n{origins}")
}

/// Dollars as micro-dollars.
fn micro(dollars: f64) -> String {
    grouped((dollars * 1e6).round() as usize)
}

/// The generated file up to the rows.
const TABLE_HEAD: &str = "\
// Generated by `cargo xtask codegen` from models.toml. Do not edit: change that file and run it again.

//! The models by name, as `models.toml` has them.

use contextfit_kernel::Tokens;

use super::{Model, TokenRatio};

/// All models, in the order of `models.toml`.
pub(super) static MODELS: &[Model] = &[
";
const TABLE_TAIL: &str = "\
];

/// One line of the table; `ratio` where the encoding is a stand-in.
const fn row(
    name: &'static str,
    encoding: &'static str,
    ratio: Option<TokenRatio>,
    window: usize,
    output: usize,
) -> Model {
    let (window, output) = (Tokens::new(window), Tokens::new(output));
    Model { name, encoding, exact: ratio.is_none(), ratio, window, output }
}
";

/// The text of the file, not yet formatted.
pub(crate) fn table(source: &Source) -> String {
    let mut text = String::from(TABLE_HEAD);
    for family in &source.family {
        for model in &family.models {
            let (name, encoding) = (model.name.as_ref(), family.encoding.as_ref());
            let factor = family.factor.as_ref().map(|factor| constant(factor.as_ref()));
            let ratio = factor.map_or("None".into(), |factor| format!("Some({factor})"));
            let (window, output) = (grouped(*model.window.as_ref()), grouped(*model.output.as_ref()));
            // Writing to a String cannot fail.
            let _ = writeln!(text, "row({name:?}, {encoding:?}, {ratio}, {window}, {output}),");
        }
    }
    text.push_str(TABLE_TAIL);
    for (name, factor) in &source.factor {
        let (constant, percent) = (constant(name), factor.percent());
        let (address, checked) = (factor.source.as_ref(), factor.checked.as_ref().to_string());
        let _ = writeln!(text, "\n/// The factor `{name}`, its source, and the day on which that was read.");
        let _ = writeln!(
            text,
            "const {constant}: TokenRatio = TokenRatio {{ percent: {percent}, source: {address:?}, checked: {checked:?} }};"
        );
    }
    text
}

/// A name in `models.toml` as the name of a constant.
fn constant(name: &str) -> String {
    name.to_ascii_uppercase().replace('-', "_")
}

/// The number with `_` between thousands.
fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push('_');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(from: &str, to: &str, expect: &str) {
        let good = r#"[[family]]
vendor = "OpenAI"
encoding = "o200k_base"
exact = true
source = "https://example.com"
checked = 2026-11-21
models = [
  { name = "gpt-4o", window = 128_000, output = 16_384 },
  { name = "gpt-4o-mini", window = 128_000, output = 16_384 },
]
[factor.claude]
ratio = 1.35
source = "https://example.com/ratio"
checked = 2026-11-23
[[family]]
vendor = "Anthropic"
encoding = "o200k_base"
exact = false
factor = "claude"
source = "https://example.com"
checked = 2026-11-21
models = [{ name = "claude-opus-4-1", window = 200_000, output = 32_000 }]
[[prices]]
vendor = "OpenAI"
source = "https://example.com"
checked = 2026-11-21
models = [
  { name = "gpt-4o", input = 2.50, cached = 1.25, output = 10.00 },
]
"#;
        assert!(good.contains(from), "{from}");
        let error = parse(&good.replacen(from, to, 1)).map(|_| ()).unwrap_err();
        assert!(error.contains(expect), "{error}");
    }

    #[test]
    fn faults_are_found_and_placed() {
        check("gpt-4o-mini", "gpt-4o", "line 9: the name \"gpt-4o\" occurs twice");
        check(
            "o200k_base",
            "p50k",
            "line 3: the encoding \"p50k\" is not known; known: cl100k_base, o200k_base",
        );
        check("16_384", "128_001", "line 8: the output of \"gpt-4o\" is larger than its window");
        check("128_000", "0", "line 8: the window of \"gpt-4o\" is empty");
        check("gpt-4o", "openai/GPT-4o", "line 8: the name \"openai/GPT-4o\" must be of");
        check("https", "http", "line 5: the source must be a public address");
        check("2026-11-21", "2026-11-21T10:00:00", "line 6: `checked` must be a date");
        check("OpenAI", "", "line 2: the vendor has no name");
        check(
            "input = 2.50",
            "input = -1.0",
            "line 28: the price of input of \"gpt-4o\" is not a positive number",
        );
        check(
            "cached = 1.25",
            "cached = 3.0",
            "line 28: cached input of \"gpt-4o\" costs more than other input",
        );
        check("\"gpt-4o\", input", "\"gpt-5\", input", "line 28: \"gpt-5\" has a price but is not a model");
    }

    #[test]
    fn every_stand_in_has_a_factor_and_no_other() {
        check("factor = \"claude\"\n", "", "line 17: a stand-in needs a factor");
        check("factor = \"claude\"", "factor = \"gemini\"", "line 19: there is no factor \"gemini\"");
        check("exact = false", "exact = true", "line 19: an exact encoding has no factor");
        check("1.35", "0.9", "line 12: the ratio of factor \"claude\" is not from 1 to 3");
        check("https://example.com/ratio", "a talk", "line 13: the source must be a public address");
        check("2026-11-23", "2026-11-23T10:00:00", "line 14: `checked` must be a date");
    }

    #[test]
    fn what_is_not_known_or_missing_is_an_error() {
        check("vendor", "seller", "unknown field `seller`");
        check(", output = 16_384", "", "missing field `output`");
        check("128_000", "\"128k\"", "invalid type");
    }

    #[track_caller]
    fn check_grouped(n: usize, expect: &str) {
        assert_eq!(grouped(n), expect);
    }

    #[test]
    fn thousands_are_grouped() {
        check_grouped(0, "0");
        check_grouped(999, "999");
        check_grouped(4_096, "4_096");
        check_grouped(128_000, "128_000");
        check_grouped(1_047_576, "1_047_576");
    }
}
