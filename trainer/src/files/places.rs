//! The places of the files in a folder.

use std::fs;
use std::path::Path;

use super::within::Within;
use crate::error::Error;

/// The places of the files of a folder and of those within it, seen from the folder, sorted: those whose
/// names are wanted. Hidden ones are left out, and what is no file. A link is followed to a file within
/// the folder; one that leads out of it or to a hidden file, and one to a folder, are left out and told.
///
/// # Errors
/// If a folder cannot be read, or a name is not UTF-8.
pub fn places(folder: &Path, is_wanted: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Error> {
    let mut places = Vec::new();
    add_places(&Within::new(folder)?, folder, "", is_wanted, &mut places)?;
    places.sort_unstable();
    Ok(places)
}

/// `place` is the folder's own, with a slash.
fn add_places(
    within: &Within<'_>,
    folder: &Path,
    place: &str,
    is_wanted: &dyn Fn(&str) -> bool,
    places: &mut Vec<String>,
) -> Result<(), Error> {
    let failed = |source| Error::Read { path: folder.into(), source };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (path, name) = (entry.path(), entry.file_name());
        let is_folder = entry.file_type().map_err(failed)?.is_dir();
        let seen = name.to_string_lossy();
        // A link to a folder is looked at too, to be told.
        if seen.starts_with('.') || !path.is_dir() && !is_wanted(&seen) {
            continue;
        }
        if let Some(problem) = within.refusal(&path) {
            eprintln!("{}: left out, {problem}", path.display());
            continue;
        }
        let name = name
            .to_str()
            .ok_or_else(|| Error::data(&path, "its name is not UTF-8, which a URL requires"))?;
        let place = format!("{place}{name}");
        if is_folder {
            add_places(within, &path, &format!("{place}/"), is_wanted, places)?;
        } else if fs::metadata(&path).is_ok_and(|about| about.is_file()) {
            places.push(place);
        } else {
            // A link to a folder is not followed: it may lead back here.
            eprintln!("{}: left out, it is not a file", path.display());
        }
    }
    Ok(())
}
