"""Finds the functions of a source file with the text that documents them.

Python is parsed. In other languages a line that looks like the head of a function starts one,
and its braces (in Ruby the indentation of `end`) say where it ends. A few functions are missed
or cut, which does no harm: the result is material for training, not an index.
"""

import ast
import re
from typing import NamedTuple

# The family of languages that files with an extension are read as.
FAMILIES = {
    "py": "python",
    "rb": "ruby",
    "rs": "rust",
    "go": "go",
    "kt": "kotlin",
    "php": "func",
    "swift": "func",
    "js": "javascript",
    "jsx": "javascript",
    "mjs": "javascript",
    "ts": "javascript",
    "tsx": "javascript",
    "c": "c",
    "cc": "c",
    "cpp": "c",
    "cs": "c",
    "h": "c",
    "hpp": "c",
    "java": "c",
}

# The heads of functions. The first group that matches is the name.
HEADS = {
    "rust": re.compile(
        r"^\s*(?:pub(?:\([^)]*\))?\s+)?"
        r'(?:default |const |async |unsafe |extern "C" )*fn (\w+)'
    ),
    "go": re.compile(r"^func (?:\([^)]*\) )?(\w+)"),
    "kotlin": re.compile(r"^\s*(?:[\w@]+ )*fun (?:<[^>]*> )?(?:[\w<>?*, ]+\.)?(\w+)\s*\("),
    "func": re.compile(r"^\s*(?:[\w@]+(?:\([\w ]*\))? )*func(?:tion)? &?(\w+)\s*[(<]"),
    "javascript": re.compile(
        # function name(
        r"^\s*(?:export )?(?:default )?(?:async )?function\*?\s+(\w+)"
        # const name = function, or an arrow
        r"|^\s*(?:export )?(?:const|let|var) (\w+)(?:: [^=]+)? = "
        r"(?:async )?(?:function|\([^)]*\)[^=]*=>|\w+ =>)"
        # a.b.name = function
        r"|^\s*[\w.]+\.(\w+) = (?:async )?function"
        # a method
        r"|^\s+(?:public |private |static |async |get |set |protected |override "
        r"|readonly |\*)*([#\w$]+)\s*(?:<[^>]*>)?\([^;]*\{\s*$"
        # name: function
        r"|^\s+(\w+): (?:async )?function"
    ),
    "c": re.compile(
        r"^\s*(?![#/*])(?:[\w<>\[\]:,&*~?.@]+[ \t*&]+)+?[*&]*((?:\w+::)*~?\w+)\s*"
        r"\([^;{}]*(?:\{|$|\)\s*(?:const|noexcept|override|throws|:|where))"
    ),
}
RUBY_HEAD = re.compile(r"^(\s*)def (?:self\.)?(\w+[?!=]?)")

WORD = re.compile(r"\w+")
# Words before a parenthesis that only look like the head of a function.
KEYWORDS = frozenset(
    WORD.findall(
        """
        if for while switch return else catch new throw case do using lock foreach function
        synchronized try when elif sizeof await yield typeof super this assert defined include
        define endif
        """
    )
)

# String literals and comments, whose braces do not count.
LITERAL = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|//.*|/\*.*?\*/')
ATTRIBUTE = re.compile(r"\s*(@\w|#\[|\[\w|template\s*<)")
COMMENT_SIGN = re.compile(r"^\s*(/\*\*?|\*+/|\*(?!\w)|///?!?|#+)\s?|\*/\s*$")

# Longer functions are cut there, and longer comments are not documentation.
MOST_LINES = 160
MOST_COMMENT_LINES = 60
# Longer lines are generated or data.
MOST_CHARACTERS = 400
# The lines after a head within which the body must begin.
MOST_HEAD_LINES = 8


class Function(NamedTuple):
    """A function, the text that documents it, and its lines without that text."""

    name: str
    # With the class before it where the language has one around its functions.
    full_name: str
    documentation: str
    lines: list[str]


def extension(path):
    """Returns what follows the last dot of a path."""
    return path.rsplit(".", 1)[-1]


