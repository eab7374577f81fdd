//! Dumps of two Wikipedias -> queries, documents and grades, as Sasaki et al. (2018) made theirs.
//!
//! What is held in memory grows with the number of the documents' pages (titles, ids, the links' targets),
//! not with texts or links: texts are written as they are read, links are sorted on the disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use smooth_clir::training::sampling;

use super::compressed;
use super::dumps::Folder;
use super::options::Wikipedia;
use super::pages::{self, Page};
use super::progress::Progress;
use super::sort::{Sorter, read_number};
use super::sql::{self, Value};
use super::stages::{self, Output, Stages, stopped_by};
use super::titles::{self, Titles, normal};
use super::{sentence, wikitext};
use crate::error::Error;

/// What the files are made by: a mark of other numbers is of an older program.
const VERSION: u32 = 1;
/// Pages whose text is made plain at once: so many, or so many bytes.
const BATCH: usize = 512;
const BATCH_BYTES: usize = 16 << 20;
/// The seed of `train --split-seed` that splits.tsv tells of.
const SPLIT_SEED: u64 = 1;

const DOCUMENTS: &str = "documents.tsv";
const QUERIES: &str = "queries.tsv";
const RELEVANCE: &str = "relevance.tsv";
const SPLITS: &str = "splits.tsv";
const REDIRECTS: &str = "redirects.tsv";
const INTERLANGUAGE: &str = "interlanguage.tsv";
const MUTUAL: &str = "mutual.bin";
const ANSWERS: &str = "answers.tsv";

/// The dumps of an import.
struct Inputs {
    wikis: [String; 2],
    langlinks: PathBuf,
    pages: [Vec<PathBuf>; 2],
    props: [Option<PathBuf>; 2],
    pagelinks: PathBuf,
    /// Not there where pagelinks has titles itself, as it had until 2024.
    linktarget: Option<PathBuf>,
}

/// Does the import.
///
/// # Errors
/// If a dump is missing or broken, or the output cannot be written.
pub fn run(options: &Wikipedia) -> Result<(), Error> {
    if options.from == options.to {
        return Err(Error::Usage("--from and --to are the same language".into()));
    }
    let inputs = inputs(options)?;
    let stages = Stages::open(&options.out)?;
    let import = Import { options, inputs, stages };
    let [links, documents, queries, mutual] = import.keys()?;
    import.stages.stage("interlanguage", &links, &[INTERLANGUAGE], || import.interlanguage())?;
    import.stages.stage("documents", &documents, &[DOCUMENTS, REDIRECTS], || import.documents())?;
    import.stages.stage("queries", &queries, &[QUERIES, ANSWERS], || import.queries())?;
    import.stages.stage("links", &mutual, &[MUTUAL], || import.mutual())?;
    import.relevance()?;
    import.stages.finish(&[DOCUMENTS, RELEVANCE, SPLITS, QUERIES])
}

fn inputs(options: &Wikipedia) -> Result<Inputs, Error> {
    // In names of files, a hyphen is an underscore: zh_yuewiki.
    let wikis = [&options.from, &options.to].map(|name| format!("{}wiki", name.replace('-', "_")));
    let dates = dates(options, &wikis)?;
    let [from_folder, folder] = dates.map(|date| Folder::open(&options.dumps, date.as_deref()));
    let (from_folder, folder) = (from_folder?, folder?);
    let [from, to] = &wikis;
    let pagelinks = folder.table(to, "pagelinks")?;
    let has_targets = sql::columns(&pagelinks, "pagelinks")?.contains(&"pl_target_id".to_owned());
    let linktarget = match has_targets {
        true => Some(folder.table(to, "linktarget")?),
        false => None,
    };
    Ok(Inputs {
        langlinks: from_folder.table(from, "langlinks")?,
        pages: [from_folder.pages(from)?, folder.pages(to)?],
        props: [
            from_folder.optional_table(from, "page_props")?,
            folder.optional_table(to, "page_props")?,
        ],
        pagelinks,
        linktarget,
        wikis,
    })
}

