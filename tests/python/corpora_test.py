"""The scripts that make corpora, pkg-scripts/corpora, on small input written here: cleaning rules, readers, sources."""
import contextlib
import gzip
import hashlib
import io
import struct
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path
from random import Random
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "pkg-scripts" / "corpora"))

import clean
import graded
import make
import manuals
import names
import readers
import sections
import skipgram
import sources


class Cleaning(unittest.TestCase):
    def pairs(self, *rows, language="de", script="Latn", **options):
        pairs = clean.Pairs(language, script, **options)
        for n, (english, other) in enumerate(rows):
            pairs.add("set", "group", str(n), english, other)
        return pairs

    def test_a_pair_is_one_line_of_plain_text(self):
        pairs = self.pairs(("A <b>red</b>\n  house &amp; a\ttree", "Ein [b]rotes[/b] Haus\u200e und ein Baum"))
        self.assertEqual(pairs.rows, [("set", "group", "0", "A red house & a tree", "Ein rotes Haus und ein Baum")])

    def test_each_rule_leaves_its_pair_out_and_is_counted(self):
        pairs = self.pairs(
            ("Open %s now", "Öffne %s jetzt"),
            ("Hello {name}", "Hallo {name}"),
            ("Copy %(count)d files", "Kopiere Dateien"),
            ("Bread", ""),
            ("42", "42"),
            ("Radio!", "radio"),
            ("Water", "Wasser"),
            ("water.", "Das Wasser"),
            ("The moon is full.", "Der Mond ist voll."),
            held_out=["the moon is full"],
        )
        self.assertEqual([row[3] for row in pairs.rows], ["Water"])
        self.assertEqual(
            pairs.dropped["set"],
            {"placeholder": 3, "empty": 1, "no words": 1, "not translated": 1, "duplicate": 1, "held out": 1},
        )

    def test_a_side_in_another_script_is_left_out(self):
        rows = [("The door is open", "Дверь открыта"), ("The door is shut", "La porte est fermée"), ("Use the USB port", "Порт USB")]
        self.assertEqual([row[4] for row in self.pairs(*rows, language="ru", script="Cyrl").rows], ["Дверь открыта", "Порт USB"])

    def test_marks_that_everyday_text_leaves_out_go(self):
        self.assertEqual(clean.as_written("كِتَابٌ", "ar"), "كتاب")
        self.assertEqual(clean.as_written("замо\u0301к, мой ёж", "ru"), "замок, мой ёж")
        self.assertEqual(clean.as_written("पढ़ाई", "hi"), "पढ़ाई")

    def test_sides_of_very_different_length_are_no_pair(self):
        rows = [(f"The house number {n} stands by the sea", f"Das Haus Nummer {n} steht am Meer") for n in "one two three four".split()]
        pairs = self.pairs(*rows, ("This sentence was cut somewhere by mistake", "Dies"))
        pairs.balance()
        self.assertEqual(len(pairs.rows), 4)

    def test_a_share_keeps_whole_groups_and_the_same_ones_each_time(self):
        def kept():
            pairs = clean.Pairs("de", "Latn")
            for chapter in range(10):
                for verse in range(7):
                    pairs.add("bible", str(chapter), f"{chapter}.{verse}", f"verse {'a' * (chapter + 1)} {'b' * (verse + 1)}", f"Vers {'a' * (chapter + 1)} {'b' * (verse + 1)}")
            pairs.limit("bible", 30)
            return [row[2] for row in pairs.rows]

        self.assertEqual(len(kept()), 28)
        self.assertEqual(kept(), kept())

    def test_a_lexicon_has_no_definitions_and_names_the_first_source(self):
        lexicon = clean.Lexicon("de", "Latn")
        self.assertTrue(lexicon.add("one", "bread", "Brot"))
        self.assertFalse(lexicon.add("two", "Bread", "Brot"))
        self.assertFalse(lexicon.add("two", "hotel", "Hotel"))
        self.assertFalse(lexicon.add("two", "bread", "ein Nahrungsmittel, das man aus Mehl und Wasser im Ofen backt"))
        self.assertFalse(lexicon.add("two", "a drink made of water and leaves of a bush", "Tee"))
        self.assertEqual(lexicon.rows, [("one", "bread", "Brot")])


