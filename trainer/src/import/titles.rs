//! The titles of a wiki's pages, and which document each leads to.

/// A title as it is compared: with spaces, and the first letter large.
pub fn normal(title: &str) -> String {
    let spaced = title.replace('_', " ");
    let mut letters = spaced.trim().chars();
    match letters.next() {
        Some(first) if first.is_lowercase() && first.to_uppercase().count() == 1 => {
            first.to_uppercase().chain(letters).collect()
        }
        Some(first) => std::iter::once(first).chain(letters).collect(),
        None => String::new(),
    }
}

/// Many titles, each with a number: some 16 bytes and the title's own for each.
#[derive(Debug, Default)]
pub struct Titles {
    bytes: String,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    start: u64,
    length: u32,
    number: u32,
}

impl Titles {
    /// Adds a title, to be found after [`sort`](Self::sort).
    pub fn push(&mut self, title: &str, number: u32) {
        let (start, length) = (self.bytes.len() as u64, title.len() as u32);
        self.entries.push(Entry { start, length, number });
        self.bytes.push_str(title);
    }

    /// Makes the titles to be found. Gives a title that is there twice.
    pub fn sort(&mut self) -> Option<&str> {
        let bytes = &self.bytes;
        self.entries.sort_unstable_by(|a, b| {
            text(bytes, a).cmp(text(bytes, b)).then(a.number.cmp(&b.number))
        });
        let mut pairs = self.entries.windows(2);
        let twice = pairs.find(|pair| text(bytes, &pair[0]) == text(bytes, &pair[1]));
        twice.map(|pair| text(bytes, &pair[0]))
    }

    /// The number of a title.
    pub fn get(&self, title: &str) -> Option<u32> {
        let found = self.entries.binary_search_by(|entry| text(&self.bytes, entry).cmp(title));
        found.ok().map(|place| self.entries[place].number)
    }

    /// All titles and numbers, sorted or in the order of [`push`](Self::push).
    pub fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        self.entries.iter().map(|entry| (text(&self.bytes, entry), entry.number))
    }
}

fn text<'a>(bytes: &'a str, entry: &Entry) -> &'a str {
    let start = entry.start as usize;
    &bytes[start..start + entry.length as usize]
}

/// A redirect that leads to a redirect is followed so often.
const MOST_STEPS: usize = 4;

/// The documents' titles and those of the redirects that lead to them. `redirects` has each redirect's
/// title with the place of its target in `targets`.
pub fn with_redirects(documents: Titles, mut redirects: Titles, targets: &[String]) -> Titles {
    redirects.sort();
    let mut found = Vec::new();
    for (title, target) in redirects.iter() {
        let mut target = &targets[target as usize];
        for _ in 0..MOST_STEPS {
            if let Some(document) = documents.get(target) {
                found.push((title, document));
                break;
            }
            let Some(next) = redirects.get(target) else { break };
            target = &targets[next as usize];
        }
    }
    let found: Vec<_> =
        found.into_iter().filter(|(title, _)| documents.get(title).is_none()).collect();
    let mut all = documents;
    for (title, document) in found {
        all.push(title, document);
    }
    // Of a title that is there twice, one leads on: the same one each time.
    all.sort();
    all.entries.dedup_by(|later, first| text(&all.bytes, later) == text(&all.bytes, first));
    all
}
