//! `language`: adds a language to a model.

mod card;
mod checks;
mod found;
mod options;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use smooth_clir::encoder::Encoder;
use smooth_clir::lexical::translation::Translations;
use smooth_clir::model::Model;
use smooth_clir::model::calibration::Calibration;
use smooth_clir::text::vocabulary::Vocabulary;

use self::card::Card;
use self::found::{Form, Stem, is_unspaced};
pub use self::options::Language;
use self::options::{Action, Add};
use self::table::{KEPT, file_of, fit_in, give, of_entries};
use super::train::light;
use super::train::sources;
use crate::data::pairs::{Kind, PairsFile};
use crate::data::tsv;
#[cfg(feature = "teacher")]
use crate::deep::OpenTeacher;
use crate::error::Error;
use crate::files;
use crate::terminal::output;
use crate::terminal::phase::Phases;
use crate::train::contrastive::{
    self, Bases, Counts, Fitted, Pairs, Reference, Scratch, StemName, Words,
};

/// Pairs of sentences from which on nothing is said of their number.
const FEW: usize = 10_000;
/// What to expect of fewer: German packs, without a lexicon and with one of 101,441 entries.
const EXPECTATION: &str = "of 1,000 and 5,000 pairs, a German pack found .49 and .73 of the translations of chat sentences first, with a large lexicon .89 and .91";

/// Does what the command line asks for.
pub fn run(arguments: &Language) -> Result<(), Error> {
    match &arguments.action {
        Action::Add(arguments) => add(arguments),
    }
}

/// Makes a language pack and its card.
fn add(arguments: &Add) -> Result<(), Error> {
    let name = &arguments.language;
    let place = arguments.out.as_ref().unwrap_or(&arguments.model);
    let is_folder = files::names_folder(place) || place.is_dir();
    let (out, card_out) = outputs(place, is_folder, name)?;
    let model = read_model(&arguments.model)?;
    let taken = arguments.translations.as_deref();
    let taken =
        taken.map(|path| translations_of(path, name, model.query_encoder()?)).transpose()?;
    let sources = arguments.sources.as_deref().map(sources).transpose()?;
    let read = pairs_files(arguments);
    let inputs = read.iter().map(PairsFile::path).chain(arguments.text.iter().map(|path| &**path));
    let inputs: Vec<&Path> = inputs.collect();
    files::check_distinct([&*out, &card_out], inputs.iter().copied())?;
    // A folder that is not there is made when there is something to write.
    let beside = if place.is_dir() { &out } else { place };
    files::check_writable(beside)?;
    let checking = Phases::Shown.phase("checking", arguments.pairs.len(), "files of pairs");
    for path in &arguments.pairs {
        checks::check(path, name)?;
        checking.step(1);
    }
    drop(checking);
    let digests = inputs.iter().map(|path| files::digest(path)).collect::<Result<Vec<_>, _>>()?;
    let reading = Phases::Shown.wait("reading pairs");
    let scratch = Scratch { beside: beside.clone(), above: Scratch::IN_MEMORY };
    let pairs = Pairs::read(&[(name.clone(), read.clone())], &scratch, &[])?;
    reading.finish_and_clear();
    let Some(language) = pairs.languages.first() else { return Ok(()) };
    eprintln!(
        "{name}: {} pairs to align, {} to fit by, {} words",
        language.training.len(),
        language.validation.len(),
        language.words.vocabulary.len()
    );
    let mut pack = empty_pack(&model, name);
    let query = pack.query_encoder()?;
    let queries = light::asked(query, language);
    let (stem, found) = match taken {
        Some(table) => {
            give(&mut pack, name, table);
            (Stem::of(&pack, language)?, Vec::new())
        }
        None => {
            let words = (language, &pairs.english);
            let forms = forms(words, query, &arguments.text)?;
            chosen(&mut pack, forms, words, (&queries, arguments.stems))?
        }
    };
    let least = fit_in(&mut pack, (name, &pairs.english), arguments.most_bytes)?;
    let vectors = deep_vectors(arguments, &pack, language)?;
    let reference = Reference::of(&model);
    let fitted = contrastive::fit_pack(&mut pack, language, (&queries, vectors), &reference)?;
    tell(&pack, name, fitted, &reference);
    let card = Card {
        language: name,
        model: &model,
        pack: &pack,
        pairs: [language.training.len(), language.validation.len()],
        inputs: inputs.iter().copied().zip(digests).collect(),
        sources,
        stem,
        found,
        least,
        fitted,
    };
    let provenance = card.provenance().to_string();
    let bytes = file_of(&Model { provenance, ..pack.clone() });
    if bytes.len() as u64 > arguments.most_bytes {
        let most = arguments.most_bytes;
        eprintln!(
            "warning: {name}: the pack has {} bytes, more than --most-bytes {most}",
            bytes.len()
        );
    }
    let told = format!("{:#}\n", card.to_json(bytes.len()));
    if is_folder {
        files::make_folder(place)?;
    }
    files::write_and_tell(vec![(out, bytes), (card_out, told.into_bytes())])
}