class Reading(unittest.TestCase):
    def test_usfm_gives_verses_without_notes_headings_and_cross_references(self):
        text = (
            "\\id GEN\n\\h Genesis\n\\c 1\n\\s A heading\n\\p\n\\v 1 In the \\add first\\add* days\\f + \\ft a note\\f*\nit rained. (Job 3:4)\n\\q\n"
            "\\v 2-3 Then \\w sun|strong=\"H1\"\\w* came.\n"
        )
        self.assertEqual(readers.usfm(text), {(1, 1, 1): "In the first days it rained.", (1, 1, 0): "Then sun came."})

    def test_osis_gives_the_verses_of_the_books_that_it_knows(self):
        verses = "<verse osisID='Gen.1.1'>It <i>rained</i>\n all day.</verse><verse osisID='Rev.22.21'>It ended.</verse><verse osisID='Tob.1.1'>No.</verse>"
        text = f"<osis xmlns='http://www.bibletechnologies.net/2003/OSIS/namespace'><chapter osisID='Gen.1'>{verses}</chapter></osis>"
        self.assertEqual(readers.osis(text), {(1, 1, 1): "It rained all day.", (66, 22, 21): "It ended."})
        with self.assertRaisesRegex(readers.FormatError, "milestones"):
            readers.osis("<osis><verse osisID='Gen.1.1' sID='1'/>It rained.<verse eID='1'/></osis>")
        with self.assertRaisesRegex(readers.FormatError, "not OSIS"):
            readers.osis("<osis><verse")

    def test_a_chapter_counts_only_where_both_sides_number_the_same_verses(self):
        left = {(1, 1, 1): "a", (1, 1, 2): "b", (1, 2, 1): "c", (1, 3, 1): "e", (1, 3, 0): "f"}
        right = {(1, 1, 1): "A", (1, 1, 2): "B", (1, 2, 1): "C", (1, 2, 2): "D", (1, 3, 1): "E", (1, 3, 0): "F"}
        self.assertEqual(list(readers.verse_pairs(left, right)), [("1.1", "1.1.1", "a", "A"), ("1.1", "1.1.2", "b", "B")])

    def test_a_catalogue_gives_neither_fuzzy_nor_plural_entries(self):
        text = 'msgid ""\nmsgstr "Language: de"\n\nmsgid "Save"\nmsgstr ""\n"Spei"\n"chern"\n\n#, fuzzy\nmsgid "Load"\nmsgstr "Last"\n\nmsgid "day"\nmsgid_plural "days"\nmsgstr[0] "Tag"\n'
        self.assertEqual(list(readers.po(text)), [("Save", "Speichern")])

    def test_a_compiled_catalogue_gives_the_same_without_contexts(self):
        entries = [(b"menu\4Open", "Öffnen".encode()), (b"Close", "Schließen".encode())]
        tables, at, body = [], 28 + 16 * len(entries), b""
        for column in range(2):
            for entry in entries:
                tables.append(struct.pack("<II", len(entry[column]), at + len(body)))
                body += entry[column] + b"\0"
        head = struct.pack("<IIIIIII", 0x950412DE, 0, len(entries), 28, 28 + 8 * len(entries), 0, 0)
        self.assertEqual(list(readers.mo(head + b"".join(tables) + body)), [("Open", "Öffnen"), ("Close", "Schließen")])
        with self.assertRaisesRegex(readers.FormatError, "compiled gettext"):
            list(readers.mo(b"something else"))

    def test_accelerator_keys_are_unmarked(self):
        self.assertEqual(readers.accelerator("~Open File"), "Open File")
        self.assertEqual(readers.accelerator("Save _As"), "Save As")
        self.assertEqual(readers.accelerator("打开(~O)"), "打开")

    def test_markdown_blocks_align_across_a_block_that_one_side_lacks(self):
        english = readers.markdown("# Soil\n\nPlants drink `H2O` daily.\n\n![x](y.png)\n\nOnly in English, a long remark about nothing.\n\n- Water 12 plants\n- Wait until noon\n\n```\ncode\n```\n")
        other = readers.markdown("# Boden\n\nPflanzen trinken täglich `H2O`.\n\n- Gieße 12 Pflanzen\n- Warte bis mittags\n")
        pairs = [(english[i][2], other[j][2]) for i, j in readers.align(english, other)]
        self.assertEqual(pairs, [
            ("Soil", "Boden"), ("Plants drink H2O daily.", "Pflanzen trinken täglich H2O."),
            ("Water 12 plants", "Gieße 12 Pflanzen"), ("Wait until noon", "Warte bis mittags"),
        ])

    def test_blocks_of_two_kinds_do_not_align(self):
        left = [("#", set(), "Water"), ("", set(), "Water the plants")]
        right = [("", set(), "Gieße"), ("", set(), "Gieße die Pflanzen")]
        self.assertEqual(readers.align(left, right), [])
        self.assertEqual(readers.align(left[1:] * 2, right[1:] * 2), [(0, 0), (1, 1)])

    def test_paragraphs_split_where_both_sides_have_as_many_sentences(self):
        self.assertEqual(readers.split_alike("It rains. We stay in.", "वर्षा हो रही है। हम अंदर हैं।"), [("It rains.", "वर्षा हो रही है।"), ("We stay in.", "हम अंदर हैं।")])
        self.assertEqual(readers.split_alike("It rains. We stay in.", "Es regnet, wir bleiben."), [("It rains. We stay in.", "Es regnet, wir bleiben.")])

    def test_tldr_pages_give_what_people_read(self):
        page = "# tool\n\n> Tool that cuts.\n> More information: <https://example.org>.\n\n- Cut a `file`:\n\n`tool {{file}}`\n"
        self.assertEqual(readers.tldr(page), ["Tool that cuts.", "Cut a file."])

    def test_translations_of_wiktionary_come_without_transcriptions_and_remarks(self):
        line = "хлеб [p]<m>[/p] [c gray]/xleb/[/c], булка /búlka/, [dated] каравай {m} (round)"
        self.assertEqual(list(readers.translations(line)), ["хлеб", "булка", "каравай"])
        self.assertEqual(list(readers.translations("風水, 风水 /fēngshuǐ/, 人, 天地 /tiāndì/")), ["风水", "人", "天地"])

    def test_synsets_join_words_of_both_languages(self):
        data = "  1 licence\n00000007 03 n 02 loaf_of_bread 0 loaf 0 000 | a shaped mass  \n"
        self.assertEqual(readers.wordnet(data, "n"), {"00000007-n": ["loaf of bread", "loaf"]})
        tab = "# Some wordnet\txx\turl\tMIT\n00000007-n\txx:lemma\tLaib\n00000007-n\txx:def\t0\n00000008-n\tlemma\ta\n00000008-n\tlemma\tb\n"
        self.assertEqual(list(readers.tab(tab, 1)), [("00000007-n", "Laib")])


