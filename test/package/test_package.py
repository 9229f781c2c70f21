"""The package as people get it: built from a clean copy, installed, found by JupyterLab and Dask, removed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter import ACTIVATE, RealKernel

ROOT = Path(__file__).parents[2]
LABEXTENSION = "share/jupyter/labextensions/dask-panes"

pytestmark = pytest.mark.timeout(600)


def run(*command: str | Path, cwd: Path | None = None, **environment: str) -> str:
    """Output of a command that has to succeed."""
    return "".join(outputs(*command, cwd=cwd, **environment))


def outputs(*command: str | Path, cwd: Path | None = None, **environment: str) -> tuple[str, str]:
    """What a command that has to succeed writes to the standard output, and to the standard error."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**inherited, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout, done.stderr


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What git knows of the checkout, and nothing that was built in it."""
    copy = tmp_path_factory.mktemp("a clean copy")
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    # The packages of the lock file, which the set-up has installed: npm checks them instead of installing them again.
    shutil.copytree(ROOT / "node_modules", copy / "node_modules", symlinks=True, copy_function=link)
    return copy


def link(source: str, target: str) -> None:
    """Link a file of a package, or copy it: npm writes its own list, and folders may be on different disks."""
    if Path(source).name == ".package-lock.json":
        shutil.copy2(source, target)
        return
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


@pytest.fixture(scope="session")
def wheel(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `pip install .` makes."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", folder, ".", cwd=sources)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with pip and nothing else."""
    folder = tmp_path_factory.mktemp("fresh") / "venv"
    run(sys.executable, "-m", "venv", folder)
    return folder


@pytest.fixture(scope="session")
def installed(fresh: Path, wheel: Path) -> Iterator[Path]:
    """The environment with what the wheel requires, and then the wheel from its file alone, as without a network."""
    run("uv", "pip", "install", "--python", python(fresh), wheel)
    run(python(fresh), "-m", "pip", "install", "--no-index", "--no-deps", "--force-reinstall", wheel)
    yield fresh


@pytest.fixture
def home(tmp_path: Path, wheel: Path) -> dict[str, str]:
    """A user who may not write into the site's environment installs for themselves; their environment variables."""
    site = tmp_path / "site"
    run(sys.executable, "-m", "venv", "--system-site-packages", site)
    constraints = ROOT / "requirements-dev.txt"
    run(
        "uv",
        "pip",
        "install",
        "--python",
        python(site),
        "-c",
        constraints,
        "distributed",
        "ipykernel",
        "ipywidgets",
        "jupyterlab",
    )
    env = {"HOME": str(tmp_path / "home"), "PYTHONPATH": ""}
    run(python(site), "-m", "pip", "install", "--user", "--no-index", "--no-deps", wheel, **env)
    return env


def python(environment: Path) -> Path:
    return environment / "bin" / "python"


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() or path.is_symlink()}


def test_the_wheel_holds_extension_bridge_and_configuration(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (data,) = {name.split("/")[0] for name in names if ".data/" in name}
        package = json.loads(archive.read(f"{data}/data/{LABEXTENSION}/package.json"))
    assert package["jupyterlab"]["_build"]["load"].startswith("static/remoteEntry.")
    assert f"{data}/data/{LABEXTENSION}/{package['jupyterlab']['_build']['load']}" in names
    assert f"{data}/data/{LABEXTENSION}/install.json" in names
    assert any(name.startswith(f"{data}/data/{LABEXTENSION}/schemas/") for name in names)
    assert f"{data}/data/etc/dask/dask_panes.yaml" in names
    assert {"dask_panes/__init__.py", "dask_panes/_version.py", "dask_panes/feed/schema.json"} <= names
    # Type checkers read the types of a package that says that it has them.
    assert "dask_panes/py.typed" in names
    assert {"dask_panes/files/report.html", "dask_panes/files/program.mjs"} <= names
    assert {name for name in names if name.startswith("dask_panes/locale/")} == {
        "dask_panes/locale/de_DE/LC_MESSAGES/dask_panes.json"
    }
    assert not {name for name in names if name.startswith("dask_panes/labextension")}


def test_a_source_distribution_needs_no_node(sources: Path, wheel: Path, tmp_path: Path) -> None:
    run("uv", "build", "--sdist", "--out-dir", tmp_path, sources)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    # Only the folder of Python itself: a build that looked for npm would not find it.
    path = str(Path(sys.executable).parent)
    run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--wheel-dir",
        tmp_path / "again",
        ".",
        cwd=unpacked,
        PATH=path,
    )
    (again,) = (tmp_path / "again").iterdir()
    with zipfile.ZipFile(again) as ours, zipfile.ZipFile(wheel) as theirs:
        assert sorted(ours.namelist()) == sorted(theirs.namelist())


