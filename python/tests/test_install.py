"""The package as it is installed: by CMake beside the library, and by pip."""

import importlib.util
import os
import shutil
import subprocess
import sys

import pytest

import glimpse

from conftest import PYTHON, python

CODE = """if True:
    import glimpse
    results = glimpse.run(glimpse.load("tiger"), episodes=2, expansions=5, max_steps=3)
    print(glimpse.__file__, glimpse.library_path(), results.total.mean)
"""


def test_cmake_installs_it_beside_the_library(tmp_path):
    build = os.environ.get("GLIMPSE_BUILD")
    if not build or not shutil.which("cmake"):
        pytest.skip("GLIMPSE_BUILD does not name a build directory")
    subprocess.run(
        ["cmake", "--install", build, "--prefix", str(tmp_path / "first")], check=True, stdout=subprocess.DEVNULL
    )
    (tmp_path / "first").rename(tmp_path / "moved")
    (package,) = (tmp_path / "moved").rglob("glimpse/__init__.py")
    assert (package.parent / "py.typed").is_file()
    result = python(CODE, GLIMPSE_LIBRARY=None, PYTHONPATH=str(package.parent.parent))
    found, library, mean = result.stdout.split()
    assert found == str(package) and library.startswith(str(tmp_path / "moved")), result.stderr
    assert float(mean) == pytest.approx(9 * (1 + 0.95 + 0.95**2))


def test_pip_installs_it(tmp_path):
    # Looked for, not imported: the import of setuptools changes that of other modules.
    for needed in ("pip", "setuptools", "wheel"):
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed")
    shutil.copytree(PYTHON, tmp_path / "source", ignore=shutil.ignore_patterns("tests", "__pycache__"))
    environment = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
        + ["--disable-pip-version-check", "--root-user-action=ignore"]
        + ["--target", str(tmp_path / "there"), str(tmp_path / "source")],
        check=True,
        env=environment,
    )
    package = tmp_path / "there" / "glimpse"
    assert (package / "py.typed").is_file()
    wish = glimpse.library_path()
    result = python(CODE, GLIMPSE_LIBRARY=wish, PYTHONPATH=str(tmp_path / "there"))
    assert result.stdout.split()[:2] == [str(package / "__init__.py"), wish], result.stderr
