"""Time and memory of a large index, natively: python million.py PROGRAM MODELS LANGUAGE PASSAGES FOLDER

Encodes the passages into FOLDER, searches, puts the segments together, and searches again, with 8-bit numbers and
with 32-bit ones. Prints what each step takes: seconds, and the most memory that was resident, pages of mapped files
that other programs could use too among it.
"""
import os
import shutil
import subprocess
import sys
import time

QUERY = "rain over the mountains"


def measured(what, command):
    begun = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    answer = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"error: {' '.join(command)}: status {os.waitstatus_to_exitcode(status)}")
    print(f"| {what} | {time.monotonic() - begun:.1f} | {used.ru_maxrss / 1000:.0f} |", flush=True)
    return answer


def size(folder):
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names)


def main(program, models, language, passages, folder):
    for precision in ("i8", "f32"):
        index = os.path.join(folder, precision, "")
        shutil.rmtree(index, ignore_errors=True)
        print(f"\n| {precision} | s | MB at most |\n|---|---|---|")
        append = [program, "index", models, passages, "--language", language, "--append", "--precision", precision, "--out", index]
        search = [program, "search", models, index, QUERY]
        measured("encode and write", append)
        found = measured("open, check and search", search)
        measured("the same documents again", append)
        measured("compact", [program, "compact", index])
        if measured("open, check and search, put together", search) != found:
            sys.exit("error: the ranking is another one than before")
        print(f"\n{size(index) / 1e6:.0f} MB on disk")


if __name__ == "__main__":
    main(*sys.argv[1:])
