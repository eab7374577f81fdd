//! The readers as JavaScript sees them.

use std::io::{self, BufReader, Read};
use std::sync::Arc;

use js_sys::{Array, Function, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::collection::PAGE_WORDS;
use crate::document::{Document, Found, Heading, Part};
use crate::error::Error;
use crate::fields::Wanted;
use crate::limits;
use crate::page::{self, Page, PageFormat};
use crate::passages;
use crate::refusal::Refusal;
use crate::tables::{self, Delimiter, Record};
use crate::{objects, texts};

/// Bytes that are read at once.
const PIECE: usize = 1 << 20;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Takes a document; `language` is undefined where the file does not name it. */
export type Take = (id: string, title: string, section: string, text: string, language: string | undefined) => void;
/** The bytes of a file from `start` to before `end`; fewer only at its end. */
export type ReadBytes = (start: number, end: number) => Uint8Array;
"#;

#[wasm_bindgen]
extern "C" {
    /// JavaScript's `Error`, with what programs ask.
    #[wasm_bindgen(js_name = Error)]
    type RefusalError;
    #[wasm_bindgen(constructor, js_class = "Error")]
    fn new(message: &str) -> RefusalError;
    #[wasm_bindgen(method, setter, js_class = "Error")]
    fn set_code(this: &RefusalError, code: &str);
    #[wasm_bindgen(method, setter, js_class = "Error")]
    fn set_line(this: &RefusalError, line: Option<f64>);
    #[wasm_bindgen(method, setter, js_class = "Error")]
    fn set_record(this: &RefusalError, record: Option<f64>);
    #[wasm_bindgen(method, setter, js_class = "Error")]
    fn set_values(this: &RefusalError, values: Vec<String>);
}

fn thrown(refusal: &Refusal) -> JsValue {
    let error = RefusalError::new(&refusal.to_string());
    error.set_code(refusal.code());
    error.set_line(refusal.line().map(|line| line as f64));
    error.set_record(refusal.record().map(|record| record as f64));
    error.set_values(refusal.values());
    error.into()
}

/// Gives documents to JavaScript. What it throws ends the reading and is thrown again.
struct Taker<'a> {
    take: &'a Function,
    thrown: Option<JsValue>,
}

impl Taker<'_> {
    fn take(&mut self, document: &Document, language: Option<&str>) -> Result<(), Refusal> {
        let Document { id, title, section, text, .. } = document;
        let language = language.map_or(JsValue::UNDEFINED, JsValue::from_str);
        let arguments =
            Array::of5(&id.into(), &title.into(), &section.into(), &text.into(), &language);
        match self.take.apply(&JsValue::UNDEFINED, &arguments) {
            Ok(_) => Ok(()),
            Err(error) => {
                self.thrown = Some(error);
                // It is thrown in place of this refusal.
                Err(Refusal::Empty)
            }
        }
    }

    fn result<T>(self, read: Result<T, Refusal>) -> Result<T, JsValue> {
        match (self.thrown, read) {
            (Some(thrown), _) => Err(thrown),
            (None, read) => read.map_err(|refusal| thrown(&refusal)),
        }
    }
}

/// A file whose bytes a function of JavaScript gives.
struct File<'a> {
    read: &'a Function,
    place: f64,
}

impl<'a> File<'a> {
    fn buffered(read: &'a Function) -> BufReader<Self> {
        BufReader::with_capacity(PIECE, Self { read, place: 0.0 })
    }
}

impl Read for File<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let end = self.place + buffer.len() as f64;
        let read = self.read.call2(&JsValue::UNDEFINED, &self.place.into(), &end.into());
        let bytes = read.ok().and_then(|bytes| bytes.dyn_into::<Uint8Array>().ok());
        let Some(bytes) = bytes.filter(|bytes| bytes.length() as usize <= buffer.len()) else {
            return Err(io::Error::other("the file changed or is gone"));
        };
        let length = bytes.length() as usize;
        bytes.copy_to(&mut buffer[..length]);
        self.place += length as f64;
        Ok(length)
    }
}

/// Reads a page of `"md"`, `"html"` or `"txt"` whole, and gives its passages of at most `words` words.
#[wasm_bindgen(js_name = readPage)]
pub fn read_page(
    place: &str,
    ending: &str,
    bytes: Vec<u8>,
    words: Option<u32>,
    #[wasm_bindgen(unchecked_param_type = "Take")] take: &Function,
) -> Result<(), JsValue> {
    let mut taker = Taker { take, thrown: None };
    let read = pages(place, ending, bytes, words, &mut taker);
    taker.result(read)
}

