//! Pairs of texts -> the translations of each language.

use smooth_clir::encoder::Encoder;
use smooth_clir::translation::{Entry, Translations};
use smooth_clir::vocabulary::Vocabulary;

use super::Pairs;
use super::pairs::Language;
use crate::alignment::{self, Translation};
use crate::error::Error;

/// A word of English is rare that stands fewer times in translations.
const RARE: u32 = 20;

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
    let of_language = |(language, document): (&Language, &Encoder)| {
        let found = aligned(language, pairs.english.vocabulary.len())?;
        let words = [&pairs.english.vocabulary, &language.words.vocabulary];
        let table = table(&found, kept, words, [&query.vocabulary, &document.vocabulary])?;
        eprintln!("{}: {} translations", language.name, table.len());
        Ok(table)
    };
    pairs.languages.iter().zip(documents).map(of_language).collect()
}

/// Which words translate which. Queries are no translations: what they say of a word counts only where
/// translations hardly know it.
fn aligned(language: &Language, english_words: usize) -> Result<Vec<Translation>, Error> {
    let Language { training, translated, .. } = language;
    let align = |pairs: usize| {
        let texts = |take: alignment::Take<'_>| training.for_each_chunk(pairs, take);
        alignment::translations(texts, &alignment::Settings::default())
    };
    let mut found = align(*translated)?;
    if training.len() > *translated {
        let mut seen = vec![0_u32; english_words];
        training.for_each_chunk(*translated, &mut |texts| {
            let words = texts.iter().flat_map(|[english, _]| *english);
            words.for_each(|&word| seen[word as usize] += 1);
        })?;
        let is_rare = |of: &Translation| seen[of.source as usize] < RARE;
        found.retain(|of| !is_rare(of));
        found.extend(align(training.len())?.into_iter().filter(is_rare));
        found.sort_unstable_by_key(|of| (of.source, of.target));
    }
    Ok(found)
}

/// The strongest of the translations found between `words`, as a table for encoders with words of
/// their own: of queries, then of documents.
///
/// # Errors
/// If there are too many words.
pub fn table(
    found: &[Translation],
    kept: Kept,
    words: [&Vocabulary; 2],
    [query, document]: [&Vocabulary; 2],
) -> Result<Translations, Error> {
    let entry = |of: &Translation| Entry {
        query: words[0].token(of.source as usize),
        document: words[1].token(of.target as usize),
        strength: of.symmetric() as f32,
    };
    let strongest = strongest(found, kept);
    let entries: Vec<Entry<'_>> = strongest.iter().map(entry).collect();
    Ok(Translations::new(&entries, query, document)?)
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
