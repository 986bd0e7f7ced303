//! `locklab merge`: what the shards of a search, a sample or a comparison have found, put together.

use std::collections::BTreeMap;
use std::path::Path;

use clap::ValueEnum;
use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use crate::args::MergeArguments;
use crate::failure::{Ending, Failure};
use crate::output::Output;
use crate::partial::{FORMAT, Partial, Share, Work, missing};
use crate::{compare, explore, form, input, risk};

/// The largest file that is read, in bytes: a sample's holds its model, and the log that the model names.
const LARGEST: u64 = 256 << 20;

/// Puts the shards together and reports what one run would have reported.
pub fn merge(arguments: &MergeArguments, language: Language) -> Result<Ending, Failure> {
    let files: Vec<File> = arguments.files.iter().map(|file| File::read(file)).collect::<Result<_, _>>()?;
    let Some(first) = files.first() else { return Err(missing(&[1], 1)) };
    if let Some(other) = files.iter().find(|file| file.head.kind != first.head.kind) {
        return Err(of_another_kind(first, other));
    }
    let output = || Output::to(arguments.output.as_deref());
    match first.head.kind {
        Work::Explore => explore::merged(&shards(&files)?, wanted(arguments)?, output()?, language),
        Work::Risk => risk::merged(&shards(&files)?, wanted(arguments)?, output()?, language),
        Work::Compare => compare::merged(&shards(&files)?, wanted(arguments)?, output()?, language),
    }
}

/// A shard's file, of which only the head has been looked at.
struct File {
    shown: String,
    bytes: Vec<u8>,
    head: Head,
}

/// What stands in a file of any version.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

/// What stands in the file of any kind of work.
#[derive(Deserialize)]
struct Head {
    kind: Work,
    locklab: String,
    shard: u32,
    of: u32,
}

impl File {
    fn read(file: &Path) -> Result<File, Failure> {
        let shown = file.display().to_string();
        let bytes = input::read_bytes(file, LARGEST)?;
        let Version { format } = parsed(&bytes, &shown)?;
        if format != FORMAT {
            let why = say!(
                "its format is version {format}, and this program reads version {known}",
                "它的格式是版本 {format}，本程序读取版本 {known}",
                format = format,
                known = FORMAT
            );
            return Err(no_shard(&shown, why));
        }
        let head: Head = parsed(&bytes, &shown)?;
        if !(1..=head.of).contains(&head.shard) {
            return Err(no_shard(&shown, say!("its number is beyond its count", "它的序号超过了总份数")));
        }
        Ok(File { shown, bytes, head })
    }
}

fn parsed<T: DeserializeOwned>(bytes: &[u8], shown: &str) -> Result<T, Failure> {
    serde_json::from_slice(bytes).map_err(|error| {
        let (line, column) = (error.line() as u64, error.column() as u64);
        let why = match error.classify() {
            Category::Data => say!(
                "a shard does not say this, or says more (line {line}, column {column})",
                "内容与分份结果的格式不符（第 {line} 行第 {column} 列）",
                line = line,
                column = column
            ),
            Category::Eof => say!("it ends too early", "文件不完整，提前结束"),
            Category::Syntax | Category::Io => {
                say!(
                    "it is not JSON (line {line}, column {column})",
                    "它不是 JSON（第 {line} 行第 {column} 列）",
                    line = line,
                    column = column
                )
            }
        };
        no_shard(shown, why)
    })
}

/// All shards in their order, each once, if they belong together and none is missing.
fn shards<Question, Found>(files: &[File]) -> Result<Vec<Partial<Question, Found>>, Failure>
where
    Question: Serialize + DeserializeOwned + PartialEq,
    Found: Serialize + DeserializeOwned + PartialEq + Share,
{
    let mut shards: BTreeMap<u32, Partial<Question, Found>> = BTreeMap::new();
    for file in files {
        let shard: Partial<Question, Found> = parsed(&file.bytes, &file.shown)?;
        if let Some(other) = shards.values().next()
            && (&other.question, other.of, &other.locklab) != (&shard.question, shard.of, &shard.locklab)
        {
            return Err(another(file, &files[0]));
        }
        if !shard.is_whole() {
            return Err(no_longer_whole(&file.shown));
        }
        match shards.get(&shard.shard) {
            // A shard that was done twice has found the same twice.
            Some(same) if *same == shard => {}
            // One that was stopped and done again has found more.
            Some(other) if !shard.found.is_complete() && other.found.is_complete() => {}
            Some(other) if shard.found.is_complete() && other.found.is_complete() => return Err(twice(shard.shard)),
            _ => drop(shards.insert(shard.shard, shard)),
        }
    }
    let of = shards.values().next().map_or(0, |shard| shard.of);
    let lacking: Vec<u32> = (1..=of).filter(|index| !shards.contains_key(index)).collect();
    if lacking.is_empty() { Ok(shards.into_values().collect()) } else { Err(missing(&lacking, of)) }
}

/// The form that was asked for, or that the ending of the file means, where this kind of work has it.
fn wanted<Form: ValueEnum + Default>(arguments: &MergeArguments) -> Result<Form, Failure> {
    let asked = arguments.format.map(|format| form::named(&form::name_of(format))).transpose()?;
    form::wanted(asked, arguments.output.as_deref())
}

fn no_shard(shown: &str, why: Text) -> Failure {
    Failure::input(say!("{shown} is no shard: {why}", "{shown} 不是分份运行的结果：{why}", shown = shown, why = why))
        .hint(say!(
            "explore, risk and compare write one with --shard I/N -o FILE",
            "explore、risk、compare 加 --shard I/N -o 文件 会写出这种文件"
        ))
}

fn no_longer_whole(shown: &str) -> Failure {
    Failure::input(say!(
        "{shown} is damaged: it is not as the shard has written it",
        "{shown} 已损坏：内容与写出时不一致",
        shown = shown
    ))
    .hint(say!("run this shard again", "请重新运行这一份"))
}

fn of_another_kind(one: &File, other: &File) -> Failure {
    Failure::input(say!(
        "{this} is a shard of {command}, and {that} one of {else_of}",
        "{this} 是 {command} 的一份，{that} 却是 {else_of} 的一份",
        this = one.shown.as_str(),
        command = one.head.kind.command(),
        that = other.shown.as_str(),
        else_of = other.head.kind.command()
    ))
    .hint(say!("merge the shards of one command", "只能合并同一条命令的各份"))
}

fn another(file: &File, first: &File) -> Failure {
    let (shown, other) = (file.shown.as_str(), first.shown.as_str());
    let failure = Failure::input(say!("{shown} belongs to another run", "{shown} 属于另一次运行", shown = shown));
    failure.hint(if file.head.locklab != first.head.locklab {
        say!(
            "it was written by locklab {this}, and {other} by {that}",
            "它由 locklab {this} 写出，{other} 由 {that} 写出",
            this = file.head.locklab.as_str(),
            that = first.head.locklab.as_str(),
            other = other
        )
    } else if file.head.of != first.head.of {
        say!(
            "it is one of {this} shards, and {other} one of {that}",
            "它是 {this} 份之一，{other} 是 {that} 份之一",
            this = file.head.of,
            that = first.head.of,
            other = other
        )
    } else {
        say!("scenario and options must be the same for all shards", "各份的场景和选项必须相同")
    })
}

fn twice(shard: u32) -> Failure {
    Failure::input(say!(
        "two files of shard {shard} say different things",
        "第 {shard} 份的两个文件说法不一",
        shard = shard
    ))
}
