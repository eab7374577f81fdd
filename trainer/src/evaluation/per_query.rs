//! The metrics of each query as a file.

/// The values of each query as lines of tab-separated columns, with a head of `query` and `names`.
pub fn per_query<'a>(
    names: &[String],
    queries: impl Iterator<Item = (&'a str, &'a [f64])>,
) -> String {
    let mut lines = format!("query\t{}\n", names.join("\t"));
    for (query, values) in queries {
        let values: Vec<String> = values.iter().map(f64::to_string).collect();
        lines.push_str(&format!("{query}\t{}\n", values.join("\t")));
    }
    lines
}
