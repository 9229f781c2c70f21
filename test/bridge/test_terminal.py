"""``python -m dask_panes`` ends with 0, 1 or 2, whatever the Node.js of the machine does."""

from __future__ import annotations

from pathlib import Path

import pytest

from dask_panes import __main__ as terminal


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> object:
    """Run the command with a Node.js that does what a script says; returns the exit status and the error output."""

    def run(script: str) -> tuple[int, str]:
        program, node = tmp_path / "program.mjs", tmp_path / "node"
        program.touch()
        node.write_text(f"#!/bin/sh\n{script}\n")
        node.chmod(0o755)
        monkeypatch.setattr(terminal, "PROGRAM", program)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
        return terminal.main(["advise", "run.dask-run", "--fail-on", "any"]), capfd.readouterr().err

    return run


def node(version: str, then: str) -> str:
    return f'if [ "$1" = --version ]; then echo {version}; exit; fi; {then}'


@pytest.mark.parametrize("status", [0, 1, 2])
def test_the_status_is_that_of_the_program(run, status: int) -> None:
    assert run(node("v20.1.0", f"exit {status}")) == (status, "")


def test_a_node_that_cannot_read_the_program_has_found_no_cause(run) -> None:
    """That of Ubuntu 22.04 and Debian 11 prints a syntax error and ends with 1."""
    status, said = run(node("v12.22.9", "echo 'SyntaxError: Unexpected token ?' >&2; exit 1"))
    assert status == 2
    assert said.startswith("dask-panes: Node.js 12.22.9 (")
    assert said.endswith(") is too old; version 20 or later is needed.\n")


@pytest.mark.parametrize(
    ("then", "words"),
    [("kill -9 $$", "ended by signal 9"), ("exit 134", "ended with status 134"), ("exit 9", "ended with status 9")],
)
def test_a_node_that_dies_is_a_failure(run, then: str, words: str) -> None:
    status, said = run(node("v22.0.0", then))
    assert status == 2
    assert f"{words} before the command was carried out.\n" in said


def test_what_is_not_node_is_reported(run) -> None:
    status, said = run("echo 'lib not found' >&2; exit 127")
    assert status == 2
    assert "is not Node.js, or does not run: lib not found" in said
    status, said = run("exec /nothing/here")
    assert (status, "does not run" in said) == (2, True)


def test_without_node_and_without_the_program_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "PROGRAM", tmp_path / "program.mjs")
    assert terminal.main(["info", "x"]) == 2
    assert "program.mjs is missing" in capfd.readouterr().err
    (tmp_path / "program.mjs").touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert terminal.main(["info", "x"]) == 2
    assert "needs Node.js 20 or later" in capfd.readouterr().err
