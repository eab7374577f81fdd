//! The indexer as JavaScript sees it.

use js_sys::{Array, Uint8Array};
use smooth_clir::encoder::Precision;
use smooth_clir::model::Model;
#[cfg(feature = "teacher")]
use smooth_clir::{index, storage::SharedBytes};
use smooth_clir_documents::sitemap::{Entry, Sitemap};
use smooth_clir_documents::{
    Collection, Count, Document, English, LeftOut, Page, PageFormat, Read, Reading, RecordFormat,
    Report,
};
#[cfg(feature = "teacher")]
use smooth_clir_teacher::Teacher;
use wasm_bindgen::prelude::*;

#[cfg(feature = "teacher")]
use crate::deep::DeepDocuments;

use crate::encoding::{Encoding, Files};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A page that a sitemap lists: the parts of its address, and when it changed. */
export type SitemapPage = [address: string[], changed: string | undefined];
/** A file that was left out; something is wrong with it, or it is only without words. */
export type FileLeftOut = [place: string, reason: string, isWrong: boolean];
/** The documents of a language. */
export type LanguageCount = [language: string, indexed: number, leftOut: number];
/** A file by its name. */
export type NamedFile = [name: string, bytes: Uint8Array];
"#;

#[wasm_bindgen]
extern "C" {
    /// The pages of a sitemap, and the addresses of further sitemaps.
    #[wasm_bindgen(typescript_type = "[pages: SitemapPage[], sitemaps: string[][]]")]
    pub type SitemapParts;
    /// What came of a collection.
    #[wasm_bindgen(
        typescript_type = "[leftOut: FileLeftOut[], languages: LanguageCount[], repeated: number]"
    )]
    pub type ReportParts;
    /// The files of an index, and those of its slim model.
    #[wasm_bindgen(typescript_type = "[index: NamedFile[], model: NamedFile[]]")]
    pub type IndexParts;
}

fn thrown(error: impl std::fmt::Display) -> JsValue {
    js_sys::Error::new(&error.to_string()).into()
}

fn read_model(files: &[Uint8Array]) -> Result<Model, JsValue> {
    Model::read_parts(files.iter().map(Uint8Array::to_vec)).map_err(thrown)
}

fn precision_of(name: &str) -> Precision {
    if name == "i8" { Precision::I8 } else { Precision::F32 }
}

/// Reads a sitemap.
#[wasm_bindgen(js_name = readSitemap)]
pub fn read_sitemap(bytes: &[u8]) -> Result<SitemapParts, JsValue> {
    let parts = |address: Vec<String>| address.into_iter().map(JsValue::from).collect::<Array>();
    let (pages, sitemaps): (Array, Array) = match Sitemap::read(bytes).map_err(thrown)? {
        Sitemap::Pages(entries) => {
            let page = |Entry { address, changed }| Array::of2(&parts(address), &changed.into());
            (entries.into_iter().map(page).collect(), Array::new())
        }
        Sitemap::Sitemaps(further) => (Array::new(), further.into_iter().map(parts).collect()),
    };
    let both: JsValue = Array::of2(&pages, &sitemaps).into();
    Ok(both.unchecked_into())
}

