//! Queries as people type them, which no parallel corpus has: a few words of a passage stand for it.

use std::borrow::Cow;

use smooth_clir::random::Random;

use super::Plan;
use super::pairs::Texts;

/// An excerpt has at most so many words.
const MOST_WORDS: usize = 12;
/// A passage has at most so many texts after its first.
const MOST_MORE: usize = 3;

/// Which pairs of a step are replaced by an excerpt of a passage and the passage's translation.
pub struct Excerpts {
    seed: u64,
    share: f32,
}

impl Excerpts {
    /// Those of a step.
    pub fn new(plan: &Plan, step: u64) -> Self {
        let seed = Random::new(plan.seed, &format!("excerpts {step}")).next_u64();
        Self { seed, share: plan.excerpts }
    }

    /// The pair `at`, or what replaces it: `place` is its place in the step.
    pub fn of<'a>(
        &self,
        place: u32,
        at: usize,
        [queries, documents]: [&'a Texts; 2],
    ) -> [Cow<'a, [u32]>; 2] {
        let mut random = Random::new(self.seed, &place.to_string());
        let whole = || [queries.rows(at).into(), documents.rows(at).into()];
        if self.share <= 0.0 || random.unit() >= self.share {
            return whole();
        }
        let last = queries.last_of_passage(at, random.below(MOST_MORE + 1));
        let text = queries.passage(at..=last);
        let words = (1 + random.below(MOST_WORDS)).min(text.len());
        let excerpt = match random.below(2) {
            // Words that stand together, as in a phrase or a question.
            0 => {
                let start = random.below(text.len() - words + 1);
                text[start..start + words].to_vec()
            }
            // Words from anywhere, as in a list of keywords.
            _ => (0..words).map(|_| text[random.below(text.len())]).collect(),
        };
        [excerpt.into(), documents.passage(at..=last).into()]
    }
}
