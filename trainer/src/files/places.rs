//! The places of the files in a folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::within::Within;
use crate::error::Error;

/// The files of a folder.
#[derive(Debug, Default)]
pub struct Places {
    /// Their places, seen from the folder, sorted.
    pub files: Vec<String>,
    /// What was left out, and why.
    pub left_out: Vec<LeftOut>,
}

/// A file or a folder that was left out.
#[derive(Debug)]
pub struct LeftOut {
    /// Its path.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
    /// Whether it is one of the files that were looked for, and something is wrong with it.
    pub is_wrong: bool,
}

impl Places {
    fn leave_out(&mut self, path: PathBuf, reason: impl ToString, is_wrong: bool) {
        self.left_out.push(LeftOut { path, reason: reason.to_string(), is_wrong });
    }
}

/// The places of the files of a folder and of those within it: those whose names are wanted. Hidden ones are left out,
/// and what is no file. A link is followed to a file within the folder; one that leads out of it or to a hidden file, and
/// one to a folder, are left out and told; so are a name that is not UTF-8, and a folder within that cannot be read.
///
/// # Errors
/// If the folder cannot be read.
pub fn places(folder: &Path, is_wanted: &dyn Fn(&str) -> bool) -> Result<Places, Error> {
    let mut places = Places::default();
    let within = Within::new(folder)?;
    let read = add_places(&within, folder, "", is_wanted, &mut places);
    read.map_err(|source| Error::Read { path: folder.into(), source })?;
    places.files.sort_unstable();
    places.left_out.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    Ok(places)
}

/// `place` is the folder's own, with a slash.
fn add_places(
    within: &Within<'_>,
    folder: &Path,
    place: &str,
    is_wanted: &dyn Fn(&str) -> bool,
    places: &mut Places,
) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        let is_folder = entry.file_type()?.is_dir();
        let seen = name.to_string_lossy();
        // A link to a folder is looked at too, to be told.
        if seen.starts_with('.') || !path.is_dir() && !is_wanted(&seen) {
            continue;
        }
        if let Some(problem) = within.refusal(&path) {
            places.leave_out(path, problem, false);
            continue;
        }
        let Some(name) = name.to_str() else {
            places.leave_out(path, "its name is not UTF-8, which a URL requires", true);
            continue;
        };
        let place = format!("{place}{name}");
        if is_folder {
            let read = add_places(within, &path, &format!("{place}/"), is_wanted, places);
            if let Err(error) = read {
                places.leave_out(path, format!("it cannot be read: {error}"), true);
            }
        } else if fs::metadata(&path).is_ok_and(|about| about.is_file()) {
            places.files.push(place);
        } else {
            // A link to a folder is not followed: it may lead back here.
            places.leave_out(path, "it is not a file", false);
        }
    }
    Ok(())
}