/// Where the pack and its card go, by the place that was asked for; neither may be there.
fn outputs(place: &Path, is_folder: bool, language: &str) -> Result<(PathBuf, PathBuf), Error> {
    let out = match is_folder {
        true => place.join(format!("document.{language}.safetensors")),
        false => place.to_owned(),
    };
    let card = out.with_file_name(format!("card.{language}.json"));
    if let Some(path) = [&out, &card].into_iter().find(|path| path.exists()) {
        let problem = "is there already: remove it, or choose another place with --out";
        return Err(Error::data(path, problem));
    }
    Ok((out, card))
}

/// The model that the pack is for.
fn read_model(path: &Path) -> Result<Model, Error> {
    let model = files::read_model(path)?;
    let problem = match &model.query {
        None => "has no query encoder: expected the folder of a model, with its query.safetensors",
        Some(query) if query.subwords.is_some() || model.config.encoder != "average" => {
            "has no query encoder that documents can be made of: expected a model that train --teacher made"
        }
        Some(_) => return Ok(model),
    };
    Err(Error::data(path, problem))
}

/// The files of sentences, then those of words.
fn pairs_files(arguments: &Add) -> Vec<PairsFile> {
    let kinds = [(Kind::Sentences, &arguments.pairs), (Kind::Lexicon, &arguments.lexicon)];
    let of_kind = |(kind, paths): (Kind, &Vec<PathBuf>)| {
        let file = |path: &PathBuf| PairsFile { path: path.clone(), kind, repeat: 1 };
        paths.iter().map(file).collect::<Vec<_>>()
    };
    kinds.into_iter().flat_map(of_kind).collect()
}

/// A pack of the model's query encoder without translations.
fn empty_pack(model: &Model, language: &str) -> Model {
    let unfitted = Calibration { dense: 0.4, lexical: 0.6, norms: [1.0, 1.0], deep: None };
    let mut config = model.config.clone();
    config.languages = vec![language.into()];
    config.packs = vec![language.into()];
    config.calibration = BTreeMap::from([(language.to_owned(), unfitted)]);
    config.probability.clear();
    let (documents, translations) = (BTreeMap::new(), BTreeMap::new());
    Model { config, documents, translations, ..model.clone() }
}

/// The translations of a pack for another model, for queries by this encoder.
fn translations_of(path: &Path, language: &str, query: &Encoder) -> Result<Translations, Error> {
    let model = read_model(path)?;
    let Some(own) = model.translations.get(language) else {
        return Err(Error::data(path, format!("has no translations of {language}")));
    };
    let none = Vocabulary::default();
    of_entries(&own.entries(&model.query_encoder()?.vocabulary, &none), own, query)
}

/// The translations of words, and those of their bases, if they have any.
fn forms(
    (language, english): (&contrastive::Language, &Words),
    query: &Encoder,
    texts: &[PathBuf],
) -> Result<Vec<(Translations, Option<Bases>)>, Error> {
    let none = Vocabulary::default();
    let table = contrastive::of_words(language, english, (query, &none), KEPT)?;
    let of_bases = match is_unspaced(language) {
        true => None,
        false => contrastive::of_bases(language, english, query, KEPT, &table)?,
    };
    let of_bases = of_bases.map(|(table, bases)| (table, Some(bases)));
    let mut forms: Vec<_> = of_bases.into_iter().chain([(table, None)]).collect();
    if !texts.is_empty() {
        let mut counts = Counts::default();
        for path in texts {
            tsv::read_lines(path, |_, text| {
                counts.add(text);
                Ok(())
            })?;
        }
        let of_texts = || counts.words().map(|word| (word, counts.of(word)));
        for (table, _) in &mut forms {
            contrastive::set_frequencies(table, || language.words.iter().chain(of_texts()));
        }
    }
    Ok(forms)
}

