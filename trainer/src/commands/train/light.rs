//! `train --teacher`: the query encoder of a sentence encoder's vectors.

use std::sync::Arc;

use smooth_clir::encoder::Encoder;
#[cfg(feature = "teacher")]
use smooth_clir::encoder::Precision;
#[cfg(feature = "teacher")]
use smooth_clir::index::Document;
use smooth_clir::model::Model;
use smooth_clir::model::deep::Deep;

use super::options::Train;
use crate::deep::queries;
#[cfg(feature = "teacher")]
use crate::deep::{OpenTeacher, Vectors, encode};
use crate::error::Error;
use crate::train::contrastive::{KeptBack, Language, Pairs, Plan};

/// Fixes the queries that weights are fitted on.
const SEED: u64 = 1;

/// A query for each pair of a language that was kept back: made of its English text, unless that is a query.
pub fn asked(encoder: &Encoder, language: &Language) -> Vec<String> {
    let english: Vec<&str> = language.validation.iter().map(|pair| &pair.texts[0][..]).collect();
    let mut made = queries(encoder, &english, SEED);
    for (query, pair) in made.iter_mut().zip(&language.validation) {
        if pair.is_query {
            query.clone_from(&pair.texts[0]);
        }
    }
    made
}

/// The vectors of a language's kept-back documents as deep ones, one after the other.
#[cfg(feature = "teacher")]
pub fn deep_vectors(
    model: &Model,
    teacher: &OpenTeacher,
    language: &Language,
) -> Result<Vec<f32>, Error> {
    let mut vectors = Vectors::open(None, model, Precision::F32)?;
    let document = |text| Document { language: &language.name, text, ..Document::default() };
    let texts = language.validation.iter().map(|pair| &pair.texts[1][..]);
    let documents: Vec<Document<'_>> = texts.map(document).collect();
    encode(model, teacher, &documents, &mut vectors)?;
    let values = documents.iter().filter_map(|document| vectors.of(document));
    Ok(values.flatten().copied().collect())
}

/// What a teacher makes of the words of queries.
#[derive(Debug)]
pub struct Light {
    /// The query encoder, of which documents are made by translations.
    pub encoder: Encoder,
    /// The map of the teacher's vectors into the model's space.
    pub deep: Arc<Deep>,
}

#[cfg(feature = "teacher")]
mod with_teacher {
    use std::collections::BTreeMap;

    use smooth_clir::text::subwords::Spellings;

    use super::{Arc, Encoder, Error, KeptBack, Light, Model, Pairs, Plan, Train};
    use super::{asked, deep_vectors};
    use crate::data::pairs::Kind;
    use crate::deep::{
        Answered, English, LightQuery, OpenTeacher, QueryWords, learn_answers, light_query,
    };
    use crate::files::check_distinct;
    use crate::train::contrastive::{kept_back, weights};

    /// Epsilon unless another is asked for: the length of a mean of words says little of a document, and shorter ones are
    /// lowered by a larger epsilon.
    const EPSILON: f32 = 0.01;
    /// Refuses options of the training that a teacher spares: documents are read by translations.
    fn refuse_idle(arguments: &Train) -> Result<(), Error> {
        let idle = [
            ("--epochs", arguments.epochs.is_some()),
            ("--patience", arguments.patience.is_some()),
            ("--batch-size", arguments.batch_size.is_some()),
            ("--learning-rate", arguments.learning_rate.is_some()),
            ("--init-deviation", arguments.init_deviation.is_some()),
            ("--word-dropout", arguments.word_dropout.is_some()),
            ("--temperature", arguments.temperature.is_some()),
            ("--objective", arguments.objective.is_some()),
            ("--rivals", arguments.rivals.is_some()),
            ("--repeat", !arguments.repeat.is_empty()),
            ("--most-words", arguments.most_words.is_some()),
            ("--most-translations 0", arguments.most_translations == Some(0)),
        ];
        match idle.into_iter().find(|(_, given)| *given) {
            Some((option, _)) => {
                Err(Error::Usage(format!("{option}: not supported with --teacher")))
            }
            None => Ok(()),
        }
    }

    /// The teacher of a training, if it has one.
    pub struct Teaching(Option<OpenTeacher>);

