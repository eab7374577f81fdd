#!/usr/bin/env python3
"""Makes a folder of graded comparable documents from translated manuals in Debian packages.

    python3 pkg-scripts/corpora/manuals.py xx FOLDER [--sources FOLDER] [--offline] [--set NAME]...

writes FOLDER/queries.tsv, FOLDER/documents.tsv and FOLDER/relevance.tsv (id, title, text twice; query, document, grade). A page that
English and the language xx both have is cut into sections at its headings. The first sentence of an English section is a query, the rest
of the translated section its document: without its own first sentence, and at most 200 words. The document has grade 2, the nearest
other documents of the page, at most 12, have grade 1. The title is the page. See README.md."""
import argparse
import gzip
import re
import sys
import zlib
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import graded
import readers
import sections
from clean import key
from sources import Sources, SourceError


class Manual(NamedTuple):
    """Where a manual's pages are: Debian packages and paths by language, and the reader of a page."""

    # {language: packages}
    packages: dict
    # The folder of the pages of a language, and what follows it in a page's path: the page's name is the group.
    folder: str
    name: str
    # {language: its code in `folder` and `name`}
    codes: dict
    read: object


REGIONS = {"en": "en-US", "de": "de-DE", "es": "es-ES", "fr": "fr-FR", "it": "it-IT"}
TRANSLATIONS = [code for code in REGIONS if code != "en"]
SETS = {
    "debian_handbook": Manual(
        {code: ["debian-handbook"] for code in REGIONS},
        "usr/share/doc/debian-handbook/html/{}/", r"([^/]+)\.html", REGIONS, sections.html,
    ),
    "debian_reference": Manual(
        {code: [f"debian-reference-{code}"] for code in REGIONS},
        "usr/share/debian-reference/", r"([^/]+)\.{}\.html", {code: code for code in REGIONS}, sections.html,
    ),
    "libreoffice_help": Manual(
        {code: ["libreoffice-help-" + ("en-us" if code == "en" else code)] for code in REGIONS},
        "usr/share/libreoffice/help/{}/text/", r"(.+)\.html", {code: "en-US" if code == "en" else code for code in REGIONS}, sections.html,
    ),
    "manpages": Manual(
        {"en": ["manpages", "manpages-dev"]} | {code: [f"manpages-{code}", f"manpages-{code}-dev"] for code in TRANSLATIONS},
        "usr/share/man/{}", r"(man[^/]+/[^/]+)\.gz", {"en": ""} | {code: f"{code}/" for code in TRANSLATIONS}, sections.roff,
    ),
}

# Title pages.
NO_PAGES = {"index"}
# English sections without running text or alike in many pages, in capitals without a colon.
NO_SECTIONS = {
    "NAME", "LIBRARY", "SYNOPSIS", "SYNTAX", "PARAMETERS", "ERRORS", "ATTRIBUTES", "STANDARDS", "SEE ALSO", "REPORTING BUGS", "AUTHOR",
    "AUTHORS", "COPYRIGHT", "COLOPHON",
}
# The last section of a translated manual page, which English lacks: who translated it.
TRANSLATORS = {"TRADUCTION", "TRADUZIONE", "ÜBERSETZUNG", "TRADUCCIÓN"}
NUMBER = re.compile(r"^(?:(?:Chapter|Appendix)\s+)?(?:\d+|[A-Z])(?:\.\d+)*\.\s+")
# Words of English that none of the other languages has.
ENGLISH = {"the", "of", "and", "to", "is", "with", "for", "that"}

SENTENCE_WORDS = 4
MOST_WORDS = 200
FEWEST_WORDS = 20
# The share of the words `ENGLISH` above which a paragraph or a document counts as untranslated; English text has a fifth to a quarter.
MOST_ENGLISH = 0.08
MOST_PARTIAL = 12


def words(text):
    """The words of a text between spaces that have a letter."""
    return [word for word in text.split() if re.search(r"[^\W\d_]", word)]


def is_english(text):
    found = words(text)
    return sum(word.lower() in ENGLISH for word in found) > MOST_ENGLISH * len(found)


def translated(english, other):
    """The translated paragraphs of a section: without those in English, and without texts of four words and more that English has too."""
    same = {key(paragraph) for paragraph in english if len(words(paragraph)) >= SENTENCE_WORDS}
    return [paragraph for paragraph in other if key(paragraph) not in same and not is_english(paragraph)]


def pages(sources, manual, code):
    """{page: sections} of one language."""
    folder = manual.folder.format(manual.codes[code])
    name = re.compile(re.escape(folder) + manual.name.replace("{}", manual.codes[code]))
    found = {}
    for package in manual.packages[code]:
        for path, data in sources.files(package, folder).items():
            match = name.fullmatch(path)
            if match and match[1] not in NO_PAGES:
                if path.endswith(".gz"):
                    try:
                        data = gzip.decompress(data)
                    except (OSError, EOFError, zlib.error) as error:
                        raise readers.FormatError(f"{package}: {path}: {error}") from None
                # A byte that is not UTF-8 costs one character, not the page.
                found[match[1]] = manual.read(data.decode("utf-8", errors="replace"))
    return found


