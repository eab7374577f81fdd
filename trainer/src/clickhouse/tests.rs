//! What is sent to a server, told by one that only writes it down.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use percent_encoding::percent_decode_str;
use smooth_clir::encoder::{Encoder, Network, Precision, Table};
use smooth_clir::engine::{Engine, Search};
use smooth_clir::index::{Document, Index};
use smooth_clir::lexical::translation::{Entry, Translations};
use smooth_clir::model::calibration::Calibration;
use smooth_clir::model::{Config, Model};
use smooth_clir::text::vocabulary::Vocabulary;

use super::name::Name;
use super::rows::{Batch, push_length};
use super::{Clickhouse, Cluster, Documents, best, export};

/// What ends a string, an identifier and a statement, and asks for a parameter.
const HOSTILE: &str = "x' OR \"1\"`; DROP TABLE t --\\ {a:String} /*";

fn model() -> Model {
    let encoder = |word: &str| {
        let vocabulary = Vocabulary::from_tokens([word]).unwrap();
        Encoder::new(vocabulary, Network::Average(Table::new(2, vec![1.0, 0.5]).into()))
    };
    let calibration = Calibration { dense: 0.25, lexical: 0.5, norms: [1.0; 2], deep: None };
    Model {
        config: Config {
            encoder: "average".into(),
            dimension: 2,
            epsilon: 0.5,
            thresholds: vec![0.1],
            languages: vec![HOSTILE.into()],
            subwords: 0,
            calibration: [(HOSTILE.to_owned(), calibration)].into(),
            probability: Default::default(),
            packs: Vec::new(),
        },
        provenance: "{}".into(),
        space: HOSTILE.into(),
        query: Some(encoder("rain")),
        documents: [(HOSTILE.to_owned(), encoder("pluie"))].into(),
        translations: [(HOSTILE.to_owned(), Arc::new(translations()))].into(),
        deep: None,
    }
}

fn translations() -> Translations {
    let entry = |document| Entry { query: "rain", document, strength: 0.5 };
    let [query, document] = ["rain", "pluie"].map(|word| Vocabulary::from_tokens([word]).unwrap());
    Translations::new(&[entry("pluie"), entry(HOSTILE)], &query, &document).unwrap()
}

/// The name of "pluie": sha256 of two bytes that are 0 and the word, in Python.
const PLUIE: u64 = 9_821_595_962_675_983_276;

/// An index with it in each text that an index has. A reader would refuse the model's name.
fn index() -> Index {
    let fields = [(HOSTILE.to_owned(), HOSTILE.to_owned())];
    let [language, title] = [HOSTILE; 2];
    let document = |id, text| Document { id, language, title, text, fields: &fields, section: "" };
    let documents = [document("1", "pluie"), document(HOSTILE, "pluie '; DROP")];
    Index::build(&model(), documents, Precision::F32).unwrap()
}

/// A request: its statement, and what else is in its body.
#[derive(Clone)]
struct Sent {
    statement: String,
    rows: Vec<u8>,
}

/// A server that answers by what is in a statement.
struct Server {
    address: String,
    sent: Arc<Mutex<Vec<Sent>>>,
}

impl Server {
    fn start(answer: impl Fn(&[Sent]) -> Vec<u8> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let sent: Arc<Mutex<Vec<Sent>>> = Arc::default();
        let list = Arc::clone(&sent);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let request = request(&stream);
                let mut list = list.lock().unwrap();
                list.push(request);
                let body = answer(&list);
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n", body.len());
                stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes()).unwrap();
                stream.write_all(&body).unwrap();
            }
        });
        Self { address, sent }
    }

    fn cluster(&self, cluster: Option<&str>) -> Cluster {
        let name = |text: &str| Name::new(text).unwrap();
        let options = Clickhouse {
            database: name("smooth_clir"),
            table: name("documents"),
            cluster: cluster.map(name),
            connect_timeout: 5,
            timeout: 5,
        };
        Cluster::find(std::slice::from_ref(&self.address), &options).unwrap()
    }

    fn sent(&self) -> Vec<Sent> {
        self.sent.lock().unwrap().clone()
    }
}

fn request(stream: &TcpStream) -> Sent {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let address = line.split(' ').nth(1).unwrap().to_owned();
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let query = address.split(['?', '&']).find_map(|pair| pair.strip_prefix("query="));
    match query {
        Some(query) => {
            let query = query.replace('+', " ");
            let statement = percent_decode_str(&query).decode_utf8().unwrap();
            Sent { statement: statement.into_owned(), rows: body }
        }
        None => Sent { statement: String::from_utf8(body).unwrap(), rows: Vec::new() },
    }
}

/// No statement has anything of what an index holds.
fn no_statement_is_hostile(sent: &[Sent]) {
    assert!(!sent.is_empty());
    for Sent { statement, .. } in sent {
        for part in ["DROP TABLE t", ";", "\"", "--", "\\", "{a", "/*", "x'", " OR "] {
            assert!(!statement.contains(part), "{part:?} in {statement}");
        }
    }
}

