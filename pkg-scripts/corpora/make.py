#!/usr/bin/env python3
"""Makes the corpora of one language from public sources: sentence pairs with English, a lexicon and a tuning set.

    python3 pkg-scripts/corpora/make.py xx OUT [--sources FOLDER] [--offline] [--without PAIRS]... [--only SET]...

writes OUT/sentences/en-xx.tsv (set, group, id, English, other), OUT/lexicon/en-xx.tsv (source, English, other), OUT/dev/en-xx.tsv (as
sentences; never train on it) and OUT/sources/en-xx.json (sources, licences, counts, what each rule left out). With --only it writes the
pairs of the named sets, all of them, and their sources. See README.md."""
import argparse
import csv
import io
import json
import re
import sys
from pathlib import Path

import names
import readers
from clean import WORD, Lexicon, Pairs, fraction, one_line
from files import write_all
from languages import LANGUAGES, LICENCES, MOST_LEMMAS, WIKTIONARY
from sources import SOURCES, Sources, SourceError, run

# Alphabets of other letters, into which names are written by sound.
NAME_SCRIPTS = ("Arab", "Cyrl", "Deva")
NAME = re.compile("[A-Z][a-z]{2,}")
# Names in both scripts to learn from, at most.
MOST_NAMES = 2500
# Catalogues have no paragraphs: so many entries in a row count as neighbours.
ENTRIES_A_GROUP = 25


