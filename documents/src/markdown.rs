//! Markdown -> title and paragraphs.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::document::Part;
use crate::error::Error;
use crate::front_matter::{self, Block};
use crate::gathering::Gathering;
use crate::html;
use crate::limits;
use crate::tree::Spending;

/// The title that the front matter gives, or else the first heading of the first level, and the
/// paragraphs. Of HTML what a page shows is text. `metadata` reads the front matter's title.
///
/// # Errors
/// [`Error::Limit`], and those of `metadata`.
pub fn read(
    text: &str,
    metadata: impl FnOnce(Block<'_>) -> Result<Option<String>, Error>,
) -> Result<(String, Vec<Part>), Error> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_HEADING_ATTRIBUTES;
    let (front, text) = front_matter::split(text);
    check_nesting(text)?;
    let title = front.map(metadata).transpose()?.flatten();
    let mut gathering = Gathering::default();
    let (mut heading, mut markup) = (String::new(), String::new());
    let spending = Spending::new();
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::Heading { level, id, .. }) => {
                gathering.begin_heading(level as u8);
                if let Some(id) = id {
                    gathering.see(&id, true);
                }
            }
            Event::End(TagEnd::Heading(level)) => {
                let found = gathering.end_heading(level as u8).unwrap_or_default();
                if level == HeadingLevel::H1 && heading.is_empty() {
                    heading = found.to_owned();
                }
            }
            Event::Text(text) | Event::Code(text) => gathering.add(&text),
            Event::SoftBreak | Event::HardBreak => gathering.add(" "),
            Event::InlineHtml(tag) if is_line_break(&tag) => gathering.add(" "),
            // Its text, if it has one, comes by itself.
            Event::InlineHtml(tag) => {
                if let Some(id) = html::anchor(&tag, &spending)? {
                    gathering.see(&id, true);
                }
            }
            Event::Html(part) => markup += &part,
            Event::End(TagEnd::HtmlBlock) => {
                html::gather_fragment(&markup, &spending, &mut gathering)?;
            }
            Event::Start(tag) if is_block(&tag) => {
                gathering.end();
                markup.clear();
            }
            Event::End(end) if !is_inline(end) => gathering.end(),
            _ => {}
        }
    }
    Ok(gathering.titled(title, &heading))
}

/// Refuses lists and quotes within each other beyond all reason, before the parser searches those that are open at
/// each line.
fn check_nesting(text: &str) -> Result<(), Error> {
    let nesting = text.split(['\n', '\r']).map(nesting).max().unwrap_or(0);
    if nesting <= limits::MARKDOWN_DEPTH {
        return Ok(());
    }
    let what = "levels of nested lists and quotes of Markdown";
    Err(Error::Limit { what, most: limits::MARKDOWN_DEPTH, remedy: "nest them less" })
}

/// In how many lists and quotes the text of a line may be that opens one: each has a mark on the line, or two spaces
/// continue it. After the mark of an item, which is new, no spaces continue another list.
fn nesting(line: &str) -> u64 {
    let (mut marks, mut quotes, mut spaces, mut deepest) = (0, 0, 0_u64, 0);
    let mut is_new = false;
    let mut rest = line.as_bytes();
    while let [first, after @ ..] = rest {
        let is_mark_before = |rest: &[u8]| matches!(rest, [] | [b' ' | b'\t', ..]);
        rest = match first {
            b' ' | b'\t' => {
                let columns = if *first == b' ' { 1 } else { 4 };
                spaces += if is_new { 0 } else { columns };
                rest = after;
                continue;
            }
            b'>' => {
                quotes += 1;
                after
            }
            b'-' | b'+' | b'*' if is_mark_before(after) => after,
            b'0'..=b'9' => {
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                match &rest[digits..] {
                    [b'.' | b')', after @ ..] if is_mark_before(after) => after,
                    _ => break,
                }
            }
            b'[' => {
                let Some(length) = footnote_mark(rest) else { break };
                &rest[length..]
            }
            _ => break,
        };
        is_new |= *first != b'>';
        marks += 1;
        deepest = marks + spaces.saturating_sub(quotes) / 2;
    }
    deepest
}

/// The length of the mark of a footnote that a line begins with.
fn footnote_mark(line: &[u8]) -> Option<usize> {
    let end = line.strip_prefix(b"[^")?.iter().position(|byte| *byte == b']')? + 3;
    (line.get(end) == Some(&b':')).then_some(end + 1)
}

fn is_line_break(tag: &str) -> bool {
    let name = tag.trim_start_matches('<').trim_end_matches(['/', '>', ' ']);
    name.eq_ignore_ascii_case("br")
}

fn is_block(tag: &Tag<'_>) -> bool {
    !is_inline(tag.to_end())
}

