//! Explanations of scores.

use serde_json::{Value, json};
use smooth_clir::engine::{Explanation, LexicalMatch, Term, WordContribution};
use smooth_clir::index::Index;
use smooth_clir::ranking::scan::Scored;

use super::ids::Ids;
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

    /// Explains the scores of the best documents, as far as there is time.
    pub fn explain(
        &self,
        question: &Question,
        is_late: impl Fn() -> bool,
    ) -> Result<Vec<Explained<'_>>, Error> {
        let (_, ranked) = self.rank(question)?;
        let in_time = ranked.iter().take_while(|_| !is_late());
        let explained = in_time.map(|scored| self.explain_place(question, scored.position));
        explained.filter_map(Result::transpose).collect()
    }

    /// Explains the score of the first document with an id; `None` where there is no such document.
    pub fn explain_document(
        &self,
        question: &Question,
        (id, ids): (&str, &Ids),
    ) -> Result<Option<Explained<'_>>, Error> {
        for place in ids.of(id) {
            let scored = Scored { position: place, score: 0.0, dot: 0.0 };
            self.add_texts(self.engine.missing(&[scored]))?;
            let is_wanted = self.named(place).is_some_and(|(found, language)| {
                found == id && question.language.as_deref().is_none_or(|wanted| wanted == language)
            });
            if is_wanted {
                return self.explain_place(question, place);
            }
        }
        Ok(None)
    }

    fn explain_place(
        &self,
        question: &Question,
        place: usize,
    ) -> Result<Option<Explained<'_>>, Error> {
        let query = question.search(&[]).text();
        let explained = self.engine.explain(query, place, question.epsilon, question.dense)?;
        let named = self.named(place).zip(explained);
        Ok(named.map(|((id, language), explanation)| Explained { id, language, explanation }))
    }

    /// The id and the language of the document at a place among all, if its text is here.
    fn named(&self, mut place: usize) -> Option<(&str, &str)> {
        for index in self.engine.indexes() {
            if place < index.len() {
                return Some((index.shown(place)?.id, index.language(place)));
            }
            place -= index.len();
        }
        None
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
