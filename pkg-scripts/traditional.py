#!/usr/bin/env python3
"""Writes lines of a file of English and Chinese pairs again in traditional characters, for pkg-scripts/language:

    pkg-scripts/traditional.py EVERY <en-zh.tsv >en-zh-hant.tsv

Every so many lines, the last column is converted; a line that stays as it is, is left out. Needs opencc-python-reimplemented 0.1.7 of
PyPI (Apache-2.0), whose tables are those of OpenCC.
"""
import sys

from opencc import OpenCC


def main():
    every, convert = int(sys.argv[1]), OpenCC("s2t").convert
    for number, line in enumerate(sys.stdin):
        if number % every:
            continue
        columns = line.rstrip("\n").split("\t")
        other = convert(columns[-1])
        if other != columns[-1]:
            print(*columns[:-1], other, sep="\t")


main()
