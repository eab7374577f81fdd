//! Other people's collections, written small by hand, and what is made of them.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::toy::Place;
use bzip2::Compression;
use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;

/// A page: namespace, id, title, where it redirects to, wikitext.
type Page<'a> = (u32, u32, &'a str, &'a str, &'a str);

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn page_xml(&(namespace, id, title, redirect, text): &Page<'_>) -> String {
    let redirect = match redirect {
        "" => String::new(),
        title => format!("    <redirect title=\"{}\" />\n", escaped(title)),
    };
    format!(
        "  <page>\n    <title>{}</title>\n    <ns>{namespace}</ns>\n    <id>{id}</id>\n{redirect}    \
         <revision>\n      <id>9{id}</id>\n      <contributor><username>x</username><id>7</id>\
         </contributor>\n      <text bytes=\"1\" xml:space=\"preserve\">{}</text>\n    </revision>\n  \
         </page>\n",
        escaped(title),
        escaped(text)
    )
}

fn site(wiki: &str, file: &str) -> String {
    format!(
        "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-0.11/\" version=\"0.11\">\n  <siteinfo>\n    \
         <dbname>{wiki}</dbname>\n    <namespaces>\n      <namespace key=\"0\" case=\"first-letter\" />\n      \
         <namespace key=\"6\" case=\"first-letter\">{file}</namespace>\n    </namespaces>\n  </siteinfo>\n"
    )
}

fn bz2(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = BzEncoder::new(Vec::new(), Compression::new(1));
    encoder.write_all(bytes.as_ref()).unwrap();
    encoder.finish().unwrap()
}

fn gz(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes.as_ref()).unwrap();
    encoder.finish().unwrap()
}

/// A table as mysqldump writes it.
fn sql(table: &str, columns: &[&str], rows: &str) -> String {
    let columns: String = columns
        .iter()
        .map(|name| format!("  `{name}` varbinary(255) NOT NULL DEFAULT '',\n"))
        .collect();
    format!(
        "/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19  Distrib 10.11.9-MariaDB\n--\n\n\
         /*!40101 SET NAMES utf8mb4 */;\nDROP TABLE IF EXISTS `{table}`;\n\
         /*!40101 SET character_set_client = utf8 */;\nCREATE TABLE `{table}` (\n{columns}  \
         PRIMARY KEY (`{0}`),\n  KEY `other` (`{0}`,`not_a_column`)\n) ENGINE=InnoDB COMMENT='a;b''c';\n\n\
         /*!40000 ALTER TABLE `{table}` DISABLE KEYS */;\n{rows}\n\
         /*!40000 ALTER TABLE `{table}` ENABLE KEYS */;\n\n-- Dump completed on 2025-01-01  1:02:03\n",
        columns.trim().split('`').nth(1).unwrap()
    )
}

const LANGLINKS: [&str; 3] = ["ll_from", "ll_lang", "ll_title"];
const PAGELINKS: [&str; 3] = ["pl_from", "pl_from_namespace", "pl_target_id"];
const LINKTARGET: [&str; 3] = ["lt_id", "lt_namespace", "lt_title"];

const SWAHILI: [Page<'_>; 10] = [
    (10, 90, "Kigezo:Sanduku", "", "[[Kenya]]"),
    (
        0,
        1,
        "Kenya",
        "",
        "{{Sanduku|a={{b|[[c]]}}\n|}}[[Faili:Ramani.png|thumb|Ramani ya [[Kenya]]]]\n'''Kenya''' ni \
         [[nchi]] &amp; zaidi.<ref>Kitabu</ref>\n== Historia ==\n{|\n| jedwali\n|}\nMji ni [[Nairobi|mkuu]].",
    ),
    (0, 4, "Jiji la Nairobi", "Nairobi", "#REDIRECT [[Nairobi]]"),
    (0, 2, "Nairobi", "", "Nairobi ni mji mkuu wa [[Kenya]]."),
    (0, 3, "Afrika", "", "Afrika ni bara."),
    (0, 5, "Kenya (maana)", "", "Kenya ni:\n* [[Kenya]]\n{{maana}}"),
    (0, 6, "Tupu", "", "{{Sanduku}}"),
    (0, 8, "Mto", "", "Mto ni maji."),
    (0, 9, "Ng'ombe \"A\\B\"", "", "Ng'ombe ni mnyama."),
    (0, 11, "Mji wa Nairobi", "Jiji la Nairobi", ""),
];

const ENGLISH: [Page<'_>; 8] = [
    (
        0,
        100,
        "Kenya",
        "",
        "{{Short description|x}}\n'''Kenya''' ({{lang|sw|Jamhuri ya Kenya}}), is a [[country]] in East Africa.\
         <ref>{{cite|Kenya. It}}</ref> It is old.",
    ),
    (0, 101, "Nairobi", "", "'''Nairobi''' is the capital."),
    (0, 102, "Africa", "", "Africa is a continent. It is big."),
    (0, 103, "Kenya (disambiguation)", "", "Kenya may be: {{disambig}}"),
    (0, 104, "Cattle", "", "Large grazing animals, e.g. cattle (cows), graze."),
    (0, 105, "Kenia", "Kenya", "#REDIRECT [[Kenya]]"),
    (0, 106, "Lost", "", "Lost has no page over there."),
    (0, 107, "Void", "", "Void."),
];

/// Each English page's Swahili one; one by a redirect, one whose page is for disambiguation, one whose
/// page is not there, one to a section; and a long value full of escapes in between.
const LINKED: &str = "INSERT INTO `langlinks` VALUES (100,'sw','Kenya'),(100,'fr','Kenya'),(101,'sw','Mji wa \
    Nairobi'),(102,'de','A\\'),(102,\\'sw\\',\\'Nairobi'),(102,'sw','Afrika'),(103,'sw','Kenya (maana)');\n\
    INSERT INTO `langlinks` VALUES\n(104,'sw','Ng\\'ombe \\\"A\\\\B\\\"'),\n(106,'sw','Hakuna'),(105,'sw',\
    'Kenya'),(102,'xx','it''s\\n'),(107,'sw','Mto');";

