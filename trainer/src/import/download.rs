//! The dumps, fetched from a mirror of dumps.wikimedia.org.
//!
//! A file is written beside its place, goes on from where it stopped, and gets its name once its SHA-1 is
//! the one that the dump's own list tells.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sha1::Sha1;
use ureq::Agent;
use ureq::http::{Response, StatusCode};

use super::options::Wikipedia;
use super::progress::Progress;
use crate::error::Error;
use crate::files::{self, own};
use crate::limits::import::SUMS_BYTES;

/// How often a request is made again that brought nothing.
const MOST_ATTEMPTS: u32 = 6;
/// What is asked for by whom, as Wikimedia wants to be told.
const USER_AGENT: &str = concat!("smooth-clir/", env!("CARGO_PKG_VERSION"), " (import wikipedia)");

/// Fetches what an import reads and is not there. The date of each wiki's dump.
///
/// # Errors
/// If a list or a file cannot be fetched, or is not what the list says.
pub fn run(options: &Wikipedia, wikis: &[String; 2]) -> Result<[String; 2], Error> {
    files::make_folder(&options.dumps)?;
    let agent = Agent::config_builder()
        .http_status_as_error(false)
        .user_agent(USER_AGENT)
        .timeout_connect(Some(Duration::from_secs(30)))
        .timeout_recv_response(Some(Duration::from_secs(60)))
        .build();
    let wait = Duration::from_millis(options.retry_milliseconds);
    let mirror = Mirror { agent: agent.into(), base: options.mirror.trim_end_matches('/'), wait };
    let [from, to] = wikis;
    let date = options.date.as_deref();
    Ok([
        mirror.fetch_all(&options.dumps, from, date, &["langlinks.sql.gz"])?,
        mirror.fetch_all(&options.dumps, to, date, &["linktarget.sql.gz", "pagelinks.sql.gz"])?,
    ])
}

struct Mirror<'a> {
    agent: Agent,
    base: &'a str,
    wait: Duration,
}