fn pages(
    place: &str,
    ending: &str,
    bytes: Vec<u8>,
    words: Option<u32>,
    taker: &mut Taker<'_>,
) -> Result<(), Refusal> {
    if Page::check_length(bytes.len() as u64).is_err() {
        return Err(Refusal::LongPage { most: limits::PAGE_BYTES });
    }
    let format = PageFormat::of(&format!("a.{ending}")).unwrap_or(PageFormat::Plain);
    let page = Page { place, format, bytes: &bytes, changed: None };
    let read = page::read(&page, &mut Wanted::new(&[])).map_err(|error| match error {
        Error::NotUtf8 { line, .. } => Refusal::NotUtf8 { line },
        error => Refusal::Reader(error),
    })?;
    let Some(found) = read else { return Err(Refusal::Empty) };
    let language = found.language.clone();
    let passages = passages::cut(found, Some(words_of(words)))?;
    passages.iter().try_for_each(|passage| taker.take(passage, language.as_deref()))
}

/// Reads a text of any length, and gives its passages of at most `words` words.
#[wasm_bindgen(js_name = readText)]
pub fn read_text(
    place: &str,
    #[wasm_bindgen(unchecked_param_type = "ReadBytes")] bytes: &Function,
    words: Option<u32>,
    #[wasm_bindgen(unchecked_param_type = "Take")] take: &Function,
) -> Result<(), JsValue> {
    let mut taker = Taker { take, thrown: None };
    let read = texts::read(place, words_of(words), File::buffered(bytes), &mut |passage| {
        taker.take(&passage, None)
    });
    taker.result(read)
}

/// Reads a table between tabs (`"tsv"`), or between commas or semicolons (`"csv"`), and gives its records. Returns the
/// number of those without a text.
#[wasm_bindgen(js_name = readTable)]
pub fn read_table(
    place: &str,
    ending: &str,
    #[wasm_bindgen(unchecked_param_type = "ReadBytes")] bytes: &Function,
    #[wasm_bindgen(unchecked_param_type = "Take")] take: &Function,
) -> Result<f64, JsValue> {
    let delimiter = if ending == "tsv" { Delimiter::Tab } else { Delimiter::Comma };
    let mut taker = Taker { take, thrown: None };
    let mut record = |Record { document, language }| taker.take(&document, language.as_deref());
    let read = tables::read(delimiter, place, File::buffered(bytes), &mut record);
    taker.result(read).map(|without_text| without_text as f64)
}

/// Reads JSON: an object, a list of objects, or an object on each line. Returns the number of those without a text.
#[wasm_bindgen(js_name = readObjects)]
pub fn read_objects(
    place: &str,
    #[wasm_bindgen(unchecked_param_type = "ReadBytes")] bytes: &Function,
    #[wasm_bindgen(unchecked_param_type = "Take")] take: &Function,
) -> Result<f64, JsValue> {
    let mut taker = Taker { take, thrown: None };
    let mut record = |Record { document, language }| taker.take(&document, language.as_deref());
    let read = objects::read(place, File::buffered(bytes), &mut record);
    taker.result(read).map(|without_text| without_text as f64)
}

/// Cuts a document of another format into passages. Each paragraph has the fragment of the address that leads to it, or
/// an empty one.
#[wasm_bindgen(js_name = cutDocument)]
pub fn cut_document(
    place: &str,
    title: &str,
    paragraphs: Vec<String>,
    fragments: Vec<String>,
    words: Option<u32>,
    #[wasm_bindgen(unchecked_param_type = "Take")] take: &Function,
) -> Result<(), JsValue> {
    let mut taker = Taker { take, thrown: None };
    let mut heading: Option<Arc<Heading>> = None;
    let part = |(text, fragment): (String, String)| {
        if heading.as_ref().is_none_or(|heading| heading.anchor.as_deref() != Some(&*fragment)) {
            let anchor = Some(fragment.into());
            heading = Some(Arc::new(Heading { level: 1, anchor, text: String::new() }));
        }
        let heading = heading.clone().filter(|heading| heading.anchor.as_deref() != Some(""));
        Part { heading, text, ..Part::default() }
    };
    let parts = paragraphs.into_iter().zip(fragments).map(part).collect();
    let title = if title.is_empty() { page::name(place) } else { title.to_owned() };
    let found = Found { id: page::address(place), title, parts, ..Found::default() };
    let read = passages::cut(found, Some(words_of(words))).map_err(Refusal::Reader);
    let read = read.and_then(|passages| match passages.is_empty() {
        true => Err(Refusal::Empty),
        false => passages.iter().try_for_each(|passage| taker.take(passage, None)),
    });
    taker.result(read)
}

fn words_of(words: Option<u32>) -> usize {
    words.map_or(PAGE_WORDS, |words| words.max(1) as usize)
}
