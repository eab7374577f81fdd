//! HTML -> a tree, as far as the limits allow.
//!
//! html5ever parses as the standard says, by which a page can cost far more than its length: most tags search the
//! stack of open elements, and each paragraph opens again all formatting elements (`<b>`) that were left open in
//! the one before it. The parser builds the tree through [`Sink`], which counts nodes, depth, attributes, names and
//! steps; once a count exceeds its limit, [`Tokens`] gives the parser no further token, so that at most one token
//! is handled beyond the limit. The tokenizer itself takes quadratic time only for the attributes of one tag, of
//! which the sink knows nothing until the tag ends: [`OpenTag`] counts them while the page is fed in pieces.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::collections::HashSet;

use ego_tree::NodeId;
use html5ever::interface::tree_builder::create_element;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{
    ElementFlags, NodeOrText, QuirksMode, TreeBuilder, TreeBuilderOpts, TreeSink,
};
use html5ever::{Attribute, LocalName, QualName, TokenizerResult, local_name, ns};
use scraper::{Html, HtmlTreeSink};

use crate::error::Error;
use crate::limits;

/// The most bytes that the parser is fed at once.
const PIECE: usize = 4096;

/// How many steps the comparison of an attribute counts as, by the time that it takes.
const STEPS_OF_ATTRIBUTE: u64 = 32;

/// Elements that the parser opens again where they were left open.
const FORMATTING: [LocalName; 14] = [
    local_name!("a"),
    local_name!("b"),
    local_name!("big"),
    local_name!("code"),
    local_name!("em"),
    local_name!("font"),
    local_name!("i"),
    local_name!("nobr"),
    local_name!("s"),
    local_name!("small"),
    local_name!("strike"),
    local_name!("strong"),
    local_name!("tt"),
    local_name!("u"),
];

/// What may be counted, and how far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    Nodes,
    Depth,
    Attributes,
    AttributesOfTag,
    Names,
    Steps,
}

/// The most that a page may have of each.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    nodes: u64,
    depth: u64,
    attributes: u64,
    attributes_of_tag: u64,
    names: u64,
    steps: u64,
}

/// The limits of a page.
const PAGE: Budget = Budget {
    nodes: limits::HTML_NODES,
    depth: limits::HTML_DEPTH,
    attributes: limits::HTML_ATTRIBUTES,
    attributes_of_tag: limits::TAG_ATTRIBUTES,
    names: limits::HTML_NAMES,
    steps: limits::HTML_STEPS,
};

/// What the HTML of one page has cost so far: of a page of Markdown, all its pieces together.
#[derive(Debug)]
pub struct Spending {
    budget: Budget,
    nodes: Cell<u64>,
    attributes: Cell<u64>,
    steps: Cell<u64>,
    exceeded: Cell<Option<Count>>,
}

impl Spending {
    /// Nothing yet, of what a page may cost.
    pub fn new() -> Self {
        Self::within(PAGE)
    }

    fn within(budget: Budget) -> Self {
        let zero = || Cell::new(0);
        let (nodes, attributes, steps) = (zero(), zero(), zero());
        Self { budget, nodes, attributes, steps, exceeded: Cell::new(None) }
    }

    fn add(&self, count: Count, amount: u64) {
        let total = match count {
            Count::Nodes => &self.nodes,
            Count::Attributes => &self.attributes,
            _ => &self.steps,
        };
        total.set(total.get().saturating_add(amount));
        self.compare(count, total.get());
    }

    fn compare(&self, count: Count, found: u64) {
        if found > self.most(count) && self.exceeded.get().is_none() {
            self.exceeded.set(Some(count));
        }
    }

    fn most(&self, count: Count) -> u64 {
        match count {
            Count::Nodes => self.budget.nodes,
            Count::Depth => self.budget.depth,
            Count::Attributes => self.budget.attributes,
            Count::AttributesOfTag => self.budget.attributes_of_tag,
            Count::Names => self.budget.names,
            Count::Steps => self.budget.steps,
        }
    }

