//! Topics of TREC and CLEF: SGML or XML, `<top>` or `<topic>`, tags closed or not.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::compressed;
use super::options::{Field, Topics};
use super::progress::Progress;
use super::whole::{self, Whole};
use crate::data::trec;
use crate::data::tsv::{self, shown};
use crate::error::Error;
use crate::files;

/// What fields are called; in CLEF's with the language before them, as `EN-title`.
const NAMES: [(&str, Part); 8] = [
    ("num", Part::Id),
    ("identifier", Part::Id),
    ("title", Part::Text(Field::Title)),
    ("desc", Part::Text(Field::Description)),
    ("description", Part::Text(Field::Description)),
    ("narr", Part::Text(Field::Narrative)),
    ("narrative", Part::Text(Field::Narrative)),
    ("number", Part::Id),
];
/// What old topics repeat at a field's beginning.
const LABELS: [&str; 4] = ["Number:", "Topic:", "Description:", "Narrative:"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Id,
    Text(Field),
}

/// What a topic says.
#[derive(Debug, Default)]
pub struct Topic {
    line: u64,
    id: String,
    texts: Vec<(Field, String)>,
}

/// Does the import.
///
/// # Errors
/// If a topic lacks its number or every field asked for, or the output cannot be written.
pub fn run(options: &Topics) -> Result<(), Error> {
    let topics = read(&options.file)?;
    files::make_folder(&options.out)?;
    let mut queries = Whole::new(&options.out.join("queries.tsv"))?;
    let mut ids = HashSet::new();
    for Topic { line, id, texts } in topics {
        let wrong = |problem| Error::Line { path: options.file.clone(), line, problem };
        if id.is_empty() || id.contains(char::is_whitespace) {
            return Err(wrong(format!("topic number `{}`, expected one word", shown(&id))));
        }
        let content = |field: &Field| {
            let own = texts.iter().find(|(name, _)| name == field);
            own.map(|(_, text)| text.clone())
        };
        let title = content(&Field::Title).unwrap_or_else(|| id.clone());
        let text = options.fields.iter().filter_map(content).collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return Err(wrong(format!("topic `{id}` has none of the requested fields")));
        }
        queries.row(&[&id, &title, &text])?;
        if !ids.insert(id) {
            return Err(wrong("a duplicate topic".into()));
        }
    }
    if ids.is_empty() {
        return Err(Error::data(&options.file, "expected <top> or <topic>"));
    }
    let mut written = vec![queries];
    let mut grades = 0u64;
    if let Some(path) = &options.qrels {
        let mut relevance = Whole::new(&options.out.join("relevance.tsv"))?;
        for (query, documents) in trec::read_qrels(path)? {
            let mut documents: Vec<(String, u8)> = documents.into_iter().collect();
            documents.sort();
            for (document, grade) in documents.iter().filter(|_| ids.contains(&query)) {
                relevance.row(&[&query, document, &grade.min(&2).to_string()])?;
                grades += 1;
            }
        }
        if grades == 0 {
            return Err(Error::data(path, "no judgement of these topics"));
        }
        written.push(relevance);
    }
    whole::finish(written)?;
    eprintln!("topics: {}, {grades} grades", ids.len());
    Ok(())
}

/// All topics. Tags begin a field; it goes on to the next tag, closed or not.
///
/// # Errors
/// If the file cannot be read, or a topic in it does not end.
pub fn read(path: &Path) -> Result<Vec<Topic>, Error> {
    let progress = Arc::new(Progress::new("topics", compressed::length(path)?));
    let mut topics: Vec<Topic> = Vec::new();
    let (mut open, mut part) = (false, None);
    let mut last = 0;
    tsv::read_lines_of(path, compressed::open(path, &progress)?, |line, text| {
        last = line;
        let mut rest = text;
        loop {
            let (before, after) = rest.split_once('<').unwrap_or((rest, ""));
            if let (Some(topic), Some(part)) = (topics.last_mut().filter(|_| open), part) {
                topic.add(part, before);
            }
            if before.len() == rest.len() {
                return Ok(());
            }
            let Some((tag, after)) = after.split_once('>') else {
                return Err(format!("`<{}` without `>`", shown(after)));
            };
            let name = tag.split_whitespace().next().unwrap_or_default().to_lowercase();
            match &name[..] {
                "top" | "topic" if open => return Err("a topic within a topic".into()),
                "top" | "topic" => {
                    topics.push(Topic { line, ..Topic::default() });
                    (open, part) = (true, None);
                }
                "/top" | "/topic" if open => (open, part) = (false, None),
                _ if name.starts_with(['/', '?', '!']) => part = None,
                _ => {
                    part = NAMES.iter().find(|(known, _)| {
                        name.strip_suffix(known).is_some_and(|before| {
                            before.is_empty() || before.len() == 3 && before.ends_with('-')
                        })
                    });
                }
            }
            rest = after;
        }
    })?;
    if open {
        let problem = "it ends within a topic: the file is cut short".into();
        return Err(Error::Line { path: path.into(), line: last, problem });
    }
    Ok(topics)
}

impl Topic {
    fn add(&mut self, &(_, part): &(&str, Part), text: &str) {
        let text = text.trim();
        let text = LABELS.iter().find_map(|label| text.strip_prefix(label)).unwrap_or(text).trim();
        let text = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"]
            .iter()
            .zip(["&", "<", ">", "\"", "'"])
            .rev()
            .fold(text.to_owned(), |text, (name, char)| text.replace(name, char));
        if text.is_empty() {
            return;
        }
        let whole = match part {
            Part::Id => &mut self.id,
            Part::Text(field) => match self.texts.iter().position(|(name, _)| *name == field) {
                Some(place) => &mut self.texts[place].1,
                None => {
                    self.texts.push((field, String::new()));
                    let last = self.texts.len() - 1;
                    &mut self.texts[last].1
                }
            },
        };
        if !whole.is_empty() {
            whole.push(' ');
        }
        whole.push_str(&text);
    }
}
