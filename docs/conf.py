"""Sphinx configuration of the documentation: `npm run docs` builds it into docs/_build/html."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent

project = "Dask Panes"
author = "Dask Panes developers"
copyright = author
release = json.loads((ROOT / "package.json").read_text("utf-8"))["version"]

extensions = ["myst_parser"]
exclude_patterns = ["_build", "examples"]
html_theme = "furo"
html_title = "Dask Panes"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False

myst_heading_anchors = 4

#: Links to what is not on the site; on it they are paths in the repository.
OUTSIDE = re.compile(r"\[((?:`[^`]*`|[^\]`])+)\]\(\.\./[^)]*\)")


def leave_out_links(app, docname, source):
    """Write the text of links to files of the repository, which are no pages."""
    source[0] = OUTSIDE.sub(r"\1", source[0])


def setup(app):
    """Called by Sphinx."""
    app.connect("source-read", leave_out_links)
