//! Pairs of texts -> the translations of each language.

use smooth_clir::encoder::Encoder;
use smooth_clir::translation::{Entry, Translations};

use super::Pairs;
use crate::alignment::{self, Translation};
use crate::error::Error;

/// Which translations a table keeps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kept {
    /// The least share of a word's.
    pub share: f32,
    /// At most so many of a word.
    pub most: usize,
}

/// A table of translations for each language, whose words are those of the encoders: the queries',
/// then each language's.
///
/// # Errors
/// If there are too many words.
pub fn translations(
    pairs: &Pairs,
    encoders: &[Encoder],
    kept: Kept,
) -> Result<Vec<Translations>, Error> {
    let Some((query, documents)) = encoders.split_first() else { return Ok(Vec::new()) };
    let table = |(language, document): (&super::pairs::Language, &Encoder)| {
        let texts =
            |take: alignment::Take<'_>| language.training.for_each_chunk(language.translated, take);
        let found = alignment::translations(texts, &alignment::Settings::default())?;
        let words = [&pairs.english.vocabulary, &language.words.vocabulary];
        let entries: Vec<Entry<'_>> = strongest(&found, kept)
            .into_iter()
            .map(|of| Entry {
                query: words[0].token(of.source as usize),
                document: words[1].token(of.target as usize),
                strength: of.symmetric() as f32,
            })
            .collect();
        eprintln!("{}: {} translations", language.name, entries.len());
        Ok(Translations::new(&entries, &query.vocabulary, &document.vocabulary)?)
    };
    pairs.languages.iter().zip(documents).map(table).collect()
}

/// Of each source the strongest, which have so large a share of all of its.
fn strongest(found: &[Translation], kept: Kept) -> Vec<Translation> {
    let mut strongest = Vec::new();
    for of_source in found.chunk_by(|a, b| a.source == b.source) {
        let mut own = of_source.to_vec();
        own.sort_by(|a, b| b.symmetric().total_cmp(&a.symmetric()).then(a.target.cmp(&b.target)));
        let sum = own.iter().fold(0.0, |sum, of| sum + of.symmetric());
        let strong = own.iter().take(kept.most).copied();
        strongest
            .extend(strong.filter(|of| of.symmetric() >= f64::from(kept.share) * sum && sum > 0.0));
    }
    strongest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_keeps_its_strongest_translations_by_their_share() {
        let of = |source, target, there| Translation { source, target, there, back: there };
        let found = [of(1, 4, 0.05), of(1, 5, 0.6), of(1, 6, 0.35), of(2, 4, 0.2), of(2, 5, 0.2)];
        let kept = |share, most| -> Vec<(u32, u32)> {
            let kept = strongest(&found, Kept { share, most });
            kept.iter().map(|of| (of.source, of.target)).collect()
        };
        assert_eq!(kept(0.1, 9), [(1, 5), (1, 6), (2, 4), (2, 5)]);
        assert_eq!(kept(0.0, 1), [(1, 5), (2, 4)]);
    }
}
