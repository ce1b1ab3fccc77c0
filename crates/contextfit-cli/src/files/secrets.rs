//! Detects files that hold secrets: private keys, passwords, and tokens of well-known shapes.
//!
//! One pass looks for the prefixes of secrets, and only the matches are examined closely. Examples and placeholders, as
//! documentation has them, are not secrets.

use std::{path::Path, sync::LazyLock};

use aho_corasick::AhoCorasick;
use regex::bytes::Regex;

/// The shape of one kind of secret.
struct Shape {
    kind: &'static str,
    /// The prefixes, any of which starts the secret.
    prefixes: &'static [&'static str],
    /// The whole secret, prefix included. A capture group, if any, is the part that must look random.
    regex: &'static str,
    /// The least entropy of that part, in bits per character.
    entropy: f64,
}

/// The rules of the same names in
/// <https://github.com/gitleaks/gitleaks/blob/b58d3f102cf3a2c84cb7f923d05c25c9b1aed84b/config/gitleaks.toml>: regular
/// expressions without the context around the token, and entropies (1 if the rule has none).
const SHAPES: &[Shape] = &[
    Shape {
        kind: "private key",
        prefixes: &["-----BEGIN "],
        // The header alone is not enough, since every parser of keys mentions it: a key must follow, possibly inside a
        // string or JSON. Lines such as `Proc-Type: 4,ENCRYPTED` may come before it.
        regex: r#"-----BEGIN [A-Z0-9 _-]{0,100}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\+[nr]|["'`+,>|#*/]|[A-Za-z-]{1,40}: [^\r\n]*[\r\n])*([A-Za-z0-9+/]{40,})"#,
        entropy: 2.5,
    },
    Shape {
        kind: "AWS access key id",
        prefixes: &["A3T", "AKIA", "ASIA", "ABIA", "ACCA"],
        regex: r"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}",
        entropy: 3.0,
    },
    Shape {
        kind: "GitHub token",
        prefixes: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        regex: "gh[pousr]_[0-9a-zA-Z]{36}",
        entropy: 3.0,
    },
    Shape { kind: "GitHub token", prefixes: &["github_pat_"], regex: r"github_pat_\w{82}", entropy: 3.0 },
    // `gitlab-pat-routable` starts the same way.
    Shape { kind: "GitLab token", prefixes: &["glpat-"], regex: r"glpat-[\w-]{20,300}", entropy: 3.0 },
    Shape {
        kind: "Slack token",
        prefixes: &["xoxb-", "xoxp-", "xoxe-", "xoxo-", "xoxs-", "xoxa-", "xoxr-"],
        regex: "xox(?:b-[0-9]{8,14}-[a-zA-Z0-9-]{18,}|[pe](?:-[0-9]{10,13}){3}-[a-zA-Z0-9-]{28,34}|[os]-[0-9]+-[0-9]+-[0-9]+-[a-fA-F0-9]+|[ar]-(?:[0-9]-)?[0-9a-zA-Z]{8,48})",
        entropy: 2.0,
    },
    // Without test-mode keys (`sk_test_`), which the rule includes: they move no money, and examples are full of them.
    Shape {
        kind: "Stripe key",
        prefixes: &["sk_live_", "rk_live_", "sk_prod_", "rk_prod_"],
        regex: "[sr]k_(?:live|prod)_[a-zA-Z0-9]{10,99}",
        entropy: 2.0,
    },
    // gcp-api-key
    Shape { kind: "Google API key", prefixes: &["AIza"], regex: r"AIza[\w-]{35}", entropy: 4.0 },
    Shape { kind: "npm token", prefixes: &["npm_"], regex: "npm_[A-Za-z0-9]{36}", entropy: 2.0 },
    Shape {
        kind: "PyPI token",
        prefixes: &["pypi-AgEIcHlwaS5vcmc"],
        regex: r"pypi-AgEIcHlwaS5vcmc[\w-]{50,1000}",
        entropy: 3.0,
    },
    Shape {
        kind: "OpenAI key",
        prefixes: &["sk-"],
        regex: r"sk-(?:(?:proj|svcacct|admin)-(?:[\w-]{74}|[\w-]{58})T3BlbkFJ(?:[\w-]{74}|[\w-]{58})|[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20})",
        entropy: 3.0,
    },
    Shape {
        kind: "Anthropic key",
        prefixes: &["sk-ant-"],
        regex: r"sk-ant-(?:api03|admin01)-[\w-]{93}AA",
        entropy: 1.0,
    },
    // The rule `jwt`, narrower: header and payload are JSON objects, and there is a signature.
    Shape {
        kind: "JSON web token",
        prefixes: &["eyJ"],
        regex: r"eyJ[\w-]{14,}\.eyJ[\w-]{14,}\.[\w-]{10,}",
        entropy: 3.0,
    },
    // Not a rule of gitleaks. A password that a person chose for a test or an example has no digit or little entropy.
    Shape {
        kind: "password in a URL",
        prefixes: &["://"],
        regex: r#"://[^\s/:@"'`<>]{0,64}:([^\s/:@"'`<>${}%*]*[0-9][^\s/:@"'`<>${}%*]*)@[A-Za-z0-9\[]"#,
        entropy: 3.0,
    },
    Shape { kind: "SendGrid key", prefixes: &["SG."], regex: r"SG\.[A-Za-z0-9=_.-]{66}", entropy: 2.0 },
    Shape { kind: "Twilio key", prefixes: &["SK"], regex: "SK[0-9a-fA-F]{32}", entropy: 3.0 },
];

