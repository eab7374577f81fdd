//! Fine-tuning runs of models whose words have weights, and are made of n-grams where they have no row.

use super::*;
use std::sync::Arc;

use smooth_clir::training::step::Weighting;

/// Words that no encoder has a row for: fog, thaw, brume, givre, nebbia.
const TEXTS: [(&str, &str); 5] = [
    ("fr", "pluie brume pluie montagne givre"),
    ("fr", "pain sel"),
    ("it", "pioggia nebbia lago"),
    ("it", "pane"),
    ("fr", "brume givre"),
];
const JUDGEMENTS: [Judgement<'static>; 4] = [
    Judgement { query: "rain fog mountain", document: 0, grade: 2 },
    Judgement { query: "thaw and fog", document: 2, grade: 2 },
    Judgement { query: "rain lake rain", document: 1, grade: 0 },
    Judgement { query: "snow", document: 4, grade: 1 },
];
const NAMES: [&str; 3] = ["query", "document.fr", "document.it"];

fn model(precision: Precision, weighs: bool) -> Model {
    let mut model = super::model(precision);
    let values = Random::new(9, "n-grams").normals(32 * DIMENSION, 0.5);
    let subwords = Arc::new(Rows::new(Table::new(DIMENSION, values), precision));
    model.config.subwords = subwords.len();
    for (seed, encoder) in model.query.iter_mut().chain(model.documents.values_mut()).enumerate() {
        let weights = Random::new(seed as u64, "weights").uniforms(encoder.vocabulary.len(), 0.4);
        encoder.weights = weighs.then(|| weights.into_iter().map(|x| 0.5 + x).collect());
        encoder.subwords = Some(subwords.clone());
    }
    model
}

fn index(model: &Model, precision: Precision) -> Index {
    let ids: Vec<String> = (0..TEXTS.len()).map(|at| at.to_string()).collect();
    let documents = TEXTS.iter().zip(&ids);
    let documents = documents.map(|((language, text), id)| Document {
        id,
        language,
        text,
        ..Document::default()
    });
    Index::build(model, documents, precision).unwrap()
}

fn engine(model: Model, precision: Precision) -> Engine {
    let index = index(&model, precision);
    let mut engine = Engine::new(model).unwrap();
    engine.add(index).unwrap();
    engine
}

fn score(engine: &Engine, judgement: Judgement<'_>) -> f32 {
    let search = Search { query: judgement.query, limit: 100, ..Search::default() };
    let id = judgement.document.to_string();
    engine.search(search).unwrap().iter().find(|hit| hit.id == id).unwrap().score
}

fn sosl() -> Loss {
    Loss::Sosl(Thresholds::new(&[0.2, 0.6]).unwrap())
}

#[test]
fn the_first_loss_is_that_of_the_scores_which_the_engine_gives() {
    for weighs in [true, false] {
        let engine = engine(model(Precision::F32, weighs), Precision::F32);
        let losses =
            JUDGEMENTS.map(|judgement| sosl().value(score(&engine, judgement), judgement.grade));
        assert!(losses.iter().filter(|&&loss| loss > 0.0).count() > 1, "{losses:?}");
        let expected = losses.iter().map(|&loss| f64::from(loss)).sum::<f64>() / 4.0;
        let mut fine_tuning = FineTuning::new(&engine, &JUDGEMENTS, Options::default()).unwrap();
        assert_eq!(fine_tuning.step().loss, expected);
    }
}

#[test]
fn a_lesson_takes_the_steps_of_the_training_on_the_whole_tables() {
    let mut engine = engine(model(Precision::F32, true), Precision::F32);
    let settings =
        Settings { epsilon: 0.5, loss: sosl(), learning_rate: 0.02, clip: Some(0.05), pull: 0.3 };
    // After the rows of the sorted lists, the words without a row of each text that has any, added
    // up by hand.
    let spelled: [&[&[&str]]; 3] =
        [&[&["fog"], &["thaw", "and", "fog"]], &[&["brume", "givre"]], &[&["nebbia"]]];
    let tables = NAMES.iter().zip(spelled).map(|(name, texts)| {
        let encoder = engine.encoder(name).unwrap();
        let mut values = encoder.network.words().widened().into_values();
        let weights = encoder.weights.as_ref().unwrap().to_vec();
        let counts = texts.iter().map(|text| text.len() as u32).collect();
        for text in texts {
            let words = text.iter().map(|word| encoder.spell(word).unwrap());
            let add = |a: Vec<f32>, b: Vec<f32>| a.iter().zip(b).map(|(a, b)| a + b).collect();
            values.extend(words.reduce(add).unwrap());
        }
        (Table::new(DIMENSION, values), Weighting { weights, counts })
    });
    let (mut tables, weightings): (Vec<_>, Vec<_>) = tables.unzip();
    let mut trainer = PairTrainer::new(settings, tables.remove(0), tables);
    trainer.weigh(weightings);
    let example = |query, document, language, grade| Pair { query, document, language, grade };
    let batch = [
        example(&[3, 2, 6], &[4, 4, 1, 6], 0, 2),
        example(&[7], &[2, 0, 3], 1, 2),
        example(&[3, 1, 3], &[3, 5], 0, 0),
        example(&[5], &[6], 0, 1),
    ];
    let options = Options { learning_rate: 0.02, clip: Some(0.05), pull: 0.3 };
    let mut fine_tuning = FineTuning::new(&engine, &JUDGEMENTS, options).unwrap();
    // Rain, mountain, lake and snow; pluie, montagne, pain and sel; pioggia and lago.
    assert_eq!((fine_tuning.judgements(), fine_tuning.rows()), (4, 10));
    for _ in 0..12 {
        assert_eq!(fine_tuning.step(), trainer.step(&batch));
    }
    History::default().apply(&mut engine, fine_tuning.changes()).unwrap();
    for (name, table) in NAMES.iter().zip(trainer.tables()) {
        let words = engine.encoder(name).unwrap().network.words().widened();
        assert_eq!(words.values(), &table.values()[..words.values().len()], "{name}");
    }
}

