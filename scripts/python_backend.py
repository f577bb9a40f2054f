#!/usr/bin/env python3
"""Makes the archives that others install: the source archive and the wheel of the Python package.

    scripts/python_backend.py dist|wheel DIRECTORY      makes one there and prints its path

This file is also the build backend that pyproject.toml names (PEP 517, PEP 660), so that 'pip install .',
'pip install -e .' and 'python3 -m build' work. It needs Python 3.9 and nothing else of Python: no network,
no other package. A wheel needs CMake and a C compiler, too.

The source archive has the files that git knows, and lists them in MANIFEST; where there is a MANIFEST it is
used instead of git, so an archive made from an unpacked one is the same. It is the sdist of Python as well.

The wheel holds the package, the shared library beside it, _location.txt, which says that the library is there,
and the program in bin/, for which installers make the command 'glimpse'. expat and SQLite are linked into the
program where their static libraries are found (Debian: libexpat1-dev, libsqlite3-dev), so that it needs nothing but
the C library; otherwise it goes without POMDPX files, or without 'bench' and 'report', and says so. Library and
program use nothing of Python, so one wheel serves all versions of Python. Its platform is theirs:
'manylinux_2_34_x86_64' says that they need glibc 2.34, the highest version among the symbols that they use; without
glibc it is that of the machine.

Both have the same bytes each time they are made from the same files with the same compiler: files are
sorted, and times are those of SOURCE_DATE_EPOCH, or a fixed day.
"""

import ast
import base64
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "glimpse"
NAME = "glimpse"
EPOCH = 1577836800  # 1 January 2020; a zip cannot go back before 1980
FIELDS = """\
Summary: Planning in POMDPs with state requests
License: MIT
Keywords: POMDP,planning,decision making under uncertainty
Classifier: License :: OSI Approved :: MIT License
Classifier: Programming Language :: C
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Requires-Python: >=3.9
Provides-Extra: arrays
Requires-Dist: numpy; extra == "arrays"
Provides-Extra: gymnasium
Requires-Dist: gymnasium; extra == "gymnasium"
Provides-Extra: plots
Requires-Dist: matplotlib; extra == "plots"
Description-Content-Type: text/x-rst
"""


def version():
    """The version, which the public header declares."""
    header = (ROOT / "include" / "glimpse.h").read_text(encoding="utf-8")
    parts = [re.search(rf"#define GLIMPSE_VERSION_{part} +(\d+)", header) for part in ("MAJOR", "MINOR", "PATCH")]
    return ".".join(part.group(1) for part in parts)


def moment():
    """When all that is archived was made, in seconds since 1970."""
    return max(int(os.environ.get("SOURCE_DATE_EPOCH") or EPOCH), 315619200)


def metadata():
    """What indexes and installers read of the package."""
    text = ast.get_docstring(ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8")))
    return f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version()}\n{FIELDS}\n{text}\n".encode()


def run(command, package):
    """Runs a command, and says what is missing where it is: package is its name in Debian."""
    if shutil.which(command[0]) is None:
        raise SystemExit(f"glimpse: {command[0]} was not found (Debian: apt install {package})")
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        sys.stderr.write(result.stdout.decode(errors="replace"))
        raise SystemExit(f"glimpse: failed: {' '.join(command)}")
    return result.stdout.decode()


# ------------------------------------------------------------------- sources


def source_files():
    """The files of the source archive, sorted, relative to the root."""
    manifest = ROOT / "MANIFEST"
    if manifest.is_file():
        names = manifest.read_text(encoding="utf-8").splitlines()
    else:
        if not (ROOT / ".git").exists():
            raise SystemExit(f"glimpse: {ROOT} is neither a clone nor an unpacked source archive: there is no MANIFEST")
        names = run(["git", "-C", str(ROOT), "ls-files", "-z"], "git").split("\0")
    return sorted(name for name in names if name and (ROOT / name).is_file())


def build_sdist(directory, config_settings=None):
    """The source archive: glimpse-VERSION.tar.gz."""
    folder = f"{NAME}-{version()}"
    names = source_files()
    made = {"MANIFEST": "".join(name + "\n" for name in names).encode(), "PKG-INFO": metadata()}
    unpacked = io.BytesIO()
    with tarfile.open(fileobj=unpacked, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in sorted({*names, *made}):
            path = ROOT / name
            data = made[name] if name in made else path.read_bytes()
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size = len(data)
            entry.mtime = moment()
            entry.mode = 0o755 if name not in made and os.access(path, os.X_OK) else 0o644
            archive.addfile(entry, io.BytesIO(data))
    # gzip itself would note the time and the name.
    result = Path(directory) / f"{folder}.tar.gz"
    with open(result, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=moment()) as packed:
        packed.write(unpacked.getvalue())
    return result.name


# --------------------------------------------------------------------- wheel


def build_library(build, *options, targets=("glimpse_shared",)):
    """Builds the shared library, and further targets, in a directory, and returns the library's path."""
    cache = build / "CMakeCache.txt"
    if cache.is_file() and f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n" not in cache.read_text(encoding="utf-8"):
        shutil.rmtree(build)  # the sources were moved
    generator = ["-G", "Ninja"] if shutil.which("ninja") and not cache.is_file() else []
    run(["cmake", "-S", str(ROOT), "-B", str(build), *generator, "-DCMAKE_BUILD_TYPE=Release", *options], "cmake gcc")
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 2)
    run(["cmake", "--build", str(build), "--target", *targets, "--parallel", jobs], "cmake")
    found = [*build.glob("libglimpse.so.?"), *build.glob("libglimpse.?.dylib")]
    if len(found) != 1:
        raise SystemExit(f"glimpse: expected one shared library in {build}, found {len(found)}")
    return found[0]


