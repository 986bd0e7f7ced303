//! EVAL, EVALSHA, SCRIPT: Lua that runs as one step.

mod convert;
mod engine;
mod libraries;
mod memo;
mod pattern;
mod run;

pub use engine::ScriptBudget;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Role;
use super::call::{Answer, Call, Words};
use super::data::Bytes;
use super::number;
use super::refusal::Refusal;
use super::settings::Memory;
use super::verb::Verb;
use crate::servers::sorted::Sorted;
use crate::wire::Reply;
use engine::Ending;
use memo::Memo;
use run::{Rules, Run};

/// The place where scripts run and are remembered. Clones share what they remember, which makes runs faster and never different.
#[derive(Clone, Debug)]
pub struct Scripting {
    budget: ScriptBudget,
    /// `None`: every run is interpreted.
    library: Option<Arc<Mutex<Library>>>,
}

/// What has been computed before.
#[derive(Debug, Default)]
struct Library {
    digests: Sorted<Bytes, Bytes>,
    /// The literals of the scripts that only compare, by digest.
    literals: Sorted<Bytes, Option<Vec<Bytes>>>,
    memo: Memo,
}

/// How many scripts' digests are kept before they are forgotten: a script per acquisition would fill the memory.
const MOST_DIGESTS: usize = 1_000;

impl Default for Scripting {
    fn default() -> Scripting {
        Scripting { budget: ScriptBudget::default(), library: Some(Arc::default()) }
    }
}

/// All are equal: where scripts run makes no server another.
impl PartialEq for Scripting {
    fn eq(&self, _: &Scripting) -> bool {
        true
    }
}

impl Eq for Scripting {}

impl Scripting {
    /// Scripts with this budget.
    pub fn new(budget: ScriptBudget) -> Scripting {
        Scripting { budget, ..Scripting::default() }
    }

    /// Scripts that are interpreted each time, to check the remembered runs against.
    pub fn without_memory(budget: ScriptBudget) -> Scripting {
        Scripting { budget, library: None }
    }

    fn library(&self) -> Option<MutexGuard<'_, Library>> {
        // A panic elsewhere cannot leave half a run in it: runs are added whole.
        self.library.as_ref().map(|library| library.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The SHA-1 of a script in hexadecimal.
    fn digest(&self, source: &[u8]) -> Bytes {
        let Some(mut library) = self.library() else { return libraries::hex_digest(source).into() };
        if let Some(digest) = library.digests.get(source) {
            return digest.clone();
        }
        if library.digests.len() >= MOST_DIGESTS {
            library.digests.clear();
        }
        let digest = Bytes::from(libraries::hex_digest(source));
        library.digests.insert(source.into(), digest.clone());
        digest
    }
}

/// What the first line of a script says about it, if it is `#!lua flags=...`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Header<'a> {
    /// The script without that line, which still counts as a line.
    body: &'a [u8],
    /// There is such a line: the script is refused as a whole, not at its first write.
    is_declared: bool,
    no_writes: bool,
    allow_oom: bool,
}

impl Header<'_> {
    fn parse(source: &[u8]) -> Result<Header<'_>, Refusal> {
        let mut header = Header { body: source, ..Header::default() };
        let Some(rest) = source.strip_prefix(b"#!") else { return Ok(header) };
        let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
            return Err("ERR Invalid script shebang".into());
        };
        let line = String::from_utf8_lossy(&rest[..end]);
        let mut words = line.split_whitespace();
        let engine = words.next().unwrap_or_default();
        if engine != "lua" {
            return Err(format!("ERR Unexpected engine in script shebang: {engine}").into());
        }
        for word in words {
            let Some(flags) = word.strip_prefix("flags=") else {
                return Err(format!("ERR Unknown lua shebang option: {word}").into());
            };
            for flag in flags.split(',').filter(|flag| !flag.is_empty()) {
                match flag {
                    "no-writes" => header.no_writes = true,
                    "allow-oom" => header.allow_oom = true,
                    "allow-stale" | "no-cluster" | "allow-cross-slot-keys" => {}
                    _ => return Err(format!("ERR Unexpected flag in script shebang: {flag}").into()),
                }
            }
        }
        header.body = &rest[end..];
        header.is_declared = true;
        Ok(header)
    }
}

