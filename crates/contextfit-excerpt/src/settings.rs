//! Settings: lines that give a value to a key. One stands out if its value is rarer than the others of its key.

use std::borrow::Cow;

use foldhash::{HashMap, HashMapExt};

use crate::rows::Rows;

/// Fewer values of a key do not show what is usual.
const VALUES: u32 = 4;

/// Longer keys, in bytes, are sentences.
const LONGEST: usize = 40;

/// Keys of more words are sentences as well.
const WORDS: usize = 4;

/// How much each row stands out.
pub(crate) struct Settings {
    excess: Vec<f32>,
}

/// The values of a key, and how often each occurs.
#[derive(Default)]
struct Values<'a> {
    all: u32,
    counts: HashMap<&'a str, u32>,
}

impl Values<'_> {
    /// What a value tells beyond the average one, in nats: its self-information less the entropy (Shannon 1948). Zero
    /// if all are equally frequent.
    fn excess(&self, count: u32) -> f32 {
        let information = |count: u32| (self.all as f32 / count as f32).ln();
        // Sums of floats depend on the order, and that of a map is random.
        let mut counts: Vec<u32> = self.counts.values().copied().collect();
        counts.sort_unstable();
        let entropy: f32 = counts.into_iter().map(|count| count as f32 * information(count)).sum();
        information(count) - entropy / self.all as f32
    }
}

impl Settings {
    /// Reads the settings of `rows`. Linear, apart from a sort of the counts of each key.
    pub(crate) fn of(rows: &Rows<'_, '_>) -> Self {
        let settings: Vec<Option<(Cow<'_, str>, &str)>> = rows.bodies().map(setting).collect();
        let mut keys: HashMap<&str, Values<'_>> = HashMap::new();
        for (key, value) in settings.iter().flatten() {
            let values = keys.entry(key).or_default();
            values.all += 1;
            *values.counts.entry(value).or_default() += 1;
        }
        // The entropy of each key is needed for the rarest value only.
        let rarest: HashMap<&str, (u32, f32)> = keys
            .iter()
            .filter(|(_, values)| values.all >= VALUES)
            .map(|(key, values)| {
                let rarest = values.counts.values().copied().min().unwrap_or(1);
                (*key, (rarest, values.excess(rarest)))
            })
            .collect();
        let excess = |setting: &Option<(Cow<'_, str>, &str)>| {
            let (key, value) = setting.as_ref()?;
            let (rarest, excess) = *rarest.get(key.as_ref())?;
            (keys.get(key.as_ref())?.counts.get(value) == Some(&rarest)).then_some(excess)
        };
        Self { excess: settings.iter().map(|setting| excess(setting).unwrap_or(0.0)).collect() }
    }

    /// What the value in row `n` tells beyond the average one of its key, in nats.
    pub(crate) fn excess(&self, n: usize) -> f32 {
        self.excess.get(n).copied().unwrap_or(0.0)
    }
}

/// The key and the value of `line`: `key: value`, `key = value`, `key value;`, `<key>value</key>`. The digits of a key
/// do not count.
fn setting(line: &str) -> Option<(Cow<'_, str>, &str)> {
    let line = line.trim().trim_start_matches("- ").trim_start();
    let (key, value) = match line.strip_prefix('<') {
        Some(rest) => {
            let (key, rest) = rest.split_once('>')?;
            (key, rest.split_once("</")?.0)
        }
        None => {
            let end =
                line.find([':', '=']).or_else(|| line.ends_with(';').then(|| line.find(' ')).flatten())?;
            (line.get(..end)?.trim_end(), line.get(end + 1..)?)
        }
    };
    let value = value.trim_matches([' ', '\t', ',', ';', '"']);
    let is_key = key.starts_with(|c: char| c.is_alphabetic() || matches!(c, '"' | '_' | '.'))
        && key.len() <= LONGEST
        && key.split_whitespace().count() <= WORDS
        && !key.contains("  ");
    let is_digit = |c: char| c.is_ascii_digit();
    let bare = || if key.contains(is_digit) { key.replace(is_digit, "").into() } else { Cow::from(key) };
    (is_key && !value.is_empty()).then(|| (bare(), value))
}

/// Whether `line` gives a name to what the lines around it are about: `name: web`, `server_name acme.test;`.
pub(crate) fn names(line: &str) -> bool {
    setting(line).is_some_and(|(key, _)| is_naming(&key))
}

/// Whether `key` has the name of a record.
pub(crate) fn is_naming(key: &str) -> bool {
    let key = key.trim_matches('"').to_ascii_lowercase();
    ["name", "id", "key", "title", "path", "label"].iter().any(|end| key.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values() {
        let check = |line: &str, expect: Option<(&str, &str)>| {
            let found = setting(line);
            assert_eq!(found.as_ref().map(|(key, value)| (key.as_ref(), *value)), expect, "{line}");
        };
        check("  replicas: 0\n", Some(("replicas", "0")));
        check("- name: \"web\"", Some(("name", "web")));
        check("WORKER_6_THREADS=64", Some(("WORKER__THREADS", "64")));
        check("    proxy_read_timeout 5s;", Some(("proxy_read_timeout", "5s")));
        check("<version>2.14.1</version>", Some(("version", "2.14.1")));
        check("services:", None);
        check("12:00:01 started", None);
        check("It is as it was; so be it: the end.", None);
    }

    #[test]
    fn excess_over_the_entropy() {
        let values = |counts: &[u32]| Values {
            all: counts.iter().sum(),
            counts: ["a", "b", "c", "d"].into_iter().zip(counts.iter().copied()).collect(),
        };
        assert!(values(&[8, 1]).excess(1) > 1.5);
        assert!(values(&[2, 2]).excess(2).abs() < 1e-6 && values(&[1; 4]).excess(1).abs() < 1e-6);
    }
}
