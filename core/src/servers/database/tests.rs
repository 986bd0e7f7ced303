//! What a session sees, waits for and is told.

use expect_test::{Expect, expect};

use super::{Access, Database, Settings};
use crate::servers::{Delivery, Outcome, Service};
use crate::time::{LocalClock, LocalTime, Span, Time};
use crate::wire::{ClientId, Command};

/// Plays lines of `client: statement`, `client!` (its connection ends), `client?` (it is cut), `+1s` (time passes), and writes down every answer.
fn play(settings: Settings, text: &str) -> String {
    let mut database = Database::new(settings);
    let mut log = String::new();
    let mut now = 0_i64;
    let tables = [
        "CREATE TABLE stock (id text PRIMARY KEY, qty bigint NOT NULL CHECK (qty >= 0), version bigint DEFAULT 0)",
        "INSERT INTO stock (id, qty) VALUES ('a', 5)",
        "INSERT INTO stock (id, qty) VALUES ('b', 5)",
        "INSERT INTO stock (id, qty) VALUES ('c', 5)",
    ];
    let at = |now| LocalTime { wall: now, monotonic: now };
    for statement in tables {
        database.execute(at(0), None, &Command::sql(statement));
    }
    let write = |log: &mut String, deliveries: Vec<Delivery>| {
        for Delivery { client, message, .. } in deliveries {
            *log += &format!("      {} <- {message}\n", char::from(b'A' + client.0 as u8));
        }
    };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let client = ClientId(u16::from(line.as_bytes()[0].saturating_sub(b'A')));
        if let Some(span) = line.strip_prefix('+') {
            let end = now + span.parse::<Span>().expect("a span").micros() as i64;
            let clock = LocalClock::default();
            while let Some(due) = database.due(&clock, Time(now as u64)).filter(|due| due.0 as i64 <= end) {
                now = now.max(due.0 as i64);
                let deliveries = database.expire(at(now));
                log += &format!("{line}: at {}\n", Span(now as u64));
                write(&mut log, deliveries);
            }
            now = end;
        } else if line.ends_with('!') {
            let deliveries = database.disconnect(at(now), client);
            log += &format!("{line}\n");
            write(&mut log, deliveries);
        } else if line.ends_with('?') {
            let deliveries = database.cut_off(at(now), client);
            log += &format!("{line}\n");
            write(&mut log, deliveries);
        } else {
            let (_, statement) = line.split_once(": ").expect("client: statement");
            let execution = database.execute(at(now), Some(client), &Command::sql(statement));
            match &execution.outcome {
                Outcome::Reply(reply) => log += &format!("{line} -> {reply}\n"),
                Outcome::Blocked { .. } => log += &format!("{line} -> waits\n"),
            }
            write(&mut log, execution.deliveries);
        }
    }
    log
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&play(Settings::default(), text));
}

