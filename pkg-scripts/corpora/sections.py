"""Cuts the pages of manuals at their headings: HTML and manual pages in roff. Takes text and returns `Section`s; opens no file."""
import re
import unicodedata
from html.parser import HTMLParser
from typing import NamedTuple

from clean import plain


class Section(NamedTuple):
    """A heading with its depth (0: text before the first heading), its id ("" if it has none) and the paragraphs that follow it up to
    the next heading."""

    level: int
    id: str
    title: str
    paragraphs: list


class _Text:
    """Collects sections from pieces of text."""

    def __init__(self):
        self.sections = []
        self.pieces = []

    def heading(self, level, title, id=""):
        self.paragraph()
        self.sections.append(Section(level, id, plain(title), []))

    def paragraph(self):
        """Ends the paragraph."""
        words = plain("".join(self.pieces))
        self.pieces = []
        if words:
            if not self.sections:
                self.sections.append(Section(0, "", "", []))
            self.sections[-1].paragraphs.append(words)


# --- HTML -----------------------------------------------------------------------------------------------------------------------

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
VOID = set("area base br col embed hr img input link meta param source track wbr".split())
BLOCKS = set("address article blockquote body dd div dl dt figure form hr li main ol p section td th tr ul".split())
# Navigation, code and tables.
SKIPPED_TAGS = set("aside footer head header nav noscript pre script style sup table title".split())
SKIPPED_CLASSES = set(
    # DocBook: lists of contents, bars of links, captions, footnotes, the imprint.
    "toc navheader navfooter docnav title caption footnotes list-of-tables list-of-figures legalnotice author copyright url "
    # LibreOffice: how to reach a command, related topics, examples of code, icons, what differs on macOS.
    "howtoget relatedtopics bascode pycode sqlcode icontable noteicon MAC".split()
)
SKIPPED_IDS = {"banner", "title"}
# Insets: their headings, such as "Note", belong to the section around them.
INSETS = {"note", "tip", "caution", "warning", "important", "sidebar"}


