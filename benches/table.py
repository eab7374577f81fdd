"""Turns what `pkg-scripts/bench-train` measured, a JSON object a line on standard input, into Markdown."""
import json
import statistics
import sys

from machine import machine

print(f"{machine()}\n")
quality, speed = {}, {}
for line in sys.stdin:
    entry = json.loads(line)
    kind = quality if entry["kind"] == "quality" else speed
    kind.setdefault(entry["folder"], []).append(entry)

if quality:
    names = list(next(iter(quality.values()))[0]["ours"])
    print("| corpus | |", " | ".join(names), "|")
    print("|---|---|" + "---|" * len(names))
    for folder, seeds in quality.items():
        mean = lambda who: [statistics.mean(seed[who][name] for seed in seeds) for name in names]
        theirs, ours = mean("theirs"), mean("ours")
        print(f"| {folder} | PyTorch |", " | ".join(f"{x:.3f}" for x in theirs), "|")
        print("| | smooth-clir |", " | ".join(f"{x:.3f}" for x in ours), "|")
        print("| | difference |", " | ".join(f"{a - b:+.3f}" for a, b in zip(ours, theirs)), "|")
if quality and speed:
    print()
if speed:
    print("| corpus | smooth-clir, pairs/s | SparseAdam | ratio: median (least to most) | dense Adam | ratio |")
    print("|---|---|---|---|---|---|")
    for folder, rounds in speed.items():
        middle = lambda who: f"{statistics.median(r[who] for r in rounds):,.0f}"

        def spread(rival):
            ratios = sorted(r["ours"] / r[rival] for r in rounds)
            return f"{statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})"

        columns = [middle("ours"), middle("theirs"), spread("theirs"), middle("dense"), spread("dense")]
        print(f"| {folder} |", " | ".join(columns), "|")
