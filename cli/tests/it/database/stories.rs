//! What is played on the model and on the real server: fixed stories about locks, and random statements.

use locklab_core::wire::Reply;

use crate::redis_commands::Random;

/// The tables of every story.
pub const TABLES: [&str; 4] = [
    "CREATE TABLE stock (id text PRIMARY KEY, qty bigint NOT NULL CHECK (qty >= 0), version bigint DEFAULT 0)",
    "INSERT INTO stock (id, qty) VALUES ('a', 5)",
    "INSERT INTO stock (id, qty) VALUES ('b', 5)",
    "INSERT INTO stock (id, qty) VALUES ('c', 5)",
];

/// Stories, a line a statement: `A: statement`; `A!`: its connection ends; `...`: time passes until what is due has happened.
pub const STORIES: [&str; 14] = [
    "A: BEGIN
     A: UPDATE stock SET version = version + 1, qty = 4 WHERE id = 'a' AND version = 0
     B: UPDATE stock SET version = version + 1, qty = 4 WHERE id = 'a' AND version = 0
     C: UPDATE stock SET qty = qty - 1 WHERE id = 'a'
     D: SELECT qty FROM stock WHERE id = 'a'
     A: COMMIT
     D: SELECT qty FROM stock WHERE id = 'a'",
    "A: BEGIN
     B: BEGIN
     A: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE
     B: SELECT qty FROM stock WHERE id = 'b' FOR UPDATE
     A: SELECT qty FROM stock WHERE id = 'b' FOR UPDATE
     B: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE
     ...
     A: SELECT qty FROM stock WHERE id = 'a'
     A: COMMIT
     B: COMMIT",
    "A: BEGIN
     A: SELECT id, qty FROM stock WHERE id >= 'a' FOR UPDATE
     B: SELECT qty FROM stock WHERE id = 'c' FOR UPDATE NOWAIT
     B: SELECT id FROM stock WHERE id >= 'a' FOR UPDATE SKIP LOCKED
     B: SET lock_timeout = 300
     B: UPDATE stock SET qty = 0 WHERE id = 'c'
     ...
     A: ROLLBACK
     B: UPDATE stock SET qty = 0 WHERE id = 'c'",
    "A: BEGIN
     A: INSERT INTO stock (id, qty) VALUES ('x', 1)
     B: INSERT INTO stock (id, qty) VALUES ('x', 1)
     D: SELECT count(*) FROM stock WHERE id = 'x'
     A: COMMIT
     B: INSERT INTO stock (id, qty) VALUES ('x', 1) ON CONFLICT DO NOTHING
     A: BEGIN
     A: INSERT INTO stock (id, qty) VALUES ('y', 1)
     B: INSERT INTO stock (id, qty) VALUES ('y', 2) RETURNING id, qty
     A: ROLLBACK",
    "A: BEGIN
     A: UPDATE stock SET qty = 1 WHERE id = 'a'
     B: UPDATE stock SET qty = qty - 1 WHERE id = 'a' RETURNING qty
     A: UPDATE stock SET qty = qty - 9 WHERE id = 'a'
     A: SELECT qty FROM stock WHERE id = 'a'
     A: COMMIT
     A: SELECT qty FROM stock WHERE id = 'a'",
    "A: SELECT pg_advisory_lock(hashtext('lock'))
     A: SELECT pg_advisory_lock(hashtext('lock'))
     B: SELECT pg_try_advisory_lock(hashtext('lock'))
     B: SELECT pg_advisory_lock(hashtext('lock'))
     C: SELECT pg_advisory_unlock(hashtext('lock'))
     A: SELECT pg_advisory_unlock(hashtext('lock'))
     A: SELECT pg_advisory_unlock(hashtext('lock'))
     A: SELECT pg_advisory_unlock(hashtext('lock'))
     C: SELECT pg_advisory_lock(hashtext('lock'))
     B!
     C: SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()",
    "A: BEGIN
     A: SELECT pg_advisory_xact_lock(7)
     B: SELECT pg_advisory_lock(7)
     A: SELECT pg_advisory_unlock(7)
     A: COMMIT
     A: SELECT pg_try_advisory_xact_lock(7)",
    // A dead client that waits keeps its other locks until its turn comes.
    "A: BEGIN
     A: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE
     B: BEGIN
     B: SELECT qty FROM stock WHERE id = 'b' FOR UPDATE
     A: SELECT qty FROM stock WHERE id = 'b' FOR UPDATE
     A!
     C: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE
     B: COMMIT",
    "A: SET idle_in_transaction_session_timeout = 300
     A: BEGIN
     A: UPDATE stock SET qty = 1 WHERE id = 'a'
     B: UPDATE stock SET qty = qty - 1 WHERE id = 'a' RETURNING qty
     ...
     A: COMMIT",
    // A row that no longer fits after the wait stays locked to the end of the transaction.
    "A: BEGIN
     A: UPDATE stock SET qty = 1 WHERE id = 'a'
     B: BEGIN
     B: UPDATE stock SET qty = 9 WHERE id = 'a' AND qty = 5
     A: COMMIT
     C: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE NOWAIT
     B: COMMIT
     C: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE NOWAIT",
    "A: BEGIN
     A: DELETE FROM stock WHERE id = 'a'
     B: BEGIN
     B: SELECT qty FROM stock WHERE id = 'a' FOR UPDATE
     C: INSERT INTO stock (id, qty) VALUES ('a', 7)
     A: COMMIT
     B: SELECT qty FROM stock WHERE id = 'a'
     B: COMMIT",
    // A CHECK is looked at before the wait, by the row that the statement saw first, and again after it.
    "A: BEGIN
     A: UPDATE stock SET qty = 9 WHERE id = 'a'
     B: UPDATE stock SET qty = qty - 6 WHERE id = 'a'
     A: UPDATE stock SET qty = 1 WHERE id = 'a'
     B: UPDATE stock SET qty = qty - 4 WHERE id = 'a'
     A: COMMIT",
    // A row that comes back under its key is another one: who waited for the old one finds none.
    "A: BEGIN
     A: DELETE FROM stock WHERE id = 'a'
     A: INSERT INTO stock (id, qty) VALUES ('a', 7)
     B: UPDATE stock SET qty = qty - 1 WHERE id = 'a' RETURNING qty
     A: COMMIT
     B: UPDATE stock SET qty = qty - 1 WHERE id = 'a' RETURNING qty",
    // The row of a lease, by the server's clock.
    "A: CREATE TABLE locks (name text PRIMARY KEY, locked_by text, lock_until timestamptz DEFAULT to_timestamp(0))
     A: INSERT INTO locks (name) VALUES ('lock')
     A: UPDATE locks SET locked_by = 'A-1', lock_until = now() + interval '60000 ms' WHERE name = 'lock' AND lock_until <= now()
     B: UPDATE locks SET locked_by = 'B-1', lock_until = now() + interval '60000 ms' WHERE name = 'lock' AND lock_until <= now()
     A: SELECT locked_by FROM locks WHERE name = 'lock' AND lock_until > now()
     A: UPDATE locks SET lock_until = now() WHERE name = 'lock' AND locked_by = 'A-1' AND lock_until > now()
     B: UPDATE locks SET locked_by = 'B-1', lock_until = now() + interval '60000 ms' WHERE name = 'lock' AND lock_until <= now()",
];

