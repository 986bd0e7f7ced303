//! What is to be played: a scenario, a lock, changes and choices. It is what the address bar holds.

use std::rc::Rc;

use locklab_core::address::{Address, Change, Check, ChoicesAddress, ScenarioAddress};
use locklab_core::history::History;
use locklab_core::locks::{self, Kind};
use locklab_core::say;
use locklab_core::scenario::library::{self, BuiltIn};
use locklab_core::scenario::{self, Scenario};

use super::Trouble;

/// What is to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The scenario, before the changes.
    pub source: Source,
    /// The lock's name.
    pub lock: String,
    /// Parameters that differ from the scenario's; one a key.
    pub changes: Vec<Change>,
    /// The choices; `None`: the scenario's own.
    pub choices: Option<ChoicesAddress>,
}

/// Where a scenario comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// From the library.
    BuiltIn(&'static BuiltIn),
    /// None: a history that the reader opened, which is not played but told.
    Recorded {
        /// The file's name.
        name: String,
        /// What happened.
        history: Rc<History>,
    },
    /// From the reader.
    Own {
        /// Its name.
        name: String,
        /// Its text.
        text: String,
    },
}

impl Source {
    /// Its name, such as `expiry/gc-pause`.
    pub fn name(&self) -> &str {
        match self {
            Source::BuiltIn(scenario) => scenario.name,
            Source::Own { name, .. } | Source::Recorded { name, .. } => name,
        }
    }

    /// Its text.
    pub fn text(&self) -> &str {
        match self {
            Source::BuiltIn(scenario) => scenario.text,
            Source::Own { text, .. } => text,
            Source::Recorded { .. } => "",
        }
    }

    /// How an address names it; `None`: no address can.
    pub fn address(&self) -> Option<ScenarioAddress> {
        match self {
            Source::BuiltIn(scenario) => Some(ScenarioAddress::built_in(scenario.name, scenario.text)),
            Source::Own { name, text } => Some(ScenarioAddress::of(name, text)),
            Source::Recorded { .. } => None,
        }
    }
}

impl Piece {
    /// A scenario with the lock that it is about.
    ///
    /// # Errors
    /// The scenario is wrong.
    pub fn of(source: Source) -> Result<Piece, Trouble> {
        let scenario = Scenario::parse(source.name(), source.text())?;
        Ok(Piece { source, lock: scenario.lock.kind.to_string(), changes: Vec::new(), choices: None })
    }

    /// The piece of an address, what its history amounted to, and what to say where its scenario has changed since.
    ///
    /// # Errors
    /// The text is no address, or its scenario is not here.
    pub fn at(address: &str) -> Result<(Piece, Check, Option<Trouble>), Trouble> {
        let Address { scenario, lock, changes, choices, check } = address.parse()?;
        let (source, changed) = match scenario {
            ScenarioAddress::BuiltIn { name, check } => {
                let found = library::find(&name).ok_or_else(|| Trouble::no_scenario(&name))?;
                let changed = (Check::of(found.text) != check).then(|| Trouble::scenario_changed(&name));
                (Source::BuiltIn(found), changed)
            }
            ScenarioAddress::Inside { name, text } => (Source::Own { name, text }, None),
            ScenarioAddress::File { path, .. } => return Err(Trouble::in_a_file(&path)),
        };
        Ok((Piece { source, lock, changes, choices: Some(choices) }, check, changed))
    }

    /// The piece with one more change, in place of an older one of the same key.
    pub fn changed(mut self, change: Change) -> Piece {
        self.changes.retain(|other| other.key != change.key);
        self.changes.push(change);
        self
    }

    /// The piece with another text of its scenario. Where it is played with the lock that the scenario is about, it follows the text.
    ///
    /// # Errors
    /// The text is wrong.
    pub fn with_text(&self, text: &str, before: &Scenario) -> Result<Piece, Trouble> {
        let name = self.source.name();
        let built_in = library::find(name).filter(|scenario| scenario.text == text);
        let own = || Source::Own { name: name.to_owned(), text: text.to_owned() };
        let piece = Piece::of(built_in.map_or_else(own, Source::BuiltIn))?;
        let lock = if *self.lock == *before.lock.kind { piece.lock.clone() } else { self.lock.clone() };
        Ok(Piece { lock, choices: self.choices.clone(), ..piece })
    }

    /// The piece without changes; a built-in scenario as it was.
    pub fn restored(&self) -> Piece {
        let source = library::find(self.source.name()).map_or_else(|| self.source.clone(), Source::BuiltIn);
        Piece { source, changes: Vec::new(), ..self.clone() }
    }

    /// The scenario's text with the changes.
    ///
    /// # Errors
    /// A change names nothing.
    pub fn text(&self) -> Result<String, Trouble> {
        let mut text = self.source.text().to_owned();
        for Change { key, value } in &self.changes {
            text = scenario::set(&text, &format!("{key}={value}"))?;
        }
        Ok(text)
    }

    /// The lock: the scenario's own listing, or one that Locklab brings.
    ///
    /// # Errors
    /// No lock has this name, or the listing is wrong.
    pub fn kind(&self, scenario: &Scenario) -> Result<Kind, Trouble> {
        let setting = &scenario.lock;
        match &setting.listing {
            Some(listing) if *setting.kind == *self.lock => Kind::from_listing(&self.lock, listing)
                .map_err(|error| Trouble::Said { message: error.message(), hint: None }),
            _ => locks::find(&self.lock)
                .cloned()
                .map_err(|unknown| Trouble::Said { message: unknown.message(), hint: unknown.hint() }),
        }
    }

    /// The choices that it begins with.
    pub fn choices(&self, scenario: &Scenario) -> ChoicesAddress {
        let own = || scenario.seed.map_or(ChoicesAddress::Defaults, ChoicesAddress::Seed);
        self.choices.clone().unwrap_or_else(own)
    }
}

impl Trouble {
    pub(super) fn no_scenario(name: &str) -> Trouble {
        Trouble::Said {
            message: say!("there is no built-in scenario {name}", "没有内置场景 {name}", name = name),
            hint: Some(say!("the link may be from another version of Locklab", "这个链接可能来自其他版本的 Locklab")),
        }
    }

    pub(super) fn unreadable(why: &str) -> Trouble {
        Trouble::Said {
            message: say!("this lesson cannot be read: {why}", "这一课无法读取：{why}", why = why),
            hint: None,
        }
    }

    fn scenario_changed(name: &str) -> Trouble {
        let message = say!(
            "the scenario {name} has changed since this link was made",
            "场景 {name} 在生成这个链接之后改过",
            name = name
        );
        Trouble::Said { message, hint: None }
    }

    fn in_a_file(path: &str) -> Trouble {
        Trouble::Said {
            message: say!(
                "the scenario of this link was too large for it, and is in the file {path}",
                "这个链接的场景太大，放在文件 {path} 里",
                path = path
            ),
            hint: Some(say!("open it with: locklab replay", "请用 locklab replay 打开")),
        }
    }

    /// A link opens another run than it did.
    pub(super) fn another_run() -> Trouble {
        let message = say!(
            "this is not the run that the link was made from: Locklab's models have changed since",
            "这次运行与生成链接时的不同：Locklab 的模型在那之后改过"
        );
        Trouble::Said { message, hint: None }
    }
}
