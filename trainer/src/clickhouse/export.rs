//! Writing documents to the tables of a new version, and making that the one that is read.

use std::collections::BTreeMap;
use std::thread;

use super::cluster::Cluster;
use super::documents::{self, Documents, Version};
use super::rows::{Batch, push_length};
use super::server::{Refused, Server};
use super::words;
use crate::error::Error;

/// The list of versions: that of the highest number is the newest.
const VERSIONS: &str = "number UInt64, version String, model String, epsilon Float32, documents UInt64, \
     dimension UInt32, shards UInt32";

/// What an export did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exported {
    /// Batches that were sent.
    pub sent: usize,
    /// Batches that were there already.
    pub there: usize,
    /// Tables of other versions that were dropped.
    pub dropped: usize,
}

/// Writes what is not there yet, checks that every shard has each of its rows once, and then adds the
/// version to the list. With `drop_old`, drops the tables of all others.
///
/// # Errors
/// Whatever a server refuses; what was read before is read still, and the same export again goes on
/// where this one ended.
pub fn export(
    cluster: &Cluster,
    documents: &Documents<'_>,
    drop_old: bool,
) -> Result<Exported, Error> {
    documents.words().check_names()?;
    let filled: Vec<Result<Filled, Error>> = thread::scope(|scope| {
        let start = |shard| scope.spawn(move || fill(cluster, documents, shard));
        let threads: Vec<_> = (0..cluster.servers.len()).map(start).collect();
        let stopped = || Err(Error::Thread { work: "the export", problem: "stopped".into() });
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| stopped())).collect()
    });
    let mut exported = Exported { sent: 0, there: 0, dropped: 0 };
    for filled in filled {
        let [sent, there] = filled?;
        exported.sent += sent;
        exported.there += there;
    }
    make_newest(cluster, documents)?;
    if drop_old {
        for server in &cluster.servers {
            for table in cluster.others(server, documents)? {
                server.tell(&format!("DROP TABLE IF EXISTS {table}"))?;
                exported.dropped += 1;
            }
        }
    }
    Ok(exported)
}

/// Adds a version to the list, by one row, if it is not the newest.
fn make_newest(cluster: &Cluster, documents: &Documents<'_>) -> Result<(), Error> {
    let Some(server) = cluster.servers.first() else { return Ok(()) };
    let (versions, shards) = (cluster.versions(), cluster.servers.len());
    let create = format!(
        "CREATE TABLE IF NOT EXISTS {versions} ({VERSIONS}) ENGINE = MergeTree ORDER BY number"
    );
    server.tell(&create)?;
    if newest(cluster)? == Some((documents.version(), shards)) {
        return Ok(());
    }
    let last = server.numbers(&format!("SELECT max(number) FROM {versions}"));
    let last =
        last.map_err(|refused| server.refusal(refused, "the table was dropped meanwhile"))?;
    let last = last.first().and_then(|line| line.first()).copied();
    let last = last.ok_or_else(|| server.error("its answer is not a number"))?;
    let row = row_of_versions(last + 1, documents, shards);
    server.insert(&format!("INSERT INTO {versions} FORMAT RowBinary"), &row)
}

/// A row of [`VERSIONS`], in RowBinary.
fn row_of_versions(number: u64, documents: &Documents<'_>, shards: usize) -> Vec<u8> {
    let mut row = number.to_le_bytes().to_vec();
    for text in [&*documents.version().to_string(), documents.model()] {
        push_length(&mut row, text.len());
        row.extend(text.as_bytes());
    }
    row.extend(documents.epsilon().to_le_bytes());
    row.extend((documents.len() as u64).to_le_bytes());
    row.extend((documents.dimension() as u32).to_le_bytes());
    row.extend((shards as u32).to_le_bytes());
    row
}

/// The version that was added last, and how many shards it has.
pub fn newest(cluster: &Cluster) -> Result<Option<(Version, usize)>, Error> {
    let Some(server) = cluster.servers.first() else { return Ok(None) };
    let versions = cluster.versions();
    let statement =
        format!("SELECT version, shards FROM {versions} ORDER BY number DESC, version LIMIT 1");
    let answer = match server.ask(&statement) {
        Err(Refused::NotThere) => return Ok(None),
        answer => answer.map_err(|refused| server.refusal(refused, ""))?,
    };
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let Some(line) = answer.lines().next() else { return Ok(None) };
    let newest = line
        .split_once('\t')
        .and_then(|(version, shards)| Some((Version::read(version)?, shards.parse().ok()?)));
    let wrong = || server.error(format!("{versions} has a row that no export writes"));
    newest.map(Some).ok_or_else(wrong)
}

