//! A collection: its pages and files of records become documents, each of a language.

use std::collections::HashMap;
use std::io::BufRead;
use std::sync::Arc;

use smooth_clir::model::QUERY_LANGUAGE;

use crate::document::{Document, Found, Part};
use crate::error::Error;
use crate::fields::Wanted;
use crate::language;
use crate::limits;
use crate::page::{self, Page};
use crate::passages;
use crate::records::{self, RecordFormat};
use crate::repeated;
use crate::report::Report;

/// The most words of a passage of a page, where nothing else is said.
pub const PAGE_WORDS: usize = 200;

/// Fewer paragraphs than one in so many are too few for a language of their own.
const FEW: usize = 100;

/// What becomes of documents in English, which a model from English to other languages has no document encoder for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum English {
    /// They are indexed as English documents, by the query encoder.
    #[default]
    Index,
    /// They are left out.
    Skip,
    /// They are taken for documents of the language that was given, the only one, or that of most of their page.
    Keep,
}

/// Documents of a file of records whose languages are told together.
const TOGETHER: usize = 256;

/// Calls a function with each of some documents, in any order and on any number of threads.
pub type ForEach<'a> = &'a dyn Fn(&mut [Found], &(dyn Fn(&mut Found) + Sync));

/// How a collection is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reading<'a> {
    /// The language of documents that do not state another; `None`, if it is to be told by their words.
    pub language: Option<&'a str>,
    /// The languages that can be indexed, without that of queries: documents in others are left out.
    pub languages: &'a [String],
    /// What becomes of documents in English.
    pub english: English,
    /// The most words of a passage; `None` cuts pages only, into passages of 200.
    pub words: Option<usize>,
    /// The names of the fields that are kept.
    pub fields: &'a [String],
    /// The beginning of all ids: it tells documents of one collection from those of another with the same ids.
    pub prefix: &'a str,
}

/// A collection that is being read. Pages are kept until it is [finished](Self::finish): what they share is known
/// only then.
#[derive(Debug)]
pub struct Collection<'a> {
    reading: Reading<'a>,
    wanted: Wanted<'a>,
    documents: Vec<Document>,
    pages: Vec<Found>,
    report: Report,
}

/// The documents of a collection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Read {
    /// Those that are to be indexed: of records, then of pages, in the order of reading.
    pub documents: Vec<Document>,
    /// What was left out, and why.
    pub report: Report,
}

impl<'a> Collection<'a> {
    /// An empty collection.
    pub fn new(reading: Reading<'a>) -> Self {
        let wanted = Wanted::new(reading.fields);
        Self {
            reading,
            wanted,
            documents: Vec::new(),
            pages: Vec::new(),
            report: Report::default(),
        }
    }