    impl Teaching {
        /// Reads the teacher, and notes its digest in the plan.
        pub fn open(arguments: &Train, plan: &mut Plan) -> Result<Self, Error> {
            let Some(path) = &arguments.teacher else { return Ok(Self(None)) };
            refuse_idle(arguments)?;
            check_distinct([&*arguments.out], [&**path])?;
            let mut teacher = OpenTeacher::open(path)?;
            if let Some(file) = &arguments.teacher_vectors {
                teacher.keep_in(file)?;
            }
            if plan.dimension > teacher.dimension() {
                let (asked, most) = (plan.dimension, teacher.dimension());
                let problem =
                    format!("--dimension {asked}: the teacher's vectors have {most} dimensions");
                return Err(Error::Usage(problem));
            }
            plan.teacher = Some(teacher.digest().to_owned());
            plan.epsilon = arguments.epsilon.unwrap_or(EPSILON);
            Ok(Self(Some(teacher)))
        }

        /// The common English words that the teacher knows, the most common first.
        pub fn words(&self) -> Vec<String> {
            self.0.as_ref().map(OpenTeacher::common_words).unwrap_or_default()
        }

        /// Makes the query encoder of the words of all pairs; `None` without a teacher.
        pub fn queries(&self, plan: &Plan, pairs: &Pairs) -> Result<Option<Light>, Error> {
            let Some(teacher) = &self.0 else { return Ok(None) };
            let mut english = English::default();
            let files = plan.languages.iter().flat_map(|(_, files)| files);
            for file in files.filter(|file| file.kind == Kind::Sentences) {
                file.read(|pair| english.add(pair.texts[0]))?;
            }
            let words = &pairs.english;
            let spellings = Spellings::new(&words.vocabulary, plan.subwords);
            let queries = QueryWords {
                vocabulary: &words.vocabulary,
                counts: &words.counts,
                weights: &weights(plan, words),
                spellings: &spellings,
                buckets: plan.subwords,
            };
            let light = light_query(teacher, &english, queries, (plan.dimension, plan.seed))?;
            let LightQuery { encoder, deep } = light;
            Ok(Some(Light { encoder, deep: Arc::new(deep) }))
        }

        /// The query encoder of a model, `unrounded` until now, after it has learnt from the queries of `--queries`; `None`
        /// without them.
        pub fn learnt(
            &self,
            (model, unrounded): (&Model, &Encoder),
            plan: &Plan,
        ) -> Result<Option<Encoder>, Error> {
            let Some(teacher) = &self.0 else { return Ok(None) };
            let mut answered = BTreeMap::new();
            for (language, files) in &plan.languages {
                let mut of_language = Answered::default();
                for file in files.iter().filter(|file| file.kind == Kind::Queries) {
                    file.read(|pair| {
                        if kept_back(pair.chapter).is_none() && file.asks_in_english(pair.texts) {
                            of_language.add(pair.texts);
                        }
                    })?;
                }
                if of_language.len() > 0 {
                    eprintln!("{language}: {} written queries", of_language.len());
                    answered.insert(&language[..], of_language);
                }
            }
            match answered.is_empty() {
                true => Ok(None),
                false => learn_answers((model, unrounded), teacher, &answered, plan.seed).map(Some),
            }
        }

        /// A query for each pair that was kept back, and the vectors of the documents as deep ones; nothing without a teacher.
        pub fn kept_back(&self, model: &Model, pairs: &Pairs) -> Result<KeptBack, Error> {
            let Some(teacher) = &self.0 else { return Ok(KeptBack::default()) };
            let (encoder, mut kept_back) = (model.query_encoder()?, KeptBack::default());
            for language in &pairs.languages {
                let name = &language.name;
                kept_back.queries.insert(name.clone(), asked(encoder, language));
                kept_back.vectors.insert(name.clone(), deep_vectors(model, teacher, language)?);
            }
            Ok(kept_back)
        }
    }
}

#[cfg(not(feature = "teacher"))]
mod without_teacher {
    use super::{Encoder, Error, KeptBack, Light, Model, Pairs, Plan, Train};

    /// No training has a teacher.
    pub struct Teaching;

    impl Teaching {
        /// Leaves the plan as it is.
        pub fn open(_: &Train, _: &mut Plan) -> Result<Self, Error> {
            Ok(Self)
        }

        /// No words.
        pub fn words(&self) -> Vec<String> {
            Vec::new()
        }

        /// Nothing.
        pub fn kept_back(&self, _: &Model, _: &Pairs) -> Result<KeptBack, Error> {
            Ok(KeptBack::default())
        }

        /// None.
        pub fn learnt(&self, _: (&Model, &Encoder), _: &Plan) -> Result<Option<Encoder>, Error> {
            Ok(None)
        }

        /// None.
        pub fn queries(&self, _: &Plan, _: &Pairs) -> Result<Option<Light>, Error> {
            Ok(None)
        }
    }
}

#[cfg(feature = "teacher")]
pub use with_teacher::Teaching;
#[cfg(not(feature = "teacher"))]
pub use without_teacher::Teaching;
