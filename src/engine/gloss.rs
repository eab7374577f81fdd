//! Words of documents, for a person who does not read their language: what each most likely stands for.

use super::Engine;
use crate::text::tokens;

impl Engine {
    /// For each of some words of documents in a language, the word of queries that it most likely stands for, by the
    /// model's translations; `None` where it knows none, or has no translations of the language. It is a guess word by
    /// word, which no word around it changes, and not a translation. Where the text rule has several tokens of a word, as
    /// of `l'eau`, its gloss has as many.
    pub fn gloss(&self, language: &str, words: &[String]) -> Vec<Option<String>> {
        let Some(translator) = self.model.translator(language, &self.query) else {
            return vec![None; words.len()];
        };
        let likeliest = self.query.likeliest(translator.table);
        let first = |token: String| {
            let number = translator.document_number(&token)?;
            Some(translator.query_word((*likeliest.get(number as usize)?)?))
        };
        let gloss = |word: &String| {
            let glosses: Vec<&str> = tokens(word).into_iter().filter_map(first).collect();
            (!glosses.is_empty()).then(|| glosses.join(" "))
        };
        words.iter().map(gloss).collect()
    }
}
