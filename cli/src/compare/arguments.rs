//! What can be typed after `locklab compare`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::options::shard;
use crate::shard::Shard;

/// `locklab compare`.
#[derive(Debug, Args)]
pub struct CompareArguments {
    /// A scenario: its locks side by side, with its own faults. Otherwise: every mechanism against every fault.
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Only these locks, such as token-lua,fenced+fencing; after + what the resource contributes: nothing, fencing, version, unique-key,
    /// atomic or script.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub locks: Vec<String>,
    /// Only against these, such as pause,failover; their names: locklab list threats.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub against: Vec<String>,
    /// Play the I-th of N shares of the cells only, and write what `locklab merge` puts together.
    #[arg(long, allow_hyphen_values = true, value_name = "I/N", value_parser = shard, conflicts_with_all = ["file", "format"])]
    pub shard: Option<Shard>,
    /// The form; otherwise the ending of -o FILE decides, else text.
    #[arg(long, value_enum)]
    pub format: Option<CompareFormat>,
    /// Write to this file instead of the standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The form of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CompareFormat {
    /// For people. A single cell is told with its run.
    #[default]
    Text,
    /// A page of its own, where every cell opens.
    Html,
    /// For programs; see docs/compare.md.
    Json,
    /// A line a cell.
    Csv,
    /// A table in Markdown.
    Md,
}
