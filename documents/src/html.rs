//! HTML -> title and paragraphs.

use std::ops::Range;

use ego_tree::iter::Edge;
use scraper::node::Element;
use scraper::{ElementRef, Html, Node, Selector};

use crate::document::Part;
use crate::error::Error;
use crate::fields::{Fields, Wanted, one_line};
use crate::gathering::{Gathering, push};
use crate::limits;
use crate::tree::{self, Spending};

/// Classes of DocBook's navigation.
const NAVIGATION: [&str; 3] = ["docnav", "navheader", "navfooter"];
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
    ///
    /// # Errors
    /// [`Error::Limit`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        Ok(Self(tree::document(text, &Spending::new())?))
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
        let meta = self.marked("data-pagefind-meta");
        // One attribute can name a title without words as often as it likes.
        let mut bytes = 0;
        let mut titles = meta.values().filter(|(name, _)| *name == "title").take_while(|title| {
            bytes += title.1.len() as u64;
            bytes <= limits::FIELD_BYTES
        });
        let marked = titles.find_map(|(_, value)| one_line(value));
        let title = marked.or_else(|| text_of("head > title"));
        gathering.titled(title, &text_of("h1").unwrap_or_default())
    }

    /// Adds what it says of itself in `<meta name="year" content="1984">` and, as Pagefind has it, in
    /// `data-pagefind-filter` and `data-pagefind-meta`.
    ///
    /// # Errors
    /// [`Error::Limit`], if they have too many bytes.
    pub fn add_fields(&self, wanted: &mut Wanted<'_>, fields: &mut Fields) -> Result<(), Error> {
        if wanted.is_empty() {
            return Ok(());
        }
        let mut bytes = 0;
        let mut add = |name: &str, value: &str| {
            if !wanted.is_there(name) {
                return Ok(());
            }
            bytes += (name.len() + value.len()) as u64;
            if bytes > limits::FIELD_BYTES {
                let what = "bytes of fields";
                let remedy = "mark shorter elements, or none within another";
                return Err(Error::Limit { what, most: limits::FIELD_BYTES, remedy });
            }
            wanted.add(fields, name, value);
            Ok(())
        };
        for element in self.select("meta[content]") {
            let name = element.attr("name").or(element.attr("property"));
            if let (Some(name), Some(value)) = (name, element.attr("content")) {
                add(name, value)?;
            }
        }
        for attribute in ["data-pagefind-filter", "data-pagefind-meta"] {
            let marked = self.marked(attribute);
            marked.values().try_for_each(|(name, value)| add(name, value))?;
        }
        Ok(())
    }

    /// The elements that have an attribute, and their texts: one pass over the page, for an element's text is
    /// part of the texts of those around it.
    fn marked(&self, attribute: &str) -> Marked<'_> {
        let mut marked = Marked { text: String::new(), elements: Vec::new() };
        // Those that we are in.
        let mut within = Vec::new();
        for edge in self.0.root_element().traverse() {
            match edge {
                Edge::Open(node) => match node.value() {
                    Node::Text(text) if !within.is_empty() => push(&mut marked.text, text),
                    Node::Element(element) => {
                        let mut attributes = element.attrs();
                        if let Some((_, names)) = attributes.find(|(name, _)| *name == attribute) {
                            let start = marked.text.len();
                            within.push((node.id(), marked.elements.len()));
                            marked.elements.push((element, names, start..start));
                        }
                    }
                    _ => {}
                },
                Edge::Close(node) => {
                    if let Some((_, place)) = within.pop_if(|(id, _)| *id == node.id()) {
                        marked.elements[place].2.end = marked.text.len();
                    }
                }
            }
        }
        marked
    }

    fn select(&self, selector: &str) -> Vec<ElementRef<'_>> {
        Selector::parse(selector).map(|it| self.0.select(&it).collect()).unwrap_or_default()
    }
}

/// The elements that have an attribute.
struct Marked<'a> {
    /// Their texts.
    text: String,
    /// Each with the attribute's value, and the place of its text.
    elements: Vec<(&'a Element, &'a str, Range<usize>)>,
}

impl Marked<'_> {
    /// The names and values that the attribute gives: `"topic"`, of which the element's text is the value,
    /// `"topic:sea"`, and `"topic[title]"`, which names the attribute with the value; several stand with
    /// commas between them.
    fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        let values = self.elements.iter().flat_map(|(element, names, place)| {
            names.split(',').map(str::trim).map(|one| {
                let from = one.strip_suffix(']').and_then(|one| one.split_once('['));
                match (one.split_once(':'), from) {
                    (Some((name, value)), _) => (name.trim(), value),
                    (None, Some((name, from))) => {
                        (name.trim(), element.attr(from.trim()).unwrap_or_default())
                    }
                    (None, None) => (one, &self.text[place.clone()]),
                }
            })
        });
        values.filter(|(name, _)| !name.is_empty())
    }
}

