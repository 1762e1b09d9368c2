#!/usr/bin/env python3
"""Which room uses which, against the table of CONTRIBUTING.md.

rooms.py          fails on an include, or on a function of another room, that the table does not allow
rooms.py --graph  prints what each room uses, directly
rooms.py --dot    the same for Graphviz

A row `src/x | ... | a, b` lets x use a, b and whatever those may use. The table's order is the order of the
rooms: a row names rooms above it only.
"""
import os
import re
import sys
from collections import defaultdict

BASE_HEADERS = {"base", "math", "sparse"}  # base has three public headers, every other room has one
OUTER = {"job": "job", "io": "io", "document": "document", "render": "render", "apps/batch": "batch", "apps/studio": "studio", "apps/sinew": "cli"}  # folders beside src


def read_table(path):
    """Room -> rooms it names, in the order of the table; only rows of the library."""
    table = {}
    for line in open(path, encoding="utf-8"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        match = re.fullmatch(r"`src/(\w+)`", cells[0])
        if match and len(cells) == 3:
            table[match[1]] = [] if cells[2] == "libc" else [name.strip() for name in cells[2].split(",")]
    return table


def close(table, complain):
    """Room -> every room it may use."""
    allowed = {}
    for room, named in table.items():
        reach = {room}
        for name in named:
            if name not in allowed:
                complain(f"CONTRIBUTING.md: {room} names {name}, which is no room above it")
            else:
                reach |= allowed[name]
        allowed[room] = reach
    return allowed


def read_sources(root, table):
    """(room, path, text) of every source and header."""
    folders = [(f"src/{room}", room) for room in table] + list(OUTER.items())
    for folder, room in folders:
        for name in sorted(os.listdir(os.path.join(root, folder))):
            if name.endswith((".c", ".h")):
                path = f"{folder}/{name}"
                yield room, path, open(os.path.join(root, path), encoding="utf-8").read()
    for name in sorted(os.listdir(os.path.join(root, "include/sinew"))):
        path = f"include/sinew/{name}"
        stem = name[:-2]
        if stem == "sinew":
            continue
        room = "base" if stem in BASE_HEADERS else stem
        yield room, path, open(os.path.join(root, path), encoding="utf-8").read()


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", " ", text)
    return re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)


# A definition begins at the first column and is not static; inline functions of headers are definitions, too.
DEFINITION = re.compile(r"^(?:static inline )?(?!static\b|typedef\b|return\b|else\b)[A-Za-z_][\w \*]*?\b(sni?_\w+)\s*\(", re.M)
NAME = re.compile(r"\bsni?_\w+\b")


def main():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    problems = []
    table = read_table(os.path.join(root, "CONTRIBUTING.md"))
    allowed = close(table, problems.append)
    library = set(table)
    allowed["job"] = {"base", "job"}
    allowed["io"] = library | {"io"}
    allowed["document"] = library | {"io", "document"}
    allowed["render"] = library | {"io", "render"}
    allowed["batch"] = library | {"io", "batch"}
    allowed["studio"] = library | {"studio"}
    allowed["cli"] = allowed["document"] | {"render", "batch", "studio", "cli"}
    on_disk = {name for name in os.listdir(os.path.join(root, "src")) if os.path.isdir(os.path.join(root, "src", name))}
    for room in sorted(on_disk ^ library):
        problems.append(f"src/{room}: {'not in the table' if room in on_disk else 'in the table only'}")
    for room in library:
        if not os.path.exists(os.path.join(root, f"include/sinew/{room}.h")):
            problems.append(f"include/sinew/{room}.h: the room has no header")

    owner, texts = {}, []
    for room, path, text in read_sources(root, table):
        if room not in allowed:
            problems.append(f"{path}: belongs to no room")
            continue
        code = without_comments(text)
        texts.append((room, path, text, code))
        if not path.startswith("include/"):
            for match in DEFINITION.finditer(code):
                owner.setdefault(match[1], room)

    edges = defaultdict(set)
    for room, path, text, code in texts:
        for number, line in enumerate(text.splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*[<"](?:(sinew)/)?([\w./]+)\.h[>"]', line)
            if not match:
                continue
            if ".." in match[2]:
                problems.append(f"{path}:{number}: an include that climbs: {line}")
            if match[1]:
                target = "base" if match[2] in BASE_HEADERS else match[2]
                if target == "sinew":
                    continue
            else:
                target = match[2].split("/")[0] if "/" in match[2] else room
            if target not in allowed:
                continue
            if target != room:
                edges[room].add(target)
            if target not in allowed[room]:
                problems.append(f"{path}:{number}: {room} may not use {target}: {line}")
        for name in set(NAME.findall(code)):
            target = owner.get(name)
            if target is None or target == room or path.startswith("include/"):
                continue
            edges[room].add(target)
            if target not in allowed[room]:
                problems.append(f"{path}: {room} may not use {name} of {target}")

    if "--graph" in sys.argv:
        order = list(table) + ["job", "io", "document", "render", "batch", "studio", "cli"]
        for room in order:
            used = [name for name in order if name in edges[room]]
            print(f"{room:10} {' '.join(used)}")
    if "--dot" in sys.argv:
        print("digraph rooms {\n  rankdir=BT;")
        for room in sorted(edges):
            for target in sorted(edges[room]):
                print(f"  {room} -> {target};")
        print("}")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
