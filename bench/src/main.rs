//! How quick Locklab is: the simulator beside turmoil, the search beside stateright, what a search costs as the work grows.
//!
//! `locklab-bench [simulator|search] [--json FILE] [--docs FOLDER]`: with `--docs` everything is measured, and written into `performance.md` and `zh/performance.md`.

mod attacks;
mod growth;
mod machine;
mod page;
mod sample;
mod search;
mod simulator;
mod stopwatch;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use serde::Serialize;

use machine::Machine;

/// The figures of the search. The format of `--json`, version 1.
#[derive(Clone, Debug, Serialize)]
pub struct SearchFigures {
    version: u32,
    machine: Machine,
    search: search::Figures,
    attacks: Vec<attacks::Attack>,
    sample: sample::Sample,
    growth: Vec<growth::Cell>,
}

impl SearchFigures {
    fn measure() -> anyhow::Result<SearchFigures> {
        let machine = Machine::this();
        Ok(SearchFigures {
            version: 1,
            search: search::measure()?,
            attacks: attacks::measure()?,
            sample: sample::measure(machine.cores())?,
            growth: growth::measure()?,
            machine,
        })
    }
}

/// What was typed.
#[derive(Default)]
struct Arguments {
    part: Option<String>,
    json: Option<PathBuf>,
    docs: Option<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let Arguments { part, json, docs } = Arguments::read()?;
    if let Some(docs) = docs {
        let (simulator, search) = (simulator::measure()?, SearchFigures::measure()?);
        return page::write(&docs, &simulator, &search);
    }
    match part.as_deref() {
        None | Some("simulator") => {
            let figures = simulator::measure()?;
            print!("{figures}");
            save(json, &figures)
        }
        Some("search") => {
            let figures = SearchFigures::measure()?;
            print!("{}", page::text(&figures));
            save(json, &figures)
        }
        Some(other) => bail!("nothing called \"{other}\" is measured here; there are simulator and search"),
    }
}

impl Arguments {
    fn read() -> anyhow::Result<Arguments> {
        let mut read = Arguments::default();
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--json" => read.json = Some(arguments.next().context("--json needs a file")?.into()),
                "--docs" => read.docs = Some(arguments.next().context("--docs needs a folder")?.into()),
                flag if flag.starts_with('-') => bail!("unknown flag {flag}; there are --json FILE and --docs FOLDER"),
                _ => read.part = Some(argument),
            }
        }
        Ok(read)
    }
}

fn save(file: Option<PathBuf>, figures: &impl Serialize) -> anyhow::Result<()> {
    let Some(file) = file else { return Ok(()) };
    let text = serde_json::to_string_pretty(figures)? + "\n";
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
}
