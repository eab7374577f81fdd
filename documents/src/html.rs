//! HTML -> title and paragraphs.

use ego_tree::iter::Edge;
use scraper::node::Element;
use scraper::{ElementRef, Html, Node, Selector};

use crate::document::Part;
use crate::fields::{Fields, Wanted, one_line};
use crate::gathering::Gathering;

/// What is never text of a page, or seldom what a person looks for.
const LEFT_OUT: [&str; 11] = [
    "script", "style", "template", "noscript", "nav", "footer", "form", "svg", "head", "iframe",
    "object",
];
/// What stands within a line.
const INLINE: [&str; 31] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strong", "sub",
    "sup", "time", "u", "var",
];

/// A page of HTML.
pub struct Page(Html);

impl Page {
    /// Parses a page, however broken.
    pub fn parse(text: &str) -> Self {
        Self(Html::parse_document(text))
    }

    /// The language that it says it is in.
    pub fn language(&self) -> Option<&str> {
        self.0.root_element().attr("lang")
    }

    /// The page's title, or else its first heading of the first level, and the paragraphs of what is
    /// marked as its body (`data-pagefind-body`), or else of its `main`, its only `article`, or its
    /// `body`. What is marked to be ignored (`data-pagefind-ignore`), hidden, a script or navigation is
    /// left out.
    pub fn read(&self) -> (String, Vec<Part>) {
        let mut gathering = Gathering::default();
        let root = self.0.root_element();
        gather(root, body_of(root), &mut gathering);
        let text_of = |selector| {
            let first = self.select(selector).into_iter().next()?;
            one_line(&first.text().collect::<Vec<_>>().join(" "))
        };
        let marked = self.marked("data-pagefind-meta").into_iter();
        let mut marked = marked.filter(|(name, _)| name == "title");
        let marked = marked.find_map(|(_, value)| one_line(&value));
        let title = marked.or_else(|| text_of("head > title"));
        gathering.titled(title, &text_of("h1").unwrap_or_default())
    }

    /// Adds what it says of itself in `<meta name="year" content="1984">` and, as Pagefind has it, in
    /// `data-pagefind-filter` and `data-pagefind-meta`.
    pub fn add_fields(&self, wanted: &mut Wanted<'_>, fields: &mut Fields) {
        if wanted.is_empty() {
            return;
        }
        for element in self.select("meta[content]") {
            let name = element.attr("name").or(element.attr("property"));
            if let (Some(name), Some(value)) = (name, element.attr("content")) {
                wanted.add(fields, name, value);
            }
        }
        for attribute in ["data-pagefind-filter", "data-pagefind-meta"] {
            for (name, value) in self.marked(attribute) {
                wanted.add(fields, &name, &value);
            }
        }
    }

    /// The names and values that an attribute gives: `"topic"`, of which the element's text is the value,
    /// `"topic:sea"`, and `"topic[title]"`, which names the attribute with the value; several stand with
    /// commas between them.
    fn marked(&self, attribute: &str) -> Vec<(String, String)> {
        let mut marked = Vec::new();
        for element in self.select(&format!("[{attribute}]")) {
            for one in element.attr(attribute).unwrap_or_default().split(',').map(str::trim) {
                let from = one.strip_suffix(']').and_then(|one| one.split_once('['));
                let (name, value) = match (one.split_once(':'), from) {
                    (Some((name, value)), _) => (name, value.to_owned()),
                    (None, Some((name, from))) => {
                        (name, element.attr(from.trim()).unwrap_or_default().to_owned())
                    }
                    (None, None) => (one, element.text().collect()),
                };
                if !name.trim().is_empty() {
                    marked.push((name.trim().to_owned(), value));
                }
            }
        }
        marked
    }

    fn select(&self, selector: &str) -> Vec<ElementRef<'_>> {
        Selector::parse(selector).map(|it| self.0.select(&it).collect()).unwrap_or_default()
    }
}

/// Adds the text of a piece of HTML.
pub fn gather_fragment(markup: &str, gathering: &mut Gathering) {
    let fragment = Html::parse_fragment(markup);
    gather(fragment.root_element(), |element| element.name() == "html", gathering);
}

/// What is not left out, each element at its beginning (`true`) and its end. Without recursion: a page may
/// be as deep as it likes.
fn shown(root: ElementRef<'_>) -> impl Iterator<Item = (&Node, bool)> {
    // Elements left out that we are in.
    let mut outside = 0;
    root.traverse().filter_map(move |edge| {
        let (node, begins) = match edge {
            Edge::Open(node) => (node.value(), true),
            Edge::Close(node) => (node.value(), false),
        };
        let is_left_out = node.as_element().is_some_and(|element| {
            LEFT_OUT.contains(&element.name())
                || element.attr("hidden").is_some()
                || element.attr("data-pagefind-ignore").is_some()
        });
        match (is_left_out, begins) {
            (true, true) => outside += 1,
            (true, false) => outside -= 1,
            (false, _) => {}
        }
        (!is_left_out && outside == 0).then_some((node, begins))
    })
}

