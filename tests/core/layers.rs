//! Each room of the sources uses only the rooms above it, and no files use each other in a circle.
//!
//! The test reads the sources as text: every path that begins with `crate`, `super`, `self` or the
//! name of a child module. Comments, strings and `mod tests` do not count, nor do `mod` declarations
//! and re-exports, unless the file uses the re-exported name itself. A name that a `mod.rs`
//! re-exports belongs to the file that defines it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A folder of sources and its rooms in order: a room may use those before it, and itself.
struct House {
    root: &'static str,
    rooms: &'static [&'static str],
}

/// `src/lib.rs` and `ARCHITECTURE.md` describe the rooms in the same order.
const HOUSES: &[House] = &[
    House {
        root: "src",
        rooms: &[
            "decimal", "limits", "error", "storage", "math", "text", "encoder", "lexical", "model",
            "ranking", "index", "engine", "training", "gpu", "learning", "lab", "bindings",
        ],
    },
    House {
        root: "documents/src",
        rooms: &[
            "limits",
            "error",
            "lines",
            "json",
            "fields",
            "document",
            "gathering",
            "front_matter",
            "tree",
            "charset",
            "html",
            "markdown",
            "plain",
            "page",
            "sitemap",
            "tsv",
            "records",
            "words",
            "passages",
            "language",
            "repeated",
            "report",
            "collection",
            "refusal",
            "texts",
            "tables",
            "objects",
            "bindings",
        ],
    },
    House { root: "indexer/src", rooms: &["error", "deep", "encoding", "bindings"] },
    House {
        root: "teacher/src",
        rooms: &[
            "limits",
            "error",
            "config",
            "vector",
            "functions",
            "weights",
            "product",
            "linear",
            "layer",
            "encoder",
            "teacher",
        ],
    },
    House { root: "python/src", rooms: &["error", "files", "model", "index", "evaluate"] },
    House {
        root: "trainer/src",
        rooms: &[
            "limits",
            "error",
            "terminal",
            "files",
            "statistics",
            "alignment",
            "data",
            "vectors",
            "corpus",
            "deep",
            "evaluation",
            "train",
            "methods",
            "experiments",
            "theory",
            "segments",
            "search",
            "serve",
            "clickhouse",
            "import",
            "readers",
            "commands",
            "cli",
            "main",
        ],
    },
];

#[test]
fn rooms_use_only_rooms_above_them_and_files_form_no_circle() {
    for house in HOUSES {
        let sources = read(house.root);
        assert!(sources.len() > house.rooms.len(), "{}: no sources found", house.root);
        let faults = faults(&sources, house.rooms);
        assert!(faults.is_empty(), "{}:\n{}", house.root, faults.join("\n"));
    }
}

#[test]
fn the_map_in_lib_rs_names_the_rooms_in_order() {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let named: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("//! | ")?.split('|').next())
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    assert_eq!(named, HOUSES[0].rooms);
}

/// The findings of the checks in `sources`, each with the files it is about.
fn faults(sources: &BTreeMap<String, String>, rooms: &[&str]) -> Vec<String> {
    let arrows = arrows(sources);
    let mut faults = BTreeSet::new();
    for file in sources.keys().filter(|file| *file != "lib.rs") {
        if !rooms.contains(&room(file)) {
            faults.insert(format!("{file}: the room `{}` is not in the order", room(file)));
        }
    }
    let place = |file: &str| rooms.iter().position(|name| *name == room(file));
    for (from, to) in &arrows {
        if place(from) < place(to) {
            faults.insert(format!("{from} uses {to}, which is below it"));
        }
        if to == "lib.rs" {
            faults.insert(format!("{from} uses an item that lib.rs defines"));
        }
    }
    faults.extend(circles(&arrows));
    faults.into_iter().collect()
}

/// The first part of a path: `text` of `text/vocabulary/mod.rs`, `error` of `error.rs`.
fn room(file: &str) -> &str {
    file.split('/').next().unwrap_or(file).trim_end_matches(".rs")
}

// ---- from text to arrows

/// All sources below `root`, by their paths below it.
fn read(root: &str) -> BTreeMap<String, String> {
    fn walk(folder: &Path, prefix: &str, sources: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                walk(&entry.path(), &format!("{name}/"), sources);
            } else if name.ends_with(".rs") {
                sources.insert(name, fs::read_to_string(entry.path()).unwrap());
            }
        }
    }
    let mut sources = BTreeMap::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join(root), "", &mut sources);
    sources
}

