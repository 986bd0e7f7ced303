//! Work divided over machines: the shards of a search, a sample and a comparison, put together by `locklab merge`.

use std::path::{Path, PathBuf};

use super::{GC_PAUSE, command, locklab, workspace};

/// Long pauses, often: enough to be seen in a thousand runs.
const MODEL: &str = "title = \"a test\"\nsource = \"nobody's figures\"\n[pause]\nper_minute = 0.5\n\
                     percentiles = { p50 = \"1s\", p90 = \"9s\", max = \"20s\" }\n[load]\nacquisitions_per_second = 2\n";

/// Something that is divided, as it is typed.
struct Work {
    arguments: Vec<String>,
    /// How it ends as a whole.
    code: i32,
    folder: tempfile::TempDir,
}

impl Work {
    fn new(arguments: &[&str], code: i32) -> Work {
        let folder = tempfile::tempdir().expect("a folder");
        Work { arguments: arguments.iter().map(ToString::to_string).collect(), code, folder }
    }

    /// A small space, divided so early that it has parts.
    fn explore() -> Work {
        let lease = ["--set", "ttl=1s", "--set", "A.work=300ms", "--set", "B.work=200ms"];
        Work::new(&[&["explore", GC_PAUSE, "--lock", "token-lua", "--divide-after", "300"][..], &lease].concat(), 1)
    }

    fn risk() -> Work {
        let work = Work::new(&["risk", GC_PAUSE, "--set", "retry=2s", "--runs", "1003"], 0);
        let model = work.folder.path().join("model.toml");
        std::fs::write(&model, MODEL).expect("it is written");
        let more = ["--property", "no-stale-write", "--model", &model.display().to_string()].map(str::to_owned);
        Work { arguments: [work.arguments, more.to_vec()].concat(), ..work }
    }

    fn compare() -> Work {
        Work::new(&["compare", "--locks", "token-lua,fenced+fencing", "--against", "pause,crash-holding"], 0)
    }

    /// A run of so many clients and faults that it takes long to find out what can be left out.
    fn of_many() -> Work {
        let mut text = std::fs::read_to_string(workspace().join(GC_PAUSE)).expect("it is there");
        for number in 0..25 {
            let client = format!("\n[[client]]\nname = \"C{number}\"\nstarts = \"{number}s\"\nwork = \"3s\"\n");
            let fault = format!("[[fault]]\npause = \"C{number}\"\nat = \"{}s\"\nfor = \"12s\"\n", number + 20);
            text.push_str(&(client + &fault));
        }
        let work = Work::new(&["shrink"], 0);
        let file = work.file("many.toml");
        std::fs::write(&file, text).expect("it is written");
        Work { arguments: [work.arguments, vec![file]].concat(), ..work }
    }

    fn run(&self, more: &[&str]) -> super::Said {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).chain(more.iter().copied()).collect();
        locklab(&arguments)
    }

    fn whole(&self, more: &[&str]) -> String {
        let said = self.run(more);
        assert_eq!(said.code, Some(self.code), "{}", said.err);
        said.out
    }

    /// Makes all shards, and names their files.
    fn shards(&self, of: u32) -> Vec<String> {
        let shard = |index: u32| {
            let file = self.file(&format!("{index}-of-{of}.json"));
            let said = self.run(&["--shard", &format!("{index}/{of}"), "-o", &file]);
            assert_eq!((said.code, said.out.as_str()), (Some(0), ""), "{}", said.err);
            file
        };
        (1..=of).map(shard).collect()
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }
}

fn merged(more: &[&str], files: &[String]) -> super::Said {
    let arguments: Vec<&str> =
        ["merge"].into_iter().chain(more.iter().copied()).chain(files.iter().map(String::as_str)).collect();
    locklab(&arguments)
}

/// Shards in another order than they were made, and one of them twice.
fn mixed_up(mut files: Vec<String>) -> Vec<String> {
    files.reverse();
    files.push(files[0].clone());
    files
}