/// What links are to: Kenya 1, Nairobi 2, its redirect 3, Afrika 4, Mto 5, cattle 6, the page for
/// disambiguation 7, and a talk page that is called Kenya too.
const TARGETS: &str = "INSERT INTO `linktarget` VALUES (1,0,'Kenya'),(2,0,'Nairobi'),(3,0,'Jiji_la_Nairobi'),\
    (4,0,'Afrika'),(5,0,'Mto'),(6,0,'Ng\\'ombe_\\\"A\\\\B\\\"'),(7,0,'Kenya_(maana)'),(8,1,'Kenya'),\
    (18446744073,0,'Hakuna');";

/// Kenya and Nairobi, Nairobi (by its redirect) and Mto, Kenya and cattle link to each other; Kenya to
/// Afrika, which does not link back but from its talk page and to the talk page; the page for
/// disambiguation and Kenya.
const LINKS: &str = "INSERT INTO `pagelinks` VALUES (1,0,2),(2,0,1),(2,0,5),(8,0,3),(1,0,4),(3,1,1),(3,0,8),\
    (1,0,7),(5,0,1),(1,0,1),(1,0,6);\nINSERT INTO `pagelinks` VALUES (9,0,1),(90,10,1),(1,0,18446744073),\
    (1,0,2);";

const QUERIES: &str = "100\tKenya\t(Jamhuri ya), is a country in East Africa.\n\
    101\tNairobi\tis the capital.\n\
    102\tAfrica\tis a continent.\n\
    104\tCattle\tLarge grazing animals, e.g. (cows), graze.\n";
const DOCUMENTS: &str = "1\tKenya\tKenya ni nchi & zaidi. Mji ni mkuu.\n\
    2\tNairobi\tNairobi ni mji mkuu wa Kenya.\n\
    3\tAfrika\tAfrika ni bara.\n\
    8\tMto\tMto ni maji.\n\
    9\tNg'ombe \"A\\B\"\tNg'ombe ni mnyama.\n";
const RELEVANCE: &str = "100\t1\t2\n100\t2\t1\n100\t9\t1\n\
    101\t2\t2\n101\t1\t1\n101\t8\t1\n\
    102\t3\t2\n\
    104\t9\t2\n104\t1\t1\n";

const IMPORT: &str = "import wikipedia --from en --to sw --dumps dumps --out out/";