/// Tells the elements whose text is the page's.
fn body_of(root: ElementRef<'_>) -> fn(&Element) -> bool {
    let is_marked = |element: &Element| element.attr("data-pagefind-body").is_some();
    let is_main = |element: &Element| element.name() == "main";
    let is_article = |element: &Element| element.name() == "article";
    let elements = || shown(root).filter_map(|(node, begins)| Some((node.as_element()?, begins)));
    for is_body in [is_marked as fn(&Element) -> bool, is_main] {
        if elements().any(|(element, _)| is_body(element)) {
            return is_body;
        }
    }
    // Several are a list of other pages; those within one are its comments, say.
    let (mut articles, mut within) = (0, 0);
    for (_, begins) in elements().filter(|(element, _)| is_article(element)) {
        articles += usize::from(begins && within == 0);
        within = if begins { within + 1 } else { within - 1 };
    }
    if articles == 1 { is_article } else { |element| element.name() == "body" }
}

/// Adds the text of the elements that `is_body` tells.
fn gather(root: ElementRef<'_>, is_body: fn(&Element) -> bool, gathering: &mut Gathering) {
    // How many of these we are in.
    let mut within = 0;
    for (node, begins) in shown(root) {
        match node {
            Node::Text(text) if begins && within > 0 => gathering.add(text),
            Node::Element(element) => {
                if is_body(element) {
                    within = if begins { within + 1 } else { within - 1 };
                    gathering.end();
                }
                let name = element.name();
                if !INLINE.contains(&name) {
                    gathering.end();
                }
                if begins && within > 0 && matches!(name.as_bytes(), [b'h', b'1'..=b'6']) {
                    gathering.under(element.id().map(str::to_owned));
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
        Page::parse(html).read()
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
    fn one_article_is_the_page_and_several_are_a_list() {
        let list = "<p>before</p><article>one</article><article>two</article>";
        assert_eq!(texts(list).1, ["before", "one", "two"]);
        let page = "<p>before</p><article>one<article>said of it</article></article>";
        assert_eq!(texts(page).1, ["one", "said of it"]);
    }

    #[test]
    fn what_is_left_out_is_no_body() {
        for left_out in ["<nav>", "<div data-pagefind-ignore>", "<div hidden>", "<footer>"] {
            let close = left_out.replace('<', "</");
            for body in
                ["<article>menu</article>", "<main>menu</main>", "<p data-pagefind-body>menu"]
            {
                let page = format!("{left_out}{body}{close}<p>rain");
                assert_eq!(texts(&page).1, ["rain"], "{page}");
            }
        }
    }

    #[test]
    fn a_title_is_the_head_s_or_what_is_marked_as_one() {
        let icon = "<body><svg><title>icon</title></svg><h1>Rain</h1><p>falls";
        assert_eq!(texts(icon), ("Rain".into(), vec!["Rain".into(), "falls".into()]));
        let marked = "<title>Site</title><h1 data-pagefind-meta=title>Of\n rain</h1>";
        assert_eq!(texts(marked).0, "Of rain");
        // Without a heading that says it, it is text too.
        assert_eq!(texts("<title>Of rain</title><p>falls").1, ["Of rain", "falls"]);
    }

    #[test]
    fn a_heading_s_id_is_the_anchor_of_what_follows() {
        let (_, parts) = read("<p>before<h2 id=rain>Rain</h2><p>falls<h2>Sun</h2><p>shines");
        let anchors: Vec<Option<&str>> = parts.iter().map(|part| part.anchor.as_deref()).collect();
        assert_eq!(anchors, [None, Some("rain"), Some("rain"), None, None]);
    }

    #[test]
    fn broken_pages_are_read_as_far_as_they_go() {
        assert_eq!(texts(""), (String::new(), vec![]));
        assert_eq!(texts("</p><b>a<p>b</b><").1, ["a", "b<"].map(str::to_owned));
    }

    #[test]
    fn a_page_of_any_depth_is_read_on_a_small_stack() {
        let read = || {
            for element in ["<div>", "<div data-pagefind-body>"] {
                let deep = format!("{}rain", element.repeat(5_000));
                assert_eq!(texts(&deep).1, ["rain"]);
            }
        };
        if cfg!(target_family = "wasm") {
            read();
        } else {
            // 26 bytes for each element: too few for a function that calls itself.
            let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(read);
            thread.unwrap().join().unwrap();
        }
    }
}
