//! Texts and their translations: how often, and how high, each finds the other.

use rayon::prelude::*;

/// How often, and how high, mates are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// The share of texts that find their mate first.
    pub accuracy: f64,
    /// The mean of the reciprocal ranks of mates.
    pub mrr: f64,
}

/// Ranks all `texts` for each text at the same place of another list, by the scores that it gives
/// all of them. A mate with g rivals above it and e tied with it counts as every place from g + 1 to
/// g + 1 + e alike; rivals whose text is the mate's are left out.
pub fn find_mates(texts: &[String], scores: impl Fn(usize) -> Vec<f32> + Sync) -> Found {
    let found = |place: usize| {
        let scores = scores(place);
        let rivals = (0..texts.len()).filter(|&rival| texts[rival] != texts[place]);
        let (mut above, mut tied) = (0, 0);
        for rival in rivals {
            above += usize::from(scores[rival] > scores[place]);
            tied += usize::from(scores[rival] == scores[place]);
        }
        expected(above, tied)
    };
    let each: Vec<Found> = (0..texts.len()).into_par_iter().map(found).collect();
    let mean = |value: fn(&Found) -> f64| {
        each.iter().map(value).fold(0.0, |sum, x| sum + x) / each.len() as f64
    };
    Found { accuracy: mean(|found| found.accuracy), mrr: mean(|found| found.mrr) }
}

/// What a mate with `above` rivals over it and `tied` beside it is worth on average.
fn expected(above: usize, tied: usize) -> Found {
    let places = above + 1..=above + 1 + tied;
    let mrr = places.map(|place| 1.0 / place as f64).fold(0.0, |sum, x| sum + x);
    let share = 1.0 / (1 + tied) as f64;
    Found { accuracy: if above == 0 { share } else { 0.0 }, mrr: mrr * share }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_worth_the_mean_of_their_places() {
        assert_eq!(expected(0, 0), Found { accuracy: 1.0, mrr: 1.0 });
        assert_eq!(expected(0, 1), Found { accuracy: 0.5, mrr: 0.75 });
        assert_eq!(expected(1, 0), Found { accuracy: 0.0, mrr: 0.5 });
        assert_eq!(expected(1, 1), Found { accuracy: 0.0, mrr: (0.5 + 1.0 / 3.0) / 2.0 });
    }
}