class Fetching(unittest.TestCase):
    def source(self, folder, digest=None):
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
            info = tarfile.TarInfo("package/words.json")
            info.size = 2
            archive.addfile(info, io.BytesIO(b"{}"))
        (folder / "words.tgz").write_bytes(buffer.getvalue())
        return sources.Source("words", "Words", "MIT", "https://example.org/words.tgz", digest or hashlib.sha256(buffer.getvalue()).hexdigest())

    def test_a_source_is_read_only_at_its_version(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for digest, expected in ((None, None), ("0" * 64, "expected SHA-256 000")):
                sources.SOURCES["words"] = self.source(folder, digest)
                try:
                    reader = sources.Sources(folder, offline=True)
                    if expected:
                        with self.assertRaisesRegex(sources.SourceError, expected):
                            reader.file("words", "package/words.json")
                    else:
                        self.assertEqual(reader.file("words", "package/words.json"), b"{}")
                        with self.assertRaisesRegex(sources.SourceError, "none of these"):
                            reader.file("words", "package/other.json")
                finally:
                    del sources.SOURCES["words"]

    def test_a_missing_source_is_named_with_its_address_and_licence_and_nothing_is_written(self):
        with tempfile.TemporaryDirectory() as name:
            out = Path(name, "out")
            message = make.main(["hi", str(out), "--sources", name, "--offline"])
            self.assertRegex(message, r"laser is missing: expected .*laser, from https://github.com/.* \(CC BY 2\.0 FR\)")
            self.assertFalse(out.exists())

    def test_an_unknown_language_is_refused(self):
        self.assertIn("unknown language `xx`", make.main(["xx", "out"]))

    def test_a_broken_pairs_file_is_named_with_its_line(self):
        with tempfile.TemporaryDirectory() as name:
            path = Path(name, "pairs.tsv")
            path.write_text("a\tb\tc\td\te\na\tb\n")
            with contextlib.redirect_stdout(io.StringIO()):
                message = make.main(["de", name, "--sources", name, "--offline", "--without", str(path)])
            self.assertEqual(message, f"{path}, line 2: expected 5 tab-separated columns, found 2")

    def test_files_are_written_whole_or_not_at_all(self):
        with tempfile.TemporaryDirectory() as name:
            first, second = Path(name, "first"), Path(name, "second")
            first.write_text("as it was")
            with self.assertRaises(UnicodeEncodeError):
                make.write_all({first: "new", second: "\ud800"})
            self.assertEqual(first.read_text(), "as it was")
            self.assertEqual([path.name for path in Path(name).iterdir()], ["first"])


class ChosenSets(unittest.TestCase):
    """`--only`, with a catalogue and a Bible of a few pairs written here."""

    def make(self, *options):
        def odk(maker):
            maker.pairs.add("ui_odk", "strings0", "a", "Save the form", "احفظ النموذج")

        def bible(maker):
            for n in range(3):
                maker.pairs.add("bible", "1.1", f"1.1.{n}", f"Verse {'and on' * n} it rained", f"آية {'و' * n} أمطرت")

        with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()):
            with mock.patch.object(make.Maker, "_odk", odk), mock.patch.object(make.Maker, "_bible", bible):
                message = make.main([*options, name, "--sources", name, "--offline"])
            files = {str(path.relative_to(name)): path.read_text(encoding="utf-8") for path in Path(name).rglob("*.*")}
        return message, files

    def test_pairs_of_the_named_sets_are_written_whole_without_lexicon_and_tuning_set(self):
        message, files = self.make("ar", "--only", "bible")
        self.assertIsNone(message)
        self.assertEqual(sorted(files), ["sentences/en-ar.tsv", "sources/en-ar.json"])
        # Without a limit: a whole corpus has no more verses than other pairs.
        self.assertEqual([line.split("\t")[:3] for line in files["sentences/en-ar.tsv"].splitlines()], [["bible", "1.1", f"1.1.{n}"] for n in range(3)])
        self.assertIn('"bible": 3', files["sources/en-ar.json"])

        message, files = self.make("ar", "--only", "bible", "--only", "ui_odk")
        self.assertEqual([line.split("\t")[0] for line in files["sentences/en-ar.tsv"].splitlines()], ["bible"] * 3 + ["ui_odk"])

    def test_a_set_that_the_language_lacks_is_named(self):
        self.assertEqual(self.make("de", "--only", "bible"), ("no pairs of bible in `de`", {}))
        self.assertEqual(self.make("sw"), ("`sw` has verses alone: add --only bible", {}))

    def test_an_unknown_set_is_refused(self):
        with contextlib.redirect_stderr(io.StringIO()) as error, self.assertRaises(SystemExit):
            self.make("ar", "--only", "novels")
        self.assertIn("novels", error.getvalue())


