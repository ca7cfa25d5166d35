# PyPI git-bayesect on synthetic trials: its own Bisector, in the loop of its own `run` command. Reads one JSON
# document, writes one. With "replay": checks that the loop asks for the versions that the command line asked for.
import json
import random
import sys

import git_bayesect
import numpy

asked = json.load(sys.stdin)
versions, rate, confidence = asked["versions"], asked["rate"], asked["confidence"]


def search(run):
    bisector = git_bayesect.Bisector(numpy.ones(versions))
    runs = 0
    while True:
        index = bisector.select()
        bisector.record(index, run(versions - 1 - index))
        runs += 1
        if bisector.distribution.max() >= confidence:
            return versions - 1 - int(bisector.distribution.argmax()), runs


def replay(lines):
    left = iter(lines)

    def run(version):
        line = next(left, None)
        if line is None or line["version"] != version:
            raise SystemExit(f"the command line ran {line}, the loop {version}")
        return line["isBad"]

    return search(run)


if "replay" in asked:
    culprit, runs = replay(asked["replay"])
    json.dump({"culprit": culprit, "runs": runs}, sys.stdout)
else:
    chance = random.Random(asked["seed"])
    results = []
    for _ in range(asked["trials"]):
        culprit = 1 + chance.randrange(versions - 1)
        found, runs = search(lambda version: version >= culprit and chance.random() < rate)
        results.append({"isRight": found == culprit, "runs": runs})
    json.dump(results, sys.stdout)
