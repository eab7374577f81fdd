"""Cleaning rules for sentence pairs and lexicon entries: plain text on one line, no markup, no placeholders, no duplicates."""
import hashlib
import html
import re
import unicodedata

# Directional marks, byte order marks and soft hyphens: invisible, and different in every source.
INVISIBLE = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
# Vowel marks and the lengthening stroke of Arabic; everyday text leaves them out.
ARABIC_MARKS = re.compile("[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]")
# The stress mark that Russian dictionaries put over a vowel.
STRESS = re.compile("(?<=[аеёиоуыэюяАЕЁИОУЫЭЮЯ])[\u0300\u0301]")
TAG = re.compile(r"</?[a-zA-Z][^<>]*>|\[/?(?:b|i|u|url|code|center|color|font|img|ul|ol)(?:=[^\]]*)?\]")
PLACEHOLDER = re.compile(
    r"%(?:\d+\$)?[-+ 0#]*(?:\d+|\*)?(?:\.\d+)?(?:hh|h|l|ll|z)?[sdiufgxXc@]"
    r"|%\([A-Za-z_ ]+\)|%[A-Z_]{3,}%|%\d+\b|\{[^{}]*\}|\$\(?[A-Za-z_]\w*|\$\{|\{\{|\}\}|&[a-z]+;|#[A-Z]{3,}|%[A-Z]{4,}"
)
WORD = re.compile(r"[^\W\d_]+")

# The letters of a script, as a character class; a Latin language has none, because English cannot be told from it by letters.
SCRIPTS = {
    "Arab": "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff",
    "Deva": "\u0900-\u097f",
    "Cyrl": "\u0400-\u052f",
    "Hans": "\u3400-\u4dbf\u4e00-\u9fff",
}


def plain(text):
    """`text` in normal form C, without invisible marks, on one line with single spaces."""
    return " ".join(INVISIBLE.sub("", unicodedata.normalize("NFC", text)).split())


def one_line(text):
    """`text` without entities and tags, as `plain` writes it."""
    return plain(TAG.sub("", html.unescape(text)))


def as_written(text, language):
    """`text` without the marks that only dictionaries and scripture print: Arabic vowels, Russian stress."""
    if language in ("ar", "fa", "ur"):
        return ARABIC_MARKS.sub("", text.replace("\u0671", "\u0627"))
    if language in ("ru", "uk", "bg"):
        return unicodedata.normalize("NFC", STRESS.sub("", unicodedata.normalize("NFD", text)))
    return text


def key(text):
    """`text` without case, marks and punctuation: two texts with the same key count as the same."""
    return " ".join(WORD.findall(unicodedata.normalize("NFKC", text).casefold())) or text.strip()


def has_placeholder(text):
    """Whether `text` has a slot that a program fills in, `%s`, `{name}`, or a leftover of markup."""
    return bool(PLACEHOLDER.search(text)) or "<" in text and ">" in text


def in_script(text, script):
    """Whether at least half of the letters of `text` are of `script`; true for a script that is not in `SCRIPTS`."""
    if script not in SCRIPTS:
        return True
    letters = [c for c in text if c.isalpha()]
    own = re.findall(f"[{SCRIPTS[script]}]", text)
    return bool(own) and len(own) * 2 >= len(letters)


def fraction(text):
    """A number of [0, 1) that depends on `text` alone: draws that are the same on every machine."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big") / 2**48


class Pairs:
    """Collects the sentence pairs of one language and counts, per set, how many each rule left out."""

    def __init__(self, language, script, held_out=(), known=()):
        """`held_out`: English sentences that must not occur; `known`: pairs of another corpus that are not to be repeated."""
        self.language, self.script = language, script
        self.english = {key(text) for text in held_out}
        self.seen = set()
        for english, other in known:
            self.seen.add(key(english))
            self.seen.add(key(english) + "\t" + key(other))
        self.rows = []
        self.dropped = {}

    def _drop(self, corpus, rule):
        counts = self.dropped.setdefault(corpus, {})
        counts[rule] = counts.get(rule, 0) + 1

    def add(self, corpus, group, name, english, other):
        """Adds one pair unless a rule leaves it out; returns whether it was added."""
        english = one_line(english)
        other = as_written(one_line(other), self.language)
        rule = self._rule(english, other)
        if rule:
            self._drop(corpus, rule)
            return False
        self.seen.add(key(english))
        self.rows.append((corpus, group, name, english, other))
        return True

    def _rule(self, english, other):
        if not english or not other:
            return "empty"
        if has_placeholder(english) or has_placeholder(other):
            return "placeholder"
        if not WORD.search(english) or not WORD.search(other):
            return "no words"
        if key(english) == key(other):
            return "not translated"
        if not in_script(other, self.script):
            return "another script"
        if key(english) in self.english:
            return "held out"
        if key(english) in self.seen:
            return "duplicate"
        return None

    def balance(self, spread=3.5, least=24):
        """Leaves out pairs of one set whose lengths are further apart than `spread` times the median ratio of that set; texts of
        fewer than `least` characters vary too much to be judged."""
        ratios = {}
        for corpus, _, _, english, other in self.rows:
            if len(english) >= least:
                ratios.setdefault(corpus, []).append(len(other) / len(english))
        medians = {corpus: sorted(values)[len(values) // 2] for corpus, values in ratios.items()}
        kept = []
        for row in self.rows:
            ratio = len(row[4]) / len(row[3]) / medians.get(row[0], 1)
            if len(row[3]) >= least and not 1 / spread <= ratio <= spread:
                self._drop(row[0], "length")
            else:
                kept.append(row)
        self.rows = kept

    def limit(self, corpus, most):
        """Keeps whole groups of `corpus`, drawn by their names, until they have `most` pairs at most."""
        sizes = {}
        for row in self.rows:
            if row[0] == corpus:
                sizes[row[1]] = sizes.get(row[1], 0) + 1
        kept, count = set(), 0
        for group in sorted(sizes, key=lambda name: (fraction(f"{corpus}/{name}"), name)):
            if count + sizes[group] <= most:
                kept.add(group)
                count += sizes[group]
        before = len(self.rows)
        self.rows = [row for row in self.rows if row[0] != corpus or row[1] in kept]
        for _ in range(before - len(self.rows)):
            self._drop(corpus, "over the share")


class Lexicon:
    """Collects word and phrase translations; the first source that has a translation is named."""

    def __init__(self, language, script):
        self.language, self.script = language, script
        self.seen = set()
        self.rows = []

    def add(self, source, english, other):
        english = one_line(english)
        other = as_written(one_line(other), self.language)
        entry = (english.casefold(), other.casefold())
        if not english or not other or entry in self.seen or entry[0] == entry[1]:
            return False
        if not WORD.search(english) or not in_script(other, self.script) or has_placeholder(english) or has_placeholder(other):
            return False
        # A definition is no translation.
        if len(english.split()) > 6 or len(other.split()) > 8 or len(other) > 80:
            return False
        self.seen.add(entry)
        self.rows.append((source, english, other))
        return True
