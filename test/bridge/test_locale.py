"""JupyterLab's server finds the translations that the package ships."""

import gettext
import json
from importlib.resources import files

import pytest
from babel.messages.pofile import read_po
from jupyterlab_server.translation_utils import get_installed_packages_locale, get_language_pack


def test_the_server_finds_the_german_texts():
    found, message = get_installed_packages_locale("de_DE")
    assert message.strip() == ""
    assert found["dask_panes"]["Search plots"] == ["Diagramme suchen"]
    assert found["dask_panes"][""]["language"] == "de-DE"


def test_the_german_language_pack_is_served_with_them():
    data, message = get_language_pack("de_DE")
    assert message.strip() == ""
    assert data["jupyterlab"]["Cancel"] == ["Abbrechen"]
    assert data["dask_panes"]["Plots"] == ["Diagramme"]


def test_other_languages_have_none():
    found, message = get_installed_packages_locale("fr_FR")
    assert (message.strip(), found.get("dask_panes")) == ("", None)


@pytest.mark.parametrize("count, form", [(1, 0), (0, 1), (2, 1), (1000, 1)])
def test_plural_forms_are_those_of_german(count, form):
    folder = files("dask_panes") / "locale" / "de_DE" / "LC_MESSAGES"
    head = json.loads((folder / "dask_panes.json").read_text("utf-8"))[""]
    assert gettext.c2py(head["plural_forms"].split("plural=")[1].rstrip(";"))(count) == form
    with (folder / "dask_panes.po").open("rb") as file:
        assert read_po(file, locale="de_DE").num_plurals == 2
