//! Which statements a server that a user names is asked: those that touch nothing but what is the run's own.

use std::collections::BTreeSet;
use std::sync::Arc;

use locklab_core::history::{History, What};
use locklab_core::i18n::Text;
use locklab_core::say;
use locklab_core::scenario::FaultKind;
use locklab_core::servers::database::Access;
use locklab_core::servers::database::sql::{Advisory, AdvisoryKey, Statement};
use locklab_core::sim::Plan;

use super::super::super::error::LiveError;
use super::text_of;

/// Who lets statements pass: they are ones that the model knows, on tables that the run has made and locks whose names begin with its prefix.
#[derive(Debug)]
pub struct Admission {
    prefix: String,
    tables: BTreeSet<Arc<str>>,
}

impl Admission {
    /// Before anything was done.
    pub fn new(prefix: &str) -> Admission {
        Admission { prefix: prefix.to_owned(), tables: BTreeSet::new() }
    }

    /// Refuses a statement that would touch something else.
    pub fn admit(&mut self, text: &str) -> Result<(), LiveError> {
        let Ok(parsed) = Statement::parse(text) else {
            return refuse(say!(
                "the run would send a statement that Locklab does not know: {text}",
                "这次运行会发送 Locklab 不认识的语句：{text}",
                text = text
            ));
        };
        match parsed {
            Statement::Begin | Statement::Commit | Statement::Rollback | Statement::Set(..) => Ok(()),
            Statement::Create { table, .. } => {
                self.tables.insert(table);
                Ok(())
            }
            Statement::Insert { table, .. }
            | Statement::Update { table, .. }
            | Statement::Delete { table, .. }
            | Statement::Select { table, .. } => {
                if self.tables.contains(&table) {
                    return Ok(());
                }
                refuse(say!(
                    "the run would touch the table \"{table}\", which it has not made",
                    "这次运行会碰到表 \"{table}\"，它不是本次运行建的",
                    table = &*table
                ))
            }
            Statement::Advisory(Advisory::UnlockAll | Advisory::Count) => Ok(()),
            Statement::Advisory(Advisory::Call(_, AdvisoryKey::Text(name))) if name.starts_with(&self.prefix) => Ok(()),
            Statement::Advisory(Advisory::Call(_, key)) => {
                let key = match key {
                    AdvisoryKey::Text(name) => name.to_string(),
                    AdvisoryKey::Number(number) => number.to_string(),
                };
                refuse(say!(
                    "the run would take the advisory lock {key}, which others may use; write hashtext('{{key}}') in the listing",
                    "这次运行会使用 advisory lock {key}，别人也可能在用；请在清单里写 hashtext('{{key}}')",
                    key = key
                ))
            }
        }
    }
}

/// Refuses a run that harms the server, or puts something before it.
pub fn check_plan(plan: &Plan) -> Result<(), LiveError> {
    if let Access::Pooled { .. } = plan.database_settings.access {
        return refuse(say!(
            "this scenario has a connection pooler in front of the database, which is put only before a PostgreSQL of the run's own",
            "这个场景的数据库前面有连接池，而连接池只会放在本次运行自己启动的 PostgreSQL 前面"
        ));
    }
    let harms = |kind: &FaultKind| {
        matches!(kind, FaultKind::Down { .. } | FaultKind::Failover { .. } | FaultKind::Promote { .. })
    };
    if plan.faults.iter().any(|fault| harms(&fault.kind)) {
        return refuse(say!(
            "this scenario does something to the server itself, which is never done to a server that you name",
            "这个场景会对服务器本身动手脚，在你指定的服务器上绝不会这样做"
        ));
    }
    Ok(())
}

/// Refuses a run of which a statement, of the simulated run, touches something that is not its own.
pub fn check_statements(plan: &Plan, simulated: &History, prefix: &str) -> Result<(), LiveError> {
    let mut admission = Admission::new(prefix);
    let of_operators = plan.faults.iter().filter_map(|fault| match &fault.kind {
        FaultKind::Operator { command, .. } => Some(command),
        _ => None,
    });
    let of_clients = simulated.events.iter().filter_map(|event| match &event.what {
        What::Sent { command, .. } => Some(command),
        _ => None,
    });
    let mut statements = plan.set_up.iter().chain(of_operators).chain(of_clients);
    statements.try_for_each(|command| admission.admit(&text_of(command)))
}

fn refuse(why: Text) -> Result<(), LiveError> {
    Err(LiveError::NotApplicable(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_touches_only_its_own_tables_and_locks() {
        let mut admission = Admission::new("locklab:0123456789ab:");
        let mut told = |text: &str| admission.admit(text).err().map(|error| error.to_string());
        for text in [
            "CREATE TABLE mine (name text PRIMARY KEY)",
            "BEGIN",
            "SELECT name FROM mine WHERE name = 'x' FOR UPDATE",
            "DELETE FROM mine WHERE name = 'x'",
            "COMMIT",
            "SET lock_timeout = 100",
            "SELECT pg_advisory_lock(hashtext('locklab:0123456789ab:lock'))",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
        for (text, why) in [
            ("DELETE FROM pg_authid WHERE rolname = 'x'", "the table \"pg_authid\""),
            ("SELECT pg_advisory_lock(hashtext('lock'))", "the advisory lock lock"),
            ("SELECT pg_advisory_lock(7)", "the advisory lock 7"),
            ("DROP DATABASE orders", "does not know: DROP DATABASE"),
        ] {
            assert!(told(text).is_some_and(|told| told.contains(why)), "{text}");
        }
    }
}
