//! Markdown -> title and paragraphs.

use pulldown_cmark::{Event, HeadingLevel, MetadataBlockKind, Options, Parser, Tag, TagEnd};

use super::Part;
use super::pages::Gathering;

/// The title that the front matter gives, or else the first heading of the first level, and the
/// paragraphs. Tags of HTML are left out. `metadata` is given the front matter, whose errors are handed
/// on.
pub fn read<E>(
    text: &str,
    mut metadata: impl FnMut((MetadataBlockKind, &str)) -> Result<(), E>,
) -> Result<(String, Vec<Part>), E> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    let mut gathering = Gathering::default();
    let (mut title, mut heading) = (String::new(), String::new());
    let mut front: Option<(MetadataBlockKind, String)> = None;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::MetadataBlock(kind)) => front = Some((kind, String::new())),
            Event::End(TagEnd::MetadataBlock(_)) => {
                if let Some((kind, text)) = front.take() {
                    title = metadata_title(&text).unwrap_or(title);
                    metadata((kind, &text))?;
                }
            }
            Event::Text(part) if front.is_some() => {
                front.iter_mut().for_each(|(_, text)| *text += &part);
            }
            Event::Start(Tag::Heading { id, .. }) => {
                gathering.end();
                gathering.under(id.map(|id| id.to_string()));
            }
            Event::End(TagEnd::Heading(level)) => {
                let found = gathering.end().unwrap_or_default();
                if level == HeadingLevel::H1 && heading.is_empty() {
                    heading = found.to_owned();
                }
            }
            Event::Text(text) | Event::Code(text) => gathering.add(&text),
            Event::SoftBreak | Event::HardBreak => gathering.add(" "),
            Event::Start(tag) if is_block(&tag) => drop(gathering.end()),
            Event::End(end) if !is_inline(end) => drop(gathering.end()),
            _ => {}
        }
    }
    if title.is_empty() {
        title = heading;
    }
    Ok((title, gathering.finish()))
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

/// What stands after `title:` (or `title =`) on a line of its own, without quotes.
fn metadata_title(metadata: &str) -> Option<String> {
    let value = |line: &str| {
        let rest = line.strip_prefix("title")?.trim_start();
        let value = rest.strip_prefix([':', '='])?.trim();
        let bare = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
        Some(bare('"').or(bare('\'')).unwrap_or(value).to_owned())
    };
    metadata.lines().find_map(value).filter(|title| !title.is_empty())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn read(markdown: &str) -> (String, Vec<Part>) {
        let Ok(read) = super::read::<Infallible>(markdown, |_| Ok(()));
        read
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
    fn a_heading_s_own_id_is_the_anchor_of_what_follows() {
        let (_, parts) = read("before\n\n## Rain {#rain}\n\nfalls\n\n## Sun\n\nshines");
        let anchors: Vec<Option<&str>> = parts.iter().map(|part| part.anchor.as_deref()).collect();
        assert_eq!(anchors, [None, Some("rain"), Some("rain"), None, None]);
    }
}