class Maker:
    # Reads the pairs of each set.
    SETS = {
        "tico19": "_tico19", "gnomehelp": "_gnome", "msbeginners_MT": "_microsoft", "ui_kolibri": "_kolibri", "ui_studio": "_studio",
        "ui_odk": "_odk", "ui_django": "_django", "ui_godot": "_godot", "ui_libreoffice": "_libreoffice", "bible": "_bible",
    }

    def __init__(self, code, sources, known, has_dev=True):
        self.code, self.facts, self.sources = code, LANGUAGES[code], sources
        self.dev = []
        self.held_out = []
        if has_dev:
            self._tatoeba()
            self._tldr()
        self.pairs = Pairs(code, self.facts["script"], self.held_out, known)
        self.lexicon = Lexicon(code, self.facts["script"])

    def text(self, name, path):
        return self.sources.file(name, path).decode("utf-8-sig")

    def make(self):
        self.read(name for name in self.SETS if name != "bible")
        others = len(self.pairs.rows)
        if "bible" in self.facts:
            self.read(["bible"])
            self.pairs.limit("bible", others)
        for read in (self._cldr, self._osm, self._terms, self._enwiktionary, self._wordnets, self._names):
            read()

    def read(self, sets):
        """Adds the pairs of the sets that the language has."""
        for name in sets:
            if name != "bible" or "bible" in self.facts:
                getattr(self, self.SETS[name])()
        self.pairs.balance()

    # --- The tuning set ---

    def _tatoeba(self):
        code = self.facts["tatoeba"]
        stem = f"data/tatoeba/v1/tatoeba.{code}-eng"
        sides = [self.text("laser", f"{stem}.{side}").splitlines() for side in ("eng", code)]
        if len(sides[0]) != len(sides[1]):
            raise readers.FormatError(f"{stem}: {len(sides[0])} English lines, {len(sides[1])} of the other language")
        seen = set()
        for n, (english, other) in enumerate(zip(*sides)):
            english, other = one_line(english), one_line(other)
            if english and other and (english, other) not in seen:
                seen.add((english, other))
                self.dev.append(("tatoeba", str(n), str(n), english, other))
                self.held_out.append(english)

    def _tldr(self):
        folder = f"pages.{self.facts['tldr']}"
        translated = self.sources.files("tldr", folder)
        originals = self.sources.files("tldr", "pages")
        for path in sorted(translated):
            original = "pages" + path.removeprefix(folder)
            if original not in originals or not path.endswith(".md"):
                continue
            english, other = (readers.tldr(data.decode("utf-8")) for data in (originals[original], translated[path]))
            same = set(english)
            if not english or re.search(r"\balias (?:of|to|for)\b", " ".join(english[:2])) or not other:
                continue
            if sum(line not in same for line in other) * 2 <= len(other) or len(english) < 2:
                continue
            name = original.removeprefix("pages/").removesuffix(".md")
            self.dev.append(("tldr", name.rpartition("/")[2], name, one_line(" ".join(english)), one_line(" ".join(other))))
            self.held_out.extend(english)
            self.held_out.append(self.dev[-1][3])

    # --- Sentence pairs ---

    def _catalogue(self, corpus, name, entries):
        for n, (english, other) in enumerate(entries):
            self.pairs.add(corpus, f"{name}{n // ENTRIES_A_GROUP}", f"{name}#{n}", english, other)

    def _tico19(self):
        code = self.facts.get("tico19")
        if code:
            file = self.facts.get("tico19-file", f"all.en-{code}.tmx.zip")
            for name, english, other in readers.tmx(self.sources.file("tico19", f"data/TM/{file}"), code):
                self.pairs.add("tico19", name.partition(":")[0], name, english, other)

    def _gnome(self):
        code = self.facts.get("gnome")
        if not code:
            return
        folder = "usr/share/help/{}/gnome-help"
        translated = self.sources.files("gnome-help", folder.format(code))
        originals = self.sources.files("gnome-help", folder.format("C"))
        for path in sorted(translated):
            page = path.rpartition("/")[2]
            original = f"{folder.format('C')}/{page}"
            if not page.endswith(".page") or original not in originals:
                continue
            english, other = readers.mallard(originals[original]), readers.mallard(translated[path])
            # A tree of another shape is the translation of another version of the page.
            if list(english) != list(other):
                continue
            for place, left in english.items():
                for n, (a, b) in enumerate(readers.split_alike(one_line(left), one_line(other[place]))):
                    self.pairs.add("gnomehelp", page.removesuffix(".page"), f"{page}{place}#{n}", a, b)

    def _microsoft(self):
        code = self.facts.get("microsoft")
        if not code:
            return
        for course in ("iot", "security"):
            folder = f"translations/{code}"
            translated = self.sources.files(course, folder)
            originals = self.sources.files(course, *self._pages_of(course, folder, translated))
            for path in sorted(translated):
                page = path.removeprefix(folder + "/")
                if page not in originals or not page.endswith(".md"):
                    continue
                english, other = (readers.markdown(data.decode("utf-8")) for data in (originals[page], translated[path]))
                for i, j in readers.align(english, other):
                    for n, (a, b) in enumerate(readers.split_alike(english[i][2], other[j][2])):
                        self.pairs.add("msbeginners_MT", f"{course}/{page}", f"{course}/{page}#{i}.{n}", a, b)

    def _pages_of(self, course, folder, translated):
        """The English pages that the repository has; asking git for a path that it lacks is an error."""
        source = SOURCES[course]
        listed = run("git", "-C", self.sources.folder / course, "ls-tree", "-r", "-z", "--name-only", source.version).decode().split("\0")
        wanted = {path.removeprefix(folder + "/") for path in translated}
        return [path for path in listed if path in wanted and path.endswith(".md")]

    def _kolibri(self):
        code = self.facts.get("kolibri")
        if code:
            self._messages("ui_kolibri", "kolibri", "kolibri/locale", code)

    def _studio(self):
        code = self.facts.get("studio")
        if code:
            self._messages("ui_studio", "studio", "contentcuration/locale", code)

    def _messages(self, corpus, source, root, code):
        folders = [f"{root}/{side}/LC_MESSAGES" for side in ("en", code)]
        english, other = (self.sources.files(source, folder) for folder in folders)
        for path in sorted(other):
            file = path.rpartition("/")[2]
            original = f"{folders[0]}/{file}"
            if file.endswith("-messages.json") and original in english:
                left, right = (readers.messages(data.decode("utf-8")) for data in (english[original], other[path]))
                for name, text in left.items():
                    if name in right:
                        self.pairs.add(corpus, file.removesuffix("-messages.json"), name, text, right[name])
            elif file == "django.po":
                self._catalogue(corpus, "django", readers.po(other[path].decode("utf-8")))

    def _odk(self):
        code = self.facts.get("odk")
        if code:
            paths = [f"strings/src/main/res/values{suffix}/strings.xml" for suffix in ("", f"-{code}")]
            english, other = (readers.android(self.text("odk", path)) for path in paths)
            for n, (name, text) in enumerate(english.items()):
                if name in other:
                    self.pairs.add("ui_odk", f"strings{n // ENTRIES_A_GROUP}", name, text, other[name])

    def _django(self):
        code = self.facts.get("django")
        if code:
            files = self.sources.files("django", "django/conf/locale", "django/contrib")
            for path in sorted(files):
                if f"/locale/{code}/" in path and path.endswith(".po"):
                    app = path.split("/")[-5] if "contrib" in path else "core"
                    domain = path.rpartition("/")[2].removesuffix(".po")
                    self._catalogue("ui_django", f"{app}-{domain}", readers.po(files[path].decode("utf-8")))

    def _godot(self):
        code = self.facts.get("godot")
        if code:
            self._catalogue("ui_godot", "editor", readers.po(self.text("godot", f"editor/{code}.po")))

    def _libreoffice(self):
        if "libreoffice" not in self.facts:
            return
        package, code = self.facts["libreoffice"]
        files = self.sources.files(f"libreoffice-{package}", "usr/lib/libreoffice/program/resource")
        for path in sorted(files):
            if path.endswith(".mo"):
                entries = ((readers.accelerator(a), readers.accelerator(b)) for a, b in readers.mo(files[path]))
                self._catalogue("ui_libreoffice", path.rpartition("/")[2].removesuffix(".mo"), entries)

    def _bible(self):
        english = {}
        for path, data in self.sources.files("web-bible", "*.usfm").items():
            if path.endswith(".usfm"):
                english.update(readers.usfm(data.decode("utf-8-sig")))
        read = {"arabic-bible": self._arabic_bible, "hindi-bible": self._usfm_bible, "open-bibles": self._osis_bible}
        other = read[self.facts["bible"]]()
        for group, name, a, b in readers.verse_pairs(english, other):
            self.pairs.add("bible", group, name, a, b)

    def _usfm_bible(self):
        verses = {}
        for path, data in self.sources.files(self.facts["bible"], "usfm").items():
            if path.endswith(".usfm"):
                verses.update(readers.usfm(data.decode("utf-8-sig")))
        return verses

    def _osis_bible(self):
        wrong = {(readers.NUMBER[book], chapter) for book, chapter in self.facts.get("wrong", [])}
        verses = readers.osis(self.text("open-bibles", self.facts["osis"]))
        return {place: text for place, text in verses.items() if place[:2] not in wrong}

    def _arabic_bible(self):
        verses = {}
        for path, data in self.sources.files("arabic-bible", "data/initial").items():
            parts = path.split("/")
            if len(parts) != 4 or not path.endswith(".sql"):
                continue
            text = data.decode("utf-8")
            # Several books of this copy lack every hamza above or below alif, which changes the spelling of common words.
            if len(re.findall("[أإ]", text)) * 8 >= text.count("ا"):
                verses.update(readers.sql_verses(text, SQL_BOOKS[parts[2]]))
        # In this copy the title of a psalm is a part of its first verse.
        psalms = readers.NUMBER["PSA"]
        return {place: "" if place[0] == psalms and place[2] == 1 else text for place, text in verses.items()}

    # --- The lexicon ---

    def _cldr(self):
        code = self.facts["cldr"]
        for kind in ("territories", "languages", "scripts"):
            english, other = (readers.cldr_names(self.text("cldr-names", f"package/main/{c}/{kind}.json"), kind) for c in ("en", code))
            self._entries("cldr", english, other)
        english, other = (
            readers.cldr_annotations(self.text("cldr-annotations", f"package/annotations/{c}/annotations.json")) for c in ("en", code)
        )
        self._entries("cldr", english, other)
        english, other = (readers.cldr_dates(self.text("cldr-dates", f"package/main/{c}/ca-gregorian.json")) for c in ("en", code))
        self._entries("cldr", english, other)

    def _entries(self, source, english, other):
        for name, text in english.items():
            if name in other:
                self.lexicon.add(source, text, other[name])

    def _osm(self):
        if "osm" in self.facts:
            english, other = (
                readers.presets(self.text("osm-tags", f"package/dist/translations/{c}.json")) for c in ("en", self.facts["osm"])
            )
            self._entries("osm_tags", english, other)

    def _terms(self):
        for file in self.facts.get("terms", ()):
            for row in csv.DictReader(io.StringIO(self.text("tico19", f"data/terminologies/{file}"))):
                english, other = row.get("sourceString"), row.get("targetString")
                if english and other:
                    self.lexicon.add("tico19_terms", english, other)

    def _enwiktionary(self):
        path = f"dsl/oneway/en-{self.facts['enwiktionary']}-enwiktionary.dsl.dz"
        for english, other in readers.dsl(self.sources.file("wiktionary-dict", path)):
            self._translation("enwiktionary", english, other)

    def _wordnets(self):
        english = {}
        for part, name in (("n", "noun"), ("v", "verb"), ("a", "adj"), ("r", "adv")):
            english.update(readers.wordnet(self.text("wordnet", f"usr/share/wordnet/data.{name}"), part))
        for source, path in self.facts["wordnets"].items():
            for synset, lemma in readers.tab(self.text("omw", path), MOST_LEMMAS.get(path)):
                for word in english.get(synset, ()):
                    self._translation(source, word, lemma)

    def _names(self):
        """Given names without a translation, written as the names in the lexicon are."""
        if self.facts["script"] not in NAME_SCRIPTS:
            return
        known, pairs = set(), set()
        for _, english, other in self.lexicon.rows:
            if NAME.fullmatch(english):
                known.add(english)
                if WORD.fullmatch(other):
                    pairs.add((english.lower(), other.lower()))
        drawn = sorted(pairs, key=lambda pair: (fraction("\t".join(pair)), pair))[:MOST_NAMES]
        table = names.learn(sorted(drawn))
        for _, text in sorted(readers.zipped(self.sources.file("nltk", "packages/corpora/names.zip"), ".txt").items()):
            for name in map(str.strip, text.splitlines()):
                written = names.write(name.lower(), table) if NAME.fullmatch(name) and name not in known else None
                if written:
                    self.lexicon.add("names", name, written)

    def _translation(self, source, english, other):
        if self.code != "zh" or not TRADITIONAL.search(other):
            self.lexicon.add(source, english, other)

    def provenance(self):
        """What the corpora are made of, for the card of a model that is trained on them."""
        counts = {}
        for row in self.pairs.rows + self.lexicon.rows + self.dev:
            counts[row[0]] = counts.get(row[0], 0) + 1
        used = [
            {"name": s.title, "licence": s.licence, "url": s.url, "version": s.version}
            for s in self.sources.used.values()
            if s.name != "omw"
        ]
        for path in self.facts["wordnets"].values() if "omw" in self.sources.used else ():
            title, licence = LICENCES.get(path, WIKTIONARY)
            omw = SOURCES["omw"]
            used.append({"name": title, "licence": licence, "url": omw.url, "version": omw.version, "path": path})
        return {"language": self.code, "counts": counts, "left out": self.pairs.dropped, "sources": used}


