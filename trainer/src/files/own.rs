//! Files that the program keeps for itself, under names that it chose: a lock, a download that is not
//! whole, the outcome of a stage. Whoever may write to the folder could have put something else there.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file for writing as it is, or makes it. A link is not followed, and what is no file (a pipe,
/// a device, a folder) is refused.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().write(true).create(true).truncate(false), path)
}

/// [`open`] of a file that is there.
pub fn open_there(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().write(true), path)
}

fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // A pipe that nobody reads is refused at once, not waited for.
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    #[cfg(not(unix))]
    if path.is_symlink() {
        return Err(io::Error::other("it is a link"));
    }
    let file = options.open(path).map_err(|error| named(path, error))?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a file")) }
}

/// [`open`], and empties the file.
#[cfg(feature = "import")]
pub fn create(path: &Path) -> io::Result<File> {
    let file = open(path)?;
    file.set_len(0)?;
    Ok(file)
}

/// Says that a link is in the way: the system says of it that there are too many.
fn named(path: &Path, error: io::Error) -> io::Error {
    if path.is_symlink() { io::Error::other("it is a link, which is not followed") } else { error }
}