def first_sentence(paragraphs):
    """The first sentence of at least four words, and the text that follows it; ("", all text) if there is none. The shorter texts before
    it, names of options and functions, are in neither."""
    found = [sentence for paragraph in paragraphs for sentence in readers.sentences(paragraph)]
    for n, sentence in enumerate(found):
        if len(words(sentence)) >= SENTENCE_WORDS:
            return sentence, " ".join(found[n + 1 :])
    return "", " ".join(found)


def passages(english, other):
    """(number, English section, translated section) of a page: section by section if the two versions have the same headings in depth and
    id, else by the ids that occur once in each. Functions in alphabetical order stand in another order in each language."""
    other = [section for section in other if section.title not in TRANSLATORS]
    if [section[:2] for section in english] == [section[:2] for section in other]:
        pairs = zip(range(len(english)), english, other)
    else:
        counts = [Counter(section.id for section in page) for page in (english, other)]
        by_id = {section.id: section for section in other}
        pairs = (
            (n, section, by_id[section.id]) for n, section in enumerate(english)
            if section.id and counts[0][section.id] == counts[1][section.id] == 1
        )
    for n, left, right in pairs:
        if left.title.upper().rstrip(": ") not in NO_SECTIONS:
            yield n, left, right


class Documents:
    """Collects queries with their documents and counts, per set, how many each rule left out."""

    def __init__(self):
        self.seen = set()
        # {page: [(number, query, document)]}
        self.pages = {}
        self.counts = {}

    def add(self, corpus, page, number, english, other):
        """Adds the two versions of a section, unless a rule leaves it out."""
        query = first_sentence(english.paragraphs)[0] or NUMBER.sub("", english.title)
        paragraphs = translated(english.paragraphs, other.paragraphs)
        document = " ".join(first_sentence(paragraphs)[1].split()[:MOST_WORDS])
        rule = self._rule(query, document, sum(map(len, paragraphs)) * 2 < sum(map(len, other.paragraphs)))
        counts = self.counts.setdefault(corpus, {})
        counts[rule] = counts.get(rule, 0) + 1
        if rule == "documents":
            self.seen |= {("query", key(query)), ("document", key(document))}
            self.pages.setdefault(f"{corpus}/{page}", []).append((number, query, document))

    def _rule(self, query, document, is_untranslated):
        if is_untranslated or is_english(document):
            return "untranslated"
        if not query or len(words(document)) < FEWEST_WORDS:
            return "short"
        if ("query", key(query)) in self.seen or ("document", key(document)) in self.seen:
            return "duplicate"
        return "documents"


def grades(count):
    """For each section of a page its partially relevant ones: the nearest, `MOST_PARTIAL` at most, in the page's order."""
    for place in range(count):
        near = range(max(0, place - MOST_PARTIAL), min(count, place + MOST_PARTIAL + 1))
        others = sorted((other for other in near if other != place), key=lambda other: (abs(other - place), other))
        yield place, sorted(others[:MOST_PARTIAL])


def lines(pages):
    """The lines of queries, documents and relevance."""
    queries, documents, relevance = [], [], []
    for page, members in pages.items():
        ids = [f"{page}/{number}" for number, _, _ in members]
        for name, (_, query, document) in zip(ids, members):
            queries.append(f"{name}\t{page}\t{query}\n")
            documents.append(f"{name}\t{page}\t{document}\n")
        for place, others in grades(len(members)):
            relevance.append(f"{ids[place]}\t{ids[place]}\t2\n")
            relevance.extend(f"{ids[place]}\t{ids[other]}\t1\n" for other in others)
    return queries, documents, relevance


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("language", help="code of the language: " + ", ".join(TRANSLATIONS))
    parser.add_argument("folder", type=Path, help="folder to write to")
    parser.add_argument("--sources", type=Path, default=Path("target/corpora"), help="folder of the sources (default: %(default)s)")
    parser.add_argument("--offline", action="store_true", help="fetch nothing: a source that is not in the folder is an error")
    parser.add_argument(
        "--set", action="append", default=[], dest="sets", metavar="NAME", choices=SETS,
        help="read this manual only; again for another: " + ", ".join(SETS),
    )
    options = parser.parse_args(arguments)
    code = options.language
    if code not in TRANSLATIONS:
        return f"unknown language `{code}`: expected one of {', '.join(TRANSLATIONS)}"
    found = Documents()
    try:
        sources = Sources(options.sources, options.offline)
        for corpus, manual in SETS.items():
            if options.sets and corpus not in options.sets:
                continue
            english, other = (pages(sources, manual, side) for side in ("en", code))
            for page in sorted(english.keys() & other.keys()):
                for number, left, right in passages(english[page], other[page]):
                    found.add(corpus, page, number, left, right)
        if not found.pages:
            return f"no documents in {', '.join(options.sets or SETS)} in `{code}`"
        graded.write(options.folder, *lines(found.pages))
    except (OSError, SourceError, readers.FormatError) as error:
        return str(error)
    for corpus, counts in found.counts.items():
        left_out = ", ".join(f"{n} {rule}" for rule, n in counts.items() if rule != "documents")
        print(f"{corpus}\t{counts.get('documents', 0)} documents; left out: {left_out or 'none'}")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
