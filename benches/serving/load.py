"""Loads `smooth-clir serve` and its rival in turns, and prints a table in Markdown.

Both answer the same queries from the same files; fails where they find other documents.
"""
import argparse
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

from safetensors import safe_open

HERE = pathlib.Path(__file__).parent
CHECKED = 50
QUERIES = 500
WORDS = 5
OURS, RIVAL = "http://127.0.0.1:8471", "http://127.0.0.1:8472"
# One core for each process.
SINGLE = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


def queries(model, file):
    """The first words of queries that the model knows: no rule of splitting text can tell them apart."""
    with safe_open(model, "np") as of:
        known = set(bytes(of.get_tensor("query.vocabulary")).decode().split("\n"))
    for line in pathlib.Path(file).read_text().splitlines():
        words = [word for word in re.findall("[a-z]+", line.split("\t")[2].lower()) if word in known]
        if len(words) >= WORDS:
            yield " ".join(words[:WORDS])


def get(address, path, patience=60):
    end = time.monotonic() + patience
    while True:
        try:
            with urllib.request.urlopen(address + path, timeout=patience) as answer:
                return json.load(answer)
        except urllib.error.HTTPError:
            raise
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def check(paths):
    """The same documents, unless their scores are as good as equal."""
    for path in paths[:CHECKED]:
        ours, rival = (get(address, path)["hits"] for address in (OURS, RIVAL))
        for one, other in zip(ours, rival, strict=True):
            if one["id"] != other["id"] and abs(one["score"] - other["score"]) > 1e-6:
                sys.exit(f"{path}: found {one['id']}, the rival {other['id']}")


def load(address, connections, seconds, paths):
    """Requests a second, and milliseconds at the median and the 99th percentile."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(paths))
        file.flush()
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", HERE / "queries.lua", address]
        told = subprocess.run(command, env={**os.environ, "QUERIES": file.name}, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in told or "Socket errors" in told:
        sys.exit(f"{address}: not all was answered\n{told}")

    def milliseconds(share):
        number, unit = re.search(rf"^\s+{share}%\s+([\d.]+)(us|ms|s)\s*$", told, re.M).groups()
        return float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]

    return float(re.search(r"Requests/sec:\s+([\d.]+)", told)[1]), milliseconds(50), milliseconds(99)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--index", required=True)
    parser.add_argument("--queries", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--connections", type=lambda text: [int(count) for count in text.split(",")], default=[1, 16, 64])
    arguments = parser.parse_args()
    asked = list(queries(arguments.model, arguments.queries))[:QUERIES]
    paths = [f"/search?q={urllib.parse.quote_plus(query)}&k=10" for query in asked]
    cores = os.cpu_count()
    environment = {**os.environ, **SINGLE, "MODEL": arguments.model, "INDEX": arguments.index}
    commands = [
        [arguments.program, "serve", arguments.model, arguments.index, "--listen", OURS.removeprefix("http://")],
        [sys.executable, "-m", "uvicorn", "rival:app", "--app-dir", HERE, "--port", RIVAL.rsplit(":", 1)[1],
         "--workers", str(cores), "--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "error"],
    ]
    servers = [subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) for command in commands]
    try:
        check(paths)
        documents = get(OURS, "/health")["documents"]
        print(f"{documents:,} documents, {len(paths)} queries of {WORDS} words, ten hits with their texts each, {cores} cores that wrk shares; "
              f"rounds of {arguments.seconds} s in turns, {arguments.rounds} of them\n")
        print("| connections | | requests/s | median, ms | 99th percentile, ms | ratio of requests/s: median (least to most) |")
        print("|---|---|---|---|---|---|")
        for connections in arguments.connections:
            rounds = [[], []]
            for address in (OURS, RIVAL):
                load(address, connections, 1, paths)
            for turn in range(arguments.rounds):
                # Neither is always the first.
                for who in (0, 1) if turn % 2 == 0 else (1, 0):
                    rounds[who].append(load((OURS, RIVAL)[who], connections, arguments.seconds, paths))
            ratios = sorted(ours[0] / rival[0] for ours, rival in zip(*rounds))
            for who, name in enumerate(("smooth-clir serve", "NumPy, Starlette, uvicorn")):
                rate, median, last = (statistics.median(column) for column in zip(*rounds[who]))
                ratio = f"{statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})" if who == 0 else "1"
                print(f"| {connections} | {name} | {rate:,.0f} | {median:.2f} | {last:.2f} | {ratio} |", flush=True)
    finally:
        for server in servers:
            server.send_signal(signal.SIGTERM)
        for server in servers:
            server.wait(timeout=30)


if __name__ == "__main__":
    main()