#[test]
fn an_export_sends_text_as_rows_and_never_in_a_statement() {
    let indexes = [index()];
    let documents = Documents::new(&indexes, 0.5).unwrap();
    let of_batch = |number, batch: Batch| format!("{number}\t{}\t{}\t0\n", batch.rows, batch.sum);
    let (number, batch) = documents.of_shard(0, 1).next().unwrap();
    let of_documents = of_batch(number as u64, batch);
    let of_words = documents.words().of_shard(0, 1);
    let of_words = of_batch(0, of_words[&0]);
    let server = Server::start(move |sent| {
        let statement = &sent.last().unwrap().statement;
        let is_filled = |table: &str| {
            statement.contains(table)
                && sent.iter().any(|sent| sent.statement.contains(table) && !sent.rows.is_empty())
        };
        match &**statement {
            statement if statement.contains("GROUP BY batch") => match is_filled("_w1of1") {
                true => of_words.clone().into_bytes(),
                false if is_filled("_s1of1") => of_documents.clone().into_bytes(),
                false => Vec::new(),
            },
            statement if statement.contains("max(number)") => b"41\n".to_vec(),
            statement if statement.contains("system.tables") => {
                b"documents_v0123456789abcdef_s1of1\n".to_vec()
            }
            _ => Vec::new(),
        }
    });
    let done = export(&server.cluster(None), &documents, true).unwrap();
    assert_eq!((done.sent, done.there, done.dropped), (2, 0, 1));
    let sent = server.sent();
    no_statement_is_hostile(&sent);
    let row = sent.iter().find(|request| request.rows.starts_with(&42u64.to_le_bytes())).unwrap();
    assert_eq!(row.statement, "INSERT INTO `smooth_clir`.`documents` FORMAT RowBinary");
    let mut expected = 42u64.to_le_bytes().to_vec();
    for text in [&*documents.version().to_string(), HOSTILE] {
        push_length(&mut expected, text.len());
        expected.extend(text.as_bytes());
    }
    expected.extend(0.5f32.to_le_bytes());
    expected
        .extend([2u64.to_le_bytes().as_slice(), &2u32.to_le_bytes(), &1u32.to_le_bytes()].concat());
    assert_eq!(row.rows, expected);
    // The words of the two documents, of which "pluie" is one: sha256 of 0, 0 and it, in Python.
    let words = sent
        .iter()
        .find(|request| request.statement.contains("_w1of1") && !request.rows.is_empty());
    let (rows, rest) = words.unwrap().rows.as_chunks::<28>();
    assert!(rest.is_empty());
    let pluie = rows.iter().filter(|row| row.starts_with(&PLUIE.to_le_bytes()));
    let ids: Vec<u8> = pluie.map(|row| row[8]).collect();
    assert_eq!(ids, [0, 1]);
    let [_, second] = [0, 1].map(|id| {
        rows.iter().find(|row| row.starts_with(&PLUIE.to_le_bytes()) && row[8] == id).unwrap()
    });
    // Document, batch, how often, and as many words as its text has.
    let numbers = [1, 0, 0, 1, 2];
    let expected: Vec<u8> = numbers.iter().flat_map(|number: &u32| number.to_le_bytes()).collect();
    assert_eq!(second[8..], expected);
    // The name of another version's table is dropped as a name, or not at all.
    assert!(sent.iter().any(|request| {
        request.statement
            == "DROP TABLE IF EXISTS `smooth_clir`.`documents_v0123456789abcdef_s1of1`"
    }));
}

#[test]
fn a_search_puts_nothing_of_a_model_into_a_statement() {
    let engine = {
        let mut engine = Engine::new(model()).unwrap();
        engine.add(index()).unwrap();
        engine
    };
    let documents = Documents::new(engine.indexes(), 0.5).unwrap();
    let counts = [documents.len() as u64, documents.words().count(0, 1)];
    let server = Server::start(move |sent| match &*sent.last().unwrap().statement {
        statement if statement.contains("RowBinary") => {
            let count = |(number, count): (u8, u64)| {
                [&[number][..], &count.to_le_bytes(), &0f64.to_le_bytes()].concat()
            };
            (1..).zip(counts).flat_map(count).collect()
        }
        statement if statement.contains("system.clusters") => b"1\t127.0.0.1\n".to_vec(),
        _ => b"1\n".to_vec(),
    });
    let query = format!("rain {HOSTILE}");
    let mut encoded = engine.encode_query(&query).unwrap();
    let search = Search { query: &query, language: Some(HOSTILE), limit: 5, ..Search::default() };
    let found =
        best(&server.cluster(Some("c1")), &documents, &engine, &mut encoded, search).unwrap();
    assert!(found.is_empty());
    let sent = server.sent();
    assert!(sent.len() == 3, "{}", sent.len());
    // It is asked for by the weights of both scores, and the name of a word in place of it.
    let asked = &sent[2].statement;
    for part in [
        "dense * transform(language, [0], [0.25], 0.)",
        "lexical * transform(language, [0], [0.5], 0.)",
        &PLUIE.to_string(),
    ] {
        assert!(asked.contains(part), "{part} in {asked}");
    }
    no_statement_is_hostile(&sent);
}

#[test]
fn what_a_server_says_gets_into_no_statement() {
    let indexes = [index()];
    let documents = Documents::new(&indexes, 0.5).unwrap();
    let server = Server::start(|sent| match &*sent.last().unwrap().statement {
        statement if statement.contains("system.tables") => b"a`; DROP TABLE t --\n".to_vec(),
        _ => Vec::new(),
    });
    let cluster = server.cluster(None);
    let refused = cluster.others(&cluster.servers[0], &documents).unwrap_err().to_string();
    assert!(refused.contains("a table of another name"), "{refused}");
    no_statement_is_hostile(&server.sent());
}

#[test]
fn a_name_is_of_letters_digits_and_underscores() {
    for good in ["a", "_", "smooth_clir", "A1"] {
        assert_eq!(Name::new(good).unwrap().quoted(), format!("`{good}`"));
    }
    for bad in ["", "1a", "a b", "a`", "a'", "a.b", "a;", "a\\", "é", "a\n", "{a}"] {
        assert!(Name::new(bad).is_err(), "{bad:?}");
    }
}
