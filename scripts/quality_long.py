#!/usr/bin/env python3
"""quality_long.py: what every tuned number and every rule of automatic binding is worth, and to whom.

Needs the build that reads them from SINEW_TUNE (`make quality-long`: build-tuning/), and what quality.py needs. For
every number five values are tried, from half to double, one number at a time. From those it prints

  - what is chosen when one family of characters is left out, and what the family left out scores with it,
  - the score with half and double the number: of all, of the character hurt most, by family,
  - the same with each rule switched off,
  - how many figures with known answers (tests/bind/test_figures.c) are right under each.

What was measured is kept in OUT/long.jsonl, so that it goes on where it was stopped: a binding by program, SINEW_TUNE
and character; a score by the bytes of the bound file, because most numbers leave most characters alone.

  --sinew PROGRAM   the program to measure (build-tuning/sinew)
  --out FOLDER      where files are kept between runs (build/quality)
  --only NAME,...   these characters alone
  --figures PROGRAM the cast of figures (build-tuning/tests/bind/test_bind_figures)
  --jobs N          characters at a time (all cores)
  --numbers NAME,.. these numbers and rules alone
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor

sys.dont_write_bytecode = True
import quality as q  # noqa: E402  pylint: disable=wrong-import-position

FACTORS = (0.5, 0.7, 1.0, 1.4, 2.0)
# Factors a little above or below 1: what they add to it is what is halved and doubled.
BESIDE_ONE = {"DETOUR", "BEYOND", "FACING", "AXIS_ALONG", "SEED_DETOUR"}
# Follow from another number, and are set with it: how far to look, and values of `facing`.
FOLLOWS = {"SHARPNESS": lambda v: {"REACH": 1.2 ** (50 / v)},
           "FACING": lambda v: {"INDIFFERENT": (v / 2) ** 1.25, "BEST_FACING": 1.01 * ((v + 1) / 2) ** 1.25}}
DERIVED = {"REACH", "INDIFFERENT", "BEST_FACING"}
# Rules, and what switches them off: a number at which they do nothing, or a switch of their own.
RULES = {
    "last bones end in joints that hang elsewhere": "FARTHEST_MEETING=0",
    "tips that are called so end a bone": "rule_tips=0",
    "last bones end with the flesh": "rule_clip=0",
    "guessed last bones are half as long": "LAST_LENGTH=1",
    "bones that start outside are handles": "HANDLE_FACTOR=0",
    "a root's line holds nothing": "ROOT_OUTSIDE=2",
    "last bones reach what their joints own": "rule_settle=0",
    "last bones that lead away are turned": "rule_turn=0",
    "but not beside siblings": "rule_siblings=0",
    "bones to the centers of flesh": "CENTER_INSIDE=2",
    "last bones point along the file's axis": "AXIS_HABIT=2",
    "bones that are not at home in a piece count as farther": "STRANGER=1",
    "to be at home takes more for joints that do not deform": "LEAST_BORROWED_HOME=5",
    "bones in no piece are at home in the nearest": "rule_homeless=0",
    "sheets have no inside": "rule_sheets=0",
    "ways outside count twice": "OUTSIDE=0",
    "around corners the lattice decides": "MOST_OUTSIDE=2",
    "skin faces away from its bone": "rule_facing=0",
    "two opinions about side lines": "SIDEWAYS=1",
    "beyond a tail is the next bone's": "BEYOND=1",
    "long edges are cut": "LONG_EDGE=10",
    "pieces inside out are turned": "INSIDE_OUT=-10",
    "pieces of one joint are rigid": "rule_rigid=0",
    "small pieces that bones pass are caps": "rule_caps=0",
    "balls of joints are caps": "BALL=0",
    "pieces without a bone follow": "rule_follow=0",
    "small ones as one": "rule_sit=0",
    "large ones by diffusion": "PERCH_HOLD=1e9",
    "what reaches into a piece is rooted there": "rule_roots=0",
    "but not what is worn": "rule_worn=0",
    "what is in a socket stays off hinges": "rule_hinges=0",
    "left and right mirror each other": "rule_mirror=0",
    "the fourth weight fades": "rule_fade=0",
}


# ------------------------------------------------------------------------------------------------ variations


def shipped_numbers():
    """Names and values as the sources have them; a whole number stays whole."""
    numbers, rules = {}, set()
    for file in sorted(os.listdir("src/bind")):
        if file.startswith("tuning") or not file.endswith((".c", ".h")):
            continue
        with open(os.path.join("src/bind", file), encoding="utf-8") as source:
            text = source.read()
        for name, value in re.findall(r"SNI_TUNED\((\w+), ([-+.\w]+)\)", text):
            digits = value.rstrip("fu")
            numbers[name] = int(digits) if digits.lstrip("-").isdigit() else float(digits)
        rules |= set(re.findall(r"SNI_RULE\((\w+)\)", text))
    asked = {re.match("[^=]*", off).group(0) for off in RULES.values()}
    unknown = asked - set(numbers) - {f"rule_{r}" for r in rules}
    unasked = {f"rule_{r}" for r in rules} - asked
    if unknown or unasked:
        sys.exit(f"rules here and in the sources differ: {' '.join(sorted(unknown | unasked))}")
    return {name: value for name, value in numbers.items() if name not in DERIVED}


def varied(name, value, factor):
    """The number times the factor, and the string that sets it; nothing for the number as it is."""
    new = 1 + (value - 1) * factor if name in BESIDE_ONE else value * factor
    if isinstance(value, int):
        new = max(1, int(new + 0.5))
    if new == value:
        return new, ""
    settings = {name: new, **FOLLOWS.get(name, lambda v: {})(new)}
    return new, ",".join(f"{n}={v:.6g}" for n, v in settings.items())


# ------------------------------------------------------------------------------------------------ measuring


class Measure:
    """Binds and scores, and remembers both."""

    def __init__(self, quality, options):
        self.quality, self.figures = quality, options.figures
        self.path = os.path.join(options.out, "long.jsonl")
        self.programs = {p: file_hash(p) for p in (quality.sinew, options.figures)}
        self.bound, self.scores, self.right = {}, {}, {}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                for line in file:
                    if line.endswith("\n"):  # the last one may have been cut off
                        self.learn(json.loads(line))
        self.pool = ProcessPoolExecutor(options.jobs)

    def learn(self, said):
        if "right" in said:
            self.right[said["program"], said["tune"]] = said["right"]
        else:
            self.bound[said["program"], said["tune"], said["name"]] = said["file"]
            self.scores[said["name"], said["file"]] = said["rms"]

    def keep(self, said):
        self.learn(said)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(said) + "\n")

    def run(self, rows, tune):
        """Measures what is not known yet under one setting."""
        program = self.programs[self.quality.sinew]
        missing = [r for r in rows if (program, tune, r["name"]) not in self.bound]
        known = {}
        for name, file in self.scores:
            known.setdefault(name, set()).add(file)
        jobs = [self.pool.submit(bind_and_score, self.quality, r, tune, known.get(r["name"], set())) for r in missing]
        for row, job in zip(missing, jobs):
            file, rms = job.result()
            rms = self.scores[row["name"], file] if rms is None else rms
            self.keep({"program": program, "tune": tune, "name": row["name"], "file": file, "rms": rms})
        program = self.programs[self.figures]
        if (program, tune) not in self.right:
            table = subprocess.run([self.figures, "--table"], env=dict(os.environ, SINEW_TUNE=tune),
                                   capture_output=True, text=True, check=True).stdout
            self.keep({"program": program, "tune": tune, "right": table.count("| yes |")})

    def rms(self, row, tune):
        file = self.bound[self.programs[self.quality.sinew], tune, row["name"]]
        return self.scores[row["name"], file]

    def figures_right(self, tune):
        return self.right[self.programs[self.figures], tune]


def file_hash(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


loaded = {}  # in each process: the tool, and the characters it has scored


def bind_and_score(quality, row, tune, known):
    """Hash of the bound file, and its rms unless the file is known already."""
    bound = os.path.join(quality.out, f"long-{os.getpid()}.glb")
    quality.environment["SINEW_TUNE"] = tune
    quality.bind(row, "auto", bound, "--workers", "1")
    file = file_hash(bound)
    if file in known:
        return file, None
    if not loaded:
        sys.path.insert(0, quality.tools)
        import bqlib  # pylint: disable=import-outside-toplevel,import-error
        import score  # pylint: disable=import-outside-toplevel,import-error
        loaded.update(library=bqlib, tool=score)
    if row["name"] not in loaded:
        loaded[row["name"]] = loaded["library"].load_npz(os.path.join(quality.out, row["name"] + ".npz"))
    weights, notes = loaded["tool"].load_candidate(bound, loaded[row["name"]])
    return file, 1000 * loaded["tool"].score(loaded[row["name"]], weights, notes)["rms"]


# -------------------------------------------------------------------------------------------------- reports


def mean(measure, rows, tune):
    return q.geometric_mean(measure.rms(r, tune) for r in rows)


def worst(measure, rows, tune):
    """The character that a setting hurts most, how much worse than as shipped, and how many it hurts and helps."""
    ratios = {r["name"]: measure.rms(r, tune) / measure.rms(r, "") for r in rows}
    name = max(ratios, key=ratios.get)
    hurt, helped = (sum(change(ratio) for ratio in ratios.values())
                    for change in (lambda ratio: ratio > q.HURT, lambda ratio: ratio < 1 / q.HURT))
    return f"{name} {ratios[name]:.2f}" if ratios[name] > 1.005 else "nobody", hurt, helped


def by_family(measure, rows, tune):
    """How much worse or better families are than as shipped; those that change by half a percent."""
    said = []
    for family in sorted({r["family"] for r in rows}):
        members = [r for r in rows if r["family"] == family]
        ratio = mean(measure, members, tune) / mean(measure, members, "")
        if abs(ratio - 1) > 0.005:
            said.append(f"{family} {ratio:.2f}")
    return ", ".join(said) or "none"


def choose(measure, rows, grid, shipped):
    """The value with the best score; among equals, the one shipped."""
    best = min(mean(measure, rows, tune) for tune in grid.values())
    if mean(measure, rows, "") < best * 1.0001:
        return shipped
    return min(grid, key=lambda v: mean(measure, rows, grid[v]))


def fold(measure, rows, grid, shipped, family):
    """What is chosen without a family, what that makes of the family, and its characters' scores with it."""
    own = [r for r in rows if r["family"] == family]
    value = choose(measure, [r for r in rows if r["family"] != family], grid, shipped)
    ratio = mean(measure, own, grid[value]) / mean(measure, own, "")
    return value, ratio, [measure.rms(r, grid[value]) for r in own]


