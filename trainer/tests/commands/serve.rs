//! The service over HTTP: its answers, its limits, and how it ends.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::symlink;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::toy::{IDEAS, Place, QUICK, TEXTS, document};
use serde_json::{Value, json};

/// Far more than anything here takes: a machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A model, and documents with a field, in one file, in a folder and in segments.
fn place() -> Place {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    let line = |text: usize| {
        let (id, title) = (format!("d{text}"), format!("Titre {text}"));
        let of = json!({ "id": id, "title": title, "text": document(text), "parity": (text % 2).to_string() });
        format!("{of}\n")
    };
    place.write("all.jsonl", (0..TEXTS).map(line).collect::<String>());
    place.write("half.jsonl", (0..TEXTS / 2).map(line).collect::<String>());
    place.run("index m.safetensors all.jsonl --field parity --out whole.index").success();
    place.run("index m.safetensors all.jsonl --field parity --block 25 --out parts/").success();
    place
}

fn append(place: &Place, documents: &str, segment: usize) {
    let line = format!(
        "index m.safetensors {documents} --field parity --append --segment {segment} --out seg/"
    );
    place.run(&line).success();
}

/// The service, which is killed at the end of a test if it has not ended.
struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer.
struct Answer {
    status: u16,
    headers: BTreeMap<String, String>,
    body: String,
}

impl Answer {
    fn of(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text:?}"));
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_ascii_lowercase(), value.to_owned())
        };
        Self { status, headers: lines.map(header).collect(), body: body.to_owned() }
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{:?}", self.body))
    }

    fn code(&self) -> String {
        let json = self.json();
        assert!(json["error"]["message"].as_str().unwrap().len() > 5, "{json}");
        assert_eq!(self.headers["content-type"], "application/json");
        json["error"]["code"].as_str().unwrap().to_owned()
    }
}

/// What comes until the other side closes the connection.
fn rest(mut stream: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        Err(error) => panic!("{error}"),
    }
    bytes
}

impl Server {
    fn start(place: &Place, index: &str, options: &str) -> Self {
        let line = format!("serve m.safetensors {index} --listen 127.0.0.1:0 {options}");
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("smooth-clir"))
            .current_dir(place.root.path())
            .args(line.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut told = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut told).unwrap();
        let address = told.trim().strip_prefix("listening on http://");
        let address = address.unwrap_or_else(|| panic!("{told:?}")).to_owned();
        Self { child, address }
    }

    /// Sends the beginning of a request, or all of it.
    fn send(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    fn ask(&self, method: &str, target: &str, body: &str) -> Answer {
        let length = body.len();
        let head =
            format!("{method} {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n");
        Answer::of(&rest(self.send(&format!("{head}content-length: {length}\r\n\r\n{body}"))))
    }

    fn get(&self, target: &str) -> Answer {
        self.ask("GET", target, "")
    }

    fn post(&self, target: &str, body: &Value) -> Answer {
        self.ask("POST", target, &body.to_string())
    }

    /// A number of the metrics.
    fn metric(&self, name: &str) -> f64 {
        let text = self.get("/metrics").body;
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("smooth_clir_{name} ")));
        line.map_or(0.0, |value| value.parse().unwrap())
    }

    fn signal(&self, name: &str) {
        let line = format!("kill -{name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &line]).status().unwrap().success());
    }
}