    fn check(&self) -> Result<(), Error> {
        let Some(count) = self.exceeded.get() else { return Ok(()) };
        let (what, remedy) = match count {
            Count::Nodes => ("elements, texts and comments of HTML", "split the page"),
            Count::Depth => ("levels of nested elements of HTML", "close its elements"),
            Count::Attributes => ("attributes of HTML", "close its elements or split the page"),
            Count::AttributesOfTag => ("attributes of one tag of HTML", "close the tag"),
            Count::Names => ("different names of elements and attributes", "use fewer names"),
            Count::Steps => (
                "steps of the parser of HTML",
                "close its elements where they end or split the page",
            ),
        };
        Err(Error::Limit { what, most: self.most(count), remedy })
    }
}

/// Parses a page, however broken.
///
/// # Errors
/// [`Error::Limit`].
pub fn document(text: &str, spending: &Spending) -> Result<Html, Error> {
    let sink = Sink::new(Html::new_document(), spending);
    let builder = TreeBuilder::new(sink, TreeBuilderOpts::default());
    parse(builder, text)
}

/// Parses a piece of HTML, as it stands in the body of a page.
///
/// # Errors
/// [`Error::Limit`].
pub fn fragment(text: &str, spending: &Spending) -> Result<Html, Error> {
    let sink = Sink::new(Html::new_fragment(), spending);
    let body = QualName::new(None, ns!(html), local_name!("body"));
    let body = create_element(&sink, body, Vec::new());
    let options = TreeBuilderOpts::default();
    parse(TreeBuilder::new_for_fragment(sink, body, None, options), text)
}

/// Feeds the parser in pieces, each of which begins at a `<` where the one before it is not cut.
fn parse(builder: TreeBuilder<Handle, Sink<'_>>, text: &str) -> Result<Html, Error> {
    let spending = builder.sink.spending;
    let tokenizer =
        Tokenizer::new(Tokens { builder, count: Cell::new(0) }, TokenizerOpts::default());
    let whole = StrTendril::from(text);
    let queue = BufferQueue::default();
    // Whether the bytes between these places complete a token.
    let feed = |start: usize, end: usize| {
        let before = tokenizer.sink.count.get();
        // A page is shorter than 4 GiB.
        queue.push_back(whole.subtendril(start as u32, (end - start) as u32));
        while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
        tokenizer.sink.count.get() > before
    };
    let bytes = text.as_bytes();
    let mut open = Open::Nothing;
    let mut start = 0;
    while let Some(first) = bytes.get(start) {
        let most = text.floor_char_boundary(start + PIECE);
        let next = bytes[start + 1..most].iter().position(|byte| *byte == b'<');
        let end = next.map_or(most, |place| start + 1 + place);
        let mut inside = start;
        if *first == b'<' {
            // Alone, for it ends what seemed to be the beginning of an end tag.
            inside += 1;
            if feed(start, inside) {
                open = Open::Nothing;
            }
        }
        if feed(inside, end) {
            open = Open::Nothing;
        } else if *first == b'<' && matches!(open, Open::Nothing) {
            open = Open::of(&bytes[inside..end]);
        } else if let Open::Tag(tag) = &mut open {
            tag.read(&bytes[start..end]);
        }
        if let Open::Tag(tag) = &open {
            spending.compare(Count::AttributesOfTag, tag.attributes);
        }
        spending.check()?;
        start = end;
    }
    tokenizer.end();
    spending.check()?;
    Ok(tokenizer.sink.builder.sink.finish())
}

/// What the tokenizer is in, after a piece that completed no token.
enum Open {
    /// Text, or nothing that is known.
    Nothing,
    /// A comment or a declaration.
    Other,
    Tag(OpenTag),
}