fn is_inline(end: TagEnd) -> bool {
    matches!(
        end,
        TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Link
            | TagEnd::Image
            | TagEnd::Superscript
            | TagEnd::Subscript
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::{Fields, Wanted};

    fn read(markdown: &str) -> (String, Vec<Part>) {
        let title = |block: Block<'_>| {
            let read = front_matter::read(block, &mut Wanted::new(&[]), &mut Fields::new());
            read.map(|metadata| metadata.title)
        };
        super::read(markdown, title).unwrap()
    }

    fn texts(markdown: &str) -> (String, Vec<String>) {
        let (title, parts) = read(markdown);
        (title, parts.into_iter().map(|part| part.text).collect())
    }

    #[test]
    fn paragraphs_headings_items_and_cells_stand_by_themselves_without_their_marks() {
        let (title, found) = texts(
            "# The *rain*\n\nIt **rains**\nover [the hills](http://x.example/y).\n\n- one\n- two `code`\n\n\
             | a | b |\n|---|---|\n| c | d |\n\n<div hidden>tag</div>\n\n> said\n\n```\nlet x;\n```\n",
        );
        assert_eq!(title, "The rain");
        let expected = [
            "The rain",
            "It rains over the hills.",
            "one",
            "two code",
            "a",
            "b",
            "c",
            "d",
            "said",
            "let x;",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn front_matter_gives_the_title_and_nothing_else() {
        let body = "\n# Heading\n\nText.\n";
        for front in ["---\ntags: [a]\ntitle: \"Of rain\"\n---\n", "+++\ntitle = 'Of rain'\n+++\n"]
        {
            let (title, found) = texts(&format!("{front}{body}"));
            assert_eq!(
                (title.as_str(), found),
                ("Of rain", vec!["Heading".into(), "Text.".into()])
            );
        }
        assert_eq!(texts("---\ntitle:\n---\n\n# Heading\n").0, "Heading");
        assert_eq!(texts(""), (String::new(), vec![]));
    }

    #[test]
    fn a_title_that_no_heading_says_is_the_first_paragraph() {
        let parts = ["Of rain", "Part", "Text."].map(str::to_owned);
        assert_eq!(
            texts("---\ntitle: Of rain\n---\n## Part\n\nText."),
            ("Of rain".into(), parts.into())
        );
        assert_eq!(texts("---\ntitle: Of rain\n---\n").1, [""; 0]);
    }

    #[test]
    fn rules_within_a_page_hide_nothing() {
        let page = "---\na: 1\n---\none\n\n---\n**two** *three\n\n## four\n\n---\n\ntitle: five\n";
        let parts = ["one", "two *three", "four", "title: five"].map(str::to_owned);
        assert_eq!(texts(page), (String::new(), parts.into()));
    }

    #[test]
    fn html_in_a_page_is_its_text() {
        let page = "rain<br>snow<br />ice <b>hail</b>\n\n| a |\n|---|\n| b<BR/>c |\n\n<p align=center>La\nmer\n\n\
                    <details>\n<summary>le</summary>\nport</details>\n\n<script>\nlet x;\n\n</script>\n<!-- no -->\n\nfin";
        let parts = ["rain snow ice hail", "a", "b c", "La mer", "le", "port", "fin"];
        assert_eq!(texts(page).1, parts);
    }

    #[test]
    fn a_heading_s_own_id_is_the_anchor_of_what_follows() {
        for heading in [
            "## Rain {#rain}",
            "## <a id=\"rain\"></a>Rain",
            "<a name=\"rain\"></a>\n\n## Rain",
            "<a name=\"rain\"></a>\n## Rain",
            "Rain {#rain}\n----",
        ] {
            let (_, parts) =
                read(&format!("before\n\n{heading}\n\n<a id=x> falls\n\n## Sun\n\nshines"));
            let anchors = parts.iter().map(|part| part.heading.as_ref()?.anchor.as_deref());
            let anchors: Vec<Option<&str>> = anchors.collect();
            assert_eq!(anchors, [None, Some("rain"), Some("rain"), None, None], "{heading}");
        }
    }

    #[test]
    fn lists_and_quotes_are_nested_as_deep_as_the_limit() {
        let deep = |count: u64, mark: &str| format!("{}rain\n", mark.repeat(count as usize));
        let most = limits::MARKDOWN_DEPTH;
        for (mark, each) in [("> ", 1), (">", 1), ("- ", 1), ("1. ", 1), ("* > ", 2), ("[^a]: ", 1)]
        {
            for (count, is_read) in [(most - each, true), (most, true), (most + each, false)] {
                let page = deep(count / each, mark);
                let read = super::read(&page, |_| Ok(None));
                assert_eq!(read.is_ok(), is_read, "{mark} {count}");
            }
        }
        let indented = |count: usize| format!("{}- rain", " ".repeat(2 * count));
        assert_eq!([1, 99, 100].map(|count| nesting(&indented(count))), [2, 100, 101]);
        assert_eq!(nesting("\t\t- a"), 5);
        assert_eq!(nesting(&format!("*{}*", " ".repeat(200))), 2);
        assert_eq!(nesting(&format!("> {}- a", " ".repeat(20))), 12);
        for line in
            ["---------- - ", "- a - b - c", "**a** * b", "1.5 2. 3.", "[^a] [^b]", "12 > 3", ""]
        {
            assert!(nesting(line) < 2, "{line}");
        }
    }

    #[test]
    fn all_html_of_a_page_is_limited_together() {
        let page = format!("<p>{}\n\n", "<br>".repeat(1_000));
        let read = |count| super::read(&page.repeat(count), |_| Ok(None));
        assert!(read(10).is_ok());
        let error = read(2_010).unwrap_err().to_string();
        assert!(error.starts_with("more than 2000000 elements"), "{error}");
    }
}
