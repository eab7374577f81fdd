"""Times the hybrid ranking of passages beside rivals that search words: python hybrid.py --help

Each contender is a process of its own with the same passages. Each query is asked of all in turn. Prints a table in Markdown of the
milliseconds at the median, the 95th and the 99th percentile, and the median of each query's ratio to ours.
"""
import argparse
import json
import pathlib
import select
import statistics
import subprocess
import sys

from processes import stop

HERE = pathlib.Path(__file__).parent / "hybrid"
OURS = "smooth-clir, hybrid"
RIVALS = {"native": ["tantivy"], "chromium": ["Orama", "MiniSearch", "Pagefind"]}


class Contender:
    """A process that answers a query with its times."""

    def __init__(self, name, command, patience):
        self.name, self.patience = name, patience
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.said = self.read()

    def read(self):
        if not select.select([self.process.stdout], [], [], self.patience)[0]:
            return f"failed: not done in {self.patience:.0f} s"
        return self.process.stdout.readline().strip() or "failed: ended without a word"

    def ask(self, query):
        self.process.stdin.write(query + "\n")
        answer = self.read()
        if not answer.startswith("{"):
            self.said = answer
            return {}
        return json.loads(answer)

    def stop(self):
        stop(self.process)


def commands(host, arguments):
    """Each contender's command."""
    models, folder = pathlib.Path(arguments.models), pathlib.Path(arguments.index)
    count = str(arguments.count)
    if host == "native":
        indexes = sorted(folder.glob("segment.*/index.safetensors"))
        encoders = [models / "query.safetensors", models / "document.fr.safetensors"]
        yield "smooth-clir", [arguments.program, *encoders, "-", *indexes]
        yield "tantivy", [sys.executable, HERE / "tantivy_peer.py", arguments.passages, count]
    else:
        for name in ["smooth-clir", *RIVALS["chromium"]]:
            yield name, ["node", HERE / "host.mjs", name, arguments.rivals, models, folder, arguments.passages, count]


def percentiles(times):
    times = sorted(times)
    return [f"{times[int((len(times) - 1) * share)]:.2f}" for share in (0.5, 0.95, 0.99)]


def compare(host, arguments, queries):
    running, times = [], {}
    for name, command in commands(host, arguments):
        if name != "smooth-clir" and arguments.only is not None and name not in arguments.only:
            continue
        print(f"{host}: {name}", file=sys.stderr)
        contender = Contender(name, command, arguments.patience)
        print(f"{host}: {name}: {contender.said}", file=sys.stderr)
        if contender.said.startswith("ready"):
            running.append(contender)
        else:
            contender.stop()
            print(f"| {arguments.count:,} | {host} | {name} | {contender.said} | | | |", flush=True)
    for query in queries:
        for contender in list(running):
            answer = contender.ask(query)
            if not answer:
                running.remove(contender)
                contender.stop()
                print(f"| {arguments.count:,} | {host} | {contender.name} | {contender.said} | | | |", flush=True)
            for name, milliseconds in answer.items():
                times.setdefault(name, []).append(milliseconds)
    for name, own in times.items():
        if len(own) == len(queries):
            ratio = statistics.median(theirs / ours for theirs, ours in zip(own, times[OURS]))
            columns = [f"{arguments.count:,}", host, name, *percentiles(own), f"{ratio:.2f}"]
            print("|", " | ".join(columns), "|", flush=True)
    for contender in running:
        contender.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="the native example hybrid")
    parser.add_argument("--models", required=True, help="folder of the encoders of a model")
    parser.add_argument("--index", required=True, help="folder of an index in segments of the passages")
    parser.add_argument("--passages", required=True, help="a file of passages, of which the first COUNT are indexed")
    parser.add_argument("--count", type=int, required=True, help="how many passages the index has")
    parser.add_argument("--rivals", required=True, help="folder of the rivals' packages")
    parser.add_argument("--queries", required=True, help="a file of benches/queries.py")
    parser.add_argument("--hosts", default="native,chromium")
    parser.add_argument("--only", action="append", help="a rival that takes part; all by default")
    parser.add_argument("--patience", type=float, default=900, help="seconds for indexing, and for a query")
    arguments = parser.parse_args()
    with open(arguments.queries, encoding="utf-8") as lines:
        queries = lines.read().splitlines()
    print("| passages | host | | median, ms | 95 % | 99 % | times hybrid |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for host in arguments.hosts.split(","):
        compare(host, arguments, queries)


main()
