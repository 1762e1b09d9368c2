#!/usr/bin/env python3
"""quality.py [METHOD...]: how close automatic weights come to those of artists, character by character.

Takes the weights off the rigged characters that tools/bind-quality/families.txt lists, binds them anew and measures
how far the surface moves from the artist's over clips and ranges of motion. The tools and the characters are not part
of this repository: they lie in SINEW_DATA_DIR and in tools/bind-quality beside it; without them there is nothing to
measure. First of all it asks whom a change hurts: characters that score worse than at 0.1.0 by more than a tenth.

  --sinew PROGRAM   the program to measure (build/sinew)
  --out FOLDER      where files are kept between runs (build/quality)
  --only NAME,...   these characters alone
  --figures PROGRAM the cast of figures with known answers (build/tests/bind/test_bind_figures)
"""
import argparse
import json
import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# A reference that is mostly bone heat itself says little about who is closer to a painter, and of one character the
# tails of last bones are guessed the wrong way round: their rows are shown, not counted.
MOSTLY_HEAT = 40
NOT_COUNTED = {"kenney_mini_female"}
HURT = 1.1


def characters(tools):
    """The rows of families.txt."""
    rows = []
    with open(os.path.join(tools, "families.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            name, arguments, family, _, blender, heat, before = (part.strip() for part in line.split("|"))
            rows.append({"name": name, "arguments": arguments.split(), "family": family, "blender": float(blender),
                         "counted": float(heat) <= MOSTLY_HEAT and name not in NOT_COUNTED, "before": float(before)})
    return rows


def python_with_numpy():
    """Debian's numpy belongs to Debian's python, which need not be the first in the path."""
    for python in ("/usr/bin/python3", sys.executable):
        if subprocess.run([python, "-c", "import numpy"], capture_output=True, check=False).returncode == 0:
            return python
    return None


class Quality:
    def __init__(self, options, data):
        self.python = python_with_numpy()
        self.sinew, self.out = options.sinew, options.out
        self.tools = os.path.join(data, "..", "tools", "bind-quality")
        self.files = os.path.join(data, "characters")
        # A tools folder may be read-only: no caches there.
        self.environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", OPENBLAS_NUM_THREADS="1")

    def run(self, *command):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return done.stdout

    def tool(self, name, *arguments):
        return self.run(self.python, os.path.join(self.tools, name), *arguments)

    def prepare(self, row):
        """Mesh, skeleton and the list of deforming joints, without weights."""
        base = os.path.join(self.out, row["name"])
        if os.path.exists(base + ".deform.txt"):
            return
        arguments = [os.path.join(self.files, a) if os.path.exists(os.path.join(self.files, a)) else a
                     for a in row["arguments"]]
        self.tool("extract.py", arguments[0], base + ".npz", "--name", row["name"], *arguments[1:])
        self.tool("unskin.py", base + ".npz", self.out)

    def bind(self, row, method, bound, *more):
        """Binds the bare character into the file `bound`; returns the program's report."""
        base = os.path.join(self.out, row["name"])
        return json.loads(self.run(self.sinew, "bind", base + ".obj", "--skeleton", base + ".bvh", "--joints",
                                   base + ".deform.txt", "--weights", method, "--json", *more, "-o", bound))

    def score(self, row, method):
        bound = os.path.join(self.out, f"{method}-{row['name']}.glb")
        said = self.bind(row, method, bound)
        words = self.tool("score.py", os.path.join(self.out, row["name"] + ".npz"), bound).split()
        scores = {words[i]: words[i + 1] for i in range(len(words) - 1)}
        return {"rms": float(scores["rms"]), "jrel": float(scores["jrel"]), "bleed": float(scores["bleed"]),
                "unweighted": float(scores["unw%"].rstrip("%")), "idle": len(said["joints_without_weight"]),
                "seconds": said["bind_seconds"]}

    def measure(self, row, methods):
        self.prepare(row)
        return {method: self.score(row, method) for method in methods}


def geometric_mean(values):
    values = [max(v, 0.01) for v in values]  # what is printed as 0.00 is no better than that
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else float("nan")


def print_table(rows, results, methods):
    first = methods[0]
    print("rms: distance to the artist's surface in 1/1000 of the diagonal; Blender: the better of two settings, its")
    print("unweighted vertices filled; rows with * have references that are mostly bone heat themselves, or are odd.\n")
    print("| character | family | " + " | ".join(methods) + " | Blender | 0.1.0 | / 0.1.0 | / Blender | idle joints | time |")
    print("|---|---|" + "---|" * (len(methods) + 6))
    for row in rows:
        scores, own = results[row["name"]], results[row["name"]][first]
        hurt, lost = own["rms"] / row["before"], own["rms"] / row["blender"]
        print(f"| {row['name']}{'' if row['counted'] else ' *'} | {row['family']} | "
              + " | ".join(f"{scores[m]['rms']:.2f}" for m in methods)
              + f" | {row['blender']:.2f} | {row['before']:.2f} | {'**' if hurt > HURT else ''}{hurt:.2f}"
              f"{'**' if hurt > HURT else ''} | {'**' if row['counted'] and lost > 1.3 else ''}{lost:.2f}"
              f"{'**' if row['counted'] and lost > 1.3 else ''} | {own['idle']} | {own['seconds']:.3f} s |")
    means = [geometric_mean(results[r["name"]][m]["rms"] for r in rows) for m in methods]
    print("| **geometric mean** | | " + " | ".join(f"**{m:.2f}**" for m in means)
          + f" | {geometric_mean(r['blender'] for r in rows):.2f} | {geometric_mean(r['before'] for r in rows):.2f}"
          + f" | | | | {sum(results[r['name']][first]['seconds'] for r in rows):.2f} s in all |\n")


def print_summary(rows, results, method):
    ratio = {r["name"]: results[r["name"]][method]["rms"] / r["before"] for r in rows}
    hurt = sorted((n for n in ratio if ratio[n] > HURT), key=lambda n: -ratio[n])
    counted = [r for r in rows if r["counted"]]
    over = {limit: [r["name"] for r in counted if results[r["name"]][method]["rms"] > limit * r["blender"]]
            for limit in (1.3, 2.0)}
    bare = [r["name"] for r in rows if results[r["name"]][method]["unweighted"] > 0]
    print(f"hurt (over {HURT} times 0.1.0): " + (", ".join(f"{n} {ratio[n]:.2f}" for n in hurt) or "none"))
    for limit, names in over.items():
        print(f"over {limit} times Blender, of {len(counted)} counted: {len(names)} {' '.join(names)}")
    print(f"with vertices without weight: {' '.join(bare) or 'none'}")
    families = sorted({r["family"] for r in rows})
    print("by family, / 0.1.0: " + ", ".join(
        f"{f} {geometric_mean(ratio[r['name']] for r in rows if r['family'] == f):.2f}" for f in families))


def print_figures(program):
    """The cast of figures with known answers (tests/bind/test_figures.c)."""
    if not os.path.exists(program):
        print(f"\nskipped: {program} is not built, no figures")
        return
    print()
    print(subprocess.run([program, "--table"], capture_output=True, text=True, check=True).stdout, end="")


def options_of(description, build):
    """Options that all measurements share; programs come from the folder `build`."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinew", default=f"{build}/sinew")
    parser.add_argument("--out", default="build/quality")
    parser.add_argument("--only", default="")
    parser.add_argument("--figures", default=f"{build}/tests/bind/test_bind_figures")
    return parser


def begin(options):
    """What measures, and the characters asked for; without them it says so and ends."""
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    data = os.environ.get("SINEW_DATA_DIR", "../shared/data")
    quality = Quality(options, data)
    if not os.path.isdir(quality.files) or not os.path.exists(os.path.join(quality.tools, "score.py")):
        print(f"skipped: no characters and tools in {data} (SINEW_DATA_DIR)")
        sys.exit(0)
    if quality.python is None:
        print("skipped: python3 has no numpy")
        sys.exit(0)
    os.makedirs(options.out, exist_ok=True)
    rows = characters(quality.tools)
    if options.only:
        rows = [r for r in rows if r["name"] in options.only.split(",")]
    return quality, rows


def main():
    parser = options_of(__doc__, "build")
    parser.add_argument("methods", nargs="*", metavar="METHOD")
    options = parser.parse_args()
    quality, rows = begin(options)
    methods = options.methods or ["auto", "heat", "geodesic"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip((r["name"] for r in rows), pool.map(lambda r: quality.measure(r, methods), rows)))
    print_table(rows, results, methods)
    print_summary(rows, results, methods[0])
    print_figures(options.figures)


if __name__ == "__main__":
    main()
