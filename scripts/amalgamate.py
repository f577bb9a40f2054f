#!/usr/bin/env python3
"""Writes the library as one file, for those who want to add it to a project of their own.

    scripts/amalgamate.py DIRECTORY      writes glimpse.c and glimpse.h there

glimpse.c is all of src/: the headers, each once and after those that it includes, then the sources. What is
private to a source has to stay so when the sources become one:

* Static functions and data, types, tags and constants get the name of their source as a prefix. So they differ from
  those of other sources and of the system, whose headers are now included for all. Members of structs keep theirs.
* Macros end where their source ends.
* A macro of a header that makes names by pasting, such as KEY_##key, is written once more before each source that
  uses it, with the prefix of that source.

Names of gli_ and glimpse_ are unique in the library (tests/symbols.sh). The compiler notices whatever remains;
tests/amalgamation.sh lets it look, and tests the result as the library is tested.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?P<directive>^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)|(?P<word>[A-Za-z_]\w*)|(?P<number>\.?\d[\w.]*)|(?P<arrow>->)"""
    r"""|(?P<space>\s+)|(?P<other>.)""",
    re.S | re.M | re.X,
)
# Of a directive: comments, texts, members of structs, and words, which alone can be renamed.
IN_DIRECTIVE = re.compile(r"""/\*.*?\*/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?:\.|->)[ ]*\w+|[A-Za-z_]\w*""", re.S)
INCLUDE = re.compile(r'[ \t]*#[ \t]*include[ \t]+(?:"(?P<own>[^"]+)"|<(?P<system>[^>]+)>)')


def complain(message):
    raise SystemExit(f"amalgamate: {message}")


# --------------------------------------------------------- what a source declares


def words_of(text):
    """The tokens without spaces, comments and directives."""
    found = (match for match in TOKEN.finditer(text))
    return [match[0] for match in found if match.lastgroup not in ("comment", "space", "directive")]


def is_word(token):
    return re.fullmatch(r"[A-Za-z_]\w*", token) is not None


def declarations(tokens):
    """The declarations of a file, each a list of tokens that ends with ';' or with the body of a function."""
    begin, depth = 0, 0
    for i, token in enumerate(tokens):
        depth += (token in "({[") - (token in ")}]")
        if depth == 0 and (token == ";" or token == "}" and is_function(tokens[begin:i])):
            yield tokens[begin : i + 1]
            begin = i + 1


def outside(tokens):
    """Tokens that no bracket holds; an opening bracket stands for its group, and attributes are left out."""
    result, depth = [], 0
    for token in tokens:
        depth -= token in ")}]"
        if depth == 0 and token not in (")", "}", "]"):
            result.append(token)
        depth += token in "({["
    while "__attribute__" in result:
        at = result.index("__attribute__")
        del result[at : at + 2]
    return result


def is_function(tokens):
    """Is this a function with its body, but for the last brace?"""
    flat = outside(tokens + ["}"])
    return "=" not in flat and "(" in flat and flat[-1] == "{" and flat[-2] == "("


def names_of(declaration):
    """The names that a declaration gives to things of its file."""
    names = set()
    flat = outside(declaration)
    for i, token in enumerate(declaration[:-1]):
        if token in ("struct", "union", "enum") and "{" in declaration[i + 1 : i + 3]:
            if declaration[i + 1] != "{":
                names.add(declaration[i + 1])
            if token == "enum":
                names |= constants(group(declaration, declaration.index("{", i)))
    if flat[0] == "typedef":
        pointer = re.search(r"\( \* (\w+) \)", " ".join(declaration))
        names.add(pointer[1] if pointer and "{" not in flat else [token for token in flat if is_word(token)][-1])
    elif flat[0] == "static":
        if "(" in flat[: flat.index("=") if "=" in flat else None]:
            names.add(flat[flat.index("(") - 1])
        else:  # one variable or more
            names.update(flat[i - 1] for i in range(1, len(flat)) if flat[i] in ",[=;" and is_word(flat[i - 1]))
    return names


def group(tokens, begin):
    """What is between the brace at begin and its end."""
    depth = 0
    for i in range(begin, len(tokens)):
        depth += (tokens[i] == "{") - (tokens[i] == "}")
        if depth == 0:
            return tokens[begin + 1 : i]
    complain("a brace is not closed")


