//! What reading costs: memory in proportion to the input, for the worst inputs of each reader.
//!
//! Each input is read at three lengths. Four times the length may allocate five times the bytes, beside a megabyte for
//! buffers, and the most that is held at once is limited to a multiple of the length. An input that is
//! refused is counted up to there.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Write as _;

use smooth_clir_documents::sitemap::Sitemap;
use smooth_clir_documents::tables::Delimiter;
use smooth_clir_documents::{
    Collection, Error, Page, PageFormat, Reading, RecordFormat, limits, objects, tables, texts,
};

/// The lengths of the inputs in bytes, each four times the one before it.
const LENGTHS: [usize; 3] = [32 << 10, 128 << 10, 512 << 10];
/// Bytes that buffers may take at any length.
const BUFFERS: usize = 1 << 20;

// ---- counting

thread_local! {
    /// Bytes allocated so far, held now, and the most that were held.
    static COUNTED: Cell<[u64; 3]> = const { Cell::new([0; 3]) };
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

impl Counting {
    fn add(taken: usize, freed: usize) {
        let [taken, freed] = [taken as u64, freed as u64];
        let [all, held, most] = COUNTED.get();
        let at_once = held + taken;
        // Another thread may have allocated what this one frees.
        COUNTED.set([all + taken, at_once.saturating_sub(freed), most.max(at_once)]);
    }
}

// SAFETY: the system's allocator does it all; sizes are counted beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::add(layout.size(), 0);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::add(layout.size(), 0);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::add(size, layout.size());
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        Self::add(0, layout.size());
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// What reading an input came to.
struct Cost {
    allocated: usize,
    most: usize,
    error: Option<Error>,
}

fn cost(read: impl FnOnce() -> Result<(), Error>) -> Cost {
    let [before, held, _] = COUNTED.get();
    COUNTED.set([before, held, held]);
    let error = read().err();
    let [all, _, most] = COUNTED.get();
    Cost { allocated: (all - before) as usize, most: (most - held) as usize, error }
}

// ---- readers

#[derive(Debug, Clone, Copy)]
enum Input {
    Page(PageFormat),
    Records(RecordFormat),
    Sitemap,
    Text,
    Table(Delimiter),
    Objects,
}

fn read(input: Input, text: &str) -> Cost {
    let fields = ["a", "topic"].map(str::to_owned);
    let languages = ["fr".to_owned()];
    let (words, languages) = (Some(200), &languages[..]);
    let reading = Reading { words, languages, fields: &fields, ..Reading::default() };
    let mut collection = Collection::new(reading);
    cost(|| match input {
        Input::Page(format) => {
            collection.page(&Page { place: "a", format, bytes: text.as_bytes(), changed: None })?;
            match collection.finish()?.report.left_out.pop() {
                Some(left_out) if left_out.is_wrong => Err(Error::Whole(left_out.reason)),
                _ => Ok(()),
            }
        }
        Input::Records(format) => collection.each_record(format, text.as_bytes(), &mut |_| Ok(())),
        Input::Sitemap => Sitemap::parse(text).map(drop),
        // A refusal is counted like an answer.
        Input::Text => {
            _ = texts::read("a", 200, text.as_bytes(), &mut |_| Ok(()));
            Ok(())
        }
        Input::Table(delimiter) => {
            _ = tables::read(delimiter, "a", text.as_bytes(), &mut |_| Ok(()));
            Ok(())
        }
        Input::Objects => {
            _ = objects::read("a", text.as_bytes(), &mut |_| Ok(()));
            Ok(())
        }
    })
}

/// Checks that the costs of an input grow with its length, and that it holds `times` its length at most.
fn assert_grows(input: Input, times: usize, name: &str, make: impl Fn(usize) -> String) {
    let costs = LENGTHS.map(|length| read(input, &make(length)));
    for (cost, length) in costs.iter().zip(LENGTHS) {
        let most = times * length + BUFFERS;
        assert!(cost.most <= most, "{input:?}, {name}: {length} bytes held {}", cost.most);
    }
    for pair in costs.windows(2) {
        let most = 5 * pair[0].allocated + BUFFERS;
        let found = pair[1].allocated;
        assert!(found <= most, "{input:?}, {name}: {} bytes, then {found}", pair[0].allocated);
    }
}

/// Checks that a title of half the input, before many passages, is copied no more often than the limit allows.
fn assert_title_limited(input: Input, make: impl Fn(String, String) -> String) {
    for length in LENGTHS {
        let text = make("a".repeat(length / 2), "a ".repeat(length / 4));
        let most = 50 * length + limits::REPEATED_BYTES as usize + BUFFERS;
        let cost = read(input, &text);
        assert!(cost.allocated <= most, "{input:?}: {length} bytes allocated {}", cost.allocated);
    }
}

/// So much of a text again and again.
fn again(text: &str) -> impl Fn(usize) -> String {
    move |length| text.repeat(length / text.len())
}

/// A beginning, and a text again and again.
fn after(beginning: &str, text: &str) -> impl Fn(usize) -> String {
    move |length| {
        let rest = length.saturating_sub(beginning.len());
        format!("{beginning}{}", text.repeat(rest / text.len()))
    }
}

/// Numbered texts.
fn numbered(write: impl Fn(&mut String, usize)) -> impl Fn(usize) -> String {
    move |length| {
        let (mut text, mut number) = (String::new(), 0);
        while text.len() < length {
            write(&mut text, number);
            number += 1;
        }
        text
    }
}

// ---- the worst inputs

/// `<p>a` is two nodes of 136 bytes, in a list that is copied as it doubles: 197 at most.
const HTML: usize = 220;
/// A line of two bytes is two items of the parser's tree, in such a list: 144 at most.
const MARKDOWN: usize = 160;
/// A value of two bytes is one of 32, in such a list: 67 at most.
const RECORDS: usize = 80;
/// The parser reserves a node of 72 bytes for each `<`.
const SITEMAP: usize = 80;
/// An empty line of a byte is a text of 24, in such a list: 72 at most.
const PLAIN: usize = 80;

#[test]
fn html_costs_in_proportion() {
    let html = Input::Page(PageFormat::Html);
    for text in [
        "<p>a",
        "<br>",
        "<b>",
        "<div>",
        "<li>a",
        "<dl><dd>",
        "<a><div>",
        "<b><p></b>",
        "<svg>",
        "<template>",
        "<table><td>",
        "<table><div>",
        "<nobr>",
        "<option>",
        "<select>",
        "<!-->",
        "&lt",
        "&amp;",
        "&a",
        "<",
        "\0",
        "\r",
        "</p>",
        "</x>",
        "<script>a</script>",
        "<!doctype a>",
        "<meta name=a content=b>",
        "<p hidden>a",
        "<i data-pagefind-meta=a>b</i>",
        "<pre>\n",
        "<math><mi>",
        "<frameset>",
        "<ruby><rt>",
        "<object><tr>",
        "<form><input>",
    ] {
        assert_grows(html, HTML, text, again(text));
    }
    let bold: String = (0..400).map(|number| format!("<b id={number}>")).collect();
    let paragraph = format!("<p>{bold}");
    let spans = "<span>".repeat(500);
    let marked = "<i data-pagefind-meta=topic>".repeat(400);
    for (beginning, text) in [
        (&*paragraph, "</p><p>a"),
        (&*bold, "<p>"),
        (&*spans, "</x>"),
        (&*spans, "<b></b>"),
        (&*marked, "a "),
        ("<table>", "a<b>"),
        ("<table>", "<tr>a"),
        ("<table>", "<object><tr>"),
        ("<select>", "<option>"),
        ("<plaintext>", "<b>"),
        ("<textarea>", "</textare"),
        ("<script>", "</scrip"),
        ("<title>", "a "),
        ("<title></titl</title ", "a b c "),
        ("<!--", "<a b "),
        ("<a href='", "<"),
        ("&", "a"),
        ("&#", "1"),
        ("<frameset>", "a "),
        ("</body>", " a"),
    ] {
        let name = format!("{}... {text}", &beginning[..beginning.len().min(20)]);
        assert_grows(html, HTML, &name, after(beginning, text));
    }
    assert_grows(html, HTML, "attributes of a tag", |length| {
        format!("<p {}>", numbered(|text, name| _ = write!(text, "a{name} "))(length))
    });
    for tag in ["body", "html", "p"] {
        let attributes = numbered(|text, name| _ = write!(text, "<{tag} a{name}>"));
        assert_grows(html, HTML, "attributes of many tags", attributes);
    }
    let names = numbered(|text, name| _ = write!(text, "<x{name}></x{name}>"));
    assert_grows(html, HTML, "names", names);
    assert_grows(html, HTML, "a name given to a text again and again", |length| {
        let half = length / 2;
        let (names, text) = ("topic,".repeat(half / 6), "a ".repeat(half / 2));
        format!("<p data-pagefind-meta='{names}'>{text}")
    });
    assert_grows(html, HTML, "a title without words again and again", |length| {
        let half = length / 2;
        let (names, space) = ("title[b],".repeat(half / 9), " ".repeat(half));
        format!("<p data-pagefind-meta='{names}' b='{space}'>a")
    });
    assert_grows(html, HTML, "a long id before paragraphs", |length| {
        format!("<h2 id={}>a</h2>{}", "a".repeat(length / 2), "<p>a".repeat(length / 8))
    });
    assert_title_limited(html, |title, text| format!("<title>{title}</title>{text}"));
}

#[test]
fn markdown_costs_in_proportion() {
    let markdown = Input::Page(PageFormat::Markdown);
    for text in [
        "a\n\n",
        "a\n",
        "- a\n",
        "> ",
        "- ",
        "1) > ",
        "*a **a ",
        "a**b_c",
        "*a_",
        "[",
        "[a](",
        "![[]()",
        "`a ``b ",
        "[a\n",
        "<a ",
        "a <!-- ",
        "a <?",
        "a <![CDATA[",
        "a <!A ",
        "~a ~~a ",
        "# a {#b ",
        "&",
        "\\",
        "<a@",
        "a\n=\n",
        "```\na\n",
        "[^a]: ",
        "<b>\n\n",
        "<p><b>\n\n",
        "|a|\n|-|\n",
        "\n",
    ] {
        assert_grows(markdown, MARKDOWN, text, again(text));
    }
    let list = "- ".repeat(60) + "a\n";
    let quote = "> ".repeat(100) + "a\n";
    for (beginning, text) in
        [(&*list, "a\n"), (&*quote, "a\n"), (&*list, "\n"), ("|a|\n|-|\n", "|\n")]
    {
        assert_grows(markdown, MARKDOWN, &format!("nested, {text:?}"), after(beginning, text));
    }
    assert_grows(markdown, MARKDOWN, "a wide table", |length| {
        let columns = length / 16;
        let (names, line) = ("a|".repeat(columns), "-|".repeat(columns));
        format!("|{names}\n|{line}\n{}", "|\n".repeat(length / 4))
    });
    assert_grows(markdown, MARKDOWN, "a long link again and again", |length| {
        format!("[a]: {}\n\n{}", "b".repeat(length / 2), "[a]".repeat(length / 6))
    });
    assert_grows(markdown, MARKDOWN, "code", |length| {
        (0..(2 * length).isqrt()).map(|ticks| format!("e{}", "`".repeat(ticks))).collect()
    });
    assert_grows(markdown, MARKDOWN, "a long id", |length| {
        format!("# a {{#{}}}\n\n{}", "a".repeat(length / 2), "a\n\n".repeat(length / 6))
    });
}

#[test]
fn front_matter_costs_in_proportion() {
    let markdown = Input::Page(PageFormat::Markdown);
    let yaml = |text: &str| format!("---\n{text}\n---\na\n");
    let toml = |text: &str| format!("+++\n{text}\n+++\na\n");
    for text in ["- ", "[", "a: ", "'", "&a ", "? ", "\"\\n"] {
        assert_grows(markdown, MARKDOWN, text, |length| yaml(&again(text)(length)));
    }
    for text in ["a=[", "[[a]]\n", "a.", "[a.", "a={", "'"] {
        assert_grows(markdown, MARKDOWN, text, |length| toml(&again(text)(length)));
    }
    assert_grows(markdown, MARKDOWN, "a=[", |length| toml(&after("a=", "[")(length)));
    assert_grows(markdown, MARKDOWN, "keys of YAML", |length| {
        yaml(&numbered(|text, name| _ = writeln!(text, "a{name}: 1"))(length))
    });
    assert_grows(markdown, MARKDOWN, "keys of TOML", |length| {
        toml(&numbered(|text, name| _ = writeln!(text, "a{name}=1"))(length))
    });
    assert_grows(markdown, MARKDOWN, "a long value again and again", |length| {
        let (value, again) = ("b".repeat(length / 2), "*b,".repeat(length / 6));
        yaml(&format!("b: &b {value}\na: [{again}]"))
    });
    assert_grows(markdown, MARKDOWN, "values of values of values", |length| {
        let mut text = "a0: &a0 [b,b,b,b,b,b,b,b,b]\n".to_owned();
        for name in 1..length.ilog2() {
            let again = format!("*a{},", name - 1).repeat(9);
            _ = writeln!(text, "a{name}: &a{name} [{again}]");
        }
        yaml(&text)
    });
    assert_title_limited(markdown, |title, text| yaml(&format!("title: {title}")) + &text);
}

#[test]
fn records_cost_in_proportion() {
    let json = Input::Records(RecordFormat::JsonLines);
    let line = |value: &str| format!("{{\"id\":1,\"text\":\"a\",\"a\":{value}}}\n");
    for (beginning, text, end) in
        [("[", "1,", "1]"), ("", "[", ""), ("{\"a\":0", ",\"a\":1", "}"), ("\"", "\\n", "\"")]
    {
        assert_grows(json, RECORDS, text, |length| {
            line(&format!("{}{end}", after(beginning, text)(length)))
        });
    }
    assert_grows(json, RECORDS, "names", |length| {
        let names = numbered(|text, name| _ = write!(text, "\"a{name}\":1,"))(length);
        line(&format!("{{{names}\"a\":1}}"))
    });
    let lines = numbered(|text, id| {
        _ = writeln!(text, "{{\"id\":{id},\"text\":\"a\",\"b{id}\":1}}");
    });
    assert_grows(json, RECORDS, "lines", lines);
    assert_title_limited(json, |title, text| {
        format!("{{\"id\":1,\"title\":\"{title}\",\"text\":\"{text}\"}}\n")
    });

    let tsv = Input::Records(RecordFormat::TabSeparated);
    assert_grows(tsv, RECORDS, "columns", again("\t"));
    assert_grows(tsv, RECORDS, "lines", numbered(|text, id| _ = writeln!(text, "{id}\t\ta")));
    assert_grows(tsv, RECORDS, "signs", |length| format!("a\t\ta.{}", "\" ".repeat(length / 2)));

    let csv = Input::Records(RecordFormat::Csv);
    assert_grows(csv, RECORDS, "columns", |length| {
        let columns = length / 6;
        format!("id,text{}\n1,a{}\n", ",a".repeat(columns), ",1".repeat(columns))
    });
    let lines = numbered(|text, id| _ = writeln!(text, "{id},a"));
    assert_grows(csv, RECORDS, "lines", |length| format!("id,text\n{}", lines(length)));
    assert_grows(csv, RECORDS, "quotes", after("id,text\n1,\"", "\"\""));
}

#[test]
fn files_of_people_cost_in_proportion() {
    for text in ["\n", "a\n", "a\n\n", "a ", "a. ", ".", "\" "] {
        assert_grows(Input::Text, PLAIN, text, again(text));
    }
    let (commas, tabs) = (Input::Table(Delimiter::Comma), Input::Table(Delimiter::Tab));
    for text in ["a\n", "a,b\n", ",", "\"", "\"\"", ";", "\n", "\"a,\"\n"] {
        assert_grows(commas, RECORDS, text, again(text));
        assert_grows(commas, RECORDS, text, after("id,text\n", text));
        assert_grows(tabs, RECORDS, text, again(&text.replace(',', "\t")));
    }
    for text in ["{}", "{\"text\":\"a\"}\n", "[", "{\"a\":", "[],", "1 ", "\""] {
        assert_grows(Input::Objects, RECORDS, text, again(text));
    }
    for (beginning, text) in [("[", "{},"), ("[", "{\"text\":\"a\"},"), ("{\"text\":\"", "\\n")] {
        assert_grows(Input::Objects, RECORDS, text, after(beginning, text));
    }
    let names = |length| numbered(|text, name| _ = write!(text, "\"a{name}\":1,"))(length);
    assert_grows(Input::Objects, RECORDS, "names", |length| {
        format!("{{{}\"a\":1}}", names(length))
    });
}

#[test]
fn sitemaps_cost_in_proportion() {
    for (beginning, text, end) in [
        ("<urlset>", "<url><loc>http://a/</loc></url>", "</urlset>"),
        ("<urlset><url>", "<a/>", "</url></urlset>"),
        ("<urlset>", "<a>", ""),
        ("<urlset>", "&#10;", "</urlset>"),
        ("<urlset>", "<a xmlns='b'/>", "</urlset>"),
        ("<urlset ", "a='b' ", "/>"),
        ("<urlset><url><loc>http://a", "/", "</loc></url></urlset>"),
        ("<!DOCTYPE a [<!ENTITY a 'b'>]><urlset>", "&a;", "</urlset>"),
        ("<urlset><!--", "<", "--></urlset>"),
    ] {
        let sitemap = |length| format!("{}{end}", after(beginning, text)(length));
        assert_grows(Input::Sitemap, SITEMAP, text, sitemap);
    }
    let names = numbered(|text, name| _ = write!(text, "<a xmlns:a{name}='b{name}'>"));
    assert_grows(Input::Sitemap, SITEMAP, "names", |length| format!("<urlset>{}", names(length)));
    assert_grows(Input::Sitemap, SITEMAP, "names around elements", |length| {
        let around: String = (0..31).map(|name| format!(" xmlns:a{name}='b{name}'")).collect();
        format!("<urlset{around}>{}</urlset>", "<a xmlns:b='c'/>".repeat(length / 16))
    });
}

#[test]
fn plain_text_costs_in_proportion() {
    let plain = Input::Page(PageFormat::Plain);
    for text in ["a\n", "a\n\n", "a ", "a. ", "\"", ". \"", "\u{a0}", "\n", "1 ", ".\u{300}"] {
        assert_grows(plain, PLAIN, text, again(text));
        assert_grows(plain, PLAIN, text, after("a.", text));
    }
}

// ---- the attacks that led to the limits

/// Checks that a page is refused, that the error names the limit, and that no more than so many times its length was
/// allocated.
fn assert_refused(format: PageFormat, text: &str, limit: &str, times: usize) {
    let cost = read(Input::Page(format), text);
    let said = cost.error.as_ref().map(ToString::to_string).unwrap_or_default();
    assert!(matches!(cost.error, Some(Error::Limit { .. })) && said.contains(limit), "{said}");
    assert!(cost.allocated <= times * text.len() + BUFFERS, "{} {said}", cost.allocated);
}

#[test]
fn formatting_elements_are_refused_before_they_fill_the_memory() {
    // 89 KB; each paragraph opens again all that the first one left open.
    let open = |count| (0..count).map(|number| format!("<b id={number}>")).collect::<String>();
    let page = format!("<p>{}{}", open(3_800), "</p><p>a".repeat(6_000));
    assert_refused(PageFormat::Html, &page, "512 levels", 200);
    let page = format!("<p>{}{}", open(450), "</p><p>a".repeat(11_600));
    assert_refused(PageFormat::Html, &page, "steps of the parser", 600);
    assert_refused(PageFormat::Markdown, &page, "steps of the parser", 600);
    assert_refused(PageFormat::Html, &"<b>".repeat(32_700), "512 levels", 10);
}

#[test]
fn deep_elements_are_refused_at_the_limit() {
    let page = "<div>".repeat(100_000);
    assert_refused(PageFormat::Html, &page, "512 levels", 10);
    assert_refused(PageFormat::Markdown, &page, "512 levels", 40);
}

#[test]
fn a_manual_and_a_deep_page_are_read() {
    let chapter = "<div class=chapter id=c><h2 id=h>La pluie</h2><p>Il <b>pleut</b> <a href=#a title=b>sur</a> \
                   les collines.</p><table><tr><td>un<td>deux</table><ul><li>a<li>b</ul></div>\n";
    let manual = chapter.repeat((4 << 20) / chapter.len());
    let [open, close] = ["<div>", "</div>"].map(|tag| tag.repeat(400));
    let deep = format!("{open}{}{close}", "<p>Il <b>pleut</b>.</p>".repeat(5_000));
    for text in [&manual, &deep] {
        let (format, bytes) = (PageFormat::Html, text.as_bytes());
        let languages = ["fr".to_owned()];
        let mut collection =
            Collection::new(Reading { languages: &languages, ..Reading::default() });
        collection.page(&Page { place: "a", format, bytes, changed: None }).unwrap();
        assert!(collection.finish().unwrap().documents.len() > 10);
    }
}