impl Call<'_> {
    pub(super) fn eval(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let by_digest = matches!(verb, Verb::Evalsha | Verb::EvalshaRo);
        if by_digest && words[1].len() != 40 {
            return Err(Refusal::NO_SCRIPT);
        }
        let keys = number::integer(&words[2]).ok_or(Refusal::NOT_INTEGER)?;
        if keys > words.len() as i64 - 3 {
            return Err("ERR Number of keys can't be greater than number of args".into());
        }
        let keys = usize::try_from(keys).map_err(|_| "ERR Number of keys can't be negative")?;
        let (digest, source) = if by_digest {
            let digest = Bytes::from(words[1].to_ascii_lowercase());
            let source = self.redis.scripts.get(&digest).cloned().ok_or(Refusal::NO_SCRIPT)?;
            (digest, Some(source))
        } else {
            (self.redis.scripting.digest(&words[1]), None)
        };
        let header = Header::parse(source.as_deref().unwrap_or(&words[1]))?;
        let is_read_only = matches!(verb, Verb::EvalRo | Verb::EvalshaRo);
        if header.is_declared {
            self.check_declared(&header, is_read_only)?;
        }
        let rules = Rules::new(&header, is_read_only);
        let run = Run { digest: &digest, body: header.body, words: &words[2..], keys, rules };
        let reply = match self.run_script(run) {
            Ending::Reply(reply) => reply,
            Ending::Failed { error, line } => {
                let digest = digest.text();
                let place = line.map_or(String::new(), |line| format!(" script: {digest}, on @user_script:{line}."));
                Reply::Error(error + &place)
            }
            Ending::Malformed(problem) => return Err(malformed(&problem)),
        };
        if source.is_none() && !self.redis.scripts.contains_key(&digest) {
            Arc::make_mut(&mut self.redis.scripts).insert(digest, words[1].clone());
        }
        Ok(reply)
    }

    /// Refuses a script as a whole that says what it does and may not do it now.
    fn check_declared(&self, header: &Header<'_>, is_read_only: bool) -> Result<(), Refusal> {
        if !header.no_writes {
            if is_read_only {
                return Err("ERR Can not execute a script with write flag using *_ro command.".into());
            }
            if self.redis.role != Role::Master {
                return Err("READONLY Can not run script with write flag on readonly replica.".into());
            }
            self.check_write()?;
        }
        if self.redis.settings.memory == Memory::Full && !header.allow_oom && !header.no_writes {
            return Err(
                "OOM allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory'".into()
            );
        }
        Ok(())
    }

    pub(super) fn script(&mut self, words: Words<'_>) -> Answer {
        match words[1].to_ascii_uppercase().as_slice() {
            b"LOAD" => {
                let header = Header::parse(&words[2])?;
                engine::compile(header.body).map_err(|problem| malformed(&problem))?;
                let digest = self.redis.scripting.digest(&words[2]);
                Arc::make_mut(&mut self.redis.scripts).insert(digest.clone(), words[2].clone());
                Ok(Reply::bulk(&*digest))
            }
            b"EXISTS" => {
                let known = |digest: &[u8]| self.redis.scripts.contains_key(digest.to_ascii_lowercase().as_slice());
                Ok(Reply::Array(words[2..].iter().map(|digest| Reply::Integer(known(digest).into())).collect()))
            }
            b"FLUSH" => match words.get(2).map(|word| word.to_ascii_uppercase()).as_deref() {
                None | Some(b"ASYNC" | b"SYNC") if words.len() <= 3 => {
                    self.redis.flush_scripts();
                    Ok(Reply::ok())
                }
                _ => Err("ERR SCRIPT FLUSH only support SYNC|ASYNC option".into()),
            },
            b"KILL" => Err("NOTBUSY No scripts in execution right now.".into()),
            _ => Err("ERR SCRIPT HELP is not modelled".into()),
        }
    }
}

fn malformed(problem: &str) -> Refusal {
    format!("ERR Error compiling script (new function): {problem}").into()
}
