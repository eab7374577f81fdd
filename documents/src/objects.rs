//! JSON of people: an object, a list of objects, or an object on each line.

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufRead, BufReader};

use serde::de::{self, Deserialize, Deserializer as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Deserializer, Map, Value};

use crate::document::Document;
use crate::error::Error;
use crate::json::string_or_number;
use crate::limits;
use crate::page::primary;
use crate::records::Limited;
use crate::refusal::Refusal;
use crate::tables::{Record, TITLE_CHARACTERS, id_of};
use crate::texts::beginning;

/// Calls `take` with each object that has a `text`. Returns the number of those without one. `place` is the name of the
/// file, with which ids begin.
///
/// # Errors
/// [`Refusal`]; as `take`.
pub fn read(
    place: &str,
    mut reader: impl BufRead,
    take: &mut dyn FnMut(Record) -> Result<(), Refusal>,
) -> Result<u64, Refusal> {
    let start = reader.fill_buf().map_err(Error::from)?;
    if start.starts_with("\u{feff}".as_bytes()) {
        reader.consume("\u{feff}".len());
    }
    let since_record = Cell::new(0);
    let reader = BufReader::new(Limited { reader, since_record: &since_record });
    let mut values = Deserializer::from_reader(reader);
    let mut objects =
        Objects { place, take, since_record: &since_record, records: 0, taken: 0, refusal: None };
    while values.end().is_err() {
        let read = values.deserialize_any(Top(&mut objects));
        if let Some(refusal) = objects.refusal.take() {
            return Err(refusal);
        }
        read.map_err(refusal)?;
    }
    if objects.taken == 0 { Err(Refusal::Empty) } else { Ok(objects.records - objects.taken) }
}

/// Objects as they are read.
struct Objects<'a> {
    place: &'a str,
    take: &'a mut dyn FnMut(Record) -> Result<(), Refusal>,
    since_record: &'a Cell<u64>,
    records: u64,
    taken: u64,
    /// Why the reading ended.
    refusal: Option<Refusal>,
}

impl Objects<'_> {
    fn add(&mut self, value: Value) -> Result<(), Refusal> {
        self.since_record.set(0);
        self.records += 1;
        let record = self.records;
        let found = match value {
            Value::Object(object) => return self.add_object(&object, record),
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
        };
        Err(Refusal::NotObject { record, found })
    }

    fn add_object(&mut self, object: &Map<String, Value>, record: u64) -> Result<(), Refusal> {
        let field = |name: &str| {
            let value = string_or_number(name, object.get(name));
            let value = value.map_err(|_| Refusal::NotText { record, name: name.to_owned() })?;
            Ok::<_, Refusal>(value.filter(|value| !value.trim().is_empty()))
        };
        let (id, title) = (field("id")?.or(field("url")?), field("title")?);
        let language = field("language")?.or(field("lang")?).as_deref().and_then(primary);
        let Some(text) = field("text")? else { return Ok(()) };
        self.taken += 1;
        let id = id_of(self.place, self.taken, id.as_deref());
        let title = title.unwrap_or_else(|| beginning(&text, TITLE_CHARACTERS));
        let document = Document { id, title, text, ..Document::default() };
        (self.take)(Record { document, language })
    }

    /// Adds a value of the file; what is wrong with it ends the reading.
    fn add_or_stop<E: de::Error>(&mut self, value: Value) -> Result<(), E> {
        self.add(value).map_err(|refusal| {
            let error = E::custom(&refusal);
            self.refusal = Some(refusal);
            error
        })
    }
}

/// A value that is no part of another one.
struct Top<'a, 'b>(&'a mut Objects<'b>);