def constants(body):
    """The constants of an enum; calls of macros are none."""
    flat = ["{"] + outside(body) + [","]
    return {
        flat[i] for i in range(1, len(flat) - 1) if is_word(flat[i]) and flat[i - 1] in "{,(" and flat[i + 1] != "("
    }


class File:
    """A header or source: its text, what it includes, and what it declares for itself."""

    def __init__(self, path):
        self.path = path
        self.name = path.relative_to(ROOT).as_posix()
        self.prefix = path.stem
        self.text = path.read_text(encoding="utf-8")
        self.names = set().union(*map(names_of, declarations(words_of(self.text))))
        self.includes, self.system, lines, depth = [], [], [], 0
        guard = re.search(r"^#ifndef (GLI_\w+_H)\n#define \1\n", self.text, re.M)
        text = self.text
        if guard:
            text = text[: guard.start()] + text[guard.end() :].rstrip()
            if not text.endswith("#endif"):
                complain(f"{self.name}: the include guard does not end with the file")
            text = text[: -len("#endif")]
        for line in text.splitlines():
            include = INCLUDE.match(line)
            if include and include["own"]:
                if include["own"] != "glimpse.h" and not (SOURCE / include["own"]).is_file():
                    complain(f"{self.name}: cannot take in {line}")
                self.includes.append(include["own"])
            elif include and depth == 0:
                self.system.append(include["system"])
            elif include:  # only on some systems; what the system declares is not hidden
                lines += ["#pragma GCC visibility push(default)", line, "#pragma GCC visibility pop"]
            else:
                depth += bool(re.match(r"[ \t]*#[ \t]*if", line)) - bool(re.match(r"[ \t]*#[ \t]*endif", line))
                lines.append(line)
        self.body = "\n".join(lines).strip("\n") + "\n"
        self.features = re.findall(r"^#define (_\w+_SOURCE\b.*?)(?: /\*.*)?$", self.body, re.M)
        self.body = re.sub(r"^#define _\w+_SOURCE\b.*\n", "", self.body, flags=re.M)

    def renamed(self, renames):
        """The text with other names; members of structs keep theirs."""
        matches = list(TOKEN.finditer(self.body))
        real = [match for match in matches if match.lastgroup not in ("space", "comment", "directive")]
        kept = {match.start() for match in members(real)}
        result = []
        for match in matches:
            token = match[0]
            if match.lastgroup == "directive":
                token = IN_DIRECTIVE.sub(lambda part: renames.get(part[0], part[0]), token)
            elif match.lastgroup == "word" and match.start() not in kept:
                token = renames.get(token, token)
            result.append(token)
        return "".join(result)


def members(tokens):
    """The words that name members of structs: those after '.' and '->', and those that a struct declares."""
    inside = [False]  # is what the open braces hold a struct?
    for i, match in enumerate(tokens):
        before = [token[0] for token in tokens[max(i - 2, 0) : i]]
        if match[0] == "{":
            inside.append(before[-1:] in (["struct"], ["union"]) or before[:1] in (["struct"], ["union"]))
        elif match[0] == "}":
            inside.pop()
        elif match.lastgroup == "word":
            if before[-1:] in (["."], ["->"]) or inside[-1] and tokens[i + 1][0] in (";", ",", "[", ")", ":"):
                yield match


# ------------------------------------------------------------------- one file


def in_order(headers):
    """Headers after those that they include."""
    done, order = set(), []

    def visit(name):
        if name in done or name == "glimpse.h":
            return
        done.add(name)
        for other in headers[name].includes:
            visit(other)
        order.append(headers[name])

    for name in sorted(headers):
        visit(name)
    return order


def pasting(headers):
    """Macros of headers that make names of the file that uses them: {macro: (its text, the prefix that it pastes)}."""
    found = {}
    for header in headers:
        for match in re.finditer(r"^#define (\w+)\(.*?[^\\]\n", header.body, re.M | re.S):
            prefix = re.search(r"(?<![\w#])((?!GLI|gli)\w+_)##", match[0])
            if prefix:
                found[match[1]] = (match[0], prefix[1])
    return found


