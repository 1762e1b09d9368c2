#!/usr/bin/env python3
"""docs/api.md: every public function, header by header, with what its comment says first.

api_page.py writes it, api_page.py --check fails where it is not what the headers say."""
import pathlib
import re
import sys

from wrap_docs import wrapped

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "api.md"


def sentence(lines):
    """The first sentence of a comment, without markup that GitHub would act on."""
    text = " ".join(lines).strip()
    match = re.match(r"(.+?\.)(?= [A-Z\"`]|$)", text)
    text = match.group(1) if match else text
    return re.sub(r"([*_<>|])", r"\\\1", text).rstrip(":")


def functions(text):
    """(name, first sentence) of each function; one comment may be for several that follow each other."""
    comment, section = [], ""
    lines = iter(text.split("\n"))
    for line in lines:
        heading = re.match(r"// -{10,} ?(.*)", line)
        if heading:
            section = heading.group(1).strip()
            comment = []
            yield None, section
        elif line.startswith("//"):
            comment = (comment if comment and comment[-1] is not None else []) + [line[2:].strip()]
        elif not line.strip():
            comment = []
        elif line.startswith("SN_API") or re.match(r"static inline .*\bsn_\w+\(", line):
            whole = line
            while ";" not in whole and "{" not in whole:
                whole += " " + next(lines).strip()
            name = re.search(r"\b(sn_\w+)\s*\(", whole)
            behind = re.search(r"; *// *(.*)$", whole)
            if name:
                words = [behind.group(1)] if behind else [c for c in comment if c]
                yield name.group(1), sentence(words)
            comment = [c for c in comment if c is not None] + [None] if comment else []
        else:
            comment = []  # of a type


def header(path):
    text = path.read_text()
    intro = []
    for line in text.split("\n"):
        if not line.startswith("//"):
            break
        intro.append(line[2:].strip())
    what = re.sub(r"^Sinew: ", "", " ".join(intro))
    out = [f"## sinew/{path.name}", "", what[0].upper() + what[1:], ""]
    said = ""
    for name, words in functions(text):
        if name is None:
            continue
        out.append(f"- `{name}`" + (f": {words}" if words and words != said else ""))
        said = words
    return out + [""]


def page():
    out = ["# Every function", "",
           "Made from the headers by `scripts/api_page.py`; `make docs` makes the whole reference, with every type and "
           "field. A function without words of its own goes with the one above it.", ""]
    for path in sorted((ROOT / "include" / "sinew").glob("*.h")):
        if path.name != "sinew.h":
            out += header(path)
    return wrapped("\n".join(out).rstrip() + "\n")


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        if PAGE.read_text() != page():
            sys.exit("docs/api.md is not what the headers say: scripts/api_page.py writes it")
    else:
        PAGE.write_text(page())
