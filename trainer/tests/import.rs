//! Other people's collections, written small by hand, and what is made of them.
#![allow(clippy::unwrap_used, clippy::panic)]

mod toy;

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use bzip2::Compression;
use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use toy::Place;

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
        "no column `pl_namespace`; there are pl_from, pl_title",
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
        let mut command = toy::clir();
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
    let props = "INSERT INTO `page_props` VALUES (9,'defaultsort','x'),(9,'disambiguation','');";
    place.write(
        "dumps/swwiki-20250101-page_props.sql.gz",
        gz(sql("page_props", &["pp_page", "pp_propname", "pp_value"], props)),
    );
    let mut pages = SWAHILI;
    pages[4].4 = "Afrika ni bara. {{Tofautisha|x}}";
    place.write(SW_PAGES, bz2(dump("swwiki", "Faili", &pages)));
    place.run(&format!("{IMPORT} --disambiguation Tofautisha")).code(1);
    // page_props above has two columns in its rows and three in its table: told, not guessed.
    let props = props.replace(",'x')", ",'x',1)").replace("('", "('");
    let props = props.replace("(9,'disambiguation','')", "(9,'disambiguation','',NULL)");
    place.write(
        "dumps/swwiki-20250101-page_props.sql.gz",
        gz(sql("page_props", &["pp_page", "pp_propname", "pp_value", "pp_sortkey"], &props)),
    );
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
    for (cut, expected) in [
        ("/*!40000", "it ends before the dump is completed"),
        (";\n\n/*!40000 ALTER", ", line "),
        (",(9", "line "),
        ("-- Dump completed", "dump is completed"),
    ] {
        let mut text =
            half(sql("langlinks", &LANGLINKS, LINKED), cut.split('!').next().map_or(cut, |_| cut));
        text = text.replace("ENABLE KEYS", "");
        if !sql("langlinks", &LANGLINKS, LINKED).contains(cut) {
            continue;
        }
        place.write(EN_LANGLINKS, gz(text));
        place.import_refuses(IMPORT, &[EN_LANGLINKS, expected]);
    }
}

#[test]
fn tables_that_are_wrong_are_told_with_their_line() {
    let place = wikis();
    // The rows begin in line 20 of the file.
    for (rows, expected) in [
        ("INSERT INTO `langlinks` VALUES (1,'sw');", "line 20: a row of 2 value(s), expected 3"),
        (
            "\n\nINSERT INTO `langlinks` VALUES ('x','sw','A');",
            "line 22: `x`, expected a number below 2^32",
        ),
        (
            "INSERT INTO `langlinks` VALUES (99999999999,'sw','A');",
            "`99999999999`, expected a number",
        ),
        ("INSERT INTO `langlinks` VALUES (NULL,'sw','A');", "`NULL`, expected a number"),
        (
            "INSERT INTO `langlinks` VALUES (1,'sw','A')(2,'sw','B');",
            "line 20: `(`, expected `,` or `;` after a row",
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
        ("</revision>", "</version>", "no XML as it should be"),
        ("<mediawiki", "<feed", "line 1: no dump of pages"),
        ("Afrika</title>", "Nairobi</title>", "the page `Nairobi` is there twice"),
    ] {
        assert!(whole.contains(old));
        place.write(SW_PAGES, bz2(whole.replacen(old, new, 1)));
        place.import_refuses(IMPORT, &[expected]);
    }
    let deep = "<a>".repeat(100);
    place.write(SW_PAGES, bz2(whole.replacen("<page>", &deep, 1)));
    place.import_refuses(IMPORT, &["elements deeper than 64"]);
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
    for text in 0..toy::TEXTS {
        let (id, title) = (text as u32 + 1, format!("Title {text}"));
        english +=
            &page_xml(&(0, id, &title, "", &format!("'''{title}''' [[{}]].", toy::query(text))));
        swahili += &page_xml(&(0, id, &format!("Titre {text}"), "", &toy::document(text)));
        linked += &format!(",({id},'sw','Titre {text}')");
        targets += &format!(",({id},0,'Titre_{text}')");
        for other in 0..toy::TEXTS {
            let shared =
                toy::ideas(other).iter().filter(|idea| toy::ideas(text).contains(idea)).count();
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
    assert_eq!(splits.lines().count(), toy::TEXTS);
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
    // 200 MB of pages that nobody asks for, in streams and in one stream, and 80 MB of links.
    let page = (0, 999, "Long", "", &"word [[link]] {{template}} ".repeat(20_000)[..]);
    let filler = page_xml(&page).repeat(2);
    let streams: Vec<u8> = [bz2(site("enwiki", "File")), bz2(&filler).repeat(90)].concat();
    let pages: String = ENGLISH.iter().map(page_xml).collect();
    place.write(EN_PAGES, [streams, bz2(filler.repeat(90) + &pages + "</mediawiki>")].concat());
    let filler =
        format!("INSERT INTO `pagelinks` VALUES (7,0,1){};\n", ",(1,0,2),(2,0,1)".repeat(60_000));
    place.write(SW_PAGELINKS, gz(sql("pagelinks", &PAGELINKS, &(filler.repeat(80) + LINKS))));
    let most = most_memory(&place, IMPORT);
    place.is_as_expected();
    assert!(most < 192, "{most} MiB");
}