class GradedFolders(unittest.TestCase):
    LINES = (
        "bible\t1.1\t1\tone\teins\n"
        "bible\t1.1\t2\ttwo\tzwei\n"
        "ui\t1.1\t1\tmenu\tMenü\n"
        "bible\t1.1\t3\tthree\tdrei\n"
        "bible\t1.1\t4\tfour\tvier\n"
        "bible\t1.2\t1\tfive\tfünf\n"
    )

    def folder(self, lines, *options):
        with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()):
            pairs, out = Path(name) / "en-de.tsv", Path(name) / "graded"
            pairs.write_text(lines, encoding="utf-8")
            graded.main([str(pairs), str(out), *options])
            return [(out / f"{file}.tsv").read_text(encoding="utf-8") for file in ("queries", "documents", "relevance")]

    def test_a_translation_is_relevant_and_neighbours_of_its_group_partially(self):
        queries, documents, relevance = self.folder(self.LINES, "--set", "bible", "--reach", "1")
        self.assertIn("bible/1.1/2\tbible/1.1\ttwo\n", queries)
        self.assertIn("bible/1.1/2\tbible/1.1\tzwei\n", documents)
        self.assertEqual(len(queries.splitlines()), 5)
        grades = [line.split("\t") for line in relevance.splitlines()]
        of = lambda query: {document: grade for q, document, grade in grades if q == query}
        self.assertEqual(of("bible/1.1/1"), {"bible/1.1/1": "2", "bible/1.1/2": "1"})
        self.assertEqual(of("bible/1.1/3"), {"bible/1.1/2": "1", "bible/1.1/3": "2", "bible/1.1/4": "1"})
        # A neighbour in another chapter or set is none.
        self.assertEqual(of("bible/1.2/1"), {"bible/1.2/1": "2"})

    def test_all_sets_are_read_and_a_repeated_id_is_left_out(self):
        queries, _, relevance = self.folder(self.LINES + "ui\t1.1\t1\tagain\twieder\n")
        self.assertEqual(len(queries.splitlines()), 6)
        self.assertNotIn("again", queries)
        self.assertEqual(len(relevance.splitlines()), 6 + 2 + 3 + 3 + 2)

    def test_a_line_with_other_columns_is_refused_with_its_number(self):
        with self.assertRaisesRegex(ValueError, "line 7: expected 5 tab-separated columns, found 2"):
            self.folder(self.LINES + "a\tb\n")