# Characters that only traditional writing has, of the commonest words: enough to tell the first form of `門, 门` from the second.
TRADITIONAL = re.compile("[" + "".join(sorted(set(
    "門車東馬魚鳥長見貝頁風飛食飯飲館龍龜麥黃齊齒會來個們這說話語讀書學國圖園圓場報壞聲處寫對導將專屬島師帶幫開關間聞難雲電靜頭題願類顧顯"
    "馮驗驚體髮鬥魯鮮鳴鴨鷄麗點黨實寶審寬層歲歷歸殘殺氣漢決沒潔準溫滅滿漸澤濟無煙熱營爾爭牆獎獨獲獄環現瑪畫當療發盡監盤盧眾瞭確礙礦禮禪種"
    "稱積窮競筆築簡籠紅約級紀純納紙組細終結給絕統經綠維網緊線練縣縮總績織繼續羅罰義習聖聯職肅脈腦膽臉臺與興舉舊艦藝節莊華萬葉蘇蘭虛號蟲補裝"
    "複規視覺觀觸計訂討訓記設許訴診證評詞試詩誠誤課調談論諾謝識警譯議護讓豐貓財貨販貧責貴買貸費資賓賣質賴購賽贈趙趕跡踐軍軌軟輔輕輛輪輸轉辦"
    "農運過達違遠適選遺還邊郵鄉釋針釣鈴鉛銀銅銷鋼錄錢錯鍋鎮鏡鐘鐵鑰閃閉閱陣陰陽陳陸際隊階隨險雙離顆預領頻飾養餘餓館驅騎魂鹽麼黴龐"
))) + "]")