impl Mirror<'_> {
    /// The pages and these tables of a wiki. Their date.
    fn fetch_all(
        &self,
        folder: &Path,
        wiki: &str,
        date: Option<&str>,
        tables: &[&str],
    ) -> Result<String, Error> {
        let date = date.unwrap_or("latest");
        let url = format!("{}/{wiki}/{date}/{wiki}-{date}-sha1sums.txt", self.base);
        let list = self.list(&url)?;
        let sums: Vec<(&str, &str)> =
            list.lines().filter_map(|line| line.split_once("  ")).collect();
        let own = |name: &str| {
            let (date, rest) = name.strip_prefix(wiki)?.strip_prefix('-')?.split_once('-')?;
            Some((date.to_owned(), rest.to_owned()))
        };
        let find = |rest: &str| {
            let found = sums.iter().find(|(_, name)| own(name).is_some_and(|(_, own)| own == rest));
            found.and_then(|&(sum, name)| Some((sum, name, own(name)?.0)))
        };
        let missing = |name: &str| Error::data(Path::new(&url), format!("it does not list {name}"));
        let pages = ["pages-articles-multistream.xml.bz2", "pages-articles.xml.bz2"];
        let pages = pages.into_iter().find_map(find).ok_or_else(|| missing(pages[1]))?;
        let date = pages.2.clone();
        let mut wanted = vec![pages];
        for table in tables {
            wanted.push(find(table).ok_or_else(|| missing(table))?);
        }
        // A wiki may be without.
        wanted.extend(find("page_props.sql.gz"));
        for (sum, name, date) in wanted {
            let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
            if !is_name || sum.len() != 40 {
                return Err(Error::data(Path::new(&url), format!("`{name}` with sum `{sum}`")));
            }
            let url = format!("{}/{wiki}/{date}/{name}", self.base);
            self.fetch(&url, &folder.join(name), sum)?;
        }
        Ok(date)
    }

    /// A list as text.
    fn list(&self, url: &str) -> Result<String, Error> {
        let mut text = String::new();
        self.again(url, &mut || {
            text.clear();
            let response = self.get(url, 0)?;
            response.into_body().into_reader().take(SUMS_BYTES).read_to_string(&mut text)?;
            Ok(true)
        })?;
        Ok(text)
    }

    /// A file whose SHA-1 is known.
    fn fetch(&self, url: &str, path: &Path, sum: &str) -> Result<(), Error> {
        if path.exists() {
            let there = files::digest_by::<Sha1>(path)?;
            if there == sum {
                return Ok(());
            }
            let problem = format!("its SHA-1 is {there}, the dump's list says {sum}: remove it");
            return Err(Error::data(path, problem));
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        let what = name.to_string_lossy().into_owned();
        name.push(".part");
        let part = path.with_file_name(name);
        let mut progress: Option<Arc<Progress>> = None;
        self.again(url, &mut || {
            let mut file = own::open(&part)?;
            let there = file.seek(SeekFrom::End(0))?;
            let response = self.get(url, there)?;
            let mut had = there;
            match response.status() {
                // All of it is there already.
                StatusCode::RANGE_NOT_SATISFIABLE => return Ok(true),
                StatusCode::PARTIAL_CONTENT => {}
                // The server knows no ranges.
                _ => {
                    file.set_len(0)?;
                    had = file.seek(SeekFrom::Start(0))?;
                }
            }
            let length = response.body().content_length();
            let progress = progress
                .get_or_insert_with(|| Arc::new(Progress::new(&what, had + length.unwrap_or(0))));
            let count = copy(&mut response.into_body().into_reader(), &mut file, progress);
            let complete = match (&count, length) {
                (Ok(count), Some(length)) => *count == length,
                (Ok(_), None) => true,
                (Err(_), _) => false,
            };
            match complete {
                true => Ok(true),
                // Some of it came: the attempt did not fail.
                false if file.stream_position()? > had => Ok(false),
                false => Err(count.err().unwrap_or_else(|| io::Error::other("it ended early"))),
            }
        })?;
        let found = files::digest_by::<Sha1>(&part)?;
        if found != sum {
            fs::remove_file(&part).map_err(|source| Error::Write { path: part, source })?;
            let problem = format!("its SHA-1 is {found}, the dump's list says {sum}");
            return Err(Error::data(Path::new(url), problem));
        }
        fs::rename(&part, path).map_err(|source| Error::Write { path: path.into(), source })?;
        if let Some(progress) = progress {
            progress.finish("fetched");
        }
        Ok(())
    }

    /// Does something again until it is done, or has failed too often; longer and longer apart.
    fn again(&self, url: &str, work: &mut dyn FnMut() -> io::Result<bool>) -> Result<(), Error> {
        let mut attempts = 0;
        loop {
            match work() {
                Ok(true) => return Ok(()),
                Ok(false) => attempts = 0,
                Err(source) => {
                    attempts += 1;
                    if attempts == MOST_ATTEMPTS || source.kind() == io::ErrorKind::NotFound {
                        return Err(Error::Read { path: url.into(), source });
                    }
                }
            }
            std::thread::sleep(self.wait * (1 << attempts));
        }
    }

    /// A response that has what was asked for, from a byte on.
    fn get(&self, url: &str, from: u64) -> io::Result<Response<ureq::Body>> {
        let mut request = self.agent.get(url);
        if from > 0 {
            request = request.header("Range", format!("bytes={from}-"));
        }
        let response = request.call().map_err(|error| io::Error::other(error.to_string()))?;
        let status = response.status();
        match status {
            _ if status.is_success() => Ok(response),
            StatusCode::RANGE_NOT_SATISFIABLE if from > 0 => Ok(response),
            // Nothing will be there when it is asked for again.
            StatusCode::NOT_FOUND | StatusCode::FORBIDDEN | StatusCode::GONE => {
                Err(io::Error::new(io::ErrorKind::NotFound, format!("the server says {status}")))
            }
            _ => Err(io::Error::other(format!("the server says {status}"))),
        }
    }
}

/// Copies to the end, or as far as it goes.
fn copy(from: &mut impl Read, to: &mut File, progress: &Progress) -> io::Result<u64> {
    let mut buffer = vec![0; 1 << 16];
    let mut count = 0;
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(count),
            read => {
                to.write_all(&buffer[..read])?;
                count += read as u64;
                progress.advance(read as u64);
            }
        }
    }
}
