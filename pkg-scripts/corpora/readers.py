"""Readers of the formats that the sources have. Each takes text or bytes and yields plain values; none opens a file."""
import gzip
import io
import json
import re
import struct
import xml.etree.ElementTree as ElementTree
import zipfile


class FormatError(ValueError):
    """A source is not in the format that it should have."""


# --- Bibles ---------------------------------------------------------------------------------------------------------------------

BOOKS = (
    "GEN EXO LEV NUM DEU JOS JDG RUT 1SA 2SA 1KI 2KI 1CH 2CH EZR NEH EST JOB PSA PRO ECC SNG ISA JER LAM EZK DAN HOS JOL AMO OBA "
    "JON MIC NAM HAB ZEP HAG ZEC MAL MAT MRK LUK JHN ACT ROM 1CO 2CO GAL EPH PHP COL 1TH 2TH 1TI 2TI TIT PHM HEB JAS 1PE 2PE 1JN "
    "2JN 3JN JUD REV"
).split()
NUMBER = {code: number + 1 for number, code in enumerate(BOOKS)}

NOTE = re.compile(r"\\(f|x|fe|ef)\b.*?\\\1\*", re.DOTALL)
# A word with attributes, as in \w word|strong="H1"\w*: the attributes go.
ATTRIBUTES = re.compile(r"\|[^\\|]*(?=\\\+?[a-z0-9]+\*)")
# A cross-reference in the text itself: (इब्रा. 4:4).
REFERENCE = re.compile(r"\s*\([^()]*\d+:\d+[^()]*\)")
# Headings, introductions and other lines that are not part of a verse.
NOT_VERSE = re.compile(
    r"\\(?:id|ide|rem|h|toc|toca|mt|mte|ms|mr|s|sr|r|d|sp|sd|is|ip|iot|io|ior|im|imt|imi|ie|iq|cl|cp|cd|qa|b|sts|usfm)\d*\b[^\n]*"
)


def usfm(text):
    """The verses of one book in USFM: {(book, chapter, verse): text}. A verse that stands for several, \\v 3-4, has the number 0."""
    found = re.search(r"\\id\s+(\w{3})", text)
    if not found:
        raise FormatError("no \\id line: not USFM")
    book = found.group(1).upper()
    if book not in NUMBER:
        return {}
    verses = {}
    text = NOT_VERSE.sub("", NOTE.sub("", text))
    for chapter in re.split(r"\\c\s+", text)[1:]:
        number = int(re.match(r"\d+", chapter).group())
        for verse in re.split(r"\\v\s+", chapter)[1:]:
            label, _, words = verse.partition(" ")
            words = re.sub(r"\\\+?[a-zA-Z]+\d*\*?", " ", ATTRIBUTES.sub("", words))
            verses[(NUMBER[book], number, int(label) if label.isdigit() else 0)] = " ".join(REFERENCE.sub("", words).split())
    return verses


SQL_VERSE = re.compile(r'\((\d+), (\d+), (?:NULL|"[^"]*"), (?:NULL|"[^"]*"), "([^"]*)"\)')


def sql_verses(text, book):
    """The verses of one chapter written as SQL INSERT statements."""
    verses = {(NUMBER[book], int(c), int(v)): " ".join(words.split()) for c, v, words in SQL_VERSE.findall(text)}
    if not verses:
        raise FormatError("no INSERT statement with a verse")
    return verses


# The books as OSIS names them, in the order of `BOOKS`.
OSIS_BOOKS = (
    "Gen Exod Lev Num Deut Josh Judg Ruth 1Sam 2Sam 1Kgs 2Kgs 1Chr 2Chr Ezra Neh Esth Job Ps Prov Eccl Song Isa Jer Lam Ezek Dan Hos Joel "
    "Amos Obad Jonah Mic Nah Hab Zeph Hag Zech Mal Matt Mark Luke John Acts Rom 1Cor 2Cor Gal Eph Phil Col 1Thess 2Thess 1Tim 2Tim Titus "
    "Phlm Heb Jas 1Pet 2Pet 1John 2John 3John Jude Rev"
).split()


