//! The model and a real etcd are asked the same.

use locklab_core::servers::Service as _;
use locklab_core::servers::etcd::Etcd as Model;
use locklab_core::time::LocalTime;

use super::*;

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);

#[test]
fn a_real_etcd_answers_as_the_model_does() {
    let folder = tempfile::tempdir().unwrap();
    let mut real = Etcd::start(folder.path()).expect("etcd is installed: apt-get install etcd-server");
    let mut model = Model::default();
    for line in [
        "put lock/9 A",
        "put lock/1 B",
        "put lock/9 C",
        "get lock/9",
        "get lock/2",
        "get lock/ --first",
        "get lock/ --last-before=4",
        "get lock/ --last-before=3",
        "get lock/ --last-before=2",
        "txn if create(lock/5)=0 then put lock/5 D get lock/ --first else get lock/5",
        "txn if create(lock/5)=0 then put lock/5 D get lock/ --first else get lock/5 get lock/2",
        "del lock/1",
        "del lock/1",
        "watch lock/1 --rev=3",
        "put lock/1 E",
        "get lock/1",
        "watch lock/1 --rev=3",
        "lease revoke 1",
        "lease keep-alive 1",
        "put lock/3 F --lease=1",
        "txn if create(lock/3)=0 then put lock/3 F --lease=1 get lock/3",
        "get lock/3",
        "lease grant soon",
    ] {
        let command = Command::new(line.split(' '));
        let (said, meant) = (
            real.execute(Time::START, Some(A), &command).unwrap(),
            model.execute(LocalTime::default(), Some(A), &command).outcome,
        );
        // What an error says in words is no part of the contract, its code is.
        let code = |outcome: &Outcome| match outcome {
            Outcome::Reply(reply) => reply.error_code().map(str::to_owned),
            Outcome::Blocked { .. } => None,
        };
        match code(&meant) {
            Some(meant) => assert_eq!(code(&said), Some(meant), "{line}"),
            None => assert_eq!(said, meant, "{line}"),
        }
    }
}

#[test]
fn a_real_etcd_tells_who_waits_for_a_key_and_forgets_who_has_gone() {
    let folder = tempfile::tempdir().unwrap();
    let mut real = Etcd::start(folder.path()).expect("etcd is installed: apt-get install etcd-server");
    let mut execute =
        |client, line: &str| real.execute(Time::START, Some(client), &Command::new(line.split(' '))).unwrap();
    execute(A, "put lock/1 A");
    assert_eq!(execute(A, "watch lock/1 --rev=2"), Outcome::Blocked { timeout: None });
    assert_eq!(execute(B, "watch lock/1 --rev=2"), Outcome::Blocked { timeout: None });
    execute(A, "del lock/1");
    real.disconnect(A).unwrap();
    assert!(real.records(Time::START).unwrap().is_empty());
    let message = Reply::Array(vec![Reply::bulk("DELETE"), Reply::bulk("lock/1")]);
    assert_eq!(real.deliveries().unwrap(), [Delivery { client: B, message, answers: true }]);
    assert!(real.deliveries().unwrap().is_empty());
}
