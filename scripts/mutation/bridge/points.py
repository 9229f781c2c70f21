"""Where Python can be mutated: an operator, a bound, a condition, a number, a statement."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

#: Operators and what replaces them. A comparison has two mutants: another bound, and its opposite.
OPERATORS: dict[str, tuple[str, ...]] = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
    "is not": ("is",),
    "is": ("is not",),
    "not in": ("in",),
    "in": ("not in",),
    "+": ("-",),
    "-": ("+",),
    "*": ("/",),
    "//": ("*",),
    "/": ("*",),
    "%": ("*",),
    "&": ("|",),
    "|": ("&",),
    "<<": (">>",),
    ">>": ("<<",),
    "and": ("or",),
    "or": ("and",),
}
OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"}
SYMBOLS: dict[type[ast.AST], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Div: "/",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.And: "and",
    ast.Or: "or",
}


@dataclass
class Point:
    """One possible mutation: `text` replaces the source from `start` to `end`.

    `origin` and `to` are the line in which it begins, without indentation, as it is and mutated. `probe` is the line
    of its statement; -1 where the module itself is being run.
    """

    file: str
    line: int
    origin: str
    to: str
    start: int
    end: int
    text: str
    probe: int

    def wire(self) -> dict[str, Any]:
        """As the other side of the pipe names the fields."""
        fields = dict(self.__dict__)
        return {"from": fields.pop("origin"), **fields}


class Walk(ast.NodeVisitor):
    """One walk over the syntax tree of a file."""

    def __init__(self, file: str, source: str) -> None:
        self.file, self.source = file, source
        self.points: list[Point] = []
        #: Lines of statements in functions, before which a probe can be inserted.
        self.probes: set[int] = set()
        self._probe = -1
        self._inside = False
        self._lines = source.splitlines(keepends=True)
        self._offsets = [0]
        for line in self._lines:
            self._offsets.append(self._offsets[-1] + len(line))

    def visit(self, node: ast.AST) -> None:
        """Collect the mutations of a node and of those below it."""
        outer = self._probe, self._inside
        if isinstance(node, ast.stmt) and self._inside:
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            text = self._lines[first - 1].lstrip()
            if not text.startswith("elif") and len(self._lines[first - 1]) - len(text) == node.col_offset:
                self._probe = first
                self.probes.add(first)
        self._mutations(node)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_comment", "format_spec"):
                continue
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._inside = name == "body" or outer[1]
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _skipped(child):
                    self.visit(child)
        self._probe, self._inside = outer

    def _mutations(self, node: ast.AST) -> None:  # noqa: PLR0912
        match node:
            case ast.Compare():
                for left, operator, right in zip(
                    [node.left, *node.comparators], node.ops, node.comparators, strict=False
                ):
                    self._operator(left, SYMBOLS[type(operator)], right)
            case ast.BoolOp():
                for left, right in zip(node.values, node.values[1:], strict=False):
                    self._operator(left, SYMBOLS[type(node.op)], right)
            case ast.BinOp() if not (isinstance(node.op, ast.Add) and (_is_text(node.left) or _is_text(node.right))):
                self._operator(node.left, SYMBOLS.get(type(node.op), ""), node.right)
            case ast.AugAssign():
                symbol = SYMBOLS.get(type(node.op), "")
                self._operator(node.target, symbol, node.value)
            case ast.UnaryOp(op=ast.Not() | ast.USub()):
                symbol = "not " if isinstance(node.op, ast.Not) else "-"
                self._replace(self._start(node), self._start(node) + len(symbol), "")
            case ast.If() | ast.IfExp():
                for text in ("True", "False"):
                    self._replace(self._start(node.test), self._end(node.test), text)
            case ast.While():
                self._replace(self._start(node.test), self._end(node.test), "False")
            case ast.comprehension():
                for test in node.ifs:
                    self._replace(self._start(test), self._end(test), "True")
            case ast.Constant(value=bool()):
                self._replace(self._start(node), self._end(node), str(not node.value))
            case ast.Constant(value=int() | float()):
                other = 0 if node.value == 1 else node.value + 1  # type: ignore[operator]
                self._replace(self._start(node), self._end(node), repr(other))
            case ast.Call(func=ast.Name(id=name)) if name in OPPOSITES:
                self._replace(self._start(node.func), self._end(node.func), OPPOSITES[name])
            case ast.Expr(value=ast.Call() | ast.Await()):
                self._replace(self._start(node), self._end(node), "pass")
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript(), *_]):
                self._replace(self._start(node), self._end(node), "pass")

    def _operator(self, left: ast.expr, symbol: str, right: ast.expr) -> None:
        between = self.source[self._end(left) : self._start(right)]
        at = between.find(symbol) if symbol else -1
        if at >= 0:
            begin = self._end(left) + at
            for other in OPERATORS.get(symbol, ()):
                self._replace(begin, begin + len(symbol), other)

    def _replace(self, start: int, end: int, text: str) -> None:
        if self.source[start:end] == text:
            return
        line = self.source.count("\n", 0, start) + 1
        begin, stop = self._offsets[line - 1], self._offsets[line]
        rest = self.source[end:stop] if end <= stop else " …"
        to = self.source[begin:start] + text + rest
        origin = self._lines[line - 1].strip()
        self.points.append(Point(self.file, line, origin, to.strip(), start, end, text, self._probe))

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._offset(node.lineno, node.col_offset)

    def _end(self, node: ast.expr | ast.stmt) -> int:
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _offset(self, line: int, column: int) -> int:
        # Columns count bytes.
        return self._offsets[line - 1] + len(self._lines[line - 1].encode()[:column].decode())


def _skipped(node: ast.AST) -> bool:
    """Whether nothing is run in a node: imports for the types, f-strings' parts, text."""
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return isinstance(node, ast.Raise | ast.Assert)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def points_of(file: str, source: str) -> list[Point]:
    """All mutations of a source text."""
    walk = Walk(file, source)
    walk.visit(ast.parse(source))
    return walk.points


def with_probes(file: str, source: str) -> str:
    """The source with a probe before each statement in a function, which notes that it ran."""
    walk = Walk(file, source)
    walk.visit(ast.parse(source))
    lines = source.splitlines(keepends=True)
    for line in sorted(walk.probes, reverse=True):
        text = lines[line - 1]
        indent = text[: len(text) - len(text.lstrip())]
        probe = f'__import__("sys").__dict__.setdefault("_mutation_hits", set()).add(({file!r}, {line}))'
        lines.insert(line - 1, f"{indent}{probe}\n")
    return "".join(lines)
