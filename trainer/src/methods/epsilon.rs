//! The epsilon of smooth cosine similarity, for methods whose training does not know it: the one that
//! ranks validation queries best.

use smooth_clir::model::Model;

use super::figures::{Figures, Measured, measured, rankings, wanted};
use super::task::{RankingTask, Task};
use super::trained::Trained;
use crate::data::{Direction, Split};
use crate::error::Error;
use crate::evaluation::ranking::Encoded;

/// The epsilons that are tried, as shares of the median length of the vectors; 0 is cosine.
const SHARES: [f32; 8] = [0.0, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0];

/// An epsilon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Epsilon {
    /// As a share of the median length of the vectors of all texts that are ranked.
    pub share: f32,
    /// Itself.
    pub value: f32,
    /// [`Figures::merit`] on the validation queries.
    pub merit: f64,
}

/// A split's rankings with the vectors of their texts.
struct Vectors {
    each: Vec<(RankingTask, Vec<usize>, [Encoded; 2])>,
}

/// Gives a model the epsilon that ranks validation queries best; of several, the smallest. `None` for a
/// method that is no model.
///
/// # Errors
/// As [`Figures::of`].
pub fn choose(trained: &mut Trained, task: &Task) -> Result<Option<Epsilon>, Error> {
    let Some(vectors) = Vectors::of(trained, task, Split::Validation)? else { return Ok(None) };
    let norm = vectors.norm();
    let mut best = Epsilon { share: 0.0, value: 0.0, merit: f64::NEG_INFINITY };
    for share in SHARES {
        let value = share * norm;
        let merit = vectors.figures(value)?.merit();
        if merit > best.merit {
            best = Epsilon { share, value, merit };
        }
    }
    trained.set_epsilon(best.value);
    Ok(Some(best))
}

impl Trained {
    /// Gives its models another epsilon.
    pub fn set_epsilon(&mut self, epsilon: f32) {
        if let Self::Model { there, back } = self {
            there.config.epsilon = epsilon;
            back.iter_mut().for_each(|back| back.config.epsilon = epsilon);
        }
    }
}

impl Vectors {
    fn of(trained: &Trained, task: &Task, split: Split) -> Result<Option<Self>, Error> {
        let Trained::Model { there, back } = trained else { return Ok(None) };
        let mut each = Vec::new();
        for ranking in rankings(task, split)? {
            let wanted = wanted(&ranking);
            let encoded = encoded((there, back.as_deref()), &ranking, &wanted)?;
            each.push((ranking, wanted, encoded));
        }
        Ok(Some(Self { each }))
    }

    /// The mean of the two languages' median lengths.
    fn norm(&self) -> f32 {
        let medians = self.each.iter().take(2).map(|(_, _, [_, documents])| {
            let mut norms: Vec<f32> = (0..documents.len()).map(|at| documents.norm(at)).collect();
            let middle = norms.len() / 2;
            match norms.is_empty() {
                true => 0.0,
                false => *norms.select_nth_unstable_by(middle, f32::total_cmp).1,
            }
        });
        medians.fold(0.0, |sum, norm| sum + norm) / 2.0
    }

    fn figures(&self, epsilon: f32) -> Result<Figures, Error> {
        let each = self.each.iter().map(|(ranking, wanted, [queries, documents])| {
            measured(ranking, wanted, |place| queries.scores(place, documents, epsilon))
        });
        Ok(Figures::from_measured(&each.collect::<Result<Vec<Measured>, _>>()?))
    }
}

/// The vectors of a ranking's queries and of its documents.
fn encoded(
    (there, back): (&Model, Option<&Model>),
    ranking: &RankingTask,
    wanted: &[usize],
) -> Result<[Encoded; 2], Error> {
    let RankingTask { collection, direction, .. } = ranking;
    let language = &collection.language;
    let (queries, documents) = match (direction, back) {
        (Direction::Forward, _) => (there.query_encoder()?, there.document_encoder(language)?),
        (Direction::Back, Some(back)) => (back.query_encoder()?, back.document_encoder(language)?),
        (Direction::Back, None) => (there.document_encoder(language)?, there.query_encoder()?),
    };
    let texts: Vec<&str> =
        wanted.iter().map(|&query| &collection.queries[query].text[..]).collect();
    Ok([
        Encoded::of_texts(queries, &texts, |text| text),
        Encoded::of_texts(documents, &collection.documents, |document| &document.text),
    ])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use smooth_clir::encoder::{Encoder, Network, Table};
    use smooth_clir::model::Config;
    use smooth_clir::text::vocabulary::Vocabulary;

    use super::*;
    use crate::data::Collection;

    /// Queries are "a". Each has a document "a b", whose vector is long; the vector of the document "c" lies a little
    /// nearer by its direction, but is short.
    fn trained() -> Trained {
        let side = |tokens: [&str; 3], rows: Vec<f32>| {
            let vocabulary = Vocabulary::from_tokens(tokens).unwrap();
            Encoder::new(vocabulary, Network::Linear(Table::new(2, rows).into()))
        };
        let words = vec![4.0, 0.0, 4.0, 1.6, 0.1, 0.01];
        let config = Config {
            encoder: "linear".into(),
            dimension: 2,
            epsilon: 0.0,
            thresholds: vec![0.2, 0.7],
            languages: vec!["xx".into()],
            subwords: 0,
            calibration: BTreeMap::new(),
            probability: Default::default(),
            packs: Vec::new(),
        };
        let there = Box::new(Model {
            config,
            provenance: "{}".into(),
            space: String::new(),
            query: Some(side(["a", "b", "c"], words.clone())),
            documents: BTreeMap::from([("xx".into(), side(["a", "b", "c"], words))]),
            translations: BTreeMap::new(),
            deep: None,
        });
        Trained::Model { there, back: None }
    }

    fn task() -> Task {
        let queries = vec!["a".to_owned(); 40];
        let documents = [vec!["a b".to_owned(); 40], vec!["c".to_owned()]].concat();
        Task::of(Collection::of_texts(&queries, &documents))
    }

    #[test]
    fn the_epsilon_that_ranks_the_long_relevant_document_before_the_short_one_is_chosen() {
        let (mut trained, task) = (trained(), task());
        let figures = |trained: &Trained| Figures::of(trained, &task, Split::Validation);
        let vectors = match Vectors::of(&trained, &task, Split::Validation) {
            Ok(Some(vectors)) => vectors,
            other => panic!("{:?}", other.map(|_| ()).err()),
        };
        for epsilon in [0.0, 0.3] {
            trained.set_epsilon(epsilon);
            assert_eq!(vectors.figures(epsilon).unwrap(), figures(&trained).unwrap());
        }
        // Cosines .98 and .995; lengths 4.08 and .1. Copies of a query's document do not count.
        for (epsilon, expected) in [(0.0, 0.5), (0.3, 1.0)] {
            trained.set_epsilon(epsilon);
            assert_eq!(figures(&trained).unwrap().there.metrics.mrr_mr, expected);
        }
        let chosen = choose(&mut trained, &task).unwrap().unwrap();
        assert_eq!(chosen.share, 0.05);
        // Medians: |(4, .8)| of the documents, 4 of the queries.
        let norm = (16.64f32.sqrt() + 4.0) / 2.0;
        assert!((chosen.value - 0.05 * norm).abs() < 1e-5, "{chosen:?}");
        assert_eq!(figures(&trained).unwrap().merit(), chosen.merit);
    }

    #[test]
    fn a_method_without_vectors_has_no_epsilon() {
        assert_eq!(choose(&mut Trained::Bm25, &task()).unwrap(), None);
    }
}
