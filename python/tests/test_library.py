"""The library is found, checked, and described as its header describes it."""

import ctypes
import os
import re
import shutil
import subprocess

import pytest

import glimpse
from glimpse import _loading
from glimpse import _library as native
from glimpse import errors

from conftest import PYTHON, ROOT, python

HEADER = (ROOT / "include" / "glimpse.h").read_text()
COMPILER = shutil.which(os.environ.get("CC", "cc"))
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
# A library made for a test is no sanitized one; what is preloaded must not disturb the compiler.
PLAIN = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}


def compiled(directory, source, *flags):
    path = directory / "made"
    (directory / "made.c").write_text(source)
    subprocess.run(
        [COMPILER, "-I", str(ROOT / "include"), *flags, str(directory / "made.c"), "-o", str(path)],
        check=True,
        env=PLAIN,
    )
    return path


@needs_compiler
def test_structures_have_the_layout_of_the_header(tmp_path):
    lines = []
    for name, structure in native.STRUCTURES.items():
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        for field, *_ in structure._fields_:
            lines.append(
                f'printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));'
            )
    source = "#include <glimpse.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\nreturn 0; }\n"
    output = subprocess.run([str(compiled(tmp_path, source))], stdout=subprocess.PIPE, text=True, env=PLAIN).stdout
    expected = dict(line.split(" ", 1) for line in output.splitlines())
    assert len(expected) == len(lines)
    for name, structure in native.STRUCTURES.items():
        assert expected[name] == str(ctypes.sizeof(structure)), name
        for field, *_ in structure._fields_:
            place = getattr(structure, field)
            assert expected[f"{name}.{field}"] == f"{place.offset} {place.size}", f"{name}.{field}"


def rows(table):
    """What a table of the header adds to a structure: "type field;" for each row."""
    text = re.search(r"#define " + table + r"\(X\)(.*?[^\\])\n", HEADER, re.S).group(1)
    return "".join(f"{kind} {name};" for kind, name in re.findall(r"  X\(\w+, (\w+), (\w+),", text))


def test_structures_have_all_fields_of_the_header():
    for name, structure in native.STRUCTURES.items():
        body = re.search(r"typedef struct " + name + r" \{(.*?)\n\} " + name, HEADER, re.S).group(1)
        body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
        body = re.sub(r"#define X\(.*?\n *(\w+)\(X\)\n#undef X", lambda table: rows(table.group(1)), body, flags=re.S)
        found = []
        for declaration in body.split(";"):
            pointer = re.search(r"\(\*(\w+)\)", declaration)
            if pointer:
                found.append(pointer.group(1))
            elif declaration.strip():
                found += [re.search(r"(\w+)\s*$", part).group(1) for part in declaration.split(",")]
        assert found == [field for field, *_ in structure._fields_], name


def prototypes():
    text = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.S)
    for result, name, arguments in re.findall(r"GLIMPSE_API ([^;()]*?)glimpse_(\w+)\(([^)]*)\)\s*;", text):
        arguments = [a.strip() for a in arguments.split(",")] if arguments.strip() != "void" else []
        types = [re.sub(r"\w+(\[\w+\])?$", "", a).strip() + (" *" if "[" in a else "") for a in arguments]
        yield name, result.strip(), types


def matches(c, python):
    """Is the ctypes type right for the C type?"""
    c = re.sub(r"\bconst\b|\bvolatile\b", "", c)
    c = " ".join(c.replace("*", " * ").split())
    plain = {
        "void": (None,),
        "bool": (ctypes.c_bool,),
        "double": (ctypes.c_double,),
        "size_t": (ctypes.c_size_t,),
        "uint32_t": (ctypes.c_uint32,),
        "uint64_t": (ctypes.c_uint64,),
        "char *": (ctypes.c_char_p,),
        "void *": (ctypes.c_void_p,),
        "double *": (ctypes.POINTER(ctypes.c_double),),
        "size_t *": (ctypes.POINTER(ctypes.c_size_t),),
        "uint32_t *": (ctypes.POINTER(ctypes.c_uint32),),
        "glimpse_sink": (native.Sink,),
    }
    if c in plain:
        return python in plain[c]
    name = c.rstrip(" *")
    stars = c.count("*")
    if name in native.STRUCTURES:
        structure = native.STRUCTURES[name]
        return python is (structure if stars == 0 else ctypes.POINTER(structure))
    if stars == 0:  # an enumeration
        return python is ctypes.c_uint
    return python is (ctypes.c_void_p if stars == 1 else ctypes.POINTER(ctypes.c_void_p))


def test_functions_have_the_types_of_the_header():
    declared = {name: (result, arguments) for name, result, arguments in prototypes()}
    assert len(declared) > 80
    for name, (result, arguments) in native.FUNCTIONS.items():
        c_result, c_arguments = declared[name]
        assert matches(c_result, result), f"result of {name}: {c_result}"
        assert len(c_arguments) == len(arguments), name
        for c, argument in zip(c_arguments, arguments):
            assert matches(c, argument), f"{name}: {c} is not {argument}"


