//! Writing documents to the tables of a new version, and making that the one that is read.

use std::collections::BTreeMap;
use std::thread;

use super::cluster::Cluster;
use super::documents::{Batch, COLUMNS, Documents, SUM_OF_ROW, Version, push_length};
use super::server::{Refused, Server};
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
    let fill = |shard| move || Shard { cluster, documents, shard }.fill();
    let filled: Vec<Result<[usize; 2], Error>> = thread::scope(|scope| {
        let threads = (0..cluster.servers.len()).map(|shard| scope.spawn(fill(shard)));
        let threads: Vec<_> = threads.collect();
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

/// A shard that is filled.
struct Shard<'a> {
    cluster: &'a Cluster,
    documents: &'a Documents<'a>,
    shard: usize,
}

impl Shard<'_> {
    /// Sends the batches that are not there: how many, and how many were.
    fn fill(&self) -> Result<[usize; 2], Error> {
        let (server, table) = (self.server(), self.table());
        let expected = self.expected();
        self.create()?;
        let mut there = self.there()?;
        if there.iter().any(|(batch, found)| expected.get(batch) != Some(found)) {
            eprintln!("{}: {table} has unexpected rows and is built again", server.address());
            server.tell(&format!("DROP TABLE {table}"))?;
            self.create()?;
            there.clear();
        }
        let statement = format!("INSERT INTO {table} FORMAT RowBinary");
        for &batch in expected.keys().filter(|batch| !there.contains_key(batch)) {
            server.insert(&statement, &self.documents.rows(batch as usize))?;
        }
        if self.there()? != expected {
            let problem = format!(
                "{table} has missing or duplicate rows: another export may be writing it; try again"
            );
            return Err(server.error(problem));
        }
        Ok([expected.len() - there.len(), there.len()])
    }

    fn server(&self) -> &Server {
        &self.cluster.servers[self.shard]
    }

    fn table(&self) -> String {
        self.cluster.shard(self.documents.version(), self.shard)
    }

    fn create(&self) -> Result<(), Error> {
        let (database, table) = (self.cluster.database(), self.table());
        self.server().tell(&format!("CREATE DATABASE IF NOT EXISTS {database}"))?;
        let engine = "ENGINE = MergeTree ORDER BY id";
        self.server().tell(&format!("CREATE TABLE IF NOT EXISTS {table} ({COLUMNS}) {engine}"))?;
        Ok(())
    }

    /// How each batch must be, by its number.
    fn expected(&self) -> BTreeMap<u64, Batch> {
        let batches = self.documents.of_shard(self.shard, self.cluster.servers.len());
        batches.map(|(number, batch)| (number as u64, batch)).collect()
    }

    /// How each batch that is there is. One with a row twice has a sum or a count of its own.
    fn there(&self) -> Result<BTreeMap<u64, Batch>, Error> {
        let (server, table) = (self.server(), self.table());
        let dimension = self.documents.dimension();
        let statement = format!(
            "SELECT batch, count(), uniqExact(id), sum({SUM_OF_ROW}), countIf(length(vec) != {dimension}) \
             FROM {table} GROUP BY batch"
        );
        let lines = server.numbers(&statement);
        let lines =
            lines.map_err(|refused| server.refusal(refused, "the table was dropped meanwhile"))?;
        let mut batches = BTreeMap::new();
        for line in lines {
            let &[batch, rows, documents, sum, others] = &line[..] else {
                return Err(server.error("unexpected columns in its answer"));
            };
            // What is there twice, or has another length, equals no batch that is expected.
            let is_good = rows == documents && others == 0;
            let documents = if is_good { documents } else { u64::MAX };
            batches.insert(batch, Batch { documents, sum });
        }
        Ok(batches)
    }
}
