#!/usr/bin/env python3
"""Mines texts and the code they are about from git repositories.

A text is the first sentences of a function's comment, a paragraph of a document that names one
function, or the subject of a commit. Its unit is that function, or the lines around the changes of
the commit, as windows of eight lines, each after the path and the name. All words are in lowercase
and identifiers are divided into words, as in the crate.

Reads MIRRORS/OWNER+NAME, the git folder of each repository of repositories.txt, and writes
WORK/mined. A blob that a partial clone lacks is skipped.
"""

import os
import random
import re
import subprocess
import time
import warnings
from pathlib import Path
from typing import NamedTuple

import files
from functions import FAMILIES, extension, functions

# Tests, examples, generated files and other people's code: their words say little about a project.
SKIPPED = re.compile(
    r"(^|/)(tests?|specs?|__tests__|testing|fixtures?|testdata|vendor|node_modules|third_party"
    r"|dist|build|examples?|samples?|bench\w*|benches|generated|migrations|locale|playground)(/|$)"
    r"|_test\.|\.test\.|\.spec\.|Test\.|Tests\.|(^|/)test_|\.min\.|\.pb\.|zz_generated|\.d\.ts$",
    re.IGNORECASE,
)
DOCUMENTS = ("md", "rst", "adoc", "mdx", "guide")
SKIPPED_DOCUMENT = re.compile("change|history|release|license|node_modules", re.IGNORECASE)

# Limits per repository, so that large ones do not outweigh the others.
MOST_FILES = 2500
MOST_DOCUMENTS = 500
MOST_COMMITS_READ = 4000
MOST_COMMITS = 1500
MOST_TEXTS = 9000
# Units without a text are material for hard windows.
MOST_OTHER_UNITS = 4000
# Larger files are data.
MOST_BYTES = 400_000

# Where words begin within an identifier.
HUMP = re.compile(r"([a-z0-9])([A-Z])")
ACRONYM_END = re.compile(r"([A-Z]+)([A-Z][a-z])")
WORD = re.compile(r"[a-z]+|[0-9]+")


def plain(text):
    """Returns the words of a text in lowercase, divided by spaces."""
    text = HUMP.sub(r"\1 \2", text)
    text = ACRONYM_END.sub(r"\1 \2", text)
    return " ".join(WORD.findall(text.lower()))


def windows(path, name, lines, most=8):
    """Returns windows of eight lines, from every sixth line, each after the path and the name."""
    head = f"{plain(path.rsplit('.', 1)[0])} {plain(name)}"
    lines = [line for line in lines if line.strip()][:80]
    starts = range(0, max(1, len(lines) - 3), 6)
    texts = (" ".join(lines[start : start + 8])[:900] for start in starts[:most])
    return [f"{head} {plain(text)}" for text in texts]


class Git:
    """A git folder at a commit."""

    def __init__(self, folder, commit):
        self.folder = folder
        self.commit = commit
        # Nothing is fetched on the way.
        self.environment = os.environ | {"GIT_NO_LAZY_FETCH": "1"}
        self.blobs = self._start("cat-file", "--batch", stdin=subprocess.PIPE)

    def _start(self, *arguments, stdin=None):
        command = ["git", "-C", self.folder, *arguments]
        return subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, env=self.environment)

    def paths(self):
        """Returns the path and the blob of each file."""
        tree = self._start("ls-tree", "-r", self.commit)
        output, _ = tree.communicate()
        if tree.returncode != 0:
            raise SystemExit(f"{self.folder}: {self.commit} cannot be listed")
        entries = [line.split("\t", 1) for line in output.decode().splitlines()]
        kinds = [(path, entry.split()) for entry, path in entries]
        return [(path, blob) for path, (_, kind, blob) in kinds if kind == "blob"]

    def read(self, blob):
        """Returns the text of a blob; it is empty if the blob is missing or large."""
        self.blobs.stdin.write(f"{blob}\n".encode())
        self.blobs.stdin.flush()
        header = self.blobs.stdout.readline().split()
        if len(header) < 3 or header[1] != b"blob":
            return ""
        size = int(header[2])
        content = self.blobs.stdout.read(size)
        self.blobs.stdout.read(1)
        return content.decode(errors="replace") if size < MOST_BYTES else ""

    def commits(self):
        """Yields the subject of each commit and the lines of its differences, newest first."""
        log = self._start(
            "log",
            "--no-merges",
            f"--max-count={MOST_COMMITS_READ}",
            "--patch",
            "--unified=4",
            "--no-color",
            "--no-renames",
            "--no-ext-diff",
            "--diff-filter=M",
            "--format=%x01%s",
            self.commit,
            "--",
            *(f"*.{known}" for known in FAMILIES),
        )
        try:
            yield from divide_log(log.stdout)
        finally:
            log.kill()
            log.communicate()

    def close(self):
        """Ends the process that reads blobs."""
        self.blobs.communicate()


