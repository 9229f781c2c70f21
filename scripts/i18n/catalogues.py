"""Writes the template, the translations and what JupyterLab loads of them; ``scripts/i18n.mjs`` gives the texts.

Babel reads, merges and writes the files of gettext; it comes with jupyterlab-server.
"""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

#: The name under which JupyterLab's server finds the translations of this package.
DOMAIN = "dask_panes"
#: Lines of the head that change with the time or are to be filled in: the files change with the texts only.
OMITTED = re.compile(r'^"(POT-Creation-Date|PO-Revision-Date|Report-Msgid|Last-Tr|Language-Team|Gen).*\n', re.MULTILINE)


def template(messages: list[dict[str, Any]]) -> Catalog:
    """Put the texts of the sources into a catalogue without translations."""
    catalog = Catalog(project="Dask Panes", domain=DOMAIN, charset="utf-8")
    catalog.header_comment = "# Texts of Dask Panes. Written by `npm run i18n`."
    for message in messages:
        text, plural, references = message["text"], message["plural"], message["references"]
        catalog.add(
            (text, plural) if plural else text,
            # Without line numbers, which would change with every edit.
            locations=[(each, None) for each in references if each.startswith("src/")],
            auto_comments=[each for each in references if not each.startswith("src/")],
        )
    return catalog


def written(catalog: Catalog, references: bool) -> str:
    """Return the text of a file. Only the template says where texts occur: code moves more often than texts change."""
    for message in catalog:
        # Babel takes "100 % of" for a format of Python.
        message.flags.discard("python-format")
    file = io.BytesIO()
    options = {"width": 120, "sort_output": True, "ignore_obsolete": True, "include_lineno": False}
    write_po(file, catalog, no_location=not references, **options)
    return OMITTED.sub("", file.getvalue().decode())


def read(path: Path) -> Catalog:
    """Read a translation, whose locale is the name of its folder."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name, domain=DOMAIN, abort_invalid=True)


def texts(message: Message) -> list[str]:
    """Return the texts of a message in English: one, or singular and plural."""
    return [message.id] if isinstance(message.id, str) else list(message.id)


def translations(message: Message | None) -> list[str]:
    """Return a complete translation, in all plural forms; nothing for one that is missing or doubtful."""
    if message is None or message.fuzzy or not message.string:
        return []
    strings = [message.string] if isinstance(message.string, str) else list(message.string)
    return strings if strings and all(strings) else []


def placeholders(text: str) -> set[str]:
    """Return ``%1``, ``%2`` … of a text."""
    return set(re.findall(r"%\d+", text))


def misplaced(catalog: Catalog) -> list[str]:
    """Return the texts whose translation has other placeholders; a plural form may be without the count."""
    return [
        texts(message)[0]
        for message in catalog
        if message.id
        and any(placeholders(each) not in map(placeholders, texts(message)) for each in translations(message))
    ]


def bundle(catalog: Catalog, version: str) -> str:
    """Return what JupyterLab loads: translations by English text."""
    head = {
        "domain": DOMAIN,
        "language": str(catalog.locale).replace("_", "-"),
        "plural_forms": catalog.plural_forms,
        "version": version,
    }
    known = {texts(message)[0]: found for message in catalog if message.id and (found := translations(message))}
    return json.dumps({"": head, **dict(sorted(known.items()))}, ensure_ascii=False, indent=1) + "\n"


def main(folder: Path, check: bool) -> int:
    """Write or compare the files of a folder with one folder for each locale."""
    given = json.load(sys.stdin)
    made = template(given["messages"])
    wanted = {message.id for message in made if message.id}
    faults = []
    files = {}
    path = folder / f"{DOMAIN}.pot"
    if not check:
        files[path] = written(made, references=True)
    elif not path.exists() or {message.id for message in read(path) if message.id} != wanted:
        faults.append(f"{path.name} is out of date: run `npm run i18n`")
    for path in sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        catalog = read(path)
        if not check:
            # Translations of similar texts are mostly those of something else.
            catalog.update(made, no_fuzzy_matching=True)
            files[path] = written(catalog, references=False)
        content = bundle(catalog, given["version"])
        target = path.with_suffix(".json")
        if not check:
            files[target] = content
        elif not target.exists() or target.read_text(encoding="utf-8") != content:
            faults.append(f"{catalog.locale}: {target.name} is out of date: run `npm run i18n`")
        faults += [f'{catalog.locale}: other placeholders than "{text}"' for text in misplaced(catalog)]
        missing = [text for text in wanted if not translations(catalog.get(text))]
        print(f"{catalog.locale}: {len(wanted) - len(missing)} of {len(wanted)} texts are translated")
    for path, content in files.items():
        path.write_text(content, encoding="utf-8")
    print("\n".join(faults), file=sys.stderr, end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), "--check" in sys.argv))