def say_folds(folds):
    """Values with the families that were left out; of most families only those are named that change."""
    said = []
    for value in sorted({v for v, _, _ in folds.values()}):
        ratios = {f: r for f, (v, r, _) in folds.items() if v == value}
        most = len(ratios) > len(folds) / 2
        named = ", ".join(f"{f} {r:.2f}" for f, r in sorted(ratios.items()) if not most or abs(r - 1) > 0.005)
        everyone = "all" if len(ratios) == len(folds) else "others"
        said.append(f"{value:.4g}: " + (f"{everyone}{f' ({named})' if named else ''}" if most else named))
    return "; ".join(said)


def print_choices(measure, rows, grids, numbers):
    families, settled = sorted({r["family"] for r in rows}), []
    print("Chosen anew without each family, on all others: behind a value, the families without which it was chosen, and")
    print("their scores with it over those as shipped. Left out: the geometric mean of all characters, each with what was")
    print(f"chosen without its family; as shipped it is {mean(measure, rows, ''):.3f}.\n")
    print("| number | shipped | score with the five values | chosen without families | left out |\n|---|---|---|---|---|")
    for name, grid in grids.items():
        folds = {f: fold(measure, rows, grid, numbers[name], f) for f in families}
        if all(value == numbers[name] for value, _, _ in folds.values()):
            settled.append(name)
        scores = ", ".join(f"{v:.4g}: {mean(measure, rows, t):.3f}" for v, t in grid.items())
        left_out = q.geometric_mean(rms for _, _, scored in folds.values() for rms in scored)
        print(f"| {name} | {numbers[name]:g} | {scores} | {say_folds(folds)} | {left_out:.3f} |")
    print(f"\nChosen as shipped by every fold: {', '.join(settled) or 'none'}.\n")


