//! Wikitext -> text as it is read: without templates, tables, references, files and marks.
//!
//! Every step goes through the text once, and nesting is followed to a fixed depth, so that a hostile page
//! costs no more than a long one. What is opened and never closed is text.

use crate::limits::import::{MARKUP_DEPTH, TAG_BYTES};
use std::collections::HashSet;

/// Elements that are dropped with what is in them.
const DROPPED: [&str; 19] = [
    "ref",
    "references",
    "math",
    "chem",
    "ce",
    "gallery",
    "timeline",
    "syntaxhighlight",
    "source",
    "score",
    "imagemap",
    "hiero",
    "mapframe",
    "maplink",
    "graph",
    "templatestyles",
    "style",
    "includeonly",
    "inputbox",
];
/// Elements at which a line ends.
const BREAKS: [&str; 9] = ["p", "div", "li", "ul", "ol", "table", "tr", "blockquote", "br"];
/// Templates of disambiguation pages, besides those whose name ends with "disambiguation".
const DISAMBIGUATION: [&str; 42] = [
    "disambig",
    "disamb",
    "dab",
    "hndis",
    "geodis",
    "maana",
    "homonymie",
    "homonymes",
    "disambigua",
    "desambiguación",
    "desambiguacion",
    "desambig",
    "desambiguação",
    "desambiguació",
    "paglilinaw",
    "begriffsklärung",
    "dp",
    "doorverwijspagina",
    "ujednoznacznienie",
    "förgrening",
    "gren",
    "неоднозначность",
    "многозначность",
    "багатозначність",
    "пояснение",
    "aimai",
    "曖昧さ回避",
    "消歧义",
    "消歧義",
    "توضيح",
    "ابهام‌زدایی",
    "anlam ayrımı",
    "동음이의",
    "rozcestník",
    "täsmennyssivu",
    "egyért",
    "disambiguasi",
    "trang định hướng",
    "dezambiguizare",
    "flertydig",
    "pekerside",
    "פירושונים",
];

/// Whether a page says of itself that it is a disambiguation page; `more` are templates that say so too,
/// in small letters.
pub fn is_disambiguation(text: &str, more: &[String]) -> bool {
    if text.contains("__DISAMBIG__") {
        return true;
    }
    text.match_indices("{{").any(|(at, _)| {
        let rest = &text[at + 2..];
        let end = rest.bytes().take(100).position(|byte| matches!(byte, b'|' | b'}' | b'<'));
        let Some(end) = end else { return false };
        let name = rest[..end].replace('_', " ").trim().to_lowercase();
        DISAMBIGUATION.contains(&&name[..])
            || name.ends_with("disambiguation")
            || more.contains(&name)
    })
}

/// The text of a page, a paragraph a line; links whose prefix (in small letters) is among `dropped` are
/// left out.
pub fn plain(wikitext: &str, dropped: &[String]) -> String {
    let text = without_tags(wikitext);
    let marks = marks(&text);
    let mut rendered = String::with_capacity(text.len() / 2);
    let page = Page { text: &text, marks: &marks, dropped };
    page.render(0, text.len(), 0, 0, &mut rendered);
    lines(&rendered)
}

/// Drops comments, and tags with what they hold where that is no text.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut unclosed = HashSet::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        let Some((name, is_end, length)) = tag(rest) else {
            out.push('<');
            rest = &rest[1..];
            continue;
        };
        let is_whole = rest[..length].ends_with("/>");
        rest = &rest[length..];
        if BREAKS.contains(&&name[..]) {
            out.push('\n');
        }
        if !is_end && !is_whole && DROPPED.contains(&&name[..]) && !unclosed.contains(&name) {
            match closing(rest, &name) {
                Some(end) => rest = &rest[end..],
                // Looked for once only.
                None => {
                    unclosed.insert(name);
                }
            }
        }
    }
    out.push_str(rest);
    out
}

