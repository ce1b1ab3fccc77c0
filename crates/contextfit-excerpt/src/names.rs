//! Names of records: the values of keys such as `name` and `id`.

/// The maximum length of a key in bytes. A longer one is a sentence.
const LONGEST_KEY_BYTES: usize = 40;

/// The maximum number of words in a key. One with more is a sentence too.
const LONGEST_KEY_WORDS: usize = 4;

/// Whether `line` names what the lines around it describe: `name: web`, `server_name acme.test;`.
pub(crate) fn names(line: &str) -> bool {
    key(line).and_then(naming_rank).is_some()
}

/// How well the value of `key` names a record, the lowest best; `None` if it does not.
pub(crate) fn naming_rank(key: &str) -> Option<usize> {
    let key = key.trim_matches('"').to_ascii_lowercase();
    ["name", "title", "label", "path", "key", "id"].iter().position(|end| key.ends_with(end))
}

/// The key in `line` that has a value: `key: value`, `key = value`, `key value;`, `<key>value</key>`.
fn key(line: &str) -> Option<&str> {
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
    let is_key = key.starts_with(|c: char| c.is_alphabetic() || matches!(c, '"' | '_' | '.'))
        && key.len() <= LONGEST_KEY_BYTES
        && key.split_whitespace().count() <= LONGEST_KEY_WORDS
        && !key.contains("  ");
    (is_key && !value.trim_matches([' ', '\t', ',', ';', '"']).is_empty()).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        let check = |line: &str, expect: Option<&str>| assert_eq!(key(line), expect, "{line}");
        check("  replicas: 0\n", Some("replicas"));
        check("- name: \"web\"", Some("name"));
        check("WORKER_THREADS=64", Some("WORKER_THREADS"));
        check("    proxy_read_timeout 5s;", Some("proxy_read_timeout"));
        check("<version>2.14.1</version>", Some("version"));
        check("services:", None);
        check("12:00:01 started", None);
        check("It is as it was; so be it: the end.", None);
    }
}
