//! The limits of what people's files hold: what is below a limit or at it is read, what is above it is refused by a message that names it, or left out.

use std::fs;
use std::path::Path;

use smooth_clir::encoder::Table;
use smooth_clir::text::vocabulary::Vocabulary;

use crate::data::documents::{Reading, Source, Wrong};
use crate::error::Error;
use crate::limits::*;
use crate::vectors;

/// The sizes below a limit, at it and above it.
fn around(limit: usize) -> [usize; 3] {
    [limit - 1, limit, limit + 1]
}

/// Reads a file of these bytes. Why it is refused, if it is.
fn refusal<T>(
    name: &str,
    bytes: &[u8],
    read: impl FnOnce(&Path) -> Result<T, Error>,
) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    read(&path).err().map(|error| error.to_string())
}

/// Holds that files up to a limit are read, and that one above it is refused with these words.
fn holds(limit: usize, refused: impl Fn(usize) -> Option<String>, words: &str) {
    for size in around(limit) {
        let why = refused(size);
        assert_eq!(why.is_some(), size > limit, "{size} of {limit}: {why:?}");
        assert!(why.as_ref().is_none_or(|why| why.contains(words)), "{size}: {why:?}");
    }
}

/// Reads vectors of the word "sea"; what its row becomes.
fn row_of_sea(path: &Path) -> Result<Vec<f32>, Error> {
    let vocabulary = Vocabulary::from_tokens(["sea"]).unwrap();
    let mut table = Table::new(1, vec![0.0]);
    vectors::read(path, &vocabulary, &mut table)?;
    Ok(table.values().to_vec())
}

#[test]
fn a_line_of_vectors_has_at_most_its_bytes() {
    let refused = |size: usize| {
        let long = format!("{} 0.5", "x".repeat(size - " 0.5".len()));
        refusal("words.vec", format!("2 1\nsea 0.25\n{long}\n").as_bytes(), row_of_sea)
    };
    holds(LINE_BYTES, refused, "within 1048576 bytes, the limit of a line or word");
}

#[test]
fn a_sitemap_leads_to_at_most_so_many() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::write(root.join("a.html"), "<p>rain").unwrap();
    let urls = "<urlset><url><loc>https://x.example/a.html</loc></url></urlset>";
    (0..SITEMAPS).for_each(|number| fs::write(root.join(format!("{number}.xml")), urls).unwrap());
    // The first counts too.
    let refused = |count: usize| {
        let further = (0..count - 1)
            .map(|number| format!("<sitemap><loc>https://x.example/{number}.xml</loc></sitemap>"));
        let path = root.join("sitemap.xml");
        fs::write(&path, format!("<sitemapindex>{}</sitemapindex>", further.collect::<String>()))
            .unwrap();
        let languages = ["fr".to_owned()];
        let reading = Reading { languages: &languages, ..Reading::default() };
        let source = Source::find(&path, &languages);
        let read = source.and_then(|source| source.read(reading, Wrong::IsRefused));
        read.err().map(|error| error.to_string())
    };
    holds(SITEMAPS, refused, "more than 1000 sitemaps");
}

#[test]
fn a_site_lies_at_most_so_many_folders_below_its_host() {
    let refused = |folders: usize| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.html"), "<p>rain").unwrap();
        let path = folder.path().join("sitemap.xml");
        let urls = format!(
            "<urlset><url><loc>https://x.example/{}a.html</loc></url></urlset>",
            "x/".repeat(folders)
        );
        fs::write(&path, urls).unwrap();
        let languages = ["fr".to_owned()];
        let reading = Reading { languages: &languages, ..Reading::default() };
        let source = Source::find(&path, &languages);
        let read = source.and_then(|source| source.read(reading, Wrong::IsRefused));
        read.err().map(|error| error.to_string())
    };
    holds(SITE_FOLDERS, refused, "none of its pages has a file beside it");
}

#[cfg(feature = "import")]
mod import {
    use super::{holds, refusal};
    use crate::import::readers::{read_memory, read_pages, read_table};
    use crate::limits::import::*;

    #[test]
    fn elements_of_xml_are_so_deep_at_most() {
        let memory = |depth: usize| {
            let own = ["tmx", "body", "tu", "tuv", "seg"].len();
            let (open, close) = ("<hi>".repeat(depth - own), "</hi>".repeat(depth - own));
            let unit = |language: &str| {
                format!("<tuv xml:lang=\"{language}\"><seg>{open}a{close}</seg></tuv>")
            };
            format!("<tmx><body><tu>{}{}</tu></body></tmx>", unit("en"), unit("fr"))
        };
        holds(
            XML_DEPTH,
            |depth| refusal("m.tmx", memory(depth).as_bytes(), read_memory),
            "deeper than 64",
        );
    }

    #[test]
    fn a_segment_has_at_most_its_bytes() {
        let memory = |size: usize| {
            let unit = |language: &str| {
                format!("<tuv xml:lang=\"{language}\"><seg>{}</seg></tuv>", "a".repeat(size))
            };
            format!("<tmx><body><tu>{}{}</tu></body></tmx>", unit("en"), unit("fr"))
        };
        let refused = |size| refusal("m.tmx", memory(size).as_bytes(), read_memory);
        holds(SEGMENT_BYTES, refused, "a segment of more than 1048576 bytes");
    }

    #[test]
    fn a_piece_of_xml_has_at_most_its_bytes() {
        let memory = |size: usize| format!("<tmx>{}</tmx>", " ".repeat(size));
        let refused = |size: usize| refusal("m.tmx", memory(size).as_bytes(), read_memory);
        holds(XML_BYTES, refused, "more than 16777216 bytes without markup");
    }

    #[test]
    fn a_page_has_at_most_its_bytes() {
        let dump = |size: usize| {
            let text = "a".repeat(size);
            let page = format!(
                "<page><title>A</title><ns>0</ns><id>1</id><revision><id>2</id><text>{text}</text></revision></page>"
            );
            format!("<mediawiki><siteinfo><dbname>xxwiki</dbname></siteinfo>{page}</mediawiki>")
        };
        let refused = |size| refusal("pages.xml", dump(size).as_bytes(), read_pages);
        holds(PAGE_BYTES, refused, "a text of more than 8388608 bytes");
    }

    #[test]
    fn a_value_of_sql_has_at_most_its_bytes() {
        let dump = |size: usize| {
            format!(
                "CREATE TABLE `langlinks` (\n  `ll_from` int,\n  `ll_lang` blob,\n  `ll_title` blob\n) ENGINE=InnoDB;\nINSERT INTO `langlinks` VALUES (1,'sw','{}');\n-- Dump completed\n",
                "a".repeat(size)
            )
        };
        let refused = |size| refusal("langlinks.sql", dump(size).as_bytes(), read_table);
        holds(SQL_BYTES, refused, "a value of more than 1048576 bytes");
    }
}
