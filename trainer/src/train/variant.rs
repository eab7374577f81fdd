//! What a training does otherwise than paper 1.

use serde_json::{Value, json};

use super::json_number::number;
use super::lists::ListLoss;

/// What a training does otherwise than paper 1; the default is the paper's own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Variant {
    /// A loss of a query's candidates together, in place of the plan's, whose thresholds then only
    /// predict grades.
    pub list: Option<ListLoss>,
    /// Whether a pair loses at all thresholds on the wrong side of its score, not only at those of
    /// its grade's interval. Only with [`Loss::Sosl`](smooth_clir::math::loss::Loss::Sosl).
    pub all_thresholds: bool,
    /// The margin on both sides of thresholds that are learned; `None` for fixed ones without a
    /// margin. Only with [`Loss::Sosl`](smooth_clir::math::loss::Loss::Sosl).
    pub learned_margin: Option<f32>,
    /// The grades that training pairs have by their distance over links, in place of three; validation
    /// and test queries keep three.
    pub grades: Option<usize>,
    /// Whether a step has all candidates of its queries, as a list loss needs.
    pub whole_queries: bool,
    /// How epsilon changes in training.
    pub epsilon: EpsilonRule,
    /// Whether validation queries rank all documents, not sampled candidates.
    pub validates_on_all: bool,
    /// Whether steps are those of plain gradient descent, not of Adam.
    pub descent: bool,
    /// Whether queries and documents have the same layers, each with words of their own. Only with encoders that have
    /// layers.
    pub shared_layers: bool,
}

/// How epsilon changes in training.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum EpsilonRule {
    /// Not at all.
    #[default]
    Fixed,
    /// It is learned by its logarithm, beginning with the plan's.
    Learned,
    /// The query's and the document's are learned apart.
    LearnedSides,
    /// It goes from this value in the first epoch to the plan's in the last, by equal factors.
    Annealed(f32),
}

impl Variant {
    /// Adds what differs from the paper to a plan's description.
    pub fn describe(&self, description: &mut Value) {
        if let Some(list) = &self.list {
            description["list"] = list.describe();
        }
        let flags = [
            ("all-thresholds", self.all_thresholds),
            ("whole-queries", self.takes_whole_queries()),
            ("validate-on-all", self.validates_on_all),
            ("descent", self.descent),
            ("shared-layers", self.shared_layers),
        ];
        for (name, _) in flags.into_iter().filter(|(_, is_set)| *is_set) {
            description[name] = json!(true);
        }
        if let Some(margin) = self.learned_margin {
            description["learned-margin"] = number(margin);
        }
        if let Some(grades) = self.grades {
            description["training-grades"] = json!(grades);
        }
        match self.epsilon {
            EpsilonRule::Fixed => {}
            EpsilonRule::Learned => description["learn-epsilon"] = json!("one"),
            EpsilonRule::LearnedSides => description["learn-epsilon"] = json!("sides"),
            EpsilonRule::Annealed(from) => description["anneal-epsilon"] = number(from),
        }
    }

    /// Whether a step has all candidates of its queries.
    pub fn takes_whole_queries(&self) -> bool {
        self.whole_queries || self.list.is_some()
    }

    /// Whether the step itself differs from the core's usual one.
    pub fn changes_steps(&self) -> bool {
        let Self { list, all_thresholds, learned_margin, epsilon, descent, .. } = self;
        let has_own_loss = list.is_some() || *all_thresholds || learned_margin.is_some();
        has_own_loss || *epsilon != EpsilonRule::Fixed || *descent
    }
}
