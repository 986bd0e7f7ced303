//! What can be typed after `locklab`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use locklab_core::i18n::Language;
use locklab_core::say;
use locklab_core::time::Span;

use crate::advise::AdviseArguments;
use crate::compare::CompareArguments;
use crate::options::{ChartFormat, ListFormat, LiveArguments, OutputArguments, Rule, search_shard, shard, size};
use crate::serve;
use crate::shard::Shard;

/// See what a distributed lock really promises.
#[derive(Debug, Parser)]
#[command(version, disable_help_subcommand = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// The language: en or zh; else LOCKLAB_LANG, LC_ALL, LC_MESSAGES or LANG decides.
    #[arg(long, global = true, value_name = "LANG", value_parser = language)]
    pub lang: Option<Language>,
}

/// What `locklab` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play scenarios, judge what happens, draw it.
    Run(RunArguments),
    /// Play a run again from its address.
    Replay(ReplayArguments),
    /// Compare mechanisms: what does each keep against each fault, by runs that can be seen?
    Compare(CompareArguments),
    /// Recommend a protection: a few questions, and reasons that are runs.
    Advise(AdviseArguments),
    /// Search every order of events and every placement of faults: can this lock break?
    Explore(ExploreArguments),
    /// Put together what the shards of a search, a risk or a comparison have found: the same as one run.
    Merge(MergeArguments),
    /// Find the edge between held and broken along a figure: how long a pause does it survive?
    Envelope(EnvelopeArguments),
    /// Estimate how likely a lock breaks, on your own figures.
    Risk(RiskArguments),
    /// Make a broken run as small as possible.
    Shrink(ShrinkArguments),
    /// Judge and draw a recorded history.
    CheckHistory(CheckHistoryArguments),
    /// List what there is, by name.
    List {
        /// Only these.
        what: Option<Topic>,
        /// How.
        #[arg(long, value_enum, default_value_t)]
        format: ListFormat,
    },
    /// Explain a lock, a property, a fault, a milestone, a figure or a scenario.
    Explain {
        /// Its name, as `locklab list` shows it.
        name: String,
    },
    /// Serve the page to this machine's browsers.
    Serve {
        /// The port on 127.0.0.1; 0 takes any that is free.
        #[arg(long, allow_hyphen_values = true, default_value_t = serve::DEFAULT_PORT)]
        port: u16,
    },
    /// Say what this machine can do live, and what to install.
    Doctor,
    /// Print the completions of a shell.
    Completions {
        /// Which shell.
        shell: Shell,
    },
}

/// `locklab run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// Scenario files, names of built-in scenarios such as expiry/gc-pause, or - for the standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The lock to play; may be repeated. Otherwise: every lock of which the scenario expects something.
    #[arg(long = "lock", value_name = "NAME")]
    pub locks: Vec<String>,
    /// Change a value of the scenario, such as ttl=5s or A.work=12s; may be repeated. Nothing is expected then.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,
    /// Draw delays, order and chance from this seed.
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    pub seed: Option<u64>,
    /// Play each so often; with --seed, each time with the next seed.
    #[arg(long, allow_hyphen_values = true, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub runs: u32,
    /// Whether on real servers, and which.
    #[command(flatten)]
    pub live: LiveArguments,
    /// Open the run in the page, which is served until the program is stopped.
    #[arg(long)]
    pub open: bool,
    /// How to report.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `locklab replay`.