def test_statuses_are_those_of_the_header():
    table = re.search(r"define GLIMPSE_STATUS_TABLE(.*?)\n\n", HEADER, re.S).group(1)
    rows = re.findall(r"X\((\w+), \"(.*?)\"\)", table)
    names = [name.title().replace("_", "") for name, _ in rows[1:]]
    names[0] = "OutOfMemory"
    assert [errors.STATUSES[i + 1].__name__ for i in range(len(names))] == names
    assert len(errors.STATUSES) == len(names)
    assert native.lib.status_text(4).decode() == rows[4][1]


def test_constants_are_those_of_the_header():
    assert re.search(r"define GLIMPSE_ANY UINT32_MAX", HEADER) and native.ANY == 2**32 - 1
    assert f"define GLIMPSE_NUMBER_SIZE {native.NUMBER_SIZE}\n" in HEADER
    kinds = re.search(r"typedef enum glimpse_kind \{ (.*?) \}", HEADER).group(1).split(", ")
    assert kinds == ["GLIMPSE_STATE", "GLIMPSE_ACTION", "GLIMPSE_OBSERVATION"]
    assert (native.STATE, native.ACTION, native.OBSERVATION) == (0, 1, 2)


    values = re.search(r"typedef enum glimpse_value \{(.*?)\}", HEADER, re.S).group(1)
    names = re.findall(r"GLIMPSE_VALUE_(\w+)", values)
    assert [getattr(native, name) for name in names] == list(range(len(names)))
    default = re.search(r"define GLIMPSE_DEFAULT_TIME (\S+)", HEADER).group(1)
    assert glimpse.options.DEFAULT_TIME == float(default)


def test_versions_agree():
    version = re.search(r'define GLIMPSE_VERSION "(.*?)"', HEADER).group(1)
    assert glimpse.__version__ == version == glimpse.library_version()


# ------------------------------------------------------------------- finding


def test_a_named_library_is_taken_and_no_other():
    path = os.path.realpath(glimpse.library_path())
    for wish in (path, os.path.dirname(path)):
        result = python("import glimpse; print(glimpse.library_path())", GLIMPSE_LIBRARY=wish)
        assert os.path.realpath(result.stdout.strip()) == path, result.stderr


@pytest.mark.parametrize("kind", ["missing", "directory", "text"])
def test_a_named_library_that_is_none(tmp_path, kind):
    wish = tmp_path / "nothing.so"
    if kind == "directory":
        wish = tmp_path
    if kind == "text":
        wish.write_text("no library")
    result = python("import glimpse", GLIMPSE_LIBRARY=str(wish))
    last = result.stderr.strip().splitlines()[-1]
    assert result.returncode == 1
    assert "LibraryNotFound: GLIMPSE_LIBRARY" in last and str(wish) in last
    caught = python("try:\n import glimpse\nexcept ImportError:\n print('caught')", GLIMPSE_LIBRARY=str(wish))
    assert caught.stdout == "caught\n"


@needs_compiler
def test_another_version_is_refused(tmp_path):
    source = 'const char *glimpse_version(void) { return "0.99.0"; }\n'
    path = compiled(tmp_path, source, "-shared", "-fPIC")
    result = python("import glimpse", GLIMPSE_LIBRARY=str(path))
    assert result.returncode == 1
    assert f"libglimpse 0.99.0 ({path}) does not fit the Python package glimpse {glimpse.__version__}" in result.stderr


@needs_compiler
def test_an_older_library_of_the_same_version_is_refused(tmp_path):
    source = f'const char *glimpse_version(void) {{ return "{glimpse.__version__}"; }}\n'
    path = compiled(tmp_path, source, "-shared", "-fPIC")
    result = python("import glimpse", GLIMPSE_LIBRARY=str(path))
    assert result.returncode == 1
    assert "has no function glimpse_planner_option_get" in result.stderr


def test_an_installed_package_finds_its_library(tmp_path):
    """As 'make install' leaves it: the place of the library is in a file, relative to the package."""
    package = tmp_path / "lib" / "python3" / "dist-packages" / "glimpse"
    shutil.copytree(PYTHON / "glimpse", package, ignore=shutil.ignore_patterns("__pycache__"))
    library = tmp_path / "lib" / "there"
    library.mkdir()
    shutil.copy(os.path.realpath(glimpse.library_path()), library / _loading.file_names()[0])
    (package / "_location.txt").write_text("../../../there\n")
    code = "import glimpse; print(glimpse.library_path(), glimpse.library_version())"
    result = python(code, GLIMPSE_LIBRARY=None, PYTHONPATH=str(package.parent))
    assert result.stdout.split() == [
        str(library / _loading.file_names()[0]),
        glimpse.__version__,
    ], result.stderr


def test_the_linker_finds_it(tmp_path):
    """A package of its own, as pip installs it, with the library in LD_LIBRARY_PATH."""
    shutil.copytree(PYTHON / "glimpse", tmp_path / "glimpse", ignore=shutil.ignore_patterns("__pycache__"))
    library = tmp_path / "libraries"
    library.mkdir()
    shutil.copy(os.path.realpath(glimpse.library_path()), library / _loading.file_names()[0])
    code = "import glimpse; print(glimpse.library_path()); print(open('/proc/self/maps').read())"
    result = python(code, GLIMPSE_LIBRARY=None, PYTHONPATH=str(tmp_path), LD_LIBRARY_PATH=str(library))
    assert result.stdout.startswith(_loading.file_names()[0] + "\n"), result.stderr
    if os.path.exists("/proc/self/maps"):
        assert str(library) in result.stdout
