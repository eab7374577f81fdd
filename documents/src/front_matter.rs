//! What stands before a page of Markdown: YAML between lines of `---`, TOML between lines of `+++`.

use pulldown_cmark::{Event, MetadataBlockKind, Options, Parser, Tag};
use serde_json::{Map, Value};
use serde_saphyr::budget::BudgetBreach;

use crate::error::Error;
use crate::fields::{Fields, Wanted, one_line};
use crate::limits;

/// What is between the lines, and of which kind.
pub type Block<'a> = (MetadataBlockKind, &'a str);

/// Front matter, where a page begins with it, and the rest. Further down the same lines are rules.
pub fn split(text: &str) -> (Option<Block<'_>>, &str) {
    if !text.starts_with("---") && !text.starts_with("+++") {
        return (None, text);
    }
    let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    let mut events = Parser::new_ext(text, options).into_offset_iter();
    let Some((Event::Start(Tag::MetadataBlock(kind)), whole)) = events.next() else {
        return (None, text);
    };
    let lines = events.take_while(|(event, _)| matches!(event, Event::Text(_)));
    let block = lines.map(|(_, line)| line).reduce(|all, line| all.start..line.end);
    (Some((kind, &text[block.unwrap_or_default()])), &text[whole.end..])
}

/// What front matter says of its page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Its title.
    pub title: Option<String>,
    /// Its language: `language`, `lang` or `locale`.
    pub language: Option<String>,
}

/// Adds the fields that are asked for, and gives the title and the language. Where no field is asked for, what cannot be
/// read is no error.
///
/// # Errors
/// [`Error::Whole`], and [`Error::Limit`] if YAML repeats too much by its aliases.
pub fn read(
    block: Block<'_>,
    wanted: &mut Wanted<'_>,
    fields: &mut Fields,
) -> Result<Metadata, Error> {
    let entries = match entries(block) {
        Ok(entries) => entries,
        Err(_) if wanted.is_empty() => {
            return Ok(Metadata { title: title_line(block.1), language: None });
        }
        Err(error) => return Err(error),
    };
    let add = |(name, value): (&String, &Value)| wanted.add_json(fields, name, value);
    entries.iter().try_for_each(add).map_err(Error::Whole)?;
    let text = |name: &str| match entries.get(name) {
        Some(Value::String(text)) => one_line(text),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let language = ["language", "lang", "locale"].into_iter().find_map(text);
    Ok(Metadata { title: text("title"), language })
}

fn entries((kind, text): Block<'_>) -> Result<Map<String, Value>, Error> {
    // The line of `---` comes before.
    let at = |line: usize, problem: &str| {
        Error::Whole(format!("the front matter, line {}: {problem}", line + 1))
    };
    match kind {
        MetadataBlockKind::YamlStyle if text.trim().is_empty() => Ok(Map::new()),
        MetadataBlockKind::YamlStyle => yaml(text).map_err(|error| {
            if let Some((what, most)) = exceeded(&error) {
                let remedy = "shorten it or use fewer aliases";
                return Error::Limit { what, most: most as u64, remedy };
            }
            let line = error.location().map_or(1, |place| place.line() as usize);
            // What follows shows the place.
            let told = error.to_string();
            let first = told.lines().next().unwrap_or_default();
            at(line, first.split_once(": ").map_or(first, |(_, problem)| problem))
        }),
        MetadataBlockKind::PlusesStyle => match text.parse::<toml::Table>() {
            Ok(table) => Ok(table.into_iter().map(|(name, value)| (name, plain(value))).collect()),
            Err(error) => {
                let before = error.span().and_then(|place| text.get(..place.start));
                let line = before.unwrap_or_default().matches('\n').count() + 1;
                Err(at(line, error.message()))
            }
        },
    }
}

fn yaml(text: &str) -> Result<Map<String, Value>, serde_saphyr::Error> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_nodes: limits::YAML_VALUES,
            max_total_scalar_bytes: limits::YAML_BYTES,
        },
    };
    serde_saphyr::from_str_with_options(text, options)
}

/// The limit that is exceeded, if one is.
fn exceeded(error: &serde_saphyr::Error) -> Option<(&'static str, usize)> {
    use serde_saphyr::Error::{AliasError, Budget, WithSnippet};
    match error {
        AliasError { error, .. } | WithSnippet { error, .. } => exceeded(error),
        Budget { breach: BudgetBreach::ScalarBytes { .. }, .. } => {
            Some(("bytes of values in front matter, aliases written out", limits::YAML_BYTES))
        }
        Budget { breach: BudgetBreach::Nodes { .. }, .. } => {
            Some(("values in front matter, aliases written out", limits::YAML_VALUES))
        }
        _ => None,
    }
}

