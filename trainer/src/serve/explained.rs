//! What scores are made of.

use serde_json::{Value, json};
use smooth_clir::engine::{Explanation, Taken, Word};
use smooth_clir::index::Index;

use crate::error::Error;
use crate::search::{Question, Searcher};

/// A document, and what its score is made of.
pub struct Explained<'a> {
    id: &'a str,
    language: &'a str,
    explanation: Explanation,
}

impl Searcher {
    /// How many documents there are.
    pub fn documents(&self) -> usize {
        self.engine.indexes().iter().map(Index::len).sum()
    }

    /// What the scores of the best documents are made of.
    pub fn explain(&self, question: &Question) -> Result<Vec<Explained<'_>>, Error> {
        let (_, ranked) = self.rank(question)?;
        let explained = ranked.iter().map(|scored| self.explain_place(question, scored.position));
        explained.filter_map(Result::transpose).collect()
    }

    /// What the score of the first document with an id is made of; none where there is no such
    /// document. All texts are looked at.
    pub fn explain_document(
        &self,
        question: &Question,
        id: &str,
    ) -> Result<Option<Explained<'_>>, Error> {
        self.add_texts(self.engine.missing_texts())?;
        match self.engine.find(id, question.language.as_deref()) {
            Some(place) => self.explain_place(question, place),
            None => Ok(None),
        }
    }

    fn explain_place(
        &self,
        question: &Question,
        place: usize,
    ) -> Result<Option<Explained<'_>>, Error> {
        let Question { query, epsilon, dense, .. } = question;
        let Some(explanation) = self.engine.explain(query, place, *epsilon, *dense)? else {
            return Ok(None);
        };
        let mut position = place;
        for index in self.engine.indexes() {
            if position < index.len() {
                let language = index.language(position);
                let explained = |id| Explained { id, language, explanation };
                return Ok(index.shown(position).map(|shown| explained(shown.id)));
            }
            position -= index.len();
        }
        Ok(None)
    }
}

impl Explained<'_> {
    /// All of it, under the names that it has in JavaScript.
    pub fn to_json(&self) -> Value {
        let words = |words: &[Word]| {
            let word = |of: &Word| json!({ "token": of.token, "meant": of.meant, "adds": of.adds });
            words.iter().map(word).collect::<Vec<_>>()
        };
        let term = |(token, share, count): &(String, f32, u32)| json!({ "token": token, "share": share, "count": count });
        let taken = |of: &Taken| {
            let terms: Vec<_> = of.terms.iter().map(term).collect();
            json!({ "token": of.token, "terms": terms, "adds": of.adds })
        };
        let of = &self.explanation;
        json!({
            "id": self.id, "language": self.language,
            "query": words(&of.query), "document": words(&of.document),
            "queryNorm": of.query_norm, "documentNorm": of.document_norm,
            "dot": of.dot, "similarity": of.similarity, "lexical": of.lexical,
            "weights": of.weights, "score": of.score, "queryLanguage": of.query_language,
            "taken": of.taken.iter().map(taken).collect::<Vec<_>>(),
        })
    }
}