def osis(text):
    """The verses of a Bible in OSIS whose verses are elements with an osisID such as Matt.1.1."""
    verses = {}
    for element in _xml(text, "OSIS").iter():
        book, _, place = element.get("osisID", "").partition(".")
        if element.tag.rpartition("}")[2] == "verse" and book in OSIS_BOOKS:
            chapter, _, verse = place.partition(".")
            verses[(OSIS_BOOKS.index(book) + 1, int(chapter), int(verse))] = " ".join("".join(element.itertext()).split())
    if not any(verses.values()):
        raise FormatError("no verse with an osisID and text: not OSIS, or with verses as milestones")
    return verses


def verse_pairs(english, other):
    """Pairs of verses of the chapters in which both sides number the same verses: (group, id, English, other)."""
    chapters = {}
    for side, verses in enumerate((english, other)):
        for book, chapter, verse in verses:
            chapters.setdefault((book, chapter), (set(), set()))[side].add(verse)
    for (book, chapter), (left, right) in sorted(chapters.items()):
        if left == right and 0 not in left:
            for verse in sorted(left):
                place = (book, chapter, verse)
                yield f"{book}.{chapter}", f"{book}.{chapter}.{verse}", english[place], other[place]


# --- Catalogues of interface strings ------------------------------------------------------------------------------------------

ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "r": "\r"}


def _unquote(text):
    return re.sub(r"\\(.)", lambda found: ESCAPES.get(found.group(1), found.group(1)), text)


def po(text):
    """The translated entries of a gettext catalogue: (msgid, msgstr). Fuzzy, obsolete and plural entries are left out."""
    if "msgid" not in text:
        raise FormatError("no msgid: not a gettext catalogue")
    for block in re.split(r"\n\s*\n", text):
        if re.search(r"^#,.*\bfuzzy\b", block, re.MULTILINE):
            continue
        fields, field = {}, None
        for line in block.splitlines():
            found = re.match(r'(msgctxt|msgid|msgstr)\s+"(.*)"\s*$', line)
            if found:
                field = found.group(1)
                fields[field] = _unquote(found.group(2))
            elif field and (found := re.match(r'"(.*)"\s*$', line)):
                fields[field] += _unquote(found.group(1))
        if fields.get("msgid") and fields.get("msgstr"):
            yield fields["msgid"], fields["msgstr"]


def mo(data):
    """The entries of a compiled gettext catalogue: (msgid, msgstr), without contexts and plurals."""
    order = {0x950412DE: "<", 0xDE120495: ">"}.get(int.from_bytes(data[:4], "little"))
    if not order or len(data) < 20:
        raise FormatError("not a compiled gettext catalogue")
    count, ids, texts = struct.unpack(order + "III", data[8:20])
    for n in range(count):
        pair = []
        for table in (ids, texts):
            length, start = struct.unpack_from(order + "II", data, table + 8 * n)
            pair.append(data[start : start + length].decode("utf-8"))
        english = pair[0].rpartition("\4")[2]
        if english and pair[1] and "\0" not in pair[0] + pair[1]:
            yield english, pair[1]


def accelerator(text):
    """An interface string without the sign that marks its accelerator key: `~File`, `_File`."""
    text = re.sub(r"\([~_]\w\)", "", text)
    return re.sub(r"(?<![\w_])[~_](?=\w)|(?<=\w)[~_](?=\w)(?!\w*_\w)", "", text)


def _xml(text, kind):
    """The root of an XML document, which is of this kind."""
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise FormatError(f"not {kind}: {error}") from None


def android(text):
    """The strings of an Android resource file: {name: text}."""
    strings = {}
    for element in _xml(text, "XML").iter("string"):
        words = "".join(element.itertext()).strip()
        if len(words) > 1 and words[0] == words[-1] == '"':
            words = words[1:-1]
        strings[element.get("name")] = _unquote(re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m.group(1), 16)), words))
    return strings