impl Open {
    /// What begins with `<` and these bytes.
    fn of(bytes: &[u8]) -> Self {
        let name = bytes.strip_prefix(b"/").unwrap_or(bytes);
        match name {
            [] => Self::Nothing,
            [letter, ..] if letter.is_ascii_alphabetic() => {
                let mut tag = OpenTag { place: Place::Name, attributes: 0 };
                tag.read(name);
                Self::Tag(tag)
            }
            _ => Self::Other,
        }
    }
}

/// Counts the attributes of a tag that is still open, those with the same name too.
struct OpenTag {
    place: Place,
    attributes: u64,
}

/// Where in a tag.
#[derive(Clone, Copy)]
enum Place {
    /// In the tag's name.
    Name,
    /// Before an attribute, if there is a further one.
    Before,
    /// In an attribute's name.
    Attribute,
    /// After an attribute's name and a space.
    After,
    /// After `=`.
    Equals,
    /// In a value without quotes.
    Bare,
    /// In a value between these quotes.
    Quoted(u8),
}

impl OpenTag {
    fn read(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let is_space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c');
            self.place = match (self.place, byte) {
                (Place::Quoted(quote), _) if byte != quote => continue,
                (Place::Quoted(_), _) => Place::Before,
                (Place::Bare, _) if is_space => Place::Before,
                (Place::Bare, _) => continue,
                (Place::Equals, b'"' | b'\'') => Place::Quoted(byte),
                (Place::Equals, _) if is_space => continue,
                (Place::Equals, _) => Place::Bare,
                (_, b'/') => Place::Before,
                (Place::Attribute | Place::After, b'=') => Place::Equals,
                (Place::Attribute | Place::After, _) if is_space => Place::After,
                (Place::Name | Place::Before, _) if is_space => Place::Before,
                (Place::Name | Place::Attribute, _) => continue,
                (Place::Before | Place::After, _) => {
                    self.attributes += 1;
                    Place::Attribute
                }
            };
        }
    }
}

/// Gives tokens to the parser until a limit is exceeded.
struct Tokens<'a> {
    builder: TreeBuilder<Handle, Sink<'a>>,
    count: Cell<u64>,
}

impl TokenSink for Tokens<'_> {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if matches!(token, Token::ParseError(_)) {
            return TokenSinkResult::Continue;
        }
        self.count.set(self.count.get() + 1);
        let sink = &self.builder.sink;
        if let Token::TagToken(tag) = &token {
            sink.see(tag);
        }
        if sink.spending.exceeded.get().is_some() {
            return TokenSinkResult::Continue;
        }
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// How many elements a node is in, itself among them.
#[derive(Debug, Clone, Copy, Default)]
struct Depth {
    all: u32,
    formatting: u32,
}

/// A node of the tree, and the place of its depth in [`Sink::depths`].
#[derive(Debug, Clone, Copy)]
struct Handle {
    id: NodeId,
    place: usize,
}

/// Builds the tree, and counts what the parser makes and looks at.
struct Sink<'a> {
    tree: HtmlTreeSink,
    spending: &'a Spending,
    /// Of each node, how deep it was put into the tree. The parser moves elements about, but not far from the
    /// height of its stack of open elements.
    depths: RefCell<Vec<Depth>>,
    names: RefCell<HashSet<LocalName>>,
    /// Templates that are open, or more.
    templates: Cell<u64>,
    /// Marks that may be left in the parser's list of formatting elements. An element of table cells, objects or
    /// templates leaves its own there if it is closed by an element around it, and searches pass over all of them.
    marks: Cell<u64>,
}

impl<'a> Sink<'a> {
    fn new(tree: Html, spending: &'a Spending) -> Self {
        Self {
            tree: HtmlTreeSink::new(tree),
            spending,
            depths: RefCell::new(vec![Depth::default()]),
            names: RefCell::default(),
            templates: Cell::new(0),
            marks: Cell::new(0),
        }
    }

