//! What is counted, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The upper ends of the histogram's buckets, in seconds.
const ENDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// The requests there were.
#[derive(Default)]
pub struct Metrics {
    in_flight: AtomicU64,
    answered: Mutex<Answered>,
}

#[derive(Default)]
struct Answered {
    /// By route and status.
    requests: BTreeMap<(&'static str, u16), u64>,
    /// By route.
    latency: BTreeMap<&'static str, Histogram>,
}

#[derive(Default)]
struct Histogram {
    /// How many were in each bucket, those beyond the last left out.
    counts: [u64; ENDS.len()],
    count: u64,
    sum: f64,
}

/// What there is beside requests.
pub struct State {
    /// Searchable documents.
    pub documents: usize,
    /// Rankings in progress.
    pub rankings: usize,
    /// How often model and index were opened again.
    pub reopened: u64,
    /// How often they could not be.
    pub failed: u64,
}

/// A request under way, until it is dropped.
pub struct UnderWay<'a>(&'a Metrics);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    /// Counts a request as under way.
    pub fn begin(&self) -> UnderWay<'_> {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        UnderWay(self)
    }

    /// Counts an answer.
    pub fn answered(&self, route: &'static str, status: u16, took: Duration) {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        *answered.requests.entry((route, status)).or_default() += 1;
        answered.latency.entry(route).or_default().add(took.as_secs_f64());
    }

    /// All of it, as text.
    pub fn to_text(&self, state: &State) -> String {
        let mut text = String::new();
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        head(&mut text, "requests_total", "counter", "Answered requests.");
        for ((route, status), count) in &answered.requests {
            let labels = format!("{{route=\"{route}\",status=\"{status}\"}}");
            line(&mut text, &format!("requests_total{labels}"), count);
        }
        head(&mut text, "request_seconds", "histogram", "Time from request to answer.");
        for (route, histogram) in &answered.latency {
            histogram.tell(&mut text, route);
        }
        drop(answered);
        let in_flight = self.in_flight.load(Ordering::Relaxed);
        for (name, kind, help, value) in [
            ("requests_in_flight", "gauge", "Requests in progress, including this one.", in_flight),
            ("rankings", "gauge", "Rankings in progress.", state.rankings as u64),
            ("documents", "gauge", "Searchable documents.", state.documents as u64),
            (
                "reopened_total",
                "counter",
                "Number of times that the index was reopened.",
                state.reopened,
            ),
            (
                "reopen_failures_total",
                "counter",
                "Number of failed attempts to reopen the index.",
                state.failed,
            ),
        ] {
            head(&mut text, name, kind, help);
            line(&mut text, name, value);
        }
        text
    }
}

impl Histogram {
    fn add(&mut self, seconds: f64) {
        if let Some(bucket) = ENDS.iter().position(|&end| seconds <= end) {
            self.counts[bucket] += 1;
        }
        self.count += 1;
        self.sum += seconds;
    }

    fn tell(&self, text: &mut String, route: &str) {
        let mut sum = 0;
        for (end, count) in ENDS.iter().zip(self.counts) {
            sum += count;
            let name = format!("request_seconds_bucket{{route=\"{route}\",le=\"{end}\"}}");
            line(text, &name, sum);
        }
        let name = format!("request_seconds_bucket{{route=\"{route}\",le=\"+Inf\"}}");
        line(text, &name, self.count);
        line(text, &format!("request_seconds_sum{{route=\"{route}\"}}"), self.sum);
        line(text, &format!("request_seconds_count{{route=\"{route}\"}}"), self.count);
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    // A string always takes more.
    let _ = writeln!(text, "# HELP smooth_clir_{name} {help}\n# TYPE smooth_clir_{name} {kind}");
}

fn line(text: &mut String, name: &str, value: impl std::fmt::Display) {
    let _ = writeln!(text, "smooth_clir_{name} {value}");
}