# Of a commit, no more lines are kept, and of a line no more characters.
MOST_KEPT_LINES = 700
MOST_KEPT_CHARACTERS = 300


def divide_log(log):
    """Yields the subject and the other lines of each commit of a log."""
    subject, lines = None, []
    for raw in log:
        line = raw.decode(errors="replace").rstrip("\n")
        if line.startswith("\x01"):
            if subject is not None:
                yield subject, lines
            subject, lines = line[1:], []
        elif len(lines) < MOST_KEPT_LINES:
            lines.append(line[:MOST_KEPT_CHARACTERS])
    if subject is not None:
        yield subject, lines


class Mined:
    """What is mined of a repository."""

    def __init__(self):
        self.units = []
        # Of each text, its kind, itself and the number of its unit.
        self.texts = []

    def add_unit(self, path, unit_windows, is_commit=False):
        """Adds a unit and returns its number."""
        self.units.append({"path": path, "is_commit": is_commit, "windows": unit_windows})
        return len(self.units) - 1

    def add_text(self, kind, text, unit):
        """Adds a text about a unit."""
        self.texts.append({"kind": kind, "text": text, "unit": unit})

    def reduce(self, rng):
        """Drops what is said of several units, and what exceeds the limits."""
        by_text = {}
        for text in self.texts:
            by_text.setdefault(text["text"], []).append(text)
        self.texts = [same[0] for same in by_text.values() if len(same) <= 2]
        if len(self.texts) > MOST_TEXTS:
            self.texts = rng.sample(self.texts, MOST_TEXTS)
        used = {text["unit"] for text in self.texts}
        others = [unit for unit in range(len(self.units)) if unit not in used]
        rng.shuffle(others)
        kept = sorted(used.union(others[:MOST_OTHER_UNITS]))
        self.units = [self.units[unit] for unit in kept]
        new_number = {unit: number for number, unit in enumerate(kept)}
        for text in self.texts:
            text["unit"] = new_number[text["unit"]]


# What comes after the sentences of a comment: parameters, examples, headings.
DETAILS = re.compile(
    r"\n\s*(?:@\w+|#+ \w+|Args:|Arguments:|Parameters|Returns:|Return:|:param|:return|Example"
    r"|-----|\\\w+|Raises|```|>>>|==)"
)
# Java's `{@code ...}`, of which the content is kept, and tags.
MARKUP = re.compile(r"\{@\w+\s+([^}]*)\}|<[^>]{1,60}>")
NO_DOCUMENTATION = re.compile(
    r"copyright|licen[sc]e|eslint|TODO|FIXME|nolint|@internal|inheritdoc|SAFETY", re.IGNORECASE
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])|\s{2,}")


