//! Every way in which a request is refused.

use axum::http::StatusCode;
use axum::http::header::{CONNECTION, CONTENT_TYPE, HeaderName, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::error::Error;
use crate::limits::serve::SHOWN_CHARACTERS;

/// Why a request is refused.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    /// A stable name, for programs to act on.
    code: &'static str,
    message: String,
    header: Option<(HeaderName, &'static str)>,
}

impl Refusal {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), header: None }
    }

    /// A parameter, or a field of the JSON, is not as it should be.
    pub fn parameter(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "parameter", message)
    }

    /// It was asked by a name that is not known to be ours.
    pub fn host(host: &str) -> Self {
        let host: String = host.chars().take(SHOWN_CHARACTERS).collect();
        let message = format!("host `{host}` is not allowed: start the service with --host {host}");
        Self::new(StatusCode::MISDIRECTED_REQUEST, "host", message)
    }

    /// There is nothing here.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", message)
    }

    /// What is here takes other methods.
    pub fn method() -> Self {
        let message = "method not allowed at this path";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", message)
    }

    /// The body could not be read to its end.
    pub fn body(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "body", message)
    }

    /// The body is longer than is read.
    pub fn body_too_large(most: usize) -> Self {
        let message = format!("the body has more than {most} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "body-too-large", message)
    }

    /// The body did not come in time.
    pub fn slow_body() -> Self {
        let header = Some((CONNECTION, "close"));
        let message = "the body did not arrive in time";
        Self { header, ..Self::new(StatusCode::REQUEST_TIMEOUT, "slow-body", message) }
    }

    /// All places are taken.
    pub fn busy() -> Self {
        let header = Some((RETRY_AFTER, "1"));
        let message = "too many requests at once, try again";
        Self { header, ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message) }
    }

    /// It took too long.
    pub fn timeout() -> Self {
        let message = "no answer within the time limit";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "timeout", message)
    }

    /// It is our fault; why is told on standard error.
    pub fn internal() -> Self {
        let message = "the request could not be answered: the service's log has the reason";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }
}

impl From<Error> for Refusal {
    /// What the core refuses is the request's fault. What else fails is not, and names places of ours.
    fn from(error: Error) -> Self {
        match error {
            Error::Core(error) => {
                Self::new(StatusCode::BAD_REQUEST, error.code(), error.to_string())
            }
            error => {
                eprintln!("error: {error}");
                Self::internal()
            }
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let error = json!({ "error": { "code": self.code, "message": self.message } });
        let body = format!("{error}\n");
        let mut response =
            (self.status, [(CONTENT_TYPE, "application/json")], body).into_response();
        if let Some((name, value)) = self.header {
            response.headers_mut().insert(name, axum::http::HeaderValue::from_static(value));
        }
        response
    }
}
