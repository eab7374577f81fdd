//! HTML -> title and paragraphs.

use ego_tree::iter::Edge;
use scraper::{ElementRef, Html, Node, Selector};

use super::Part;
use super::fields::{Fields, Wanted};
use super::pages::Gathering;

/// What is never text of a page, or seldom what a person looks for.
const LEFT_OUT: [&str; 10] =
    ["script", "style", "template", "noscript", "nav", "form", "svg", "head", "iframe", "object"];
/// What stands within a line.
const INLINE: [&str; 31] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strong", "sub",
    "sup", "time", "u", "var",
];

/// The page's title, or else its first heading of the first level, and the paragraphs of what is marked
/// as its body (`data-pagefind-body`), or else of its `main`, `article` or `body`. What is marked to be
/// ignored (`data-pagefind-ignore`), hidden, a script or navigation is left out. Fields are what
/// `data-pagefind-filter` or `data-pagefind-meta` names, and `meta` elements.
pub fn read(text: &str, wanted: &mut Wanted<'_>, fields: &mut Fields) -> (String, Vec<Part>) {
    let page = Html::parse_document(text);
    if !wanted.is_empty() {
        add_fields(&page, wanted, fields);
    }
    let mut gathering = Gathering::default();
    for root in roots(&page) {
        gather(root, &mut gathering);
        gathering.end();
    }
    let title = ["title", "h1"].into_iter().find_map(|name| {
        let first = select(&page, name).into_iter().next()?;
        let text: Vec<&str> = first.text().flat_map(str::split_whitespace).collect();
        Some(text.join(" ")).filter(|title| !title.is_empty())
    });
    (title.unwrap_or_default(), gathering.finish())
}

/// What a page says of itself in `<meta name="year" content="1984">` and, as Pagefind has it, in
/// `data-pagefind-filter="topic"`, of which the element's text is the value, `"topic:sea"` and
/// `"topic[title]"`, which names the attribute with the value; several stand with commas between them.
fn add_fields(page: &Html, wanted: &mut Wanted<'_>, fields: &mut Fields) {
    for element in select(page, "meta[content]") {
        let name = element.attr("name").or(element.attr("property"));
        if let (Some(name), Some(value)) = (name, element.attr("content")) {
            wanted.add(fields, name, value);
        }
    }
    for attribute in ["data-pagefind-filter", "data-pagefind-meta"] {
        for element in select(page, &format!("[{attribute}]")) {
            let text = || element.text().collect::<String>();
            for one in element.attr(attribute).unwrap_or_default().split(',').map(str::trim) {
                if let Some((name, value)) = one.split_once(':') {
                    wanted.add(fields, name.trim(), value);
                } else if let Some((name, from)) =
                    one.strip_suffix(']').and_then(|one| one.split_once('['))
                {
                    wanted.add(fields, name.trim(), element.attr(from.trim()).unwrap_or_default());
                } else if !one.is_empty() {
                    wanted.add(fields, one, &text());
                }
            }
        }
    }
}

/// The elements whose text is the page's: none within another.
fn roots(page: &Html) -> Vec<ElementRef<'_>> {
    let marked = select(page, "[data-pagefind-body]");
    if !marked.is_empty() {
        let is_within = |root: &ElementRef<'_>| {
            let mut above = root.ancestors().filter_map(ElementRef::wrap);
            above.any(|element| element.attr("data-pagefind-body").is_some())
        };
        return marked.into_iter().filter(|root| !is_within(root)).collect();
    }
    let first = |name| select(page, name).into_iter().next();
    first("main").or(first("article")).or(first("body")).into_iter().collect()
}

fn select<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    Selector::parse(selector).map(|it| page.select(&it).collect()).unwrap_or_default()
}

/// Adds an element's text. Without recursion: a page may be as deep as it likes.
fn gather(root: ElementRef<'_>, gathering: &mut Gathering) {
    // Elements left out that we are in.
    let mut outside = 0;
    for edge in root.traverse() {
        let (node, opens) = match edge {
            Edge::Open(node) => (node, true),
            Edge::Close(node) => (node, false),
        };
        match node.value() {
            Node::Text(text) if opens && outside == 0 => gathering.add(text),
            Node::Element(element) => {
                let name = element.name();
                let is_hidden = element.attr("hidden").is_some()
                    || element.attr("data-pagefind-ignore").is_some();
                if LEFT_OUT.contains(&name) || is_hidden {
                    outside = if opens { outside + 1 } else { outside - 1 };
                } else if outside == 0 && !INLINE.contains(&name) {
                    gathering.end();
                    if opens && matches!(name.as_bytes(), [b'h', b'1'..=b'6']) {
                        gathering.under(element.id().map(str::to_owned));
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> (String, Vec<Part>) {
        super::read(html, &mut Wanted::new(&[]), &mut Fields::new())
    }

    fn texts(html: &str) -> (String, Vec<String>) {
        let (title, parts) = read(html);
        (title, parts.into_iter().map(|part| part.text).collect())
    }

    #[test]
    fn a_page_is_its_title_and_the_paragraphs_of_its_main_part() {
        let (title, found) = texts(
            "<!doctype html><title> Of\n rain </title><nav>Home</nav><main><h1>Rain</h1><p>It <b>ra</b>ins \
             over<br>the&nbsp;hills &amp; sea.<script>let x;</script><ul><li>one<li>two</ul><p hidden>no\
             <div data-pagefind-ignore>no <p>nor this</p></div>tail</main><footer>foot</footer>",
        );
        assert_eq!(title, "Of rain");
        assert_eq!(found, ["Rain", "It rains over", "the hills & sea.", "one", "two", "tail"]);
    }

    #[test]
    fn what_is_marked_as_the_body_is_all_there_is() {
        let (title, found) = texts(
            "<h1>Head</h1><div data-pagefind-body>a<div data-pagefind-body>b</div></div>c<p data-pagefind-body>d",
        );
        assert_eq!((title.as_str(), found), ("Head", vec!["a".into(), "b".into(), "d".into()]));
    }

    #[test]
    fn a_heading_s_id_is_the_anchor_of_what_follows() {
        let (_, parts) = read("<p>before<h2 id=rain>Rain</h2><p>falls<h2>Sun</h2><p>shines");
        let anchors: Vec<Option<&str>> = parts.iter().map(|part| part.anchor.as_deref()).collect();
        assert_eq!(anchors, [None, Some("rain"), Some("rain"), None, None]);
    }

    #[test]
    fn broken_and_very_deep_pages_are_read_as_far_as_they_go() {
        assert_eq!(texts(""), (String::new(), vec![]));
        assert_eq!(texts("</p><b>a<p>b</b><").1, ["a", "b<"].map(str::to_owned));
        let deep = format!("{}rain", "<div>".repeat(50_000));
        assert_eq!(texts(&deep).1, ["rain"]);
    }
}
