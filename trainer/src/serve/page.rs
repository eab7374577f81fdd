//! The files of a folder.

use std::fs;
use std::path::{Path, PathBuf};

use axum::body::Body;
use axum::http::Request;
use axum::response::{IntoResponse, Response};
use percent_encoding::percent_decode_str;
use tokio::task::spawn_blocking;
use tower_http::services::ServeFile;

use super::refusal::Refusal;
use crate::error::Error;
use crate::files::is_hidden;

/// What an address that ends with a slash means.
const FIRST: &str = "index.html";

/// A folder whose files are served.
#[derive(Debug, Clone)]
pub struct Page {
    /// Without links.
    root: PathBuf,
}

impl Page {
    /// Opens a folder.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let failed = |source| Error::Read { path: folder.into(), source };
        let root = fs::canonicalize(folder).map_err(failed)?;
        match root.is_dir() {
            true => Ok(Self { root }),
            false => Err(Error::data(folder, "not a folder")),
        }
    }

    /// The file that an address names.
    pub async fn answer(&self, request: Request<Body>) -> Response {
        let (page, path) = (self.clone(), request.uri().path().to_owned());
        let Ok(Some(file)) = spawn_blocking(move || page.file(&path)).await else {
            return Refusal::not_found("no such file").into_response();
        };
        match ServeFile::new(file).try_call(request).await {
            Ok(response) => response.map(Body::new),
            Err(error) => {
                eprintln!("error: {}: {error}", self.root.display());
                Refusal::internal().into_response()
            }
        }
    }

    /// The file that a path names, if it is in the folder and not hidden there.
    fn file(&self, path: &str) -> Option<PathBuf> {
        let path = percent_decode_str(path.strip_prefix('/')?).decode_utf8().ok()?;
        let mut place = self.root.clone();
        let mut names = path.split('/').peekable();
        while let Some(name) = names.next() {
            let is_last = names.peek().is_none();
            match name {
                "" if is_last => place.push(FIRST),
                "" => return None,
                // `..` too. A backslash and a colon are a way out on Windows.
                name if name.starts_with('.') || name.contains(['\\', ':', '\0']) => return None,
                name => place.push(name),
            }
        }
        // A link may lead out, or to what is hidden.
        let place = fs::canonicalize(place).ok()?;
        let is_in_sight = place.strip_prefix(&self.root).is_ok_and(|place| !is_hidden(place));
        (is_in_sight && place.is_file()).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_in_the_folder_are_served() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("page");
        fs::create_dir_all(folder.join("assets/.hidden")).unwrap();
        for name in ["page/index.html", "page/assets/a b.js", "page/.env", "secret", "page2"] {
            fs::write(root.path().join(name), name).unwrap();
        }
        fs::write(folder.join("assets/.hidden/x"), "").unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../secret", folder.join("out")).unwrap();
            std::os::unix::fs::symlink("..", folder.join("above")).unwrap();
            std::os::unix::fs::symlink("assets", folder.join("within")).unwrap();
            std::os::unix::fs::symlink(".env", folder.join("env")).unwrap();
            std::os::unix::fs::symlink("assets/.hidden/x", folder.join("x")).unwrap();
        }
        let page = Page::open(&folder).unwrap();
        let served = |path: &str| {
            let file = page.file(path)?;
            Some(file.strip_prefix(&page.root).unwrap().to_str().unwrap().replace('\\', "/"))
        };
        assert_eq!(served("/").unwrap(), "index.html");
        assert_eq!(served("/index.html").unwrap(), "index.html");
        assert_eq!(served("/assets/a%20b.js").unwrap(), "assets/a b.js");
        #[cfg(unix)]
        assert_eq!(served("/within/a%20b.js").unwrap(), "assets/a b.js");
        for path in [
            "",
            "*",
            "//",
            "/assets",
            "/assets/",
            "/nothing",
            "/env",
            "/x",
            "/../secret",
            "/assets/../../secret",
            "/%2e%2e/secret",
            "/.%2E/secret",
            "/%2e%2e%2fsecret",
            "/..%5csecret",
            "/..\\secret",
            "/assets%00/a%20b.js",
            "/index.html%00",
            "/%ff",
            "/./index.html",
            "/.env",
            "/assets/.hidden/x",
            "//index.html",
            "/assets//a%20b.js",
            "/index.html/",
            "/C:/secret",
            "/out",
            "/above/secret",
            "/../page2",
        ] {
            assert_eq!(served(path), None, "{path}");
        }
    }
}
