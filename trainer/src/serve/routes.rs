//! Requests -> answers.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, State};
use axum::http::header::{ALLOW, CONTENT_LENGTH, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, Method, Request};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http_body_util::LengthLimitError;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

use super::collection::{Collection, Opened};
use super::fields::Fields;
use super::hosts::Hosts;
use super::limits::Limits;
use super::metrics::{self, Metrics};
use super::page::Page;
use super::refusal::Refusal;

const JSON: &str = "application/json";

/// What all requests share.
#[derive(Clone)]
pub struct Service {
    /// What is searched.
    pub collection: Arc<Collection>,
    /// What a request may take.
    pub limits: Limits,
    /// Places of rankings.
    places: Arc<Semaphore>,
    metrics: Arc<Metrics>,
    page: Option<Page>,
    hosts: Arc<Hosts>,
}

impl Service {
    /// A service that nobody has asked yet.
    pub fn new(collection: Collection, page: Option<Page>, hosts: Hosts, limits: Limits) -> Self {
        Self {
            collection: Arc::new(collection),
            limits,
            places: Arc::new(Semaphore::new(limits.rankings)),
            metrics: Arc::default(),
            page,
            hosts: Arc::new(hosts),
        }
    }

    /// What was asked, read to its end in time.
    async fn fields(&self, request: Request<Body>, deadline: Instant) -> Result<Fields, Refusal> {
        if request.method() != Method::POST {
            return Fields::of_address(request.uri().query().unwrap_or_default());
        }
        if request.uri().query().is_some() {
            return Err(Refusal::parameter(
                "a POST takes its parameters from the body, not from the URL",
            ));
        }
        let most = self.limits.body;
        let stated = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
        if stated
            .and_then(|stated| stated.parse().ok())
            .is_some_and(|stated: u64| stated > most as u64)
        {
            return Err(Refusal::body_too_large(most));
        }
        let read = timeout_at(deadline, to_bytes(request.into_body(), most)).await;
        let body = read.map_err(|_| Refusal::slow_body())?.map_err(|error| {
            match error.into_inner().downcast::<LengthLimitError>() {
                Ok(_) => Refusal::body_too_large(most),
                Err(_) => Refusal::body("the body is incomplete"),
            }
        })?;
        Fields::of_json(&body)
    }

    /// Does work that keeps a processor busy, in one of the places for it, and in time. Work that takes
    /// too long keeps its place until it is done.
    async fn work(
        &self,
        deadline: Instant,
        work: impl FnOnce(&Collection) -> Result<String, Refusal> + Send + 'static,
    ) -> Result<String, Refusal> {
        let patience = deadline.min(Instant::now() + self.limits.wait);
        let place = timeout_at(patience, Arc::clone(&self.places).acquire_owned()).await;
        let Ok(Ok(place)) = place else { return Err(Refusal::busy()) };
        let collection = Arc::clone(&self.collection);
        let working = spawn_blocking(move || {
            let done = work(&collection);
            drop(place);
            done
        });
        match timeout_at(deadline, working).await {
            Ok(done) => done.unwrap_or_else(|_| Err(Refusal::internal())),
            Err(_) => Err(Refusal::timeout()),
        }
    }

    async fn search(&self, request: Request<Body>) -> Result<String, Refusal> {
        let deadline = Instant::now() + self.limits.timeout;
        let (question, document) = self.fields(request, deadline).await?.question(self.limits)?;
        if document.is_some() {
            return Err(Refusal::parameter("`document` is for /explain"));
        }
        let work = move |collection: &Collection| {
            let found =
                collection.ask(|opened| Ok(opened.searcher.search(&question)?.to_json()))?;
            Ok(format!("{found}\n"))
        };
        self.work(deadline, work).await
    }

