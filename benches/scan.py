"""Times exact scoring against rivals and against a plain read of the same bytes.

Each contender is a process of its own with the same documents in memory. On each host they take
turns, round by round, one query after the other; what is compared is compared within a round.
Prints a table in Markdown; fails where an exact contender finds other documents than ours.
"""
import argparse
import json
import os
import pathlib
import select
import statistics
import subprocess
import sys
import tempfile

import numpy as np

from machine import machine
from processes import stop

DIMENSION = 64
CHECKED = 20
PEERS = ["JavaScript", "sqlite-vec", "voy", "onnxruntime-web", "tfjs-backend-wasm"]
CONTENDERS = {
    "native": ["smooth-clir f32", "smooth-clir i8", "numpy", "faiss"],
    "node": ["smooth-clir f32", "smooth-clir i8", *PEERS],
    "chromium": ["smooth-clir f32", "smooth-clir i8", *PEERS],
}
# A read that asks for memory ahead, and one that leaves that to the processor.
STREAM, PLAIN, OURS = "stream", "plain-stream", "smooth-clir f32"
# They need not find what ours finds.
APPROXIMATE = {"smooth-clir i8", "voy"}


class LeftOut(Exception):
    """Why a contender cannot take part."""


class Contender:
    """A process that answers `FIRST COUNT`, a range of queries, with their time."""

    def __init__(self, host, name, arguments, data):
        here = pathlib.Path(__file__).parent / "scan"
        if name in (STREAM, PLAIN) or host == "native" and name.startswith("smooth-clir"):
            command = [arguments.program, name.split()[-1], data]
        elif host == "native":
            command = [sys.executable, here / "peers.py", name, data]
        else:
            command = ["node", here / "host.mjs", host, name, arguments.built, data]
        single = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        self.name, self.log = name, tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
            text=True, bufsize=1, env={**os.environ, **single},
        )
        try:
            self.patience = arguments.patience
            first = self.read()
            if first != "ready":
                raise LeftOut(first.removeprefix("failed: "))
            # Once to warm up, then as many as fill a turn.
            self.ask(0, CHECKED)
            each = self.ask(0, 3)["milliseconds"] / 3
            self.count = max(1, min(5000, round(arguments.turn / each)))
        except LeftOut:
            self.stop()
            raise

    def read(self):
        if not select.select([self.process.stdout], [], [], self.patience)[0]:
            raise LeftOut(f"not done in {self.patience} s")
        line = self.process.stdout.readline().strip()
        if not line:
            self.log.seek(0)
            said = self.log.read().decode(errors="replace").strip().splitlines()
            raise LeftOut(f"ended: {said[-1] if said else 'without a word'}")
        return line

    def ask(self, first, count):
        self.process.stdin.write(f"{first} {count}\n")
        return json.loads(self.read())

    def turn(self, number):
        return self.ask(number, self.count)["milliseconds"] / self.count

    def found(self):
        return [self.ask(query, 1)["found"] for query in range(CHECKED)]

    def stop(self):
        stop(self.process)


def start(host, arguments, data):
    running, left_out = [], {}
    for name in [STREAM, PLAIN, *CONTENDERS[host]]:
        if name not in (STREAM, PLAIN, OURS) and arguments.only and name not in arguments.only:
            continue
        print(f"{host}: {name}", file=sys.stderr)
        try:
            running.append(Contender(host, name, arguments, data))
        except LeftOut as reason:
            left_out[name] = str(reason)
    return running, left_out


def scores(data, found):
    """Cosines of the documents found, in double precision."""
    documents = np.memmap(data / "documents.f32", np.float32, "r").reshape(-1, DIMENSION)
    queries = np.fromfile(data / "queries.f32", np.float32).reshape(-1, DIMENSION)
    unit = lambda x: x / np.linalg.norm(x, axis=-1, keepdims=True)
    vectors = documents[np.array(found)].astype(np.float64)
    return np.einsum("qkd,qd->qk", unit(vectors), unit(queries[:CHECKED].astype(np.float64)))


def spread(ratios):
    ratios = sorted(ratios)
    return f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"


def compare(size, host, arguments, data, expected):
    """A host's rows of the table; whether all found what they should."""
    running, left_out = start(host, arguments, data)
    times = {contender.name: [] for contender in running}
    for number in range(arguments.rounds):
        for contender in running:
            times[contender.name].append(contender.turn(number))
    right = True
    for contender in running:
        each, name = times[contender.name], contender.name
        columns = [f"{size:,}", host, name, f"{statistics.median(each):.3f}"]
        columns.append(spread(map(float.__truediv__, each, times[OURS])) if OURS in times else "")
        columns += [spread(map(float.__truediv__, times[way], each)) for way in (STREAM, PLAIN)]
        agreement = ""
        if name not in (STREAM, PLAIN):
            found = contender.found()
            if not expected:
                expected.extend(found)
            common = statistics.mean(len(set(a) & set(b)) for a, b in zip(found, expected))
            # Where two scores are within rounding of each other, either order is right.
            same = np.allclose(scores(data, found), scores(data, expected), rtol=0, atol=1e-6)
            agreement = "all" if same else f"{common:.1f}"
            if not same and name not in APPROXIMATE:
                agreement += " (wrong)"
                right = False
        print("|", " | ".join([*columns, agreement]), "|", file=arguments.out, flush=True)
    for name, reason in left_out.items():
        row = f"| {size:,} | {host} | {name} | left out: {reason} | | | | |"
        print(row, file=arguments.out, flush=True)
    for contender in running:
        contender.stop()
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="the native scan-bench")
    parser.add_argument("--built", required=True, help="folder of what Node and Chromium run")
    parser.add_argument("--sizes", default="10000,200000,1000000,3000000")
    parser.add_argument("--hosts", default="native,node,chromium")
    parser.add_argument("--only", action="append", help="a rival that takes part; all by default")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--turn", type=float, default=100, help="milliseconds of a turn, about")
    parser.add_argument("--patience", type=float, default=120, help="seconds for loading")
    parser.add_argument("--out", type=argparse.FileType("w"), default=sys.stdout)
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    print(f"{machine()}\n", file=arguments.out)
    print("| documents | host | | ms | times ours f32 | of the stream's rate | of the plain stream's | of our ten |", file=arguments.out)
    print("|---|---|---|---|---|---|---|---|", file=arguments.out, flush=True)
    right = True
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="scan-") as data:
            subprocess.run([arguments.program, "data", str(size), data], check=True)
            expected = []
            for host in arguments.hosts.split(","):
                right &= compare(size, host, arguments, pathlib.Path(data), expected)
    sys.exit(0 if right else 1)


main()