/// Dates as their text.
fn plain(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => number.into(),
        toml::Value::Boolean(is) => is.into(),
        toml::Value::Datetime(date) => date.to_string().into(),
        toml::Value::Array(values) => values.into_iter().map(plain).collect(),
        toml::Value::Table(_) => Value::Object(Map::new()),
    }
}

/// What stands after `title:` (or `title =`) on a line of its own, without quotes.
fn title_line(text: &str) -> Option<String> {
    let value = |line: &str| {
        let rest = line.strip_prefix("title")?.trim_start();
        let value = rest.strip_prefix([':', '='])?.trim();
        let bare = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
        Some(bare('"').or(bare('\'')).unwrap_or(value).to_owned())
    };
    text.lines().find_map(value).filter(|title| !title.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(page: &str) -> Option<String> {
        let (block, _) = split(page);
        read(block.unwrap(), &mut Wanted::new(&[]), &mut Fields::new()).unwrap().title
    }

    #[test]
    fn a_title_is_read_as_yaml_and_toml_have_it() {
        for (front, expected) in [
            ("---\ntitle: 'L\'\'histoire'\n---\n", "L'histoire"),
            ("---\ntitle: \"La \\\"pluie\\\"\"\n---\n", "La \"pluie\""),
            ("---\ntags: [a]\ntitle: >-\n  Un\n  titre\n---\n", "Un titre"),
            ("---\r\ntitle: Pluie # note\r\n---\r\n", "Pluie"),
            ("---\n\"title\": 1984\n---\n", "1984"),
            ("+++\ntitle = \"Neige\" # note\n+++\n", "Neige"),
            // No YAML, but plain enough.
            ("---\ntitle: \"Rain: a: story\"\nother: [\n---\n", "Rain: a: story"),
        ] {
            assert_eq!(title(front).as_deref(), Some(expected), "{front}");
        }
        assert_eq!(title("---\ntitle:\n---\n"), None);
    }

    #[test]
    fn only_what_a_page_begins_with_is_front_matter() {
        let page = "---\na: 1\n---\n# Rain\n\n---\nfalls\n\n---\n";
        let (block, rest) = split(page);
        assert_eq!(block.unwrap().1.trim(), "a: 1");
        assert_eq!(rest, "\n# Rain\n\n---\nfalls\n\n---\n");
        for page in ["# Rain\n\n---\na: 1\n---\n", "---\n\nrain\n\n---\n", "---", "+++ a", ""] {
            assert_eq!(split(page), (None, page));
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line_in_the_file() {
        let wanted = ["tags".to_owned()];
        for page in ["---\na: 1\nb: *none\n---\n", "+++\na = 1\nb = \n+++\n"] {
            let block = split(page).0.unwrap();
            let error = read(block, &mut Wanted::new(&wanted), &mut Fields::new()).unwrap_err();
            let problem = error.to_string();
            assert!(problem.starts_with("the front matter, line 3: "), "{problem}");
        }
    }

    #[test]
    fn aliases_repeat_a_limited_number_of_bytes_and_values() {
        let wanted = ["b".to_owned()];
        let values = |count: usize| {
            // The two names, both lists and what is around them count, and where it is needed a further list.
            let again = if count.is_multiple_of(2) { "[*a]" } else { "*a" };
            let page = format!("---\na: &a [{}]\nb: {again}\n---\n", "1,".repeat((count - 5) / 2));
            let (block, mut fields) = (split(&page).0.unwrap(), Fields::new());
            read(block, &mut Wanted::new(&["c".to_owned()]), &mut fields)
        };
        for count in [limits::YAML_VALUES - 1, limits::YAML_VALUES] {
            assert!(values(count).is_ok(), "{count}");
        }
        let error = values(limits::YAML_VALUES + 1).unwrap_err().to_string();
        assert!(error.starts_with("more than 10000 values in front matter"), "{error}");
        let bytes = |count: usize| {
            // Two names of a byte, and a value twice.
            let value = "v".repeat((count - 2) / 2);
            let page = format!("---\na: &a {value}\nb: *a\n---\n");
            let mut fields = Fields::new();
            read(split(&page).0.unwrap(), &mut Wanted::new(&wanted), &mut fields).map(|_| fields)
        };
        for count in [limits::YAML_BYTES - 2, limits::YAML_BYTES] {
            assert_eq!(bytes(count).unwrap().len(), 1, "{count}");
        }
        let error = bytes(limits::YAML_BYTES + 2).unwrap_err().to_string();
        assert!(error.starts_with("more than 1048576 bytes of values in front matter"), "{error}");
    }
}