def scoped(file, pasted):
    """A source as a part of the whole: its private names, and its macros, are its own."""
    private = {name for name in file.names if not re.match("gli(mpse)?_", name, re.I)}
    before = ""
    for macro, (definition, prefix) in pasted.items():
        if re.search(rf"\b{macro}\b", file.body):
            private |= set(re.findall(rf"\b{prefix}\w+", file.body))
            before += f"#undef {macro}\n" + definition.replace(prefix + "##", f"{file.prefix}_{prefix}##")
    text = file.renamed({name: f"{file.prefix}_{name}" for name in private})
    ended = set(re.findall(r"^[ \t]*#[ \t]*undef (\w+)", text, re.M))
    left = {name: None for name in re.findall(r"^[ \t]*#[ \t]*define (\w+)", text, re.M) if name not in ended}
    after = "".join(f"#undef {name}\n" for name in left)
    return f"\n/* ==== {file.name} ==== */\n\n{before}{text}{after}"


HEAD = """\
/* glimpse {version} as one file: planning in POMDPs with state requests.
 *
 * All sources of the library, put together by scripts/amalgamate.py; glimpse.h is its manual. Compile this file by
 * itself as C17 and link it with the threads and the mathematics of the system:
 *
 *   cc -std=c17 -O2 -c glimpse.c
 *   cc -std=c17 program.c glimpse.o -pthread -lm
 *
 * C++ programs include glimpse.h and link the same object. Add -DNDEBUG to leave out the asserts.
 *
{license} */
#ifdef __cplusplus
#error "glimpse.c is C17: compile it with a C compiler; glimpse.h is for C++, too"
#endif
#ifdef __FAST_MATH__
#error "glimpse needs exact arithmetic: compile it without -ffast-math"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 1 /* 1: floats are doubles (s390x) */
#error "glimpse needs doubles that round once: on 32-bit x86, compile it with -msse2 -mfpmath=sse"
#endif

/* A fused multiply-add rounds once instead of twice; without it all machines compute the same bits. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

"""


def amalgamation():
    """The text of glimpse.c."""
    headers = in_order({path.relative_to(SOURCE).as_posix(): File(path) for path in SOURCE.glob("*/*.h")})
    sources = [File(path) for path in sorted(SOURCE.glob("*/*.c"))]
    taken = {}
    for file in sources:
        for name in file.names:
            other = taken.setdefault(f"{file.prefix}_{name}", file.name)
            if other != file.name:
                complain(f"{file.name} and {other} both get {file.prefix}_{name}: rename one of them")
    header = (ROOT / "include" / "glimpse.h").read_text(encoding="utf-8")
    version = re.search(r'#define GLIMPSE_VERSION "(.*?)"', header)[1]
    license = "".join(f" * {line}".rstrip() + "\n" for line in (ROOT / "LICENSE").read_text(encoding="utf-8").splitlines())
    features = sorted({"_POSIX_C_SOURCE 200809L", *(line for file in sources for line in file.features)})
    result = HEAD.format(version=version, license=license)
    for feature in features:
        result += f"#ifndef {feature.split()[0]}\n#define {feature}\n#endif\n"
    result += '\n#include "glimpse.h"\n\n'
    for name in sorted({name for file in [*headers, *sources] for name in file.system}):
        result += f"#include <{name}>\n"
    result += "\n#pragma GCC visibility push(hidden)\n"
    # Some functions of headers serve asserts only, which clang notices where the headers are no headers any more.
    result += '\n#if defined(__clang__)\n#pragma clang diagnostic push\n'
    result += '#pragma clang diagnostic ignored "-Wunused-function"\n#endif\n'
    for file in headers:
        result += f"\n/* ==== {file.name} ==== */\n\n{file.body}"
    result += "\n#if defined(__clang__)\n#pragma clang diagnostic pop\n#endif\n"
    pasted = pasting(headers)
    for file in sources:
        result += scoped(file, pasted)
    return result + "\n#pragma GCC visibility pop\n", header


def main():
    if len(sys.argv) != 2:
        raise SystemExit(f"usage: {sys.argv[0]} DIRECTORY")
    text, header = amalgamation()
    directory = Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "glimpse.c").write_text(text, encoding="utf-8")
    (directory / "glimpse.h").write_text(header, encoding="utf-8")


if __name__ == "__main__":
    main()