/// A file as the check sees it.
#[derive(Default)]
struct Module {
    file: String,
    /// The names of what it defines, and its fields' and locals' too: more does no harm, since only
    /// names that a path asks for are looked up.
    defined: BTreeSet<String>,
    /// The item that an imported or re-exported name stands for.
    imported: BTreeMap<String, Vec<String>>,
    /// Modules of which it imports or re-exports everything.
    globs: Vec<Vec<String>>,
    /// Paths that it uses, from the crate's root.
    used: BTreeSet<Vec<String>>,
}

/// The files that each file uses.
fn arrows(sources: &BTreeMap<String, String>) -> BTreeSet<(String, String)> {
    let names: BTreeSet<Vec<String>> = sources.keys().map(|file| module_path(file)).collect();
    let modules: BTreeMap<Vec<String>, Module> =
        sources.iter().map(|(file, text)| (module_path(file), parse(file, text, &names))).collect();
    let mut arrows = BTreeSet::new();
    for module in modules.values().filter(|module| module.file != "lib.rs") {
        for path in &module.used {
            let target = resolve(path, &modules, 0);
            if target != module.file {
                arrows.insert((module.file.clone(), target));
            }
        }
    }
    arrows
}

/// `text/vocabulary/mod.rs` is the module `text::vocabulary`; `lib.rs` and `main.rs` are the root.
fn module_path(file: &str) -> Vec<String> {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    if path == "lib" || path == "main" {
        return Vec::new();
    }
    path.split('/').map(str::to_owned).collect()
}

/// The file that defines what `path` names, following imports and re-exports.
fn resolve(path: &[String], modules: &BTreeMap<Vec<String>, Module>, depth: usize) -> String {
    let mut at = Vec::new();
    for (place, name) in path.iter().enumerate() {
        let mut child = at.clone();
        child.push(name.clone());
        if modules.contains_key(&child) {
            at = child;
            continue;
        }
        let Some(module) = modules.get(&at) else { break };
        if depth < 8 && !module.defined.contains(name) {
            let rest = &path[place + 1..];
            if let Some(target) = module.imported.get(name) {
                return resolve(&[target, rest].concat(), modules, depth + 1);
            }
            for glob in &module.globs {
                if modules.get(glob).is_some_and(|inner| inner.defined.contains(name)) {
                    return modules[glob].file.clone();
                }
            }
        }
        break;
    }
    modules.get(&at).map_or_else(|| path.join("::"), |module| module.file.clone())
}

fn parse(file: &str, text: &str, names: &BTreeSet<Vec<String>>) -> Module {
    let here = module_path(file);
    let words = words(text);
    let mut module = Module { file: file.to_owned(), ..Module::default() };
    let mut re_exported: BTreeSet<String> = BTreeSet::new();
    let mut mentioned: BTreeSet<String> = BTreeSet::new();
    // Inline modules that are open, each with the depth of its brace.
    let mut inline: Vec<(String, usize)> = Vec::new();
    let mut depth = 0_usize;
    let mut at = 0;
    while at < words.len() {
        let inside: Vec<String> =
            here.iter().cloned().chain(inline.iter().map(|(name, _)| name.clone())).collect();
        match words[at].as_str() {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                while inline.last().is_some_and(|(_, opened)| *opened > depth) {
                    inline.pop();
                }
            }
            "mod" if words.get(at + 2).is_some_and(|next| next == "{") => {
                if words[at + 1] == "tests" {
                    at = closing(&words, at + 2);
                } else {
                    depth += 1;
                    inline.push((words[at + 1].clone(), depth));
                    at += 2;
                }
            }
            "mod" => at += 1,
            "use" if at == 0 || words[at - 1] != "<" => {
                let public = at > 0 && (words[at - 1] == "pub" || words[at - 1] == ")");
                let end = at + words[at..].iter().position(|word| word == ";").unwrap();
                let mut found = Vec::new();
                tree(&words[at + 1..end], &mut Vec::new(), &mut found);
                for (path, name) in found {
                    let Some(path) = absolute(&path, &inside, &here, names) else { continue };
                    match name {
                        Some(name) if public => {
                            module.imported.insert(name.clone(), path);
                            re_exported.insert(name);
                        }
                        Some(name) => {
                            if inline.is_empty() {
                                module.imported.insert(name, path.clone());
                            }
                            module.used.insert(path);
                        }
                        None if public => module.globs.push(path),
                        None => {
                            module.globs.push(path.clone());
                            module.used.insert(path);
                        }
                    }
                }
                at = end;
            }
            "struct" | "enum" | "trait" | "type" | "const" | "static" | "fn" | "union" => {
                let skip = usize::from(matches!(words[at + 1].as_str(), "mut" | "fn" | "unsafe"));
                module.defined.insert(words[at + 1 + skip].clone());
            }
            "macro_rules" => {
                module.defined.insert(words[at + 2].clone());
            }
            word if word.starts_with(|first: char| first.is_alphabetic() || first == '_') => {
                let mut path = vec![word.to_owned()];
                let starts = at == 0 || words[at - 1] != "::";
                while words.get(at + 1).is_some_and(|next| next == "::")
                    && words.get(at + 2).is_some_and(|next| is_name(next))
                {
                    path.push(words[at + 2].clone());
                    at += 2;
                }
                if starts && (at < 1 || words.get(at.wrapping_sub(1)).is_none_or(|b| b != ".")) {
                    mentioned.insert(path[0].clone());
                }
                if starts && path.len() > 1 {
                    module.used.extend(absolute(&path, &inside, &here, names));
                }
            }
            _ => {}
        }
        at += 1;
    }
    for name in re_exported.intersection(&mentioned) {
        module.used.insert(module.imported[name].clone());
    }
    module
}