fn wait_until(what: &str, mut is: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is() {
        assert!(begun.elapsed() < PATIENCE, "never {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn answers_are_those_of_the_command_line() {
    let place = place();
    append(&place, "all.jsonl", 20);
    for index in ["whole.index", "parts/", "seg/"] {
        let server = Server::start(&place, index, "");
        for (options, address, body) in [
            ("w1", "q=w1", json!({ "q": "w1" })),
            ("w3 --limit 60", "q=w3&k=60", json!({ "q": "w3", "k": 60 })),
            ("w4 --epsilon 0.25", "q=w4&epsilon=0.25", json!({ "q": "w4", "epsilon": 0.25 })),
            ("w5 --language xx", "language=xx&q=w5", json!({ "q": "w5", "language": "xx" })),
            ("w6 --dense 1", "q=w6&dense=1", json!({ "q": "w6", "dense": 1 })),
            (
                "w7 --filter parity=1",
                "q=w7&filter=parity%3D1",
                json!({ "q": "w7", "filter": ["parity=1"] }),
            ),
            (
                "w7 --filter parity=1 --filter parity=0 --limit 3",
                "q=w7&k=3&filter=parity=1&filter=parity=0",
                json!({ "q": "w7", "filter": ["parity=1", "parity=0"], "k": 3 }),
            ),
            ("unheard-of", "q=unheard-of", json!({ "q": "unheard-of" })),
        ] {
            let expected = place.output(&format!("search m.safetensors {index} {options} --json"));
            let found = server.get(&format!("/search?{address}"));
            assert_eq!((found.status, &*found.body), (200, &*expected), "{index} {options}");
            assert_eq!(found.headers["content-type"], "application/json");
            let found = server.post("/search", &body);
            assert_eq!((found.status, &*found.body), (200, &*expected), "{index} {options}");
        }
        let found = server.get("/search?q=w1+w%32%20w3").json();
        let words: Vec<_> =
            found["tokens"].as_array().unwrap().iter().map(|of| of["token"].clone()).collect();
        assert_eq!(words, ["w1", "w2", "w3"]);
        let health = server.get("/health").json();
        assert_eq!(health, json!({ "status": "ok", "documents": TEXTS }));
    }
}

#[test]
fn scores_are_taken_apart() {
    let place = place();
    for index in ["whole.index", "parts/"] {
        let server = Server::start(&place, index, "");
        // Before any text was read for another reason.
        let one = server.get("/explain?q=w1&document=d59&epsilon=0.25");
        assert_eq!(one.status, 200, "{}", one.body);
        let hits = server.get("/search?q=w1&k=60&epsilon=0.25").json()["hits"].clone();
        let explained = server.post("/explain", &json!({ "q": "w1", "k": 60, "epsilon": 0.25 }));
        let explained = explained.json()["documents"].clone();
        let (hits, explained) = (hits.as_array().unwrap(), explained.as_array().unwrap());
        assert_eq!((hits.len(), explained.len()), (TEXTS, TEXTS));
        for (hit, explained) in hits.iter().zip(explained) {
            for name in ["id", "language", "score", "similarity", "lexical", "dot", "documentNorm"]
            {
                assert_eq!(hit[name], explained[name], "{name}");
            }
            // Without its only word a query scores nothing.
            assert_eq!(explained["query"][0]["contribution"], hit["similarity"]);
            let words = explained["document"].as_array().unwrap().len();
            assert_eq!(words, hit["text"].as_str().unwrap().split_whitespace().count());
        }
        let same = explained.iter().find(|of| of["id"] == "d59").unwrap();
        assert_eq!(one.json(), json!({ "documents": [same] }));
        let none = server.get("/explain?q=w1&document=d60");
        assert_eq!((none.status, &*none.code()), (404, "not-found"));
        let none = server.get("/explain?q=w1&document=d1&language=yy");
        assert_eq!((none.status, &*none.code()), (404, "not-found"));
    }
}

#[test]
fn what_is_wrong_or_too_large_is_refused_with_a_code() {
    let place = place();
    let server =
        Server::start(&place, "whole.index", "--query-limit 20 --body-limit 200 --max-k 30");
    let long = "w".repeat(21);
    for (target, status, code) in [
        ("/search", 400, "parameter"),
        ("/search?k=3", 400, "parameter"),
        ("/search?q=w1&q=w2", 400, "parameter"),
        ("/search?q=w1&limit=3", 400, "parameter"),
        ("/search?q=w1&k=0", 400, "parameter"),
        ("/search?q=w1&k=31", 400, "parameter"),
        ("/search?q=w1&k=-1", 400, "parameter"),
        ("/search?q=w1&k=99999999999999999999999", 400, "parameter"),
        ("/search?q=w1&k=", 400, "parameter"),
        ("/search?q=w1&epsilon=much", 400, "parameter"),
        ("/search?q=w1&epsilon=-1", 400, "epsilon"),
        ("/search?q=w1&epsilon=nan", 400, "epsilon"),
        ("/search?q=w1&dense=2", 400, "dense"),
        ("/search?q=w1&language=yy", 400, "unknown-language"),
        ("/search?q=w1&filter=parity", 400, "parameter"),
        ("/search?q=w1&filter=size=1", 400, "unknown-field"),
        ("/search?q=w1&document=d1", 400, "parameter"),
        ("/search?q=%ff", 400, "parameter"),
        (&format!("/search?q={long}"), 400, "query-too-long"),
        (&format!("/explain?q={long}"), 400, "query-too-long"),
        ("/explain", 400, "parameter"),
        ("/nothing", 404, "not-found"),
        ("/search/", 404, "not-found"),
        ("/", 404, "not-found"),
    ] {
        let answer = server.get(target);
        assert_eq!((answer.status, &*answer.code()), (status, code), "{target}");
    }
    assert_eq!(server.get(&format!("/search?q={}", &long[1..])).status, 200);
    assert_eq!(server.get("/search?q=").json(), json!({ "hits": [], "tokens": [] }));
    for (body, status, code) in [
        ("", 400, "parameter"),
        ("{", 400, "parameter"),
        ("[]", 400, "parameter"),
        ("{}", 400, "parameter"),
        ("\u{0}", 400, "parameter"),
        (r#"{"q": 1}"#, 400, "parameter"),
        (r#"{"q": "w1", "limit": 3}"#, 400, "parameter"),
        (r#"{"q": "w1", "q": "w2"}"#, 400, "parameter"),
        (r#"{"q": "w1", "k": 31}"#, 400, "parameter"),
        (r#"{"q": "w1", "k": 1.5}"#, 400, "parameter"),
        (r#"{"q": "w1", "epsilon": -0.5}"#, 400, "epsilon"),
        (r#"{"q": "w1", "epsilon": 1e99}"#, 400, "parameter"),
        (&format!(r#"{{"q": "{long}"}}"#), 400, "query-too-long"),
        (&format!("{}{}", r#"{"q": "w1"}"#, " ".repeat(200)), 413, "body-too-large"),
    ] {
        let answer = server.ask("POST", "/search", body);
        assert_eq!((answer.status, &*answer.code()), (status, code), "{body}");
    }
    let answer = server.post("/search?q=w1", &json!({ "q": "w1" }));
    assert_eq!((answer.status, &*answer.code()), (400, "parameter"));
    // In pieces, so that no length is stated.
    let pieces =
        format!("{}c8\r\n{}\r\nc8\r\n", "transfer-encoding: chunked\r\n\r\n", " ".repeat(200));
    let answer = Answer::of(&rest(server.send(&format!(
        "POST /search HTTP/1.1\r\nhost: localhost\r\n{pieces}{}\r\n0\r\n\r\n",
        " ".repeat(200)
    ))));
    assert_eq!((answer.status, &*answer.code()), (413, "body-too-large"));
    for (method, target) in [("PUT", "/search"), ("DELETE", "/explain"), ("POST", "/health")] {
        let answer = server.ask(method, target, "");
        assert_eq!((answer.status, &*answer.code()), (405, "method-not-allowed"));
        assert!(answer.headers["allow"].contains("GET"), "{:?}", answer.headers);
    }
    // Not HTTP, or more of it than is read: refused, and others are served on.
    let head = format!(
        "GET /search?q=w1 HTTP/1.1\r\nhost: localhost\r\nmuch: {}\r\n\r\n",
        "x".repeat(1_000_000)
    );
    for text in ["nonsense\r\n\r\n", "GET /search HTTP/9.9\r\n\r\n", &head] {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // It may be refused before all of it was sent.
        let _ = stream.write_all(text.as_bytes());
        let told = rest(stream);
        assert!(!told.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&told));
    }
    assert_eq!(server.get("/search?q=w1").status, 200);
}

#[test]
fn the_first_lines_of_a_request_fit_in_their_buffer() {
    let place = place();
    let server = Server::start(&place, "whole.index", "");
    let most = 64 << 10;
    // What has arrived at once is read at once: not to the byte.
    for (length, status) in [(most / 2, 200), (most, 200), (3 * most, 431)] {
        let head = "GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx: ";
        let rest_of = length - head.len() - "\r\n\r\n".len();
        let answer = rest(server.send(&format!("{head}{}\r\n\r\n", "x".repeat(rest_of))));
        assert_eq!(Answer::of(&answer).status, status, "{length}");
    }
}

#[test]
fn a_page_is_served_and_nothing_outside_it() {
    let place = place();
    fs::create_dir_all(place.path("page/assets")).unwrap();
    place.write("page/index.html", "<!doctype html>");
    place.write("page/assets/main.js", "1");
    place.write("page/assets/main.css", "a{}");
    place.write("page/assets/core.wasm", "\0asm");
    place.write("page/assets/m.safetensors", "0123456789");
    place.write("page/.env", "secret");
    place.write("secret", "secret");
    symlink("../secret", place.path("page/link")).unwrap();
    symlink("..", place.path("page/above")).unwrap();
    let server = Server::start(&place, "whole.index", "--page page");
    for (target, kind) in [
        ("/", "text/html"),
        ("/index.html", "text/html"),
        ("/assets/main.js", "text/javascript"),
        ("/assets/main.css", "text/css"),
        ("/assets/core.wasm", "application/wasm"),
        ("/assets/m.safetensors?v=1", "application/octet-stream"),
    ] {
        let answer = server.get(target);
        assert_eq!(answer.status, 200, "{target}");
        assert_eq!(answer.headers["content-type"], kind, "{target}");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
    }
    assert_eq!(server.get("/").body, "<!doctype html>");
    assert_eq!(server.ask("HEAD", "/", "").body, "");
    assert_eq!(server.ask("POST", "/", "").status, 405);
    let part = "GET /assets/m.safetensors HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nrange: bytes=2-4\r\n\r\n";
    let part = Answer::of(&rest(server.send(part)));
    assert_eq!((part.status, &*part.body), (206, "234"));
    for target in [
        "/../secret",
        "/assets/../../secret",
        "/%2e%2e/secret",
        "/%2E%2E%2Fsecret",
        "/.%2e/secret",
        "/..%5csecret",
        "/..\\secret",
        "/assets%5c..%5c..%5csecret",
        "/index.html%00",
        "/%00",
        "/link",
        "/above/secret",
        "/.env",
        "//secret",
        "/assets",
        "/assets/",
        "/%ff",
        "/%252e%252e/secret",
        "http://localhost/../secret",
    ] {
        let answer = server.get(target);
        assert!([400, 404].contains(&answer.status), "{target}: {}", answer.status);
        assert!(!answer.body.contains("secret"), "{target}");
    }
    assert_eq!(server.get("/search?q=w1").status, 200, "routes come before files");
}

#[test]
fn slow_clients_are_left_and_keep_nobody_waiting() {
    let place = place();
    let server = Server::start(&place, "whole.index", "--timeout 1 --max-connections 2");
    // One says nothing, one begins: both are left, and others come to their turn.
    let silent = server.send("");
    let begun = server.send("GET /search?q=w1 HTTP/1.1\r\nhost:");
    assert_eq!(server.get("/search?q=w1").status, 200);
    assert_eq!(rest(silent), b"");
    assert!(!rest(begun).starts_with(b"HTTP/1.1 200"));
    // One that asked and keeps the connection.
    let kept = server.send("GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n");
    assert_eq!(Answer::of(&rest(kept)).status, 200);
    let body =
        server.send("POST /search HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n{\"q\"");
    let answer = Answer::of(&rest(body));
    assert_eq!((answer.status, &*answer.code()), (408, "slow-body"));
    // A byte now and then is as bad.
    let mut slow = server.send("GET /search?q=w1 HTTP/1.1\r\nx: ");
    wait_until("left", || slow.write_all(b"x").is_err());
}

#[test]
fn who_does_not_take_an_answer_is_left() {
    let place = place();
    fs::create_dir(place.path("page")).unwrap();
    // More than what lies between two ends of a connection.
    let large = fs::File::create(place.path("page/large")).unwrap();
    large.set_len(256 << 20).unwrap();
    let server =
        Server::start(&place, "whole.index", "--timeout 1 --max-connections 1 --page page");
    let idle = server.send("GET /large HTTP/1.1\r\nhost: localhost\r\n\r\n");
    assert_eq!(server.get("/search?q=w1").status, 200);
    assert!(rest(idle).len() < 256 << 20);
}

#[test]
fn who_takes_an_answer_byte_by_byte_is_left_when_its_connection_is_old() {
    let place = place();
    fs::create_dir(place.path("page")).unwrap();
    fs::File::create(place.path("page/large")).unwrap().set_len(256 << 20).unwrap();
    let options = "--timeout 1 --max-connection-age 2 --max-connections 1 --page page";
    let server = Server::start(&place, "whole.index", options);
    let mut slow = server.send("GET /large HTTP/1.1\r\nhost: localhost\r\n\r\n");
    // Something is read before each second has passed.
    let reading = std::thread::spawn(move || {
        let mut piece = [0; 4096];
        while slow.read(&mut piece).is_ok_and(|count| count > 0) {
            std::thread::sleep(Duration::from_millis(10));
        }
    });
    assert_eq!(server.get("/search?q=w1").status, 200);
    reading.join().unwrap();
}

#[test]
fn a_client_has_at_most_its_share_of_the_connections() {
    let place = place();
    let server = Server::start(&place, "whole.index", "--max-connections-per-client 2");
    let asked = "GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let [first, second] = [(); 2].map(|()| server.send(asked));
    // Closed unread: an empty answer, or none.
    let mut third = TcpStream::connect(&server.address).unwrap();
    third.set_read_timeout(Some(PATIENCE)).unwrap();
    let _may_be_closed = third.write_all(asked.as_bytes());
    assert_eq!(rest(third), b"");
    drop((first, second));
    wait_until("free", || {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let _may_be_closed =
            stream.write_all(asked.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n").as_bytes());
        rest(stream).starts_with(b"HTTP/1.1 200")
    });
}

#[test]
fn a_page_of_another_name_reads_nothing() {
    let place = place();
    fs::create_dir(place.path("page")).unwrap();
    place.write("page/index.html", "secret");
    let ask = |server: &Server, host: &str, target: &str| {
        let head = format!("GET {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        Answer::of(&rest(server.send(&head)))
    };
    let server = Server::start(&place, "whole.index", "--page page --host Search.Example");
    for target in ["/search?q=w1", "/explain?q=w1", "/health", "/metrics", "/", "/nothing"] {
        let refused = ask(&server, "evil.example:8080", target);
        assert_eq!((refused.status, &*refused.code()), (421, "host"), "{target}");
    }
    for host in ["localhost", &server.address, "search.example:443", "[::1]"] {
        assert_eq!(ask(&server, host, "/search?q=w1").status, 200, "{host}");
    }
    let server = Server::start(&place, "whole.index", "--host *");
    assert_eq!(ask(&server, "evil.example", "/health").status, 200);
}

#[test]
fn an_index_that_is_not_mapped_may_be_cut_meanwhile() {
    let place = place();
    let server = Server::start(&place, "parts/", "--no-mmap");
    let before = server.get("/search?q=w1&k=60");
    assert_eq!(before.status, 200);
    for file in fs::read_dir(place.path("parts")).unwrap() {
        let file = fs::OpenOptions::new().write(true).open(file.unwrap().path()).unwrap();
        file.set_len(0).unwrap();
    }
    assert_eq!(server.get("/search?q=w1&k=60").body, before.body);
}

/// A service whose disk does not answer: its texts are a pipe that nobody writes to.
fn stuck(place: &Place, options: &str) -> Server {
    let texts = place.path("parts/texts.0.safetensors");
    fs::rename(&texts, place.path("texts")).unwrap();
    assert!(Command::new("mkfifo").arg(&texts).status().unwrap().success());
    Server::start(place, "parts/", options)
}

/// The disk gives an empty file to who waits, and the right one to whoever comes later.
fn unstick(place: &Place) {
    let texts = place.path("parts/texts.0.safetensors");
    let pipe = fs::OpenOptions::new().write(true).open(&texts).unwrap();
    // Before the pipe ends, lest somebody open it again, which nobody would end.
    fs::rename(place.path("texts"), texts).unwrap();
    drop(pipe);
}

#[test]
fn who_finds_no_place_in_time_is_told_to_come_again() {
    let place = place();
    let server = stuck(&place, "--max-concurrent 1 --max-wait 0.1 --timeout 600");
    let first = server
        .send("GET /search?q=w1&k=60 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    wait_until("ranked", || server.metric("rankings") == 1.0);
    let other = server.get("/search?q=w1");
    assert_eq!((other.status, &*other.code()), (503, "busy"));
    assert_eq!(other.headers["retry-after"], "1");
    assert_eq!(server.get("/health").status, 200);
    assert_eq!(server.metric("requests_in_flight"), 2.0);
    unstick(&place);
    let answer = Answer::of(&rest(first));
    assert_eq!((answer.status, &*answer.code()), (500, "internal"));
    assert!(!answer.body.contains("texts"), "{}", answer.body);
    wait_until("free", || server.metric("rankings") == 0.0);
    assert_eq!(server.get("/search?q=w1&k=60").status, 200);
}

#[test]
fn ids_are_read_once_for_all_who_ask_and_keep_no_ranking_waiting() {
    let place = place();
    let server = stuck(&place, "--max-concurrent 1 --timeout 1");
    assert_eq!(server.get("/search?q=zzz").status, 200);
    let threads = || {
        let tasks = format!("/proc/{}/task", server.child.id());
        fs::read_dir(tasks).map_or(0, Iterator::count)
    };
    let before = threads();
    let explain =
        "GET /explain?q=w1&document=d3 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    let asked: Vec<_> = (0..8).map(|_| server.send(explain)).collect();
    for stream in asked {
        let answer = Answer::of(&rest(stream));
        assert_eq!((answer.status, &*answer.code()), (503, "busy"));
    }
    // One for the ids, and one that looks after the index.
    assert!(threads() <= before + 2, "{before} {}", threads());
    assert_eq!(server.get("/search?q=zzz").status, 200);
    unstick(&place);
    wait_until("read", || server.get("/explain?q=w1&document=d3").status == 200);
}

#[test]
fn what_takes_too_long_is_answered_in_time_and_keeps_its_place() {
    let place = place();
    let mut server = stuck(&place, "--max-concurrent 2 --timeout 1");
    let answer = server.get("/search?q=w1&k=60");
    assert_eq!((answer.status, &*answer.code()), (503, "timeout"));
    assert_eq!(server.metric("rankings"), 1.0);
    // Not even at the end is it waited for.
    server.signal("TERM");
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}

#[test]
fn at_the_end_what_is_under_way_is_answered() {
    let place = place();
    for signal in ["TERM", "INT"] {
        let mut server = Server::start(&place, "whole.index", "--timeout 60");
        let mut idle = server.send("GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n");
        idle.read_exact(&mut [0; 12]).unwrap();
        let body = r#"{"q": "w1"}"#;
        let head = format!(
            "POST /search HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let mut under_way = server.send(&format!("{head}{}", &body[..5]));
        wait_until("begun", || server.metric("requests_in_flight") == 2.0);
        server.signal(signal);
        wait_until("closed", || TcpStream::connect(&server.address).is_err());
        assert!(server.child.try_wait().unwrap().is_none());
        under_way.write_all(&body.as_bytes()[5..]).unwrap();
        let answer = Answer::of(&rest(under_way));
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json()["hits"].as_array().unwrap().len(), 10);
        assert_eq!(server.child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn segments_are_followed_and_no_request_is_dropped() {
    let place = place();
    append(&place, "half.jsonl", 3);
    let server = Server::start(&place, "seg/", "--max-wait 60 --timeout 120");
    let is_over = AtomicBool::new(false);
    let followed = |documents: usize| {
        wait_until("opened", || server.metric("documents") == documents as f64);
    };
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let mut asked = 0;
            while !is_over.load(Ordering::Relaxed) {
                let answer = server.get(&format!("/search?q=w{}&k=60", asked % IDEAS));
                assert_eq!(answer.status, 200, "{}", answer.body);
                asked += 1;
            }
            asked
        });
        append(&place, "all.jsonl", 3);
        followed(TEXTS);
        let before = server.metric("reopened_total");
        place.run("compact seg/ --segment 20").success();
        place.run("compact seg/").success();
        wait_until("opened again", || server.metric("reopened_total") > before);
        is_over.store(true, Ordering::Relaxed);
        assert!(asking.join().unwrap() > 0);
    });
    let expected = place.output("search m.safetensors whole.index w1 --limit 60 --json");
    assert_eq!(server.get("/search?q=w1&k=60").body, expected);
    // A list that is none: what was opened is searched on.
    let good = place.read("seg/segments.json");
    place.write("seg/segments.json", "none");
    wait_until("refused", || server.metric("reopen_failures_total") > 0.0);
    assert_eq!(server.get("/search?q=w1&k=60").body, expected);
    place.write("seg/segments.json", good);
}

#[test]
fn texts_that_are_gone_are_looked_for_in_the_segments_there_are() {
    let place = place();
    append(&place, "all.jsonl", 3);
    // No text has been read when they are put together.
    let server = Server::start(&place, "seg/", "");
    place.run("compact seg/").success();
    let expected = place.output("search m.safetensors whole.index w1 --limit 60 --json");
    assert_eq!(server.get("/search?q=w1&k=60").body, expected);
}

#[test]
fn an_index_in_a_file_is_opened_again_when_told() {
    let place = place();
    place.run("index m.safetensors half.jsonl --out served.index").success();
    let server = Server::start(&place, "served.index", "");
    assert_eq!(server.metric("documents"), (TEXTS / 2) as f64);
    fs::rename(place.path("whole.index"), place.path("served.index")).unwrap();
    server.signal("HUP");
    wait_until("opened again", || server.metric("documents") == TEXTS as f64);
}

#[test]
fn what_was_asked_is_counted() {
    let place = place();
    let server = Server::start(&place, "whole.index", "");
    for target in ["/search?q=w1", "/search?q=w2", "/search", "/explain?q=w1", "/a", "/b?c"] {
        server.get(target);
    }
    let text = server.get("/metrics");
    assert!(text.headers["content-type"].starts_with("text/plain"), "{:?}", text.headers);
    for (line, count) in [
        ("requests_total{route=\"/search\",status=\"200\"}", 2),
        ("requests_total{route=\"/search\",status=\"400\"}", 1),
        ("requests_total{route=\"/explain\",status=\"200\"}", 1),
        ("requests_total{route=\"other\",status=\"404\"}", 2),
        ("request_seconds_count{route=\"/search\"}", 3),
        ("request_seconds_bucket{route=\"/search\",le=\"+Inf\"}", 3),
        ("documents", TEXTS),
        ("requests_in_flight", 1),
        ("rankings", 0),
    ] {
        let line = format!("smooth_clir_{line} {count}\n");
        assert!(text.body.contains(&line), "{line}{}", text.body);
    }
    // As the format has it: a name's type before its values, buckets that rise.
    let mut last = 0;
    for line in text.body.lines().filter(|line| line.contains("bucket{route=\"/search\"")) {
        let count: usize = line.rsplit(' ').next().unwrap().parse().unwrap();
        assert!(count >= last, "{line}");
        last = count;
    }
    for line in text.body.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split(['{', ' ']).next().unwrap();
        let of = ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end));
        let kind = format!("# TYPE {} ", of.unwrap_or(name));
        assert!(text.body[..text.body.find(line).unwrap()].contains(&kind), "{line}");
    }
}

#[test]
fn what_cannot_be_served_is_said_in_one_line() {
    let place = place();
    let server = Server::start(&place, "whole.index", "");
    let serve = "serve m.safetensors whole.index";
    place.refuses(&format!("{serve} --listen {}", server.address), 1, &[&server.address, "in use"]);
    place.refuses(&format!("{serve} --listen nowhere"), 1, &["nowhere: cannot listen"]);
    place.refuses(&format!("{serve} --listen 127.0.0.1:99999"), 1, &["99999"]);
    place.refuses(&format!("{serve} --listen 127.0.0.1:0 --page none"), 1, &["none"]);
    place.refuses(&format!("{serve} --listen 127.0.0.1:0 --page m.safetensors"), 1, &["folder"]);
    place.refuses("serve none whole.index --listen 127.0.0.1:0", 1, &["none"]);
    place.refuses("serve m.safetensors none --listen 127.0.0.1:0", 1, &["none"]);
    place.run(&format!("{QUICK} --seed 9 --out other.safetensors")).success();
    place.refuses("serve other.safetensors whole.index", 1, &["whole.index", "model"]);
    for option in [
        "--timeout 0",
        "--timeout x",
        "--max-wait -1",
        "--max-concurrent 0",
        "--body-limit 0",
        "--query-limit 0",
        "--max-k 0",
        "--max-connections 0",
        "--max-connections-per-client 0",
        "--max-connection-age 0",
        "--listen",
    ] {
        let name = option.split(' ').next().unwrap();
        place.refuses(&format!("{serve} {option}"), 2, &[name]);
    }
}
