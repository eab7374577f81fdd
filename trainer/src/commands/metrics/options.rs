//! The options of `metrics`.

use std::path::PathBuf;

use clap::Args;
use smooth_clir::ranking::metrics::Metric;

use crate::terminal::values::metric;

const COMPARISON: &str = "Comparison of two runs";

/// `metrics`
#[derive(Debug, Args)]
pub struct MetricsOptions {
    /// A TREC run; given twice, the second is compared with the first
    #[arg(long = "run", value_name = "FILE", required = true)]
    pub runs: Vec<PathBuf>,
    /// TREC qrels
    #[arg(long, value_name = "FILE")]
    pub qrels: PathBuf,
    /// Metrics, separated by commas, instead of the first paper's seven: ndcg@10, map, mrr@10, success@3, P@5, recall@100,
    /// Rprec, or as trec_eval names them (ndcg_cut_10, recip_rank, success_3, P_5, recall_100), with any cut-off. A
    /// document is relevant from grade 1; from 2 with `(rel=2)`, as in 'success(rel=2)@3'. All queries of the qrels
    /// count, as for trec_eval -c
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = metric)]
    pub metrics: Vec<Metric>,
    /// Write each query's metrics to a file: a line of names, then a line for each query, separated by tabs
    #[arg(long, value_name = "FILE")]
    pub per_query: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Random choices of signs for the randomisation test, and samples for the interval [default: 10000]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=10_000_000), allow_negative_numbers = true, help_heading = COMPARISON)]
    pub draws: Option<u32>,
    /// The seed of these choices [default: 1]
    #[arg(long, allow_negative_numbers = true, help_heading = COMPARISON)]
    pub seed: Option<u64>,
}