/// The date of each wiki's dump, where one is asked for or fetched.
#[cfg_attr(not(feature = "download"), expect(unused_variables, clippy::unnecessary_wraps))]
fn dates(options: &Wikipedia, wikis: &[String; 2]) -> Result<[Option<String>; 2], Error> {
    #[cfg(feature = "download")]
    if options.download {
        return Ok(super::download::run(options, wikis)?.map(Some));
    }
    Ok([options.date.clone(), options.date.clone()])
}

struct Import<'a> {
    options: &'a Wikipedia,
    inputs: Inputs,
    stages: Stages,
}

/// Which language of the two.
const FROM: usize = 0;
const TO: usize = 1;

impl Import<'_> {
    /// What each stage is made of: names and lengths of the dumps, and the options.
    fn keys(&self) -> Result<[String; 4], Error> {
        let Inputs { langlinks, pages, props, pagelinks, linktarget, .. } = &self.inputs;
        let digests = |paths: &mut dyn Iterator<Item = &PathBuf>| -> Result<String, Error> {
            let mut key = String::new();
            for path in paths {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                key += &format!("{name}\t{}\n", compressed::length(path)?);
            }
            Ok(key)
        };
        let Wikipedia { from, to, words, disambiguation, .. } = self.options;
        let own = format!("smooth-clir import {VERSION}\n{from} {to}\n");
        let links = own.clone() + &digests(&mut std::iter::once(langlinks))?;
        let mut documents = format!("{own}{words} words, {disambiguation:?}\n");
        documents += &digests(&mut pages[TO].iter().chain(&props[TO]))?;
        let queries =
            format!("{links}{documents}{}", digests(&mut pages[FROM].iter().chain(&props[FROM]))?);
        let tables = digests(&mut std::iter::once(pagelinks).chain(linktarget))?;
        let mutual = format!("{documents}{tables}");
        Ok([links, documents, queries, mutual])
    }

    fn progress<'p>(
        &self,
        what: &str,
        paths: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Result<Arc<Progress>, Error> {
        let mut total = 0;
        for path in paths {
            total += compressed::length(path)?;
        }
        Ok(Arc::new(Progress::new(what, total)))
    }

    /// Which pages of the first wiki lead to which titles of the second.
    fn interlanguage(&self) -> Result<(), Error> {
        let path = &self.inputs.langlinks;
        let progress = self.progress("interlanguage", [path])?;
        let mut out = Output::new(self.stages.path(INTERLANGUAGE))?;
        let (mut count, mut failed) = (0u64, None);
        let read = sql::read_rows(
            path,
            &progress,
            "langlinks",
            &["ll_from", "ll_lang", "ll_title"],
            |row| {
                let [from, language, title] = row else { return Ok(()) };
                if language.bytes() != self.options.to.as_bytes() || title.bytes().is_empty() {
                    return Ok(());
                }
                count += 1;
                let written = out.row(&[&from.number()?.to_string(), &normal(title.text()?)]);
                stopped_by(written, &mut failed)
            },
        );
        failed.map_or(read, Err)?;
        out.finish()?;
        if count == 0 {
            let problem = format!("no link to a page in `{}`", self.options.to);
            return Err(Error::data(path, problem));
        }
        progress.finish(&format!("{count} pages with a page in {}", self.options.to));
        Ok(())
    }

    /// The second wiki's pages, and where its redirects lead.
    fn documents(&self) -> Result<(), Error> {
        let disambiguations = self.disambiguations(TO)?;
        let mut documents = Output::new(self.stages.path(DOCUMENTS))?;
        let mut redirects = Output::new(self.stages.path(REDIRECTS))?;
        let [mut written, mut led, mut left_out] = [0u64; 3];
        let words = self.options.words as usize;
        self.read_plain(
            TO,
            "documents",
            &|id| disambiguations.binary_search(&id).is_err(),
            &|_, text| sentence::first_words(text, words),
            &mut |page, text| {
                if let Some(target) = &page.redirect {
                    led += 1;
                    redirects.row(&[&page.title, target])
                } else if text.is_empty() {
                    left_out += 1;
                    Ok(())
                } else {
                    written += 1;
                    documents.row(&[&page.id.to_string(), &page.title, &text])
                }
            },
        )?;
        documents.finish()?;
        redirects.finish()?;
        if written == 0 {
            return Err(Error::data(&self.inputs.pages[TO][0], "no page with a text"));
        }
        eprintln!(
            "documents: {written}, and {led} redirects; {left_out} disambiguation or empty pages left out"
        );
        Ok(())
    }

    /// The first wiki's pages that have a document: what asks, and what answers it.
    fn queries(&self) -> Result<(), Error> {
        let titles = self.titles()?;
        let mut answers: Vec<(u32, u32)> = Vec::new();
        stages::each_line(&self.stages.path(INTERLANGUAGE), |line| {
            let linked = line
                .split_once('\t')
                .and_then(|(id, title)| Some((id.parse().ok()?, titles.get(title)?)));
            answers.extend(linked);
            Ok(())
        })?;
        drop(titles);
        answers.sort_unstable();
        answers.dedup_by_key(|(id, _)| *id);
        let answer = |id: u32| {
            let found = answers.binary_search_by_key(&id, |&(id, _)| id);
            found.ok().map(|place| answers[place].1)
        };
        let disambiguations = self.disambiguations(FROM)?;
        let mut queries = Output::new(self.stages.path(QUERIES))?;
        let mut answered = Output::new(self.stages.path(ANSWERS))?;
        let mut count = 0u64;
        self.read_plain(
            FROM,
            "queries",
            &|id| answer(id).is_some() && disambiguations.binary_search(&id).is_err(),
            &|title, text| {
                sentence::without_title(&sentence::first(text), title).unwrap_or_default()
            },
            &mut |page, text| {
                let (false, Some(document)) = (text.is_empty(), answer(page.id)) else {
                    return Ok(());
                };
                count += 1;
                let id = page.id.to_string();
                queries.row(&[&id, &page.title, &text])?;
                answered.row(&[&id, &page.title, &document.to_string()])
            },
        )?;
        queries.finish()?;
        answered.finish()?;
        if count == 0 {
            let problem = "no page with a first sentence and a document in the other language";
            return Err(Error::data(&self.inputs.pages[FROM][0], problem));
        }
        eprintln!("queries: {count} of {} pages with a document", answers.len());
        Ok(())
    }

    /// The pages of a wiki that page_props, where it is there, says are for disambiguation.
    fn disambiguations(&self, side: usize) -> Result<Vec<u32>, Error> {
        let mut found = Vec::new();
        if let Some(path) = &self.inputs.props[side] {
            let progress = self.progress("disambiguation pages", [path])?;
            sql::read_rows(path, &progress, "page_props", &["pp_page", "pp_propname"], |row| {
                if let [page, name] = row
                    && name.bytes() == b"disambiguation"
                {
                    found.push(page.number()?);
                }
                Ok(())
            })?;
            progress.finish(&found.len().to_string());
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Calls `take` with the pages of a wiki, in their order, and what `of` makes of their title and
    /// plain text: nothing of pages that are not wanted or that are for disambiguation.
    fn read_plain(
        &self,
        side: usize,
        what: &str,
        wants: &dyn Fn(u32) -> bool,
        line: &(dyn Fn(&str, &str) -> String + Sync),
        take: &mut dyn FnMut(Page, String) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (paths, wiki) = (&self.inputs.pages[side], &self.inputs.wikis[side]);
        let progress = self.progress(what, paths)?;
        let more = self.options.disambiguation.iter();
        let more: Vec<String> = more.map(|name| name.trim().to_lowercase()).collect();
        let plain = |dropped: &[String], page: &Page| {
            let has_text = page.redirect.is_none() && !page.text.is_empty();
            match has_text && !wikitext::is_disambiguation(&page.text, &more) {
                true => line(&page.title, &wikitext::plain(&page.text, dropped)),
                false => String::new(),
            }
        };
        let mut count = 0u64;
        for path in paths {
            let (mut batch, mut bytes) = (Vec::new(), 0);
            let mut dropped: Vec<String> = Vec::new();
            let mut flush = |batch: &mut Vec<Page>, dropped: &[String]| -> Result<(), Error> {
                let texts: Vec<String> =
                    batch.par_iter().map(|page| plain(dropped, page)).collect();
                count += texts.len() as u64;
                batch.drain(..).zip(texts).try_for_each(|(page, text)| take(page, text))
            };
            let reader = compressed::open(path, &progress)?;
            pages::read_pages(path, reader, wiki, wants, &mut |site, page| {
                if dropped.len() != site.dropped.len() {
                    dropped.clone_from(&site.dropped);
                }
                bytes += page.text.len();
                batch.push(page);
                if batch.len() == BATCH || bytes >= BATCH_BYTES {
                    bytes = 0;
                    flush(&mut batch, &dropped)?;
                }
                Ok(())
            })?;
            flush(&mut batch, &dropped)?;
        }
        progress.finish(&format!("{count} pages read"));
        Ok(())
    }

    /// The places of documents by title, redirects among them.
    fn titles(&self) -> Result<Titles, Error> {
        let path = self.stages.path(DOCUMENTS);
        let mut documents = Titles::default();
        let mut place = 0;
        stages::each_line(&path, |line| {
            documents.push(line.split('\t').nth(1).unwrap_or_default(), place);
            place += 1;
            Ok(())
        })?;
        if let Some(twice) = documents.sort() {
            let problem = format!("duplicate page `{twice}`: are these parts of several dumps?");
            return Err(Error::data(&self.options.dumps, problem));
        }
        let (mut redirects, mut targets) = (Titles::default(), Vec::new());
        stages::each_line(&self.stages.path(REDIRECTS), |line| {
            if let Some((title, target)) = line.split_once('\t') {
                redirects.push(title, targets.len() as u32);
                targets.push(target.to_owned());
            }
            Ok(())
        })?;
        Ok(titles::with_redirects(documents, redirects, &targets))
    }

    /// The ids of the documents or the queries, in their order.
    fn ids(&self, name: &str) -> Result<Vec<u32>, Error> {
        let mut ids = Vec::new();
        stages::each_line(&self.stages.path(name), |line| {
            ids.extend(line.split('\t').next().and_then(|id| id.parse::<u32>().ok()));
            Ok(())
        })?;
        Ok(ids)
    }

    /// The pairs of documents that link to each other, as numbers of 8 bytes: the lower place, the
    /// higher one.
    fn mutual(&self) -> Result<(), Error> {
        let Inputs { pagelinks, linktarget, .. } = &self.inputs;
        let progress = self.progress("links", linktarget.iter().chain([pagelinks]))?;
        let titles = self.titles()?;
        let mut places: Vec<(u32, u32)> = self.ids(DOCUMENTS)?.into_iter().zip(0..).collect();
        places.sort_unstable();
        let mut sorter = Sorter::new(self.stages.folder());
        let (mut links, mut failed) = (0u64, None);
        // A link is the two places, and which of them it comes from.
        let mut add = |from: &Value, to: u32| -> Result<(), String> {
            let from = from.number()?;
            let Ok(found) = places.binary_search_by_key(&from, |&(id, _)| id) else {
                return Ok(());
            };
            let from = places[found].1;
            if from == to {
                return Ok(());
            }
            links += 1;
            let (low, high) = (from.min(to), from.max(to));
            let key = u64::from(low) << 33 | u64::from(high) << 1 | u64::from(from == high);
            stopped_by(sorter.push(key), &mut failed)
        };
        let read = if let Some(linktarget) = linktarget {
            let targets = link_targets(linktarget, &progress, &titles)?;
            drop(titles);
            let columns = ["pl_from", "pl_from_namespace", "pl_target_id"];
            sql::read_rows(pagelinks, &progress, "pagelinks", &columns, |row| {
                let [from, namespace, target] = row else { return Ok(()) };
                if namespace.long()? != 0 {
                    return Ok(());
                }
                let target = target.long()?;
                let found = targets.binary_search_by_key(&target, |&(id, _)| id);
                found.map_or(Ok(()), |place| add(from, targets[place].1))
            })
        } else {
            let columns = ["pl_from", "pl_namespace", "pl_title"];
            sql::read_rows(pagelinks, &progress, "pagelinks", &columns, |row| {
                let [from, namespace, title] = row else { return Ok(()) };
                match namespace.long()? == 0 {
                    true => titles.get(&normal(title.text()?)).map_or(Ok(()), |to| add(from, to)),
                    false => Ok(()),
                }
            })
        };
        failed.map_or(read, Err)?;
        let mut out = Output::new(self.stages.path(MUTUAL))?;
        let (mut last, mut pairs) = (None, 0u64);
        sorter.finish(|key| {
            if last == Some(key ^ 1) && key & 1 == 1 {
                pairs += 1;
                out.write(&((key >> 33) << 32 | (key >> 1 & 0xffff_ffff)).to_le_bytes())?;
            }
            last = Some(key);
            Ok(())
        })?;
        out.finish()?;
        progress.finish(&format!("{links} between documents, {pairs} pairs link to each other"));
        Ok(())
    }

    /// Grades: 2 for the page in the other language, 1 for what it links to and is linked from.
    fn relevance(&self) -> Result<(), Error> {
        let mut queries: Vec<(u32, u32)> = Vec::new();
        let mut splits = Output::new(self.stages.path(SPLITS))?;
        stages::each_line(&self.stages.path(ANSWERS), |line| {
            let mut columns = line.split('\t');
            if let (Some(id), Some(title), Some(answer)) =
                (columns.next(), columns.next(), columns.next())
            {
                queries.extend(answer.parse().map(|answer: u32| (answer, queries.len() as u32)));
                let split = match sampling::Split::of(title, SPLIT_SEED) {
                    sampling::Split::Train => "train",
                    sampling::Split::Validation => "validation",
                    sampling::Split::Test => "test",
                };
                splits.row(&[id, split])?;
            }
            Ok(())
        })?;
        splits.finish()?;
        let mut answers: Vec<u32> = queries.iter().map(|&(answer, _)| answer).collect();
        queries.sort_unstable();
        let mut sorter = Sorter::new(self.stages.folder());
        let path = self.stages.path(MUTUAL);
        let mut reader = stages::reopen(&path)?;
        let mut next = || {
            let read = read_number(&mut reader);
            read.map_err(|source| Error::Read { path: path.clone(), source })
        };
        while let Some(pair) = next()? {
            let (low, high) = ((pair >> 32) as u32, pair as u32);
            for (answer, other) in [(low, high), (high, low)] {
                let first = queries.partition_point(|&(document, _)| document < answer);
                let own = queries[first..].iter().take_while(|&&(document, _)| document == answer);
                for &(_, query) in own {
                    sorter.push(u64::from(query) << 32 | u64::from(other))?;
                }
            }
        }
        let (queries, documents) = (self.ids(QUERIES)?, self.ids(DOCUMENTS)?);
        let mut out = Output::new(self.stages.path(RELEVANCE))?;
        let mut row = |query: usize, document: u32, grade: &str| {
            let (query, document) = (queries[query], documents[document as usize]);
            out.row(&[&query.to_string(), &document.to_string(), grade])
        };
        let (mut told, mut partial) = (0, 0u64);
        sorter.finish(|key| {
            let (query, document) = ((key >> 32) as usize, key as u32);
            while told <= query {
                row(told, answers[told], "2")?;
                told += 1;
            }
            partial += 1;
            row(query, document, "1")
        })?;
        for (query, answer) in answers.drain(..).enumerate().skip(told) {
            row(query, answer, "2")?;
        }
        out.finish()?;
        eprintln!("grades: {} of 2, {partial} of 1", queries.len());
        Ok(())
    }
}

/// The document that each target of links leads to, sorted by the target's number.
fn link_targets(
    path: &Path,
    progress: &Arc<Progress>,
    titles: &Titles,
) -> Result<Vec<(i64, u32)>, Error> {
    let mut targets = Vec::new();
    let columns = ["lt_id", "lt_namespace", "lt_title"];
    sql::read_rows(path, progress, "linktarget", &columns, |row| {
        let [id, namespace, title] = row else { return Ok(()) };
        if namespace.long()? == 0
            && let Some(document) = titles.get(&normal(title.text()?))
        {
            targets.push((id.long()?, document));
        }
        Ok(())
    })?;
    targets.sort_unstable();
    Ok(targets)
}
