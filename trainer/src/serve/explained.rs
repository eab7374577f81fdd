//! Explanations of scores.

use serde_json::{Value, json};
use smooth_clir::engine::{Explanation, LexicalMatch, Term, WordContribution};
use smooth_clir::index::Index;

use crate::error::Error;
use crate::search::{Question, Searcher};

/// A document with the explanation of its score.
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

    /// Explains the scores of the best documents.
    pub fn explain(&self, question: &Question) -> Result<Vec<Explained<'_>>, Error> {
        let (_, ranked) = self.rank(question)?;
        let explained = ranked.iter().map(|scored| self.explain_place(question, scored.position));
        explained.filter_map(Result::transpose).collect()
    }

    /// Explains the score of the first document with an id; `None` where there is no such document. All
    /// texts are read.
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
    /// The explanation, under the names that it has in JavaScript.
    pub fn to_json(&self) -> Value {
        let words = |words: &[WordContribution]| {
            let word = |WordContribution { token, interpreted, contribution }: &_| json!({ "token": token, "interpreted": interpreted, "contribution": contribution });
            words.iter().map(word).collect::<Vec<_>>()
        };
        let term = |Term { token, probability, count }: &_| json!({ "token": token, "probability": probability, "count": count });
        let lexical_match = |LexicalMatch { token, terms, contribution }: &_| {
            let terms: Vec<_> = terms.iter().map(term).collect();
            json!({ "token": token, "terms": terms, "contribution": contribution })
        };
        let explanation = &self.explanation;
        json!({
            "id": self.id, "language": self.language,
            "query": words(&explanation.query), "document": words(&explanation.document),
            "queryNorm": explanation.query_norm, "documentNorm": explanation.document_norm,
            "dot": explanation.dot, "similarity": explanation.similarity, "lexical": explanation.lexical,
            "weights": explanation.weights, "score": explanation.score, "queryLanguage": explanation.query_language,
            "matches": explanation.matches.iter().map(lexical_match).collect::<Vec<_>>(),
        })
    }
}