/// The name, in small letters, and the length of the tag that a text begins with, and whether it ends an
/// element.
fn tag(text: &str) -> Option<(String, bool, usize)> {
    let bytes = text.as_bytes();
    let is_end = bytes.get(1) == Some(&b'/');
    let start = if is_end { 2 } else { 1 };
    let letters = bytes[start..].iter().take(20).take_while(|byte| byte.is_ascii_alphanumeric());
    let name = text[start..start + letters.count()].to_ascii_lowercase();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let end =
        bytes.iter().take(TAG_BYTES).skip(1).position(|&byte| byte == b'>' || byte == b'<')?;
    (bytes[end + 1] == b'>').then_some((name, is_end, end + 2))
}

/// Where, after the tag that ends an element, the text goes on.
fn closing(text: &str, name: &str) -> Option<usize> {
    for (at, _) in text.match_indices("</") {
        let rest = &text.as_bytes()[at + 2..];
        if rest.len() >= name.len() && rest[..name.len()].eq_ignore_ascii_case(name.as_bytes()) {
            let after = at + 2 + name.len();
            let end = text.as_bytes()[after..].iter().take(TAG_BYTES).position(|&b| b == b'>');
            if let Some(end) = end {
                return Some(after + end + 1);
            }
        }
    }
    None
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Template,
    Table,
    Link,
    End,
}

/// Two characters that open or close something, and the place among the marks of what closes it.
#[derive(Debug)]
struct Mark {
    at: usize,
    kind: Kind,
    end: Option<usize>,
}

/// All marks of a text, each opening one with the one that closes it. What is open within something that
/// is closed is never closed itself.
fn marks(text: &str) -> Vec<Mark> {
    let bytes = text.as_bytes();
    let mut marks: Vec<Mark> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    // How many of each kind are open: what is not is not looked for.
    let mut count = [0usize; 3];
    let mut at = 0;
    let mut line_begins = true;
    while at + 1 < bytes.len() {
        let is_table = open.last().is_some_and(|&mark| marks[mark].kind == Kind::Table);
        let found = match &bytes[at..at + 2] {
            b"{{" => Some((Kind::Template, false)),
            b"}}" => Some((Kind::Template, true)),
            b"[[" => Some((Kind::Link, false)),
            b"]]" => Some((Kind::Link, true)),
            b"{|" if line_begins => Some((Kind::Table, false)),
            // "|}}" at a line's beginning ends a template, unless a table is open in it.
            b"|}" if line_begins && (is_table || bytes.get(at + 2) != Some(&b'}')) => {
                Some((Kind::Table, true))
            }
            _ => None,
        };
        let Some((kind, closes)) = found else {
            let space = matches!(bytes[at], b' ' | b'\t' | b':');
            line_begins = bytes[at] == b'\n' || line_begins && space;
            at += 1;
            continue;
        };
        line_begins = false;
        let place = marks.len();
        if !closes {
            open.push(place);
            count[kind as usize] += 1;
            marks.push(Mark { at, kind, end: None });
        } else {
            while count[kind as usize] > 0
                && let Some(opened) = open.pop()
            {
                count[marks[opened].kind as usize] -= 1;
                if marks[opened].kind == kind {
                    marks[opened].end = Some(place);
                    break;
                }
            }
            marks.push(Mark { at, kind: Kind::End, end: None });
        }
        at += 2;
    }
    marks
}

struct Page<'a> {
    text: &'a str,
    marks: &'a [Mark],
    dropped: &'a [String],
}