class SectionsOfPages(unittest.TestCase):
    def test_an_html_page_is_cut_at_its_headings_outside_of_navigation(self):
        page = (
            "<html><head><title>Tea</title><script>var tea = '<h1>';</script></head><body><nav><h2>Menu</h2></nav>"
            '<div class="navheader"><h3>Next</h3></div><a name="top"></a>Before all.'
            '<h1 id="a">2.1. Green <code>tea</code></h1><div class="toc"><p>Contents</p></div><p>Boil&nbsp;the <b>water</b>.<br>Wait.</p>'
            "<ul><li>One cup</li><li><p>Two cups</p></li></ul><pre>boil --now</pre><table><tr><td>cell</td></tr></table>"
            '<p><a href="x">Black tea</a></p><h2><a href="y">Milk</a></h2><div class="note"><h3>Note</h3><p>Not &lt;boiled&gt;.</p></div>'
            "<p>Stir <span>it<footer><h3>Debug</h3></footer></body></html>"
        )
        self.assertEqual(sections.html(page), [
            (0, "", "", ["Before all."]),
            (1, "a", "2.1. Green tea", ["Boil the water. Wait.", "One cup", "Two cups"]),
            (2, "", "Milk", ["Not <boiled>.", "Stir it"]),
        ])

    def test_a_manual_page_is_cut_at_its_headings_and_its_escapes_are_read(self):
        page = (
            '\'\\" t\n.\\" A comment\n.TH brew 1\n.SH NAME\nbrew \\- make\\ tea\n.SH "THE OPTIONS"\n.nf\nbrew --now;\n.fi\n'
            'The \\fBbrew\\fP(1) command isn\\(aqt \\fIslow\\fR.\\" remark\n.I Water\nand\n.BR milk (7),\n.IR "a cup" ;\n\\&.profile \\[em] caf\\(\'e\\c\n\\s-1!\\s0\n'
            ".TS\nl l.\na\tb\n.TE\n.TP\n.BI \\-m \" file\"\nAdds milk\nfrom\n.UR http://example.org\n.UE .\n.IP \\(bu 3\nA bullet\n.IP tag\nText\n"
            ".if n \\{\\\n.SH HIDDEN\nhidden\n.\\}\n.de XX\nmacro\n..\n.SS\nBelow\n.EX\ncode\n.EE\nC:\\ete\\(bu\\*(lqx\\*(rq\n"
        )
        self.assertEqual(sections.roff(page), [
            (1, "", "NAME", ["brew - make tea"]),
            (1, "", "THE OPTIONS", [
                "The brew(1) command isn't slow. Water and milk(7), a cup; .profile — café!", "-m file", "Adds milk from http://example.org.",
                "A bullet", "tag", "Text",
            ]),
            (2, "", "Below", ["C:\\te“x”"]),
        ])

    def test_a_link_to_another_manual_page_has_no_section(self):
        self.assertEqual(sections.roff(".so man3/other.3\n"), [])