/// The pages and records of a site, as they are read.
#[wasm_bindgen]
pub struct Site(Collection<'static>);

#[wasm_bindgen]
impl Site {
    /// `language` is that of documents that state none, `languages` are those that can be indexed, and `english` is
    /// `"index"`, `"skip"` or `"keep"`; `prefix` begins all ids.
    #[wasm_bindgen(constructor)]
    pub fn new(
        language: Option<String>,
        languages: Vec<String>,
        english: &str,
        words: Option<u32>,
        fields: Vec<String>,
        prefix: String,
    ) -> Self {
        // A process reads one site: what this leaks is there once.
        let language = language.map(|language| &*language.leak());
        let english = match english {
            "skip" => English::Skip,
            "keep" => English::Keep,
            _ => English::Index,
        };
        let words = words.map(|words| words as usize);
        let (languages, fields, prefix) = (&*languages.leak(), &*fields.leak(), &*prefix.leak());
        Self(Collection::new(Reading { language, languages, english, words, fields, prefix }))
    }

    /// Adds a page, whose format is that of the file's name. Throws what is wrong with it: it is left out then.
    pub fn page(
        &mut self,
        place: &str,
        name: &str,
        bytes: &[u8],
        changed: Option<String>,
    ) -> Result<(), JsValue> {
        let format = PageFormat::of(name).unwrap_or(PageFormat::Plain);
        self.0.page(&Page { place, format, bytes, changed: changed.as_deref() }).map_err(thrown)
    }

    /// Adds the documents of a file of records, whose format is that of its name.
    pub fn records(&mut self, name: &str, bytes: &[u8]) -> Result<(), JsValue> {
        self.0.records(RecordFormat::of(name), bytes).map_err(thrown)
    }

    /// Notes that a file is left out; something is wrong with it, or it is not part of the site.
    #[wasm_bindgen(js_name = leaveOut)]
    pub fn leave_out(&mut self, place: &str, reason: &str, is_wrong: bool) {
        self.0.leave_out(place, reason, is_wrong);
    }

    /// Its documents.
    pub fn finish(self) -> Result<Documents, JsValue> {
        let Read { documents, report } = self.0.finish().map_err(thrown)?;
        Ok(Documents { documents, report })
    }
}

/// The documents of a site.
#[wasm_bindgen]
pub struct Documents {
    documents: Vec<Document>,
    report: Report,
}

#[wasm_bindgen]
impl Documents {
    /// How many there are.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.documents.len()
    }

    /// What was left out, and the number of documents of each language.
    pub fn report(&self) -> ReportParts {
        let Report { left_out, languages, repeated, .. } = &self.report;
        let file = |LeftOut { place, reason, is_wrong }: &LeftOut| {
            Array::of3(&place.into(), &reason.into(), &(*is_wrong).into())
        };
        let language = |(name, count): (&String, &Count)| {
            let [indexed, left_out] = [count.indexed, count.left_out].map(|count| count as f64);
            Array::of3(&name.into(), &indexed.into(), &left_out.into())
        };
        let files: Array = left_out.iter().map(file).collect();
        let languages: Array = languages.iter().map(language).collect();
        let all: JsValue = Array::of3(&files, &languages, &(*repeated as f64).into()).into();
        all.unchecked_into()
    }

    /// The bytes of the text of each.
    pub fn lengths(&self) -> Vec<u32> {
        self.documents.iter().map(|document| document.text.len() as u32).collect()
    }

    /// The language and the text of each of some documents, by their places, one after another.
    pub fn texts(&self, places: &[u32]) -> Vec<String> {
        let documents = places.iter().filter_map(|&place| self.documents.get(place as usize));
        documents.flat_map(|document| [document.language.clone(), document.text.clone()]).collect()
    }

    /// Leaves out documents in other languages than these.
    pub fn keep(&mut self, languages: Vec<String>) {
        self.documents.retain(|document| languages.contains(&document.language));
        for (language, count) in &mut self.report.languages {
            if !languages.contains(language) {
                count.left_out += std::mem::take(&mut count.indexed);
            }
        }
    }
}

/// An index that is being made.
#[wasm_bindgen]
pub struct Indexing {
    encoding: Encoding,
    documents: std::vec::IntoIter<Document>,
}

#[wasm_bindgen]
impl Indexing {
    /// An index of documents, by a model of these files.
    pub fn light(documents: Documents, model: Vec<Uint8Array>) -> Result<Self, JsValue> {
        let model = read_model(&model)?;
        let documents = documents.documents.into_iter();
        Ok(Self { encoding: Encoding::light(model), documents })
    }