def messages(text):
    """The strings of a JSON object: {key: text}."""
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error}") from None
    return {name: value for name, value in values.items() if isinstance(value, str)}


# --- Documents ------------------------------------------------------------------------------------------------------------------

def tmx(data, target):
    """The translation units of a TMX file, zipped or not: (id, English, other)."""
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            data = archive.read(archive.namelist()[0])
    root = _xml(data, "TMX")
    name = "{http://www.w3.org/XML/1998/namespace}lang"
    for unit in root.iter("tu"):
        sides = {tuv.get(name, "").lower(): "".join(tuv.find("seg").itertext()) for tuv in unit.iter("tuv")}
        other = [text for code, text in sides.items() if code.split("-")[0] == target]
        if "en" in sides and other:
            yield unit.get("tuid"), sides["en"], other[0]


MALLARD = "{http://projectmallard.org/1.0/}"
BLOCKS = {MALLARD + tag for tag in ("p", "title", "subtitle", "cite")}
SKIPPED = {MALLARD + tag for tag in ("info", "media", "code", "screen")}


def mallard(text):
    """The paragraphs and titles of a Mallard page, with their paths in the tree: {path: text}."""
    root = _xml(text, "XML")
    blocks = {}

    def walk(element, path):
        if element.tag in SKIPPED:
            return
        if element.tag in BLOCKS:
            words = "".join(element.itertext()).strip()
            if words:
                blocks[path] = words
            return
        for n, child in enumerate(element):
            walk(child, f"{path}/{n}")

    walk(root, "")
    return blocks


FENCE = re.compile(r"^\s*(```|~~~)")
IMAGE = re.compile(r"!\[[^\]]*\]\([^()]*(?:\([^()]*\)[^()]*)*\)")
LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)")


def _plain(line):
    line = re.sub(r"<!--.*?-->|<[^<>]*>", "", LINK.sub(r"\1", IMAGE.sub("", line)))
    line = re.sub(r"(\*\*\*|\*\*|__|~~|`)", "", line)
    line = re.sub(r"(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)", "", line)
    return " ".join(line.split())