/// The sent batches, and those that were there already.
type Filled = [usize; 2];

/// Fills the tables of a shard.
fn fill(cluster: &Cluster, documents: &Documents<'_>, shard: usize) -> Result<Filled, Error> {
    let (server, shards) = (&cluster.servers[shard], cluster.servers.len());
    server.tell(&format!("CREATE DATABASE IF NOT EXISTS {}", cluster.database()))?;
    let batches = documents.of_shard(shard, shards);
    let of_documents = Table {
        server,
        name: cluster.shard(documents.version(), shard),
        columns: documents::COLUMNS,
        engine: "ENGINE = MergeTree ORDER BY id",
        sum: documents::SUM_OF_ROW,
        wrong: format!(
            "count() - uniqExact(id) + countIf(length(vec) != {})",
            documents.dimension()
        ),
        expected: batches.map(|(number, batch)| (number as u64, batch)).collect(),
    };
    let [mut sent, mut there] = of_documents.fill(|batch| documents.rows(batch as usize))?;
    let words = documents.words();
    if !words.are_none() {
        let of_words = Table {
            server,
            name: cluster.words(documents.version(), shard),
            columns: words::COLUMNS,
            engine: words::ENGINE,
            sum: words::SUM_OF_ROW,
            wrong: "toUInt64(0)".into(),
            expected: words.of_shard(shard, shards),
        };
        let filled = of_words.fill(words.rows(shard, shards))?;
        sent += filled[0];
        there += filled[1];
    }
    Ok([sent, there])
}

/// A table that is filled.
struct Table<'a> {
    server: &'a Server,
    name: String,
    columns: &'static str,
    engine: &'static str,
    /// The sum of a row, for a statement.
    sum: &'static str,
    /// How many rows of a batch are wrong in other ways, for a statement.
    wrong: String,
    /// How each batch must be, by its number.
    expected: BTreeMap<u64, Batch>,
}

impl Table<'_> {
    /// Sends the batches that are not there: how many, and how many were.
    fn fill(&self, mut rows: impl FnMut(u64) -> Vec<u8>) -> Result<Filled, Error> {
        let Self { server, name, expected, .. } = self;
        self.create()?;
        let mut there = self.there()?;
        if there.iter().any(|(batch, found)| expected.get(batch) != Some(found)) {
            eprintln!("{}: {name} has unexpected rows and is built again", server.address());
            server.tell(&format!("DROP TABLE {name}"))?;
            self.create()?;
            there.clear();
        }
        let statement = format!("INSERT INTO {name} FORMAT RowBinary");
        for &batch in expected.keys().filter(|batch| !there.contains_key(batch)) {
            server.insert(&statement, &rows(batch))?;
        }
        if self.there()? != *expected {
            let problem = format!(
                "{name} has missing or duplicate rows: another export may be writing it; try again"
            );
            return Err(server.error(problem));
        }
        Ok([expected.len() - there.len(), there.len()])
    }

    fn create(&self) -> Result<(), Error> {
        let Self { server, name, columns, engine, .. } = self;
        server.tell(&format!("CREATE TABLE IF NOT EXISTS {name} ({columns}) {engine}"))?;
        Ok(())
    }

    /// How each batch that is there is. One with a row twice has a sum or a count of its own.
    fn there(&self) -> Result<BTreeMap<u64, Batch>, Error> {
        let Self { server, name, sum, wrong, .. } = self;
        let statement =
            format!("SELECT batch, count(), sum({sum}), {wrong} FROM {name} GROUP BY batch");
        let lines = server.numbers(&statement);
        let lines =
            lines.map_err(|refused| server.refusal(refused, "the table was dropped meanwhile"))?;
        let mut batches = BTreeMap::new();
        for line in lines {
            let &[batch, rows, sum, wrong] = &line[..] else {
                return Err(server.error("unexpected columns in its answer"));
            };
            // A batch with wrong rows equals none that is expected.
            let rows = if wrong == 0 { rows } else { u64::MAX };
            batches.insert(batch, Batch { rows, sum });
        }
        Ok(batches)
    }
}
