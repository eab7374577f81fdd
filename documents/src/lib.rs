//! Documents of what sites and collections keep them in: pages of Markdown, HTML and plain text, records of JSON
//! Lines, CSV and tab-separated lines; a person's own files need no names of columns. Long documents are cut into passages.
//!
//! Nothing here opens a file, starts a thread or maps memory: bytes come in, documents go out, natively and in
//! WebAssembly alike. The core makes an index of them and the bytes of its files, as it does everywhere
//! ([`Index::build`](smooth_clir::index::Index::build),
//! [`write_parts`](smooth_clir::index::Index::write_parts)).
//!
//! ```
//! use smooth_clir_documents::{Collection, Page, PageFormat, Reading};
//!
//! let languages = ["fr".to_owned(), "it".to_owned()];
//! let reading = Reading { language: Some("fr"), languages: &languages, ..Reading::default() };
//! let mut collection = Collection::new(reading);
//! collection.page(&Page {
//!     place: "temps/pluie.md",
//!     format: PageFormat::Markdown,
//!     bytes: b"# La pluie\n\nIl pleut.",
//!     changed: None,
//! })?;
//! let document = &collection.finish()?.documents[0];
//! assert_eq!((&*document.id, &*document.title), ("temps/pluie.md", "La pluie"));
//! assert_eq!((&*document.language, &*document.text), ("fr", "La pluie\nIl pleut."));
//! # Ok::<(), smooth_clir_documents::Error>(())
//! ```
//!
//! Each file uses only those above it (a test holds that):
//!
//! | file | what it does |
//! |---|---|
//! | `limits` | what is refused so that no page costs far more than its length |
//! | `error` | every way in which documents are refused |
//! | `lines` | lines of a limited length, and their columns |
//! | `json` | strings and numbers of a record |
//! | `fields` | the fields that were asked for |
//! | `document` | a document as it was found, and as it is indexed |
//! | `gathering` | text, paragraph by paragraph |
//! | `front_matter` | YAML and TOML before a page |
//! | `tree` | HTML -> a tree, as far as the limits allow |
//! | `charset` | bytes -> text, in the charset that a page declares |
//! | `html`, `markdown`, `plain` | text of one format -> title and paragraphs |
//! | `page` | a page of any format, its language, its address |
//! | `sitemap` | the addresses that a sitemap lists |
//! | `tsv`, `records` | files of many documents |
//! | `words` | the words of a text, also of scripts without spaces |
//! | `passages` | long documents -> passages |
//! | `language` | the language that words tell |
//! | `repeated` | paragraphs that many pages have |
//! | `report` | what was left out of a collection, and why |
//! | `collection` | all of it, for one collection |
//! | `refusal` | every way in which a person's own file is refused |
//! | `texts`, `tables`, `objects` | a person's own files: text of any length, tables without names, JSON |
//! | `bindings` | all of it, for JavaScript (feature `js`) |

#[cfg(feature = "js")]
pub mod bindings;
mod charset;
mod collection;
mod document;
mod error;
mod fields;
mod front_matter;
mod gathering;
mod html;
pub mod json;
mod language;
pub mod limits;
pub mod lines;
mod markdown;
pub mod objects;
mod page;
mod passages;
mod plain;
mod records;
mod refusal;
mod repeated;
mod report;
pub mod sitemap;
pub mod tables;
pub mod texts;
mod tree;
pub mod tsv;
mod words;

pub use collection::{Collection, English, PAGE_WORDS, Read, Reading};
pub use document::Document;
pub use error::{Error, shown};
pub use language::told;
pub use limits::PAGE_BYTES;
pub use page::{ENDINGS, Page, PageFormat, link_of};
pub use records::RecordFormat;
pub use refusal::Refusal;
pub use report::{Count, LeftOut, Report};