#[derive(Debug, Args)]
pub struct ReplayArguments {
    /// The address of the run, as a report's last line shows it.
    pub address: String,
    /// Whether on real servers, and which.
    #[command(flatten)]
    pub live: LiveArguments,
    /// How to report.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `locklab explore`.
#[derive(Debug, Args)]
pub struct ExploreArguments {
    /// A scenario file, the name of a built-in scenario such as expiry/gc-pause, or - for the standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The lock to search; may be repeated. Otherwise: every lock of which the scenario expects something.
    #[arg(long = "lock", value_name = "NAME")]
    pub locks: Vec<String>,
    /// Change a value of the scenario, such as ttl=5s or A.work=12s; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,
    /// The faults that may strike, such as pause=1,crash=1; otherwise as many of each kind as the scenario has.
    #[arg(long, value_name = "KIND=N,...")]
    pub faults: Option<String>,
    /// The property in question; may be repeated. Otherwise: all of them.
    #[arg(long = "property", value_name = "NAME")]
    pub properties: Vec<String>,
    /// Instead of everything, try so many random runs: for spaces too large to exhaust. What is found is shrunk.
    #[arg(long, allow_hyphen_values = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub swarm: Option<u64>,
    /// The seed of the random runs.
    #[arg(long, allow_hyphen_values = true, value_name = "N", default_value_t = 1, requires = "swarm")]
    pub seed: u64,
    /// The longest time to search, for each lock.
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", default_value = "60s")]
    pub budget: Span,
    /// The most memory to take, such as 500MB or 2GB.
    #[arg(long, allow_hyphen_values = true, value_name = "SIZE", default_value = "1GB", value_parser = size)]
    pub memory: usize,
    /// How many threads search; otherwise one for each processor. The answer does not depend on it.
    #[arg(long, allow_hyphen_values = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    pub threads: Option<u16>,
    /// After how many states the search is divided into parts, which threads and machines share.
    #[arg(long, allow_hyphen_values = true, value_name = "STATES", default_value_t = 65_536)]
    pub divide_after: u64,
    /// Search the I-th of N shares only, and write what `locklab merge` puts together: on N machines, N at most 16.
    #[arg(long, allow_hyphen_values = true, value_name = "I/N", value_parser = search_shard, conflicts_with = "swarm")]
    pub shard: Option<Shard>,
    /// How to report: text or json; otherwise the ending of -o FILE decides, else text.
    #[arg(long, value_enum)]
    pub format: Option<ListFormat>,
    /// Write the report to this file instead of the standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `locklab merge`.
#[derive(Debug, Args)]
pub struct MergeArguments {
    /// What the shards have written, in any order, all of one search, one sample or one comparison.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// How to report: as the command reports whose shards they are; otherwise the ending of -o FILE decides, else text.
    #[arg(long, value_enum)]
    pub format: Option<MergeFormat>,
    /// Write the report to this file instead of the standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `locklab envelope`.
#[derive(Debug, Args)]
pub struct EnvelopeArguments {
    /// A scenario file, the name of a built-in scenario such as expiry/gc-pause, or - for the standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The lock. Otherwise: the one that the scenario is about.
    #[arg(long, value_name = "NAME")]
    pub lock: Option<String>,
    /// The figure that is varied: pause, ttl, latency, drift, clock-step or lag.
    #[arg(long, value_name = "FIGURE")]
    pub vary: String,
    /// The least value, such as 1ms or 0ppm.
    #[arg(long, allow_hyphen_values = true, value_name = "VALUE")]
    pub from: Option<String>,
    /// The greatest value.
    #[arg(long, allow_hyphen_values = true, value_name = "VALUE")]
    pub to: Option<String>,
    /// The distance between the points of the grid that is decided first; otherwise a sixteenth of the range.
    #[arg(long, allow_hyphen_values = true, value_name = "VALUE")]
    pub step: Option<String>,
    /// A second figure, for a map: one line for each of its values.
    #[arg(long, value_name = "FIGURE[=FROM..TO]")]
    pub against: Option<String>,
    /// How many values of the second figure.
    #[arg(long, allow_hyphen_values = true, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u64).range(2..=100))]
    pub lines: u64,
    /// The property in question; may be repeated. Otherwise: mutual-exclusion, no-overrun, no-stale-write and no-lost-update.
    #[arg(long = "property", value_name = "NAME")]
    pub properties: Vec<String>,
    /// Change a value of the scenario, such as ttl=5s or A.work=12s; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,
    /// The faults that may strike, such as pause=1,crash=1; otherwise as many of each kind as the scenario has.
    #[arg(long, value_name = "KIND=N,...", conflicts_with = "own_moments")]
    pub faults: Option<String>,
    /// Leave the scenario's faults at their own moments, and search only the order of events.
    #[arg(long)]
    pub own_moments: bool,
    /// The longest time to take in all.
    #[arg(long, allow_hyphen_values = true, value_name = "TIME", default_value = "120s")]
    pub budget: Span,
    /// The most memory to take, such as 500MB or 2GB.
    #[arg(long, allow_hyphen_values = true, value_name = "SIZE", default_value = "1GB", value_parser = size)]
    pub memory: usize,
    /// How to report: text, json or svg; otherwise the ending of -o FILE decides, else text.
    #[arg(long, value_enum)]
    pub format: Option<ChartFormat>,
    /// Write the report to this file instead of the standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `locklab risk`.
#[derive(Debug, Args)]
pub struct RiskArguments {
    /// A scenario file, the name of a built-in scenario such as expiry/gc-pause, or - for the standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The model: how often what strikes, as a TOML file; see docs/risk.md.
    #[arg(long, value_name = "FILE")]
    pub model: PathBuf,
    /// The lock. Otherwise: the one that the scenario is about.
    #[arg(long, value_name = "NAME")]
    pub lock: Option<String>,
    /// How many runs; a quarter as many again for each point of the curve against the ttl.
    #[arg(long, allow_hyphen_values = true, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1_000..=10_000_000_000))]
    pub runs: u64,
    /// The seed of all chances: the same seed gives the same figures, on any number of threads.
    #[arg(long, allow_hyphen_values = true, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The property in question; may be repeated. Otherwise: mutual-exclusion, no-overrun, no-stale-write and no-lost-update.
    #[arg(long = "property", value_name = "NAME")]
    pub properties: Vec<String>,
    /// Change a value of the scenario, such as ttl=5s or A.work=12s; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,
    /// How many threads; otherwise one for each core.
    #[arg(long, allow_hyphen_values = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    pub threads: Option<u16>,
    /// Play the I-th of N shares of the runs only, and write what `locklab merge` puts together.
    #[arg(long, allow_hyphen_values = true, value_name = "I/N", value_parser = shard, conflicts_with = "format")]
    pub shard: Option<Shard>,
    /// How to report: text, json or svg; otherwise the ending of -o FILE decides, else text.
    #[arg(long, value_enum)]
    pub format: Option<ChartFormat>,
    /// Write the report to this file instead of the standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The form of a report of what shards have found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MergeFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// A risk's curve as a drawing.
    Svg,
    /// A comparison as a page of its own.
    Html,
    /// A comparison, a line a cell.
    Csv,
    /// A comparison as a table in Markdown.
    Md,
}

/// `locklab shrink`.
#[derive(Debug, Args)]
pub struct ShrinkArguments {
    /// A scenario file or a built-in scenario's name, the address of a run (L1-...), or a recorded history (.jsonl) of a built-in scenario.
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// The lock, of a scenario. Otherwise: the one that the scenario is about.
    #[arg(long, value_name = "NAME")]
    pub lock: Option<String>,
    /// The property that must stay broken. Otherwise: the first that the run breaks.
    #[arg(long, value_name = "NAME")]
    pub property: Option<String>,
    /// Change a value of the scenario, such as ttl=5s or A.work=12s; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,
    /// The seed of the run, where it had one.
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    pub seed: Option<u64>,
    /// Write the smallest run's scenario to this file instead of telling about it.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `locklab check-history`.
#[derive(Debug, Args)]
pub struct CheckHistoryArguments {
    /// The history, as --format history writes it; - for the standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How to report.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// What `locklab list` can list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Topic {
    /// The locks.
    Locks,
    /// What the resource itself can check.
    Guards,
    /// The built-in scenarios.
    Scenarios,
    /// What a fault in a scenario can be.
    Faults,
    /// What a comparison is made against: its columns.
    Threats,
    /// What is judged.
    Properties,
    /// What a fault can wait for.
    Milestones,
    /// What an expectation can say that happens.
    Happenings,
    /// The figures of a report.
    Totals,
}

/// A language by its tag.
fn language(tag: &str) -> Result<Language, Rule> {
    Language::from_tag(tag).ok_or_else(|| Rule(say!("there are en and zh", "可用的有 en 和 zh")))
}