SQL_BOOKS = dict(zip(
    "genesis exodus leviticus numbers deuteronomy joshua judges ruth samuel_1 samuel_2 kings_1 kings_2 chronicles_1 chronicles_2 ezra "
    "nehemiah esther job psalms proverbs ecclesiastes song_of_solomon isaiah jeremiah lamentations ezekiel daniel hosea joel amos obadiah "
    "jonah micah nahum habakkuk zephaniah haggai zechariah malachi matthew mark luke john acts romans corinthians_1 corinthians_2 galatians "
    "ephesians philippians colossians thessalonians_1 thessalonians_2 timothy_1 timothy_2 titus philemon hebrews james peter_1 peter_2 "
    "john_1 john_2 john_3 jude revelation".split(),
    readers.BOOKS,
))


def table(rows):
    return "".join("\t".join(row) + "\n" for row in rows)


def read_pairs(path):
    """(English, other) of a pairs file."""
    pairs = []
    for n, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        columns = line.split("\t")
        if len(columns) != 5:
            raise readers.FormatError(f"{path}, line {n}: expected 5 tab-separated columns, found {len(columns)}")
        pairs.append((columns[3], columns[4]))
    return pairs


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("language", help="code of the language: " + ", ".join(sorted(LANGUAGES)))
    parser.add_argument("out", type=Path, help="folder to write to")
    parser.add_argument("--sources", type=Path, default=Path("target/corpora"), help="folder of the sources (default: %(default)s)")
    parser.add_argument("--offline", action="store_true", help="fetch nothing: a source that is not in the folder is an error")
    parser.add_argument(
        "--without", action="append", default=[], metavar="PAIRS", help="leave out English sentences that this pairs file has"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="SET", choices=Maker.SETS,
        help="write the sentence pairs of this set, without a limit, and neither lexicon nor tuning set, whose sentences are then not left out; "
        "again for another: " + ", ".join(Maker.SETS)
    )
    options = parser.parse_args(arguments)
    code = options.language
    if code not in LANGUAGES:
        return f"unknown language `{code}`: expected one of {', '.join(sorted(LANGUAGES))}; languages.py tells how to add one"
    if "tatoeba" not in LANGUAGES[code] and options.only != ["bible"]:
        return f"`{code}` has verses alone: add --only bible"
    try:
        known = [pair for path in options.without for pair in read_pairs(path)]
        maker = Maker(code, Sources(options.sources, options.offline), known, has_dev=not options.only)
        tables = {"sentences": maker.pairs}
        if options.only:
            maker.read(options.only)
            if not maker.pairs.rows:
                return f"no pairs of {', '.join(options.only)} in `{code}`"
        else:
            maker.make()
            tables["lexicon"] = maker.lexicon
        provenance = maker.provenance()
        files = {options.out / name / f"en-{code}.tsv": table(of.rows) for name, of in tables.items()}
        if not options.only:
            files[options.out / "dev" / f"en-{code}.tsv"] = table(maker.dev)
        files[options.out / "sources" / f"en-{code}.json"] = json.dumps(provenance, ensure_ascii=False, indent=1) + "\n"
        write_all(files)
    except (OSError, SourceError, readers.FormatError, UnicodeDecodeError) as error:
        return str(error)
    for name, count in provenance["counts"].items():
        print(f"{name}\t{count}")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
