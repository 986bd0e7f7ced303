//! `locklab shrink`: the smallest run that still breaks the same property.

use std::fmt::Write as _;

use locklab_core::address::{Address, ChoicesAddress};
use locklab_core::check::Property;
use locklab_core::explore::shrink::{Case, CaseChoices, NotBroken, Shrink, with_expected};
use locklab_core::history::History;
use locklab_core::i18n::{Language, Text};
use locklab_core::locks::Kind;
use locklab_core::say;
use locklab_core::scenario::library;

use crate::args::ShrinkArguments;
use crate::failure::{Ending, Failure};
use crate::input::{self, Source};
use crate::interrupt::Interrupt;
use crate::output::Output;
use crate::play::{self, Ground, Played, Stage};
use crate::progress::ProgressLine;
use crate::question;
use crate::terminal::{FAINT, STRONG};
use crate::{check_history, replay, report};

/// A run that has been shrunk.
#[derive(Debug)]
pub struct Shrunk {
    /// What it still breaks.
    pub property: Property,
    /// The scenario of the smallest run.
    pub text: String,
    /// The smallest run, played.
    pub played: Played,
    /// How many runs were tried.
    pub tries: u64,
    /// Whether nothing more can be left out; else somebody asked for the end.
    pub is_smallest: bool,
}

/// A run as it was named.
struct Broken {
    source: Source,
    stage: Stage,
    lock: Kind,
    choices: ChoicesAddress,
    /// What it is known to break; `None`: what comes out when it is played.
    property: Option<Property>,
}

/// Shrinks and reports.
pub fn shrink(arguments: &ShrinkArguments, language: Language) -> Result<Ending, Failure> {
    let interrupt = Interrupt::listen();
    let mut output = Output::to(arguments.output.as_deref())?;
    let broken = broken(arguments)?;
    let property = match (&arguments.property, broken.property) {
        (Some(name), _) => question::properties(std::slice::from_ref(name), &[])?[0],
        (None, Some(property)) => property,
        (None, None) => {
            let played = broken.stage.play(&broken.lock, broken.choices.clone(), &Ground::Models)?;
            let first = played.judged().and_then(|judged| judged.report.broken().next());
            first.ok_or_else(|| nothing_broken(&broken.lock))?
        }
    };
    let choices = match broken.choices {
        ChoicesAddress::Defaults => CaseChoices::Taken(Vec::new()),
        ChoicesAddress::Seed(seed) => CaseChoices::Seed(seed),
        ChoicesAddress::Taken(taken) => CaseChoices::Taken(taken),
    };
    let case = Case { text: broken.stage.text().to_owned(), choices };
    let mut line = ProgressLine::new(language);
    let shrunk = shrunk(&broken.source.name, &broken.lock, property, &case, &interrupt, &mut line)?;
    drop(line);
    if arguments.output.is_some() && !shrunk.plays_by_default() {
        let words = say!(
            "this run breaks by its choices of order, which no scenario holds: play it with locklab replay {address}",
            "这次运行的破坏取决于事件顺序的选择，场景文件里写不下：请用 locklab replay {address} 重放",
            address = shrunk.played.address().map(|address| address.to_string()).unwrap_or_default()
        );
        crate::note::note(&words, language);
    }
    if arguments.output.is_some() {
        output.write(&shrunk.text)?;
    } else {
        output.write(&page(&shrunk, language))?;
    }
    output.finish()?;
    Ok(if shrunk.is_smallest { Ending::AsExpected } else { Ending::NotAsExpected })
}

/// Shrinks one broken run, until nothing more can be left out or somebody asks for the end. Its scenario expects whatever the smallest run breaks.
pub fn shrunk(
    name: &str,
    lock: &Kind,
    property: Property,
    case: &Case,
    interrupt: &Interrupt,
    line: &mut ProgressLine,
) -> Result<Shrunk, Failure> {
    let mut shrink = Shrink::new(name, lock.clone(), property, case).map_err(|error| match error {
        NotBroken::Holds => not_broken(lock, property),
        NotBroken::NotPlayed => nothing_broken(lock),
    })?;
    let mut goes_on = true;
    while goes_on && !interrupt.is_asked() {
        goes_on = shrink.advance(1);
        line.show(|| say!("{tries} smaller runs tried", "已尝试 {tries} 次更小的运行", tries = shrink.tries()));
    }
    let Case { text, choices } = shrink.best().clone();
    let choices = match choices {
        CaseChoices::Seed(seed) => ChoicesAddress::Seed(seed),
        CaseChoices::Taken(taken) if taken.is_empty() => ChoicesAddress::Defaults,
        CaseChoices::Taken(taken) => ChoicesAddress::Taken(taken),
    };
    let play = |text: &str| {
        let source = Source { shown: name.into(), name: name.into(), bytes: text.into(), is_built_in: false };
        Stage::new(&source, Vec::new())?.play(lock, choices.clone(), &Ground::Models)
    };
    let broken: Vec<Property> = play(&text)?.judged().iter().flat_map(|judged| judged.report.broken()).collect();
    let text = with_expected(&text, &lock.name, &broken).unwrap_or(text);
    Ok(Shrunk { property, played: play(&text)?, text, tries: shrink.tries(), is_smallest: !goes_on })
}

