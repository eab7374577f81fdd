//! The limits of this crate, so that no page or record costs far more than its length.
//!
//! A page beyond a limit is left out of the collection and named ([`Error::Limit`](crate::Error::Limit)); the
//! other pages are read. A file of records beyond a limit is refused at its line. "Seen" is the most in the
//! 111,552 files of HTML of a developer's machine (mainly the documentation of Rust, Node and Debian).

/// Bytes of a line, a record, a page or a sitemap: 16 MiB.
///
/// A line without an end, or a quote that is never closed, would fill the memory. Every other limit of a page
/// is chosen for pages of this length. Seen: 15,287,199 bytes (the licences of Rust).
pub const PAGE_BYTES: u64 = 16 << 20;

/// Elements, texts and comments of a page of HTML.
///
/// An element of three bytes (`<b>`) becomes a node of 136. At the limit they take 272 MB. Seen: 466,809 in
/// 8.5 MB (a listing of sources in colours); at that density a page of 16 MiB has 920,000.
pub const HTML_NODES: u64 = 2_000_000;

/// Levels of elements within elements in a page of HTML.
///
/// At most tags the parser searches the elements that are open, so that its time grows with length and depth.
/// Seen: 30, and 130 in a benchmark of the parser. Chromium nests no deeper than 512 either.
pub const HTML_DEPTH: u64 = 512;

/// Attributes of all elements of a page of HTML.
///
/// A formatting element is opened again with all of its attributes after each paragraph in which it was left open.
/// An attribute takes 40 bytes: 120 MB at the limit. Seen: 302,747.
pub const HTML_ATTRIBUTES: u64 = 3_000_000;

/// Attributes of one tag of HTML.
///
/// The parser compares each with all before it. Seen: 14.
pub const TAG_ATTRIBUTES: u64 = 256;

/// Different names of elements and attributes in a page of HTML.
///
/// The parser keeps them in a table of 4,096 lists, and a page can choose its names so that all are in one.
/// Seen: 95.
pub const HTML_NAMES: u64 = 1_000;

/// Steps of the parser over a page of HTML: elements that it looks at or compares.
///
/// It bounds the time of what the other limits leave: a page of 16 MiB, 512 levels deep, could take 50 times as
/// many. Comparing an attribute counts as 32 steps. Seen: 17,079,607.
pub const HTML_STEPS: u64 = 200_000_000;

/// Levels of lists, quotes and footnotes within each other in a page of Markdown.
///
/// At each line the parser searches those that are open. markdown-it nests no deeper than 100 either.
/// Seen: 9.
pub const MARKDOWN_DEPTH: u64 = 100;

/// Bytes of names and values in front matter of YAML, aliases written out: 1 MiB.
///
/// An alias of three bytes repeats a value of any length. The parser limits depth (64) itself.
pub const YAML_BYTES: usize = 1 << 20;

/// Names, values, lists and maps in front matter of YAML, aliases written out.
///
/// An alias of three bytes repeats a list, which may repeat others. A value takes up to 240 bytes.
pub const YAML_VALUES: usize = 10_000;

/// Attributes of one element of a sitemap.
///
/// The parser compares each with all before it. The protocol needs three, on the root; each extension adds one.
pub const SITEMAP_ATTRIBUTES: u64 = 32;

/// Levels of elements of a sitemap.
///
/// An element with a namespace of its own copies those of all elements around it. The protocol has three levels, its extensions five.
pub const SITEMAP_DEPTH: u64 = 16;

/// Namespaces that all elements of a sitemap declare.
///
/// With the limits of attributes and depth, each copies 512 others at most: 100 MB at the limit. A sitemap
/// of the most pages that the protocol allows, each with a namespace of its own, has 50,000.
pub const SITEMAP_NAMESPACES: u64 = 100_000;

/// Bytes of the fields that are kept of a page of HTML: 1 MiB.
///
/// Elements within each other can each have the same text as a field, and one can give it many names.
pub const FIELD_BYTES: u64 = 1 << 20;

/// Bytes of the id of a heading that an address can point to; a longer id is passed over.
///
/// It is part of the ids of passages.
pub const ANCHOR_BYTES: usize = 1 << 10;

/// Characters of a heading that is shown beside the title of a passage; a longer one is cut.
///
/// Each passage under it has its own copy.
pub const SECTION_CHARACTERS: usize = 200;

/// Bytes of the beginning of a paragraph by whose words its language is told.
pub const TOLD_BYTES: usize = 4096;

/// Spaces and signs in a row within a sentence, where a long paragraph is cut.
///
/// At each of them after a full stop, Unicode's rule looks at all that follow.
pub const SIGNS: usize = 64;

/// Bytes that the passages of a document repeat of its id, title, headings and fields: 16 MiB.
///
/// Each passage has its own copy: a title of 8 MB before 20,000 passages would take 160 GB.
pub const REPEATED_BYTES: u64 = 16 << 20;

/// Names that an error lists.
pub const SHOWN_NAMES: usize = 20;

/// Characters of a value in an error.
pub const SHOWN_CHARACTERS: usize = 60;

/// Columns of a header that an error lists.
pub const SHOWN_COLUMNS: usize = 12;
