#!/usr/bin/env bash
# Measures a graphics card: its answers by the tests, then rankings and training steps beside the processor and PyTorch.
#
#   benches/gpu.sh PROGRAMS [FOLDER]
#
# `pkg-scripts/bench-gpu PROGRAMS` makes PROGRAMS, which may be carried to the machine that has the card. FOLDER has queries.tsv,
# documents.tsv and relevance.tsv, its name ends in the documents' language: a model is trained on it on both devices.
# Needs Vulkan and, for the rival, PYTHON (python3) with torch and safetensors.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: benches/gpu.sh PROGRAMS [FOLDER]" >&2; exit 2; }
programs=$(realpath "$1") here=$(dirname "$(realpath "$0")") python=${PYTHON:-python3} rounds=${ROUNDS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { printf '\n== %s\n' "$*"; }

# What is wrong on this card is told, and its time measured all the same.
status=0
say "Answers"
"$programs/core-tests" gpu 2>&1 | tail -n 40 || status=1
"$programs/unit-tests" gpu:: 2>&1 | tail -n 20 || status=1
for documents in 10000 1000000; do
  for round in $(seq "$rounds"); do
    say "Rankings of $documents documents, round $round"
    "$programs/gpu_rank" "$documents" 64 50
    "$python" "$here/gpu.py" rank --documents "$documents" --dimension 64 --queries 50
  done
done
for pairs in 128 1024 8192; do
  for round in $(seq "$rounds"); do
    say "Steps of $pairs pairs, round $round"
    "$programs/gpu_steps" 500 "$pairs" 8 "$work/steps.safetensors"
    "$python" "$here/gpu.py" steps "$work/steps.safetensors"
  done
done
[ $# -ge 2 ] || exit "$status"
for device in gpu cpu; do
  say "train --device $device"
  time "$programs/smooth-clir" train "$2" --language "${2##*-}" --device "$device" --epochs 10 --out "$work/$device.safetensors"
done
exit "$status"
