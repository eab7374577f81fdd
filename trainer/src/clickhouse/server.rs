//! One ClickHouse server, over HTTP.

use std::env;
use std::time::Duration;

use ureq::http::{HeaderValue, StatusCode};
use ureq::{Agent, Timeout};

use crate::error::Error;
use crate::limits::clickhouse::{ANSWER_BYTES, SHOWN_CHARACTERS};

/// ClickHouse's numbers for an unknown user and a wrong or missing password.
const NOT_LET_IN: [u64; 4] = [192, 193, 194, 516];
/// And for a table or database that is not there.
const NOT_THERE: [u64; 2] = [60, 81];
/// Servers take longer statements only if they are told so: 256 KiB, unless they are configured otherwise.
const STATEMENT_BYTES: usize = 100_000;

/// How to reach servers.
#[derive(Debug, Clone)]
pub struct Access {
    agent: Agent,
    user: HeaderValue,
    password: HeaderValue,
    timeouts: [u64; 2],
}

impl Access {
    /// With the user and password of the environment, which are sent in headers, and seconds to wait
    /// for a connection and for a whole answer.
    pub fn from_environment(connect: u64, answer: u64) -> Result<Self, Error> {
        let secret = |name: &str, default: &str| {
            let value = env::var(name).unwrap_or_else(|_| default.into());
            let mut value = HeaderValue::from_str(&value).map_err(|_| Error::Environment {
                name: name.into(),
                problem: "expected printable ASCII characters",
            })?;
            value.set_sensitive(true);
            Ok::<_, Error>(value)
        };
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(Duration::from_secs(connect)))
            .timeout_global(Some(Duration::from_secs(answer)))
            // Credentials go to the servers that were named, and nowhere else.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .build();
        Ok(Self {
            agent: config.new_agent(),
            user: secret("CLICKHOUSE_USER", "default")?,
            password: secret("CLICKHOUSE_PASSWORD", "")?,
            timeouts: [connect, answer],
        })
    }
}

/// A server.
#[derive(Debug, Clone)]
pub struct Server {
    address: String,
    access: Access,
}

/// What was refused by a server.
#[derive(Debug)]
pub enum Refused {
    /// There is no such table or database.
    NotThere,
    /// Anything else.
    Other(Error),
}