def print_settings(measure, rows, head, settings):
    """One row for each setting that changes anything: [(label, SINEW_TUNE)...]."""
    unmoved, right = [], measure.figures_right("")
    print(f"| {head} | score | hurt most | hurt, helped by a tenth | by family, / as shipped | figures right |")
    print("|---|---|---|---|---|---|")
    print(f"| as shipped | {mean(measure, rows, ''):.3f} | | | | {right} |")
    for label, tune in settings:
        (name, hurt, helped), families = worst(measure, rows, tune), by_family(measure, rows, tune)
        if name == "nobody" and families == "none" and measure.figures_right(tune) == right:
            unmoved.append(label)
            continue
        print(f"| {label} | {mean(measure, rows, tune):.3f} | {name} | {hurt}, {helped} | {families} | "
              f"{measure.figures_right(tune)} |")
    print(f"\nNo character and no figure is moved by: {', '.join(unmoved) or 'none'}.\n")


def main():
    parser = q.options_of(__doc__, "build-tuning")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--numbers", default="")
    options = parser.parse_args()
    quality, rows = q.begin(options)
    if os.path.realpath(quality.python) != os.path.realpath(sys.executable):
        os.execv(quality.python, [quality.python, os.path.join("scripts", "quality_long.py"), *sys.argv[1:]])
    numbers = shipped_numbers()
    rules = RULES
    if options.numbers:
        asked = options.numbers.split(",")
        numbers = {n: v for n, v in numbers.items() if n in asked}
        rules = {rule: off for rule, off in RULES.items() if off.split("=")[0] in asked}
    grids = {n: dict(varied(n, v, f) for f in FACTORS) for n, v in numbers.items()}
    tunes = list(dict.fromkeys(["", *rules.values(), *(t for g in grids.values() for t in g.values())]))
    measure, start = Measure(quality, options), time.time()
    for row in rows:
        quality.prepare(row)
    for i, tune in enumerate(tunes):
        measure.run(rows, tune)
        print(f"{i + 1}/{len(tunes)} {time.time() - start:.0f} s {tune}", file=sys.stderr, flush=True)
    measure.pool.shutdown()
    print_choices(measure, rows, grids, numbers)
    ends = [(f"{n} {v:.4g}", t) for n, g in grids.items() for v, t in g.items() if v in (min(g), max(g)) and t]
    print_settings(measure, rows, "number, half and double", ends)
    print_settings(measure, rows, "without the rule", [(f"{r} ({off})", off) for r, off in rules.items()])


if __name__ == "__main__":
    main()
