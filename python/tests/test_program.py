"""What the program does for the package: POMDPX files, policies for others, and any other command."""

import os
import re
import stat
import subprocess
import sys
import warnings

import pytest

import glimpse
from glimpse import errors

from conftest import PYTHON, ROOT, python

FILES = sorted([*(ROOT / "tests").rglob("*.pomdpx"), *(ROOT / "examples").rglob("*.pomdpx")])


def has_expat(command):
    return command("check", ROOT / "tests" / "data" / "pomdpx" / "tiger.pomdpx").returncode == 0


def test_pomdpx_files_are_read_as_the_program_reads_them(command):
    """Every file of the tests, right or wrong: the same model, or the same errors at the same places."""
    if not has_expat(command):
        pytest.skip("the program was built without expat")
    right = wrong = 0
    for path in FILES:
        result = command("convert", path)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", glimpse.ModelWarning)
                model = glimpse.Model.read(path)
        except errors.Error as error:
            assert result.returncode == 1, path
            expected = re.findall(r"^(.*): error: (.*)$", result.stderr, re.M)
            assert [(str(m).split(": ", 1)[0], m.text) for m in error.messages if m.severity == "error"] == expected
            assert isinstance(error, (errors.BadSyntax, errors.BadModel, errors.TooLarge, errors.NotApplicable)), path
            wrong += 1
        else:
            assert result.returncode == 0 and model.to_text() == result.stdout, path
            assert model.source == str(path)
            right += 1
    assert right >= 5 and wrong >= 50


def test_pomdpx_by_its_content(tmp_path, command):
    if not has_expat(command):
        pytest.skip("the program was built without expat")
    text = (ROOT / "tests" / "data" / "pomdpx" / "tiger.pomdpx").read_bytes()
    (tmp_path / "tiger").write_bytes(b"\n " + text[text.index(b"<!--") :])
    here = os.getcwd()
    os.chdir(tmp_path)  # where the name is also that of an environment
    try:
        model = glimpse.Model.read("tiger")
    finally:
        os.chdir(here)
    assert model.to_text() == glimpse.Model.read(ROOT / "tests" / "data" / "pomdpx" / "tiger.pomdpx").to_text()
    with pytest.raises(errors.CannotRead):
        glimpse.Model.read(tmp_path / "nothing.pomdpx")


@pytest.mark.parametrize("form", glimpse.policy.FORMATS)
def test_policies_are_written_as_the_program_writes_them(form, tmp_path, command):
    for spec, cost in (("tiger", 1), ("tiger", 0), ("toy", 0.1)):
        model = glimpse.load(spec)
        model.cost = cost
        policy = glimpse.Policy.solve(model, relative=0.1, name="it")
        policy.write(tmp_path / "it.policy")
        model.write(tmp_path / "it.pomdp")
        expected = command("policy", tmp_path / "it.policy", "--model", tmp_path / "it.pomdp", "--format", form)
        assert expected.returncode == 0, expected.stderr
        assert policy.to_text(form, model) == expected.stdout and expected.stdout
        policy.write(tmp_path / "written", form, model)
        assert (tmp_path / "written").read_text() == expected.stdout
    if form not in ("alpha", "appl", "pg"):
        assert "it" in policy.to_text(form)


def test_policies_that_cannot_be_written(tmp_path, tiger):
    policy = glimpse.Policy.solve(tiger)
    for form in ("alpha", "appl", "pg"):
        with pytest.raises(errors.BadArgument, match="needs the model"):
            policy.to_text(form)
    with pytest.raises(errors.BadArgument, match="did you mean 'alpha'"):
        policy.to_text("alhpa", tiger)
    with pytest.raises(errors.Error, match="digest|model"):
        policy.to_text("alpha", glimpse.load("tiger").with_discount(0.5))
    with pytest.raises(errors.CannotWrite):
        policy.write(tmp_path / "no" / "directory", "text")
    assert list(tmp_path.iterdir()) == []


def test_any_command(command):
    assert glimpse.program("info", "tiger", "--json") == command("info", "tiger", "--json").stdout
    assert glimpse.program("check", "-", input=glimpse.load("tiger").to_text()).startswith("ok:")
    with pytest.raises(errors.BadArgument, match="did you mean 'info'"):
        glimpse.program("inof")
    with pytest.raises(errors.Error, match="nothing.pomdp"):
        glimpse.program("info", "nothing.pomdp")


def test_the_module_is_the_program(command):
    result = subprocess.run(
        [sys.executable, "-m", "glimpse", "info", "tiger", "--json"],
        env={**os.environ, "PYTHONPATH": str(PYTHON)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert result.returncode == 0 and result.stdout == command("info", "tiger", "--json").stdout


def test_a_program_that_is_missing_or_another(tmp_path):
    fake = tmp_path / "glimpse"
    code = "import glimpse\ntry: glimpse.program('info')\nexcept glimpse.ProgramNotFound as e: print(e)"
    for text, problem in ((None, "is not the program"), ("exit 1", "is not the program"), ("echo glimpse 9.0.0", "glimpse 9.0.0")):
        if text:
            fake.write_text(f"#!/bin/sh\n{text}\n")
            fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
        said = python(code, GLIMPSE_PROGRAM=str(fake))
        assert problem in said.stdout and "GLIMPSE_PROGRAM" in said.stdout, said
    found = python("import glimpse; print(glimpse.program_path())", GLIMPSE_PROGRAM=None, PATH="/nowhere")
    beside = os.path.join(os.path.dirname(os.path.realpath(glimpse.library_path())), "glimpse")
    if os.path.isfile(beside) and "LD_PRELOAD" not in os.environ:  # with it that one may not start, see conftest.py
        assert found.stdout.strip() == beside, found.stderr


def test_ctrl_c_ends_it():
    code = (
        "import glimpse, os, signal, threading\n"
        "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try: glimpse.program('run', 'tiger', '--episodes', '1000000')\n"
        "except KeyboardInterrupt: print('ended')\n"
    )
    assert python(code).stdout == "ended\n"