impl Page<'_> {
    /// Appends what is read from `at` to `end`; `mark` is the first mark there.
    fn render(&self, mut at: usize, end: usize, mut mark: usize, depth: usize, out: &mut String) {
        if depth > MARKUP_DEPTH {
            return;
        }
        while let Some(next) = self.marks.get(mark).filter(|next| next.at < end) {
            out.push_str(&self.text[at..next.at]);
            let Some(closing) = next.end else {
                // What is never closed, or closes nothing, is no text.
                at = next.at + 2;
                mark += 1;
                continue;
            };
            let inner = next.at + 2..self.marks[closing].at;
            let parts = self.parts(inner.start, inner.end, mark + 1);
            match next.kind {
                Kind::Template => self.template(&parts, depth, out),
                Kind::Link => self.link(&parts, depth, out),
                Kind::Table | Kind::End => out.push('\n'),
            }
            at = self.marks[closing].at + 2;
            mark = closing + 1;
        }
        if at < end {
            out.push_str(&self.text[at..end]);
        }
    }

    /// The first parts between bars that are in nothing else, each with its first mark.
    fn parts(&self, start: usize, end: usize, mut mark: usize) -> Vec<(usize, usize, usize)> {
        let mut parts = Vec::new();
        let (mut part, mut first, mut at) = (start, mark, start);
        while at < end && parts.len() < 16 {
            match self.marks.get(mark).filter(|next| next.at == at) {
                Some(Mark { end: Some(closing), .. }) => {
                    at = self.marks[*closing].at + 2;
                    mark = closing + 1;
                }
                Some(_) => {
                    at += 2;
                    mark += 1;
                }
                None => {
                    if self.text.as_bytes()[at] == b'|' {
                        parts.push((part, at, first));
                        (part, first) = (at + 1, mark);
                    }
                    at += 1;
                }
            }
        }
        parts.push((part, end, first));
        parts
    }

    /// Of templates only those are text that say how a text is written; the rest is data.
    fn template(&self, parts: &[(usize, usize, usize)], depth: usize, out: &mut String) {
        let Some((name, values)) = parts.split_first() else { return };
        let wanted = match &self.text[name.0..name.1].trim().to_lowercase()[..] {
            "nowrap" | "nobr" => 0..1,
            "lang" => 1..2,
            "convert" | "cvt" => 0..2,
            _ => return,
        };
        let values = values.iter().filter(|value| !self.text[value.0..value.1].contains('='));
        for (number, &(start, end, mark)) in values.enumerate() {
            if wanted.contains(&number) {
                if number > wanted.start {
                    out.push(' ');
                }
                self.render(start, end, mark, depth + 1, out);
            }
        }
    }

    /// What a link shows.
    fn link(&self, parts: &[(usize, usize, usize)], depth: usize, out: &mut String) {
        let (Some(&(start, end, _)), Some(&shown)) =
            (parts.first(), parts.get(1).or(parts.first()))
        else {
            return;
        };
        let target = self.text[start..end].trim();
        if let Some((prefix, _)) = target.split_once(':') {
            let prefix = prefix.trim().to_lowercase();
            let is_language = (2..=12).contains(&prefix.len())
                && prefix.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
            let is_own = self.text[start..end].trim_start().starts_with(is_small);
            // [[de:Titel]] is the page in another language, which shows nothing.
            if self.dropped.contains(&prefix) || parts.len() == 1 && is_language && is_own {
                return;
            }
        }
        match parts.len() {
            1 => out.push_str(target.strip_prefix(':').unwrap_or(target)),
            _ => self.render(shown.0, shown.1, shown.2, depth + 1, out),
        }
    }
}

fn is_small(letter: char) -> bool {
    letter.is_ascii_lowercase()
}

/// Drops headings, rows of tables, and marks of lists and of letters; puts each line's spaces in order.
fn lines(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = line.trim();
        let is_heading = line.starts_with('=') && line.ends_with('=') && line.len() > 2;
        let is_note = line.starts_with(':') && line.contains("''");
        if is_heading || is_note || line.starts_with(['|', '!']) || line.starts_with("----") {
            continue;
        }
        let line = line.trim_start_matches(['*', '#', ';', ':']);
        let line = entities(&without_addresses(line)).replace("''", "\u{1}");
        // Three marks in a row are two and one, five are two, two and one.
        let line = line.replace("\u{1}'", "").replace('\u{1}', "");
        let line = without_empty_brackets(&without_magic_words(&line));
        let mut words = line.split_whitespace().peekable();
        if words.peek().is_none() {
            continue;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        for (number, word) in words.enumerate() {
            if number > 0 {
                out.push(' ');
            }
            out.push_str(word);
        }
    }
    out
}

