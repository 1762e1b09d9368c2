#!/usr/bin/env python3
"""doubt.py: does binding doubt itself where it errs?

For the characters of scripts/quality.py: how far the surface moves when one joint turns by 45 degrees, by the weights of
`auto` against those of the artist (the error) and against those of heat and geodesic, the nearer of them (the doubt).
Prints the rank correlation of both over the vertices, the error of the tenth of the surface that is doubted most against
its mean, and the error where the surface is in doubt (a hundredth of the diagonal) against elsewhere. Needs a python
with numpy (Debian's: /usr/bin/python3), and the files that quality.py needs.

  --sinew PROGRAM   the program to measure (build/sinew)
  --out FOLDER      where files are kept between runs (build/quality)
  --only NAME,...   these characters alone
"""
import argparse
import os
import sys

import numpy as np

import quality

LIMIT = 0.01
TURN = 2 * np.sin(np.pi / 8)


def areas(points, faces):
    """A third of each face for each of its corners."""
    out = np.zeros(len(points))
    sides = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    for corner in range(3):
        np.add.at(out, faces[:, corner], np.linalg.norm(sides, axis=1) / 6)
    return out


def ranks(values):
    out = np.empty(len(values))
    out[np.argsort(values, kind="stable")] = np.arange(len(values))
    return out


def measure(measures, row, tools):
    """Correlation, error of the most doubted tenth, and error in doubt and elsewhere, in means."""
    bqlib, score = tools
    measures.prepare(row)
    character = bqlib.load_npz(os.path.join(measures.out, row["name"] + ".npz"))
    weights = {}
    base = os.path.join(measures.out, row["name"])
    for method in ("auto", "heat", "geodesic"):
        bound = os.path.join(measures.out, f"{method}-{row['name']}.glb")
        measures.run(measures.sinew, "bind", base + ".obj", "--skeleton", base + ".bvh", "--joints",
                     base + ".deform.txt", "--weights", method, "--quiet", "-o", bound)
        weights[method], _ = score.load_candidate(bound, character)
    artist = character["W"] if "W" in character else bqlib.dense(character["Widx"], character["Wval"],
                                                                 len(character["names"]))
    points, below = character["V"], bqlib.subtree_matrix(character["parent"])
    reach = np.linalg.norm(points[:, None, :] - character["head"][None, :, :], axis=2)
    reach /= np.linalg.norm(np.ptp(points, axis=0))

    def apart(other):
        return TURN * (np.abs((weights["auto"] - other) @ below.T) * reach).max(1)

    error, doubt = apart(artist), np.minimum(apart(weights["heat"]), apart(weights["geodesic"]))
    area = areas(points, np.asarray(character["F"]))
    order = np.argsort(-doubt, kind="stable")
    tenth = order[np.cumsum(area[order]) <= 0.1 * area.sum()]
    mean = (error * area).sum() / area.sum()
    high = doubt > LIMIT
    inside = (error * area)[high].sum() / max(area[high].sum(), 1e-12)
    outside = (error * area)[~high].sum() / max(area[~high].sum(), 1e-12)
    return (np.corrcoef(ranks(doubt), ranks(error))[0, 1],
            (error * area)[tenth].sum() / max(area[tenth].sum(), 1e-12) / max(mean, 1e-12),
            area[high].sum() / area.sum(), inside / max(outside, 1e-12))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinew", default="build/sinew")
    parser.add_argument("--out", default="build/quality")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    measures = quality.Quality(options, os.environ.get("SINEW_DATA_DIR", "../shared/data"))
    if not os.path.exists(os.path.join(measures.tools, "score.py")):
        print("skipped: no characters and tools (SINEW_DATA_DIR)")
        return
    os.makedirs(options.out, exist_ok=True)
    sys.path.insert(0, measures.tools)
    sys.dont_write_bytecode = True
    import bqlib  # pylint: disable=import-outside-toplevel
    import score  # pylint: disable=import-outside-toplevel
    rows = []
    for row in quality.characters(measures.tools):
        if options.only and row["name"] not in options.only.split(","):
            continue
        rows.append(measure(measures, row, (bqlib, score)))
        print("%-20s correlation %5.2f, most doubted tenth %5.2f, in doubt %4.1f %%, there %5.2f times elsewhere"
              % (row["name"], rows[-1][0], rows[-1][1], 100 * rows[-1][2], rows[-1][3]), flush=True)
    middle = np.median(np.array(rows), axis=0)
    print("median: correlation %.2f, most doubted tenth %.2f, in doubt %.1f %%, there %.2f times elsewhere; larger on %d "
          "of %d" % (middle[0], middle[1], 100 * middle[2], middle[3], sum(r[3] > 1 for r in rows), len(rows)))


if __name__ == "__main__":
    main()