def markdown(text):
    """The blocks of a Markdown page: (kind, signs, text). The kind tells headings, items, cells and paragraphs apart; the signs are
    digits and Latin words in code, which a translation keeps."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    blocks, fenced = [], False
    for raw in text.splitlines():
        if FENCE.match(raw):
            fenced = not fenced
            continue
        line = raw.strip()
        if fenced or not line or re.fullmatch(r"[-=*_|:\s]+", line):
            continue
        signs = set(re.findall(r"`[^`]+`|\d+", line)) | set(re.findall(r"\]\((https?://[^)\s#?]+)", line))
        found = re.match(r"(#{1,6}|>+|[-*+]|\d+[.)])\s+(.*)", line)
        if line.startswith("|"):
            for n, cell in enumerate(line.strip("|").split("|")):
                blocks.append((f"cell{n}", signs, _plain(cell)))
            continue
        kind, line = (found.group(1), found.group(2)) if found else ("", line)
        kind = {"*": "-", "+": "-"}.get(kind, "1." if kind[:1].isdigit() else kind)
        inner = re.match(r"(#{1,6}|[-*+]|\d+[.)])\s+(.*)", line) if kind.startswith(">") else None
        blocks.append((kind, signs, _plain(inner.group(2) if inner else line)))
    return [block for block in blocks if block[2]]


def align(left, right):
    """Aligns the blocks of two Markdown pages in order: index pairs of blocks of one kind with like signs and lengths. A pair counts
    only next to another pair, so that a block that one side lacks does not pair its neighbours wrongly."""
    if not left or not right:
        return []
    expected = sum(len(b[2]) for b in right) / sum(len(b[2]) for b in left)

    def worth(a, b):
        if a[0] != b[0]:
            return -9.0
        ratio = len(b[2]) / len(a[2]) / expected
        if not 0.3 <= ratio <= 3.3 and max(len(a[2]), len(b[2])) > 20:
            return -9.0
        if a[1] or b[1]:
            return 3.0 * len(a[1] & b[1]) / len(a[1] | b[1]) - 0.5
        return 1.0 - abs(ratio - 1) / 2

    rows, columns = len(left) + 1, len(right) + 1
    best = [[0.0] * columns for _ in range(rows)]
    for i in range(1, rows):
        above, here = best[i - 1], best[i]
        for j in range(1, columns):
            here[j] = max(above[j], here[j - 1], above[j - 1] + worth(left[i - 1], right[j - 1]))
    pairs, i, j = [], rows - 1, columns - 1
    while i and j:
        if best[i][j] == best[i - 1][j]:
            i -= 1
        elif best[i][j] == best[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    pairs.reverse()
    found = set(pairs)
    return [(i, j) for i, j in pairs if (i - 1, j - 1) in found or (i + 1, j + 1) in found]


END = re.compile(r"(?<=[.!?؟।])\s+(?=\S)|(?<=[。！？])")
ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|Dr|Mr|Mrs|Ms|St|No|z\.B|d\.h|bzw|т\.е|т\.д)|\b\w)\.$")


def sentences(text):
    """The sentences of a paragraph."""
    parts = []
    for part in END.split(text):
        if parts and ABBREVIATION.search(parts[-1]):
            parts[-1] += " " + part
        elif part.strip():
            parts.append(part.strip())
    return parts


def split_alike(english, other):
    """The sentences of two paragraphs in pairs if both have the same number and like lengths, else the paragraphs as one pair."""
    left, right = sentences(english), sentences(other)
    if len(left) == len(right) > 1:
        expected = len(other) / len(english)
        if all(1 / 2.2 <= len(b) / len(a) / expected <= 2.2 for a, b in zip(left, right)):
            return list(zip(left, right))
    return [(english, other)]


def tldr(text):
    """The lines of a tldr page that people read: its summary and the descriptions of its examples."""
    lines = []
    for line in text.splitlines():
        line = line.strip()
        found = re.match(r"([>-])\s+(.*)", line)
        if not found or re.search(r"<?https?://", line):
            continue
        words = found.group(2).rstrip(":：").strip().replace("`", "")
        if not words:
            continue
        lines.append(words if words[-1] in ".!?।؟。！？" else words + ("。" if re.search("[\u4e00-\u9fff]$", words) else "."))
    return lines


# --- Lexicons -------------------------------------------------------------------------------------------------------------------

def tab(text, most=None):
    """The lemmas of a wordnet in the tab format of Open Multilingual Wordnet: (synset, lemma), of synsets with `most` lemmas at most."""
    if not text.startswith("#"):
        raise FormatError("no heading: not a wordnet in tab format")
    synsets = {}
    for line in text.splitlines()[1:]:
        columns = line.split("\t")
        if len(columns) == 3 and (columns[1] == "lemma" or columns[1].endswith(":lemma")):
            # Some mark the joint of a word and its ending: 高兴+的.
            lemma = columns[2].replace("+", "").replace("_", " ").strip()
            synsets.setdefault(columns[0].replace("-s", "-a"), []).append(lemma)
    for synset, lemmas in synsets.items():
        if most is None or len(lemmas) <= most:
            for lemma in lemmas:
                yield synset, lemma


def wordnet(text, part):
    """The words of the synsets of a WordNet 3.0 data file (`part`: n, v, a, r): {synset: [word]}."""
    synsets = {}
    for line in text.splitlines():
        if line.startswith("  ") or not line:
            continue
        columns = line.split(" ")
        words = [columns[4 + 2 * n] for n in range(int(columns[3], 16))]
        # Adjectives say where they stand: galore(ip).
        synsets[f"{columns[0]}-{part}"] = [re.sub(r"\((?:p|a|ip)\)$", "", word).replace("_", " ") for word in words]
    if not synsets:
        raise FormatError("no synset: not a WordNet data file")
    return synsets


DSL_TAG = re.compile(r"\[/?(?:b|i|c|m|p|m\d|c [a-z]+)\]")


def dsl(data):
    """The translations of a dictionary made of English Wiktionary, in DSL: (English, other). Transcriptions, genders and remarks go."""
    try:
        text = gzip.decompress(data).decode("utf-16-le").lstrip("\ufeff")
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"not a compressed DSL dictionary: {error}") from None
    if not text.startswith("#NAME"):
        raise FormatError("no #NAME line: not a DSL dictionary")
    word = None
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line[0].isspace():
            word = line.strip()
            continue
        found = re.match(r"\s+\[m1\](.*)\[/m\]\s*$", line)
        if not found or not word:
            continue
        for other in translations(found.group(1)):
            yield word, other


# Wiktionary gives Chinese as `traditional, simplified /pinyin/`.
BOTH_FORMS = re.compile(r"([\u3400-\u9fff]+), (?=([\u3400-\u9fff]+)(?: \[p\][^/]*?\[/p\])? (?:\[c gray\])?/)")


def translations(text):
    """The words of one line of translations: `кудрявый /kudrjávyj/, [dated] курчавый` gives both words."""
    text = BOTH_FORMS.sub(lambda found: "" if len(found.group(1)) == len(found.group(2)) else found.group(), text)
    text = re.sub(r"\[p\].*?\[/p\]|\[c [a-z]+\].*?\[/c\]|\[i\].*?\[/i\]", "", text)
    text = DSL_TAG.sub("", text)
    text = re.sub(r"(?<=\s)/[^/]*/|^/[^/]*/|\\?\[[^\]\\]*\\?\]|\{[^}]*\}|\([^)]*\)|<<|>>", "", text)
    for part in re.split(r"[,;،]", text):
        part = part.strip(" \\~").rstrip("/").strip()
        if part and not re.search(r"[/\[\]{}<>=:*]|SEE", part):
            yield part


def cldr_names(text, kind):
    """The display names of one kind (languages, territories, scripts) in CLDR's JSON: {code: name}."""
    main = json.loads(text)["main"]
    names = next(iter(main.values()))["localeDisplayNames"][kind]
    # A code with -alt- is a variant of a name (short, official).
    return {code: name for code, name in names.items() if isinstance(name, str)}