/// `[http://x label]` becomes its label.
fn without_addresses(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('[') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let is_address =
            ["http:", "https:", "ftp:", "mailto:", "//"].iter().any(|s| after.starts_with(s));
        let end = if is_address { after.find(']') } else { None };
        match end {
            Some(end) => {
                out.push_str(after[..end].split_once(' ').map_or("", |(_, label)| label));
                rest = &after[end + 1..];
            }
            None => {
                // Without an end there is none for the others either.
                if is_address {
                    out.push_str(after);
                    return out;
                }
                out.push('[');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Drops `__TOC__` and its like.
fn without_magic_words(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("__") {
        let after = &rest[at + 2..];
        let letters: usize =
            after.chars().take(40).take_while(|c| c.is_uppercase()).map(char::len_utf8).sum();
        out.push_str(&rest[..at]);
        if letters > 0 && after[letters..].starts_with("__") {
            rest = &after[letters + 2..];
        } else {
            out.push_str("__");
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// `&nbsp;` and its like, by name and by number.
fn entities(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        match end.and_then(|end| Some((end, entity(&rest[1..end])?))) {
            Some((end, char)) => {
                out.push(char);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
            None => number.parse(),
        };
        return char::from_u32(code.ok()?).filter(|char| !char.is_control());
    }
    Some(match name {
        "nbsp" | "thinsp" | "ensp" | "emsp" => ' ',
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "ndash" => '–',
        "mdash" => '—',
        "minus" => '−',
        "times" => '×',
        "deg" => '°',
        "middot" => '·',
        "hellip" => '…',
        "lsquo" => '‘',
        "rsquo" => '’',
        "ldquo" => '“',
        "rdquo" => '”',
        "laquo" => '«',
        "raquo" => '»',
        "eacute" => 'é',
        "egrave" => 'è',
        "agrave" => 'à',
        "ccedil" => 'ç',
        "ouml" => 'ö',
        "uuml" => 'ü',
        "auml" => 'ä',
        _ => return None,
    })
}

/// Drops brackets in which what was written is gone, and what it left at their beginning.
fn without_empty_brackets(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    let left = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '/' | '–');
    while let Some(at) = rest.find('(') {
        out.push_str(&rest[..at]);
        rest = rest[at + 1..].trim_start_matches(left);
        match rest.strip_prefix(')') {
            Some(after) => {
                rest = after;
                if after.starts_with([',', '.', ';', ':']) {
                    out.truncate(out.trim_end().len());
                }
            }
            None => out.push('('),
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain_of(text: &str) -> String {
        plain(text, &["file".into(), "category".into(), "faili".into()])
    }

    #[test]
    fn links_are_followed_so_deep_and_a_longer_tag_is_text() {
        for depth in [MARKUP_DEPTH - 1, MARKUP_DEPTH, MARKUP_DEPTH + 1] {
            let nested = format!("{}rain{}", "[[a|".repeat(depth), "]]".repeat(depth));
            assert_eq!(plain_of(&nested) == "rain", depth <= MARKUP_DEPTH, "{depth}");
        }
        for length in [TAG_BYTES - 1, TAG_BYTES, TAG_BYTES + 1] {
            let tag = format!("<b{}>", " ".repeat(length - "<b>".len()));
            assert_eq!(plain_of(&format!("{tag}rain")) == "rain", length <= TAG_BYTES, "{length}");
        }
    }

    #[test]
    fn what_is_read_stays_and_what_is_not_goes() {
        for (wikitext, expected) in [
            ("{{Infobox|a={{b|{{c}}}}|d=[[e]]}}'''Rain''' falls.", "Rain falls."),
            (
                "Rain<ref name=x>a [[b]]</ref> falls<ref name=\"x\" />.<!-- not {{this -->",
                "Rain falls.",
            ),
            ("[[File:x.png|thumb|A [[river|stream]] in {{y}}]]Rain", "Rain"),
            ("[[Faili:x.png]] [[Category:Weather]]Rain [[de:Regen]]", "Rain"),
            ("[[rain|Rainfall]] in [[May]], [[:Category:Weather|all]]", "Rainfall in May, all"),
            ("{| class=x\n|-\n| {{a|}} || b\n{|\n| c\n|}\n|}\nRain", "Rain"),
            ("{{a\n|b=c\n|}}Rain", "Rain"),
            ("== Weather ==\n* one\n* two ''three''\n'''''four'''''", "one\ntwo three\nfour"),
            ("[https://x.org/a the site] and [https://x.org] a [note]", "the site and a [note]"),
            (
                "1990&ndash;2000&nbsp;AD &amp;c &#233; &bogus; __NOTOC__ a__b",
                "1990–2000 AD &c é &bogus; a__b",
            ),
            ("Nairobi ({{IPA|x}}; {{lang|sw|Jiji}}) is ({{y}}), big", "Nairobi (Jiji) is, big"),
            ("It is {{convert|5|km|mi|abbr=on}} {{nowrap|by road}}.", "It is 5 km by road."),
            ("a<br/>b<math>x<y</math>c < d", "a\nbc < d"),
            ("<nowiki>x</nowiki> <span style=\"a\">y</span>", "x y"),
            (":''For the film, see [[Rain (film)]].''\nRain", "Rain"),
            // What is never closed costs only its own marks.
            ("{{a [[b]] c", "a b c"),
            ("a ]] b }} c", "a b c"),
            ("<ref>a", "a"),
            ("<!-- a", ""),
            ("[[a|b {{c]] d}} e", "b c d e"),
            ("", ""),
        ] {
            assert_eq!(plain_of(wikitext), expected, "{wikitext}");
        }
    }

    #[test]
    fn hostile_pages_cost_no_more_than_long_ones() {
        let count = 200_000;
        let pages = [
            "{{".repeat(count),
            "[[".repeat(count),
            "{{".repeat(count) + &"}}".repeat(count),
            "[[a|".repeat(count) + &"]]".repeat(count),
            "<ref>".repeat(count),
            "<!--".repeat(count),
            "<a".repeat(count),
            "\n{|".repeat(count),
            "[http:".repeat(count),
            "{{[[".repeat(count) + &"]]}}".repeat(count),
            "{{lang|a|".repeat(count) + &"}}".repeat(count),
            "{{}".repeat(count),
            "&amp".repeat(count),
            "(".repeat(count),
            "__A".repeat(count),
            "</ref".repeat(count) + "<ref>",
            "<ref>".to_owned() + &"</re".repeat(count),
        ];
        for page in pages {
            let begun = std::time::Instant::now();
            let text = plain_of(&page);
            is_disambiguation(&page, &[]);
            let took = begun.elapsed().as_secs_f64();
            assert!(took < 5.0, "{}: {took} s", &page[..10]);
            assert!(text.len() <= page.len());
        }
    }

    #[test]
    fn disambiguation_pages_say_so() {
        for page in
            ["x\n{{Disambig}}", "{{ maana }}", "{{Human name disambiguation|a}}", "__DISAMBIG__"]
        {
            assert!(is_disambiguation(page, &[]), "{page}");
        }
        for page in ["disambig", "{{Disambiguation needed|x}}", "{{maanani}}", "{{x|disambig}}"] {
            assert!(!is_disambiguation(page, &[]), "{page}");
        }
        assert!(is_disambiguation("{{Tofauti}}", &["tofauti".into()]));
    }
}
