//! A query against all shards: what they find, and the best of it.

use std::thread;

use smooth_clir::engine::{EncodedQuery, Engine, Search};
use smooth_clir::ranking::scan::Scored;

use super::cluster::Cluster;
use super::documents::{Documents, divide};
use super::export::newest;
use super::server::{Refused, Server};
use crate::error::Error;

/// Documents requested of each shard beyond those that are wanted, so that few queries need a
/// second look at those whose scores are about the last one's.
const MORE: usize = 32;
/// The half of a unit in the last place of f32 numbers from 1 to 2.
const ROUNDING: f64 = 1.0 / (1 << 24) as f64;
/// Of an answer's row: whether it is the count, the document or the count, the score.
const ROW_BYTES: usize = 1 + 8 + 8;

/// The best documents for an encoded query, by smooth cosine similarity alone: the documents,
/// scores and order of [`Engine::rank`] where all is dense.
///
/// # Errors
/// A shard that cannot be reached, or answered for other documents than the index has; what the
/// engine refuses.
pub fn best(
    cluster: &Cluster,
    documents: &Documents<'_>,
    engine: &Engine,
    encoded: &EncodedQuery,
    search: Search<'_>,
) -> Result<Vec<Scored>, Error> {
    check_version(cluster, documents)?;
    // What the engine refuses, it refuses before anything is sent.
    engine.rank_among(encoded, search, &[])?;
    let Some(query) = encoded.query() else { return Ok(Vec::new()) };
    let wanted = search.limit.min(documents.len());
    if wanted == 0 {
        return Ok(Vec::new());
    }
    let languages = documents.languages().iter();
    let weights = languages.map(|language| engine.weight_of_scs(language, search.epsilon));
    let weights: Vec<f32> = weights.collect::<Result<_, _>>()?;
    let mut vector = query.vector().to_vec();
    divide(&mut vector, query.norm() + documents.epsilon());
    let question = Question {
        cluster,
        documents,
        score: score(&vector, &weights),
        language: search.language.and_then(|name| documents.language(name)),
    };
    let about = difference(documents, query, &vector)
        * weights.iter().fold(0.0, |most, &w| f64::max(most, w.into()));

    let mut found = question.ask_all(wanted, wanted + MORE, None)?;
    let last = |found: &[Vec<Hit>]| {
        let mut scores: Vec<f64> = found.iter().flatten().map(|hit| hit.score).collect();
        scores.sort_by(|a, b| b.total_cmp(a));
        scores.get(wanted - 1).copied()
    };
    // Whatever the scan finds scores no less than this here; of equal documents it finds the first.
    let bar = last(&found).map_or(f64::NEG_INFINITY, |last| last - 2.0 * about);
    let is_cut = |hits: &Vec<Hit>| {
        hits.len() == wanted + MORE && hits.last().is_some_and(|hit| hit.score >= bar)
    };
    if found.iter().any(is_cut) {
        found = question.ask_all(wanted, usize::MAX, Some(bar))?;
    }

    let mut hits: Vec<(usize, Hit)> = found
        .into_iter()
        .enumerate()
        .flat_map(|(shard, hits)| hits.into_iter().map(move |hit| (shard, hit)))
        .collect();
    hits.sort_by_key(|(_, hit)| hit.place);
    let places: Vec<usize> = hits.iter().map(|(_, hit)| hit.place).collect();
    let all = Search { limit: places.len(), ..search };
    let mut ranked = engine.rank_among(encoded, all, &places)?;
    for scored in &ranked {
        let of_shard = hits.binary_search_by_key(&scored.position, |(_, hit)| hit.place);
        let Some((shard, hit)) = of_shard.ok().and_then(|at| hits.get(at)) else { continue };
        if (hit.score - f64::from(scored.score)).abs() > about {
            let (place, there, here) = (hit.place, hit.score, scored.score);
            let problem = format!(
                "document {place} scores {there} on the server and {here} here: its table was changed"
            );
            return Err(cluster.servers[*shard].error(problem));
        }
    }
    if ranked.len() != hits.len() {
        return Err(cluster.servers[0].error("a document was found twice, or is not in the index"));
    }
    ranked.truncate(wanted);
    Ok(ranked)
}

/// Refuses tables that do not hold these documents.
fn check_version(cluster: &Cluster, documents: &Documents<'_>) -> Result<(), Error> {
    let Some(server) = cluster.servers.first() else { return Ok(()) };
    let (versions, version, shards) =
        (cluster.versions(), documents.version(), cluster.servers.len());
    let statement =
        format!("SELECT count() FROM {versions} WHERE version = '{version}' AND shards = {shards}");
    let count = match server.numbers(&statement) {
        Err(Refused::NotThere) => Vec::new(),
        count => count.map_err(|refused| server.refusal(refused, ""))?,
    };
    if count.first().and_then(|line| line.first()).is_some_and(|&count| count > 0) {
        return Ok(());
    }
    let epsilon = documents.epsilon();
    let problem = match newest(cluster)? {
        None => format!(
            "{versions} does not exist: export the index to this server; every list of servers must begin with the same one"
        ),
        Some((found, servers)) if found == version => {
            format!("the index is on {servers} servers, not on {shards}: name all of them")
        }
        Some((found, _)) => format!(
            "the newest version is {found}, and this index at epsilon {epsilon} is {version}, which was not exported"
        ),
    };
    Err(server.error(problem))
}