class ComparableDocuments(unittest.TestCase):
    FRENCH = "Le {0} se sert dans une tasse en verre. " + "La recette du {0} demande une eau claire, un peu de patience et une feuille entière. " * 2

    def section(self, title, text, level=1, id=""):
        return sections.Section(level, id, title, [text])

    def added(self, *rows):
        found = manuals.Documents()
        for number, (english, other) in enumerate(rows):
            found.add("set", "page", number, self.section("2.1. The title", english), self.section("Le titre", other))
        return found.pages.get("set/page", []), found.counts.get("set")

    def test_the_first_sentence_asks_for_the_rest_of_the_translation(self):
        text = self.FRENCH.format("thé")
        kept, _ = self.added(("TEA. Tea is served in a glass. It needs water.", f"THÉ. {text}"))
        self.assertEqual(kept, [(0, "Tea is served in a glass.", text.partition(". ")[2].strip())])

    def test_without_a_sentence_the_title_asks_and_a_document_has_200_words_at_most(self):
        kept, _ = self.added(("Tea. Milk.", "Le thé se sert chaud. " + "encore du lait " * 100))
        self.assertEqual([(query, len(document.split())) for _, query, document in kept], [("The title", 200)])

    def test_short_untranslated_and_repeated_sections_are_left_out(self):
        tea, milk = self.FRENCH.format("thé"), self.FRENCH.format("lait")
        english = "This is the text of a page that is not translated and stands here in English, with all of its words. " * 3
        kept, counts = self.added(
            ("Tea is served here.", tea),
            ("tea is served HERE!", milk),
            ("Milk is served here.", tea),
            ("Water is served here.", "L'eau se sert ici. Elle est froide."),
            ("Bread is served here.", english),
            (milk, milk),
        )
        self.assertEqual([query for _, query, _ in kept], ["Tea is served here."])
        self.assertEqual(counts, {"documents": 1, "duplicate": 2, "short": 1, "untranslated": 2})

    def test_paragraphs_in_english_are_no_part_of_a_document(self):
        self.assertEqual(
            manuals.translated(["Press the Enter key", "O_APPEND"], ["Press the Enter key", "O_APPEND", "Appuyez.", "This is for the user of it."]),
            ["O_APPEND", "Appuyez."],
        )

    def test_sections_pair_in_order_or_by_their_ids(self):
        a, b, c = (self.section(name, name, id=name) for name in "abc")
        last = self.section("TRADUCTION", "x")
        pair = lambda left, right: [(n, x.title, y.title) for n, x, y in manuals.passages(left, right)]
        self.assertEqual(pair([a, b], [a, b, last]), [(0, "a", "a"), (1, "b", "b")])
        # In another order, as functions are in each language's alphabet; an id that occurs twice tells nothing.
        self.assertEqual(pair([a, b, c, c], [c, b, a, c]), [(0, "a", "a"), (1, "b", "b")])
        self.assertEqual(pair([self.section("A", "x")], [self.section("B", "x"), self.section("C", "x")]), [])
        self.assertEqual(pair([self.section("SEE ALSO", "x"), b], [self.section("VOIR AUSSI", "x"), b]), [(1, "b", "b")])

    def test_the_nearest_12_sections_of_a_page_are_partially_relevant(self):
        grades = dict(manuals.grades(20))
        self.assertEqual(grades[0], list(range(1, 13)))
        self.assertEqual(grades[10], [4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16])
        self.assertEqual(dict(manuals.grades(3)), {0: [1, 2], 1: [0, 2], 2: [0, 1]})

    def run_on(self, files, *options):
        """Runs the script on packages with these files: {package: {path: bytes}}."""
        def read(_, package, *folders):
            return {path: data for path, data in files[package].items() if path.startswith(folders)}

        with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()) as printed:
            with mock.patch.object(sources.Sources, "files", read):
                message = manuals.main(["fr", name, *options])
            return message, [path.read_text(encoding="utf-8") for path in sorted(Path(name).iterdir())], printed.getvalue()

    def test_the_three_files_are_made_of_the_pages_that_both_languages_have(self):
        english = "".join(f"<h2>{name}</h2><p>This page is about {name}. More.</p>" for name in ("tea", "milk"))
        french = "".join(f"<h2>{name}</h2><p>{self.FRENCH.format(name)}</p>" for name in ("thé", "lait"))
        folder = "usr/share/debian-reference/"
        files = {
            "debian-reference-en": {f"{folder}ch01.en.html": english.encode(), f"{folder}ch02.en.html": english.encode()},
            # A byte that is not UTF-8 costs a character.
            "debian-reference-fr": {f"{folder}ch01.fr.html": french.encode().replace(b"claire", b"clair\xff"), f"{folder}notes.txt": b"x"},
        }
        message, (documents, queries, relevance), printed = self.run_on(files, "--set", "debian_reference")
        self.assertIsNone(message)
        page = "debian_reference/ch01"
        self.assertEqual(queries, f"{page}/0\t{page}\tThis page is about tea.\n{page}/1\t{page}\tThis page is about milk.\n")
        self.assertEqual(
            documents.splitlines()[1], f"{page}/1\t{page}\t" + self.FRENCH.format("lait").partition(". ")[2].strip().replace("claire", "clair\ufffd")
        )
        self.assertEqual(relevance, "".join(f"{page}/{a}\t{page}/{b}\t{grade}\n" for a, b, grade in ((0, 0, 2), (0, 1, 1), (1, 1, 2), (1, 0, 1))))
        self.assertEqual(printed, "debian_reference\t2 documents; left out: none\n")

    def test_a_damaged_page_is_named_and_nothing_is_written(self):
        english = {"usr/share/man/man1/brew.1.gz": gzip.compress(b".SH NAME\n")}
        files = {"manpages": english, "manpages-dev": {}, "manpages-fr": {"usr/share/man/fr/man1/brew.1.gz": b"damaged"}, "manpages-fr-dev": {}}
        message, written, _ = self.run_on(files, "--set", "manpages")
        self.assertRegex(message, "^manpages-fr: usr/share/man/fr/man1/brew.1.gz: Not a gzipped file")
        self.assertEqual(written, [])

    def test_a_missing_package_and_an_unknown_language_are_named(self):
        with tempfile.TemporaryDirectory() as name:
            message = manuals.main(["it", str(Path(name, "out")), "--sources", name, "--offline", "--set", "debian_reference"])
            self.assertRegex(message, r"^debian-reference-en is missing: expected .*_2\.100_all\.deb, from https://deb\.debian\.org/.* \(GPL-2\+\)$")
        self.assertEqual(manuals.main(["xx", "out"]), "unknown language `xx`: expected one of de, es, fr, it")