/// `path` from the crate's root; none where it leads out of the crate or begins with a local name.
fn absolute(
    path: &[String],
    inside: &[String],
    here: &[String],
    names: &BTreeSet<Vec<String>>,
) -> Option<Vec<String>> {
    let mut at: Vec<String> = match path[0].as_str() {
        "crate" => Vec::new(),
        "self" | "super" => inside.to_vec(),
        name => {
            let mut child = here.to_vec();
            child.push(name.to_owned());
            return names.contains(&child).then(|| [here, path].concat());
        }
    };
    let mut rest = &path[usize::from(path[0] != "super")..];
    while rest.first().is_some_and(|name| name == "super") {
        at.pop()?;
        rest = &rest[1..];
    }
    // What an inline module holds, the file holds.
    if at.len() >= here.len() && at.starts_with(here) {
        at.truncate(here.len());
    }
    at.extend_from_slice(rest);
    Some(at)
}

/// The leaves of a `use` tree: each path with the name it binds, none for `*`.
fn tree(
    words: &[String],
    prefix: &mut Vec<String>,
    found: &mut Vec<(Vec<String>, Option<String>)>,
) {
    let before = prefix.len();
    let mut at = 0;
    while at < words.len() {
        match words[at].as_str() {
            "{" => {
                let end = closing(words, at);
                let mut start = at + 1;
                let mut depth = 0;
                for place in at + 1..=end {
                    match words[place].as_str() {
                        "{" => depth += 1,
                        "}" if place < end => depth -= 1,
                        _ => {}
                    }
                    if place == end || depth == 0 && words[place] == "," {
                        if start < place {
                            tree(&words[start..place], prefix, found);
                        }
                        start = place + 1;
                    }
                }
                prefix.truncate(before);
                return;
            }
            "*" => {
                found.push((prefix.clone(), None));
                prefix.truncate(before);
                return;
            }
            "as" => {
                found.push((prefix.clone(), Some(words[at + 1].clone())));
                prefix.truncate(before);
                return;
            }
            "::" => {}
            "self" if !prefix.is_empty() => {}
            name => prefix.push(name.to_owned()),
        }
        at += 1;
    }
    found.push((prefix.clone(), prefix.last().cloned()));
    prefix.truncate(before);
}

