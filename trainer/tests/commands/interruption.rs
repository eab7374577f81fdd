//! A program that is interrupted leaves no temporary files, and ends as the signal says.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::toy::{Place, QUICK};

/// So many files are written, and put in their places when all of them are there.
const FILES: usize = 700;

/// A place with documents that make an index of many files.
fn place() -> Place {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    let title = "A title that goes on and on. ".repeat(300);
    let line = |number| format!("d{number}\t{title}\tm{} m3\n", number % 9);
    place.write("many.tsv", (0..FILES).map(line).collect::<String>());
    place
}

const INDEX: &str = "index m.safetensors many.tsv --block 1 --out out/";

impl Place {
    /// Begins a command line, by a shell that has done something before. Its signals end programs, even
    /// where the tests themselves run under `nohup` or as a script's background job.
    fn begin(&self, before: &str, line: &str) -> Child {
        let program = assert_cmd::cargo::cargo_bin!("smooth-clir").display();
        // Only GNU's `env` can undo that a signal is ignored.
        let defaults: &[&str] = if cfg!(target_os = "linux") { &["--default-signal"] } else { &[] };
        let child = Command::new("env")
            .args(defaults)
            .arg("sh")
            .args(["-c", &format!("{before} exec '{program}' {line}")])
            .current_dir(self.root.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        child.unwrap()
    }

    /// Waits until a folder has a temporary file, and sends a signal.
    fn interrupt(&self, child: &mut Child, folder: &str, signal: &str) -> ExitStatus {
        while self.partials(folder) == 0 {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it was interrupted");
        }
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        child.wait().unwrap()
    }

    fn partials(&self, folder: &str) -> usize {
        let Ok(entries) = fs::read_dir(self.path(folder)) else { return 0 };
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".partial")).count()
    }
}

#[test]
fn an_interrupted_program_removes_what_it_had_not_finished() {
    let place = place();
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let mut child = place.begin("", INDEX);
        let ended = place.interrupt(&mut child, "out", signal);
        assert_eq!(ended.signal(), Some(number), "{signal}: {ended}");
        assert_eq!(place.out(), [""; 0], "{signal}");
    }
    // What was there before is there still, and whole.
    place.run("index m.safetensors data --block 9 --out out/").success();
    let before = place.out();
    let mut child = place.begin("", INDEX);
    assert_eq!(place.interrupt(&mut child, "out", "-TERM").signal(), Some(15));
    assert_eq!(place.out(), before);
    place.run("verify out").success();
}

#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let place = place();
    // As `nohup` does.
    let mut child = place.begin("trap '' HUP;", INDEX);
    assert!(place.interrupt(&mut child, "out", "-HUP").success());
    assert_eq!(place.out().len(), FILES + 1);
}

#[test]
fn an_interrupted_training_keeps_what_it_saved_and_goes_on() {
    let place = Place::new();
    let line = "train data --language xx --dimension 8 --epochs 2000 --negatives 5 --save-every 0 \
                --out out/m.safetensors";
    let saved = place.path("out/m.safetensors.training");
    let mut child = place.begin("", line);
    while !saved.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was interrupted");
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().signal(), Some(2));
    assert_eq!(place.out(), ["m.safetensors.training"]);
    let mut child = place.begin("", &format!("{line} --resume"));
    let ended = place.interrupt(&mut child, "out", "-INT");
    assert_eq!(ended.signal(), Some(2));
    assert_eq!(place.out(), ["m.safetensors.training"]);
}

#[test]
fn an_experiment_removes_what_a_killed_one_left_and_nothing_else() {
    let place = Place::new();
    let line = "sweep data --language xx --dimension 8 --epochs 1 --negatives 5 \
                --seeds 1 --epsilon 1..1 --out out";
    place.run(line).success();
    let [stale, in_use, young] = ["aaaaaa", "bbbbbb", "cccccc"]
        .map(|middle| place.path(&format!("out/runs/.smooth-clir-{middle}.partial")));
    let others = [".smooth-clir-notes.partial", "thesis.partial"].map(|name| {
        let path = place.path("out/runs").join(name);
        fs::write(&path, "mine").unwrap();
        path
    });
    let open = |path| fs::File::create(path).unwrap();
    let (held, _young) = (open(&in_use), open(&young));
    held.lock().unwrap();
    for file in [&open(&stale), &held] {
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
    }
    let link = place.path("out/runs/.smooth-clir-dddddd.partial");
    std::os::unix::fs::symlink("../experiment.json", &link).unwrap();
    place.run(line).success();
    assert!(!stale.exists());
    for left in others.iter().chain([&in_use, &young, &link]) {
        assert!(left.is_symlink() || left.exists(), "{}", left.display());
    }
    assert!(place.path("out/experiment.json").exists());
}