def static_parts():
    """Options that link expat and SQLite into the program, each from its static library, or leave it out."""
    options = []
    for part, variable, name in (("XML", "EXPAT_LIBRARY", "libexpat.a"), ("EXPERIMENTS", "SQLite3_LIBRARY", "libsqlite3.a")):
        compiler = os.environ.get("CC", "cc").split()
        known = shutil.which(compiler[0])  # without one CMake complains
        found = run([*compiler, f"-print-file-name={name}"], "gcc").strip() if known else ""
        there = os.path.isabs(found) and os.path.isfile(found)
        options += [f"-D{variable}={found}"] if there else [f"-DGLIMPSE_{part}=OFF"]
        if not there:
            sys.stderr.write(f"glimpse: there is no {name}: the program goes without what needs it\n")
    return options


def platform_tag(*parts):
    """Where libraries and programs run, as a tag of wheels."""
    machine = re.sub(r"[-.]", "_", sysconfig.get_platform())
    # The names of the versions of glibc that it needs; those of its own symbols are GLIMPSE_….
    needed = [pair for part in parts for pair in re.findall(rb"\0GLIBC_(\d+)\.(\d+)(?:\.\d+)?(?=\0)", part)]
    if not machine.startswith("linux_") or not needed:
        return machine
    major, minor = max((int(major), int(minor)) for major, minor in needed)
    return f"manylinux_{major}_{minor}_{machine[len('linux_'):]}"


def write_wheel(directory, tag, files):
    """Writes a wheel with these files, {name: bytes}, and what describes them; returns its name."""
    info = f"{NAME}-{version()}.dist-info"
    files = {
        **files,
        f"{info}/METADATA": metadata(),
        f"{info}/entry_points.txt": f"[console_scripts]\n{NAME} = {NAME}._program:main\n".encode(),
        f"{info}/LICENSE": (ROOT / "LICENSE").read_bytes(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: glimpse {version()}\n"
        f"Root-Is-Purelib: {'true' if tag.endswith('-any') else 'false'}\nTag: {tag}\n".encode(),
    }
    record = ""
    for name, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    result = f"{NAME}-{version()}-{tag}.whl"
    with zipfile.ZipFile(Path(directory) / result, "w", zipfile.ZIP_DEFLATED) as archive:
        # The files that describe the others come last, as installers like it.
        for name, data in sorted(files.items(), key=lambda file: (file[0].startswith(info), file[0])):
            entry = zipfile.ZipInfo(name, time.gmtime(moment())[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            executable = ".so" in name or name.endswith(".dylib") or "/bin/" in name
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(entry, data)
    return result


def build_wheel(directory, config_settings=None, metadata_directory=None):
    """The package, the library and the program: glimpse-VERSION-py3-none-PLATFORM.whl."""
    leave_out = [f"-DGLIMPSE_{part}=OFF" for part in ("BUILD_TESTS", "MPI", "PYTHON")]
    # No path of this machine is kept: nothing is installed by CMake, and the page is not in the wheel.
    options = [*leave_out, *static_parts(), "-DGLIMPSE_PAGE_BUILT="]
    if sys.platform == "linux":
        options += ["-DCMAKE_SHARED_LINKER_FLAGS=-s", "-DCMAKE_EXE_LINKER_FLAGS=-s"]
    build = ROOT / "build" / "wheel"
    library = build_library(build, *options, targets=("glimpse_shared", "glimpse_program"))
    data, program = library.read_bytes(), (build / NAME).read_bytes()
    files = {
        f"{NAME}/{path.relative_to(PACKAGE).as_posix()}": path.read_bytes()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name != "_location.txt"
    }
    files[f"{NAME}/{library.name}"] = data
    files[f"{NAME}/_location.txt"] = b".\n"
    files[f"{NAME}/bin/{NAME}"] = program
    return write_wheel(directory, f"py3-none-{platform_tag(data, program)}", files)


def build_editable(directory, config_settings=None, metadata_directory=None):
    """A wheel that only says where the sources are; library and program are those of build/release."""
    build_library(ROOT / "build" / "release", targets=("glimpse_shared", "glimpse_program"))
    return write_wheel(directory, "py3-none-any", {f"{NAME}.pth": f"{PACKAGE.parent}\n".encode()})


def main():
    makers = {"dist": build_sdist, "wheel": build_wheel}
    if len(sys.argv) != 3 or sys.argv[1] not in makers:
        raise SystemExit(f"usage: {sys.argv[0]} dist|wheel DIRECTORY")
    os.makedirs(sys.argv[2], exist_ok=True)
    print(Path(sys.argv[2]) / makers[sys.argv[1]](sys.argv[2]))


if __name__ == "__main__":
    main()
