//! The names by which the service may be asked. A page of another name, which a browser was made to look up here
//! (DNS rebinding), reads no answer.

use std::net::IpAddr;

use axum::http::Request;
use axum::http::header::HOST;

use super::refusal::Refusal;

/// The name that stands for all.
const ANY: &str = "*";
/// The name of the machine itself.
const OWN: &str = "localhost";

/// Names beside `localhost` and all addresses.
#[derive(Debug)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Allows names; `*` allows any.
    pub fn new(names: &[String]) -> Self {
        Self(names.iter().map(|name| name.to_ascii_lowercase()).collect())
    }

    /// Refuses a request by another name. One without a name comes from no browser.
    pub fn check<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        let stated = request.headers().get(HOST).map(|host| host.to_str().unwrap_or_default());
        let of_address = request.uri().authority().map(|authority| authority.as_str());
        match [stated, of_address].into_iter().flatten().find(|host| !self.allows(host)) {
            Some(host) => Err(Refusal::host(host)),
            None => Ok(()),
        }
    }

    fn allows(&self, host: &str) -> bool {
        let name = without_port(host).to_ascii_lowercase();
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let is = |known: &String| known == ANY || *known == name;
        name == OWN || address.unwrap_or(&name).parse::<IpAddr>().is_ok() || self.0.iter().any(is)
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        // The colons of an address are within brackets.
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_the_machine_itself_are_allowed_and_names_that_were_given() {
        let hosts = Hosts::new(&["Search.Example".into()]);
        for host in [
            "localhost",
            "LOCALHOST:8080",
            "127.0.0.1",
            "192.168.0.7:80",
            "[::1]",
            "[::1]:8080",
            "search.example",
            "search.example:443",
        ] {
            assert!(hosts.allows(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example:8080",
            "search.example.evil.example",
            "evil.example:80:80",
            "[::1",
            "*",
        ] {
            assert!(!hosts.allows(host), "{host}");
        }
        assert!(Hosts::new(&["*".into()]).allows("evil.example"));
    }

    #[test]
    fn a_name_in_the_address_counts_as_well() {
        let hosts = Hosts::new(&[]);
        let request = |uri: &str, host: Option<&str>| {
            let request = Request::builder().uri(uri);
            let request =
                host.into_iter().fold(request, |request, host| request.header(HOST, host));
            hosts.check(&request.body(()).unwrap()).is_ok()
        };
        assert!(request("/search", Some("localhost")));
        assert!(request("/search", None));
        assert!(request("http://localhost/search", Some("localhost")));
        assert!(!request("/search", Some("evil.example")));
        assert!(!request("http://evil.example/search", Some("localhost")));
    }
}
