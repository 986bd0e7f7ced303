//! What is said about bad scenario files: every kind of mistake once, in both languages, in one golden file.

use std::fmt::Write as _;

use expect_test::expect_file;
use locklab_core::i18n::Language;
use locklab_core::scenario::Scenario;

/// A good file; each mistake below is one replacement in it.
const GOOD: &str = r#"title = "A good scenario"

[servers]
redis = "single"

[lock]
kind = "token-lua"
ttl = "10s"

[[client]]
name = "A"
work = "3s"

[[client]]
name = "B"
starts = "1s"
steps = ["lock", "read", "2s", "write", "unlock"]

[[fault]]
pause = "A"
at = "A.acquired + 2s"
for = "15s"

[expect]
happens = ["B.finished"]
"#;

/// What is replaced by what.
const MISTAKES: &[(&str, &str)] = &[
    // The file as a whole.
    ("title = \"A good scenario\"", "title = A good scenario"),
    ("[lock]", "[lock"),
    ("title = \"A good scenario\"\n", ""),
    ("title = \"A good scenario\"", "title = { en = \"Only English\" }"),
    ("title = \"A good scenario\"", "titel = \"A good scenario\""),
    ("title = \"A good scenario\"", "title = \"A\"\nseed = -1\nuntil = \"0s\""),
    ("title = \"A good scenario\"", "title = 7"),
    ("[expect]\nhappens = [\"B.finished\"]\n", ""),
    // Servers.
    ("redis = \"single\"", "redis = \"sinlge\""),
    ("redis = \"single\"", "redis = \"single\"\nreplicas = 2"),
    ("redis = \"single\"", "redis = \"replicated\"\nreplicas = 3\nlag = [\"1s\", \"2s\"]"),
    ("redis = \"single\"", "redis = \"independent\"\nnodes = 16"),
    ("redis = \"single\"", "redis = \"single\"\nservice = \"etcd\""),
    ("redis = \"single\"", "service = \"zookeper\""),
    ("[servers]", "[clocks]\nC = \"+3s\"\nA = \"soon\"\nB = \"60%\"\n\n[servers]"),
    // The lock.
    ("kind = \"token-lua\"", "kind = \"token-lau\""),
    ("kind = \"token-lua\"\n", ""),
    ("ttl = \"10s\"", "ttl = \"0s\""),
    ("ttl = \"10s\"", "ttl = \"-10s\""),
    ("ttl = \"10s\"", "ttl = 10"),
    ("ttl = \"10s\"", "ttl = \"1000000000000000000000000000000s\""),
    ("ttl = \"10s\"", "tll = \"10s\""),
    ("ttl = \"10s\"", "renew_every = \"3s\""),
    ("kind = \"token-lua\"\nttl = \"10s\"", "kind = \"set-nx-ex\"\nttl = \"1500ms\""),
    ("kind = \"token-lua\"", "kind = \"wait\"\nwait_replicas = \"two\""),
    ("ttl = \"10s\"", "token = \"uniqe\""),
    ("ttl = \"10s\"", "key = \"my lock\""),
    ("ttl = \"10s\"", "key = \"a\"\nkeys = [\"a\", \"b\", \"a\"]"),
    ("kind = \"token-lua\"", "kind = \"token-lua\"\nlisting = \"acquire:\\nrelease:\\n\""),
    (
        "kind = \"token-lua\"",
        "kind = \"mine\"\nlisting = \"\"\"\nacquire:\n    SETXN {key} {token} -> 1: next, 0: retry\nrelease:\n    DEL {key}\n\"\"\"",
    ),
    // Clients.
    ("name = \"A\"\nwork = \"3s\"", "name = \"redis\"\nwork = \"3s\""),
    ("name = \"A\"\nwork = \"3s\"", "name = \"B\"\nwork = \"3s\""),
    ("name = \"A\"\nwork = \"3s\"", "name = \"two words\"\nwork = \"3s\""),
    ("name = \"A\"\nwork = \"3s\"", "name = \"A\"\ncount = 1000000\nwork = \"3s\""),
    ("name = \"A\"\nwork = \"3s\"", "name = \"A\""),
    ("name = \"A\"\nwork = \"3s\"", "name = \"A\"\nwork = \"3s\"\nsteps = [\"lock\"]"),
    ("name = \"A\"\nwork = \"3s\"", "name = \"A\"\nwork = \"3s\"\nevery = \"1s\"\nwhen_lost = \"panic\""),
    ("name = \"A\"\nwork = \"3s\"", "name = \"A\"\nwork = \"3s\"\namount = 5\ncell = \"order-1\""),
    ("[[client]]\nname = \"A\"", "[client]\nname = \"A\""),
    ("\"2s\", \"write\"", "\"2s\", \"wirte\""),
    ("\"2s\", \"write\"", "\"2\", \"write\""),
    ("\"lock\", \"read\"", "\"read\""),
    ("\"read\", \"2s\"", "\"2s\""),
    ("\"lock\", \"read\"", "\"lock a\", \"read\""),
    ("\"write\", \"unlock\"", "\"write order-1\", \"unlock\""),
    // Faults.
    ("pause = \"A\"\n", ""),
    ("pause = \"A\"", "pose = \"A\""),
    ("pause = \"A\"", "pause = \"A\"\ncrash = \"A\""),
    ("pause = \"A\"", "pause = \"C\""),
    ("pause = \"A\"", "pause = \"redis\""),
    ("at = \"A.acquired + 2s\"\n", ""),
    ("at = \"A.acquired + 2s\"", "at = \"A.aquired + 2s\""),
    ("at = \"A.acquired + 2s\"", "at = \"A.acquired + two seconds\""),
    ("at = \"A.acquired + 2s\"", "at = \"A.acquired #0\""),
    ("at = \"A.acquired + 2s\"", "at = \"A.sent\""),
    ("at = \"A.acquired + 2s\"", "at = \"A.sent set\""),
    ("at = \"A.acquired + 2s\"", "at = \"redis.ran SET by A\""),
    ("at = \"A.acquired + 2s\"", "at = \"redis.executed SET by C\""),
    ("at = \"A.acquired + 2s\"", "at = \"soon\""),
    ("at = \"A.acquired + 2s\"", "at = \"5\""),
    ("at = \"A.acquired + 2s\"", "at = \"A.looked\""),
    ("at = \"A.acquired + 2s\"", "att = \"A.acquired\""),
    ("pause = \"A\"\nat = \"A.acquired + 2s\"\nfor = \"15s\"", "failover = \"replica-1\"\nat = \"A.acquired\""),
    ("pause = \"A\"\nat = \"A.acquired + 2s\"\nfor = \"15s\"", "partition = \"A\"\nfrom = \"B\"\nat = \"A.acquired\""),
    ("pause = \"A\"\nat = \"A.acquired + 2s\"\nfor = \"15s\"", "lose = \"everything\"\nat = \"3s\""),
    ("pause = \"A\"\nat = \"A.acquired + 2s\"\nfor = \"15s\"", "delay = \"reply\"\nat = \"A.sent SET\""),
    ("pause = \"A\"\nat = \"A.acquired + 2s\"\nfor = \"15s\"", "clock = \"redis\"\nstep = \"30\"\nat = \"3s\""),
    ("pause = \"A\"\nat = \"A.acquired + 2s\"\nfor = \"15s\"", "clock = \"redis\"\nat = \"3s\""),
    ("pause = \"A\"\nat = \"A.acquired + 2s\"\nfor = \"15s\"", "operator = \"\"\nat = \"3s\""),
    ("[[fault]]", "[[fault]]\ncrash = \"A\"\nat = \"A.acquired\"\n\n[[fault]]"),
    (
        "title = \"A good scenario\"",
        "title = \"A\"\nuntil = \"5s\"\n[[fault]]\nslow = \"redis\"\nby = \"1s\"\nat = \"6s\"",
    ),
    // The resource and the network.
    ("[lock]", "[resource]\nkind = \"stok\"\n\n[lock]"),
    ("[lock]", "[resource]\nkind = \"job\"\ninitial = 3\n\n[lock]"),
    ("[lock]", "[resource]\nkind = \"stock\"\ninitial = -1\nguard = \"version\"\nhome = \"redis\"\n\n[lock]"),
    ("[lock]", "[network]\nlatency = \"5ms..1ms\"\nloss = \"101%\"\nduplicates = \"some\"\n\n[lock]"),
    ("[lock]", "[[network.link]]\nbetween = [\"A\"]\n[[network.link]]\nbetween = [\"A\", \"B\"]\n\n[lock]"),
    // What is expected.
    ("happens = [\"B.finished\"]", "broken = []"),
    ("happens = [\"B.finished\"]", "broken = [\"mutual-exlusion\"]"),
    ("happens = [\"B.finished\"]", "happens = [\"C.finished\", \"B.finnished\", \"finished\"]"),
    (
        "happens = [\"B.finished\"]",
        "broken = [\"progress\", \"progress\"]\ntotals = { overlapp = \"2s\", overrun = 3, orphan = [[\"3s\"]] }",
    ),
    ("[expect]", "[expect.token]"),
    ("[expect]\n", "[expect]\nbroken = [\"progress\"]\n\n[expect.token-lua]\n"),
];