impl<'de> Visitor<'de> for Top<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object or a list of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(value) = list.next_element()? {
            self.0.add_or_stop(value)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let object = Map::deserialize(de::value::MapAccessDeserializer::new(map))?;
        self.0.add_or_stop(Value::Object(object))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.0.add_or_stop(Value::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.0.add_or_stop(value.into())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.0.add_or_stop(value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        self.0.add_or_stop(value.into())
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        self.0.add_or_stop(value.into())
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.0.add_or_stop(Value::Null)
    }
}

fn refusal(error: serde_json::Error) -> Refusal {
    let line = error.line().max(1) as u64;
    if error.is_io() {
        let error = io::Error::from(error);
        return match error.kind() {
            io::ErrorKind::InvalidData => Refusal::TooLong { line, most: limits::PAGE_BYTES },
            _ => Refusal::Reader(error.into()),
        };
    }
    let text = error.to_string();
    if text.contains("invalid unicode code point") || text.contains("UTF-8") {
        return Refusal::NotUtf8 { line };
    }
    let problem = text.rsplit_once(" at line ").map_or(&*text, |(problem, _)| problem).to_owned();
    Refusal::NotJson { line, problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row = (String, String, String, Option<String>);

    fn rows(text: &[u8]) -> Result<(Vec<Row>, u64), Refusal> {
        let mut rows = Vec::new();
        let without = read("f", text, &mut |Record { document, language }| {
            rows.push((document.id, document.title, document.text, language));
            Ok(())
        })?;
        Ok((rows, without))
    }

    #[test]
    fn a_list_an_object_and_lines_of_objects_are_read_alike() {
        let first = r#"{"id":7,"title":"Salt","text":"Il sale.","lang":"it-IT","year":[1]}"#;
        let second = r#"{"text":"Il mare."}"#;
        let expected: [Row; 2] = [
            ("f#1 7".into(), "Salt".into(), "Il sale.".into(), Some("it".into())),
            ("f#2".into(), "Il mare.".into(), "Il mare.".into(), None),
        ];
        for text in [
            format!("[{first},\n{second}, {{}}]"),
            format!("\u{feff}{first}\n\n{second}\r\n{{\"text\":\" \"}}\n"),
            format!("[{first}] [{second}] {{\"text\":null}}"),
        ] {
            let (found, without) = rows(text.as_bytes()).unwrap();
            assert_eq!((&found[..], without), (&expected[..], 1), "{text}");
        }
    }

    #[test]
    fn what_is_no_object_with_a_text_is_refused() {
        for (text, code, line, record) in [
            ("", "empty", None, None),
            ("[]", "empty", None, None),
            ("[{}]", "empty", None, None),
            ("[{]", "not-json", Some(1), None),
            ("{\"text\":\"x\"}\n{\"text\":", "not-json", Some(2), None),
            ("[[1]]", "not-object", None, Some(1)),
            ("{\"text\":\"x\"}\n1", "not-object", None, Some(2)),
            ("\"x\"", "not-object", None, Some(1)),
            ("[{\"text\":\"x\"},{\"text\":[]}]", "not-text", None, Some(2)),
        ] {
            let refusal = rows(text.as_bytes()).unwrap_err();
            let found = (refusal.code(), refusal.line(), refusal.record());
            assert_eq!(found, (code, line, record), "{text}");
        }
        let broken = rows(b"{\"text\":\n\"caf\xe9\"}").unwrap_err();
        assert_eq!((broken.code(), broken.line()), ("not-utf8", Some(2)));
    }

    #[test]
    fn a_record_is_as_long_as_the_limit() {
        let most = limits::PAGE_BYTES as usize;
        // The reader's buffer may hold the beginning of the next record already.
        let text = |bytes: usize| format!("{{\"text\":\"{}\"}}", "a".repeat(bytes - 11));
        for (bytes, is_read) in [(most - 1, true), (most, true), (most + (1 << 16), false)] {
            assert_eq!(rows(text(bytes).as_bytes()).is_ok(), is_read, "{bytes}");
        }
        let many = format!("[{}{{}}]", (text(most / 2) + ",").repeat(3));
        assert_eq!(rows(many.as_bytes()).unwrap().0.len(), 3);
    }
}