/// Gives a pack the translations that find most: of words or of their bases, with those of the stems that are asked for or find
/// most.
fn chosen(
    pack: &mut Model,
    forms: Vec<(Translations, Option<Bases>)>,
    (language, english): (&contrastive::Language, &Words),
    (queries, asked): (&[String], Option<StemName>),
) -> Result<(Stem, Vec<(Form, f64)>), Error> {
    let is_unspaced = is_unspaced(language);
    let stems = match asked {
        Some(name) => vec![name],
        None if is_unspaced => vec![StemName::None],
        None => vec![StemName::Head, StemName::Tail, StemName::None],
    };
    let is_choice = stems.len() * forms.len() > 1 && !language.validation.is_empty();
    let (mut made, mut found) = (Vec::new(), Vec::new());
    for (mut table, bases) in forms {
        for &name in &stems {
            table.stems = match name.end() {
                Some(end) => {
                    let words = (english, bases.as_ref());
                    Some(contrastive::of_stems(language, words, end, KEPT)?)
                }
                None => None,
            };
            give(pack, &language.name, table.clone());
            let score = if is_choice { contrastive::found(pack, language, queries)? } else { 0.0 };
            found.push((Form { has_bases: bases.is_some(), stems: name }, score));
            made.push(table.clone());
        }
    }
    let best = found::best(&found);
    if let Some(place) = found.iter().position(|(form, _)| Some(*form) == best) {
        give(pack, &language.name, made.swap_remove(place));
    }
    let name = &language.name;
    if is_unspaced {
        eprintln!("{name}: written without spaces, read by pairs of characters, without stems");
    } else if let Some(best) = best.filter(|_| is_choice) {
        let told = found.iter().map(|(form, found)| format!("{form} {found:.3}"));
        let told = told.collect::<Vec<_>>().join(", ");
        eprintln!("{name}: {best}, by the reciprocal rank of {told}");
    }
    let stem = Stem::of(pack, language)?;
    let words = &stem.function_words;
    eprintln!(
        "{name}: {} function words, the most frequent {}",
        words.len(),
        words[..words.len().min(10)].join(" ")
    );
    Ok((stem, if is_choice { found } else { Vec::new() }))
}

/// The vectors of the kept-back documents by the teacher, if there is one.
#[cfg(feature = "teacher")]
fn deep_vectors(
    arguments: &Add,
    pack: &Model,
    language: &contrastive::Language,
) -> Result<Option<Vec<f32>>, Error> {
    let Some(path) = &arguments.teacher else { return Ok(None) };
    let mut teacher = OpenTeacher::open(path)?;
    if let Some(file) = &arguments.teacher_vectors {
        teacher.keep_in(file)?;
    }
    light::deep_vectors(pack, &teacher, language).map(Some)
}

/// None: a program without teachers.
#[cfg(not(feature = "teacher"))]
fn deep_vectors(_: &Add, _: &Model, _: &contrastive::Language) -> Result<Option<Vec<f32>>, Error> {
    Ok(None)
}

/// Says what was fitted.
fn tell(pack: &Model, name: &str, fitted: Fitted, reference: &Reference) {
    if let Some(calibration) = pack.config.calibration.get(name) {
        eprintln!("{name}: {}", output::weights(calibration));
        match (fitted.has_deep, calibration.deep) {
            (true, Some(share)) => {
                eprintln!("{name}: share of the dense score of deep documents {share:.3}")
            }
            (false, Some(share)) => eprintln!(
                "{name}: share of the dense score of deep documents {share:.3}, the median of the model's languages: no teacher was given"
            ),
            (_, None) => {}
        }
    }
    if !fitted.is_fitted && reference.calibration.is_some() {
        eprintln!(
            "{name}: too few pairs were kept back to fit weights: they are those of the model's other languages"
        );
    }
    if fitted.sentences < FEW {
        eprintln!(
            "warning: {name}: {} pairs of sentences are few: {EXPECTATION}",
            fitted.sentences
        );
    }
}
