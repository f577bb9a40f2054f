"""The package as it is installed: by CMake beside the library, and by pip as a wheel that holds it."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest

import glimpse

from conftest import ROOT, python

CODE = """if True:
    import glimpse
    results = glimpse.run(glimpse.load("tiger"), episodes=2, expansions=5, max_steps=3)
    print(glimpse.__file__, glimpse.library_path(), glimpse.program_path(), results.total.mean)
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
    result = python(CODE, GLIMPSE_LIBRARY=None, GLIMPSE_PROGRAM=None, PYTHONPATH=str(package.parent.parent))
    found, library, program, mean = result.stdout.split()
    assert found == str(package) and library.startswith(str(tmp_path / "moved")), result.stderr
    assert program == str(tmp_path / "moved" / "bin" / "glimpse")
    assert float(mean) == pytest.approx(9 * (1 + 0.95 + 0.95**2))


# ---------------------------------------------------------------- archives

BACKEND = ROOT / "scripts" / "python_backend.py"


def clean(**changes):
    """The environment without what leads to this source tree; a variable that is None is left out."""
    foreign = ("LD_PRELOAD", "LD_LIBRARY_PATH", "PYTHONPATH", "GLIMPSE_LIBRARY", "GLIMPSE", "GLIMPSE_PROGRAM")
    variables = {key: value for key, value in os.environ.items() if key not in foreign}
    return {key: value for key, value in {**variables, **changes}.items() if value is not None}


def make(what, directory, root=ROOT, **environment):
    """Makes an archive, and returns its path; fails with what was said."""
    result = subprocess.run(
        [sys.executable, "-B", str(root / "scripts" / BACKEND.name), what, str(directory)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean(**environment),
    )
    if result.returncode != 0:
        raise RuntimeError(result.stderr)
    return Path(result.stdout.strip())


def unpack(archive, directory):
    with tarfile.open(archive) as opened:
        opened.extractall(directory)
    (tree,) = directory.iterdir()
    return tree


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    try:
        return make("dist", tmp_path_factory.mktemp("dist"))
    except RuntimeError as error:
        if "git" in str(error) or "MANIFEST" in str(error):
            pytest.skip(f"no list of the sources: {error}")
        raise


def test_a_source_archive_makes_itself_again(archive, tmp_path):
    tree = unpack(archive, tmp_path / "unpacked")
    assert tree.name == f"glimpse-{glimpse.__version__}" and not (tree / ".git").exists()
    again = make("dist", tmp_path / "again", root=tree, PATH="/nowhere")
    assert again.read_bytes() == archive.read_bytes()
    # What was built there meanwhile is no part of it.
    (tree / "build").mkdir()
    (tree / "build" / "x.o").write_bytes(b"x")
    assert make("dist", tmp_path / "again", root=tree).read_bytes() == archive.read_bytes()
    (tree / "MANIFEST").unlink()
    with pytest.raises(RuntimeError, match="neither a clone nor an unpacked source archive"):
        make("dist", tmp_path / "again", root=tree)


def test_a_missing_tool_is_named(tmp_path):
    with pytest.raises(RuntimeError, match=r"cmake was not found \(Debian: apt install cmake gcc\)"):
        make("wheel", tmp_path, PATH="/nowhere")


def test_a_wheel_of_the_source_archive(archive, tmp_path):
    """pip makes a wheel without a network; a fresh environment without compiler needs nothing but the wheel."""
    if not os.environ.get("GLIMPSE_BUILD"):
        pytest.skip("the wheel is tested in builds without sanitizers")
    if importlib.util.find_spec("pip") is None:
        pytest.skip("pip is not installed (Debian: python3-pip)")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    tree = unpack(archive, tmp_path / "unpacked")
    command = ["wheel", "--no-index", "--no-deps", "-w", str(tmp_path / "wheels"), str(tree)]
    subprocess.run(pip + command, check=True, env=clean())
    (wheel,) = (tmp_path / "wheels").iterdir()
    # Once more is the same wheel.
    assert make("wheel", tmp_path / "again", root=tree).read_bytes() == wheel.read_bytes()

    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True, env=clean())
    inside = str(tmp_path / "venv" / "bin" / "python")
    install = ["--python", inside, "install", "--no-index", "--root-user-action=ignore", str(wheel)]
    subprocess.run(pip + install, check=True, env=clean())
    shutil.rmtree(tree)
    result = subprocess.run(
        [inside, "-c", CODE], stdout=subprocess.PIPE, text=True, check=True, cwd="/", env={"PATH": "/nowhere"}
    )
    found, library, program, mean = result.stdout.split()
    home = os.path.dirname(found)
    assert found.startswith(str(tmp_path / "venv")) and os.path.dirname(library) == home
    assert program == os.path.join(home, "bin", "glimpse")
    assert float(mean) == pytest.approx(9 * (1 + 0.95 + 0.95**2))
    check_tag(wheel.name, library, program)
    check_program(tmp_path / "venv" / "bin" / "glimpse", program, tmp_path)


def check_program(command, program, directory):
    """The command of the wheel, without anything else of this machine but the C library."""
    said = subprocess.run([str(command), "--version"], stdout=subprocess.PIPE, text=True, check=True, cwd="/", env={})
    assert said.stdout == f"glimpse {glimpse.__version__}\n"
    if shutil.which("readelf"):
        elf = subprocess.run(["readelf", "-d", program], stdout=subprocess.PIPE, text=True, check=True).stdout
        needed = set(re.findall(r"\(NEEDED\).*\[(.*?)\.so", elf))
        assert needed <= {"libc", "libm", "libpthread", "libdl", "ld-linux-x86-64", "ld-linux-aarch64"}, needed
    # What was linked into it works; what was not says so.
    model = ROOT / "tests" / "data" / "pomdpx" / "tiger.pomdpx"
    for arguments, missing in ((["check", str(model)], "expat"), (["bench", "demo", "--episodes", "1"], "SQLite")):
        result = subprocess.run(
            [str(command), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=directory, env={}
        )
        assert result.returncode == 0 or missing in result.stderr, result.stderr


def check_tag(name, *files):
    """The wheel's platform is what readelf says that library and program need."""
    tag = re.fullmatch(r"glimpse-([0-9.]+)-py3-none-(\w+)\.whl", name)
    assert tag and tag.group(1) == glimpse.__version__
    if sys.platform != "linux" or not shutil.which("readelf"):
        return
    elf = subprocess.run(["readelf", "-W", "-V", *files], stdout=subprocess.PIPE, text=True, check=True).stdout
    versions = [tuple(map(int, text.split(".")[:2])) for text in re.findall(r"Name: GLIBC_([0-9.]+)", elf)]
    if versions:
        expected = "manylinux_%d_%d_%s" % (*max(versions), os.uname().machine)
        assert tag.group(2) == expected


def test_the_platform_of_a_library():
    specification = importlib.util.spec_from_file_location("python_backend", BACKEND)
    backend = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(backend)
    machine = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert backend.platform_tag(b"\x7fELF\0libc.so\0") == machine
    if sys.platform == "linux":
        versions = b"\0GLIBC_2.9\0GLIBC_2.17\0GLIBC_2.2.5\0GLIBC_PRIVATE\0GLIMPSE_9\0xGLIBC_3.1\0"
        assert backend.platform_tag(versions) == "manylinux_2_17_" + machine[len("linux_") :]