#[test]
fn every_kind_of_mistake_is_explained_in_both_languages() {
    Scenario::parse("good.toml", GOOD).unwrap_or_else(|errors| panic!("{errors}"));
    let mut page = String::new();
    for (good, bad) in MISTAKES {
        assert!(GOOD.contains(good), "`{good}` is not in the good file");
        let text = GOOD.replacen(good, bad, 1);
        let errors = match Scenario::parse("bad.toml", &text) {
            Err(errors) => errors,
            Ok(_) => panic!("`{bad}` is accepted"),
        };
        writeln!(page, "{}\n", "=".repeat(100)).expect("a string takes everything");
        writeln!(page, "{}\n", errors.render(Language::English)).expect("a string takes everything");
        for problem in &errors.problems {
            let hint = problem.hint.iter().chain(&problem.allowed).map(|hint| format!("（{}）", hint.zh));
            writeln!(page, "{}{}", problem.message.zh, hint.collect::<String>()).expect("a string takes everything");
        }
        page.push('\n');
    }
    expect_file!["scenario_errors.golden"].assert_eq(&page);
}

#[test]
fn what_is_not_text_and_what_is_too_much_text_is_refused() {
    let errors = Scenario::parse_bytes("x.toml", b"title = \"\xff\xfe\"").expect_err("this is not UTF-8");
    assert!(errors.to_string().starts_with("error: this is not text in UTF-8\n --> x.toml:1:10"), "{errors}");
    let errors = Scenario::parse("x.toml", &"# much\n".repeat(1_000_000)).expect_err("this is too large");
    assert!(errors.to_string().starts_with("error: the file is too large"), "{errors}");
    let errors = Scenario::parse("x.toml", "\0\u{1}\u{2}").expect_err("these are control characters");
    assert_eq!(errors.problems[0].line, 1);
}