class _Html(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.text = _Text()
        # The open elements: (tag, whether its text is left out, whether it is in an inset).
        self.open = []
        # Whether the paragraph has text outside of links; one without leads to other pages.
        self.is_prose = False
        # The pieces of the open heading and its id.
        self.title = None
        self.id = ""

    def handle_starttag(self, tag, attributes):
        _, skipped, inset = self.open[-1] if self.open else ("", False, False)
        if tag in VOID:
            self._add(" ")
        else:
            values = dict(attributes)
            classes = set((values.get("class") or "").split())
            if classes & INSETS:
                inset = True
            if tag in HEADINGS:
                classes.discard("title")
                skipped = skipped or inset
            skipped = skipped or tag in SKIPPED_TAGS or bool(classes & SKIPPED_CLASSES) or values.get("id") in SKIPPED_IDS
            self.open.append((tag, skipped, inset))
        if not skipped and tag in HEADINGS:
            self.block()
            self.title = []
            self.id = values.get("id") or ""
        elif tag in BLOCKS:
            self.block()

    def handle_endtag(self, tag):
        if tag not in [name for name, _, _ in self.open]:
            return
        while True:
            name, skipped, _ = self.open.pop()
            if name in HEADINGS and not skipped and self.title is not None:
                self.text.heading(HEADINGS[name], "".join(self.title), self.id)
                self.title = None
                self.is_prose = False
            elif name in BLOCKS:
                self.block()
            if name == tag:
                return

    def handle_data(self, data):
        if not (self.open and self.open[-1][1]):
            self.is_prose = self.is_prose or bool(data.strip()) and all(tag != "a" for tag, _, _ in self.open)
            self._add(data)

    def _add(self, data):
        (self.text.pieces if self.title is None else self.title).append(data)

    def block(self):
        if self.title is None:
            if not self.is_prose:
                self.text.pieces = []
            self.text.paragraph()
            self.is_prose = False


def html(text):
    """The sections of an HTML page, without navigation, tables, code and paragraphs of links alone."""
    parser = _Html()
    parser.feed(text)
    parser.close()
    parser.block()
    return parser.text.sections


# --- roff -----------------------------------------------------------------------------------------------------------------------

ESCAPE = re.compile(
    r"\\(?:"
    r"f(?:\[[^\]]*\]|\(..|.)"
    r"|s(?:\[[^\]]*\]|\(..|[-+]?\d)"
    r"|[bDhlLNoRvwXZ]'[^']*'"
    r"|[nkmMFYV][-+]?(?:\[[^\]]*\]|\(..|.)"
    r"|\*?\[(?P<long>[^\]]*)\]|\*?\((?P<two>..)|\*(?P<string>.)"
    r"|(?P<one>.))"
)
CHARACTERS = {
    "aq": "'", "dq": '"', "lq": "“", "rq": "”", "oq": "‘", "cq": "’", "Fo": "«", "Fc": "»", "em": "—", "en": "–", "hy": "-", "mi": "−",
    "ha": "^", "ti": "~", "ga": "`", "rs": "\\", "sl": "/", "at": "@", "sh": "#", "+-": "±", "mu": "×", "<=": "≤", ">=": "≥", "!=": "≠",
    "->": "→", "<-": "←", "ra": "⟩", "la": "⟨", "de": "°", "sc": "§", "co": "©", "rg": "®", "tm": "™", "fm": "′", "dg": "†", "sd": "″",
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "/o": "ø", "/O": "Ø", "oa": "å", "Aq": "'", "R": "®", "Tm": "™",
}
ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", ":": "\u0308", "~": "\u0303", ",": "\u0327"}
# Escapes of one character that print nothing, and those that print a space.
EMPTY = "&%:/,)^|cdpruz{}!?"
SPACES = " ~0t"

FONTS = {"B", "I", "SM", "SB"}
ALTERNATING = {"BI", "BR", "IB", "IR", "RB", "RI"}
BREAKS = {"PP", "P", "LP", "HP", "RS", "RE", "sp"}
# What is dropped, with the request that ends it: text set as it stands (synopses, code), tables, equations, definitions of macros.
BLOCK_ENDS = {"nf": "fi", "EX": "EE", "TS": "TE", "EQ": "EN", "SY": "YS", "de": ".", "de1": ".", "am": ".", "ig": "."}


def _character(name):
    if name in CHARACTERS:
        return CHARACTERS[name]
    if re.fullmatch("u[0-9A-F]{4,5}", name):
        return chr(int(name[1:], 16))
    if len(name) == 2 and name[0] in ACCENTS:
        return unicodedata.normalize("NFC", name[1] + ACCENTS[name[0]])
    return ""


def _escape(found):
    name = found["long"] or found["two"] or found["string"]
    if name:
        return _character(name)
    one = found["one"]
    if one is None or one in EMPTY:
        return ""
    return " " if one in SPACES else "\\" if one in "e\\" else one


def unescaped(text):
    """roff text without escapes: characters as such, fonts and sizes dropped."""
    return ESCAPE.sub(_escape, text)


def arguments(text):
    """The arguments of a request: words, or texts in double quotes, in which "" is one quote; an escaped space does not end one."""
    found = re.findall(r'"((?:[^"]|"")*)"?|((?:\\.|[^\s\\])+)', text)
    return [quoted.replace('""', '"') if not word else word for quoted, word in found]


class _Roff:
    def __init__(self):
        self.text = _Text()
        self.until = None
        self.braces = 0
        # Whether the next line of text is a heading (its level) or the tag of an item.
        self.heading = 0
        self.tag = False
        self.address = ""

    def line(self, line):
        if self.braces:
            self.braces = max(0, self.braces + line.count("\\{") - line.count("\\}"))
            return
        line = re.sub(r'\\["#].*', "", line)
        found = re.match(r"[.'][ \t]*([^\s\\]*)[ \t]*(.*)", line)
        name = found[1] if found else None
        if self.until:
            ended = name == self.until
            if ended or name in ("SH", "SS") and self.until != ".":
                self.until = None
            if ended or self.until:
                return
        if found:
            self.request(name, found[2])
        elif line.strip():
            self.add(line)
        else:
            self.text.paragraph()

    def request(self, name, rest):
        values = arguments(rest)
        if name in BLOCK_ENDS:
            # A block belongs to the paragraph around it.
            self.until = BLOCK_ENDS[name]
        elif name in ("if", "ie", "el", "while"):
            self.braces = max(0, rest.count("\\{") - rest.count("\\}"))
        elif name in ("SH", "SS"):
            self.text.paragraph()
            self.tag = False
            self.heading = 1 if name == "SH" else 2
            if values:
                self.add(" ".join(values))
        elif name in BREAKS:
            self.text.paragraph()
            self.tag = False
        elif name in ("TP", "TQ"):
            self.text.paragraph()
            self.tag = True
        elif name == "IP":
            self.text.paragraph()
            self.tag = False
            # A tag without a letter is a bullet or a number.
            if values and re.search(r"[^\W\d_]", unescaped(values[0])):
                self.tag = True
                self.add(values[0])
        elif name in FONTS and values:
            self.add(" ".join(values))
        elif name in ALTERNATING and values:
            self.add("".join(values))
        elif name in ("UR", "MT"):
            self.address = values[0] if values else ""
        elif name in ("UE", "ME"):
            if self.address:
                self.add(self.address)
            if values and self.text.pieces:
                self.text.pieces[-1] = self.text.pieces[-1].rstrip() + unescaped(values[0]) + " "

    def add(self, line):
        words = unescaped(line)
        self.address = ""
        if self.heading:
            self.text.heading(self.heading, words)
            self.heading = 0
            return
        self.text.pieces.append(words if line.endswith("\\c") else words + " ")
        if self.tag:
            self.tag = False
            self.text.paragraph()


def roff(text):
    """The sections of a manual page with the macros of man(7), without tables and code. A link to another page, `.so`, and a page
    with other macros have none."""
    reader = _Roff()
    for line in re.sub(r"\\\n", "", text).splitlines():
        reader.line(line)
    reader.text.paragraph()
    return [section for section in reader.text.sections if section.level]
