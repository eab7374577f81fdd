//! Every limit of what the commands read, ask and answer: larger input is refused, or left out, and named.
//!
//! `docs/limits.md` lists them with those of the other crates.

/// Bytes of a line of a file of word vectors, or of a word in one.
pub const LINE_BYTES: usize = 1 << 20;
/// Bytes of a word of a fastText model; no language has one that is longer.
pub const WORD_BYTES: usize = 256;
/// Values that a pickle may make, and bytes of the words that it may hold.
pub const PICKLED_VALUES: usize = 1 << 24;
pub const PICKLED_BYTES: usize = 1 << 26;
/// Sitemaps that an index of sitemaps may lead to.
pub const SITEMAPS: usize = 1000;
/// Folders between a site and its host's root.
pub const SITE_FOLDERS: usize = 32;

/// Of imports.
#[cfg(feature = "import")]
pub mod import {
    /// How often its compressed bytes a file may become when it is decompressed, beside [`EXPANDED_FREELY`]. Dumps
    /// become 4 to 12 times as large; a file that was made to fill a disk, thousands of times.
    pub const EXPANSION: u64 = 250;
    /// Bytes that any file may become.
    pub const EXPANDED_FREELY: u64 = 64 << 20;
    /// Bytes of a stream of bzip2 that is decoded in one piece. Streams of dumps have 100 pages, a megabyte or less.
    pub const STREAM_BYTES: usize = 4 << 20;
    /// Streams that are decoded at the same time, and chunks that wait to be read.
    pub const STREAMS: usize = 32;
    /// Bytes of a piece of XML between two tags; Wikipedia's largest page has 2 MiB.
    pub const XML_BYTES: usize = 16 << 20;
    /// Elements of XML within each other.
    pub const XML_DEPTH: usize = 64;
    /// Bytes of a page's text.
    pub const PAGE_BYTES: usize = 8 << 20;
    /// Links and templates of a page's text within each other; deeper ones are left out.
    pub const MARKUP_DEPTH: usize = 8;
    /// Bytes of a tag in a page's text; a longer one is text.
    pub const TAG_BYTES: usize = 2000;
    /// Bytes of a value or name in a dump of SQL.
    pub const SQL_BYTES: usize = 1 << 20;
    /// Bytes of a segment of a translation memory.
    pub const SEGMENT_BYTES: usize = 1 << 20;
    /// Bytes of a list of sums that is downloaded.
    #[cfg(feature = "download")]
    pub const SUMS_BYTES: u64 = 16 << 20;
}

/// Of ClickHouse's servers.
#[cfg(feature = "clickhouse")]
pub mod clickhouse {
    /// Bytes of an answer: four million documents.
    pub const ANSWER_BYTES: u64 = 64 << 20;
    /// Characters that are shown of what a server says of an error.
    pub const SHOWN_CHARACTERS: usize = 300;
}

/// Of the service; those that have an option are in `serve/limits.rs`.
#[cfg(feature = "serve")]
pub mod serve {
    use std::time::Duration;

    /// Bytes that are read ahead of a request: its first lines must fit.
    pub const HEAD_BYTES: usize = 64 << 10;
    /// Characters of a host's name that a message shows, which is longer than any.
    pub const SHOWN_CHARACTERS: usize = 256;
    /// How long answers under way are waited for, beyond the time that a request may take.
    pub const GRACE: Duration = Duration::from_secs(2);
}