#[test]
fn what_is_marked_relevant_rises_and_what_is_not_falls() {
    for weighs in [true, false] {
        let mut engine = engine(model(Precision::I8, weighs), Precision::I8);
        let mut history = History::default();
        let before = JUDGEMENTS.map(|judgement| score(&engine, judgement));
        learn(&mut engine, &mut history, &JUDGEMENTS, 200);
        let after = JUDGEMENTS.map(|judgement| score(&engine, judgement));
        assert!(after[0] > 0.5, "{before:?} {after:?}");
        // Its query has no word that could move: its document moves towards it.
        assert!(after[1] > before[1] + 0.1, "{before:?} {after:?}");
        assert!(after[2] < 0.21, "{before:?} {after:?}");
        assert!(after[3] > 0.19 && after[3] < 0.61, "{before:?} {after:?}");
        let irrelevant =
            [Judgement { grade: 0, ..JUDGEMENTS[0] }, Judgement { grade: 0, ..JUDGEMENTS[1] }];
        learn(&mut engine, &mut history, &irrelevant, 200);
        let after = irrelevant.map(|judgement| score(&engine, judgement));
        assert!(after[0] < 0.21 && after[1] < 0.21, "{after:?}");
    }
}

#[test]
fn what_was_learned_is_undone_to_the_files_own_bits() {
    let model = model(Precision::I8, true);
    let (mut engine, mut history) = (engine(model.clone(), Precision::I8), History::default());
    let before = scores(&engine);
    learn(&mut engine, &mut history, &JUDGEMENTS, 4);
    assert_ne!(scores(&engine), before);
    history.undo(&mut engine).unwrap();
    assert_eq!(scores(&engine), before);
    assert_eq!(engine.indexes()[0], index(&model, Precision::I8));
    assert!(engine.learned().is_empty());
}

#[test]
fn an_engine_of_the_exported_model_gives_what_the_one_that_learned_gives() {
    let model = model(Precision::F32, true);
    let mut tuned = engine(model.clone(), Precision::F32);
    learn(&mut tuned, &mut History::default(), &JUDGEMENTS, 20);
    let read = Model::read(&tuned.export().bytes).unwrap();
    let encoders = |model: &Model| -> Vec<Encoder> {
        model.query.iter().chain(model.documents.values()).cloned().collect()
    };
    for (read, original) in encoders(&read).iter().zip(encoders(&model)) {
        assert_eq!((&read.weights, &read.subwords), (&original.weights, &original.subwords));
    }
    let read = engine(read, Precision::F32);
    assert_eq!(scores(&read), scores(&tuned));
    assert_eq!(
        JUDGEMENTS.map(|judgement| score(&read, judgement)),
        JUDGEMENTS.map(|judgement| score(&tuned, judgement))
    );
}

#[test]
fn a_mark_none_of_whose_words_has_a_row_is_refused() {
    let engine = engine(model(Precision::F32, true), Precision::F32);
    let refused = |query| FineTuning::new(&engine, &[judgement(query, 4, 2)], Options::default());
    let problem = "none of its words has a row of its own".to_owned();
    assert_eq!(refused("fog").unwrap_err(), Error::Judgement { number: 0, problem });
    let problem = "no word of its query is known".to_owned();
    assert_eq!(refused("…").unwrap_err(), Error::Judgement { number: 0, problem });
    assert_eq!(refused("fog and rain").unwrap().rows(), 1);
}

#[cfg(feature = "gpu")]
#[test]
fn a_lesson_learns_on_a_gpu_what_it_learns_on_the_processor() {
    use pollster::block_on;

    let engine = engine(model(Precision::I8, true), Precision::I8);
    let options = Options { learning_rate: 0.02, clip: Some(0.2), pull: 0.01 };
    let [mut here, mut there] =
        [(); 2].map(|()| FineTuning::new(&engine, &JUDGEMENTS, options).unwrap());
    block_on(there.move_to(&crate::device::own_gpu())).unwrap();
    assert!(there.is_on_gpu());
    for _ in 0..100 {
        here.step();
        block_on(there.step_there()).unwrap();
    }
    block_on(there.settle()).unwrap();
    let apart = on_a_gpu::apart(&here, &there);
    assert!(apart < 1e-4, "{apart}");
}