impl Server {
    /// By its address, `http://HOST:PORT`.
    pub fn new(address: &str, access: &Access) -> Result<Self, Error> {
        let wrong =
            |problem: &str| Err(Error::Usage(format!("{}: {problem}", without_user(address))));
        let Some(rest) = address.strip_prefix("http://") else {
            return wrong("expected http://HOST:PORT; use a tunnel for encryption");
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.contains('@') {
            return wrong(
                "user and password are taken from CLICKHOUSE_USER and CLICKHOUSE_PASSWORD",
            );
        }
        let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
        let is_host = |host: &str| {
            let good = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
            !host.is_empty() && host.chars().all(good)
        };
        match rest.rsplit_once(':') {
            Some((host, port)) if is_host(host) && is_port(port) => {}
            _ => return wrong("expected http://HOST:PORT"),
        }
        Ok(Self { address: format!("http://{rest}"), access: access.clone() })
    }

    /// Its address.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The server of the same port on another host.
    pub fn on_host(&self, host: &str) -> Result<Self, Error> {
        let port = self.address.rsplit(':').next().unwrap_or_default();
        let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        Self::new(&format!("http://{host}:{port}"), &self.access)
    }

    /// What is wrong with it, or with what it says.
    pub fn error(&self, problem: impl Into<String>) -> Error {
        Error::Server { address: self.address.clone(), problem: problem.into() }
    }

    /// The answer to a statement.
    pub fn ask(&self, statement: &str) -> Result<Vec<u8>, Refused> {
        self.send(&[], statement.as_bytes())
    }

    /// [`ask`](Self::ask), where a table that is not there is an error like others.
    pub fn tell(&self, statement: &str) -> Result<Vec<u8>, Error> {
        self.ask(statement).map_err(|refused| self.refusal(refused, "the table does not exist"))
    }

    /// An error, with what it means here that a table is not there.
    pub fn refusal(&self, refused: Refused, not_there: &str) -> Error {
        match refused {
            Refused::NotThere => self.error(not_there),
            Refused::Other(error) => error,
        }
    }

    /// The lines of an answer, each a list of whole numbers.
    pub fn numbers(&self, statement: &str) -> Result<Vec<Vec<u64>>, Refused> {
        let answer = String::from_utf8(self.ask(statement)?).unwrap_or_default();
        let line = |line: &str| line.split('\t').map(|number| number.parse().ok()).collect();
        let lines: Option<Vec<Vec<u64>>> = answer.lines().map(line).collect();
        lines.ok_or_else(|| Refused::Other(self.error("expected whole numbers in its answer")))
    }

    /// Sends rows to a statement that inserts them.
    pub fn insert(&self, statement: &str, rows: &[u8]) -> Result<(), Error> {
        let sent = self.send(&[("query", statement)], rows);
        sent.map(drop).map_err(|refused| self.refusal(refused, "the table was dropped meanwhile"))
    }

    fn send(&self, parameters: &[(&str, &str)], body: &[u8]) -> Result<Vec<u8>, Refused> {
        let Access { agent, user, password, .. } = &self.access;
        let mut request = agent
            .post(format!("{}/", self.address))
            .header("X-ClickHouse-User", user)
            .header("X-ClickHouse-Key", password)
            // No answer is begun before all of it is there: its status says whether it failed.
            .query("wait_end_of_query", "1");
        for (name, value) in parameters {
            request = request.query(*name, *value);
        }
        if parameters.is_empty() && body.len() > STATEMENT_BYTES {
            request = request.query("max_query_size", (body.len() + 1).to_string());
        }
        let failed = |error| Refused::Other(self.error(self.told(&error)));
        let mut response = request.send(body).map_err(failed)?;
        let status = response.status();
        let answer = response.body_mut().with_config().limit(ANSWER_BYTES).read_to_vec();
        let answer = answer.map_err(failed)?;
        match status {
            StatusCode::OK => Ok(answer),
            _ => Err(self.read_error(status, &answer)),
        }
    }

    fn read_error(&self, status: StatusCode, answer: &[u8]) -> Refused {
        let said = String::from_utf8_lossy(answer);
        let code = said
            .strip_prefix("Code: ")
            .and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u64>().ok());
        match code {
            Some(code) if NOT_THERE.contains(&code) => Refused::NotThere,
            Some(code) if NOT_LET_IN.contains(&code) => Refused::Other(self.error(
                "wrong user or password; they are taken from CLICKHOUSE_USER and CLICKHOUSE_PASSWORD",
            )),
            _ => {
                let line = said.lines().next().unwrap_or_default();
                let shown: String = line.chars().take(SHOWN_CHARACTERS).collect();
                Refused::Other(self.error(format!("status {}: {shown}", status.as_u16())))
            }
        }
    }

    fn told(&self, error: &ureq::Error) -> String {
        let [connect, answer] = self.access.timeouts;
        match error {
            ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
                format!("no connection within {connect} s (--connect-timeout)")
            }
            ureq::Error::Timeout(_) => format!("no answer within {answer} s (--timeout)"),
            ureq::Error::BodyExceedsLimit(_) => {
                format!("its answer is longer than {ANSWER_BYTES} bytes; ask for fewer documents")
            }
            other => other.to_string(),
        }
    }
}

/// An address as it may be shown.
fn without_user(address: &str) -> String {
    match address.rsplit_once('@') {
        Some((_, host)) => format!("http://…@{host}"),
        None => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(address: &str) -> Result<Server, Error> {
        Server::new(address, &Access::from_environment(1, 1).unwrap())
    }

    #[test]
    fn an_address_is_a_host_and_a_port() {
        assert_eq!(server("http://h-1.net:8123/").unwrap().address(), "http://h-1.net:8123");
        assert_eq!(server("http://[::1]:1").unwrap().address(), "http://[::1]:1");
        let other = server("http://a:8123").unwrap().on_host("::2").unwrap();
        assert_eq!(other.address(), "http://[::2]:8123");
        for wrong in [
            "a:8123",
            "https://a:1",
            "http://a",
            "http://:1",
            "http://a:0",
            "http://a:1/x",
            "http://a:1?x",
            "http://a b:1",
        ] {
            assert!(server(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_password_in_an_address_is_refused_and_not_shown() {
        let told = server("http://me:secret@a:1").unwrap_err().to_string();
        assert!(told.contains("CLICKHOUSE_PASSWORD") && !told.contains("secret"), "{told}");
        let told = server("https://me:secret@a:1").unwrap_err().to_string();
        assert!(!told.contains("secret"), "{told}");
    }
}