    /// A tag, before the parser gets it.
    fn see(&self, tag: &Tag) {
        self.spending.compare(Count::AttributesOfTag, tag.attrs.len() as u64);
        let is_start = tag.kind == TagKind::StartTag;
        let templates = self.templates.get();
        let (mut more, mut marks) = (templates, 0);
        match tag.name {
            local_name!("template") if is_start => (more, marks) = (templates + 1, 1),
            local_name!("template") => more = templates.saturating_sub(1),
            local_name!("applet") | local_name!("marquee") | local_name!("object") if is_start => {
                marks = 1;
            }
            local_name!("td") | local_name!("th") | local_name!("caption")
                if is_start && templates > 0 =>
            {
                marks = 1;
            }
            _ => {}
        }
        self.templates.set(more);
        self.marks.set(self.marks.get() + marks);
    }

    fn step(&self) {
        self.spending.add(Count::Steps, 1);
    }

    fn name(&self, name: &LocalName) {
        let mut names = self.names.borrow_mut();
        if !names.contains(name) {
            names.insert(name.clone());
            self.spending.compare(Count::Names, names.len() as u64);
        }
    }

    /// A new node, which has no place in the tree yet.
    fn node(&self, id: NodeId) -> Handle {
        self.spending.add(Count::Nodes, 1);
        let mut depths = self.depths.borrow_mut();
        depths.push(Depth::default());
        Handle { id, place: depths.len() - 1 }
    }

    /// What is put into the tree at this depth, and takes one more.
    fn put(
        &self,
        child: NodeOrText<Handle>,
        Depth { all, formatting }: Depth,
    ) -> NodeOrText<NodeId> {
        let child = match child {
            NodeOrText::AppendText(text) => {
                self.spending.add(Count::Nodes, 1);
                return NodeOrText::AppendText(text);
            }
            NodeOrText::AppendNode(child) => child,
        };
        let mut depth = Depth { all: all + 1, formatting };
        let tree = self.tree.0.borrow();
        let element = tree.tree.get(child.id).and_then(|node| node.value().as_element());
        if let Some(element) = element.filter(|element| FORMATTING.contains(&element.name.local)) {
            depth.formatting += 1;
            // The parser compares it with all formatting elements that are open, and sorts their attributes.
            let compared = 1 + STEPS_OF_ATTRIBUTE * element.attrs.len() as u64;
            self.spending
                .add(Count::Steps, u64::from(depth.formatting) * compared + self.marks.get());
        }
        self.depths.borrow_mut()[child.place] = depth;
        self.spending.compare(Count::Depth, depth.all.into());
        NodeOrText::AppendNode(child.id)
    }

    /// The depth below a node.
    fn below(&self, parent: &Handle) -> Depth {
        self.depths.borrow()[parent.place]
    }

    /// The depth beside a node.
    fn beside(&self, sibling: &Handle) -> Depth {
        let depth = self.below(sibling);
        Depth { all: depth.all.saturating_sub(1), ..depth }
    }
}

