//! What reading the worst files costs: memory grows no faster than the file, and stays below a stated factor of
//! it. Bytes that were asked for are counted, no seconds: whatever is done twice for each part shows there.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::BTreeMap;

use smooth_clir::encoder::{Encoder, Network, Precision, Table};
use smooth_clir::index::{BlockFile, Document, Index};
use smooth_clir::model::{Config, Model};
use smooth_clir::storage::container::{Reader, Writer};
use smooth_clir::text::vocabulary::Vocabulary;

thread_local! {
    /// What this thread asked for, holds, and held at most.
    static COST: Cell<Cost> = const { Cell::new(Cost { asked: 0, held: 0, most: 0 }) };
}

#[derive(Debug, Clone, Copy)]
struct Cost {
    asked: i64,
    held: i64,
    most: i64,
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

impl Counting {
    fn changed(by: i64) {
        // A thread that ends has no counter any more.
        let _ = COST.try_with(|cost| {
            let Cost { asked, held, most } = cost.get();
            let held = held + by;
            cost.set(Cost { asked: asked + by.max(0), held, most: most.max(held) });
        });
    }
}

// SAFETY: the system's allocator does it all; sizes are counted beside it.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::changed(layout.size() as i64);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        Self::changed(-(layout.size() as i64));
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// What some work asks for in all, and holds at most at once.
fn cost_of<T>(work: impl FnOnce() -> T) -> (f64, f64) {
    let before = COST.get();
    COST.set(Cost { asked: 0, held: 0, most: 0 });
    drop(work());
    let cost = COST.replace(before);
    (cost.asked as f64, cost.most as f64)
}

/// Beside what depends on the file.
const BUFFERS: f64 = 64.0 * 1024.0;

/// Holds that a file four times as large costs at most five times as much, and no file more than `times` its bytes.
fn holds<T>(
    sizes: [usize; 3],
    times: f64,
    file: impl Fn(usize) -> Vec<u8>,
    read: impl Fn(&[u8]) -> T,
) {
    let files = sizes.map(file);
    let costs = files.each_ref().map(|file| cost_of(|| read(file)));
    for (file, (_, most)) in files.iter().zip(costs) {
        let bytes = file.len() as f64;
        assert!(most <= times * bytes + BUFFERS, "{bytes} bytes held {most} at once");
    }
    for pair in [[0, 1], [1, 2]] {
        let [bytes, four_times] = pair.map(|place| files[place].len() as f64);
        let [asked, more] = pair.map(|place| costs[place].0);
        let most = 1.25 * (four_times / bytes) * asked + BUFFERS;
        assert!(more <= most, "{bytes} bytes asked for {asked}, {four_times} for {more}");
    }
}

/// A file of this header, and no data.
fn file(entries: &str) -> Vec<u8> {
    let header = format!("{{{entries}}}");
    [&(header.len() as u64).to_le_bytes(), header.as_bytes()].concat()
}

const NEEDED: &str = r#""format":"smooth-clir","kind":"index","version":"1""#;
/// Bytes of headers.
const HEADERS: [usize; 3] = [60 << 10, 240 << 10, 960 << 10];

/// So many bytes of parts, each of which has a number of its own.
fn repeated(bytes: usize, part: impl Fn(usize) -> String) -> String {
    let mut all = String::new();
    (0..)
        .map(part)
        .take_while(|part| {
            all.push_str(part);
            all.len() < bytes
        })
        .count();
    all
}

#[test]
fn a_header_of_metadata_and_extensions() {
    let header = |bytes: usize| {
        let metadata = repeated(bytes / 2, |number| format!(r#","{number:x}":"""#));
        let names = repeated(bytes / 2, |number| format!(r#"\"{number:x}\","#));
        let names = names.trim_end_matches(',');
        file(&format!(r#""__metadata__":{{{NEEDED},"extensions":"[{names}]"{metadata}}}"#))
    };
    holds(HEADERS, 14.0, header, |file| {
        assert_eq!(Index::read(file).unwrap_err().code(), "metadata");
    });
}

#[test]
fn a_header_of_tensors() {
    let header = |bytes: usize| {
        let tensors = repeated(bytes, |number| {
            format!(r#","{number:x}":{{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}"#)
        });
        file(&format!(r#""__metadata__":{{{NEEDED}}}{tensors}"#))
    };
    let sizes = HEADERS.map(|bytes| bytes / 3);
    holds(sizes, 24.0, header, |file| assert!(Reader::open(file, "index").is_ok()));
}

#[test]
fn a_header_of_one_long_shape() {
    let header = |bytes: usize| {
        let numbers = repeated(bytes, |_| "0,".into());
        let entry = format!(r#""x":{{"shape":[{numbers}0],"dtype":"U8","data_offsets":[0,0]}}"#);
        file(&format!(r#""__metadata__":{{{NEEDED}}},{entry}"#))
    };
    holds(HEADERS, 32.0, header, |file| assert!(Reader::open(file, "index").is_err()));
}

#[test]
fn a_config_of_nested_lists_and_objects() {
    for part in ["[[],[],[],[]],", r#"{\"a\":{},\"b\":0,\"c\":\"\"},"#, "0,"] {
        let header = |bytes: usize| {
            let config = repeated(bytes, |_| part.into());
            file(&format!(r#""__metadata__":{{{NEEDED},"config":"[{config}0]"}}"#))
        };
        holds(HEADERS, 32.0, header, |file| assert!(Index::read(file).is_err()));
    }
}

/// Bytes of files, nearly.
const FILES: [usize; 3] = [1 << 18, 1 << 20, 1 << 22];

#[test]
fn texts_of_many_documents_without_one() {
    let texts = |bytes: usize| {
        let mut writer = Writer::new("texts");
        writer.metadata("config", r#"{"block":0}"#.into());
        writer.metadata("space", "a space".into());
        for part in ["ids", "titles", "texts"] {
            writer.text(part, "");
            writer.u32(&format!("{part}.offsets"), &vec![0; bytes / 12]);
        }
        writer.into_bytes()
    };
    // The file's own bytes are copied once, to be shared.
    holds(FILES, 1.1, texts, |file| assert!(BlockFile::read(file.to_vec()).is_ok()));
}

/// A model of so many words, whose vectors have one number.
fn model(words: usize) -> Model {
    let names: Vec<String> = (0..words).map(|number| format!("{number:06x}")).collect();
    let encoder = |words: &[String]| {
        let vocabulary = Vocabulary::from_tokens(words.iter().map(String::as_str)).unwrap();
        let rows = Table::new(1, vec![0.5; words.len()]);
        Encoder::new(vocabulary, Network::Average(rows.into()))
    };
    Model {
        config: Config {
            encoder: "average".into(),
            dimension: 1,
            epsilon: 0.5,
            thresholds: vec![0.1],
            languages: vec!["fr".into()],
            subwords: 0,
            calibration: BTreeMap::new(),
            probability: Default::default(),
            packs: Vec::new(),
        },
        provenance: "{}".into(),
        space: "the space".into(),
        query: Some(encoder(&names)),
        documents: [("fr".to_owned(), encoder(&names[..1]))].into(),
        translations: BTreeMap::new(),
        deep: None,
    }
}

#[test]
fn a_model_of_many_words() {
    holds(
        FILES,
        4.0,
        |bytes| model(bytes / 11).write(Precision::F32),
        |file| {
            assert!(Model::read(file).is_ok());
        },
    );
}

#[test]
fn an_index_of_many_documents_with_a_value_each() {
    let model = model(1);
    let index = |bytes: usize| {
        let documents = bytes / 50;
        let fields: Vec<_> =
            (0..documents).map(|number| [("year".to_owned(), format!("{number:06x}"))]).collect();
        let document = |fields| Document { language: "fr", fields, ..Document::default() };
        let documents = fields.iter().map(|fields| document(&fields[..]));
        Index::build(&model, documents, Precision::I8).unwrap().write()
    };
    holds(FILES, 1.2, index, |file| assert!(Index::read(file).is_ok()));
}
