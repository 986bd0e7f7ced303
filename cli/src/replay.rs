//! `locklab replay`: a run from its address.

use std::path::Path;

use locklab_core::address::{Address, Check, ScenarioAddress};
use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use locklab_core::scenario::library;

use crate::args::ReplayArguments;
use crate::failure::{Ending, Failure};
use crate::input::{self, Source};
use crate::note::note;
use crate::play::{Ground, Stage};
use crate::run;

/// Plays the run again, says when it is another one than it was, and shows it all the same.
pub fn replay(arguments: &ReplayArguments, language: Language) -> Result<Ending, Failure> {
    let address = parse(&arguments.address)?;
    let (source, changed) = source(&address.scenario)?;
    let stage = Stage::new(&source, address.changes)?;
    let lock = stage.lock(&address.lock)?;
    let ground = Ground::of(&arguments.live, language)?;
    let played = stage.play(&lock, address.choices, &ground)?;
    if let Some(words) = changed {
        note(&words, language);
    }
    if played.address().is_some_and(|again| again.check != address.check) {
        note(&other_run(), language);
    }
    let judged = usize::from(played.judged().is_some());
    let ending = run::report(&arguments.output, language, played)?;
    ground.check_played(judged).map(|()| ending)
}

/// Reads an address.
pub fn parse(text: &str) -> Result<Address, Failure> {
    text.parse()
        .map_err(|error: locklab_core::address::AddressError| Failure::input(error.message()).hint(error.hint()))
}

/// The scenario of an address, and what to say if it is no longer the one that was meant.
pub fn source(scenario: &ScenarioAddress) -> Result<(Source, Option<Text>), Failure> {
    match scenario {
        ScenarioAddress::BuiltIn { name, check } => {
            let found = library::find(name).ok_or_else(|| no_longer(name))?;
            Ok((Source::built_in(found.name, found.text), changed(name, found.text.as_bytes(), *check)))
        }
        ScenarioAddress::Inside { name, text } => {
            let source =
                Source { shown: name.clone(), name: name.clone(), bytes: text.clone().into(), is_built_in: false };
            Ok((source, None))
        }
        ScenarioAddress::File { path, check } => {
            let source = input::read(Path::new(path))?;
            let words = changed(path, &source.bytes, *check);
            Ok((source, words))
        }
    }
}

fn changed(name: &str, bytes: &[u8], check: Check) -> Option<Text> {
    (Check::of(bytes) != check).then(|| {
        say!(
            "the scenario {name} has changed since this address was made",
            "场景 {name} 在生成这个地址之后改过",
            name = name
        )
    })
}

fn other_run() -> Text {
    say!(
        "this is not the run that the address was made from: another version of Locklab, or a changed scenario",
        "这次运行与生成地址时的不同：Locklab 的版本不同，或场景改过"
    )
}

fn no_longer(name: &str) -> Failure {
    Failure::input(say!("there is no built-in scenario {name}", "没有内置场景 {name}", name = name)).hint(say!(
        "the address may be from another version of Locklab; this one has: locklab list scenarios",
        "这个地址可能来自其他版本的 Locklab；本版本有哪些场景：locklab list scenarios"
    ))
}