def sentences(documentation, name):
    """Returns the first sentence of a comment and the others, without the function's name."""
    text = DETAILS.split(documentation)[0]
    text = MARKUP.sub(lambda match: match.group(1) or " ", text)
    if NO_DOCUMENTATION.search(text):
        return []
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(rf"^`?{re.escape(name)}`?\b(\(\))?[ :-]*", "", text)
    found = []
    for part, least_words in zip(SENTENCE_END.split(text, maxsplit=1), (4, 8)):
        words = plain(part).split()
        if len(words) >= least_words:
            found.append(" ".join(words[:50]))
    return found


def mine_functions(git, paths, mined):
    """Adds functions and their comments. Returns the units of each name."""
    by_name = {}
    for path, blob in paths:
        for function in functions(path, git.read(blob)):
            if len(function.lines) < 3:
                continue
            unit_windows = windows(path, function.full_name, function.lines)
            if len(unit_windows[0].split()) < 8:
                continue
            unit = mined.add_unit(path, unit_windows)
            by_name.setdefault(function.name, []).append(unit)
            for sentence in sentences(function.documentation, function.name):
                mined.add_text("doc", sentence, unit)
    return by_name


HEADING = re.compile(r"#+ (.*)")
# Code, tables, directives.
NO_PROSE = ("    ", "\t", "```", "|", "<", ".. ")
MOST_PARAGRAPH_CHARACTERS = 1200
# A name between backquotes, perhaps after others and a dot.
MENTION = re.compile(r"`+[\w.:]*?(\w{4,})(?:\(\))?`+")
MOST_MENTIONS = 3
LINK = re.compile(r"\]\([^)]*\)|https?:\S+")


def mine_documents(git, paths, by_name, mined):
    """Adds paragraphs that name a function whose name no other function has."""
    for _, blob in paths:
        heading = ""
        for paragraph in re.split(r"\n\s*\n", git.read(blob)):
            match = HEADING.match(paragraph.strip())
            if match and "\n" not in paragraph.strip():
                heading = match.group(1)
                continue
            if paragraph.startswith(NO_PROSE) or len(paragraph) > MOST_PARAGRAPH_CHARACTERS:
                continue
            names = list(dict.fromkeys(MENTION.findall(paragraph)))[:MOST_MENTIONS]
            for name in names:
                units = by_name.get(name, [])
                if len(units) == 1:
                    text = LINK.sub(" ", paragraph)
                    text = re.sub(rf"\b{re.escape(name)}\b", " ", text)
                    words = plain(f"{heading} {text}").split()
                    if len(words) >= 6:
                        mined.add_text("md", " ".join(words[:60]), units[0])


# References to issues, `fix(scope): ` and `[scope] `.
REFERENCE = re.compile(r"\(#\d+\)|#\d+|^\w+(\([^)]*\))?!?: |^\[[^\]]*\]\s*")
COMMIT_KIND = re.compile(r"^(fix|feat|chore|refactor|perf|docs?|style|test)\b:?", re.IGNORECASE)
# Subjects that say nothing about the code.
CHORE = re.compile(
    r"(bump|release|merge|revert|update (deps|dependenc)|version|prepare|format|lint|typo"
    r"|fix typo|backport|chore|rename)"
)
COMMENT = re.compile(r"^\s*(//|#(?!\[|include|define|if|end)|\*|/\*)")
IMPORT = re.compile(r"\s*(import|use|from|#include|using|package)\b")
# Larger commits do several things.
MOST_DIFFERENCE_LINES = 599
MOST_CHANGED_FILES = 3
MOST_HUNKS = 6


class Hunk(NamedTuple):
    """A hunk of a difference: its lines after the change, without comments."""

    path: str
    context: str
    lines: list[str]

    def is_code(self):
        """Whether the hunk is worth learning from."""
        if SKIPPED.search(self.path) or extension(self.path) not in FAMILIES:
            return False
        lines = [line for line in self.lines if line.strip()]
        return len(lines) >= 4 and not all(IMPORT.match(line) for line in lines)


def is_kept(line):
    """Whether a line of a difference is code after the change."""
    is_after = line.startswith(("+", " ")) and not line.startswith("+++")
    return is_after and not COMMENT.match(line[1:])


