//! A query against all shards: what they find, and the best of it.

use std::thread;

use smooth_clir::engine::{EncodedQuery, Engine, Search};
use smooth_clir::ranking::scan::Scored;

use super::cluster::Cluster;
use super::documents::{Documents, divide};
use super::export::newest;
use super::lexical::{Lexical, ROUNDING};
use super::server::{Refused, Server};
use super::weights::{Weights, numbers};
use crate::error::Error;

/// Documents requested of each shard beyond those that are wanted, so that few queries need a
/// second look at those whose scores are about the last one's.
const MORE: usize = 32;
/// Of an answer's row: whether it is the count, the document or the count, the score.
const ROW_BYTES: usize = 1 + 8 + 8;

/// The best documents for an encoded query: the documents, scores and order of [`Engine::rank`].
///
/// # Errors
/// A shard that cannot be reached, or answered for other documents than the index has; what the
/// engine refuses.
pub fn best(
    cluster: &Cluster,
    documents: &Documents<'_>,
    engine: &Engine,
    encoded: &mut EncodedQuery,
    search: Search<'_>,
) -> Result<Vec<Scored>, Error> {
    check_version(cluster, documents)?;
    let is_hybrid = engine.has_lexical_scores() && search.dense != Some(1.0);
    let rank = |encoded: &mut EncodedQuery, search: Search<'_>, places: &[usize]| match is_hybrid {
        true => engine.rank_hybrid_among(encoded, search, places),
        false => engine.rank_among(encoded, search, places),
    };
    // What the engine refuses, it refuses before anything is sent.
    rank(encoded, search, &[])?;
    let is_found = encoded.query().is_some() || is_hybrid && engine.is_any_word_of(encoded);
    let wanted = search.limit.min(documents.len());
    if wanted == 0 || !is_found {
        return Ok(Vec::new());
    }
    let weights = Weights::new(documents, engine, encoded, search)?;
    let lexical = match is_hybrid && weights.most(1) > 0.0 {
        true => Lexical::new(documents, engine, encoded, search.language),
        false => Lexical::default(),
    };
    let dense = encoded.query().filter(|_| weights.most(0) > 0.0).map(|query| {
        let mut vector = query.vector().to_vec();
        divide(&mut vector, query.norm() + documents.epsilon());
        let difference = difference(documents, query, &vector);
        (product(&vector), difference)
    });
    let of_lexical = lexical.difference() * weights.most(1);
    let of_dense = dense.as_ref().map_or(0.0, |(_, difference)| difference * weights.most(0));
    let about = of_dense + of_lexical + f64::from(f32::MIN_POSITIVE);
    let question = Question {
        cluster,
        documents,
        dense: dense.map(|(product, _)| product),
        lexical,
        weights,
        language: search.language.and_then(|name| documents.language(name)),
    };

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
    let mut ranked = rank(encoded, all, &places)?;
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
    /// SCS, for a statement, if it counts.
    dense: Option<String>,
    lexical: Lexical,
    weights: Weights,
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
    /// documents whose scores here have the same bits the first `wanted`.
    fn ask(
        &self,
        shard: usize,
        wanted: usize,
        most: usize,
        bar: Option<f64>,
    ) -> Result<Vec<Hit>, Error> {
        let server = &self.cluster.servers[shard];
        let version = self.documents.version();
        let (table, words) =
            (self.cluster.shard(version, shard), self.cluster.words(version, shard));
        let scored = self.scored(&table, &words, bar.is_some());
        let best = match bar {
            None => {
                format!("SELECT id, score FROM ({scored}) ORDER BY score DESC, id LIMIT {most}")
            }
            Some(bar) => format!(
                "SELECT id, score FROM ({scored}) WHERE score >= {bar:?} ORDER BY id \
                 LIMIT {wanted} BY {}",
                self.twins().join(", ")
            ),
        };
        let count = |kind, table| {
            format!(
                " UNION ALL SELECT toUInt8({kind}) AS is_count, count() AS id, toFloat64(0) AS score FROM {table}"
            )
        };
        let of_words = if self.lexical.is_empty() { String::new() } else { count(2, &words) };
        // The counts are of the same statement as the scores, and come after them.
        let statement = format!(
            "SELECT is_count, id, score FROM (\
             SELECT toUInt8(0) AS is_count, id, score FROM ({best}){}{of_words}) \
             ORDER BY is_count, score DESC, id FORMAT RowBinary",
            count(1, &table)
        );
        let answer = server.ask(&statement).map_err(|refused| {
            server.refusal(refused, &format!("{table} does not exist: export the index again"))
        })?;
        self.read(server, shard, &answer)
    }

    /// A subquery for the `id` and the `score` of each document of a shard; with `twins`, also the columns of [`twins`](Self::twins).
    fn scored(&self, table: &str, words: &str, twins: bool) -> String {
        let Self { dense, lexical, weights, language, .. } = self;
        let lexical = Some(lexical).filter(|lexical| !lexical.is_empty());
        let weighted = |name: &str, number| match weights.expression(number) {
            None => name.to_owned(),
            Some(weight) => format!("{name} * {weight}"),
        };
        let parts =
            [dense.as_ref().map(|_| weighted("dense", 0)), lexical.map(|_| weighted("lexical", 1))];
        let mut score = parts.into_iter().flatten().collect::<Vec<_>>().join(" + ");
        if score.is_empty() {
            score = "toFloat64(0)".into();
        }
        let column = |expression: Option<&String>, name| {
            expression.map_or_else(String::new, |expression| format!(", {expression} AS {name}"))
        };
        let (of_dense, part) =
            (column(dense.as_ref(), "dense"), column(weights.part().as_ref(), "part"));
        let chosen =
            language.map_or_else(String::new, |number| format!(" WHERE language = {number}"));
        let documents = format!("SELECT id, language, twin{part}{of_dense} FROM {table}{chosen}");
        let joined = lexical.map_or_else(String::new, |lexical| {
            format!(" ANY LEFT JOIN ({}) AS words USING id", lexical.scores(words, twins))
        });
        let mut columns = vec!["id"];
        if twins {
            columns.extend(self.twins());
        }
        let columns = columns.join(", ");
        format!("SELECT {columns}, {score} AS score FROM ({documents}) AS documents{joined}")
    }

    /// Columns that are all the same for documents only if their scores here have the same bits.
    fn twins(&self) -> Vec<&'static str> {
        let mut columns = vec!["language"];
        columns.extend(self.weights.part().map(|_| "part"));
        columns.extend(self.dense.as_ref().map(|_| "twin"));
        if !self.lexical.is_empty() {
            columns.extend(["length", "trace"]);
        }
        columns
    }

    fn read(&self, server: &Server, shard: usize, answer: &[u8]) -> Result<Vec<Hit>, Error> {
        let shards = self.cluster.servers.len();
        let documents = self.documents.of_shard(shard, shards).map(|(_, batch)| batch.rows).sum();
        let words = match self.lexical.is_empty() {
            true => 0,
            false => self.documents.words().count(shard, shards),
        };
        let (rows, rest) = answer.as_chunks::<ROW_BYTES>();
        let (mut hits, mut counted): (Vec<Hit>, [Option<u64>; 2]) = Default::default();
        for &[is_count, a, b, c, d, e, f, g, h, ref score @ ..] in rows {
            let id = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            let score = f64::from_le_bytes(*score);
            match is_count {
                0 => hits.push(Hit { place: id as usize, score }),
                1 => counted[0] = Some(id),
                _ => counted[1] = Some(id),
            }
        }
        let [Some(of_documents), of_words] = counted else {
            return Err(server.error("its answer is incomplete"));
        };
        let of_words = of_words.unwrap_or(0);
        for (what, count, expected) in
            [("documents", of_documents, documents), ("words of documents", of_words, words)]
        {
            if count != expected {
                let problem = format!(
                    "it has {count} {what} of this version, expected {expected}: export the index again"
                );
                return Err(server.error(problem));
            }
        }
        match rest.is_empty() {
            true => Ok(hits),
            false => Err(server.error("its answer is incomplete")),
        }
    }
}

/// SCS of a row for a statement.
fn product(vector: &[f32]) -> String {
    format!("arraySum(arrayMap((x, y) -> toFloat64(x) * y, vec, [{}]))", numbers(vector))
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
    (of_sums + of_steps) * 1.01
}
