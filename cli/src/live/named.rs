//! A server that a user names: what a run may do there, and how it is cleaned up.
//!
//! Nothing is done to the server itself: no configuration, no flush, no fault, no `MONITOR`, no look at other keys. Every key of the run
//! begins with a prefix that no other run has; the run is simulated first, and refused if it would touch any other key.

use std::collections::BTreeSet;
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use locklab_core::history::{History, Machine, What};
use locklab_core::i18n::Text;
use locklab_core::say;
use locklab_core::scenario::FaultKind;
use locklab_core::sim::Plan;
use locklab_core::wire::{Command, Reply};

use super::access::Access;
use super::error::LiveError;
use super::resp::Connection;
use super::server::PATIENCE;

/// A prefix for the keys of one run.
pub fn fresh_prefix() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mixed = since.as_nanos() ^ (u128::from(process::id()) << 40);
    format!("locklab:{:012x}:", mixed & 0xffff_ffff_ffff)
}

/// The command with which a user can remove by hand what a run with this prefix left behind.
pub fn clean_up_command(access: &Access, prefix: &str) -> String {
    format!("redis-cli -u {access} --scan --pattern '{prefix}*' | xargs -r redis-cli -u {access} DEL")
}

/// Refuses what cannot be done to somebody's server.
pub fn check_plan(plan: &Plan) -> Result<(), LiveError> {
    let refuse = |why: Text| Err(LiveError::NotApplicable(why));
    if plan.nodes.len() != 1 {
        return refuse(say!(
            "this run needs {count} Redis servers, and --redis names one",
            "这次运行需要 {count} 台 Redis，而 --redis 只指定了一台",
            count = plan.nodes.len().to_string()
        ));
    }
    let harms = |kind: &FaultKind| {
        matches!(
            kind,
            FaultKind::Down { .. }
                | FaultKind::Failover { .. }
                | FaultKind::Promote { .. }
                | FaultKind::Evict { .. }
                | FaultKind::FlushScripts { .. }
                | FaultKind::Operator { .. }
        ) || matches!(kind, FaultKind::Step { machine, .. } | FaultKind::Drift { machine, .. } if is_server(*machine))
    };
    let wrong_clock = plan.wrong_clocks().iter().any(|(machine, _)| is_server(*machine));
    if wrong_clock || plan.faults.iter().any(|fault| harms(&fault.kind)) {
        return refuse(say!(
            "this scenario does something to the server itself, which is never done to a server that you name",
            "这个场景会对服务器本身动手脚，在你指定的服务器上绝不会这样做"
        ));
    }
    Ok(())
}

/// The keys of a simulated run; refuses it if one lies outside the prefix, in a command or in what a script did.
pub fn keys(simulated: &History, prefix: &str) -> Result<BTreeSet<String>, LiveError> {
    let mut keys = BTreeSet::new();
    for event in &simulated.events {
        match &event.what {
            What::Key { key, .. } if !key.starts_with(prefix) => return Err(outside(key)),
            What::Key { key, .. } => drop(keys.insert(key.to_string())),
            What::Sent { command, .. } => keys.extend(keys_under(prefix, command)?),
            _ => {}
        }
    }
    Ok(keys)
}

/// The keys that a command names; refuses it if one lies outside the prefix.
pub fn keys_under(prefix: &str, command: &Command) -> Result<Vec<String>, LiveError> {
    let keys = keys_of(command);
    match keys.iter().find(|key| !key.starts_with(prefix)) {
        Some(key) => Err(outside(key)),
        None => Ok(keys),
    }
}

fn outside(key: &str) -> LiveError {
    LiveError::NotApplicable(say!(
        "the run would touch the key \"{key}\", which is not under its prefix; write {{key}} in the listing",
        "这次运行会碰到键 \"{key}\"，它不在本次运行的前缀之下；请在清单里写 {{key}}",
        key = key
    ))
}

/// The keys that a command names.
fn keys_of(command: &Command) -> Vec<String> {
    let words = |from: usize, count: usize| {
        let words = command.words().iter().skip(from).take(count);
        words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
    };
    match command.name().as_str() {
        "EVAL" | "EVALSHA" | "EVAL_RO" | "EVALSHA_RO" | "FCALL" => {
            let count = command.word(2).and_then(|count| count.parse().ok()).unwrap_or(0);
            words(3, count)
        }
        "DEL" | "UNLINK" | "EXISTS" | "MGET" | "WATCH" | "TOUCH" => words(1, usize::MAX),
        "MULTI" | "EXEC" | "DISCARD" | "UNWATCH" | "PING" | "ECHO" | "TIME" | "WAIT" | "WAITAOF" | "SCRIPT"
        | "ROLE" | "INFO" | "HELLO" | "CLIENT" | "SUBSCRIBE" | "UNSUBSCRIBE" | "PSUBSCRIBE" | "PUNSUBSCRIBE"
        | "PUBLISH" => Vec::new(),
        _ => words(1, 1),
    }
}

/// Whether the server is one that scenarios can be played on; what it says about its version.
pub fn look_at(access: &Access) -> Result<String, LiveError> {
    let mut connection = access.connect()?;
    let refused = |reply: String| Err(LiveError::Refused { server: access.to_string(), reply });
    let call = |connection: &mut Connection, words: &[&str]| {
        connection.call(&Command::new(words), PATIENCE).map_err(LiveError::unreachable(access))
    };
    if let Reply::Error(reply) = call(&mut connection, &["PING"])? {
        return refused(reply);
    }
    let info = call(&mut connection, &["INFO", "server"])?.text().unwrap_or_default();
    let line = |name: &str| info.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned();
    if line("redis_mode:") == "cluster" {
        return refused("it is a node of a cluster, on which a run's keys would lie on several nodes".into());
    }
    Ok(format!("redis {}", line("redis_version:")))
}

/// Removes every key under a prefix.
pub fn remove_keys(access: &Access, prefix: &str) -> Result<(), LiveError> {
    let mut connection = access.connect()?;
    let mut cursor = String::from("0");
    loop {
        let scan = Command::new(["SCAN", &cursor, "MATCH", &format!("{prefix}*"), "COUNT", "1000"]);
        let reply = connection.call(&scan, PATIENCE).map_err(LiveError::unreachable(access))?;
        let Reply::Array(items) = reply else {
            return Err(LiveError::Refused { server: access.to_string(), reply: reply.to_string() });
        };
        let [next, Reply::Array(keys)] = items.as_slice() else { return Ok(()) };
        for key in keys.iter().filter_map(Reply::text).filter(|key| key.starts_with(prefix)) {
            connection.call(&Command::new(["DEL", &key]), PATIENCE).map_err(LiveError::unreachable(access))?;
        }
        cursor = next.text().unwrap_or_default();
        if cursor == "0" || cursor.is_empty() {
            return Ok(());
        }
    }
}

fn is_server(machine: Machine) -> bool {
    matches!(machine, Machine::Node(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_of_a_command_are_those_that_it_names() {
        let keys = |words: &[&str]| keys_of(&Command::new(words)).join(" ");
        assert_eq!(keys(&["SET", "lock", "A", "NX"]), "lock");
        assert_eq!(keys(&["DEL", "a", "b"]), "a b");
        assert_eq!(keys(&["EVAL", "return 1", "2", "a", "b", "argument"]), "a b");
        assert_eq!(keys(&["WAIT", "1", "100"]), "");
    }
}