impl Shrunk {
    /// Whether its scenario alone plays the run, with every default choice.
    fn plays_by_default(&self) -> bool {
        self.played.address().is_none_or(|address| address.choices == ChoicesAddress::Defaults)
    }
}

/// The smallest run told: its story, its scenario, its address.
pub fn page(shrunk: &Shrunk, language: Language) -> String {
    let say = |text: Text| text.in_language(language).to_owned();
    let mut page = String::new();
    let heading = say!(
        "The smallest run that still breaks {property}",
        "仍然破坏 {property} 的最小运行",
        property = shrunk.property.name()
    );
    let _ = writeln!(page, "{STRONG}{}{STRONG:#}", say(heading));
    page.push_str(&report::story(&shrunk.played, language));
    let _ = writeln!(page, "\n{STRONG}{}{STRONG:#}", say(say!("Its scenario", "它的场景")));
    for line in shrunk.text.trim().lines() {
        let _ = writeln!(page, "    {line}");
    }
    if let Some(address) = shrunk.played.address() {
        let _ = writeln!(page, "\n    locklab replay {address}");
    }
    let effort = match shrunk.is_smallest {
        true => say!(
            "{tries} smaller runs tried; nothing more can be left out or shortened alone",
            "尝试了 {tries} 次更小的运行；再单独去掉或缩短任何一处都不会被破坏",
            tries = shrunk.tries
        ),
        false => say!(
            "interrupted after {tries} smaller runs: it may become smaller still",
            "尝试了 {tries} 次更小的运行后被中断：也许还能更小",
            tries = shrunk.tries
        ),
    };
    let _ = writeln!(page, "{FAINT}{}{FAINT:#}", say(effort));
    page
}

/// The run that was named: by its address, by a recorded history, by its scenario.
fn broken(arguments: &ShrinkArguments) -> Result<Broken, Failure> {
    let shown = arguments.run.display().to_string();
    if shown.starts_with("L1-") {
        let address: Address = replay::parse(&shown)?;
        let (source, _) = replay::source(&address.scenario)?;
        let stage = Stage::new(&source, address.changes)?;
        let lock = stage.lock(&address.lock)?;
        return Ok(Broken { source, stage, lock, choices: address.choices, property: None });
    }
    let is_history = arguments.run.extension().is_some_and(|ending| ending == "jsonl");
    if is_history {
        return recorded(&check_history::read(&arguments.run)?, arguments);
    }
    let changes: Vec<_> = arguments.settings.iter().map(|setting| play::change(setting)).collect::<Result<_, _>>()?;
    let source = input::one(&arguments.run)?;
    let stage = Stage::new(&source, changes)?;
    let lock = stage.lock(arguments.lock.as_deref().unwrap_or(&stage.scenario.lock.kind))?;
    let choices = stage.choices(arguments.seed);
    Ok(Broken { source, stage, lock, choices, property: None })
}

/// A recorded run: its scenario is played again in the simulator, which must break what the record broke.
fn recorded(history: &History, arguments: &ShrinkArguments) -> Result<Broken, Failure> {
    let name = &history.header.scenario;
    let found = library::find(name).ok_or_else(|| {
        Failure::input(say!(
            "the history is of the scenario {name}, which is not built in",
            "这份历史记录的场景 {name} 不是内置场景",
            name = name
        ))
        .hint(say!(
            "a history does not hold its scenario: name the file, locklab shrink FILE --lock {lock}, with the --set and --seed of the run",
            "历史记录不包含场景本身：请写场景文件，locklab shrink 文件 --lock {lock}，并带上当时的 --set 和 --seed",
            lock = &*history.header.lock
        ))
    })?;
    let source = Source::built_in(found.name, found.text);
    let changes: Vec<_> = arguments.settings.iter().map(|setting| play::change(setting)).collect::<Result<_, _>>()?;
    let stage = Stage::new(&source, changes)?;
    let lock = stage.lock(&history.header.lock)?;
    let recorded = Played::recorded(history.clone());
    let property = recorded.judged().and_then(|judged| judged.report.broken().next());
    let property = property.ok_or_else(|| nothing_broken(&lock))?;
    let choices = stage.choices(arguments.seed);
    Ok(Broken { source, stage, lock, choices, property: Some(property) })
}

fn nothing_broken(lock: &Kind) -> Failure {
    Failure::input(say!(
        "the run with the lock {lock} breaks nothing",
        "使用锁 {lock} 的这次运行没有破坏任何性质",
        lock = &*lock.name
    ))
    .hint(say!(
        "name another lock with --lock, or let locklab explore find a run that breaks",
        "用 --lock 换一把锁，或用 locklab explore 找出会破坏的运行"
    ))
}

fn not_broken(lock: &Kind, property: Property) -> Failure {
    let (name, lock) = (property.name(), &*lock.name);
    Failure::input(say!(
        "played in the simulator, the run with the lock {lock} does not break {name}",
        "在模拟器里，使用锁 {lock} 的这次运行没有破坏 {name}",
        lock = lock,
        name = name
    ))
    .hint(say!(
        "a run with a seed or changed values needs the same --seed and --set",
        "如果当时用了种子或改过场景，请带上同样的 --seed 和 --set"
    ))
}
