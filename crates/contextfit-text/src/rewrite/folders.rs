//! Lines that begin with the same folder, listed under its name.

/// A folder name of fewer bytes is not worth a separate line.
const SHORTEST: usize = 8;

/// `text`, whose lines all begin with a path in the same folder, as a line with the folder and the rest of each line
/// below it, after a tab.
pub(super) fn under_heading(text: &str) -> Option<String> {
    let lines = || text.split_inclusive('\n');
    let folder = folder(lines().next()?)?;
    let mut shown = format!("{folder}\n");
    for line in lines() {
        shown.push('\t');
        shown.push_str(
            self::folder(line).filter(|other| *other == folder).and_then(|_| line.get(folder.len()..))?,
        );
    }
    (shown.len() < text.len()).then_some(shown)
}

/// The folder of the path that `line` begins with, including its last slash;
/// [`Rewrite::Folders`](contextfit_kernel::Rewrite) writes it only once. Linear in the length of the path.
///
/// ```
/// assert_eq!(contextfit_text::folder("src/net/tcp.rs:3: use a/b;\n"), Some("src/net/"));
/// assert_eq!(contextfit_text::folder("GET /users/1\n"), None);
/// assert_eq!(contextfit_text::folder("2026/11/24 10:00:11 ready\n"), None);
/// assert_eq!(contextfit_text::folder("requests{handler=\"/users/1\"} 3\n"), None);
/// ```
#[must_use]
pub fn folder(line: &str) -> Option<&str> {
    // A drive letter is followed by a colon as well.
    let ends = |(at, c): &(usize, char)| c.is_whitespace() || (*c == ':' && *at != 1);
    let path = line.get(..line.char_indices().find(ends).map_or(line.len(), |(at, _)| at))?;
    // A value of a setting or a label is no path of its line, and neither is a date.
    if path.contains(['"', '=', '{', '<']) || !path.contains(char::is_alphabetic) {
        return None;
    }
    let (folder, _) = path.split_at_checked(path.rfind(['/', '\\'])? + 1)?;
    (folder.len() >= SHORTEST && folder.len() < path.len()).then_some(folder)
}

/// Whether `text` represents `source` and no other text.
pub(super) fn stands_for(text: &str, source: &str) -> bool {
    let Some((folder, rest)) = text.split_once('\n') else { return false };
    let mut source = source.split_inclusive('\n');
    let mut lines = rest.split_inclusive('\n');
    let is_same =
        |line: &str| line.strip_prefix('\t') == source.next().and_then(|line| line.strip_prefix(folder));
    lines.all(is_same) && source.next().is_none()
}
