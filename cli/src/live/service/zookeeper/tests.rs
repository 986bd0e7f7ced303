//! The model and a real ZooKeeper are asked the same.

use locklab_core::servers::Service as _;
use locklab_core::servers::zookeeper::ZooKeeper as Model;
use locklab_core::time::LocalTime;

use super::*;

const A: ClientId = ClientId(0);

/// What was answered, without the numbers of transactions: the driver's own make them other ones.
fn shape(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Blocked { .. } => "(waits)".into(),
        Outcome::Reply(Reply::Array(items)) => {
            let kept = items.iter().filter(|item| !matches!(item, Reply::Integer(_)));
            format!("{:?}", kept.map(Reply::to_string).collect::<Vec<_>>())
        }
        Outcome::Reply(reply) => reply.error_code().map_or_else(|| reply.to_string(), str::to_owned),
    }
}

#[test]
fn a_real_zookeeper_answers_as_the_model_does() {
    let folder = tempfile::tempdir().unwrap();
    let mut real = ZooKeeper::start(folder.path()).expect("ZooKeeper is installed: apt-get install zookeeper");
    let mut model = Model::default();
    let mut ask = |line: &str, session: &str, id: &str| {
        let command = |id: &str| Command::new(line.replace(session, id).split(' '));
        let said = real.execute(Time::START, Some(A), &command(id)).unwrap();
        (said, model.execute(LocalTime::default(), Some(A), &command(session)).outcome)
    };
    let (said, meant) = ask("connect 10000", "@1", "@1");
    assert_eq!(meant, Outcome::Reply(Reply::bulk("1")));
    let Outcome::Reply(reply) = said else { panic!("a session is opened at once") };
    let id = format!("@{}", reply.text().unwrap());
    for line in [
        "ls lock @1",
        "create -s -e lock/A-1- A @1",
        "create -s -e lock/B-1- B @1",
        "ls lock @1",
        "exists lock/B-1-0000000001 @1",
        "exists lock/C-1-0000000002 @1",
        "exists -w lock/C-1-0000000002 @1",
        "delete lock/A-1-0000000000 @1",
        "delete lock/A-1-0000000000 @1",
        "create -s -e lock/A-2- A @1",
        "create config x @1",
        "create config y @1",
        "exists config @1",
        "exists -w lock/B-1-0000000001 @1",
        "ping @1",
        "close @1",
        "ping @1",
        "ls lock",
        "set k v",
    ] {
        let (said, meant) = ask(line, "@1", &id);
        assert_eq!(shape(&said), shape(&meant), "{line}");
    }
    let records = real.records(Time::START).unwrap();
    assert_eq!(records.keys().collect::<Vec<_>>(), ["config"], "what was ephemeral has gone with its session");
}
