//! `locklab merge`: what the shards of a search have found, put together.

use std::collections::BTreeMap;
use std::path::Path;

use locklab_core::explore::Search;
use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use serde::Deserialize;

use crate::args::MergeArguments;
use crate::explore::Report;
use crate::explore::found::Found;
use crate::explore::inquiry::Inquiry;
use crate::explore::partial::{FORMAT, LockPartial, Partial};
use crate::failure::{Ending, Failure};
use crate::input;
use crate::output::Output;

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// Puts the shards together and reports what one run would have reported.
pub fn merge(arguments: &MergeArguments, language: Language) -> Result<Ending, Failure> {
    let mut shards: BTreeMap<u32, Partial> = BTreeMap::new();
    for file in &arguments.files {
        let partial = read(file)?;
        if let Some(other) = shards.values().next()
            && (&other.explore, other.of, &other.locklab) != (&partial.explore, partial.of, &partial.locklab)
        {
            return Err(another_search(file));
        }
        match shards.get(&partial.shard) {
            // A shard that was searched twice has found the same twice.
            Some(same) if *same == partial => {}
            // One that was stopped and searched again has found more.
            Some(other) if !partial.is_complete() && other.is_complete() => {}
            Some(other) if partial.is_complete() && other.is_complete() => return Err(twice(partial.shard)),
            _ => drop(shards.insert(partial.shard, partial)),
        }
    }
    let shards: Vec<Partial> = complete(shards)?;
    let inquiry = Inquiry::new(shards[0].explore.clone())?;
    let output = Output::to(arguments.output.as_deref())?;
    let mut report = Report { format: arguments.format, language, output, all: Vec::new() };
    for lock in &inquiry.locks {
        let of = |shard: &Partial| shard.locks.iter().position(|partial| partial.lock == *lock.name);
        let Some(search): Option<Search> = inquiry.search(lock, language)? else { continue };
        let mut found: Vec<&LockPartial> = Vec::new();
        for shard in &shards {
            let place = of(shard).filter(|place| !shard.locks[*place].is_without_share());
            let place = place.ok_or_else(|| search_again(&[shard.shard], shard.of))?;
            found.push(&shard.locks[place]);
        }
        let (summary, stopped) = LockPartial::joined(&found, &inquiry, lock)?;
        report.tell(Found::new(&inquiry, lock, &search, summary, stopped)?)?;
    }
    report.end()
}

/// Only the version: a file of another version may have any shape.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

fn read(file: &Path) -> Result<Partial, Failure> {
    let shown = file.display().to_string();
    let refused = |why: Text| {
        Failure::input(say!(
            "{shown} is no shard of a search: {why}",
            "{shown} 不是某次搜索的一份：{why}",
            shown = shown,
            why = why
        ))
        .hint(say!(
            "locklab explore --shard I/N -o FILE writes one",
            "locklab explore --shard I/N -o FILE 会写出这种文件"
        ))
    };
    let bytes = input::read_bytes(file, LARGEST)?;
    let Version { format } = serde_json::from_slice(&bytes).map_err(|error| refused(Text::same(error.to_string())))?;
    if format != FORMAT {
        return Err(refused(say!(
            "its format is version {format}, and this program reads version {known}",
            "它的格式是版本 {format}，本程序读取版本 {known}",
            format = format,
            known = FORMAT
        )));
    }
    let partial: Partial = serde_json::from_slice(&bytes).map_err(|error| refused(Text::same(error.to_string())))?;
    if !(1..=partial.of).contains(&partial.shard) {
        return Err(refused(say!("its number is beyond its count", "它的序号超过了总份数")));
    }
    Ok(partial)
}

/// All shards in their order, if none is missing.
fn complete(shards: BTreeMap<u32, Partial>) -> Result<Vec<Partial>, Failure> {
    let of = shards.values().next().map_or(0, |partial| partial.of);
    let missing: Vec<u32> = (1..=of).filter(|index| !shards.contains_key(index)).collect();
    if missing.is_empty() { Ok(shards.into_values().collect()) } else { Err(search_again(&missing, of)) }
}

fn search_again(missing: &[u32], of: u32) -> Failure {
    let names: Vec<String> = missing.iter().map(|index| format!("{index}/{of}")).collect();
    Failure::input(say!("shards are missing: {names}", "缺少这些份：{names}", names = names.join(", "))).hint(say!(
        "search them with the same options and --shard {first}",
        "请用同样的选项加 --shard {first} 搜索它们",
        first = names[0]
    ))
}

fn another_search(file: &Path) -> Failure {
    let shown = file.display().to_string();
    Failure::input(say!("{shown} belongs to another search", "{shown} 属于另一次搜索", shown = shown)).hint(say!(
        "scenario, options, number of shards and version of locklab must be the same",
        "场景、选项、份数和 locklab 的版本都必须相同"
    ))
}

fn twice(shard: u32) -> Failure {
    Failure::input(say!(
        "two files of shard {shard} say different things",
        "第 {shard} 份的两个文件说法不一",
        shard = shard
    ))
}
