//! The model beside SQLite: the statements that need no second session, such as a version column, a conditional UPDATE, a unique key.

use locklab_core::servers::Service;
use locklab_core::servers::database::Database;
use locklab_core::time::LocalTime;
use locklab_core::wire::{ClientId, Command};
use rusqlite::Connection;

use super::statement::answer;
use super::stories::{TABLES, sorted};
use crate::redis_commands::Random;

/// Statements in one run.
const STATEMENTS: usize = 4_000;
/// After so many both start afresh.
const ROUND: usize = 40;

#[test]
fn statements_on_their_own_are_answered_as_sqlite_answers_them() {
    for round in 0..STATEMENTS / ROUND {
        let sqlite = Connection::open_in_memory().expect("SQLite is compiled in");
        let mut model = Database::default();
        let mut random = Random(round as u64);
        let tables = TABLES.into_iter().map(str::to_owned);
        let statements = (0..ROUND).map(|_| statement(&mut random));
        let mut said = String::new();
        for text in tables.chain(statements.collect::<Vec<_>>()) {
            said += &format!("{text}\n");
            let execution = model.execute(LocalTime::default(), Some(ClientId(0)), &Command::sql(&text));
            let modelled = execution.reply().cloned().expect("nobody else has a lock");
            let real = answer(&sqlite, &text);
            let agree = match (real.error_code(), modelled.error_code()) {
                (None, None) => sorted(&real) == sorted(&modelled),
                (real, modelled) => real == modelled,
            };
            assert!(agree, "round {round}:\n{said}  SQLite {real}\n  model  {modelled}");
        }
    }
}

fn statement(random: &mut Random) -> String {
    let id = ["a", "b", "c", "d"][random.below(4)];
    let number = random.below(7) as i64 - 1;
    let comparison = ["=", "<>", "<", "<=", ">", ">="][random.below(6)];
    let returning = ["", "", " RETURNING qty", " RETURNING id, qty, version"][random.below(4)];
    match random.below(9) {
        0 => format!("UPDATE stock SET qty = qty - 1 WHERE id = '{id}' AND qty >= 1{returning}"),
        1 => format!(
            "UPDATE stock SET qty = {number}, version = version + 1 WHERE id = '{id}' AND version = {number}{returning}"
        ),
        2 => format!("UPDATE stock SET qty = qty - {number} WHERE id {comparison} '{id}'"),
        3 => format!("INSERT INTO stock (id, qty) VALUES ('{id}', {number}){returning}"),
        4 => format!("INSERT INTO stock (id, qty, version) VALUES ('{id}', 2, NULL) ON CONFLICT DO NOTHING"),
        5 => format!("DELETE FROM stock WHERE id = '{id}' AND version {comparison} {number}{returning}"),
        6 => format!("SELECT count(*) FROM stock WHERE qty {comparison} {number}"),
        7 => format!("UPDATE stock SET version = NULL WHERE id = '{id}' AND qty {comparison} {number}"),
        _ => format!("SELECT id, qty, version FROM stock WHERE id {comparison} '{id}'"),
    }
}