/// Strings that occur in examples and placeholders, and in one of 10^12 random tokens. The first ends the sample keys
/// in Amazon's documentation, as in the rule `aws-access-token`; the alphabet is a stop word of gitleaks.
/// The last one is in the payload of the token that jwt.io shows.
const EXAMPLES: &[&str] =
    &["example", "xxxx", "12345678", "abcdefgh", "placeholder", "password", "eyjzdwiioiixmjm0nty3odkw"];

/// Names of files that are keys or full of passwords, as ssh, git, curl and OpenSSL use them.
const NAMES: &[(&str, &str)] = &[
    ("id_rsa", "private key"),
    ("id_dsa", "private key"),
    ("id_ecdsa", "private key"),
    ("id_ed25519", "private key"),
    (".netrc", "passwords"),
    ("_netrc", "passwords"),
    (".git-credentials", "passwords"),
];

/// File name endings of key stores.
const ENDINGS: &[&str] = &[".p12", ".pfx", ".keystore", ".jks"];

/// Settings files that may contain a password or a token, and the pattern of one. `${NAME}` only refers to a variable.
static IN_SETTINGS: LazyLock<Vec<(&str, Option<Regex>)>> = LazyLock::new(|| {
    let of = |regex| Regex::new(regex).ok();
    vec![
        (".npmrc", of(r"(?m)_(?:authToken|auth|password)[ \t]*=[ \t]*[^\s$]")),
        (".pypirc", of(r"(?m)^[ \t]*password[ \t]*[=:][ \t]*[^\s$]")),
    ]
});

/// The most bytes of a secret to examine, so that a text full of prefixes takes no longer than others. Longer than any
/// token, and enough of a key.
const LONGEST: usize = 4 << 10;

static LOOK: LazyLock<Look> = LazyLock::new(Look::new);

struct Look {
    prefixes: Option<AhoCorasick>,
    /// The shape that each prefix belongs to, with its regular expression.
    shapes: Vec<(&'static Shape, Option<Regex>)>,
}

impl Look {
    fn new() -> Self {
        let shapes =
            || SHAPES.iter().flat_map(|shape| shape.prefixes.iter().map(move |prefix| (shape, *prefix)));
        // The tests check that all of them can be built.
        let regex = |shape: &Shape| Regex::new(&format!("^(?-u:{})", shape.regex)).ok();
        Self {
            prefixes: AhoCorasick::new(shapes().map(|(_, prefix)| prefix)).ok(),
            shapes: shapes().map(|(shape, _)| (shape, regex(shape))).collect(),
        }
    }
}

/// The kind of secret in a file of this name, whatever its content.
pub(crate) fn by_name(path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_str()?;
    if name == ".env" || name.starts_with(".env.") {
        let documented = [".example", ".sample", ".template"].iter().any(|ending| name.ends_with(ending));
        return (!documented).then_some("environment");
    }
    if ENDINGS.iter().any(|ending| name.ends_with(ending)) {
        return Some("key store");
    }
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
}

/// The kind of the first secret in `text`, the content of the file at `path`.
pub(crate) fn within(path: &Path, text: &str) -> Option<&'static str> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let settings = IN_SETTINGS.iter().find(|(settings, _)| *settings == name);
    if settings.and_then(|(_, regex)| regex.as_ref()).is_some_and(|regex| regex.is_match(text.as_bytes())) {
        return Some("passwords");
    }
    let look = &*LOOK;
    look.prefixes.as_ref()?.find_overlapping_iter(text).find_map(|found| {
        let n = found.pattern().as_usize();
        let (shape, regex) = look.shapes.get(n)?;
        let (before, at) = text.as_bytes().split_at_checked(found.start())?;
        if is_within_word(before) && at.first().is_some_and(u8::is_ascii_alphanumeric) {
            return None;
        }
        let at = at.get(..LONGEST).unwrap_or(at);
        let captures = regex.as_ref()?.captures(at)?;
        let token = captures.get(1).or(captures.get(0))?;
        // A match that continues is something else: base64, or a longer name.
        let ends = at.get(token.end()).is_none_or(|byte| !byte.is_ascii_alphanumeric());
        let is_key = captures.get(1).is_some() || ends;
        (is_key && is_random(token.as_bytes(), shape.entropy)).then_some(shape.kind)
    })
}