class TextsOfWordVectors(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def written(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_a_column_of_each_file_is_read_and_each_text_once(self):
        pairs = self.written("pairs.tsv", "a\tThe river\tLe fleuve\nb\tA boat\tUn bateau\n")
        documents = self.written("documents.tsv", "1\tLe Fleuve!\n2\tL’été\n3\t...\n")
        found = list(skipgram.texts([f"{pairs}:3", f"{documents}:2"]))
        self.assertEqual(found, [["le", "fleuve"], ["un", "bateau"], ["l", "été"]])

    def test_a_line_without_the_column_is_named(self):
        pairs = self.written("pairs.tsv", "a\tb\tc\nd\te\n")
        with self.assertRaisesRegex(ValueError, r"pairs\.tsv, line 2: no column 3, it has 2$"):
            list(skipgram.texts([f"{pairs}:3"]))

    def test_a_source_without_a_column_is_refused(self):
        for source in ["pairs.tsv", "pairs.tsv:0", "pairs.tsv:x", ":1"]:
            with self.assertRaisesRegex(ValueError, "expected FILE:COLUMN"):
                list(skipgram.texts([source]))


class Names(unittest.TestCase):
    """An alphabet made up here: one letter for one, two for one, one for two, and one that is not written."""

    SOUNDS = {"a": "α", "b": "б", "d": "д", "i": "и", "k": "κ", "l": "λ", "m": "м", "o": "о", "sh": "ш", "x": "κс", "h": ""}

    def name(self, random):
        sounds = list(self.SOUNDS)
        chosen = [random.choice(sounds) for _ in range(random.randint(2, 4))]
        return "".join(chosen), "".join(self.SOUNDS[sound] for sound in chosen)

    def pairs(self, count, seed):
        random = Random(seed)
        made = (self.name(random) for _ in range(10 * count))
        return list({english: (english, other) for english, other in made if len(other) > 1}.values())[:count]

    def test_names_that_were_not_learned_from_are_written_by_sound(self):
        pairs = self.pairs(260, seed=1)
        table = names.learn(pairs[:200])
        right = [other for english, other in pairs[200:] if names.write(english, table) == other]
        self.assertGreaterEqual(len(right), 57, f"{len(right)} of 60")
        self.assertEqual(names.write("shaxo", table), "шακсо")

    def test_a_letter_that_was_never_seen_gives_no_name(self):
        table = names.learn(self.pairs(100, seed=2))
        self.assertIsNotNone(names.write("bado", table))
        self.assertIsNone(names.write("bazo", table))
        self.assertIsNone(names.write("zbado", table))

    def test_translations_of_a_name_are_not_learned_from(self):
        translations = [(f"q{english}", "вгже"[: len(english)] * 2) for english, _ in self.pairs(20, seed=3)]
        table = names.learn(self.pairs(200, seed=1) + translations)
        self.assertIsNone(names.write("qado", table))
        self.assertEqual(names.write("bado", table), "бαдо")


if __name__ == "__main__":
    unittest.main()