def hunks(difference):
    """Returns the hunks of a difference and the paths of all changed files."""
    path = ""
    found = []
    paths = set()
    for line in difference:
        if line.startswith("+++ "):
            path = line.removeprefix("+++ b/")
            paths.add(path)
        elif line.startswith("@@"):
            parts = line.split("@@")
            context = parts[2][:100] if len(parts) > 2 else ""
            found.append(Hunk(path, context, []))
        elif found and is_kept(line):
            found[-1].lines.append(line[1:])
    return found, paths


def subject_words(subject):
    """Returns the words of a commit's subject without its kind and references to issues."""
    text = REFERENCE.sub("", subject).strip()
    if ":" in subject[:19]:
        text = COMMIT_KIND.sub("", text)
    return plain(text)


def mine_commit(subject, difference, mined):
    """Adds a commit if its subject says what its few hunks do. Returns whether it does."""
    text = subject_words(subject)
    is_told = 4 <= len(text.split()) <= 40 and not CHORE.match(text)
    if not is_told or len(difference) > MOST_DIFFERENCE_LINES:
        return False
    found, paths = hunks(difference)
    n_files = sum(not SKIPPED.search(path) for path in paths)
    if not 1 <= n_files <= MOST_CHANGED_FILES:
        return False
    code = [hunk for hunk in found if hunk.is_code()]
    if not 1 <= len(code) <= MOST_HUNKS:
        return False
    unit_windows = [
        window for hunk in code for window in windows(hunk.path, hunk.context, hunk.lines, most=3)
    ]
    unit = mined.add_unit(code[0].path, unit_windows[:8], is_commit=True)
    mined.add_text("commit", text, unit)
    return True


def mine_commits(git, mined):
    """Adds the newest commits that are worth learning from, slightly more than the limit."""
    n_commits = 0
    for subject, difference in git.commits():
        n_commits += mine_commit(subject, difference, mined)
        if n_commits > MOST_COMMITS:
            break


def mine(repository, folder):
    """Returns what is mined of a repository."""
    rng = random.Random(repository.file_name)
    git = Git(folder, repository.commit)
    paths = git.paths()
    sources = [
        (path, blob)
        for path, blob in paths
        if extension(path) in FAMILIES and not SKIPPED.search(path)
    ]
    documents = [
        (path, blob)
        for path, blob in paths
        if extension(path) in DOCUMENTS and not SKIPPED_DOCUMENT.search(path)
    ]
    rng.shuffle(sources)
    rng.shuffle(documents)
    mined = Mined()
    by_name = mine_functions(git, sources[:MOST_FILES], mined)
    mine_documents(git, documents[:MOST_DOCUMENTS], by_name, mined)
    mine_commits(git, mined)
    git.close()
    mined.reduce(rng)
    return mined


def main():
    parser = files.arguments_of(__doc__)
    parser.add_argument("mirrors", type=Path, help="the folder with the git folders OWNER+NAME")
    parser.add_argument(
        "--only",
        action="append",
        metavar="OWNER/NAME",
        help="mine only this repository; can be repeated",
    )
    arguments = parser.parse_args()
    # Of literals in the Python files that are parsed.
    warnings.simplefilter("ignore", SyntaxWarning)
    for repository in files.read_repositories():
        if arguments.only and repository.name not in arguments.only:
            continue
        started = time.monotonic()
        mined = mine(repository, arguments.mirrors / repository.file_name)
        files.write_mined(arguments.work, repository, mined.units, mined.texts)
        n_texts = [
            f"{sum(text['kind'] == kind for text in mined.texts)} {kind}" for kind in files.KINDS
        ]
        seconds = time.monotonic() - started
        counts = f"{len(mined.units)} units, {len(mined.texts)} texts ({', '.join(n_texts)})"
        print(f"{repository.name}: {counts}, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