def cldr_annotations(text):
    """The names of emoji and symbols in CLDR's JSON: {character: name}."""
    values = json.loads(text)
    inner = values.get("annotations") or values.get("annotationsDerived")
    return {sign: entry["tts"][0] for sign, entry in inner["annotations"].items() if entry.get("tts")}


def cldr_dates(text):
    """The names of months and weekdays in CLDR's JSON: {place: name}."""
    main = json.loads(text)["main"]
    calendar = next(iter(main.values()))["dates"]["calendars"]["gregorian"]
    return {f"{kind}/{code}": name for kind in ("months", "days") for code, name in calendar[kind]["stand-alone"]["wide"].items()}


def presets(text):
    """The names of kinds of places and of their properties in OpenStreetMap's tagging schema: {place in the tree: name}."""
    found = {}

    def walk(value, path):
        for name, inner in value.items():
            if isinstance(inner, dict):
                walk(inner, f"{path}/{name}")
            elif isinstance(inner, str) and name in ("name", "label", "title"):
                found[f"{path}/{name}"] = inner

    walk(next(iter(json.loads(text).values())).get("presets", {}), "")
    return found


def zipped(data, suffix):
    """{path: text} of the files of a zip archive whose names end so."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {path: archive.read(path).decode("utf-8") for path in archive.namelist() if path.endswith(suffix)}
