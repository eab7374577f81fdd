//! The weights of the dense and the lexical score for a statement.

use smooth_clir::engine::{EncodedQuery, Engine, Search};

use super::documents::Documents;
use crate::error::Error;

/// The weights of both scores in each language; `None` where they are not known.
type OfLanguages = Vec<Option<[f32; 2]>>;

/// The weights of the dense and the lexical score of each document.
#[derive(Debug)]
pub struct Weights {
    /// The place of the first document that they hold for, up to that of the next ones.
    from: Vec<(usize, OfLanguages)>,
}

impl Weights {
    /// The weights in a search, by the indexes that the documents are in and their languages.
    ///
    /// # Errors
    /// What the engine refuses.
    pub fn new(
        documents: &Documents<'_>,
        engine: &Engine,
        encoded: &EncodedQuery,
        search: Search<'_>,
    ) -> Result<Self, Error> {
        let mut all = Self { from: Vec::new() };
        for (first_place, index) in documents.indexes() {
            let mut own = vec![None; documents.languages().len()];
            let weights = engine.hybrid_weights(index, encoded, search)?;
            for (language, weights) in index.languages.iter().zip(weights) {
                if let Some(number) = documents.language(language) {
                    own[number] = Some(weights);
                }
            }
            all.push(first_place, own);
        }
        Ok(all)
    }

    /// Adds the weights of the documents from a place on.
    fn push(&mut self, first_place: usize, own: OfLanguages) {
        if let Some((_, last)) = self.from.last_mut()
            && last.iter().zip(&own).all(|(a, b)| a.is_none() || b.is_none() || a == b)
        {
            last.iter_mut().zip(own).for_each(|(last, own)| *last = last.or(own));
            return;
        }
        self.from.push((first_place, own));
    }

    /// The largest weight of the dense score, 0, or of the lexical score, 1.
    pub fn most(&self, number: usize) -> f64 {
        let weights = self.from.iter().flat_map(|(_, weights)| weights.iter().flatten());
        weights.fold(0.0, |most, weights| f64::max(most, weights[number].into()))
    }

    /// The weight of a document, by its columns `id` and `language`; `None` where it is always 1.
    pub fn expression(&self, number: usize) -> Option<String> {
        let weights = |of: &OfLanguages| {
            of.iter().map(|weights| weights.map_or(0.0, |weights| weights[number])).collect()
        };
        let mut own: Vec<(usize, Vec<f32>)> =
            self.from.iter().map(|(first_place, of)| (*first_place, weights(of))).collect();
        own.dedup_by(|next, one| next.1 == one.1);
        if own.iter().all(|(_, weights)| weights.iter().all(|&weight| weight == 1.0)) {
            return None;
        }
        let of_language = |weights: &[f32]| {
            let languages: Vec<String> =
                (0..weights.len()).map(|number| number.to_string()).collect();
            format!("transform(language, [{}], [{}], 0.)", languages.join(", "), numbers(weights))
        };
        let of_place =
            |(first_place, weights): &(usize, Vec<f32>)| (*first_place, of_language(weights));
        Some(by_place(own.iter().map(of_place).collect()))
    }

    /// The number of a document's weights among those of other indexes; `None` where all indexes have the same.
    pub fn part(&self) -> Option<String> {
        let places = self.from.iter().map(|(first_place, _)| *first_place);
        let numbered =
            places.zip(0..).map(|(first_place, number)| (first_place, number.to_string()));
        (self.from.len() > 1).then(|| by_place(numbered.collect()))
    }
}

/// An expression for documents from each of some places on, which rise; the first place is 0.
fn by_place(expressions: Vec<(usize, String)>) -> String {
    let next = expressions.iter().skip(1).map(|(first_place, _)| Some(*first_place)).chain([None]);
    let branch = |((_, expression), next): (&(usize, String), Option<usize>)| match next {
        Some(next) => format!("id < {next}, {expression}"),
        None => expression.clone(),
    };
    let branches: Vec<String> = expressions.iter().zip(next).map(branch).collect();
    match &branches[..] {
        [one] => one.clone(),
        _ => format!("multiIf({})", branches.join(", ")),
    }
}

/// Numbers as a statement lists them.
pub fn numbers(numbers: &[f32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|&x| format!("{:?}", f64::from(x))).collect();
    numbers.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_of_a_language_and_of_an_index_where_indexes_differ() {
        let mut weights = Weights { from: Vec::new() };
        // The first two agree on what both have.
        weights.push(0, vec![Some([0.25, 0.5]), None]);
        weights.push(10, vec![Some([0.25, 0.5]), Some([0.125, 0.5])]);
        assert_eq!(weights.part(), None);
        let dense = "transform(language, [0, 1], [0.25, 0.125], 0.)";
        assert_eq!(weights.expression(0).unwrap(), dense);
        weights.push(30, vec![None, Some([0.75, 0.5])]);
        assert_eq!(weights.part().unwrap(), "multiIf(id < 30, 0, 1)");
        let other = "transform(language, [0, 1], [0.0, 0.75], 0.)";
        assert_eq!(weights.expression(0).unwrap(), format!("multiIf(id < 30, {dense}, {other})"));
        assert_eq!((weights.most(0), weights.most(1)), (0.75, 0.5));
    }

    #[test]
    fn a_weight_of_1_is_not_asked_for() {
        let mut weights = Weights { from: Vec::new() };
        weights.push(0, vec![Some([1.0, 0.0])]);
        assert_eq!(weights.expression(0), None);
        assert_eq!(weights.expression(1).unwrap(), "transform(language, [0], [0.0], 0.)");
    }
}