def test_it_requires_neither_jupyterlab_nor_bokeh(installed: Path) -> None:
    listed = json.loads(run(python(installed), "-m", "pip", "list", "--format=json"))
    names = {entry["name"].lower() for entry in listed}
    assert {"dask-panes", "distributed", "ipykernel", "ipywidgets"} <= names
    assert not {"jupyterlab", "notebook", "bokeh"} & names


def test_a_client_outside_a_kernel_is_left_alone(installed: Path) -> None:
    code = (
        "from distributed import Client\n"
        "import dask, sys\n"
        "assert dask.config.get('distributed.client.preload') == []\n"
        "assert dask.config.get('dask-panes.enabled') is True\n"
        "with Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=':0') as client:\n"
        "    print(client.submit(lambda x: x + 1, 1).result())\n"
    )
    written, logged = outputs(python(installed), "-c", code, DASK_CONFIG=str(installed / "none"))
    assert written.strip() == "2"
    # On a slow machine Dask logs that something of its own took too long while it closed.
    assert "dask_panes" not in logged


def test_advice_is_printed_by_the_program_in_the_wheel(installed: Path) -> None:
    recording = ROOT / "test" / "fixtures" / "run.dask-run"
    command = [str(python(installed)), "-m", "dask_panes", "advise", str(recording), "--json", "--fail-on", "failures"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert [verdict["cause"] for verdict in json.loads(done.stdout)["verdicts"]] == ["failures"]
    # Costs, sentences and remedies are those of the checkout, which `advice.spec.ts` compares with those of the pane.
    assert (
        done.stdout
        == subprocess.run([sys.executable, *command[1:]], capture_output=True, text=True, check=False).stdout
    )
    # The program has everything in it: it runs beside nothing else.
    (program,) = installed.rglob("program.mjs")
    assert run("node", program, "info", recording, cwd=installed).startswith(str(recording))

    without_node = {**os.environ, "PATH": str(installed / "bin")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=without_node)
    assert (done.returncode, done.stdout) == (2, "")
    assert "needs Node.js 20 or later" in done.stderr
    assert "Traceback" not in done.stderr


def test_jupyterlab_finds_it_and_removal_leaves_nothing(installed: Path) -> None:
    run(
        "uv",
        "pip",
        "install",
        "--python",
        python(installed),
        "-c",
        ROOT / "requirements-dev.txt",
        "jupyterlab",
    )
    listed = run(installed / "bin" / "jupyter-labextension", "list")
    (line,) = [line for line in listed.splitlines() if "dask-panes" in line]
    assert "enabled" in line
    assert "OK" in line

    before = files(installed)
    run(python(installed), "-m", "pip", "uninstall", "--yes", "dask-panes")
    gone = before - files(installed)
    left = {name for name in files(installed) if "dask_panes" in name or "dask-panes" in name}
    assert any(name.startswith(LABEXTENSION) for name in gone)
    assert not left
    assert not (installed / LABEXTENSION).exists()
    assert "dask-panes" not in run(installed / "bin" / "jupyter-labextension", "list")


def test_a_person_without_rights_installs_it_for_themselves(home: dict[str, str], tmp_path: Path) -> None:
    own, site = Path(home["HOME"]) / ".local", tmp_path / "site"
    assert not (site / LABEXTENSION).exists()
    assert (own / "etc" / "dask" / "dask_panes.yaml").is_file()
    listed = run(site / "bin" / "jupyter-labextension", "list", **home)
    (line,) = [line for line in listed.splitlines() if "dask-panes" in line]
    assert "enabled" in line
    with RealKernel(python=str(python(site)), env=home) as kernel:
        # Dask reads no configuration there: every switch has its default.
        assert kernel.run("import dask; print(dask.config.get('dask-panes', None), end='')") == "None"
        kernel.finish(kernel.start(ACTIVATE, silent=True))
        assert str(own) in kernel.run("import dask_panes; print(dask_panes.__file__)")
        made = "from distributed import Client; client = Client(processes=False, n_workers=1, dashboard_address=':0')"
        assert kernel.run(made) == ""
        (client,) = kernel.subscribe().clients
        assert (client["variable"], client["status"], client["limited"]) == ("client", "running", "")