/// A document that a shard found.
#[derive(Debug, Clone, Copy)]
struct Hit {
    place: usize,
    score: f64,
}

/// A query as it is sent to the shards.
struct Question<'a> {
    cluster: &'a Cluster,
    documents: &'a Documents<'a>,
    score: String,
    language: Option<usize>,
}

impl Question<'_> {
    /// Asks all shards at once; see [`ask`](Self::ask).
    fn ask_all(
        &self,
        wanted: usize,
        most: usize,
        bar: Option<f64>,
    ) -> Result<Vec<Vec<Hit>>, Error> {
        let found: Vec<Result<Vec<Hit>, Error>> = thread::scope(|scope| {
            let ask = |shard| scope.spawn(move || self.ask(shard, wanted, most, bar));
            let threads: Vec<_> = (0..self.cluster.servers.len()).map(ask).collect();
            let stopped = || Err(Error::Thread { work: "the search", problem: "stopped".into() });
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| stopped())).collect()
        });
        found.into_iter().collect()
    }

    /// The best documents of a shard, `most` of them; or all that score no less than a bar, of
    /// documents with the same vector the first `wanted`.
    fn ask(
        &self,
        shard: usize,
        wanted: usize,
        most: usize,
        bar: Option<f64>,
    ) -> Result<Vec<Hit>, Error> {
        let server = &self.cluster.servers[shard];
        let table = self.cluster.shard(self.documents.version(), shard);
        let language = self.language.map(|number| format!("language = {number}"));
        let conditions: Vec<String> =
            language.into_iter().chain(bar.map(|bar| format!("score >= {bar:?}"))).collect();
        let chosen = match conditions.is_empty() {
            true => String::new(),
            false => format!("WHERE {}", conditions.join(" AND ")),
        };
        let limit = match bar {
            None => format!("LIMIT {most}"),
            Some(_) => format!("LIMIT {wanted} BY vec, language"),
        };
        let score = &self.score;
        // The count is of the same statement as the scores, and comes after them.
        let statement = format!(
            "SELECT is_count, id, score FROM (\
             SELECT toUInt8(0) AS is_count, id, score FROM (\
             SELECT id, {score} AS score FROM {table} {chosen} ORDER BY score DESC, id {limit}) \
             UNION ALL SELECT toUInt8(1) AS is_count, count() AS id, toFloat64(0) AS score FROM {table}) \
             ORDER BY is_count, score DESC, id FORMAT RowBinary"
        );
        let answer = server.ask(&statement).map_err(|refused| {
            server.refusal(refused, &format!("{table} does not exist: export the index again"))
        })?;
        self.read(server, shard, &answer)
    }

    fn read(&self, server: &Server, shard: usize, answer: &[u8]) -> Result<Vec<Hit>, Error> {
        let expected: u64 = self
            .documents
            .of_shard(shard, self.cluster.servers.len())
            .map(|(_, batch)| batch.documents)
            .sum();
        let (rows, rest) = answer.as_chunks::<ROW_BYTES>();
        let mut hits: Vec<Hit> = Vec::new();
        let mut counted = None;
        for &[is_count, a, b, c, d, e, f, g, h, ref score @ ..] in rows {
            let id = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            let score = f64::from_le_bytes(*score);
            match is_count {
                0 => hits.push(Hit { place: id as usize, score }),
                _ => counted = Some(id),
            }
        }
        match counted {
            Some(count) if count == expected && rest.is_empty() => Ok(hits),
            Some(count) if rest.is_empty() => {
                let problem = format!(
                    "it has {count} documents of this version, expected {expected}: export the index again"
                );
                Err(server.error(problem))
            }
            _ => Err(server.error("its answer is incomplete")),
        }
    }
}

/// The score of a row for a statement.
fn score(vector: &[f32], weights: &[f32]) -> String {
    let numbers = |vector: &[f32]| {
        let numbers: Vec<String> = vector.iter().map(|&x| format!("{:?}", f64::from(x))).collect();
        numbers.join(", ")
    };
    let product =
        format!("arraySum(arrayMap((x, y) -> toFloat64(x) * y, vec, [{}]))", numbers(vector));
    if weights.iter().all(|&weight| weight == 1.0) {
        return product;
    }
    let languages: Vec<String> = (0..weights.len()).map(|number| number.to_string()).collect();
    format!(
        "{product} * transform(language, [{}], [{}], 0.)",
        languages.join(", "),
        numbers(weights)
    )
}

/// How far the scan's score, in f32, can be from that of a server, in f64 of f32 numbers, at most.
///
/// The scan's sum takes `p/16` steps in each of 16 lanes and four more; norms and quotients on both
/// sides less than 16 more. To documents of eight bits it brings a query in whole steps.
fn difference(
    documents: &Documents<'_>,
    query: &smooth_clir::ranking::scan::Query,
    vector: &[f32],
) -> f64 {
    let steps = documents.dimension() as f64 / 16.0 + 20.0;
    let norm: f64 = vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    let of_sums = steps * ROUNDING * norm * documents.largest();
    let half_step = f64::from(query.scale()) / 2.0 / f64::from(query.norm() + documents.epsilon());
    let of_steps = match documents.are_rounded() && half_step.is_finite() {
        true => half_step * (documents.dimension() as f64).sqrt() * documents.largest(),
        false => 0.0,
    };
    (of_sums + of_steps) * 1.01 + f64::from(f32::MIN_POSITIVE)
}
