use super::*;
use crate::servers::typed::{at, run};

#[test]
fn of_two_writers_who_read_the_same_version_the_second_is_refused() {
    let mut server = Kubernetes::default();
    assert_eq!(run(&mut server, 0, "get lease lock"), "(nil)");
    let created = r#"["holderIdentity", "A", "resourceVersion", "1"]"#;
    assert_eq!(run(&mut server, 0, "create lease lock holderIdentity=A"), created);
    assert!(run(&mut server, 0, "create lease lock holderIdentity=B").starts_with("(error) AlreadyExists "));
    let replaced = r#"["holderIdentity", "B", "resourceVersion", "2"]"#;
    assert_eq!(run(&mut server, 1, "replace lease lock resourceVersion=1 holderIdentity=B"), replaced);
    assert!(
        run(&mut server, 1, "replace lease lock resourceVersion=1 holderIdentity=C").starts_with("(error) Conflict ")
    );
    assert_eq!(run(&mut server, 2, "get lease lock"), replaced);
}

#[test]
fn a_replace_that_names_no_version_overwrites_and_one_of_nothing_is_refused() {
    let mut server = Kubernetes::default();
    assert!(run(&mut server, 0, "replace lease lock holderIdentity=A").starts_with("(error) NotFound "));
    run(&mut server, 0, "create lease lock holderIdentity=A");
    assert!(run(&mut server, 0, "replace lease lock holderIdentity=B").contains("\"B\""));
    assert_eq!(run(&mut server, 0, "delete lease lock"), "OK");
    assert!(run(&mut server, 0, "delete lease lock").starts_with("(error) NotFound "));
}

#[test]
fn no_lease_ends_by_itself_and_its_record_says_when_it_was_written() {
    let mut server = Kubernetes::default();
    run(&mut server, 3, "create lease lock holderIdentity=A leaseDurationSeconds=15");
    assert!(server.expire(at(1_000)).is_empty());
    let records = server.records(&LocalClock::default(), Time(1_000_000_000));
    let record = &records["lock"];
    assert_eq!(record.gone_at, None);
    let RecordValue::Fields(fields) = &record.value else { panic!("an object has fields") };
    assert_eq!(fields["written"], "3s");
}

#[test]
fn a_request_that_makes_no_sense_is_refused_in_words() {
    let mut server = Kubernetes::default();
    for line in [
        "",
        "get",
        "get pod lock",
        "patch lease lock a=b",
        "create lease lock a",
        "create lease lock resourceVersion=1",
    ] {
        assert!(run(&mut server, 0, line).starts_with("(error) BadRequest "), "{line}");
    }
}
