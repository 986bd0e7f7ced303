//! A mechanism: a lock, and what the resource contributes.

use std::fmt;

use super::Scene;
use crate::i18n::{Language, Text};
use crate::locks::{self, Kind, Standing};
use crate::say;

/// A row of the comparison: a lock, and what the resource contributes.
#[derive(Clone, Copy, Debug)]
pub struct Mechanism {
    /// The lock.
    pub lock: &'static Kind,
    /// What the resource contributes.
    pub means: Means,
}

/// What the resource contributes to its own protection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Means {
    /// Nothing: it accepts whatever comes.
    Nothing,
    /// It refuses a fencing token that is smaller than one it has seen.
    Token,
    /// It refuses what was computed from an older version.
    Version,
    /// It refuses what has been done already, by a unique key.
    UniqueKey,
    /// It checks and changes in one step, such as a conditional UPDATE.
    Atomic,
    /// The same as one script in the lock's Redis.
    Script,
}

impl Means {
    /// Each with its name.
    pub const ALL: [(&'static str, Means); 6] = [
        ("nothing", Means::Nothing),
        ("fencing", Means::Token),
        ("version", Means::Version),
        ("unique-key", Means::UniqueKey),
        ("atomic", Means::Atomic),
        ("script", Means::Script),
    ];

    /// Its canonical name, such as `unique-key`.
    pub fn name(self) -> &'static str {
        Means::ALL.iter().find(|(_, means)| *means == self).map_or("", |(name, _)| name)
    }

    /// What a reader is told of it, after a lock's name: `the resource checks the token`.
    pub fn title(self) -> Text {
        match self {
            Means::Nothing => say!("the resource checks nothing", "资源不做检查"),
            Means::Token => say!("the resource checks the token", "资源检查令牌"),
            Means::Version => say!("the resource checks the version", "资源检查版本号"),
            Means::UniqueKey => say!("the resource has a unique key", "资源有唯一键"),
            Means::Atomic => say!("checked and changed in one step at the resource", "在资源处一步完成检查与修改"),
            Means::Script => say!("one script in Redis checks and changes", "用一段 Redis 脚本检查并修改"),
        }
    }

    /// What is played with it, unless a fault asks for something else.
    pub(super) fn scene(self) -> Scene {
        match self {
            Means::Nothing | Means::Token | Means::Version => Scene::Update,
            Means::UniqueKey => Scene::Once,
            Means::Atomic | Means::Script => Scene::Stock,
        }
    }
}

impl Mechanism {
    /// What it is called: `token-lua`, `fenced+fencing`.
    pub fn name(&self) -> String {
        match self.means {
            Means::Nothing => self.lock.name.to_string(),
            means => format!("{}+{}", self.lock.name, means.name()),
        }
    }

    /// What a reader is told: the lock's name, and what the resource contributes.
    pub fn title(&self) -> Text {
        let (lock, means) = (&*self.lock.name, self.means.title());
        match (self.lock.promises.exclusion, self.means) {
            (false, Means::Nothing) => say!("no lock", "不用锁"),
            (false, _) => say!("no lock; {means}", "不用锁；{means}", means = means),
            (true, Means::Nothing) => Text::same(lock),
            (true, _) => say!("{lock}; {means}", "{lock}；{means}", lock = lock, means = means),
        }
    }
}

/// Two mechanisms are the same if they have one name.
impl PartialEq for Mechanism {
    fn eq(&self, other: &Mechanism) -> bool {
        self.lock.name == other.lock.name && self.means == other.means
    }
}

impl Eq for Mechanism {}

/// The rows of the whole comparison: every lock that is a mechanism of its own, with and without what a resource can contribute to it.
pub fn mechanisms() -> Vec<Mechanism> {
    locks::kinds().iter().filter(|kind| kind.standing == Standing::Mechanism).flat_map(rows).collect()
}

/// A name that stands for no mechanism.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", message.in_language(Language::English))]
pub struct UnknownMechanism {
    /// What is wrong.
    pub message: Text,
    /// What to do.
    pub hint: Option<Text>,
}

/// The rows of one name: all of a lock's (`fenced`), or one (`fenced+fencing`, `fenced+nothing`). A lock answers to its other names too.
///
/// # Errors
/// The lock or what the resource should contribute is not known, or the lock hands out no token to be checked.
pub fn mechanisms_named(name: &str) -> Result<Vec<Mechanism>, UnknownMechanism> {
    let (lock, means) = name.split_once('+').map_or((name, None), |(lock, means)| (lock, Some(means.trim())));
    let lock = locks::find(lock.trim())
        .map_err(|unknown| UnknownMechanism { message: unknown.message(), hint: unknown.hint() })?;
    let Some(wanted) = means else { return Ok(rows(lock).collect()) };
    let Some((_, means)) = Means::ALL.into_iter().find(|(known, _)| *known == wanted) else {
        return Err(UnknownMechanism {
            message: say!("a resource contributes no \"{wanted}\"", "资源没有 \"{wanted}\" 这种防护", wanted = wanted),
            hint: Some(say!("there are {all}", "可用的有 {all}", all = Text::list(Means::ALL.map(|(name, _)| name)))),
        });
    };
    if means == Means::Token && !lock.promises.fencing {
        return Err(UnknownMechanism {
            message: say!(
                "{lock} hands out no growing token, so there is none to check",
                "{lock} 不发放递增的令牌，资源没有令牌可查",
                lock = *lock.name
            ),
            hint: Some(say!("write {lock}+version", "可以写 {lock}+version", lock = *lock.name)),
        });
    }
    Ok(vec![Mechanism { lock, means }])
}

fn rows(lock: &'static Kind) -> impl Iterator<Item = Mechanism> {
    let means: &[Means] = match (lock.promises.exclusion, lock.promises.fencing) {
        (false, _) => &[Means::Nothing, Means::Version, Means::UniqueKey, Means::Atomic, Means::Script],
        (true, true) => &[Means::Nothing, Means::Token],
        (true, false) => &[Means::Nothing],
    };
    means.iter().map(move |means| Mechanism { lock, means: *means })
}

impl fmt::Display for Mechanism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}
