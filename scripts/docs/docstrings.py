"""Docstrings in numpydoc's form as Markdown."""

from __future__ import annotations

import re
from inspect import cleandoc

#: Sections whose entries are a name, with a type where there is one, and an indented text.
ENTRIES = ("Parameters", "Attributes", "Returns", "Raises")
_HEAD = re.compile(r"^(?P<title>[A-Z][A-Za-z ]+)\n-{3,}$", re.MULTILINE)


def markdown(docstring: str) -> list[str]:
    """The lines of a docstring as Markdown: the text, then each section under a bold title."""
    text = cleandoc(docstring)
    heads = list(_HEAD.finditer(text))
    lines = _body(text[: heads[0].start()] if heads else text)
    for head, following in zip(heads, [*heads[1:], None]):
        title = head["title"]
        body = text[head.end() : following.start() if following else len(text)].strip("\n")
        lines += ["", f"**{title}**", "", *_section(title, body)]
    return lines


def _section(title: str, body: str) -> list[str]:
    if title == "Examples":
        code = [re.sub(r"\s+# doctest: \+SKIP$", "", line) for line in body.split("\n")]
        return ["```python", *(re.sub(r"^(>>>|\.\.\.) ?", "", line) for line in code), "```"]
    return _entries(title, body) if title in ENTRIES else _body(body)


def _entries(title: str, body: str) -> list[str]:
    lines: list[str] = []
    for entry in re.split(r"\n(?=\S)", body):
        head, _, text = entry.partition("\n")
        name, _, kind = head.partition(" : ")
        paragraphs = re.split(r"\n\s*\n", cleandoc(text))
        label = f"`{name}`" + (f" ({_inline(kind)})" if kind else "")
        if title == "Raises":
            label = ", ".join(f"`{one}`" for one in name.split(", "))
        lines.append(f"- {label}: {_joined(paragraphs[0])}")
        for paragraph in paragraphs[1:]:
            lines += ["", *(f"  {line}".rstrip() for line in _paragraph(paragraph))]
    return lines


def _body(text: str) -> list[str]:
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        lines += ["", *_paragraph(paragraph)] if lines else _paragraph(paragraph)
    return lines


def _paragraph(text: str) -> list[str]:
    rows = text.split("\n")
    return _table(rows) if re.fullmatch(r"=+( =+)+", rows[0].strip()) else [_joined(text)]


def _table(rows: list[str]) -> list[str]:
    """A simple table of reStructuredText without a head."""
    rule = rows[0]
    starts = [found.start() for found in re.finditer("=+", rule)]
    cells = [[row[at:end].strip() for at, end in zip(starts, [*starts[1:], None])] for row in rows[1:-1]]
    head = ["column", "type", "content"][: len(starts)]
    return [_row(head), "|" + "---|" * len(head), *(_row([f"`{row[0]}`", *map(_inline, row[1:])]) for row in cells)]


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _joined(text: str) -> str:
    return _inline(" ".join(line.strip() for line in text.split("\n")))


def _inline(text: str) -> str:
    # Code first: what is in it stays as it is.
    parts = re.split(r"(``[^`]+``|`[^`]+`)", text)
    return "".join(f"`{part.strip('`')}`" if part.startswith("`") else _escaped(part) for part in parts)


def _escaped(text: str) -> str:
    # An underscore within a word is no emphasis.
    return re.sub(r"([\\*<>|]|(?<!\w)_|_(?!\w))", r"\\\1", text)
