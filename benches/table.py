"""Turns what `pkg-scripts/bench` measured, a JSON object a line on standard input, into Markdown."""
import json
import statistics
import sys

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
    print("| corpus | PyTorch, pairs/s | smooth-clir, pairs/s | ratio: median (least to most) |")
    print("|---|---|---|---|")
    for folder, rounds in speed.items():
        middle = lambda who: f"{statistics.median(r[who] for r in rounds):,.0f}"
        ratios = sorted(r["ours"] / r["theirs"] for r in rounds)
        spread = f"{statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})"
        print(f"| {folder} | {middle('theirs')} | {middle('ours')} | {spread} |")
