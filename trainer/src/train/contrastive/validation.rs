//! How many texts find their translation among those of their language that were kept back.

use smooth_clir::encoder::Encoder;

use super::pairs::Language;
use crate::evaluation::mates::find_mates;
use crate::evaluation::ranking::Encoded;

/// The share of texts found first: the mean over both directions, then over the languages that
/// have such texts. `encoders` are the queries', then each language's.
pub fn accuracy(encoders: &[Encoder], languages: &[Language], epsilon: f32) -> Option<f64> {
    let (query, documents) = encoders.split_first()?;
    let kept =
        languages.iter().zip(documents).filter(|(language, _)| !language.validation.is_empty());
    let each = kept.map(|(language, document)| {
        let texts = |side: usize| -> Vec<String> {
            language.validation.iter().map(|pair| pair.texts[side].clone()).collect()
        };
        let (english, foreign) = (texts(0), texts(1));
        let queries = Encoded::of_texts(query, &english, String::as_str);
        let documents = Encoded::of_texts(document, &foreign, String::as_str);
        let there = find_mates(&foreign, |at| queries.scores(at, &documents, epsilon));
        let back = find_mates(&english, |at| documents.scores(at, &queries, epsilon));
        0.5 * (there.accuracy + back.accuracy)
    });
    let each: Vec<f64> = each.collect();
    let mean = each.iter().fold(0.0, |sum, x| sum + x) / each.len() as f64;
    (!each.is_empty()).then_some(mean)
}