impl TreeSink for Sink<'_> {
    type Handle = Handle;
    type Output = Html;
    type ElemName<'b>
        = Ref<'b, QualName>
    where
        Self: 'b;

    fn finish(self) -> Html {
        self.tree.finish()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle { id: self.tree.get_document(), place: 0 }
    }

    fn elem_name<'b>(&'b self, target: &'b Handle) -> Ref<'b, QualName> {
        self.step();
        self.tree.elem_name(&target.id)
    }

    fn same_node(&self, left: &Handle, right: &Handle) -> bool {
        self.step();
        left.id == right.id
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> Handle {
        self.spending.add(Count::Attributes, attributes.len() as u64);
        self.name(&name.local);
        attributes.iter().for_each(|attribute| self.name(&attribute.name.local));
        self.node(self.tree.create_element(name, attributes, flags))
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        self.node(self.tree.create_comment(text))
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        self.node(self.tree.create_pi(target, data))
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        let child = self.put(child, self.below(parent));
        self.tree.append(&parent.id, child);
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let child = self.put(child, self.beside(sibling));
        self.tree.append_before_sibling(&sibling.id, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        before: &Handle,
        child: NodeOrText<Handle>,
    ) {
        let child = self.put(child, self.below(before));
        self.tree.append_based_on_parent_node(&element.id, &before.id, child);
    }

    fn append_doctype_to_document(
        &self,
        name: StrTendril,
        public_id: StrTendril,
        system_id: StrTendril,
    ) {
        self.tree.append_doctype_to_document(name, public_id, system_id);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        Handle { id: self.tree.get_template_contents(&target.id), place: target.place }
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.tree.set_quirks_mode(mode);
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        self.spending.add(Count::Attributes, attributes.len() as u64);
        attributes.iter().for_each(|attribute| self.name(&attribute.name.local));
        self.tree.add_attrs_if_missing(&target.id, attributes);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.tree.remove_from_parent(&target.id);
    }

    fn reparent_children(&self, node: &Handle, parent: &Handle) {
        self.tree.reparent_children(&node.id, &parent.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than any page here has.
    const PLENTY: Budget = Budget {
        nodes: 10_000,
        depth: 10_000,
        attributes: 10_000,
        attributes_of_tag: 10_000,
        names: 10_000,
        steps: 10_000_000,
    };

    fn error(text: &str, budget: Budget) -> Option<String> {
        document(text, &Spending::within(budget)).err().map(|error| error.to_string())
    }

    /// A page, what it has too much of, and a budget of a size.
    type Case<'a> = (&'a str, &'a str, fn(u64) -> Budget);

    #[test]
    fn each_limit_is_the_most_that_is_read() {
        // Each page has 20 of what is limited; `html`, `head` and `body` count.
        let cases: [Case<'_>; 5] = [
            (&format!("<br>{}", "<p>a".repeat(8)), "20 elements, texts", |nodes| Budget {
                nodes,
                ..PLENTY
            }),
            (&"<div>".repeat(18), "20 levels", |depth| Budget { depth, ..PLENTY }),
            (&"<p a b c d>".repeat(5), "20 attributes of HTML", |attributes| Budget {
                attributes,
                ..PLENTY
            }),
            (
                &format!("<p {}>", (0..20).map(|name| format!("a{name} ")).collect::<String>()),
                "20 attributes of one tag",
                |attributes_of_tag| Budget { attributes_of_tag, ..PLENTY },
            ),
            (
                &(0..17).map(|name| format!("<x{name}>")).collect::<String>(),
                "20 different names",
                |names| Budget { names, ..PLENTY },
            ),
        ];
        for (page, named, budget) in cases {
            assert_eq!(error(page, budget(21)), None, "{named}");
            assert_eq!(error(page, budget(20)), None, "{named}");
            let named = named.replace("20", "more than 19");
            let error = error(page, budget(19)).unwrap();
            assert!(error.starts_with(&named), "{error}");
        }
    }

    #[test]
    fn steps_are_counted_and_limited() {
        let page = "<div>".repeat(30);
        let spending = Spending::within(PLENTY);
        document(&page, &spending).unwrap();
        let steps = spending.steps.get();
        // Each element is searched for a paragraph around it.
        assert!((465..2_000).contains(&steps), "{steps}");
        for (most, is_read) in [(steps + 1, true), (steps, true), (steps - 1, false)] {
            let error = error(&page, Budget { steps: most, ..PLENTY });
            assert_eq!(error.is_none(), is_read, "{most} {error:?}");
        }
    }

    #[test]
    fn the_limits_hold_for_all_pieces_of_a_page_together() {
        let spending = Spending::within(Budget { nodes: 20, ..PLENTY });
        // Each makes a context, a root, a paragraph and a text.
        for _ in 0..5 {
            fragment("<p>a", &spending).unwrap();
        }
        assert!(fragment("<p>a", &spending).is_err());
    }

    #[test]
    fn the_attributes_of_a_tag_are_counted_before_it_ends() {
        let names: String = (0..100).map(|name| format!(" a{name}")).collect();
        let long = "x".repeat(2 * PIECE);
        let of = |most| Budget { attributes_of_tag: most, ..PLENTY };
        for tag in [
            format!("<p{names}"),
            format!("<p{names} b='{long}"),
            format!("<p b='<'{names} c='<{long}"),
            format!("<p b=<{names} c='{long}"),
            format!("</p{names} b=\"{long}"),
            format!("<title></titl</title{names} b='{long}"),
            format!("<script></scr</script/{names}b='{long}"),
            format!("<!-- <a>{long} --><p{names} b='{long}"),
        ] {
            // 99, for those of the last tag have no end.
            assert!(error(&tag, of(99)).is_some(), "{}", &tag[..20]);
            assert_eq!(error(&tag, of(102)), None, "{}", &tag[..20]);
        }
        // Words that are no attributes.
        let words = "a b c d e f ".repeat(2_000);
        for text in [
            format!("<!-- <a {words}"),
            format!("<!-- <a <b {words} -->"),
            format!("<script>if (a<b {words}"),
            format!("<textarea><a {words}<a {words}"),
            format!("<title></titl {words}</title>"),
            format!("<p title='{words}"),
            format!("<p title='<{words}<a {words}'>"),
            format!("<!doctype {words}"),
            format!("<plaintext><a {words}"),
            format!("<svg><![CDATA[<a {words}"),
            format!("a < b {words}"),
        ] {
            assert_eq!(error(&text, of(10)), None, "{}", &text[..20]);
        }
    }

    #[test]
    fn attributes_are_counted_as_the_tokenizer_finds_them() {
        // All tags of a few bytes that change the state.
        let alphabet = [' ', '/', '=', '"', '\'', 'a', '<', 'é'];
        for number in 0..alphabet.len().pow(6) {
            let digit = |place| alphabet[number / alphabet.len().pow(place) % alphabet.len()];
            let tag: String = (0..6).map(digit).collect();
            let mut open = OpenTag { place: Place::Name, attributes: 0 };
            open.read(format!("p {tag}").as_bytes());
            if matches!(open.place, Place::Quoted(_)) {
                continue;
            }
            let spending = Spending::within(PLENTY);
            document(&format!("<p {tag}>"), &spending).unwrap();
            // Of those with the same name, the parser gets the first.
            assert!(spending.attributes.get() <= open.attributes, "{tag}");
            let is_one = spending.attributes.get() == 1;
            assert!(open.attributes < 2 || spending.attributes.get() > 0, "{tag}");
            assert!(is_one || open.attributes != 1, "{tag}");
        }
    }

    #[test]
    fn a_page_is_the_same_in_pieces() {
        let pieces = ["<p>", "a<b", "<b title='<'>", "é&amp", ";", "<!--<a>-->", "</b>", "\r\n"];
        let page: String = (0..4_000).map(|number| pieces[number * number % 11 % 8]).collect();
        let plenty = || Spending::within(Budget { nodes: 1_000_000, ..PLENTY });
        let whole = Html::parse_document(&page);
        assert_eq!(document(&page, &plenty()).unwrap().html(), whole.html());
        let whole = Html::parse_fragment(&page);
        assert_eq!(fragment(&page, &plenty()).unwrap().html(), whole.html());
    }

    #[test]
    fn marks_that_objects_leave_behind_count_as_steps() {
        let steps = |page: &str| {
            let spending = Spending::new();
            document(page, &spending).unwrap();
            spending.steps.get()
        };
        let left = |count| format!("<table>{}</table>", "<object><tr>".repeat(count));
        let bold = "<b></b>".repeat(100);
        for page in [left(100), "<template><table><td></template>".repeat(50)] {
            let marked = steps(&format!("{page}{bold}")) - steps(&page);
            assert!(marked >= steps(&bold) + 9_000, "{marked}");
        }
        let closed = "<object></object>".repeat(10) + &"<table><td></table>".repeat(100);
        assert!(steps(&format!("{closed}{bold}")) - steps(&closed) < steps(&bold) + 1_100);
    }
}
