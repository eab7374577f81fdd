//! `train --report FILE`: how long the gradients of the score were.

use std::fmt::Write;
use std::path::Path;

use smooth_clir::training::lengths::Lengths;

use super::options::Train;
use crate::error::Error;
use crate::files;
use crate::train::{DeviceName, EncoderName, Plan, gradient_limit};

/// Refuses a training whose gradients are not known, and a file that cannot be written.
pub fn check(path: &Path, arguments: &Train) -> Result<(), Error> {
    if arguments.encoder != EncoderName::Average || arguments.device != DeviceName::Cpu {
        let problem = "--report: supported only with --encoder average and --device cpu";
        return Err(Error::Usage(problem.into()));
    }
    files::check_distinct([path, &arguments.out], [])?;
    files::check_writable(path)
}

/// Writes a line for each epoch, and prints the whole training in one sentence.
pub fn write(path: &Path, plan: &Plan, epochs: &[Lengths]) -> Result<(), Error> {
    let limit = gradient_limit(plan.epsilon);
    let mut text = format!("epoch\tgradients\tlargest\tmedian\tshare above {limit}\n");
    for (number, epoch) in (1..).zip(epochs) {
        let Lengths { count, largest, median, share_above } = epoch;
        // Writing to a string does not fail.
        let _ = writeln!(text, "{number}\t{count}\t{largest}\t{median}\t{share_above}");
    }
    files::write(path, text.as_bytes())?;
    let largest = epochs.iter().map(|epoch| epoch.largest).fold(0.0, f32::max);
    let count: usize = epochs.iter().map(|epoch| epoch.count).sum();
    let above: f64 = epochs.iter().map(|epoch| epoch.share_above * epoch.count as f64).sum();
    eprintln!(
        "the longest of {count} gradients of the score: {largest}; {} above {limit}",
        above.round()
    );
    Ok(())
}