def functions(path, source):
    """Returns the functions of a file in the order in which they begin."""
    family = FAMILIES[extension(path)]
    if family == "python":
        return python_functions(source)
    if family == "ruby":
        return ruby_functions(source.split("\n"))
    return braced_functions(source.split("\n"), HEADS[family])


def python_functions(source):
    """Returns functions and methods; those inside of functions are part of these."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    lines = source.split("\n")
    found = []

    def visit(node, class_name):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                visit(child, child.name)
            elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.append(python_function(child, class_name, lines))

    visit(tree, "")
    return found


def python_function(node, class_name, lines):
    """Returns the function of a node of the syntax tree."""
    documentation = ast.get_docstring(node) or ""
    start, end = node.lineno - 1, node.end_lineno
    body = lines[start:end]
    if documentation:
        docstring = node.body[0]
        body = lines[start : docstring.lineno - 1] + lines[docstring.end_lineno : end]
    full_name = f"{class_name} {node.name}" if class_name else node.name
    return Function(node.name, full_name, documentation, body)


def functions_in(lines, function_at, sign):
    """Returns functions that do not contain each other, with the comments above them.

    `function_at` returns the name of the function that a line begins and its last line, or `None`
    if there is none or it is too long.
    """
    found = []
    start = 0
    while start < len(lines):
        name, last = function_at(start)
        if last is not None:
            documentation = comment_above(lines, start, sign)
            body = lines[start : last + 1]
            found.append(Function(name, name, documentation, body))
            start = last
        start += 1
    return found


def ruby_functions(lines):
    """Returns methods; each ends at the `end` with the same indentation."""

    def function_at(start):
        head = RUBY_HEAD.match(lines[start])
        if not head:
            return None, None
        return head.group(2), ruby_end(lines, start, head.group(1) + "end")

    return functions_in(lines, function_at, "#")


def ruby_end(lines, start, end):
    """Returns the number of the line that is `end`, or `None` if it is too far away."""
    for number in range(start + 1, min(start + MOST_LINES, len(lines))):
        if lines[number].rstrip() == end:
            return number
    return None


def braced_functions(lines, heads):
    """Returns the functions of a language with braces."""

    def function_at(start):
        name = braced_name(lines[start], heads)
        return name, braced_end(lines, start) if name else None

    return functions_in(lines, function_at, "//")


def braced_name(line, heads):
    """Returns the name of the function that a line begins, or `None`."""
    if len(line) >= MOST_CHARACTERS or "(" not in line:
        return None
    head = heads.match(line)
    name = next(filter(None, head.groups()), None) if head else None
    if name is None:
        return None
    first_word = line.split()[0].strip("(")
    if name.split("::")[-1] in KEYWORDS or first_word in KEYWORDS:
        return None
    return name


def braced_end(lines, start):
    """Returns the last line of a function, or `None` if it has no body."""
    depth = 0
    is_open = False
    stop = min(start + MOST_LINES, len(lines))
    for number in range(start, stop):
        for character in LITERAL.sub("", lines[number]):
            if character == "{":
                depth += 1
                is_open = True
            elif character == "}":
                depth -= 1
            elif character == ";" and not is_open:
                return None
        if is_open and depth <= 0:
            return number
        if not is_open and number - start > MOST_HEAD_LINES:
            return None
    return stop - 1 if is_open else None


def comment_above(lines, start, sign):
    """Returns the comment that ends right above a line or its attributes."""
    number = start - 1
    while number >= 0 and ATTRIBUTE.match(lines[number]):
        number -= 1
    if number < 0:
        return ""
    comment = []
    if lines[number].strip().endswith("*/"):
        while number >= 0:
            comment.append(lines[number])
            if "/*" in lines[number]:
                break
            if len(comment) > MOST_COMMENT_LINES:
                return ""
            number -= 1
    else:
        while number >= 0 and lines[number].strip().startswith(sign):
            if len(comment) == MOST_COMMENT_LINES:
                break
            comment.append(lines[number])
            number -= 1
    return "\n".join(COMMENT_SIGN.sub("", line) for line in reversed(comment))