#[test]
fn the_shards_of_a_search_merge_to_the_bytes_of_one_run() {
    let work = Work::explore();
    let one = work.whole(&["--format", "json", "--threads", "1"]);
    assert_eq!(one, work.whole(&["--format", "json", "--threads", "3"]));
    for of in [2, 5] {
        let said = merged(&["--format", "json"], &mixed_up(work.shards(of)));
        assert_eq!((said.code, said.out), (Some(1), one.clone()), "{}", said.err);
    }
}

#[test]
fn the_shards_of_a_sample_merge_to_the_bytes_of_one_run() {
    let work = Work::risk();
    let files = mixed_up(work.shards(3));
    for form in ["text", "json"] {
        let one = work.whole(&["--format", form, "--threads", "1"]);
        let said = merged(&["--format", form], &files);
        assert_eq!((said.code, said.out), (Some(0), one), "{}", said.err);
    }
}

#[test]
fn the_shards_of_a_comparison_merge_to_the_bytes_of_one_run() {
    let work = Work::compare();
    let files = mixed_up(work.shards(3));
    for form in ["text", "json", "html", "csv", "md"] {
        let said = merged(&["--format", form], &files);
        assert_eq!((said.code, said.out), (Some(0), work.whole(&["--format", form])), "{}", said.err);
    }
}

/// What Slurm runs, with as many local processes.
#[cfg(unix)]
#[test]
fn a_shard_that_was_killed_is_missed_and_made_again() {
    for work in [Work::explore(), Work::risk(), Work::compare()] {
        let folder = work.folder.path().join("shards");
        let shard = |index: u32| {
            let program = Path::new(env!("CARGO_BIN_EXE_locklab")).parent().expect("it is in a folder");
            let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
            let mut slurm = std::process::Command::new("sh");
            slurm.arg("deploy/slurm.sh").arg(&folder).args(&work.arguments);
            slurm.current_dir(workspace()).env("PATH", path).env("SHARDS", "3");
            slurm.env("SLURM_ARRAY_TASK_ID", index.to_string());
            slurm
        };
        let mut all: Vec<_> = (1..=3).map(|index| shard(index).spawn().expect("locklab starts")).collect();
        all[1].kill().expect("it can be killed");
        let codes: Vec<_> = all.iter_mut().map(|shard| shard.wait().expect("it ends").code()).collect();
        assert_eq!(codes, [Some(0), None, Some(0)]);
        let file = |index: u32| -> PathBuf { folder.join(format!("{index}.json")) };
        let name = |index: u32| file(index).display().to_string();
        let missed = merged(&[], &[name(1), name(3)]);
        assert_eq!(missed.code, Some(2), "{}", missed.out);
        assert!(missed.err.contains("shards are missing: 2/3"), "{}", missed.err);
        assert!(!file(2).exists(), "a file is there as a whole or not at all");
        assert!(shard(2).status().expect("locklab starts").success());
        let said = merged(&["--format", "json"], &[name(1), name(2), name(3)]);
        assert_eq!(said.out, work.whole(&["--format", "json"]), "{}", said.err);
    }
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let compare = Work::compare();
    let other = Work { arguments: [&compare.arguments[..2], &["token-lua".into()]].concat(), ..Work::compare() };
    let refused = |files: &[String], words: &str| {
        let said = merged(&[], files);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
        assert!(said.err.contains(words), "{}", said.err);
    };
    let two = compare.shards(2);
    refused(&[two[0].clone(), Work::explore().shards(1)[0].clone()], "one of locklab explore");
    refused(&[two[0].clone(), other.shards(2)[1].clone()], "scenario and options must be the same");
    refused(&[two[0].clone(), compare.shards(1)[0].clone()], "it is one of 1 shards");
    refused(&[GC_PAUSE.to_owned()], "is no shard: it is not JSON (line 1, column ");
    // Written by somebody else, or by hand.
    let changed = |name: &str, from: &str, to: &str| {
        let file = compare.file(name);
        let text = std::fs::read_to_string(&two[1]).expect("it was written");
        assert!(text.contains(from), "{text}");
        std::fs::write(&file, text.replace(from, to)).expect("it is written");
        file
    };
    let version = concat!("\"locklab\": \"", env!("CARGO_PKG_VERSION"), "\"");
    let newer = changed("newer.json", version, "\"locklab\": \"99.0.0\"");
    refused(&[two[0].clone(), newer], "it was written by locklab 99.0.0");
    let wrong = changed("wrong.json", "\"runs\": ", "\"runs\": 9");
    refused(&[two[0].clone(), two[1].clone(), wrong], "is damaged");
    let elsewhere = changed("elsewhere.json", "\"cells\": {", "\"cells\": { \"77\": null,");
    refused(&[two[0].clone(), elsewhere], "is no shard: a shard does not say this, or says more (line ");
    let old = changed("old.json", "\"format\": 2", "\"format\": 1");
    refused(&[old], "its format is version 1");
}

