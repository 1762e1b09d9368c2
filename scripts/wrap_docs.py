#!/usr/bin/env python3
"""Wraps the prose of Markdown files at 110 columns: paragraphs and items of lists. Headings and pictures stay, and so do
tables, whose rows are one line each; code stays too, and --check names lines of it that are longer.

wrap_docs.py [--check] [FILE...]; without files: README.md, CONTRIBUTING.md, SECURITY.md and docs/*.md."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 110
ITEM = re.compile(r"^(\s*)([-*]|\d+\.)\s+")


def words_of(text):
    """Words, with code spans, links and pictures in one piece where they fit on a line."""
    pieces = re.split(r"(`[^`]*`|!?\[[^\]]*\]\([^)]*\))", text)
    words, joined = [], False  # joined: no blank between the last word and what comes
    for i, piece in enumerate(pieces):
        if not piece:
            continue
        code = i % 2 == 1
        short = code and (len(piece) < 60 or piece.startswith("`"))
        new = [piece] if short else piece.split()
        if joined and new and not piece[0].isspace():
            words[-1] += new.pop(0)
        words += new
        joined = bool(words) and not piece[-1].isspace()
    return words


def wrap(text, first, rest):
    lines, line = [], first
    for word in words_of(text):
        if line.strip() and line not in (first,) and len(line) + 1 + len(word) > WIDTH:
            lines.append(line.rstrip())
            line = rest + word
        elif line == first or line == rest:
            line += word
        else:
            line += " " + word
    return lines + [line.rstrip()]


def is_plain(line):
    """Stays as it is: tables, headings, pictures alone, HTML, indented code."""
    bare = line.strip()
    return (not bare or bare[0] in "|<" or bare.startswith("#") or re.fullmatch(r"(!\[[^\]]*\]\([^)]*\)\s*)+", bare)
            or re.match(r"^-{3,}$", bare) is not None)


def wrapped(text):
    out, block, first, rest, fenced = [], [], "", "", False

    def flush():
        nonlocal block
        if block:
            # Two blanks at the end of a line break it: they are kept by leaving the block alone.
            if any(line.endswith("  ") for line in block[:-1]):
                out.extend([first + block[0].lstrip()] + block[1:])
            else:
                out.extend(wrap(" ".join(b.strip() for b in block), first, rest))
        block = []

    # Indented by four behind a blank line: code.
    for line in text.split("\n"):
        if line.strip().startswith("```"):
            flush()
            fenced = not fenced
            out.append(line)
        elif fenced or is_plain(line) or (not block and line.startswith("    ") and not (out and ITEM.match(out[-1]))):
            flush()
            out.append(line)
        else:
            item = ITEM.match(line)
            if item:
                flush()
                first, rest = item.group(0), " " * len(item.group(0))
                block = [line[len(first):]]
            elif block:
                block.append(line)
            else:
                indent = line[:len(line) - len(line.lstrip())]
                first = rest = indent
                block = [line]
    flush()
    return "\n".join(out)


def long_code(text):
    """The numbers of lines of fenced code beyond the width."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip().startswith("```"):
            fenced = not fenced
        elif fenced and len(line) > WIDTH:
            yield number


def main():
    check = "--check" in sys.argv
    named = [pathlib.Path(a) for a in sys.argv[1:] if a != "--check"]
    files = named or [ROOT / f for f in ("README.md", "CONTRIBUTING.md", "SECURITY.md")] + sorted((ROOT / "docs").glob("*.md"))
    wrong = []
    for path in files:
        before = path.read_text()
        after = wrapped(before)
        name = path.resolve().relative_to(ROOT)
        if check:
            wrong += [f"{name} (prose)"] * (before != after) + [f"{name}:{n} (code)" for n in long_code(before)]
        elif before != after:
            path.write_text(after)
    if wrong:
        sys.exit(f"lines of more than {WIDTH} columns, or that scripts/wrap_docs.py would wrap otherwise: " + ", ".join(wrong))


if __name__ == "__main__":
    main()
