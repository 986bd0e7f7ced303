//! Whatever is wrong is told with a hint and the right exit code; nothing panics, nothing hangs.

use std::fs;
use std::process::Stdio;

use expect_test::{Expect, expect};

use super::{GC_PAUSE, Said, command, locklab, locklab_with, workspace};

/// Bad input ends with 2, says nothing on the standard output, and says this.
fn refused(said: &Said, expected: Expect) {
    expected.assert_eq(&said.err);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
}

/// The scenario of the README with one piece changed, on the standard input.
fn with(piece: &str, other: &str) -> Said {
    let text = fs::read_to_string(workspace().join(GC_PAUSE)).unwrap();
    assert!(text.contains(piece), "{piece} is not in the scenario");
    locklab_with(&["run", "-"], &[], text.replacen(piece, other, 1).as_bytes())
}

#[test]
fn malformed_toml_is_shown_at_its_place() {
    refused(
        &locklab_with(&["run", "-"], &[], b"title = \"a\n"),
        expect![[r#"
        error: this is not TOML: invalid basic string, expected `"`
         --> -:1:11
          |
        1 | title = "a
          |           ^
    "#]],
    );
}

#[test]
fn what_is_wrong_at_one_place_is_told_once() {
    let said = locklab_with(&["run", "-"], &[], format!("a={}", "[".repeat(10_000)).as_bytes());
    assert_eq!(said.code, Some(2));
    assert_eq!(said.err.matches("unclosed array").count(), 1, "{}", said.err);
}

#[test]
fn an_unknown_name_is_told_with_what_is_allowed_and_the_nearest() {
    let said = with("kind = \"token-lua\"", "kind = \"tokn-lua\"");
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    let lines: Vec<&str> = said.err.lines().collect();
    assert_eq!(lines[0], "error: \"tokn-lua\" is not a lock");
    assert!(lines[5].starts_with("  = allowed: token-lua, "), "{}", said.err);
    assert_eq!(lines[6], "  = hint: did you mean \"token-lua\"?");
}

#[test]
fn an_unknown_key_is_told_with_the_nearest() {
    let said = with("ttl  = ", "tll  = ");
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(said.err.ends_with("= hint: did you mean \"ttl\"?\n"), "{}", said.err);
}

#[test]
fn absurd_numbers_are_refused() {
    for number in ["0s", "-3s", "1e30s", "1000000000000000000000000000000s", "10"] {
        let said = with("ttl  = \"10s\"", &format!("ttl  = \"{number}\""));
        assert_eq!(said.code, Some(2), "{number}: {}", said.out);
        assert!(said.err.contains(" --> -:"), "{}", said.err);
        assert!(said.err.contains("= allowed: "), "{}", said.err);
    }
}

#[test]
fn a_million_clients_are_too_many() {
    let said = with("name = \"A\"", "name = \"A\"\ncount = 1000000");
    assert_eq!(said.code, Some(2), "{}", said.out);
    assert!(said.err.starts_with("error: "), "{}", said.err);
}

#[test]
fn a_fault_that_contradicts_another_is_refused() {
    let twice =
        "[[fault]]\ncrash = \"A\"\nat = \"1s\"\n[[fault]]\npause = \"A\"\nat = \"2s\"\nfor = \"1s\"\n[[fault]]\npause";
    let said = with("[[fault]]\npause", twice);
    assert_eq!(said.code, Some(2), "{}", said.out);
    assert!(said.err.contains("error: "), "{}", said.err);
}

#[test]
fn a_typo_in_a_listing_is_shown_in_its_line() {
    let listing = "kind = \"mine\"\nlisting = \"\"\"\nacquire:\n    STE {key} {token} NX -> OK: next, nil: retry\nrelease:\n    DEL {key}\n\"\"\"";
    refused(
        &with("kind = \"token-lua\"", listing),
        expect![[r#"
        error: unknown command "STE"
          --> -:12:5
           |
        12 |     STE {key} {token} NX -> OK: next, nil: retry
           |     ^^^
           = hint: did you mean "SET"?
    "#]],
    );
}

/// A lock whose script does this; nobody is expected to get it.
fn scripted(body: &str) -> Said {
    let listing = format!(
        "kind = \"mine\"\nlisting = \"\"\"\nacquire:\n    EVAL @take 1 {{key}} {{token}} -> 1: next, *: retry\nrelease:\n    \
         DEL {{key}}\n\nscript take:\n    {body}\n\"\"\""
    );
    let text = fs::read_to_string(workspace().join(GC_PAUSE)).unwrap();
    let opening = text.replacen("kind = \"token-lua\"", &listing, 1);
    let opening = opening.split("[expect.").next().unwrap();
    let scenario = opening.replace("A.acquired + 2s", "2s");
    locklab_with(&["run", "-"], &[], format!("{scenario}[expect]\nhappens = [\"A.refused\"]\n").as_bytes())
}

#[test]
fn a_lua_error_an_endless_loop_and_a_memory_hog_are_error_replies() {
    for (body, reply) in [
        ("return nosuch.thing", "ERR user_script:1: Script attempted to"),
        ("error('no')", "ERR user_script:1: no"),
        ("while true do end", "ERR "),
        ("return string.rep('x', 1e9)", "ERR "),
    ] {
        let said = scripted(body);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{body}: {}", said.out);
        assert!(said.out.contains(&format!("A: EVAL @take 1 lock A-1 → {reply}")), "{body}: {}", said.out);
    }
}

#[test]
fn a_script_that_is_no_lua_is_shown_in_its_line() {
    refused(
        &scripted("retrun 1"),
        expect![[r#"
        error: this is not Lua 5.1: '=' expected near '1'
          --> -:17:5
           |
        17 |     retrun 1
           |     ^^^^^^
    "#]],
    );
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    refused(
        &locklab_with(&["run", "-"], &[], &[b'a', 0xff, 0, 0x1b]),
        expect![[r#"
        error: this is not text in UTF-8
         --> -:1:2
          |
        1 | a
          |  ^
          = hint: a scenario is a TOML file
    "#]],
    );
}

#[test]
fn a_missing_file_a_folder_and_a_pattern_without_files_are_all_told() {
    refused(
        &locklab(&["run", "nope.toml", "gc-pause", "scenarios/expiry", "nope/**/*.toml"]),
        expect![[r#"
        error: there is no file nope.toml, and no built-in scenario of that name
        hint: built-in scenarios: locklab list scenarios

        error: there is no file gc-pause, and no built-in scenario of that name
        hint: did you mean "expiry/gc-pause"?

        error: scenarios/expiry is a folder, not a scenario
        hint: to run every scenario in it: locklab run scenarios/expiry/**/*.toml

        error: no file matches nope/**/*.toml
        hint: built-in scenarios: locklab list scenarios
    "#]],
    );
}

#[test]
fn an_unknown_lock_is_told_with_the_nearest() {
    let said = locklab(&["run", GC_PAUSE, "--lock", "token-lau"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("hint: did you mean \"token-lua\"?"), "{}", said.err);
}

#[test]
fn a_setting_that_names_nothing_is_told() {
    refused(
        &locklab(&["run", GC_PAUSE, "--set", "tll"]),
        expect![[r#"
        error: "tll" is not KEY=VALUE
        hint: for example --set ttl=5s
    "#]],
    );
    let said = locklab(&["run", GC_PAUSE, "--set", "C.work=3s"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("hint: "), "{}", said.err);
}

#[test]
fn a_form_for_one_run_refuses_several() {
    refused(
        &locklab(&["run", GC_PAUSE, "--format", "svg"]),
        expect![[r#"
        error: this form tells one run, but 2 were asked for
        hint: name one scenario, and one lock with --lock
    "#]],
    );
}

#[test]
fn an_output_that_cannot_be_written_is_told() {
    refused(
        &locklab(&["run", GC_PAUSE, "-o", "nope/report.txt"]),
        expect![[r#"
        error: nope/report.txt cannot be written: there is no such file or folder
        hint: make its folder first
    "#]],
    );
    refused(
        &locklab(&["run", GC_PAUSE, "-o", "scenarios"]),
        expect![[r#"
        error: scenarios cannot be written: it is a folder
        hint: name a file in it, such as scenarios/report.txt
    "#]],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    refused(
        &locklab(&["run", GC_PAUSE, "-o", "/dev/full"]),
        expect![[r#"
        error: /dev/full cannot be written: the disk is full
        hint: make room, or write to another disk
    "#]],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_standard_output_that_cannot_be_written_is_named() {
    for (language, words) in
        [("en", "error: the standard output cannot be written: "), ("zh", "错误：无法写入 标准输出：")]
    {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command(&["list", "--lang", language]).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with(words), "{said}");
    }
}

#[test]
fn what_would_move_the_cursor_is_shown_wherever_it_is_repeated() {
    let harmful = "a\u{1b}[31mb\r\u{202e}c";
    for arguments in [
        &["explain", harmful][..],
        &["run", harmful],
        &["run", GC_PAUSE, "--lock", harmful],
        &["run", GC_PAUSE, "--set", harmful],
        &["compare", "--locks", harmful],
        &["replay", harmful],
        &["advise", "--task", harmful],
        &["list", harmful],
        &[harmful],
    ] {
        for language in ["en", "zh"] {
            let said = locklab(&[arguments, &["--lang", language]].concat());
            assert_eq!(said.code, Some(2), "{arguments:?}");
            assert!(!said.err.contains(['\u{1b}', '\r', '\u{202e}']), "{:?}", said.err);
        }
    }
    let said = with("title    = { en = \"", "title    = { en = \"\\u001b[31m");
    assert!(!said.out.contains('\u{1b}') && !said.err.contains('\u{1b}'), "{:?}{:?}", said.out, said.err);
}

#[test]
fn the_rule_that_a_value_breaks_is_told_in_chinese_too() {
    for (arguments, rule) in [
        (&["explore", GC_PAUSE, "--shard", "-1/3"][..], "提示：分份写作 I/N"),
        (&["risk", GC_PAUSE, "--model", "m.toml", "--shard", "4/3"], "N 最多为 1,000"),
        (&["explore", GC_PAUSE, "--budget", "10"], "提示：时间以单位结尾"),
        (&["explore", GC_PAUSE, "--budget", "-1s"], "提示：时间以数字开头"),
        (&["explore", GC_PAUSE, "--memory", "1"], "提示：大小是整数加单位"),
        (&["run", GC_PAUSE, "--runs", "0"], "提示：应是 1 到 1000000 之间的整数"),
        (&["explore", GC_PAUSE, "--swarm", "0"], "提示：应是 1 到 1000000000 之间的整数"),
        (&["run", GC_PAUSE, "--seed", "-1"], "提示：应是整数"),
        (&["advise", "--work", "long"], "提示：请写一个时间"),
        (&["advise", "--task", "foo"], "提示：可用的有：update、once、counter、several 和 job"),
        (&["advise", "--servers", "reids"], "提示：是不是想写 \"redis\"？"),
    ] {
        let said = locklab(&[arguments, &["--lang", "zh"]].concat());
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(said.err.contains(rule), "{arguments:?}: {}", said.err);
    }
}

#[test]
fn an_answer_of_advise_that_is_none_is_told_with_what_is_allowed() {
    refused(
        &locklab(&["advise", "--task", "foo"]),
        expect![[r#"
        error: --task <TASK> has no value "foo"
        hint: allowed: update, once, counter, several and job
    "#]],
    );
    refused(
        &locklab(&["advise", "--servers", "redis,databse"]),
        expect![[r#"
        error: --servers <NAME,...> has no value "databse"
        hint: did you mean "database"?
    "#]],
    );
}

#[test]
fn the_ending_of_a_file_that_means_another_form_is_refused() {
    for (arguments, known) in [
        (&["explore", GC_PAUSE, "-o", "x.svg"][..], "text, json"),
        (&["compare", "--locks", "none", "--against", "pause", "-o", "x.svg"], "text, html, json, csv, md"),
        (&["run", GC_PAUSE, "--lock", "none", "-o", "x.csv"], "text, json, junit, svg, html, history"),
    ] {
        let said = locklab(arguments);
        assert_eq!(said.code, Some(2), "{}", said.err);
        assert!(said.err.contains(&format!("hint: there are {known}: ")), "{}", said.err);
    }
}

#[test]
fn an_address_that_is_none_is_told() {
    refused(
        &locklab(&["replay", "expiry/gc-pause"]),
        expect![[r#"
        error: this is not the address of a run
        hint: an address begins with L1- and is the last line of a report, or the end of the page's link
    "#]],
    );
}

#[test]
fn a_history_that_is_none_is_told() {
    let said = locklab_with(&["check-history", "-"], &[], b"{\"version\":1}\n");
    assert_eq!(said.code, Some(2));
    assert!(said.err.starts_with("error: - is no history: line 1: "), "{}", said.err);
    let chinese = [("LANG", "zh_CN.UTF-8")];
    let said = locklab_with(&["check-history", "-"], &chinese, b"{\"version\":99}\n");
    assert!(said.err.starts_with("错误：- 不是历史记录：第 1 行：版本 99 比本程序能读的"), "{}", said.err);
    let said = locklab_with(&["check-history", "-"], &chinese, b"ab\xff\n");
    assert!(said.err.starts_with("错误：- 不是历史记录：从第 3 个字节起不是 UTF-8 文本"), "{}", said.err);
}

#[test]
fn errors_speak_chinese_too() {
    let said = locklab_with(&["run", "nope.toml"], &[("LANG", "zh_CN.UTF-8")], b"");
    refused(
        &said,
        expect![[r#"
        错误：没有文件 nope.toml，也没有这个名字的内置场景
        提示：查看内置场景：locklab list scenarios
    "#]],
    );
}

#[test]
fn a_reader_who_leaves_early_is_no_error() {
    let mut child = command(&["run", GC_PAUSE, "-v"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn a_redis_that_cannot_be_reached_ends_with_3() {
    let said = locklab(&["run", GC_PAUSE, "--redis", "redis://127.0.0.1:1"]);
    assert_eq!((said.code, said.out.as_str()), (Some(3), ""));
    assert!(said.err.starts_with("error: cannot reach the server redis://127.0.0.1:1: "), "{}", said.err);
    assert!(said.err.contains("\nhint: "), "{}", said.err);
}

#[test]
fn an_address_of_a_redis_that_is_none_is_bad_input() {
    assert_eq!(locklab(&["run", GC_PAUSE, "--redis", "localhost"]).code, Some(2));
    assert_eq!(locklab(&["run", GC_PAUSE, "--live", "--clock", "virtual", "--time-scale", "2"]).code, Some(2));
}

#[test]
fn a_slip_on_the_command_line_is_told_in_chinese_too() {
    let said = locklab(&["run", GC_PAUSE, "--fromat", "json", "--lang", "zh"]);
    refused(
        &said,
        expect![[r#"
        错误：没有参数 --fromat
        提示：是不是想写 --format？
    "#]],
    );
}
