//! One run of a script on a server: what its commands may do, and what comes back.

use super::engine::{self, Ending, Host, Program};
use super::memo::Path;
use super::pattern::{self, Piece, Symbols};
use super::{Header, Library, MOST_DIGESTS, Scripting};
use crate::servers::redis::call::{Call, Context, Words};
use crate::servers::redis::data::Bytes;
use crate::servers::redis::outcome::Outcome;
use crate::servers::redis::process::look_up;
use crate::servers::redis::refusal::Refusal;
use crate::servers::redis::settings::Memory;
use crate::servers::redis::verb::Spec;
use crate::wire::Reply;

/// What a script's commands may do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) may_write: bool,
    pub(super) may_grow_when_full: bool,
    /// It has changed something: from then on no lack of memory stops it half way.
    has_written: bool,
}

impl Rules {
    /// The rules for a script with this header, called by EVAL or by EVAL_RO.
    pub(super) fn new(header: &Header<'_>, is_read_only: bool) -> Rules {
        Rules {
            may_write: !is_read_only && !header.no_writes,
            may_grow_when_full: header.allow_oom,
            has_written: false,
        }
    }
}

/// A script with its keys and arguments.
pub(super) struct Run<'a> {
    pub(super) digest: &'a Bytes,
    pub(super) body: &'a [u8],
    /// The number of keys, the keys, the arguments: what tells runs of one script apart.
    pub(super) words: Words<'a>,
    pub(super) keys: usize,
    pub(super) rules: Rules,
}

impl Call<'_> {
    /// Runs a script to its end, as far as possible along remembered paths.
    pub(super) fn run_script(&mut self, mut run: Run<'_>) -> Ending {
        let outside = std::mem::replace(&mut self.context, Context::Script);
        let scripting = self.redis.scripting.clone();
        let ending = match scripting.library() {
            None => self.interpret(&scripting, &mut run, Vec::new()).1,
            Some(mut library) => self.recall(&scripting, &mut run, &mut library),
        };
        self.context = outside;
        ending
    }

    fn recall(&mut self, scripting: &Scripting, run: &mut Run<'_>, library: &mut Library) -> Ending {
        let Library { memo, literals, .. } = library;
        if literals.len() >= MOST_DIGESTS {
            literals.clear();
        }
        let known = literals.or_insert_with(run.digest.clone(), || pattern::literals(run.body));
        let mut symbols = Symbols::new(known.as_deref());
        // The number of keys comes first: it is told apart as it is.
        let keys = Piece::Fixed(run.words[0].clone());
        let pieces: Vec<Piece> =
            std::iter::once(keys).chain(run.words[1..].iter().map(|word| symbols.given(word))).collect();
        let mut given = Vec::with_capacity(2);
        let mut path = memo.find(run.digest, &pieces);
        while let Some(known) = path {
            let (words, branches) = match known {
                Path::End(shape) => return symbols.ending(shape),
                Path::Command { words, branches } => (words, branches),
            };
            let words: Vec<Bytes> = words.iter().map(|word| symbols.string(word).clone()).collect();
            let reply = self.run_from_script(&words, &mut run.rules);
            path = branches.get(&symbols.received(&reply));
            given.push(reply);
        }
        let (steps, ending) = self.interpret(scripting, run, given);
        let mut symbols = Symbols::new(known.as_deref());
        run.words[1..].iter().for_each(|word| drop(symbols.given(word)));
        let steps = steps
            .into_iter()
            .map(|(words, reply)| (words.iter().map(|word| symbols.sent(word)).collect(), symbols.received(&reply)))
            .collect();
        memo.learn(run.digest, pieces, steps, symbols.ended(&ending));
        ending
    }

    /// Interprets a script whose first commands have already been given their replies.
    fn interpret(&mut self, scripting: &Scripting, run: &mut Run<'_>, given: Vec<Reply>) -> (Vec<Command>, Ending) {
        let (keys, arguments) = run.words[1..].split_at(run.keys);
        let program = Program { source: run.body, keys, arguments };
        let mut recorder = Recorder { call: self, rules: &mut run.rules, given: given.into_iter(), steps: Vec::new() };
        let ending = engine::run(&program, scripting.budget, &mut recorder);
        (recorder.steps, ending)
    }

    /// Runs one command of a script.
    fn run_from_script(&mut self, words: Words<'_>, rules: &mut Rules) -> Reply {
        match self.admit_from_script(words, rules) {
            Err(refusal) => refusal.reply(),
            Ok(spec) => match self.run(spec, words) {
                Ok(Outcome::Reply(reply)) => reply,
                Ok(_) => unreachable!("what blocks or subscribes is barred from scripts"),
                Err(refusal) => refusal.reply(),
            },
        }
    }

    fn admit_from_script(&self, words: Words<'_>, rules: &mut Rules) -> Result<&'static Spec, Refusal> {
        let spec = look_up(words).map_err(|refusal| {
            Refusal::from(match refusal.0.starts_with("ERR wrong number") {
                true => "ERR Wrong number of args calling Redis command from script",
                false => "ERR Unknown Redis command called from script",
            })
        })?;
        if spec.flags.is_barred_from_scripts() {
            return Err("ERR This Redis command is not allowed from script".into());
        }
        if spec.flags.writes() {
            if !rules.may_write {
                return Err("ERR Write commands are not allowed from read-only scripts.".into());
            }
            self.check_write()?;
        }
        if self.redis.settings.memory == Memory::Full
            && spec.flags.grows()
            && !rules.has_written
            && !rules.may_grow_when_full
        {
            return Err(Refusal::OUT_OF_MEMORY);
        }
        rules.has_written |= spec.flags.writes();
        Ok(spec)
    }
}

/// One command of a run, and its reply.
type Command = (Vec<Bytes>, Reply);

/// Runs a script's commands on the server and writes them down.
struct Recorder<'a, 'b> {
    call: &'a mut Call<'b>,
    rules: &'a mut Rules,
    given: std::vec::IntoIter<Reply>,
    steps: Vec<Command>,
}

impl Host for Recorder<'_, '_> {
    fn run(&mut self, words: Vec<Bytes>) -> Reply {
        let reply = match self.given.next() {
            Some(reply) => reply,
            None => self.call.run_from_script(&words, self.rules),
        };
        self.steps.push((words, reply.clone()));
        reply
    }
}