/// A random story of so many statements by three sessions.
pub fn random_story(seed: u64, statements: usize) -> String {
    let mut random = Random(seed);
    let lines = (0..statements).map(|_| {
        let who = ["A", "B", "C"][random.below(3)];
        format!("{who}: {}\n", statement(&mut random))
    });
    lines.collect()
}

fn statement(random: &mut Random) -> String {
    let id = ["a", "b", "c", "d"][random.below(4)];
    let number = random.below(6) as i64 - 1;
    let key = random.below(2);
    let comparison = ["=", "<>", "<", "<=", ">", ">="][random.below(6)];
    let returning = ["", "", " RETURNING qty", " RETURNING id, qty, version"][random.below(4)];
    let locking = ["", " FOR UPDATE", " FOR UPDATE NOWAIT", " FOR UPDATE SKIP LOCKED"][random.below(4)];
    match random.below(20) {
        0..=2 => "BEGIN".into(),
        3..=4 => "COMMIT".into(),
        5 => "ROLLBACK".into(),
        6..=7 => format!("UPDATE stock SET qty = qty - 1 WHERE id = '{id}' AND qty >= 1{returning}"),
        8 => format!(
            "UPDATE stock SET qty = {number}, version = version + 1 WHERE id = '{id}' AND version = 0{returning}"
        ),
        9 => format!("UPDATE stock SET version = version + {number} WHERE id {comparison} '{id}'"),
        10..=11 => format!("SELECT id, qty FROM stock WHERE id {comparison} '{id}'{locking}"),
        12 => format!("SELECT qty FROM stock WHERE qty {comparison} {number}{locking}"),
        13 => format!("SELECT count(*) FROM stock WHERE version {comparison} {number}"),
        14 => format!("INSERT INTO stock (id, qty) VALUES ('{id}', {number}){returning}"),
        15 => format!("INSERT INTO stock (id, qty, version) VALUES ('{id}', 3, NULL) ON CONFLICT DO NOTHING"),
        16 => format!("DELETE FROM stock WHERE id = '{id}'{returning}"),
        17 => format!("SELECT pg_try_advisory_lock({key})"),
        18 => format!("SELECT pg_advisory_unlock({key})"),
        _ => format!("SELECT pg_try_advisory_xact_lock({key})"),
    }
}

/// Rows in one order: a real database gives them as they lie in the table.
pub fn sorted(reply: &Reply) -> Reply {
    match reply {
        Reply::Array(items) => {
            let mut items = items.clone();
            items.sort();
            Reply::Array(items)
        }
        reply => reply.clone(),
    }
}