#[test]
fn a_deeply_nested_value_does_not_exhaust_the_stack() {
    for open in ["[", "{a="] {
        let text = format!("title = {}", open.repeat(100_000));
        Scenario::parse("deep.toml", &text).expect_err("this is nested too deeply");
    }
}

#[test]
fn a_file_full_of_mistakes_shows_the_first_fifty() {
    let text: String = (0..1_000).map(|number| format!("key{number} = 1\n")).collect();
    let errors = Scenario::parse("x.toml", &text).expect_err("a thousand unknown keys");
    assert_eq!(errors.problems.len(), 50);
    assert!(errors.more > 900);
    assert!(errors.to_string().ends_with("more"));
}

#[test]
fn a_file_as_large_as_it_may_be_is_explained_as_quickly_as_it_is_read() {
    for line in ["[[client]]\n", "[[fault]]\n", "[[client]]\nname='A'\ncount=64\nwork='1s'\n", "k={}\n", "\"\n"] {
        let mut text = String::new();
        for number in 0.. {
            let next = line.replace("{}", &format!("{number}"));
            // Every line of its own, where the same key twice would not be TOML.
            let next = next.replacen('k', &format!("k{number}"), usize::from(line.starts_with("k=")));
            if text.len() + next.len() > 1 << 20 {
                break;
            }
            text.push_str(&next);
        }
        let errors = Scenario::parse("large.toml", &text).expect_err("this is no scenario");
        assert!(errors.problems.len() <= 50);
        assert!(errors.to_string().len() < 100_000);
    }
}