#[test]
fn a_conditional_update_takes_what_is_there_and_nothing_more() {
    check(
        "A: UPDATE stock SET qty = qty - 5 WHERE id = 'a' AND qty >= 5
         B: UPDATE stock SET qty = qty - 5 WHERE id = 'a' AND qty >= 5
         B: SELECT qty FROM stock WHERE id = 'a'
         B: UPDATE stock SET qty = qty - 1 WHERE id = 'a'",
        expect![[r#"
            A: UPDATE stock SET qty = qty - 5 WHERE id = 'a' AND qty >= 5 -> (integer) 1
            B: UPDATE stock SET qty = qty - 5 WHERE id = 'a' AND qty >= 5 -> (integer) 0
            B: SELECT qty FROM stock WHERE id = 'a' -> (integer) 0
            B: UPDATE stock SET qty = qty - 1 WHERE id = 'a' -> (error) 23514 new row for relation "stock" violates check constraint "stock_qty_check"
        "#]],
    );
}

#[test]
fn a_row_that_changed_while_it_was_waited_for_is_looked_at_again() {
    check(
        "A: BEGIN
         A: UPDATE stock SET version = version + 1, qty = 4 WHERE id = 'a' AND version = 0
         B: UPDATE stock SET version = version + 1, qty = 4 WHERE id = 'a' AND version = 0
         C: UPDATE stock SET qty = qty - 1 WHERE id = 'a'
         D: SELECT qty FROM stock WHERE id = 'a'
         A: COMMIT
         D: SELECT qty FROM stock WHERE id = 'a'",
        expect![[r#"
            A: BEGIN -> BEGIN
            A: UPDATE stock SET version = version + 1, qty = 4 WHERE id = 'a' AND version = 0 -> (integer) 1
            B: UPDATE stock SET version = version + 1, qty = 4 WHERE id = 'a' AND version = 0 -> waits
            C: UPDATE stock SET qty = qty - 1 WHERE id = 'a' -> waits
            D: SELECT qty FROM stock WHERE id = 'a' -> (integer) 5
            A: COMMIT -> COMMIT
                  B <- (integer) 0
                  C <- (integer) 1
            D: SELECT qty FROM stock WHERE id = 'a' -> (integer) 3
        "#]],
    );
}

#[test]
fn two_rows_in_opposite_order_end_in_a_deadlock_that_one_of_them_pays_for() {
    check(
        "A: BEGIN
         B: BEGIN
         A: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE
         B: SELECT qty FROM stock WHERE id = 'b' FOR UPDATE
         A: SELECT qty FROM stock WHERE id = 'b' FOR UPDATE
         +400ms
         B: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE
         +10s
         B: COMMIT
         A: SELECT qty FROM stock WHERE id = 'a'
         A: COMMIT",
        expect![[r#"
            A: BEGIN -> BEGIN
            B: BEGIN -> BEGIN
            A: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE -> (integer) 5
            B: SELECT qty FROM stock WHERE id = 'b' FOR UPDATE -> (integer) 5
            A: SELECT qty FROM stock WHERE id = 'b' FOR UPDATE -> waits
            B: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE -> waits
            +10s: at 1s
                  A <- (error) 40P01 deadlock detected
                  B <- (integer) 5
            B: COMMIT -> COMMIT
            A: SELECT qty FROM stock WHERE id = 'a' -> (error) 25P02 current transaction is aborted, commands ignored until end of transaction block
            A: COMMIT -> ROLLBACK
        "#]],
    );
}

#[test]
fn a_wide_range_locks_the_innocent_too() {
    check(
        "A: BEGIN
         A: SELECT id, qty FROM stock WHERE id >= 'a' FOR UPDATE
         B: SELECT qty FROM stock WHERE id = 'c' FOR UPDATE NOWAIT
         B: SELECT id FROM stock WHERE id >= 'a' FOR UPDATE SKIP LOCKED
         B: SET lock_timeout = 2000
         B: UPDATE stock SET qty = 0 WHERE id = 'c'
         +3s
         A: ROLLBACK
         B: UPDATE stock SET qty = 0 WHERE id = 'c'",
        expect![[r#"
            A: BEGIN -> BEGIN
            A: SELECT id, qty FROM stock WHERE id >= 'a' FOR UPDATE -> [["a", (integer) 5], ["b", (integer) 5], ["c", (integer) 5]]
            B: SELECT qty FROM stock WHERE id = 'c' FOR UPDATE NOWAIT -> (error) 55P03 could not obtain lock on row in relation "stock"
            B: SELECT id FROM stock WHERE id >= 'a' FOR UPDATE SKIP LOCKED -> (nil)
            B: SET lock_timeout = 2000 -> SET
            B: UPDATE stock SET qty = 0 WHERE id = 'c' -> waits
            +3s: at 1s
            +3s: at 2s
                  B <- (error) 55P03 canceling statement due to lock timeout
            A: ROLLBACK -> ROLLBACK
            B: UPDATE stock SET qty = 0 WHERE id = 'c' -> (integer) 1
        "#]],
    );
}

#[test]
fn a_key_that_somebody_is_just_inserting_is_waited_for() {
    check(
        "A: BEGIN
         A: INSERT INTO stock (id, qty) VALUES ('x', 1)
         B: INSERT INTO stock (id, qty) VALUES ('x', 1)
         C: INSERT INTO stock (id, qty) VALUES ('x', 1) ON CONFLICT DO NOTHING
         D: SELECT count(*) FROM stock WHERE id = 'x'
         A: COMMIT
         B: INSERT INTO stock (id, qty) VALUES ('x', 1)
         A: BEGIN
         A: INSERT INTO stock (id, qty) VALUES ('y', 1)
         B: INSERT INTO stock (id, qty) VALUES ('y', 2) RETURNING id, qty
         A: ROLLBACK",
        expect![[r#"
            A: BEGIN -> BEGIN
            A: INSERT INTO stock (id, qty) VALUES ('x', 1) -> (integer) 1
            B: INSERT INTO stock (id, qty) VALUES ('x', 1) -> waits
            C: INSERT INTO stock (id, qty) VALUES ('x', 1) ON CONFLICT DO NOTHING -> waits
            D: SELECT count(*) FROM stock WHERE id = 'x' -> (integer) 0
            A: COMMIT -> COMMIT
                  B <- (error) 23505 duplicate key value violates unique constraint "stock_pkey"
                  C <- (integer) 0
            B: INSERT INTO stock (id, qty) VALUES ('x', 1) -> (error) 23505 duplicate key value violates unique constraint "stock_pkey"
            A: BEGIN -> BEGIN
            A: INSERT INTO stock (id, qty) VALUES ('y', 1) -> (integer) 1
            B: INSERT INTO stock (id, qty) VALUES ('y', 2) RETURNING id, qty -> waits
            A: ROLLBACK -> ROLLBACK
                  B <- ["y", (integer) 2]
        "#]],
    );
}

#[test]
fn a_failed_transaction_is_undone_at_once_and_ended_by_its_client() {
    check(
        "A: BEGIN
         A: UPDATE stock SET qty = 1 WHERE id = 'a'
         B: UPDATE stock SET qty = qty - 1 WHERE id = 'a' RETURNING qty
         A: UPDATE stock SET qty = qty - 9 WHERE id = 'a'
         A: SELECT qty FROM stock WHERE id = 'a'
         A: COMMIT
         A: SELECT qty FROM stock WHERE id = 'a'",
        expect![[r#"
            A: BEGIN -> BEGIN
            A: UPDATE stock SET qty = 1 WHERE id = 'a' -> (integer) 1
            B: UPDATE stock SET qty = qty - 1 WHERE id = 'a' RETURNING qty -> waits
            A: UPDATE stock SET qty = qty - 9 WHERE id = 'a' -> (error) 23514 new row for relation "stock" violates check constraint "stock_qty_check"
                  B <- (integer) 4
            A: SELECT qty FROM stock WHERE id = 'a' -> (error) 25P02 current transaction is aborted, commands ignored until end of transaction block
            A: COMMIT -> ROLLBACK
            A: SELECT qty FROM stock WHERE id = 'a' -> (integer) 4
        "#]],
    );
}

#[test]
fn an_advisory_lock_belongs_to_its_session_and_is_taken_as_often_as_it_is_given_back() {
    check(
        "A: SELECT pg_advisory_lock(hashtext('lock'))
         A: SELECT pg_advisory_lock(hashtext('lock'))
         B: SELECT pg_try_advisory_lock(hashtext('lock'))
         B: SELECT pg_advisory_lock(hashtext('lock'))
         C: SELECT pg_advisory_lock(hashtext('lock'))
         C: SELECT pg_advisory_unlock(hashtext('lock'))
         A: SELECT pg_advisory_unlock(hashtext('lock'))
         A: SELECT pg_advisory_unlock(hashtext('lock'))
         A: SELECT pg_advisory_unlock(hashtext('lock'))
         B!
         C: SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()",
        expect![[r#"
            A: SELECT pg_advisory_lock(hashtext('lock')) -> ""
            A: SELECT pg_advisory_lock(hashtext('lock')) -> ""
            B: SELECT pg_try_advisory_lock(hashtext('lock')) -> "f"
            B: SELECT pg_advisory_lock(hashtext('lock')) -> waits
            C: SELECT pg_advisory_lock(hashtext('lock')) -> waits
            C: SELECT pg_advisory_unlock(hashtext('lock')) -> "f"
            A: SELECT pg_advisory_unlock(hashtext('lock')) -> "t"
            A: SELECT pg_advisory_unlock(hashtext('lock')) -> "t"
                  B <- ""
            A: SELECT pg_advisory_unlock(hashtext('lock')) -> "f"
            B!
                  C <- ""
            C: SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() -> (integer) 1
        "#]],
    );
}

#[test]
fn a_transactions_advisory_lock_ends_with_it() {
    check(
        "A: BEGIN
         A: SELECT pg_advisory_xact_lock(7)
         B: SELECT pg_advisory_lock(7)
         A: SELECT pg_advisory_unlock(7)
         A: COMMIT
         A: SELECT pg_try_advisory_xact_lock(7)",
        expect![[r#"
            A: BEGIN -> BEGIN
            A: SELECT pg_advisory_xact_lock(7) -> ""
            B: SELECT pg_advisory_lock(7) -> waits
            A: SELECT pg_advisory_unlock(7) -> "f"
            A: COMMIT -> COMMIT
                  B <- ""
            A: SELECT pg_try_advisory_xact_lock(7) -> "f"
        "#]],
    );
}

#[test]
fn a_lost_connection_undoes_its_transaction_when_the_server_notices() {
    let settings = Settings { keep_alive: Span::from_secs(60), ..Settings::default() };
    let log = play(
        settings,
        "A: BEGIN
         A: UPDATE stock SET qty = 1 WHERE id = 'a'
         B: UPDATE stock SET qty = qty - 1 WHERE id = 'a' RETURNING qty
         A?
         A: SELECT qty FROM stock WHERE id = 'a'
         +2m",
    );
    expect![[r#"
        A: BEGIN -> BEGIN
        A: UPDATE stock SET qty = 1 WHERE id = 'a' -> (integer) 1
        B: UPDATE stock SET qty = qty - 1 WHERE id = 'a' RETURNING qty -> waits
        A?
        A: SELECT qty FROM stock WHERE id = 'a' -> (integer) 5
        +2m: at 1s
        +2m: at 1m
              B <- (integer) 4
    "#]]
    .assert_eq(&log);
}

#[test]
fn a_dead_client_that_waits_keeps_its_other_locks_until_its_turn_comes() {
    check(
        "A: BEGIN
         A: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE
         B: BEGIN
         B: SELECT qty FROM stock WHERE id = 'b' FOR UPDATE
         A: SELECT qty FROM stock WHERE id = 'b' FOR UPDATE
         A!
         C: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE
         B: COMMIT",
        expect![[r#"
            A: BEGIN -> BEGIN
            A: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE -> (integer) 5
            B: BEGIN -> BEGIN
            B: SELECT qty FROM stock WHERE id = 'b' FOR UPDATE -> (integer) 5
            A: SELECT qty FROM stock WHERE id = 'b' FOR UPDATE -> waits
            A!
            C: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE -> waits
            B: COMMIT -> COMMIT
                  C <- (integer) 5
        "#]],
    );
}

#[test]
fn a_pooler_gives_one_clients_session_to_the_next() {
    let settings = Settings { access: Access::Pooled { lifetime: Span::from_secs(3_600) }, ..Settings::default() };
    let log = play(
        settings,
        "A: SELECT pg_advisory_lock(hashtext('lock'))
         C: SELECT pg_try_advisory_lock(hashtext('lock'))
         D: BEGIN
         B: SELECT pg_try_advisory_lock(hashtext('lock'))
         A: SELECT pg_advisory_unlock(hashtext('lock'))
         D: COMMIT
         +2h
         B: SELECT pg_try_advisory_lock(hashtext('lock'))",
    );
    expect![[r#"
        A: SELECT pg_advisory_lock(hashtext('lock')) -> ""
        C: SELECT pg_try_advisory_lock(hashtext('lock')) -> "t"
        D: BEGIN -> BEGIN
        B: SELECT pg_try_advisory_lock(hashtext('lock')) -> "f"
        A: SELECT pg_advisory_unlock(hashtext('lock')) -> "f"
        D: COMMIT -> COMMIT
        +2h: at 1h
        B: SELECT pg_try_advisory_lock(hashtext('lock')) -> "t"
    "#]]
    .assert_eq(&log);
}

#[test]
fn an_idle_transaction_is_ended_and_its_client_told_at_its_next_statement() {
    check(
        "A: SET idle_in_transaction_session_timeout = 5000
         A: BEGIN
         A: UPDATE stock SET qty = 1 WHERE id = 'a'
         B: UPDATE stock SET qty = qty - 1 WHERE id = 'a' RETURNING qty
         +6s
         A: COMMIT
         A: SELECT qty FROM stock WHERE id = 'a'",
        expect![[r#"
            A: SET idle_in_transaction_session_timeout = 5000 -> SET
            A: BEGIN -> BEGIN
            A: UPDATE stock SET qty = 1 WHERE id = 'a' -> (integer) 1
            B: UPDATE stock SET qty = qty - 1 WHERE id = 'a' RETURNING qty -> waits
            +6s: at 1s
            +6s: at 5s
                  B <- (integer) 4
            A: COMMIT -> (error) 25P03 terminating connection due to idle-in-transaction timeout
            A: SELECT qty FROM stock WHERE id = 'a' -> (integer) 4
        "#]],
    );
}

#[test]
fn a_statement_that_takes_too_long_is_cancelled() {
    check(
        "A: BEGIN
         A: SELECT id FROM stock WHERE id = 'b' FOR UPDATE
         B: SET statement_timeout = 700
         B: UPDATE stock SET qty = qty - 1 WHERE id <> 'z'
         C: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE
         +1s
         B: SELECT qty FROM stock WHERE id = 'a'",
        expect![[r#"
            A: BEGIN -> BEGIN
            A: SELECT id FROM stock WHERE id = 'b' FOR UPDATE -> "b"
            B: SET statement_timeout = 700 -> SET
            B: UPDATE stock SET qty = qty - 1 WHERE id <> 'z' -> waits
            C: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE -> waits
            +1s: at 700ms
                  B <- (error) 57014 canceling statement due to statement timeout
                  C <- (integer) 5
            B: SELECT qty FROM stock WHERE id = 'a' -> (integer) 5
        "#]],
    );
}

#[test]
fn a_lease_in_a_row_is_judged_by_the_servers_clock() {
    check(
        "A: CREATE TABLE locks (name text PRIMARY KEY, locked_by text, lock_until timestamptz)
         A: INSERT INTO locks (name, lock_until) VALUES ('lock', to_timestamp(0))
         A: UPDATE locks SET locked_by = 'A-1', lock_until = now() + interval '10000 ms' WHERE name = 'lock' AND lock_until <= now()
         +9s
         B: UPDATE locks SET locked_by = 'B-1', lock_until = now() + interval '10000 ms' WHERE name = 'lock' AND lock_until <= now()
         +1s
         B: UPDATE locks SET locked_by = 'B-1', lock_until = now() + interval '10000 ms' WHERE name = 'lock' AND lock_until <= now()
         B: SELECT locked_by, lock_until FROM locks WHERE name = 'lock'",
        expect![[r#"
            A: CREATE TABLE locks (name text PRIMARY KEY, locked_by text, lock_until timestamptz) -> CREATE TABLE
            A: INSERT INTO locks (name, lock_until) VALUES ('lock', to_timestamp(0)) -> (integer) 1
            A: UPDATE locks SET locked_by = 'A-1', lock_until = now() + interval '10000 ms' WHERE name = 'lock' AND lock_until <= now() -> (integer) 1
            B: UPDATE locks SET locked_by = 'B-1', lock_until = now() + interval '10000 ms' WHERE name = 'lock' AND lock_until <= now() -> (integer) 0
            B: UPDATE locks SET locked_by = 'B-1', lock_until = now() + interval '10000 ms' WHERE name = 'lock' AND lock_until <= now() -> (integer) 1
            B: SELECT locked_by, lock_until FROM locks WHERE name = 'lock' -> ["B-1", "2026-01-01 00:00:20+00"]
        "#]],
    );
}

#[test]
fn whatever_is_no_statement_is_refused_with_the_code_that_postgresql_has_for_it() {
    let wrong = [
        "SELEKT 1",
        "SELECT qty FROM stock",
        "SELECT qty FROM stocks WHERE id = 'a'",
        "SELECT price FROM stock WHERE id = 'a'",
        "UPDATE stock SET qty = 'many' WHERE id = 'a'",
        "UPDATE stock SET qty = NULL WHERE id = 'a'",
        "UPDATE stock SET id = 'z' WHERE id = 'a'",
        "UPDATE stock SET qty = qty || 1 WHERE id = 'a'",
        "UPDATE stock SET qty = 9223372036854775807 + qty WHERE id = 'a'",
        "UPDATE stock SET qty = 'a WHERE id = 'a'",
        "SELECT qty FROM stock WHERE id = 5",
        "SELECT pg_advisory_lock('lock')",
        "INSERT INTO stock (id, qty) VALUES ('z')",
        "INSERT INTO stock (id) VALUES ('z')",
        "DELETE FROM stock WHERE id = 'a' LIMIT 1",
        "SAVEPOINT s",
        "",
    ];
    let text: Vec<String> = wrong.iter().map(|statement| format!("A: {statement} ")).collect();
    let mut database = Database::default();
    database.execute(
        LocalTime::default(),
        None,
        &Command::sql("CREATE TABLE stock (id text PRIMARY KEY, qty bigint NOT NULL)"),
    );
    database.execute(LocalTime::default(), None, &Command::sql("INSERT INTO stock (id, qty) VALUES ('a', 5)"));
    let mut log = String::new();
    for line in text {
        let execution = database.execute(LocalTime::default(), Some(ClientId(0)), &Command::sql(&line[3..]));
        log += &format!("{line}-> {}\n", execution.reply().expect("an error"));
    }
    expect![[r#"
        A: SELEKT 1 -> (error) 42601 syntax error at or near "selekt"
        A: SELECT qty FROM stock -> (error) 42601 syntax error at end of input
        A: SELECT qty FROM stocks WHERE id = 'a' -> (error) 42P01 relation "stocks" does not exist
        A: SELECT price FROM stock WHERE id = 'a' -> (error) 42703 column "price" does not exist
        A: UPDATE stock SET qty = 'many' WHERE id = 'a' -> (error) 22P02 invalid input syntax for type bigint: "many"
        A: UPDATE stock SET qty = NULL WHERE id = 'a' -> (error) 23502 null value in column "qty" of relation "stock" violates not-null constraint
        A: UPDATE stock SET id = 'z' WHERE id = 'a' -> (error) 0A000 the model does not know a change of a primary key
        A: UPDATE stock SET qty = qty || 1 WHERE id = 'a' -> (error) 42883 operator does not exist: bigint || bigint
        A: UPDATE stock SET qty = 9223372036854775807 + qty WHERE id = 'a' -> (error) 22003 bigint out of range
        A: UPDATE stock SET qty = 'a WHERE id = 'a' -> (error) 42601 unterminated quoted string at or near "'"
        A: SELECT qty FROM stock WHERE id = 5 -> (error) 42883 operator does not exist: text = bigint
        A: SELECT pg_advisory_lock('lock') -> (error) 42601 syntax error at or near "lock"
        A: INSERT INTO stock (id, qty) VALUES ('z') -> (error) 42601 INSERT has more target columns than expressions
        A: INSERT INTO stock (id) VALUES ('z') -> (error) 23502 null value in column "qty" of relation "stock" violates not-null constraint
        A: DELETE FROM stock WHERE id = 'a' LIMIT 1 -> (error) 42601 syntax error at or near "limit"
        A: SAVEPOINT s -> (error) 42601 syntax error at or near "savepoint"
        A:  -> (error) 42601 syntax error at end of input
    "#]]
    .assert_eq(&log);
}

#[test]
fn a_crash_keeps_what_was_committed_and_nothing_else() {
    let mut database = Database::default();
    let now = LocalTime::default();
    let sql = |database: &mut Database, client, text: &str| {
        database.execute(now, Some(ClientId(client)), &Command::sql(text)).reply().map(ToString::to_string)
    };
    sql(&mut database, 0, "CREATE TABLE stock (id text PRIMARY KEY, qty bigint)");
    sql(&mut database, 0, "INSERT INTO stock (id, qty) VALUES ('a', 5)");
    sql(&mut database, 0, "SELECT pg_advisory_lock(1)");
    sql(&mut database, 1, "BEGIN");
    sql(&mut database, 1, "UPDATE stock SET qty = 4 WHERE id = 'a'");
    sql(&mut database, 1, "INSERT INTO stock (id, qty) VALUES ('b', 1)");
    database.down(now);
    database.up(now, true);
    assert_eq!(
        sql(&mut database, 1, "SELECT id, qty FROM stock WHERE qty > 0").as_deref(),
        Some("[\"a\", (integer) 5]")
    );
    assert_eq!(sql(&mut database, 1, "SELECT pg_try_advisory_lock(1)").as_deref(), Some("\"t\""));
    database.down(now);
    database.up(now, false);
    assert_eq!(sql(&mut database, 1, "SELECT count(*) FROM stock WHERE qty > 0").as_deref(), Some("(integer) 0"));
}