#[test]
fn a_shard_or_a_form_that_there_is_not_is_refused() {
    let refused = |said: super::Said, words: &str| {
        assert_eq!(said.code, Some(2), "{}", said.out);
        assert!(said.err.contains(words), "{}", said.err);
    };
    refused(Work::explore().run(&["--shard", "3/2"]), "such as 3/8");
    refused(Work::explore().run(&["--shard", "1/17"]), "at most 16");
    refused(Work::compare().run(&["--shard", "0/2"]), "such as 3/8");
    refused(locklab(&["compare", GC_PAUSE, "--shard", "1/2"]), "--shard");
    refused(merged(&["--format", "svg"], &Work::compare().shards(1)), "there are text, html, json, csv, md");
    refused(merged(&["-o", "x.svg"], &Work::explore().shards(1)), "there are text, json");
    refused(Work::explore().run(&["--shard", "-1/3"]), "such as 3/8");
}

/// Ctrl-C and what an engine sends before it kills: every long command ends with what it knows.
#[cfg(unix)]
#[test]
fn whatever_is_interrupted_tells_what_is_known_so_far() {
    use rustix::process::{Pid, Signal, kill_process};
    let risk = Work::risk();
    let mut sample: Vec<&str> = risk.arguments.iter().map(String::as_str).collect();
    let runs = sample.iter().position(|argument| *argument == "1003").expect("it says how many");
    sample[runs] = "10000000000";
    let swarm = ["explore", GC_PAUSE, "--lock", "fenced", "--property", "no-stale-write", "--swarm", "1000000000"];
    let envelope = ["envelope", "redlock/uncontended", "--vary", "pause", "--faults", "pause=2,crash=1"];
    let many = Work::of_many();
    let shrink = ["shrink", &*many.arguments[1]];
    let long: [(&[&str], &str); 5] = [
        (&shrink, "smaller runs: it may become smaller still"),
        (&sample, "interrupted: 10,000,000,000 runs were asked for"),
        (&swarm, "random runs broke nothing; interrupted"),
        (&envelope, "interrupted: what is unknown above was not decided"),
        (&["compare"], "cells were not played"),
    ];
    let children = long.map(|(arguments, words)| {
        let child = command(arguments).stdout(std::process::Stdio::piped()).spawn().expect("locklab starts");
        (child, words)
    });
    std::thread::sleep(std::time::Duration::from_secs(2));
    for (child, words) in children {
        kill_process(Pid::from_child(&child), Signal::INT).expect("it is there");
        let output = child.wait_with_output().expect("locklab ends");
        let out = String::from_utf8(output.stdout).expect("a report is text");
        assert_eq!(output.status.code(), Some(1), "{out}");
        assert!(out.contains(words), "{out}");
    }
}