    /// An index of documents whose vectors, one after another, [`DeepReader`] made. `teacher` is its digest.
    pub fn deep(
        documents: Documents,
        model: Vec<Uint8Array>,
        teacher: String,
        vectors: &[f32],
    ) -> Result<Self, JsValue> {
        let model = read_model(&model)?;
        let dimension = model.config.dimension;
        let expected = documents.documents.len() * dimension;
        if vectors.len() != expected {
            return Err(thrown(format!("{} numbers, expected {expected}", vectors.len())));
        }
        let mut encoding = Encoding::deep(model, teacher);
        for (document, vector) in documents.documents.iter().zip(vectors.chunks_exact(dimension)) {
            encoding.push_vector(&document.to_index(), vector).map_err(thrown)?;
        }
        Ok(Self { encoding, documents: Vec::new().into_iter() })
    }

    /// Encodes a number of further documents. Returns how many are left.
    pub fn encode(&mut self, count: usize) -> Result<usize, JsValue> {
        for document in self.documents.by_ref().take(count) {
            self.encoding.push(&document.to_index()).map_err(thrown)?;
        }
        Ok(self.documents.len())
    }

    /// The files of the index, and those of the slim model to which it belongs if it is `slim`. `precision` is `"i8"` or
    /// `"f32"`; `block` is the number of texts in a file. The languages `asked` have their whole files in the slim model.
    pub fn finish(
        self,
        precision: &str,
        block: usize,
        slim: bool,
        asked: Vec<String>,
    ) -> Result<IndexParts, JsValue> {
        let files = self.encoding.finish(precision_of(precision), block, slim, &asked);
        let Files { index, model } = files.map_err(thrown)?;
        let named = |files: Vec<(String, Vec<u8>)>| {
            let file = |(name, bytes): (String, Vec<u8>)| {
                Array::of2(&name.into(), &Uint8Array::from(&bytes[..]))
            };
            files.into_iter().map(file).collect::<Array>()
        };
        let both: JsValue = Array::of2(&named(index), &named(model)).into();
        Ok(both.unchecked_into())
    }
}

/// Reads documents with the teacher that a model was trained with. A thread has one.
#[cfg(feature = "teacher")]
#[wasm_bindgen]
pub struct DeepReader {
    documents: DeepDocuments<'static>,
    teacher: Teacher,
    dimension: usize,
}

#[cfg(feature = "teacher")]
#[wasm_bindgen]
impl DeepReader {
    /// Reads for a model of these files, with a teacher of one file. `precision` is that of the index.
    #[wasm_bindgen(constructor)]
    pub fn new(model: Vec<Uint8Array>, teacher: Vec<u8>, precision: &str) -> Result<Self, JsValue> {
        let teacher = Teacher::read_compact(&SharedBytes::new(teacher)).map_err(thrown)?;
        // A thread reads for one model: what this leaks is there once.
        let model: &Model = Box::leak(Box::new(read_model(&model)?));
        let dimension = model.config.dimension;
        let documents = DeepDocuments::new(model, teacher.origin(), precision_of(precision));
        Ok(Self { documents: documents.map_err(thrown)?, teacher, dimension })
    }

    /// The digest of the teacher.
    #[wasm_bindgen(getter)]
    pub fn digest(&self) -> String {
        self.teacher.digest().to_owned()
    }

    /// The dimension of the vectors.
    #[wasm_bindgen(getter)]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The vectors of documents, one after another.
    pub fn encode(
        &mut self,
        languages: Vec<String>,
        texts: Vec<String>,
    ) -> Result<Vec<f32>, JsValue> {
        let document = |(language, text)| index::Document { language, text, ..Default::default() };
        let both = languages.iter().map(|name| &**name).zip(texts.iter().map(|text| &**text));
        let documents: Vec<_> = both.map(document).collect();
        Ok(self.documents.encode(&self.teacher, &documents).map_err(thrown)?.concat())
    }
}