    /// Adds a page. A page without words is left out.
    ///
    /// # Errors
    /// What is wrong with it. It is left out then, and others can be added.
    pub fn page(&mut self, page: &Page<'_>) -> Result<(), Error> {
        match page::read(page, &mut self.wanted) {
            Ok(Some(found)) => self.pages.push(found),
            Ok(None) => self.report.leave_out(page.place, "it has no words", false),
            Err(error) => {
                self.leave_out(page.place, &error, true);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Notes that a file is left out; `is_wrong` says whether something is wrong with it.
    pub fn leave_out(&mut self, place: &str, reason: impl std::fmt::Display, is_wrong: bool) {
        self.report.leave_out(place, reason, is_wrong);
    }

    /// Adds the documents of a file of records.
    ///
    /// # Errors
    /// What is wrong, and in which line.
    pub fn records(&mut self, format: RecordFormat, reader: impl BufRead) -> Result<(), Error> {
        let mut documents = std::mem::take(&mut self.documents);
        let read = self.each_record(format, reader, &mut |document| {
            documents.push(document);
            Ok(())
        });
        self.documents = documents;
        read
    }

    /// Calls `take` with each document of a file of records, of any length; it says what is wrong with one. The
    /// documents are not added.
    ///
    /// # Errors
    /// As [`records`](Self::records).
    pub fn each_record(
        &mut self,
        format: RecordFormat,
        reader: impl BufRead,
        take: &mut dyn FnMut(Document) -> Result<(), String>,
    ) -> Result<(), Error> {
        self.each_record_by(&|all, tell| all.iter_mut().for_each(tell), format, reader, take)
    }

    /// As [`each_record`](Self::each_record); `for_each` calls what takes the most time, on threads where it has some.
    ///
    /// # Errors
    /// As [`records`](Self::records).
    pub fn each_record_by(
        &mut self,
        for_each: ForEach<'_>,
        format: RecordFormat,
        reader: impl BufRead,
        take: &mut dyn FnMut(Document) -> Result<(), String>,
    ) -> Result<(), Error> {
        let Self { reading, wanted, report, .. } = self;
        let reading = &*reading;
        let mut take_all = |waiting: &mut Vec<Found>| {
            for_each(waiting, &|found| drop(tell(found, reading)));
            waiting.drain(..).try_for_each(|found| {
                let line = found.line;
                cut(found, reading.words, reading, report)
                    .map_err(|error| error.to_string())
                    .and_then(|passages| passages.into_iter().try_for_each(&mut *take))
                    .map_err(|problem| Error::Line { line, problem })
            })
        };
        let (mut waiting, mut refused) = (Vec::new(), None);
        let read = records::read(format, reader, wanted, &mut |found| {
            waiting.push(found);
            if waiting.len() < TOGETHER {
                return Ok(());
            }
            // It is one of the documents that waited, in a line of its own.
            take_all(&mut waiting).map_err(|error| {
                refused = Some(error);
                String::new()
            })
        });
        match refused {
            Some(error) => Err(error),
            // What came before a line that is wrong is taken first.
            None => take_all(&mut waiting).and(read),
        }
    }

    /// Its documents.
    ///
    /// # Errors
    /// [`Error::NoField`], if no document had a field that was asked for.
    pub fn finish(mut self) -> Result<Read, Error> {
        let mut pages = std::mem::take(&mut self.pages);
        self.report.repeated = repeated::leave_out(&mut pages);
        let expected: Vec<Arc<str>> =
            pages.iter_mut().map(|found| tell(found, &self.reading)).collect();
        if self.reading.english != English::Keep {
            take_for_their_page_s(&mut pages, &expected, self.reading.languages);
        }
        for found in pages {
            if found.parts.is_empty() {
                self.report.leave_out(&found.id, "it has no words of its own", false);
                continue;
            }
            let place = found.id.clone();
            let words = Some(self.reading.words.unwrap_or(PAGE_WORDS));
            match cut(found, words, &self.reading, &mut self.report) {
                Ok(passages) => self.documents.extend(passages),
                Err(error) => self.report.leave_out(&place, error, true),
            }
        }
        self.wanted.check()?;
        Ok(Read { documents: self.documents, report: self.report })
    }
}

/// The passages of a document that are indexed.
fn cut(
    mut found: Found,
    words: Option<usize>,
    reading: &Reading<'_>,
    report: &mut Report,
) -> Result<Vec<Document>, Error> {
    found.id.insert_str(0, reading.prefix);
    let has_words = found.parts.iter().any(|part| !part.text.trim().is_empty());
    let mut passages = match has_words {
        true => passages::cut(found, words)?,
        false => vec![without_words(found)],
    };
    passages.retain(|passage| {
        let language = &passage.language;
        let is_indexed = reading.languages.contains(language)
            || language == QUERY_LANGUAGE
                && (reading.english == English::Index || reading.language == Some(QUERY_LANGUAGE));
        report.count(language, is_indexed);
        is_indexed
    });
    Ok(passages)
}

/// A record without words, which is a document all the same: whoever counts or judges documents knows its id.
fn without_words(found: Found) -> Document {
    let Found { id, title, parts, fields, language, .. } = found;
    let language = match (parts.first(), language) {
        (Some(part), _) => part.language.to_string(),
        (None, language) => language.unwrap_or_default(),
    };
    Document { id, title, language, fields, ..Document::default() }
}

/// Takes paragraphs in a language that can be indexed for ones in the language of their page, of `expected`, where no page is in that
/// language and they are fewer than one in [`FEW`]: they are code and lists of names, and each visitor would fetch the part of the model
/// for their language.
fn take_for_their_page_s(pages: &mut [Found], expected: &[Arc<str>], languages: &[String]) {
    let mut counts: HashMap<Arc<str>, usize> = HashMap::new();
    let parts = || pages.iter().flat_map(|found| &found.parts);
    parts().for_each(|part| *counts.entry(Arc::clone(&part.language)).or_default() += 1);
    let few = parts().count() / FEW;
    counts.retain(|language, count| {
        *count < few
            && languages.iter().any(|name| **name == **language)
            && !expected.contains(language)
    });
    for (found, expected) in pages.iter_mut().zip(expected) {
        for part in found.parts.iter_mut().filter(|part| counts.contains_key(&part.language)) {
            part.language = Arc::clone(expected);
        }
    }
}

/// Tells the language of each paragraph: that of the document, one of those that can be indexed, or English. Returns that of the
/// document.
fn tell(found: &mut Found, reading: &Reading<'_>) -> Arc<str> {
    let stated = found.language.as_deref().or(reading.language);
    let parts = &mut found.parts;
    let beginning = beginning_of(parts);
    let mut among = reading.languages.to_vec();
    among.push(QUERY_LANGUAGE.to_owned());
    let of_all = language::told(&beginning, stated, if stated.is_none() { &among } else { &[] });
    let expected = match (stated, &of_all) {
        (Some(stated), _) => stated.to_owned(),
        (None, Some(told)) => told.clone(),
        (None, None) => {
            let guessed = language::guessed(&beginning, &among);
            guessed.or_else(|| reading.languages.first().cloned()).unwrap_or_default()
        }
    };
    let expected: Arc<str> = expected.into();
    let is_told = parts.len() == 1 && of_all.is_some() == stated.is_none();
    let told = match is_told {
        // It would be told by the same words again, and not against what they told.
        true => vec![(1, Arc::clone(&expected))],
        false => told_in_groups(parts, &expected, among, of_all),
    };
    let of_english: Option<Arc<str>> = match reading.english {
        English::Keep => {
            let other = [reading.language, found.language.as_deref()].into_iter().flatten();
            let only = reading.languages.first().filter(|_| reading.languages.len() == 1);
            let others = other.chain(only.map(String::as_str)).chain([&*expected]);
            let mut others = others.filter(|name| *name != QUERY_LANGUAGE);
            others.next().map(Arc::from)
        }
        English::Index | English::Skip => None,
    };
    let mut start = 0;
    for (end, language) in told {
        let language =
            of_english.as_ref().filter(|_| &*language == QUERY_LANGUAGE).unwrap_or(&language);
        parts[start..end].iter_mut().for_each(|part| part.language = Arc::clone(language));
        start = end;
    }
    expected
}

/// The languages of paragraphs: where each run of one language ends. They are of the `expected` language of their document, of one
/// `among` some or of that of the document's words, `of_all`.
fn told_in_groups(
    parts: &[Part],
    expected: &Arc<str>,
    mut among: Vec<String>,
    of_all: Option<String>,
) -> Vec<(usize, Arc<str>)> {
    among.extend(of_all);
    let mut told: Vec<(usize, Arc<str>)> = Vec::new();
    let (mut start, mut words) = (0, 0);
    for end in 1..=parts.len() {
        words += language::count(&parts[end - 1].text);
        // Short paragraphs are told together.
        if words >= language::WORDS || end == parts.len() {
            let texts: Vec<&str> = parts[start..end].iter().map(|part| &*part.text).collect();
            let language = match language::told(&texts.join(" "), Some(expected), &among) {
                Some(language) => language.into(),
                // Too few words go with those before them.
                None if words < language::WORDS => {
                    told.last().map_or(Arc::clone(expected), |(_, last)| Arc::clone(last))
                }
                None => Arc::clone(expected),
            };
            told.push((end, language));
            (start, words) = (end, 0);
        }
    }
    told
}

/// The beginning of a document, as long as its language is told by it.
fn beginning_of(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        text += &part.text;
        text.push(' ');
        if text.len() >= limits::TOLD_BYTES {
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::PageFormat;
    use crate::report::Count;

    const FRENCH: &str = "La pluie tombe depuis hier sur la montagne, et le vent souffle dans les arbres de la forêt.";
    const ITALIAN: &str =
        "La pioggia cade da ieri sulla montagna, e il vento soffia tra gli alberi della foresta.";
    const ENGLISH_TEXT: &str = "Rain has been falling on the mountain since yesterday, and the wind blows through the trees.";
    const GERMAN: &str =
        "Seit gestern fällt der Regen auf den Berg, und der Wind weht durch die Bäume des Waldes.";

    /// The languages and ids of the documents of some pages, and the report.
    fn read(reading: Reading<'_>, pages: &[(&str, String)]) -> (Vec<(String, String)>, Report) {
        let languages = ["fr", "it"].map(str::to_owned);
        let reading = Reading { languages: &languages, ..reading };
        let mut collection = Collection::new(reading);
        for (place, text) in pages {
            let (format, bytes) = (PageFormat::of(place).unwrap(), text.as_bytes());
            collection.page(&Page { place, format, bytes, changed: None }).unwrap();
        }
        let Read { documents, report } = collection.finish().unwrap();
        (documents.into_iter().map(|found| (found.language, found.id)).collect(), report)
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|&(language, id)| (language.to_owned(), id.to_owned())).collect()
    }

    fn html(head: &str, paragraphs: &[&str]) -> String {
        let paragraphs: Vec<String> = paragraphs.iter().map(|text| format!("<p>{text}")).collect();
        format!("{head}{}", paragraphs.concat())
    }

    #[test]
    fn a_page_is_of_the_language_that_it_states_or_else_of_its_words() {
        let pages = [
            ("a.html", html("", &[FRENCH])),
            ("b.html", html("", &[ITALIAN])),
            ("c.html", html("<html lang=it>", &["Pluie"])),
            ("d.md", "---\nlang: it-CH\n---\nPluie".into()),
            ("e.html", html("", &[GERMAN])),
            ("f.html", html("<html lang=de>", &["Regen"])),
            ("g.txt", "La pioggia della foresta".into()),
        ];
        let (found, report) = read(Reading::default(), &pages);
        let expected =
            [("fr", "a.html"), ("it", "b.html"), ("it", "c.html"), ("it", "d.md"), ("it", "g.txt")];
        assert_eq!(found, pairs(&expected));
        assert_eq!(report.languages["de"], Count { indexed: 0, left_out: 2 });
    }

    #[test]
    fn passages_in_another_language_than_their_page_s_are_told() {
        let page = [("a.html", html("", &[FRENCH, ENGLISH_TEXT, "Rain", FRENCH, GERMAN]))];
        let reading = Reading { language: Some("fr"), ..Reading::default() };
        let all = [("fr", "a.html"), ("en", "a.html (2)"), ("fr", "a.html (3)")];
        for (english, expected) in [
            (English::Index, &all[..]),
            (English::Skip, &[all[0], all[2]]),
            (English::Keep, &[("fr", "a.html")]),
        ] {
            let (found, report) = read(Reading { english, ..reading }, &page);
            assert_eq!(found, pairs(expected), "{english:?}");
            let english_left_out = report.languages.get("en").map_or(0, |count| count.left_out);
            assert_eq!(english_left_out, u64::from(english == English::Skip));
        }
        // A page that is English as it says is so whatever is given.
        let page = [("a.html", html("<html lang=en>", &["Rain"]))];
        assert_eq!(read(reading, &page).0, pairs(&[("en", "a.html")]));
    }

    #[test]
    fn a_language_of_few_paragraphs_in_which_no_page_is_is_not_told() {
        let french: Vec<String> = (0..199).map(|at| format!("{FRENCH} {at}")).collect();
        let mut paragraphs: Vec<&str> = french.iter().map(String::as_str).collect();
        paragraphs.insert(100, ITALIAN);
        let long = ("a.html", html("<html lang=fr>", &paragraphs));
        let count = |pages: &[(&str, String)]| {
            let (_, report) = read(Reading::default(), pages);
            report.languages.get("it").map_or(0, |count| count.indexed)
        };
        assert_eq!(count(std::slice::from_ref(&long)), 0);
        // A page in Italian, or more of it.
        assert_eq!(count(&[long, ("b.html", html("<html lang=it>", &["Pioggia"]))]), 2);
        paragraphs.insert(150, ITALIAN);
        paragraphs.insert(50, ITALIAN);
        assert_eq!(count(&[("a.html", html("<html lang=fr>", &paragraphs))]), 3);
    }

    #[test]
    fn a_record_of_one_paragraph_is_told_as_if_its_words_were_told_twice() {
        let swahili =
            "Mvua ya leo kwa watu katika msitu na mlima, kama kila siku baada ya jua kuwa kali.";
        let all = [FRENCH, ITALIAN, ENGLISH_TEXT, GERMAN, swahili, "12 /usr/share x2"];
        let languages = ["fr", "it", "sw"].map(str::to_owned);
        for first in all {
            for second in all {
                // Of some words of the one and of the other.
                for (from_first, from_second) in [(3, 0), (8, 9), (12, 4), (30, 0), (14, 14)] {
                    let words = first.split(' ').take(from_first);
                    let text = words.chain(second.split(' ').take(from_second));
                    let text = text.collect::<Vec<_>>().join(" ");
                    for stated in [None, Some("fr"), Some("sw"), Some("en"), Some("xx")] {
                        let reading = Reading {
                            language: stated,
                            languages: &languages,
                            ..Reading::default()
                        };
                        let record = |parts| Found { parts, ..Found::default() };
                        let part = || Part::plain(text.clone());
                        let mut one = record(vec![part()]);
                        // An empty paragraph after it changes nothing but that it is told in groups.
                        let mut two = record(vec![part(), Part::plain(String::new())]);
                        assert_eq!(tell(&mut one, &reading), tell(&mut two, &reading), "{text}");
                        let [one, two] = [one, two].map(|found| found.parts[0].language.clone());
                        assert_eq!(one, two, "{stated:?}: {text}");
                    }
                }
            }
        }
    }

    #[test]
    fn documents_before_a_line_that_is_wrong_are_taken_and_a_refused_one_is_named() {
        let languages = ["fr".to_owned()];
        let reading = Reading { language: Some("fr"), languages: &languages, ..Reading::default() };
        let lines = |count: usize| {
            let line = |n| format!("{n}\tTitre\tpluie\n\n");
            (0..count).map(line).collect::<String>()
        };
        let read = |text: &str, refused: &str| {
            let mut ids = Vec::new();
            let read = Collection::new(reading).each_record(
                RecordFormat::TabSeparated,
                text.as_bytes(),
                &mut |document| {
                    if document.id == refused {
                        return Err("refused".into());
                    }
                    ids.push(document.id);
                    Ok(())
                },
            );
            (ids.len(), read.unwrap_err().to_string())
        };
        for count in [3, TOGETHER - 1, TOGETHER, TOGETHER + 3] {
            let (taken, problem) = read(&(lines(count) + "no columns"), "");
            assert_eq!(taken, count);
            let line = 2 * count + 1;
            assert!(problem.starts_with(&format!("line {line}: 1 tab-sep")), "{problem}");
            // Every other line is empty. What is wrong further down is not yet known.
            let (taken, problem) = read(&(lines(count) + "no columns"), "2");
            assert_eq!((taken, &*problem), (2, "line 5: refused"));
        }
    }

    #[test]
    fn records_are_told_apart_one_by_one() {
        let languages = ["fr", "it"].map(str::to_owned);
        let mut collection =
            Collection::new(Reading { languages: &languages, ..Reading::default() });
        let record = |id: u32, text: &str, language: &str| {
            format!("{{\"id\": {id}, \"text\": \"{text}\"{language}}}\n")
        };
        let records = [
            record(1, ITALIAN, ""),
            record(2, FRENCH, ""),
            record(3, ENGLISH_TEXT, ""),
            record(4, "Pluie", ",\"lang\":\"it\""),
        ];
        collection.records(RecordFormat::JsonLines, records.concat().as_bytes()).unwrap();
        let found = collection.finish().unwrap().documents;
        let found: Vec<_> = found.iter().map(|found| (&*found.language, &*found.id)).collect();
        assert_eq!(found, [("it", "1"), ("fr", "2"), ("en", "3"), ("it", "4")]);
    }

    #[test]
    fn a_record_without_words_is_a_document() {
        let languages = ["fr".to_owned()];
        let reading = Reading { language: Some("fr"), languages: &languages, ..Reading::default() };
        let mut collection = Collection::new(reading);
        let records =
            "{\"id\": 1, \"text\": \"Pluie\"}\n{\"id\": 2, \"title\": \"Neige\", \"text\": \"\"}\n";
        collection.records(RecordFormat::JsonLines, records.as_bytes()).unwrap();
        let found = collection.finish().unwrap().documents;
        let found: Vec<_> = found
            .iter()
            .map(|found| (&*found.language, &*found.id, &*found.title, &*found.text))
            .collect();
        assert_eq!(found, [("fr", "1", "", "Pluie"), ("fr", "2", "Neige", "")]);
    }

    #[test]
    fn a_page_that_cannot_be_read_is_reported_and_the_others_are_read() {
        let languages = ["fr".to_owned()];
        let mut collection =
            Collection::new(Reading { languages: &languages, ..Reading::default() });
        let mut page = |place: &str, bytes: &[u8]| {
            let format = PageFormat::of(place).unwrap();
            collection.page(&Page { place, format, bytes, changed: None }).is_ok()
        };
        assert!(page("a.html", FRENCH.as_bytes()));
        assert!(!page("b.html", b"caf\xe9"));
        assert!(!page("c.html", b"%PDF-1.4"));
        assert!(page("d.html", b""));
        assert!(!page("e.html", &b"a ".repeat(limits::PAGE_BYTES as usize / 2 + 1)));
        let Read { documents, report } = collection.finish().unwrap();
        assert_eq!(documents.len(), 1);
        let left_out: Vec<_> =
            report.left_out.iter().map(|file| (&*file.place, file.is_wrong)).collect();
        assert_eq!(
            left_out,
            [("b.html", true), ("c.html", true), ("d.html", false), ("e.html", true)]
        );
    }

    #[test]
    fn what_many_pages_have_is_left_out_of_their_passages() {
        let pages: Vec<(String, String)> = (0..12)
            .map(|at| {
                (
                    format!("{at}.html"),
                    html("<html lang=fr>", &["Menu de ce site", &format!("Pluie {at}")]),
                )
            })
            .collect();
        let languages = ["fr".to_owned()];
        let mut collection =
            Collection::new(Reading { languages: &languages, ..Reading::default() });
        for (place, text) in &pages {
            let (format, bytes) = (PageFormat::Html, text.as_bytes());
            collection.page(&Page { place, format, bytes, changed: None }).unwrap();
        }
        let Read { documents, report } = collection.finish().unwrap();
        assert_eq!(report.repeated, 12);
        assert!(
            documents.iter().enumerate().all(|(at, found)| found.text == format!("Pluie {at}"))
        );
    }
}
