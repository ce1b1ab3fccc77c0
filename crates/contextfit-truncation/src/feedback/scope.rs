//! The part of a project that a report is about.

use std::{borrow::Borrow, fmt};

use serde::{Deserialize, Serialize};

/// A folder, a file or another source of blocks, by the start of their paths. The empty scope is the whole project.
///
/// Paths are compared by component, so `src` contains `src/a.rs` but not `src2/a.rs`. The scheme and host of a URL are
/// one component. A scope is serialized without a slash at the end and displayed with one.
///
/// ```
/// # mod contextfit { pub use ::contextfit_truncation::feedback; }
/// use contextfit::feedback::Scope;
///
/// let scope = Scope::new("./src/");
/// assert!(scope.contains("src/a.rs") && scope.contains("src") && !scope.contains("src2/a.rs"));
/// assert_eq!(Scope::around("https://example.com/guide/a.html").to_string(), "https://example.com/");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Scope(String);

impl Scope {
    /// Creates the scope of everything whose path begins with `prefix`. Backslashes count as slashes. Empty components
    /// and `.` are dropped.
    #[must_use]
    pub fn new(prefix: &str) -> Self {
        Self(normal(prefix))
    }

    /// The usual scope of a block from `path`: its first folder, or the host of a URL. The whole project if the path
    /// has only one component.
    #[must_use]
    pub fn around(path: &str) -> Self {
        let path = normal(path);
        let host = path.find("://").map_or(0, |at| at + "://".len());
        let end = path.get(host..).and_then(|rest| rest.find('/')).map(|at| host + at);
        Self(end.and_then(|end| path.get(..end)).unwrap_or_default().to_owned())
    }

    /// Whether blocks from `path` belong to the scope.
    #[must_use]
    pub fn contains(&self, path: &str) -> bool {
        self.holds(&normal(path))
    }

    /// Whether the scope contains all of `other`.
    #[must_use]
    pub fn includes(&self, other: &Self) -> bool {
        self.holds(&other.0)
    }

    /// The prefix without a slash at the end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the scope contains `path`, which is [`normal`].
    fn holds(&self, path: &str) -> bool {
        self.0.is_empty()
            || path.strip_prefix(&self.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// The scopes that contain `path`, the narrowest first and the whole project last.
pub(crate) fn enclosing(path: &str) -> impl Iterator<Item = String> {
    let path = normal(path);
    std::iter::successors(Some(path), |narrow| match narrow.rfind('/') {
        Some(at) => narrow.get(..at).map(str::to_owned),
        None if narrow.is_empty() => None,
        None => Some(String::new()),
    })
}

/// `path` relative to the folder `project` if it is in there, otherwise unchanged.
#[must_use]
pub fn within<'p>(project: &str, path: &'p str) -> &'p str {
    let project = project.trim_end_matches(['/', '\\']);
    let inside = path.strip_prefix(project).filter(|_| !project.is_empty());
    inside.and_then(|rest| rest.strip_prefix(['/', '\\'])).unwrap_or(path)
}

/// The components of a path, joined by slashes. An absolute path keeps its first slash, a URL the two after its scheme.
fn normal(path: &str) -> String {
    let path = path.replace('\\', "/");
    let (scheme, path) = match path.split_once("://") {
        Some((scheme, rest)) if !scheme.contains('/') => (format!("{scheme}://"), rest),
        _ => (if path.starts_with('/') { "/".to_owned() } else { String::new() }, path.as_str()),
    };
    let components: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if components.is_empty() { String::new() } else { scheme + &components.join("/") }
}

impl From<String> for Scope {
    fn from(prefix: String) -> Self {
        Self::new(&prefix)
    }
}

impl From<Scope> for String {
    fn from(scope: Scope) -> Self {
        scope.0
    }
}

impl Borrow<str> for Scope {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_str() {
            "" => f.pad("the whole project"),
            prefix => f.pad(&format!("{prefix}/")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, around: &str, narrow: &[&str]) {
        assert_eq!(Scope::around(path).as_str(), around);
        assert_eq!(enclosing(path).collect::<Vec<_>>(), narrow);
        assert!(narrow.iter().all(|scope| Scope::new(scope).contains(path)), "{path}");
    }

    #[test]
    fn paths_have_scopes() {
        check("src/a/b.rs", "src", &["src/a/b.rs", "src/a", "src", ""]);
        check("./src//a.rs", "src", &["src/a.rs", "src", ""]);
        check("src\\a.rs", "src", &["src/a.rs", "src", ""]);
        check("a.rs", "", &["a.rs", ""]);
        check("", "", &[""]);
        check(
            "https://x.org/a/b",
            "https://x.org",
            &["https://x.org/a/b", "https://x.org/a", "https://x.org", "https:/", "https:", ""],
        );
    }

    #[test]
    fn a_prefix_ends_at_a_slash() {
        assert!(!Scope::new("src").contains("src2/a.rs") && !Scope::new("src/a").contains("src/ab"));
        assert!(
            Scope::new("src").includes(&Scope::new("src/a"))
                && !Scope::new("src/a").includes(&Scope::new("src"))
        );
        assert!(Scope::default().includes(&Scope::new("src")));
    }

    #[test]
    fn absolute_paths_are_relative_to_their_project() {
        let check = |project: &str, path: &str, expect: &str| assert_eq!(within(project, path), expect);
        check("/home/me/shop", "/home/me/shop/src/a.rs", "src/a.rs");
        check("/home/me/shop/", "/home/me/shop/src/a.rs", "src/a.rs");
        check("/home/me/shop", "/home/me/shop2/a.rs", "/home/me/shop2/a.rs");
        check("shop", "src/a.rs", "src/a.rs");
        check("", "/a.rs", "/a.rs");
    }
}