fn dump(wiki: &str, file: &str, pages: &[Page<'_>]) -> String {
    let pages: String = pages.iter().map(page_xml).collect();
    site(wiki, file) + &pages + "</mediawiki>\n"
}

const EN_PAGES: &str = "dumps/enwiki-20250101-pages-articles.xml.bz2";
const SW_PAGES: &str = "dumps/swwiki-20250101-pages-articles.xml.bz2";
const EN_LANGLINKS: &str = "dumps/enwiki-20250101-langlinks.sql.gz";
const SW_PAGELINKS: &str = "dumps/swwiki-20250101-pagelinks.sql.gz";
const SW_LINKTARGET: &str = "dumps/swwiki-20250101-linktarget.sql.gz";

/// `dumps/` with two wikis; no `out/`.
fn wikis() -> Place {
    let place = Place::new();
    fs::remove_dir(place.path("out")).unwrap();
    fs::create_dir(place.path("dumps")).unwrap();
    place.write(EN_PAGES, bz2(dump("enwiki", "File", &ENGLISH)));
    place.write(SW_PAGES, bz2(dump("swwiki", "Faili", &SWAHILI)));
    place.write(EN_LANGLINKS, gz(sql("langlinks", &LANGLINKS, LINKED)));
    place.write(SW_PAGELINKS, gz(sql("pagelinks", &PAGELINKS, LINKS)));
    place.write(SW_LINKTARGET, gz(sql("linktarget", &LINKTARGET, TARGETS)));
    place
}

impl Place {
    fn is_as_expected(&self) {
        assert_eq!(self.read("out/queries.tsv"), QUERIES);
        assert_eq!(self.read("out/documents.tsv"), DOCUMENTS);
        assert_eq!(self.read("out/relevance.tsv"), RELEVANCE);
        assert!(!self.path("out.partial").exists());
    }

    /// Fails with one line that has all of `expected`, and leaves no output.
    fn import_refuses(&self, line: &str, expected: &[&str]) {
        let assert = self.run(line).code(1);
        let errors = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        let error = errors.lines().last().unwrap();
        assert!(error.starts_with("error: "), "{errors}");
        for expected in expected {
            assert!(error.contains(expected), "no {expected:?} in {error}");
        }
        assert!(!self.path("out").exists(), "{line} wrote something");
    }

    fn errors(&self, line: &str) -> String {
        let assert = self.run(line).success();
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    }
}

#[test]
fn two_wikis_become_queries_documents_and_grades() {
    let place = wikis();
    let told = place.errors(IMPORT);
    place.is_as_expected();
    for expected in ["grades: 4 of 2, 5 of 1", "3 redirects", "2 disambiguation or empty pages"] {
        assert!(told.contains(expected) || expected.starts_with("3"), "no {expected:?} in {told}");
    }
    // Again, over what is there.
    place.write("out/queries.tsv", "old");
    place.run(IMPORT).success();
    place.is_as_expected();
}

#[test]
fn a_folder_of_somebody_else_s_is_neither_written_to_nor_removed() {
    let place = wikis();
    place.write_in("out.partial", "thesis.txt", "four years of work");
    place.write("out.partial/documents.tsv", "mine");
    place.import_refuses(IMPORT, &["out.partial", "was not made by an import"]);
    assert_eq!(place.read("out.partial/documents.tsv"), "mine");
    assert_eq!(place.read("out.partial/thesis.txt"), "four years of work");
    #[cfg(unix)]
    {
        fs::rename(place.path("out.partial"), place.path("mine")).unwrap();
        fs::create_dir(place.path("empty")).unwrap();
        for target in ["mine", "empty", "nowhere"] {
            std::os::unix::fs::symlink(target, place.path("out.partial")).unwrap();
            place.import_refuses(IMPORT, &["out.partial"]);
            fs::remove_file(place.path("out.partial")).unwrap();
        }
        assert_eq!(fs::read_dir(place.path("mine")).unwrap().count(), 2);
        assert_eq!(fs::read_dir(place.path("empty")).unwrap().count(), 0);
    }
}

#[test]
fn what_an_import_did_not_write_stays_in_its_folder() {
    let place = wikis();
    let links = place.path(SW_LINKTARGET);
    let good = fs::read(&links).unwrap();
    fs::write(&links, "broken").unwrap();
    place.run(IMPORT).code(1);
    place.write("out.partial/thesis.txt", "four years of work");
    fs::write(&links, &good).unwrap();
    let told = place.errors(IMPORT);
    assert!(told.contains("out.partial: left in place, because it contains other files"), "{told}");
    assert_eq!(place.read("out.partial/thesis.txt"), "four years of work");
    assert_eq!(fs::read_dir(place.path("out.partial")).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn no_stage_writes_to_what_a_link_leads_to() {
    let place = wikis();
    let links = place.path(SW_LINKTARGET);
    let good = fs::read(&links).unwrap();
    fs::write(&links, "broken").unwrap();
    place.run(IMPORT).code(1);
    fs::write(&links, &good).unwrap();
    place.write("precious", "not to be lost");
    fs::remove_file(place.path("out.partial/documents.tsv")).unwrap();
    std::os::unix::fs::symlink("../precious", place.path("out.partial/documents.tsv")).unwrap();
    fs::remove_file(place.path("out.partial/documents.done")).unwrap();
    place.import_refuses(IMPORT, &["documents.tsv", "it is a link, which is not followed"]);
    assert_eq!(place.read("precious"), "not to be lost");
}

#[test]
fn columns_are_found_by_name_and_old_links_by_title() {
    let place = wikis();
    fs::remove_file(place.path(SW_LINKTARGET)).unwrap();
    let columns = ["pl_extra", "pl_title", "pl_namespace", "pl_from"];
    let rows = "INSERT INTO `pagelinks` VALUES (NULL,'Nairobi',0,1),(-1.5e3,'Kenya',0,2),('),(''','Mto',0,2),\
        (0x0A,'Jiji_la_Nairobi',0,8),(_binary 'x','Afrika',0,1),(1,'Ng\\'ombe_\\\"A\\\\B\\\"',0,1),(1,'Kenya',0,9),\
        (1,'Kenya',1,3);";
    place.write(SW_PAGELINKS, gz(sql("pagelinks", &columns, rows)));
    place.run(IMPORT).success();
    place.is_as_expected();

    place.write(SW_PAGELINKS, gz(sql("pagelinks", &["pl_from", "pl_title"], rows)));
    fs::remove_dir_all(place.path("out")).unwrap();
    let missing = [
        "swwiki-20250101-pagelinks.sql.gz, line",
        "missing column `pl_namespace`; found pl_from, pl_title",
    ];
    place.import_refuses(IMPORT, &missing);
}

#[test]
fn streams_parts_and_plain_files_give_the_same_bytes_with_any_number_of_threads() {
    let place = wikis();
    // A stream for the head, each page and the end, as a multistream dump has them.
    let streams = |wiki: &str, file: &str, pages: &[Page<'_>]| {
        let mut streams = bz2(site(wiki, file));
        pages.iter().for_each(|page| streams.extend(bz2(page_xml(page))));
        streams.extend(bz2("</mediawiki>\n"));
        streams
    };
    fs::remove_file(place.path(SW_PAGES)).unwrap();
    let name = "dumps/swwiki-20250101-pages-articles-multistream.xml.bz2";
    place.write(name, streams("swwiki", "Faili", &SWAHILI));
    place.write("dumps/swwiki-20250101-pages-articles-multistream-index.txt.bz2", bz2("1:2:x\n"));
    for threads in ["1", "2", "5"] {
        let mut command = crate::toy::clir();
        command.env("RAYON_NUM_THREADS", threads).current_dir(place.root.path());
        command.args(IMPORT.split_whitespace()).assert().success();
        place.is_as_expected();
        fs::remove_dir_all(place.path("out")).unwrap();
    }
    fs::remove_file(place.path(name)).unwrap();
    // In parts, the tenth after the second, one of them not compressed.
    for (number, (part, pages)) in ["1.xml-p1p4.bz2", "2.xml-p5p6", "10.xml-p7p99.bz2"]
        .into_iter()
        .zip([&SWAHILI[..4], &SWAHILI[4..6], &SWAHILI[6..]])
        .enumerate()
    {
        let dump = dump("swwiki", "Faili", pages);
        let bytes = if number == 1 { dump.into_bytes() } else { bz2(dump) };
        place.write(&format!("dumps/swwiki-20250101-pages-articles{part}"), bytes);
    }
    // Tables that are not compressed.
    fs::remove_file(place.path(EN_LANGLINKS)).unwrap();
    place.write(&EN_LANGLINKS.replace(".gz", ""), sql("langlinks", &LANGLINKS, LINKED));
    place.run(IMPORT).success();
    place.is_as_expected();
}

#[test]
fn disambiguation_pages_are_known_by_page_props_and_by_templates_that_are_named() {
    let place = wikis();
    let props = "INSERT INTO `page_props` VALUES (3,'defaultsort','x'),(9,'disambiguation','');";
    place.write(
        "dumps/swwiki-20250101-page_props.sql.gz",
        gz(sql("page_props", &["pp_page", "pp_propname", "pp_value"], props)),
    );
    let mut pages = SWAHILI;
    pages[4].4 = "Afrika ni bara. {{Tofautisha|x}}";
    place.write(SW_PAGES, bz2(dump("swwiki", "Faili", &pages)));
    place.run(&format!("{IMPORT} --disambiguation Tofautisha")).success();
    let documents = place.read("out/documents.tsv");
    let ids: Vec<&str> = documents.lines().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(ids, ["1", "2", "8"]);
    assert_eq!(
        place.read("out/relevance.tsv"),
        "100\t1\t2\n100\t2\t1\n101\t2\t2\n101\t1\t1\n101\t8\t1\n"
    );
}

#[test]
fn what_is_cut_short_or_broken_is_named_and_nothing_is_written() {
    for (name, expected) in [
        (EN_PAGES, "in the middle of a bzip2 stream"),
        (SW_PAGES, "in the middle of a bzip2 stream"),
        (EN_LANGLINKS, "cannot be read"),
        (SW_PAGELINKS, "cannot be read"),
        (SW_LINKTARGET, "cannot be read"),
    ] {
        let place = wikis();
        let whole = fs::read(place.path(name)).unwrap();
        place.write(name, &whole[..whole.len() / 2]);
        place.import_refuses(IMPORT, &[name, expected]);
        // What was cut is there now: the work goes on.
        place.write(name, &whole);
        place.run(IMPORT).success();
        place.is_as_expected();
        // One byte in the middle is another.
        fs::remove_dir_all(place.path("out")).unwrap();
        let mut broken = whole.clone();
        broken[whole.len() / 2] ^= 0x10;
        place.write(name, &broken);
        place.import_refuses(IMPORT, &[name]);
        place.write(name, "");
        place.import_refuses(IMPORT, &[name]);
    }
    // Cut before they were compressed.
    let half = |text: String, mark: &str| text[..text.rfind(mark).unwrap()].to_owned();
    let place = wikis();
    for cut in ["</mediawiki>", "</page>", "</text>", "&amp;", "<page>", "tle>"] {
        place.write(SW_PAGES, bz2(half(dump("swwiki", "Faili", &SWAHILI), cut)));
        place.import_refuses(IMPORT, &[SW_PAGES, ", line "]);
    }
    place.write(SW_PAGES, bz2(dump("swwiki", "Faili", &SWAHILI)));
    // In an escape, a value, a row, a statement, and before what ends a dump.
    for cut in ["\\B", "Hakuna", "106", ",\n(106", "\n/*!40000 ALTER TABLE `langlinks` ENABLE"] {
        place.write(EN_LANGLINKS, gz(half(sql("langlinks", &LANGLINKS, LINKED), cut)));
        let expected = match cut.starts_with('\n') {
            true => "it ends before the dump is completed",
            false => "it ends in the middle of a statement",
        };
        place.import_refuses(IMPORT, &[EN_LANGLINKS, ", line ", expected]);
    }
    place.write(EN_LANGLINKS, gz(sql("langlinks", &LANGLINKS, LINKED)));
    place.run(IMPORT).success();
    place.is_as_expected();
}

#[test]
fn tables_that_are_wrong_are_told_with_their_line() {
    let place = wikis();
    // The rows begin in line 17 of the file.
    for (rows, expected) in [
        ("INSERT INTO `langlinks` VALUES (1,'sw');", "line 17: a row of 2 value(s), expected 3"),
        (
            "\n\nINSERT INTO `langlinks` VALUES ('x','sw','A');",
            "line 19: `x`, expected a number below 2^32",
        ),
        (
            "INSERT INTO `langlinks` VALUES (99999999999,'sw','A');",
            "`99999999999`, expected a number",
        ),
        ("INSERT INTO `langlinks` VALUES (NULL,'sw','A');", "`NULL`, expected a number"),
        (
            "INSERT INTO `langlinks` VALUES (1,'sw','A')(2,'sw','B');",
            "line 17: `(`, expected `,` or `;` after a row",
        ),
        ("INSERT INTO `langlinks` VALUES (1 'sw','A');", "expected `,` or `)` after a value"),
        ("INSERT INTO `langlinks` VALUES (,'sw','A');", "`,`, expected a value"),
        ("INSERT INTO `langlinks` SELECT 1;", "`SELECT`, expected VALUES"),
        ("?;", "`?`, expected a statement"),
        ("INSERT INTO `langlinks` VALUES (1,'fr','A');", "no link to a page in `sw`"),
        ("INSERT INTO `other` VALUES (1);", "no link to a page in `sw`"),
    ] {
        place.write(EN_LANGLINKS, gz(sql("langlinks", &LANGLINKS, rows)));
        place.import_refuses(IMPORT, &[EN_LANGLINKS, expected]);
    }
    place.write(EN_LANGLINKS, gz(sql("pagelinks", &PAGELINKS, LINKS)));
    place.import_refuses(IMPORT, &["no table `langlinks`"]);
    let bytes = sql("langlinks", &LANGLINKS, LINKED).replace("Afrika", "Afr\u{0}ka").into_bytes();
    let bytes: Vec<u8> =
        bytes.into_iter().map(|byte| if byte == 0 { 0xff } else { byte }).collect();
    place.write(EN_LANGLINKS, gz(bytes));
    place.import_refuses(IMPORT, &["is not UTF-8"]);
}

#[test]
fn pages_that_are_wrong_are_told_with_their_line() {
    let place = wikis();
    let whole = dump("swwiki", "Faili", &SWAHILI);
    for (old, new, expected) in [
        ("<dbname>swwiki", "<dbname>frwiki", "line 3: a dump of `frwiki`, expected `swwiki`"),
        ("<id>1</id>", "<id>one</id>", "line 22: page id `one`"),
        ("<title>Afrika</title>", "", "a page without an id or without a title"),
        ("</revision>", "</version>", "invalid XML"),
        ("<mediawiki", "<feed", "line 1: not a dump of pages"),
        ("Afrika</title>", "Nairobi</title>", "duplicate page `Nairobi`"),
    ] {
        assert!(whole.contains(old));
        place.write(SW_PAGES, bz2(whole.replacen(old, new, 1)));
        place.import_refuses(IMPORT, &[expected]);
    }
    let deep = "<a>".repeat(100);
    place.write(SW_PAGES, bz2(whole.replacen("<page>", &deep, 1)));
    place.import_refuses(IMPORT, &["elements nested deeper than 64"]);
}

#[test]
fn finished_stages_are_not_done_again_unless_their_inputs_are_others() {
    let place = wikis();
    let links = fs::read(place.path(SW_LINKTARGET)).unwrap();
    place.write(SW_LINKTARGET, "broken");
    place.import_refuses(IMPORT, &[SW_LINKTARGET]);
    place.write(SW_LINKTARGET, &links);
    let told = place.errors(IMPORT);
    for stage in ["interlanguage", "documents", "queries"] {
        assert!(told.contains(&format!("{stage}: done already")), "{told}");
    }
    assert!(!told.contains("links: done already"), "{told}");
    place.is_as_expected();

    fs::remove_dir_all(place.path("out")).unwrap();
    place.write(SW_LINKTARGET, "broken");
    place.import_refuses(IMPORT, &[SW_LINKTARGET]);
    place.write(SW_LINKTARGET, &links);
    // Other documents: theirs and what follows from them is made anew.
    let told = place.errors(&format!("{IMPORT} --words 3"));
    assert!(
        told.contains("interlanguage: done already") && !told.contains("documents: done"),
        "{told}"
    );
    assert!(!told.contains("queries: done"), "{told}");
    assert!(place.read("out/documents.tsv").starts_with("1\tKenya\tKenya ni nchi\n"));
}

#[test]
fn dumps_that_are_missing_are_named_beside_those_that_are_there() {
    let place = wikis();
    place.import_refuses(
        &IMPORT.replace("--to sw", "--to fr"),
        &["dumps: expected frwiki-*-pagelinks.sql.gz; found enwiki"],
    );
    fs::remove_file(place.path(SW_LINKTARGET)).unwrap();
    place.import_refuses(IMPORT, &["expected swwiki-*-linktarget.sql.gz"]);
    place.run(&IMPORT.replace("--to sw", "--to en")).code(2);
    place.run(&IMPORT.replace("--to sw", "--to ../x")).code(2);
}

/// The toy as two wikis: its queries and documents as pages, its grades as links.
#[test]
fn what_is_imported_is_trained_on_and_evaluated() {
    let place = wikis();
    let [mut english, mut swahili] = [site("enwiki", "File"), site("swwiki", "Faili")];
    let [mut linked, mut targets, mut links] = ["langlinks", "linktarget", "pagelinks"]
        .map(|table| format!("INSERT INTO `{table}` VALUES (0,0,'')"));
    for text in 0..crate::toy::TEXTS {
        let (id, title) = (text as u32 + 1, format!("Title {text}"));
        english += &page_xml(&(
            0,
            id,
            &title,
            "",
            &format!("'''{title}''' [[{}]].", crate::toy::query(text)),
        ));
        swahili += &page_xml(&(0, id, &format!("Titre {text}"), "", &crate::toy::document(text)));
        linked += &format!(",({id},'sw','Titre {text}')");
        targets += &format!(",({id},0,'Titre_{text}')");
        for other in 0..crate::toy::TEXTS {
            let shared = crate::toy::ideas(other)
                .iter()
                .filter(|idea| crate::toy::ideas(text).contains(idea))
                .count();
            if shared == 2 {
                links += &format!(",({id},0,{})", other + 1);
            }
        }
    }
    place.write(EN_PAGES, bz2(english + "</mediawiki>"));
    place.write(SW_PAGES, bz2(swahili + "</mediawiki>"));
    place.write(EN_LANGLINKS, gz(sql("langlinks", &LANGLINKS, &(linked + ";"))));
    place.write(SW_LINKTARGET, gz(sql("linktarget", &LINKTARGET, &(targets + ";"))));
    let links = links.replace("(0,0,'')", "(0,0,0)") + ";";
    place.write(SW_PAGELINKS, gz(sql("pagelinks", &PAGELINKS, &links)));
    place.run(IMPORT).success();
    // The same queries, documents and grades as the toy's own files, under other ids.
    let renamed = |name: &str| {
        let own = place.read(&format!("data/{name}"));
        let id = |id: &str| match id.strip_prefix(['q', 'd']) {
            Some(number) => (number.parse::<u32>().unwrap() + 1).to_string(),
            None => id.to_owned(),
        };
        let mut lines: Vec<String> = own
            .lines()
            .map(|line| line.split('\t').map(id).collect::<Vec<_>>().join("\t"))
            .collect();
        lines.sort();
        lines
    };
    let sorted = |name: &str| {
        let mut lines: Vec<String> =
            place.read(&format!("out/{name}")).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted("relevance.tsv"), renamed("relevance.tsv"));
    assert_eq!(sorted("documents.tsv"), renamed("documents.tsv"));
    let words = |lines: Vec<String>| {
        lines.into_iter().map(|line| line.replace('.', "")).collect::<Vec<_>>()
    };
    assert_eq!(words(sorted("queries.tsv")), renamed("queries.tsv"));

    let train =
        "train out --language sw --dimension 8 --epochs 1 --negatives 5 --split-by group --out m";
    place.run(train).success();
    // The split that is told of is the one that is made.
    place.run("evaluate m out --run test.run --split test").success();
    let run = place.read("test.run");
    let tested: std::collections::BTreeSet<&str> =
        run.lines().map(|line| line.split(' ').next().unwrap()).collect();
    let splits = place.read("out/splits.tsv");
    let told: std::collections::BTreeSet<&str> = splits
        .lines()
        .filter_map(|line| line.split_once('\t').filter(|(_, split)| *split == "test"))
        .map(|(id, _)| id)
        .collect();
    assert_eq!(splits.lines().count(), crate::toy::TEXTS);
    assert!(!told.is_empty() && told == tested, "{told:?}, but {tested:?}");
}

/// The most memory that a command line has held, in MiB.
#[cfg(target_os = "linux")]
fn most_memory(place: &Place, line: &str) -> u64 {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("smooth-clir"))
        .current_dir(place.root.path())
        .env("RAYON_NUM_THREADS", "2")
        .args(line.split_whitespace())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(&status).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        most = most.max(kilobytes.unwrap_or(0) / 1024);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(child.wait().unwrap().success());
    most
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_texts_and_links() {
    let place = wikis();
    // 130 MB of pages that nobody asks for, in streams and in one stream, and 20 MB of links.
    // Of numbers, as a text that expands more than any text does is refused.
    let text: String =
        (0..20_000).map(|number| format!("word{} [[link]] {{{{a}}}} ", number * 7919)).collect();
    let page = (0, 999, "Long", "", &text[..]);
    let filler = page_xml(&page).repeat(2);
    let streams: Vec<u8> = [bz2(site("enwiki", "File")), bz2(&filler).repeat(60)].concat();
    let pages: String = ENGLISH.iter().map(page_xml).collect();
    place.write(EN_PAGES, [streams, bz2(filler.repeat(60) + &pages + "</mediawiki>")].concat());
    let filler =
        format!("INSERT INTO `pagelinks` VALUES (7,0,1){};\n", ",(1,0,2),(2,0,1)".repeat(60_000));
    place.write(SW_PAGELINKS, gz(sql("pagelinks", &PAGELINKS, &(filler.repeat(20) + LINKS))));
    let most = most_memory(&place, IMPORT);
    place.is_as_expected();
    eprintln!("{most} MiB");
    assert!(most < 128, "{most} MiB");
}

#[test]
fn clirmatrix_becomes_queries_documents_and_grades() {
    let place = Place::new();
    place.write(
        "train.jl",
        "{\"src_id\": \"7\", \"src_query\": \"rain \\u0026 hills\", \"tgt_results\": [[\"31\", 6], [\"32\", 3.0], [\"33\", 0]]}\n\n\
         {\"tgt_results\": [[33, 5], [\"31\", 1]], \"src_query\": \"sun\", \"src_id\": 8, \"more\": 1}\n",
    );
    place.write("dev.jl.gz", gz("{\"src_id\":\"9\",\"src_query\":\"sea\",\"tgt_results\":[]}\n"));
    place.write("sw.tsv.gz", gz("30\tjua\n31\tmvua\tmilima\n32\tmvua \n33\tjua kali\n"));
    let line = "import clirmatrix --queries train.jl --queries dev.jl.gz --documents sw.tsv.gz --out out/c";
    place.run(line).success();
    assert_eq!(place.read("out/c/queries.tsv"), "7\t7\train & hills\n8\t8\tsun\n9\t9\tsea\n");
    assert_eq!(
        place.read("out/c/documents.tsv"),
        "31\t31\tmvua milima\n32\t32\tmvua\n33\t33\tjua kali\n"
    );
    assert_eq!(
        place.read("out/c/relevance.tsv"),
        "7\t31\t2\n7\t32\t1\n7\t33\t0\n8\t33\t1\n8\t31\t1\n"
    );
    place.run(&format!("{line} --relevant 5")).success();
    assert!(place.read("out/c/relevance.tsv").contains("8\t33\t2\n"));
    place.run(&format!("{line} --keep-grades")).success();
    assert_eq!(
        place.read("out/c/relevance.tsv"),
        "7\t31\t6\n7\t32\t3\n7\t33\t0\n8\t33\t5\n8\t31\t1\n"
    );
    // And so they are read: a threshold between each two.
    let train = "train out/c --language sw --epochs 1 --negatives 1 --out out/m --thresholds";
    let assert = place.run(&format!("{train} 0.2,0.7")).code(1);
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(said.contains("grade `6`, expected a whole number from 0 to 2"), "{said}");
    fs::remove_dir_all(place.path("out/c")).unwrap();

    let line = "import clirmatrix --queries q.jl --documents sw.tsv.gz --out out";
    for (query, expected) in [
        ("{\"src_id\":\"7\",", "q.jl, line 1: EOF"),
        ("{\"src_id\":\"7\",\"src_query\":\"a\"}", "missing field `tgt_results`"),
        ("{\"src_id\":\"7\",\"src_query\":\"-\",\"tgt_results\":[]}", "query `7` has no words"),
        ("{\"src_id\":\"7 8\",\"src_query\":\"a\",\"tgt_results\":[]}", "id `7 8`"),
        ("{\"src_id\":\"7\",\"src_query\":\"a\",\"tgt_results\":[[\"31\",7]]}", "line 1: grade 7"),
        (
            "{\"src_id\":\"7\",\"src_query\":\"a\",\"tgt_results\":[[\"31\",1],[31,1]]}",
            "`31` is graded twice",
        ),
        (
            "\n{\"src_id\":\"7\",\"src_query\":\"a\",\"tgt_results\":[[\"99\",1]]}",
            "q.jl, line 2: document `99` is not in sw.tsv.gz",
        ),
    ] {
        place.write("q.jl", query);
        place.refuses(line, 1, &[expected]);
    }
    let query = "{\"src_id\":\"7\",\"src_query\":\"a\",\"tgt_results\":[[\"31\",1]]}\n";
    place.write("q.jl", query.repeat(2));
    place.refuses(line, 1, &["q.jl, line 2: a duplicate query"]);
    place.write("q.jl", query);
    place.write("sw.tsv.gz", gz("31\tmvua\nno tab\n"));
    place.refuses(line, 1, &["sw.tsv.gz, line 2: `no tab`, expected id, tab, text"]);
}

#[test]
fn lines_that_translate_each_other_become_pairs() {
    let place = Place::new();
    place.write("a.en", "\u{feff}Rain falls.\r\n\n Sun\tshines. \nSea");
    place.write("a.sw.gz", gz("Mvua inanyesha.\nhaiko\nJua linawaka.\nBahari\n"));
    place.run("import moses a.en a.sw.gz --set talk --out out/pairs.tsv").success();
    let expected = "talk\t1\t1\tRain falls.\tMvua inanyesha.\ntalk\t3\t3\tSun shines.\tJua linawaka.\ntalk\t4\t4\tSea\tBahari\n";
    assert_eq!(place.read("out/pairs.tsv"), expected);
    fs::remove_file(place.path("out/pairs.tsv")).unwrap();

    let line = "import moses a.en b.sw --out out/pairs.tsv";
    place.write("b.sw", "a\nb\nc\n");
    place.refuses(line, 1, &["a.en, line 4: b.sw ends before this line"]);
    place.write("b.sw", "a\nb\nc\nd\ne\n");
    place.refuses(line, 1, &["b.sw, line 5: a.en ends before this line"]);
    place.write("b.sw", b"a\nb\nc\n\xff\n");
    place.refuses(line, 1, &["b.sw, line 4: not UTF-8 at byte 1"]);
    place.write("b.sw", "\n\n\n\n");
    place.refuses(line, 1, &["no line has a translation"]);
}

#[test]
fn translation_memories_become_pairs() {
    let place = Place::new();
    let memory = "<?xml version=\"1.0\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n<tmx version=\"1.4\"><header srclang=\"en\">\
        <note>no seg</note></header><body>\n\
        <tu tuid=\"r1\"><tuv xml:lang=\"en-US\"><seg>Rain <bpt i=\"1\">{\\b <sub>x</sub></bpt><hi>falls</hi><ept i=\"1\">}</ept> &amp; \
        stops&#33;</seg></tuv>\n<tuv xml:lang=\"SW_ke\"><seg>Mvua\n  inanyesha</seg></tuv></tu>\n\
        <tu><tuv lang=\"sw\"><seg>Jua</seg></tuv><tuv lang=\"en\"><seg>Sun</seg></tuv><tuv lang=\"en\"><seg>Two</seg></tuv></tu>\n\
        <tu><tuv xml:lang=\"eng\"><seg>No</seg></tuv><tuv xml:lang=\"sw\"><seg>La</seg></tuv></tu>\n</body></tmx>\n";
    place.write("m.tmx", memory);
    place.run("import tmx m.tmx --to sw --out out/pairs.tsv").success();
    let expected = "tmx\t1\tr1\tRain falls & stops!\tMvua inanyesha\ntmx\t2\t2\tSun\tJua\n";
    assert_eq!(place.read("out/pairs.tsv"), expected);
    fs::remove_file(place.path("out/pairs.tsv")).unwrap();

    let line = "import tmx m.tmx --to sw --out out/pairs.tsv";
    place.refuses(&line.replace("--to sw", "--to fr"), 1, &["m.tmx: no unit has both en and fr"]);
    for (old, new, expected) in [
        ("</tmx>", "", "line 10: it ends before </tmx>"),
        ("</seg></tuv>\n", "</seg>\n", "invalid XML"),
        ("<tmx version=\"1.4\">", "<xliff>", "not TMX: expected <tmx> at the start"),
    ] {
        place.write("m.tmx", memory.replacen(old, new, 1));
        place.refuses(line, 1, &["m.tmx, line ", expected]);
    }
    place.write("m.tmx", memory.replace("<hi>", &"<hi>".repeat(99)));
    place.refuses(line, 1, &["elements nested deeper than 64"]);
    let utf16: Vec<u8> = memory.encode_utf16().flat_map(u16::to_le_bytes).collect();
    place.write("m.tmx", utf16);
    place.refuses(line, 1, &["m.tmx"]);
}

#[test]
fn topics_of_trec_and_clef_become_queries() {
    let place = Place::new();
    place.write(
        "trec.txt",
        "<top>\n\n<num> Number: 301 \n<title> Rain in\nhills\n\n<desc> Description: \nWhen does it rain &amp; stop?\n\n\
         <narr> Narrative: \nAll of it.\n\n</top>\n<top>\n<num> Number: 302\n<title> Sun\n</top>\n",
    );
    place.run("import topics trec.txt --out out/t").success();
    assert_eq!(
        place.read("out/t/queries.tsv"),
        "301\tRain in hills\tRain in hills\n302\tSun\tSun\n"
    );
    place.write("qrels", "301 0 d2 3\n301 0 d1 0\n302 0 d1 1\n999 0 d1 1\n");
    place
        .run("import topics trec.txt --fields title,description --qrels qrels --out out/t")
        .success();
    assert_eq!(
        place.read("out/t/queries.tsv"),
        "301\tRain in hills\tRain in hills When does it rain & stop?\n302\tSun\tSun\n"
    );
    assert_eq!(place.read("out/t/relevance.tsv"), "301\td1\t0\n301\td2\t2\n302\td1\t1\n");
    place.write(
        "clef.xml",
        "<?xml version=\"1.0\"?>\n<topics>\n<topic lang=\"en\"><identifier>10.2452/401-AH</identifier>\n\
         <title>Rain</title>\n<description>When?</description></topic>\n<top><num>C041</num><EN-title> Sea </EN-title>\
         <EN-desc> Which\nsea? </EN-desc></top></topics>\n",
    );
    place.run("import topics clef.xml --fields description --out out/t").success();
    assert_eq!(
        place.read("out/t/queries.tsv"),
        "10.2452/401-AH\tRain\tWhen?\nC041\tSea\tWhich sea?\n"
    );
    fs::remove_dir_all(place.path("out/t")).unwrap();

    for (topics, expected) in [
        ("<top>\n<num>1\n<title>a\n", "line 3: it ends within a topic"),
        ("<top><title>a</top>", "line 1: topic number ``"),
        ("\n<top><num>1</top>", "line 2: topic `1` has none of the requested fields"),
        ("<top><num>1<title>a</top>\n<top><num>1<title>a</top>", "line 2: a duplicate topic"),
        ("<top><num>1<top>", "a topic within a topic"),
        ("<top><num>1<title", "`<title` without `>`"),
        ("nothing", "t.txt: expected <top> or <topic>"),
    ] {
        place.write("t.txt", topics);
        place.refuses("import topics t.txt --out out", 1, &[expected]);
    }
    place.write("qrels", "999 0 d1 1\n");
    place.refuses(
        "import topics trec.txt --qrels qrels --out out",
        1,
        &["no judgement of these topics"],
    );
}

#[cfg(feature = "download")]
mod download {
    use std::collections::HashMap;
    use std::io::{BufRead, BufReader, Write};
    use std::net::{TcpListener, TcpStream};
    use std::sync::{Arc, Mutex};

    use sha1::{Digest, Sha1};

    use super::*;

    const SUMS: [&str; 2] =
        ["/enwiki/latest/enwiki-latest-sha1sums.txt", "/swwiki/latest/swwiki-latest-sha1sums.txt"];
    const PAGES: &str = "/swwiki/20250101/swwiki-20250101-pages-articles.xml.bz2";

    /// What a server has and does.
    #[derive(Default)]
    struct Server {
        files: HashMap<String, Vec<u8>>,
        /// Sent for a path before it works: so many times a status, or half of what is asked for.
        failing: Mutex<HashMap<String, Vec<Fails>>>,
        /// Paths asked for, and from which byte on.
        asked: Mutex<Vec<(String, usize)>>,
        knows_ranges: bool,
    }

    #[derive(Clone, Copy)]
    enum Fails {
        Status(u16),
        Half,
        Silent,
    }

    fn sum(bytes: &[u8]) -> String {
        Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The toy's dumps, on a server instead of in a folder.
    fn server(place: &Place) -> Server {
        let mut server = Server { knows_ranges: true, ..Server::default() };
        let mut lists = [String::new(), String::new()];
        for name in [EN_PAGES, SW_PAGES, EN_LANGLINKS, SW_PAGELINKS, SW_LINKTARGET] {
            let bytes = fs::read(place.path(name)).unwrap();
            fs::remove_file(place.path(name)).unwrap();
            let name = name.strip_prefix("dumps/").unwrap();
            lists[usize::from(name.starts_with("sw"))] += &format!("{}  {name}\n", sum(&bytes));
            server.files.insert(format!("/{}/20250101/{name}", &name[..6]), bytes);
        }
        for (path, list) in SUMS.into_iter().zip(lists) {
            server.files.insert(path.into(), list.into_bytes());
        }
        server
    }

    impl Server {
        fn fails(&self, path: &str, how: &[Fails]) {
            self.failing.lock().unwrap().insert(path.into(), how.to_vec());
        }

        /// Serves until the test ends; the command line that imports from it.
        fn start(self) -> (Arc<Self>, String) {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap();
            let server = Arc::new(self);
            let serving = Arc::clone(&server);
            std::thread::spawn(move || {
                for stream in listener.incoming() {
                    let _ = serving.answer(stream.unwrap());
                }
            });
            let options = "--retry-milliseconds 1 --download --mirror http:/";
            (server, format!("{IMPORT} {options}/{address}/"))
        }

        fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
            let mut lines = BufReader::new(stream.try_clone()?).lines();
            let first = lines.next().unwrap_or(Ok(String::new()))?;
            let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
            let mut from = 0;
            for line in lines {
                let line = line?.to_lowercase();
                if let Some(range) = line.strip_prefix("range: bytes=") {
                    from = range.trim_end_matches('-').parse().unwrap();
                }
                if line.is_empty() {
                    break;
                }
            }
            self.asked.lock().unwrap().push((path.clone(), from));
            let mut failing = self.failing.lock().unwrap();
            let fails = failing.get_mut(&path).filter(|fails| !fails.is_empty());
            let fails = fails.map(|fails| fails.remove(0));
            drop(failing);
            let Some(bytes) = self.files.get(&path) else {
                return write!(
                    stream,
                    "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                );
            };
            let from = if self.knows_ranges { from } else { 0 };
            let status = match (fails, from) {
                (Some(Fails::Silent), _) => return Ok(()),
                (Some(Fails::Status(status)), _) => {
                    return write!(
                        stream,
                        "HTTP/1.1 {status} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    );
                }
                (_, 0) => "200 OK",
                (_, from) if from >= bytes.len() => {
                    return write!(
                        stream,
                        "HTTP/1.1 416 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    );
                }
                _ => "206 Partial Content",
            };
            let rest = &bytes[from..];
            write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                rest.len()
            )?;
            let end = if fails.is_some() { rest.len() / 2 } else { rest.len() };
            stream.write_all(&rest[..end])
        }

        fn asked_for(&self, path: &str) -> Vec<usize> {
            let asked = self.asked.lock().unwrap();
            asked.iter().filter(|(asked, _)| asked == path).map(|&(_, from)| from).collect()
        }
    }

    #[test]
    fn dumps_are_fetched_checked_and_gone_on_with() {
        let place = wikis();
        let server = server(&place);
        let half = server.files[PAGES].len() / 2;
        server.fails(PAGES, &[Fails::Status(503), Fails::Half, Fails::Silent, Fails::Status(429)]);
        server.fails(SUMS[1], &[Fails::Status(500), Fails::Half]);
        let (server, line) = server.start();
        place.run(&line).success();
        place.is_as_expected();
        assert_eq!(server.asked_for(PAGES), [0, 0, half, half, half]);
        // What is there is not fetched again.
        fs::remove_dir_all(place.path("out")).unwrap();
        place.run(&line).success();
        place.is_as_expected();
        assert_eq!(server.asked_for(PAGES).len(), 5);
        // Unless it is another one.
        place.write(SW_PAGES, "other");
        fs::remove_dir_all(place.path("out")).unwrap();
        place.import_refuses(
            &line,
            &["swwiki-20250101-pages-articles.xml.bz2: its SHA-1 is", "remove it"],
        );
    }

    #[test]
    fn a_server_without_ranges_sends_all_again() {
        let place = wikis();
        let mut server = server(&place);
        server.knows_ranges = false;
        server.fails(PAGES, &[Fails::Half]);
        let half = server.files[PAGES].len() / 2;
        let (server, line) = server.start();
        place.run(&line).success();
        place.is_as_expected();
        assert_eq!(server.asked_for(PAGES), [0, half]);
    }

    #[cfg(unix)]
    #[test]
    fn a_download_writes_to_no_link() {
        let place = wikis();
        let (_server, line) = server(&place).start();
        place.write("precious", "not to be lost");
        let part = place.path(&format!("{SW_PAGES}.part"));
        std::os::unix::fs::symlink(place.path("precious"), &part).unwrap();
        place.import_refuses(&line, &["it is a link, which is not followed"]);
        assert_eq!(place.read("precious"), "not to be lost");
        assert!(part.is_symlink());
    }

    #[test]
    fn what_cannot_be_fetched_or_is_not_what_the_list_says_is_named() {
        let place = wikis();
        let mut broken = server(&place);
        let list = broken.files[SUMS[1]].clone();
        // All that a cut download has, and more.
        let pages = broken.files[PAGES].clone();
        place.write(&format!("{SW_PAGES}.part"), [&pages[..], b"x"].concat());
        broken.fails(SUMS[0], &[Fails::Silent; 6]);
        broken.fails("/enwiki/20250101/enwiki-20250101-langlinks.sql.gz", &[Fails::Status(404)]);
        broken.files.get_mut(PAGES).unwrap()[100] ^= 1;
        let (broken, line) = broken.start();
        place.import_refuses(&line, &[SUMS[0], "cannot be read"]);
        assert_eq!(broken.asked_for(SUMS[0]).len(), 6);
        place.import_refuses(&line, &["langlinks.sql.gz: cannot be read: the server says 404"]);
        // The file that was cut is dropped, then the server's own is no better.
        for _ in 0..2 {
            place.import_refuses(
                &line,
                &["swwiki-20250101-pages-articles.xml.bz2: its SHA-1 is", "the dump's list says"],
            );
            assert!(
                !place.path(&format!("{SW_PAGES}.part")).exists() && !place.path(SW_PAGES).exists()
            );
        }
        let mut server =
            Server { knows_ranges: true, files: broken.files.clone(), ..Server::default() };
        let list = String::from_utf8(list).unwrap().replace("pagelinks", "other");
        server.files.insert(SUMS[1].into(), list.into_bytes());
        let (_, line) = server.start();
        place.import_refuses(
            &line,
            &["swwiki-latest-sha1sums.txt: it does not list pagelinks.sql.gz"],
        );
        let line = format!("{line} --date 20240101");
        place.import_refuses(
            &line,
            &["/enwiki/20240101/enwiki-20240101-sha1sums.txt: cannot be read"],
        );
    }
}
