//! What several commands are given alike: the form of a report and its file, real servers, a share of the work, a size.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use locklab_core::explore::PARTS;
use locklab_core::i18n::Text;
use locklab_core::say;

use crate::shard::Shard;

/// How a report is given.
#[derive(Debug, Args)]
pub struct OutputArguments {
    /// The form of the report; otherwise the ending of -o FILE decides, else text.
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Write the report to this file instead of the standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Tell every run in full.
    #[arg(short, long)]
    pub verbose: bool,
}

/// The form of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people: verdict, timeline, cause.
    #[default]
    Text,
    /// For programs; see docs/json.md.
    Json,
    /// For build servers: JUnit's XML, a test case a run.
    Junit,
    /// The timeline of one run as a drawing.
    Svg,
    /// The timeline of one run as a page of its own, with a cursor.
    Html,
    /// The history of one run as JSON lines; see docs/history.md.
    History,
}

/// The form of a report that can be drawn as a chart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ChartFormat {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
    /// As a drawing.
    Svg,
}

/// The form of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// Whether a run is played on real servers, and which.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("live_run").args(["live", "redis", "postgres"]).multiple(true))]
pub struct LiveArguments {
    /// Play on real servers, with real processes and real faults.
    #[arg(long)]
    pub live: bool,
    /// The clock of a live run: the simulator's, exactly, or the wall's, in real seconds.
    #[arg(long, value_enum, requires = "live_run", value_name = "CLOCK")]
    pub clock: Option<ClockName>,
    /// Play a live run on the wall clock so many times faster.
    #[arg(long, allow_hyphen_values = true, value_name = "N", requires = "live_run", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub time_scale: Option<u32>,
    /// Play on this Redis instead of a server of the run's own: redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]. It is used on the wall
    /// clock, only under keys of the run's own, which are removed afterwards.
    #[arg(long, value_name = "URL")]
    pub redis: Option<String>,
    /// Play locks in a database on this PostgreSQL instead of a server of the run's own: postgres://USER[:PASSWORD]@HOST[:PORT][/DATABASE].
    /// It is used on the wall clock, only in a schema of the run's own, which is removed afterwards.
    #[arg(long, value_name = "URL")]
    pub postgres: Option<String>,
}

/// The clock of a live run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ClockName {
    /// Servers' clocks stand still until the run moves them: exact, in milliseconds.
    Virtual,
    /// Real seconds.
    Wall,
}

/// A rule that a value breaks, told in the reader's language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule(pub Text);

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.en)
    }
}

impl Error for Rule {}

/// A share of a search, which has so many parts: `3/8`.
pub fn search_shard(text: &str) -> Result<Shard, Rule> {
    shard_of(text, PARTS)
}

/// A share of some work: `3/8`.
pub fn shard(text: &str) -> Result<Shard, Rule> {
    shard_of(text, 1_000)
}

fn shard_of(text: &str, most: u32) -> Result<Shard, Rule> {
    let wrong = || {
        Rule(say!(
            "a shard is I/N, the I-th of N shares, such as 3/8, with N at most {most}",
            "分份写作 I/N，即 N 份中的第 I 份，如 3/8；N 最多为 {most}",
            most = most
        ))
    };
    let (index, of) = text.split_once('/').ok_or_else(wrong)?;
    let (index, of) = index.parse().ok().zip(of.parse().ok()).ok_or_else(wrong)?;
    let is_one = (1..=most).contains(&of) && (1..=of).contains(&index);
    is_one.then_some(Shard { index, of }).ok_or_else(wrong)
}

/// A number of bytes: `500MB`, `2GB`.
pub fn size(text: &str) -> Result<usize, Rule> {
    let wrong = || {
        Rule(say!("a size is a whole number with its unit, such as 500MB or 2GB", "大小是整数加单位，如 500MB 或 2GB"))
    };
    let digits = text.find(|char: char| !char.is_ascii_digit()).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(digits);
    let unit: usize = match unit {
        "KB" => 1 << 10,
        "MB" => 1 << 20,
        "GB" => 1 << 30,
        _ => return Err(wrong()),
    };
    number.parse::<usize>().ok().and_then(|number| number.checked_mul(unit)).ok_or_else(wrong)
}
