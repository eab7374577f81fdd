"""Writes files whole or not at all."""
import os


def write_all(files):
    """Writes {path: text}: all files beside their places first, then each to its place, so that a failure leaves what was there."""
    partial = {}
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            partial[path] = path.with_name(path.name + ".partial")
            partial[path].write_text(text, encoding="utf-8", newline="\n")
        for path, beside in partial.items():
            os.replace(beside, path)
    finally:
        for beside in partial.values():
            beside.unlink(missing_ok=True)