/// Adds the text of a piece of HTML.
///
/// # Errors
/// [`Error::Limit`].
pub fn gather_fragment(
    markup: &str,
    spending: &Spending,
    gathering: &mut Gathering,
) -> Result<(), Error> {
    let fragment = tree::fragment(markup, spending)?;
    gather(fragment.root_element(), |element| element.name() == "html", gathering);
    Ok(())
}

/// The id that a tag of Markdown gives to its place: `<a id="rain">` or `<a name="rain">`.
///
/// # Errors
/// [`Error::Limit`].
pub fn anchor(tag: &str, spending: &Spending) -> Result<Option<String>, Error> {
    let is_link = tag.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("<a "));
    if !is_link {
        return Ok(None);
    }
    let fragment = tree::fragment(tag, spending)?;
    let mut elements = fragment.root_element().child_elements();
    let link = elements.find(|element| element.value().name() == "a");
    Ok(link.and_then(|link| link.attr("id").or(link.attr("name"))).map(str::to_owned))
}

/// A node of a page, as it begins or ends.
struct Step<'a> {
    node: &'a Node,
    begins: bool,
    /// Whether it is not left out.
    is_shown: bool,
}

/// All nodes, each element at its beginning and its end. Without recursion: a page may be as deep as it likes.
fn steps(root: ElementRef<'_>) -> impl Iterator<Item = Step<'_>> {
    // Elements left out that we are in.
    let mut outside = 0;
    root.traverse().map(move |edge| {
        let (node, begins) = match edge {
            Edge::Open(node) => (node.value(), true),
            Edge::Close(node) => (node.value(), false),
        };
        let is_left_out = node.as_element().is_some_and(is_left_out);
        match (is_left_out, begins) {
            (true, true) => outside += 1,
            (true, false) => outside -= 1,
            (false, _) => {}
        }
        Step { node, begins, is_shown: !is_left_out && outside == 0 }
    })
}

fn is_left_out(element: &Element) -> bool {
    LEFT_OUT.contains(&element.name())
        || element.attrs().any(|(name, value)| match name {
            "hidden" | "data-pagefind-ignore" => true,
            "role" => value.trim().eq_ignore_ascii_case("navigation"),
            "class" => value.split_ascii_whitespace().any(|class| NAVIGATION.contains(&class)),
            _ => false,
        })
}

/// The nodes that are not left out.
fn shown(root: ElementRef<'_>) -> impl Iterator<Item = (&Node, bool)> {
    steps(root).filter(|step| step.is_shown).map(|step| (step.node, step.begins))
}

/// Tells the elements whose text is the page's.
fn body_of(root: ElementRef<'_>) -> fn(&Element) -> bool {
    let is_marked =
        |element: &Element| element.attrs().any(|(name, _)| name == "data-pagefind-body");
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
    for Step { node, begins, is_shown } in steps(root) {
        let element = match node {
            Node::Text(text) if begins && is_shown && within > 0 => {
                gathering.add(text);
                continue;
            }
            Node::Element(element) => element,
            _ => continue,
        };
        let name = element.name();
        if is_shown {
            if is_body(element) {
                within = if begins { within + 1 } else { within - 1 };
                gathering.end();
            }
            if !INLINE.contains(&name) {
                gathering.end();
            }
        }
        let level = match name.as_bytes() {
            [b'h', digit @ b'1'..=b'6'] if is_shown && within > 0 => Some(digit - b'0'),
            _ => None,
        };
        match (level, begins) {
            (Some(level), true) => gathering.begin_heading(level),
            (Some(level), false) => _ = gathering.end_heading(level),
            (None, _) => {}
        }
        if begins {
            let name = element.attr("name").filter(|_| name == "a");
            for id in element.id().into_iter().chain(name) {
                gathering.see(id, is_shown);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits;

    fn read(html: &str) -> (String, Vec<Part>) {
        Page::parse(html).unwrap().read()
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
        assert_eq!(anchors(&parts), [None, Some("rain"), Some("rain"), None, None]);
    }

    fn anchors(parts: &[Part]) -> Vec<Option<&str>> {
        parts.iter().map(|part| part.heading.as_ref()?.anchor.as_deref()).collect()
    }

    #[test]
    fn a_heading_is_reached_by_an_id_on_it_in_it_or_directly_before_it() {
        for heading in [
            "<h2 id=rain>Rain</h2>",
            "<h2><a id=rain></a>Rain</h2>",
            "<h2><a name=rain>Rain</a></h2>",
            "<h2><span><a xmlns='' id=rain></a></span>Rain</h2>",
            "<a id=rain></a><h2>Rain</h2>",
            "<a name=rain></a>\n<div><div>\n<h2>Rain</h2></div></div>",
            "<p><a name=rain></a></p><h2>Rain</h2>",
            "<section id=rain><h2>Rain</h2></section>",
            "<div class=section id=rain><div><h2>Rain</h2></div></div>",
            // What is on it counts more than what is in it, and this more than what is before it.
            "<a id=before></a><h2 id=rain><a id=within></a>Rain</h2>",
            "<a id=before></a><h2><a id=rain></a><a id=later></a>Rain</h2>",
            "<section id=before><a id=rain></a><h2>Rain</h2></section>",
        ] {
            let (_, parts) = read(&format!("<p>before{heading}<p>falls"));
            assert_eq!(anchors(&parts), [None, Some("rain"), Some("rain")], "{heading}");
        }
        for heading in [
            "<a id=other></a>text<h2>Rain</h2>",
            "<h2>Rain</h2><a id=other></a>",
            // The first is where an address leads.
            "<nav id=other></nav><h2 id=other>Rain</h2>",
            "<nav><a id=other></a></nav><h2>Rain</h2>",
            "<h2 id=''>Rain</h2>",
        ] {
            let (_, parts) = read(&format!("<p>before</p>{heading}<p>falls"));
            assert!(anchors(&parts).iter().all(Option::is_none), "{heading}");
        }
    }

    #[test]
    fn a_heading_is_one_paragraph_without_the_sign_of_its_link() {
        let (_, parts) = read("<h2><div>Of</div>rain<p>now</p><a href=#rain>¶</a></h2>falls");
        let found: Vec<_> = parts.iter().map(|part| (&*part.text, part.is_heading)).collect();
        assert_eq!(found, [("Of rain now", true), ("falls", false)]);
        assert!(parts.iter().all(|part| part.heading.as_ref().unwrap().text == "Of rain now"));
        let long = "é".repeat(limits::SECTION_CHARACTERS);
        for (heading, shown) in
            [(long.clone(), long.clone()), (format!("{long}é"), format!("{long}…"))]
        {
            let (_, parts) = read(&format!("<h2>{heading}</h2>falls"));
            assert_eq!(parts[0].text, heading);
            assert_eq!(parts[1].heading.as_ref().unwrap().text, shown);
        }
    }

    #[test]
    fn navigation_is_left_out_by_its_role_and_its_docbook_classes() {
        for navigation in [
            "<div role=navigation>",
            "<ul class='docnav top'>",
            "<div class=navheader>",
            "<div class=navfooter>",
        ] {
            let page = format!("{navigation}Next</ul></div><p class=navigate>rain");
            assert_eq!(texts(&page).1, ["rain"], "{page}");
        }
    }

    #[test]
    fn broken_pages_are_read_as_far_as_they_go() {
        assert_eq!(texts(""), (String::new(), vec![]));
        assert_eq!(texts("</p><b>a<p>b</b><").1, ["a", "b<"].map(str::to_owned));
    }

    #[test]
    fn a_page_of_the_greatest_depth_is_read_on_a_small_stack() {
        let read = || {
            for element in ["<div>", "<div data-pagefind-body>"] {
                // The first two are `html` and `body`.
                let deep = format!("{}rain", element.repeat(limits::HTML_DEPTH as usize - 2));
                assert_eq!(texts(&deep).1, ["rain"]);
                assert!(Page::parse(&format!("{element}{deep}")).is_err());
            }
        };
        if cfg!(target_family = "wasm") {
            read();
        } else {
            // 64 bytes for each element: too few for a function that calls itself.
            let thread = std::thread::Builder::new().stack_size(32 << 10).spawn(read);
            thread.unwrap().join().unwrap();
        }
    }

    #[test]
    fn nested_elements_that_are_marked_share_one_text() {
        let wanted = ["topic".to_owned()];
        let fields = |page: &str| {
            let mut fields = Fields::new();
            let page = Page::parse(page).unwrap();
            page.add_fields(&mut Wanted::new(&wanted), &mut fields).map(|()| fields)
        };
        let nested =
            "<div data-pagefind-filter=topic> a <i data-pagefind-meta='topic, x'>b</i>c</div>";
        let found: Vec<String> =
            fields(nested).unwrap().into_iter().map(|(_, text)| text).collect();
        assert_eq!(found, ["a bc", "b"]);
        // 8 elements around the text, each with the name and the text as a field.
        let around = |bytes: u64| {
            let open = "<div data-pagefind-filter=topic>".repeat(8);
            fields(&format!("{open}{}", "a".repeat(bytes as usize)))
        };
        let most = limits::FIELD_BYTES / 8 - 5;
        assert_eq!(around(most - 1).unwrap().len(), 8);
        assert_eq!(around(most).unwrap().len(), 8);
        let error = around(most + 1).unwrap_err().to_string();
        assert!(error.starts_with("more than 1048576 bytes of fields"), "{error}");
    }

    #[test]
    fn a_long_id_is_no_anchor() {
        for (bytes, is_anchor) in [
            (limits::ANCHOR_BYTES - 1, true),
            (limits::ANCHOR_BYTES, true),
            (limits::ANCHOR_BYTES + 1, false),
        ] {
            let (_, parts) = read(&format!("<h2 id={}>Rain</h2><p>falls", "a".repeat(bytes)));
            assert!(anchors(&parts).iter().all(|anchor| anchor.is_some() == is_anchor), "{bytes}");
        }
    }
}
