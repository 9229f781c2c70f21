"""Prints docs/api.md: what ``dask_panes`` exports, and the classes that it gives, from signatures and docstrings.

The sources are read as text. So the page is the same with every version of Python and Dask, and nothing is imported.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from docstrings import markdown

PACKAGE = Path(__file__).parents[2] / "bridge" / "dask_panes"
#: Classes of what exported functions give or raise, with the module of each.
GIVEN = {
    "Recorder": "files.record",
    "Report": "files.report",
    "Recording": "files.recording",
    "Visualization": "local.profilers",
    "RecordingError": "files.blocks",
    "ReportPageError": "files.page",
}
HEAD = """\
<!-- Generated from the docstrings of bridge/dask_panes by `npm run docs:pages`. Do not edit. -->
# Python API

Functions and `ClientWidget` are imported from `dask_panes`. The other classes are what these functions give or raise.
[Python](python.md) has an overview of the tables. The package has type hints (`py.typed`).
"""

Definition: TypeAlias = "ast.FunctionDef | ast.ClassDef"


def main() -> None:
    """Print the page."""
    root = parse("")
    homes = {name: module for module, names in imports(root) for name in names}
    exported = [(name, find(homes.get(name, ""), name)) for name in names_of_all(root)]
    lines = [HEAD, "## Functions", ""]
    for name, definition in exported:
        if isinstance(definition, ast.FunctionDef):
            lines += section(name, definition)
    lines += ["## Classes", ""]
    for name, definition in exported:
        if isinstance(definition, ast.ClassDef):
            lines += section(name, definition)
    for name, module in GIVEN.items():
        lines += section(name, find(module, name), f"dask_panes.{module}")
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    print("\n".join(lines).rstrip("\n"))


def parse(module: str) -> ast.Module:
    """The syntax tree of a module of the package; the package itself for an empty name."""
    path = PACKAGE.joinpath(*module.split(".")).with_suffix(".py") if module else PACKAGE / "__init__.py"
    return ast.parse(path.read_text("utf-8"))


def names_of_all(tree: ast.Module) -> list[str]:
    """The names in ``__all__``."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return sorted(ast.literal_eval(node.value))
    raise ValueError("the package has no __all__")


def imports(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    """Modules of the package that it imports from, those for type checkers included."""
    checked = [inner for node in tree.body if isinstance(node, ast.If) for inner in node.body]
    for node in [*tree.body, *checked]:
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
            yield node.module, [alias.name for alias in node.names]


def find(module: str, name: str) -> Definition:
    """The definition of a function or a class.

    Raises
    ------
    ValueError
        Where the module does not define it, or it has no docstring.
    """
    for node in parse(module).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            if ast.get_docstring(node) is None:
                raise ValueError(f"{name} has no docstring")
            return node
    raise ValueError(f"dask_panes.{module} does not define {name}")


def section(name: str, node: Definition, module: str = "dask_panes") -> list[str]:
    """Signature, docstring and, of a class, its public members."""
    lines = [f"### {name}", "", "```python", signature(f"{module}.{name}", node), "```", ""]
    lines += [*markdown(ast.get_docstring(node) or ""), ""]
    return [*lines, *members(name, node)] if isinstance(node, ast.ClassDef) else lines


def members(owner: str, node: ast.ClassDef) -> list[str]:
    """Public properties as a list, then each public method."""
    public = [each for each in node.body if isinstance(each, ast.FunctionDef) and not each.name.startswith("_")]
    properties = [each for each in public if any(ast.unparse(use) == "property" for use in each.decorator_list)]
    lines = ["**Properties**", ""] if properties else []
    for each in properties:
        text = " ".join(markdown(ast.get_docstring(each) or ""))
        lines.append(f"- `{each.name}` (`{ast.unparse(each.returns) if each.returns else 'object'}`): {text}")
    lines += [""] if properties else []
    for each in public:
        if each not in properties:
            body = markdown(ast.get_docstring(each) or "")
            lines += [f"#### {owner}.{each.name}", "", "```python", signature(each.name, each), "```", "", *body, ""]
    return lines


def signature(name: str, node: Definition) -> str:
    """As it is written in the source, without ``self``; an exported class has that of its constructor."""
    if isinstance(node, ast.ClassDef):
        found = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"]
        shown = [ast.unparse(base) for base in node.bases] if node.name in GIVEN else arguments(found[0])
        return f"class {name}({', '.join(shown)})" if shown else f"class {name}"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    joined = f"{name}({', '.join(arguments(node))}){returns}"
    if len(joined) <= 110:
        return joined
    return "\n".join([f"{name}(", *(f"    {each}," for each in arguments(node)), f"){returns}"])


def arguments(node: ast.FunctionDef) -> list[str]:
    """Each argument with its type and default."""
    found = node.args
    plain = [*found.posonlyargs, *found.args]
    defaults = [None] * (len(plain) - len(found.defaults)) + list(found.defaults)
    texts = [argument(arg, default) for arg, default in zip(plain, defaults) if arg.arg != "self"]
    if found.vararg:
        texts.append(f"*{argument(found.vararg, None)}")
    elif found.kwonlyargs:
        texts.append("*")
    texts += [argument(arg, default) for arg, default in zip(found.kwonlyargs, found.kw_defaults)]
    return [*texts, f"**{argument(found.kwarg, None)}"] if found.kwarg else texts


def argument(arg: ast.arg, default: ast.expr | None) -> str:
    """One argument."""
    kind = f": {ast.unparse(arg.annotation)}" if arg.annotation else ""
    if default is None:
        return f"{arg.arg}{kind}"
    # Strings as the sources write them.
    value = ast.unparse(default).replace("'", '"')
    return f"{arg.arg}{kind} = {value}" if kind else f"{arg.arg}={value}"


if __name__ == "__main__":
    main()