/// Where the brace that opens at `open` closes.
fn closing(words: &[String], open: usize) -> usize {
    let mut depth = 0;
    for (at, word) in words.iter().enumerate().skip(open) {
        match word.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    words.len() - 1
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// The words and signs of Rust `text`, without comments, strings, characters and lifetimes.
fn words(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let is = |at: usize, sign: char| chars.get(at) == Some(&sign);
    let mut words = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let first = chars[at];
        if is(at, '/') && is(at + 1, '/') {
            while at < chars.len() && !is(at, '\n') {
                at += 1;
            }
        } else if is(at, '/') && is(at + 1, '*') {
            while at < chars.len() && !(is(at, '*') && is(at + 1, '/')) {
                at += 1;
            }
            at += 2;
        } else if first == '"' {
            at += 1;
            while at < chars.len() && !is(at, '"') {
                at += 1 + usize::from(is(at, '\\'));
            }
            at += 1;
        } else if first == 'r'
            && (is(at + 1, '"') || is(at + 1, '#') && (is(at + 2, '"') || is(at + 2, '#')))
        {
            let hashes = chars[at + 1..].iter().take_while(|sign| **sign == '#').count();
            at += hashes + 2;
            while at < chars.len()
                && !(is(at, '"') && (1..=hashes).all(|ahead| is(at + ahead, '#')))
            {
                at += 1;
            }
            at += hashes + 1;
        } else if first == '\'' {
            if is(at + 1, '\\') {
                at += 3;
                while at < chars.len() && !is(at, '\'') {
                    at += 1;
                }
                at += 1;
            } else if is(at + 2, '\'') {
                at += 3;
            } else {
                at += 1;
                while chars.get(at).is_some_and(|sign| sign.is_alphanumeric() || *sign == '_') {
                    at += 1;
                }
            }
        } else if first.is_alphanumeric() || first == '_' {
            let start = at;
            while chars.get(at).is_some_and(|sign| sign.is_alphanumeric() || *sign == '_') {
                at += 1;
            }
            words.push(chars[start..at].iter().collect());
        } else if first == ':' && is(at + 1, ':') {
            words.push("::".to_owned());
            at += 2;
        } else {
            if !first.is_whitespace() {
                words.push(first.to_string());
            }
            at += 1;
        }
    }
    words
}

// ---- circles

/// The sets of files that reach each other, each as one line.
fn circles(arrows: &BTreeSet<(String, String)>) -> Vec<String> {
    let mut reached: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, _) in arrows {
        let mut seen = BTreeSet::new();
        let mut next = vec![from.as_str()];
        while let Some(file) = next.pop() {
            for (_, to) in arrows.iter().filter(|(start, _)| start == file) {
                if seen.insert(to.as_str()) {
                    next.push(to);
                }
            }
        }
        reached.insert(from, seen);
    }
    let sets: BTreeSet<Vec<&str>> = reached
        .iter()
        .filter(|(file, seen)| seen.contains(*file))
        .map(|(file, seen)| {
            seen.iter()
                .copied()
                .filter(|other| reached.get(other).is_some_and(|back| back.contains(file)))
                .collect()
        })
        .collect();
    sets.iter()
        .map(|files| {
            let inner: Vec<String> = arrows
                .iter()
                .filter(|(from, to)| files.contains(&from.as_str()) && files.contains(&to.as_str()))
                .map(|(from, to)| format!("{from} -> {to}"))
                .collect();
            format!("a circle of {} files: {}", files.len(), inner.join(", "))
        })
        .collect()
}

// ---- the check itself

fn faults_of(files: &[(&str, &str)], rooms: &[&str]) -> Vec<String> {
    let sources =
        files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect();
    faults(&sources, rooms)
}

#[test]
fn an_arrow_up_is_found() {
    for text in [
        "use crate::low::Thing;",
        "use crate::{high, low::{Thing, Other as Another}};",
        "fn f() -> crate::low::Thing { super::low::thing() }",
        "mod inner { use super::super::low::Thing; }",
        "pub use crate::low::Thing; fn f(_: Thing) {}",
    ] {
        assert_eq!(
            faults_of(&[("high.rs", text), ("low.rs", "pub struct Thing;")], &["high", "low"]),
            ["high.rs uses low.rs, which is below it"],
            "{text}"
        );
    }
}

#[test]
fn what_is_no_use_is_let_pass() {
    for text in [
        "// use crate::low::Thing;\n/* crate::low */ const A: &str = \"use crate::low::Thing;\";",
        "#[cfg(test)] mod tests { use crate::low::Thing; fn f() { { crate::low::thing() } } }",
        "pub use crate::low::Thing; fn f<'a>(_: &'a str) -> char { '\"' }",
        "use other::low::Thing;",
    ] {
        let found =
            faults_of(&[("high.rs", text), ("low.rs", "pub struct Thing;")], &["high", "low"]);
        assert_eq!(found, [""; 0], "{text}");
    }
}

#[test]
fn a_room_without_a_place_is_found() {
    assert_eq!(
        faults_of(&[("lib.rs", "mod shed;"), ("shed/mod.rs", "")], &["high"]),
        ["shed/mod.rs: the room `shed` is not in the order"]
    );
}

#[test]
fn a_circle_of_files_is_found_through_re_exports() {
    let files = [
        ("room/mod.rs", "mod a; mod b; pub use a::A; pub use b::B;"),
        ("room/a.rs", "use super::B; pub struct A(B);"),
        ("room/b.rs", "use crate::room::A; pub struct B(A);"),
    ];
    assert_eq!(
        faults_of(&files, &["room"]),
        ["a circle of 2 files: room/a.rs -> room/b.rs, room/b.rs -> room/a.rs"]
    );
    let files = [
        ("room/mod.rs", "mod a; pub use a::A; pub struct B(A);"),
        ("room/a.rs", "use super::B; pub struct A(Box<B>);"),
    ];
    assert_eq!(
        faults_of(&files, &["room"]),
        ["a circle of 2 files: room/a.rs -> room/mod.rs, room/mod.rs -> room/a.rs"]
    );
}
