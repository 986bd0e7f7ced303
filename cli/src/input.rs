//! The scenarios that were named: files, patterns, built-in ones, the standard input.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use locklab_core::address::ScenarioAddress;
use locklab_core::i18n::{Text, did_you_mean};
use locklab_core::say;
use locklab_core::scenario::library;

use crate::failure::{Failure, reason};

/// The most bytes that are read of any file: more than the largest scenario, so that its parser can say that it is too large.
const MOST: u64 = 2 << 20;

/// A scenario's text, and where it is from.
#[derive(Clone, Debug)]
pub struct Source {
    /// As it was named, for messages.
    pub shown: String,
    /// The scenario's name: topic and file stem.
    pub name: String,
    /// The bytes, which may be anything.
    pub bytes: Vec<u8>,
    /// Whether every Locklab has it.
    pub is_built_in: bool,
}

impl Source {
    /// A scenario that every Locklab has.
    pub fn built_in(name: &str, text: &str) -> Source {
        Source { shown: name.into(), name: name.into(), bytes: text.into(), is_built_in: true }
    }

    /// How an address names it, given its text before any change.
    pub fn address(&self, text: &str) -> ScenarioAddress {
        if self.is_built_in {
            ScenarioAddress::built_in(&self.name, text)
        } else {
            ScenarioAddress::of(&self.name, text)
        }
    }
}

/// Everything that was named, in order. Every file that cannot be read is told, not only the first.
pub fn sources(files: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    let mut failures = Vec::new();
    for file in files {
        match source(file) {
            Ok(more) => sources.extend(more),
            Err(failure) => failures.push(failure),
        }
    }
    if failures.is_empty() { Ok(sources) } else { Err(Failure::Several(failures)) }
}

/// The scenario that was named, where it can only be one.
pub fn one(file: &PathBuf) -> Result<Source, Failure> {
    let [source] = <[Source; 1]>::try_from(sources(std::slice::from_ref(file))?)
        .map_err(|_| Failure::input(say!("one scenario is searched at a time", "一次只能搜索一个场景")))?;
    Ok(source)
}

/// What one argument names.
fn source(file: &Path) -> Result<Vec<Source>, Failure> {
    if file == Path::new("-") {
        let bytes = read_all(io::stdin().lock()).map_err(|error| unreadable("-", &error))?;
        return Ok(vec![Source { shown: "-".into(), name: "stdin".into(), bytes, is_built_in: false }]);
    }
    if file.is_dir() {
        return Err(directory(file));
    }
    if file.exists() {
        return Ok(vec![read(file)?]);
    }
    let text = file.to_string_lossy();
    if let Some(scenario) = library::find(&text) {
        return Ok(vec![Source::built_in(scenario.name, scenario.text)]);
    }
    if text.contains(['*', '?', '[']) { matching(&text) } else { Err(missing(&text)) }
}

/// The bytes of a file, `-` being the standard input.
pub fn read_bytes(file: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let shown = file.display().to_string();
    let failed = |error| unreadable(&shown, &error);
    let mut bytes = Vec::new();
    // One byte more tells that there is more.
    let enough = most + 1;
    if file == Path::new("-") {
        io::stdin().lock().take(enough).read_to_end(&mut bytes).map_err(failed)?;
    } else if file.is_dir() {
        return Err(Failure::input(say!("{shown} is a folder", "{shown} 是一个文件夹", shown = shown)));
    } else {
        File::open(file).and_then(|file| file.take(enough).read_to_end(&mut bytes)).map_err(failed)?;
    }
    if bytes.len() as u64 > most {
        return Err(Failure::input(say!(
            "{shown} is too large: at most {most} bytes are read",
            "{shown} 太大：最多读取 {most} 字节",
            shown = shown,
            most = most
        )));
    }
    Ok(bytes)
}

/// A scenario's file.
pub fn read(file: &Path) -> Result<Source, Failure> {
    let shown = file.display().to_string();
    let bytes = File::open(file).and_then(read_all).map_err(|error| unreadable(&shown, &error))?;
    let name = name(file);
    let is_built_in = library::find(&name).is_some_and(|scenario| scenario.text.as_bytes() == bytes);
    Ok(Source { shown, name, bytes, is_built_in })
}

fn read_all(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Topic and file stem: `expiry/gc-pause` for `scenarios/expiry/gc-pause.toml`.
fn name(file: &Path) -> String {
    let part = |part: Option<&OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let stem = part(file.file_stem()).unwrap_or_default();
    match part(file.parent().and_then(Path::file_name)) {
        Some(topic) => format!("{topic}/{stem}"),
        None => stem,
    }
}

/// The files that match a pattern which the shell left as it was.
fn matching(pattern: &str) -> Result<Vec<Source>, Failure> {
    let wrong = |reason: String| {
        Failure::input(say!(
            "{pattern} is no pattern of file names: {reason}",
            "{pattern} 不是有效的文件名模式：{reason}",
            pattern = pattern,
            reason = reason
        ))
    };
    let mut files: Vec<PathBuf> = glob::glob(pattern).map_err(|error| wrong(error.to_string()))?.flatten().collect();
    files.retain(|file| file.is_file());
    if files.is_empty() {
        let failure = Failure::input(say!("no file matches {pattern}", "没有文件匹配 {pattern}", pattern = pattern));
        return Err(failure.hint(built_in()));
    }
    files.sort();
    files.iter().map(|file| read(file)).collect()
}

/// Where to find a name that exists.
fn built_in() -> Text {
    say!("built-in scenarios: locklab list scenarios", "查看内置场景：locklab list scenarios")
}

fn directory(file: &Path) -> Failure {
    let shown = file.display().to_string();
    let all = Path::new(&shown).join("**").join("*.toml").display().to_string();
    Failure::input(say!("{shown} is a folder, not a scenario", "{shown} 是文件夹，不是场景文件", shown = shown)).hint(
        say!("to run every scenario in it: locklab run {all}", "运行其中的所有场景：locklab run {all}", all = all),
    )
}

fn missing(text: &str) -> Failure {
    let near = library::nearest(text);
    let failure = Failure::input(say!(
        "there is no file {text}, and no built-in scenario of that name",
        "没有文件 {text}，也没有这个名字的内置场景",
        text = text
    ));
    failure.hint(match near {
        Some(near) => did_you_mean(near),
        None => built_in(),
    })
}

fn unreadable(shown: &str, error: &io::Error) -> Failure {
    let reason = reason(error);
    Failure::input(say!(
        "{shown} cannot be read: {reason}",
        "无法读取 {shown}：{reason}",
        shown = shown,
        reason = reason
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scenario_is_named_by_its_topic_and_stem() {
        assert_eq!(name(Path::new("scenarios/expiry/gc-pause.toml")), "expiry/gc-pause");
        assert_eq!(name(Path::new("./mine.toml")), "mine");
        assert_eq!(name(Path::new("/mine.toml")), "mine");
    }
}
