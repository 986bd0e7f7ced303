//! What one shard has come to, as a file: `locklab merge` puts the shards together. The format, version 2, is described in docs/search.md.

use locklab_core::i18n::Text;
use locklab_core::say;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::failure::{Ending, Failure};
use crate::input::Source;
use crate::output::Output;
use crate::shard::Shard;

/// The version of the format that this program writes and reads.
pub const FORMAT: u32 = 2;

/// What is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// A search.
    Explore,
    /// A sample.
    Risk,
    /// A comparison.
    Compare,
}

impl Work {
    /// The command that does it.
    pub fn command(self) -> &'static str {
        match self {
            Work::Explore => "locklab explore",
            Work::Risk => "locklab risk",
            Work::Compare => "locklab compare",
        }
    }
}

/// What one shard has come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partial<Question, Found> {
    /// The version of the format.
    pub format: u32,
    /// Of what.
    pub kind: Work,
    /// The version of the program: two versions may come to different things.
    pub locklab: String,
    /// Which share this is, counted from 1.
    pub shard: u32,
    /// Of how many.
    pub of: u32,
    /// Everything on which the result depends, as it was typed.
    pub question: Question,
    /// What was found.
    pub found: Found,
    /// SHA-256 of all of the above, in hexadecimal: numbers that were changed on the way are not added up.
    seal: String,
}

/// What a shard finds.
pub trait Share {
    /// Whether it was done to its end.
    fn is_complete(&self) -> bool;
}

/// A scenario's text as a shard's file holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceText {
    /// The scenario's name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Whether every Locklab has it.
    pub is_built_in: bool,
}

impl<Question: Serialize, Found: Serialize + Share> Partial<Question, Found> {
    /// What a shard has found.
    pub fn new(kind: Work, shard: Shard, question: Question, found: Found) -> Partial<Question, Found> {
        let locklab = env!("CARGO_PKG_VERSION").to_owned();
        let mut partial = Partial {
            format: FORMAT,
            kind,
            locklab,
            shard: shard.index,
            of: shard.of,
            question,
            found,
            seal: String::new(),
        };
        partial.seal = partial.sealed();
        partial
    }

    /// Whether it is as the shard has written it.
    pub fn is_whole(&self) -> bool {
        self.seal == self.sealed()
    }

    fn sealed(&self) -> String {
        let Partial { format, kind, locklab, shard, of, question, found, seal: _ } = self;
        let all = serde_json::to_vec(&(format, kind, locklab, shard, of, question, found));
        let digest = Sha256::digest(all.expect("it has string keys only"));
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Writes the file. All well means: the share was done to its end.
    pub fn write(&self, mut output: Output) -> Result<Ending, Failure> {
        output.write(&(serde_json::to_string_pretty(self).expect("it has string keys only") + "\n"))?;
        output.finish()?;
        Ok(if self.found.is_complete() { Ending::AsExpected } else { Ending::NotAsExpected })
    }
}

impl SourceText {
    /// The text of a scenario.
    pub fn of(source: &Source) -> SourceText {
        SourceText {
            name: source.name.clone(),
            text: String::from_utf8_lossy(&source.bytes).into_owned(),
            is_built_in: source.is_built_in,
        }
    }

    /// The scenario.
    pub fn source(&self) -> Source {
        Source {
            shown: self.name.clone(),
            name: self.name.clone(),
            bytes: self.text.clone().into_bytes(),
            is_built_in: self.is_built_in,
        }
    }
}

/// A file that says what no shard can have found.
pub fn damaged(why: Text) -> Failure {
    Failure::input(say!("the files are damaged: {why}", "文件已损坏：{why}", why = why))
}

/// Shards that have to be done, or done again.
pub fn missing(lacking: &[u32], of: u32) -> Failure {
    let names: Vec<String> = lacking.iter().map(|index| format!("{index}/{of}")).collect();
    Failure::input(say!("shards are missing: {names}", "缺少这些份：{names}", names = Text::list(&names))).hint(say!(
        "make them with the same options and --shard {first}",
        "请用同样的选项加 --shard {first} 把它们补上",
        first = names[0]
    ))
}