/// Whether `before` ends within a word. The letter of an escape, as in `"a\nb"`, does not count.
fn is_within_word(before: &[u8]) -> bool {
    let escape = [r"\n", r"\r", r"\t"].iter().any(|escape| before.ends_with(escape.as_bytes()));
    !escape && before.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Whether `token` looks random.
fn is_random(token: &[u8], least: f64) -> bool {
    let lower = String::from_utf8_lossy(token).to_ascii_lowercase();
    !EXAMPLES.iter().any(|example| lower.contains(example)) && entropy(token) >= least
}

/// The entropy of `token` in bits per character.
#[expect(clippy::cast_precision_loss, reason = "tokens are short")]
fn entropy(token: &[u8]) -> f64 {
    let mut counts = [0_usize; 256];
    for &byte in token {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let shares = counts.iter().filter(|count| **count > 0).map(|count| *count as f64 / token.len() as f64);
    -shares.map(|share| share * share.log2()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tests assemble tokens from this, so that this file contains none.
    const LOT: &str = "Zq7R2mX9cLw4Tn8Vb3Ks6Hd1Pf5Gj0YaUeWoIiZt9Qs2Xr7Lm4Cn8Wv3Bk6Th1Dp5Fg0JyAeUoWiItZq2Rm9Xc4Lw8Tn3Vb6Ks1Hd5Pf0Gj";

    fn lot(n: usize) -> &'static str {
        LOT.get(..n).unwrap()
    }

    #[track_caller]
    fn check(path: &str, text: &str, expect: Option<&str>) {
        let path = Path::new(path);
        assert_eq!(by_name(path).or_else(|| within(path, text)), expect, "{}: {text}", path.display());
    }

    #[test]
    fn every_shape_can_be_built() {
        let prefixes: usize = SHAPES.iter().map(|shape| shape.prefixes.len()).sum();
        assert!(LOOK.prefixes.is_some() && IN_SETTINGS.iter().all(|(_, regex)| regex.is_some()));
        assert_eq!(LOOK.shapes.iter().filter(|(_, regex)| regex.is_some()).count(), prefixes);
    }

    #[test]
    fn tokens_by_their_shapes() {
        let tokens = [
            ("AWS access key id", format!("AK{}", "IAZ2TQ7MRWXN5LBCVD")),
            ("GitHub token", format!("gh{}{}", "p_", lot(36))),
            ("GitHub token", format!("github{}{}", "_pat_", lot(82))),
            ("GitLab token", format!("gl{}{}", "pat-", lot(20))),
            ("GitLab token", format!("gl{}{}.01.{}", "pat-", lot(40), lot(9))),
            ("Slack token", format!("xo{}{}", "xb-1234509876-9081726354-", lot(24))),
            ("Stripe key", format!("sk{}{}", "_live_", lot(24))),
            ("Google API key", format!("AI{}{}", "za", lot(35))),
            ("npm token", format!("np{}{}", "m_", lot(36))),
            ("PyPI token", format!("pypi-{}{}", "AgEIcHlwaS5vcmc", lot(80))),
            ("OpenAI key", format!("sk-{}T3Bl{}{}", lot(20), "bkFJ", lot(20))),
            ("OpenAI key", format!("sk-{}{}T3Bl{}{}", "proj-", lot(74), "bkFJ", lot(74))),
            ("Anthropic key", format!("sk-{}{}AA", "ant-api03-", lot(93))),
            ("SendGrid key", format!("S{}{}.{}", "G.", lot(22), lot(43))),
            (
                "JSON web token",
                format!(
                    "ey{}.ey{}.{}",
                    lot(30).replacen('Z', "J", 1),
                    lot(40).replacen('Z', "J", 1),
                    lot(43)
                ),
            ),
            ("Twilio key", format!("S{}{}", "K", "09af3b7c5d1e82460f9b3a7c5d1e8246")),
        ];
        for (kind, token) in tokens {
            check("a.rs", &token, Some(kind));
            check("a.json", &format!("{{\"key\": \"{token}\", \"a\": 1}}"), Some(kind));
            check("a.json", &format!("\"a\\n{token}\\nb\""), Some(kind));
            check("a.sh", &format!("export KEY={token}\n"), Some(kind));
            check("a.rs", &format!("a{token}"), None);
            check("a.rs", token.get(..15).unwrap(), None);
        }
    }

    #[test]
    fn passwords_in_addresses() {
        let url = |user: &str, password: &str| {
            format!("db = \"postgres://{user}:{password}@db.local:5432/shop\"\n")
        };
        check("a.toml", &url("admin", lot(12)), Some("password in a URL"));
        check("a.toml", &url("", lot(12)), Some("password in a URL"));
        check("a.md", &format!("redis://:{}@[::1]/0", lot(16)), Some("password in a URL"));
        for chosen in [
            "",
            "pw",
            "postgres",
            "secret123",
            "mysecretpassword",
            "password123456",
            "${PASSWORD_1}",
            "<p4ssw0rd-9>",
        ] {
            check("a.yml", &url("admin", chosen), None);
        }
        check("a.rs", "// see https://example.com:8080/path and mail a1b2c3d4e5@host", None);
        check("a.py", "password = 'Zq7R2mX9cLw4Tn8V'", None);
    }

    #[test]
    fn examples_are_no_tokens() {
        check("a.md", "AKIAIOSFODNN7EXAMPLE", None);
        check("a.md", &format!("ghp_{}", "x".repeat(36)), None);
        check("a.md", &format!("ghp_{}", "a".repeat(36)), None);
        check("a.md", &format!("ghp_{}", "1234567890abcdefghijklmnopqrstuvwxyz"), None);
        check("a.md", &format!("sk_live_{}", "your_key_here"), None);
        check("a.rs", "let prefixes = [\"ghp_\", \"AKIA\", \"sk-ant-api03-\"];", None);
        check("a.css", ".SKeleton { color: red }", None);
        check("a.txt", &format!("ghp_{}{}", lot(36), lot(36)), None);
    }

    #[test]
    fn keys_and_not_their_headers_alone() {
        let body = format!("{}\n{}==\n", lot(64), lot(30));
        let key = |kind: &str| {
            format!("-----BEGIN {kind}PRIVATE KEY-----\n{body}-----END {kind}PRIVATE KEY-----\n")
        };
        for kind in ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "] {
            check("server.pem", &key(kind), Some("private key"));
        }
        let pgp = format!("-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n{body}");
        check("key.asc", &pgp, Some("private key"));
        check(
            "a.pem",
            &key("RSA ").replace("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\n\n"),
            Some("private key"),
        );
        check("a.json", &format!("{{\"private_key\": {:?}}}", key("")), Some("private key"));
        check("a.yaml", &key("RSA ").replace('\n', "\n    "), Some("private key"));
        check("a.go", &key("EC ").replace('\n', "\\n\" +\n\t\""), Some("private key"));
        check("server.pem", &key("").replace("PRIVATE KEY", "CERTIFICATE"), None);
        check("server.pem", &key("").replace("PRIVATE", "PUBLIC"), None);
        check(
            "a.rs",
            "if line == \"-----BEGIN RSA PRIVATE KEY-----\" {\n    return parse(lines);\n}\n",
            None,
        );
        check("a.md", "-----BEGIN PRIVATE KEY-----\nMIIE...\n-----END PRIVATE KEY-----\n", None);
        check("a.md", &format!("-----BEGIN PRIVATE KEY-----\n{}\n", "A".repeat(64)), None);
    }

    #[test]
    fn files_by_their_names() {
        check("a/.env", "", Some("environment"));
        check(".env.production", "", Some("environment"));
        for documented in [".env.example", ".env.sample", ".env.template", ".env.local.example"] {
            check(documented, "KEY=\n", None);
        }
        check(".envrc", "", None);
        check(".ssh/id_ed25519", "", Some("private key"));
        check(".ssh/id_ed25519.pub", "", None);
        check("release.keystore", "", Some("key store"));
        check("cert.p12", "", Some("key store"));
        check(".git-credentials", "", Some("passwords"));
        check(".npmrc", "//registry.npmjs.org/:_authToken=0f8a\n", Some("passwords"));
        check(".npmrc", "//registry.npmjs.org/:_authToken=${NPM_TOKEN}\nsave-exact=true\n", None);
        check(".pypirc", "[pypi]\nusername = a\npassword = b\n", Some("passwords"));
        check(".pypirc", "[pypi]\nusername = a\n", None);
    }

    #[test]
    fn nothing_but_beginnings_takes_no_long_time() {
        let text = "X: -----BEGIN PRIVATE KEY-----\n".repeat(10_000);
        check("a.txt", &text, None);
    }
}
