//! Sentences and their translations -> documents of both languages that are comparable.

use std::collections::HashMap;
use std::path::Path;

use smooth_clir::training::corpus::Graded;

use super::collection::{Collection, Document, Query};
use super::pairs::{Kind, PairsFile};
use crate::error::Error;

/// Documents of two languages, each made of the sentences of one group: an English one is a query, to
/// which only its other side is relevant. As the sentences translate each other, these documents are
/// parallel, which comparable ones need not be.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparable {
    /// The documents.
    pub collection: Collection,
    /// The sentences of each document, in both languages.
    pub sentences: Vec<Vec<[String; 2]>>,
}

impl Comparable {
    /// Joins the sentences of one set and group, in the order of the file.
    ///
    /// # Errors
    /// As [`PairsFile::read`].
    pub fn read(path: &Path, language: &str) -> Result<Self, Error> {
        let mut places: HashMap<String, usize> = HashMap::new();
        let (mut ids, mut sentences) = (Vec::new(), Vec::<Vec<[String; 2]>>::new());
        let file = PairsFile { path: path.into(), kind: Kind::Sentences, repeat: 1 };
        file.read(|pair| {
            let (set, group) = pair.chapter.unwrap_or_default();
            let id = format!("{set}/{group}");
            let place = *places.entry(id).or_insert_with_key(|id| {
                ids.push(id.clone());
                sentences.push(Vec::new());
                ids.len() - 1
            });
            sentences[place].push(pair.texts.map(str::to_owned));
        })?;
        let joined = |place: usize, side: usize| {
            let texts: Vec<&str> = sentences[place].iter().map(|texts| &texts[side][..]).collect();
            texts.join(" ")
        };
        let query = |(place, id): (usize, &String)| Query {
            id: id.clone(),
            title: id.clone(),
            text: joined(place, 0),
            belongs_to: None,
        };
        let document = |(place, id): (usize, &String)| Document {
            id: id.clone(),
            title: id.clone(),
            text: joined(place, 1),
        };
        let collection = Collection {
            path: path.into(),
            language: language.into(),
            queries: ids.iter().enumerate().map(query).collect(),
            documents: ids.iter().enumerate().map(document).collect(),
            judged: (0..ids.len() as u32)
                .map(|document| vec![Graded { document, grade: 2 }])
                .collect(),
        };
        Ok(Self { collection, sentences })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_of_one_set_and_group_are_one_document_on_each_side() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("en-fr.tsv");
        let lines = "a\t1\tx\train\tpluie\na\t2\ty\tsun\tsoleil\nb\t1\tz\tsnow\tneige\na\t1\tw\twind\tvent\n";
        std::fs::write(&path, lines).unwrap();
        let Comparable { collection, sentences } = Comparable::read(&path, "fr").unwrap();
        let texts: Vec<[&str; 2]> = collection
            .queries
            .iter()
            .zip(&collection.documents)
            .map(|(query, document)| [&query.text[..], &document.text[..]])
            .collect();
        assert_eq!(texts, [["rain wind", "pluie vent"], ["sun", "soleil"], ["snow", "neige"]]);
        assert_eq!(collection.judged[2], [Graded { document: 2, grade: 2 }]);
        assert_eq!(sentences[0], [["rain", "pluie"], ["wind", "vent"]]);
        std::fs::write(&path, "").unwrap();
        let error = Comparable::read(&path, "fr").unwrap_err().to_string();
        assert!(error.contains("no lines"), "{error}");
    }
}