    async fn explain(&self, request: Request<Body>) -> Result<String, Refusal> {
        let deadline = Instant::now() + self.limits.timeout;
        let (question, document) = self.fields(request, deadline).await?.question(self.limits)?;
        if document.is_some() {
            self.read_ids(deadline).await?;
        }
        let work = move |collection: &Collection| {
            let explained = collection.ask(|opened| {
                let Opened { searcher, ids, .. } = opened;
                let explained = match (&document, ids.get()) {
                    (Some(id), Some(ids)) => {
                        searcher.explain_document(&question, (id, ids))?.into_iter().collect()
                    }
                    // It was opened again since they were read.
                    (Some(_), None) => return Ok(None),
                    (None, _) => searcher.explain(&question, || Instant::now() > deadline)?,
                };
                Ok(Some(explained.iter().map(|explained| explained.to_json()).collect::<Vec<_>>()))
            })?;
            let explained = explained.ok_or_else(Refusal::busy)?;
            match document {
                Some(id) if explained.is_empty() => {
                    Err(Refusal::not_found(format!("unknown document `{id}`")))
                }
                _ => Ok(format!("{}\n", json!({ "documents": explained }))),
            }
        };
        self.work(deadline, work).await
    }

    /// Waits until the ids of documents are read, which goes on when nobody waits any more.
    async fn read_ids(&self, deadline: Instant) -> Result<(), Refusal> {
        let reading = tokio::spawn(Arc::clone(&self.collection).read_ids());
        match timeout_at(deadline, reading).await {
            Ok(Ok(read)) => Ok(read?),
            Ok(Err(_)) => Err(Refusal::internal()),
            Err(_) => Err(Refusal::busy()),
        }
    }
}

/// What is where.
pub fn router(service: Service) -> Router {
    Router::new()
        .route("/search", get(search).post(search))
        .route("/explain", get(explain).post(explain))
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .fallback(page)
        .method_not_allowed_fallback(async || Refusal::method())
        .layer(from_fn_with_state(service.clone(), watched))
        .with_state(service)
}

async fn search(State(service): State<Service>, request: Request<Body>) -> Response {
    answer(service.search(request).await)
}

async fn explain(State(service): State<Service>, request: Request<Body>) -> Response {
    answer(service.explain(request).await)
}

async fn health(State(service): State<Service>) -> Response {
    let documents = service.collection.current().searcher.documents();
    answer(Ok(format!("{}\n", json!({ "status": "ok", "documents": documents }))))
}

async fn metrics(State(service): State<Service>) -> Response {
    let Service { collection, limits, places, metrics, .. } = &service;
    let state = metrics::State {
        documents: collection.current().searcher.documents(),
        rankings: limits.rankings - places.available_permits(),
        reopened: collection.reopened.load(Ordering::Relaxed),
        failed: collection.failed.load(Ordering::Relaxed),
    };
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], metrics.to_text(&state)).into_response()
}

async fn page(State(service): State<Service>, request: Request<Body>) -> Response {
    let is_read = [Method::GET, Method::HEAD].contains(request.method());
    match &service.page {
        Some(page) if is_read => page.answer(request).await,
        Some(_) => {
            let allowed = [(ALLOW, "GET,HEAD")];
            (allowed, Refusal::method()).into_response()
        }
        None => Refusal::not_found("unknown path").into_response(),
    }
}

fn answer(done: Result<String, Refusal>) -> Response {
    match done {
        Ok(body) => ([(CONTENT_TYPE, JSON)], body).into_response(),
        Err(refusal) => refusal.into_response(),
    }
}

/// Counts what is asked and answered.
async fn watched(State(service): State<Service>, request: Request<Body>, next: Next) -> Response {
    let route = match request.extensions().get::<MatchedPath>().map(MatchedPath::as_str) {
        Some("/search") => "/search",
        Some("/explain") => "/explain",
        Some("/health") => "/health",
        Some("/metrics") => "/metrics",
        _ => "other",
    };
    let begun = Instant::now();
    let _under_way = service.metrics.begin();
    let mut response = match service.hosts.check(&request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    service.metrics.answered(route, response.status().as_u16(), begun.elapsed());
    response
}
