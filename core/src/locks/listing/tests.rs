use std::fmt::Write as _;

use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::locks::{Kind, kinds};

const WELL_FORMED: &str = "\
acquire:
    SET {key} {token} NX PX {ttl_ms}  -> OK: next, nil: retry
release:
    EVAL @release 1 {key} {token}     -> 1: next, 0: lost
renew every {ttl}/3:
    PEXPIRE {key} {ttl_ms}

script release:
    if redis.call('GET', KEYS[1]) == ARGV[1] then
        return redis.call('DEL', KEYS[1])
    end
    return 0
";

/// The message and the hint, or what a correct listing would have.
fn complaint(text: &str) -> String {
    match Listing::parse(text) {
        Ok(listing) => format!("fine: {} lines", listing.lines.len()),
        Err(error) => match error.hint() {
            Some(hint) => format!("{error}; hint: {}", hint.en),
            None => error.to_string(),
        },
    }
}

#[test]
fn a_typo_is_shown_at_its_place_with_what_is_allowed() {
    let changes = [
        ("", ""),
        ("acquire:", "aquire:"),
        ("acquire:", "acquire"),
        ("acquire:", "get:"),
        ("release:\n", "acquire:\n"),
        ("release:\n    EVAL", "    EVAL"),
        ("SET {key}", "SETT {key}"),
        ("SET {key}", "set {key}"),
        ("SET {key}", "LOCK {key}"),
        ("SET {key}", "BRPOP {key}"),
        ("SET {key}", "SET {kye}"),
        ("SET {key}", "SET {key"),
        ("SET {key}", "SET key}"),
        ("SET {key}", "SET \"{key}"),
        ("SET {key}", "token = SET {key}"),
        ("SET {key}", "Fence = SET {key}"),
        ("SET {key} {token} NX PX {ttl_ms}", ""),
        ("{ttl_ms}  ->", "{ttl}  ->"),
        ("{ttl_ms}  ->", "{fence}  ->"),
        ("->", "=>"),
        ("OK: next", "OK next"),
        ("OK: next", "ok: next"),
        ("OK: next", "Nil: next"),
        ("OK: next", "OK: nxt"),
        ("OK: next", "OK: lost"),
        ("OK: next", "OK: release than retry"),
        ("OK: next", "*: next"),
        ("nil: retry", "nil: retry,"),
        ("nil: retry", "error | error OOM: retry"),
        ("nil: retry", "error oom: retry"),
        ("nil: retry", "else: retry"),
        ("nil: retry", ">=many: retry"),
        ("1: next, 0: lost", "1: next, 0: retry"),
        ("1: next, 0: lost", "1: next, 0: stop"),
        ("@release", "@relaese"),
        ("@release 1", "'return 1' 1"),
        ("    PEXPIRE {key} {ttl_ms}\n", ""),
        ("{ttl}/3", "{ttl}/1"),
        ("{ttl}/3", "soon"),
        ("renew every {ttl}/3", "renew"),
        ("script release:", "script Release:"),
        (" then\n", " do\n"),
        ("    return 0\n", "    return 0 0\n"),
        ("release:\n", "parameters:\n    key = 1\nrelease:\n"),
        ("release:\n", "parameters:\n    replicas = many\nrelease:\n"),
        ("release:\n", "parameters:\n    replicas\nrelease:\n"),
    ];
    let mut log = String::new();
    for (from, to) in changes {
        let text = WELL_FORMED.replacen(from, to, 1);
        assert!(from.is_empty() || text != WELL_FORMED, "{from} is there");
        let change = format!("{from} -> {to}").replace('\n', "\\n");
        let _ = writeln!(log, "{change}\n    {}", complaint(&text));
    }
    expect![[r#"
         -> 
            fine: 3 lines
        acquire: -> aquire:
            line 1, column 1: unknown section "aquire": sections are `acquire:`, `release:`, `renew every ...:`, `check:`, `parameters:`, `script NAME:`; hint: did you mean "acquire"?
        acquire: -> acquire
            line 1, column 1: this line belongs to no section: sections are `acquire:`, `release:`, `renew every ...:`, `check:`, `parameters:`, `script NAME:`; hint: a section's name stands at the start of its line and ends with `:`; its lines are indented
        acquire: -> get:
            line 1, column 1: unknown section "get": sections are `acquire:`, `release:`, `renew every ...:`, `check:`, `parameters:`, `script NAME:`
        release:\n -> acquire:\n
            line 3, column 1: "acquire" is here for the second time
        release:\n    EVAL ->     EVAL
            line 1, column 1: a listing needs a section `release:` (it may be empty)
        SET {key} -> SETT {key}
            line 2, column 5: unknown command "SETT"; hint: did you mean "SET"?
        SET {key} -> set {key}
            line 2, column 5: a command is written in capitals, not "set"; hint: did you mean "SET"?
        SET {key} -> LOCK {key}
            line 2, column 5: unknown command "LOCK"
        SET {key} -> BRPOP {key}
            line 2, column 5: BRPOP is not for a listing: it sends commands that read or change keys, waits for no message and administers no server
        SET {key} -> SET {kye}
            line 2, column 10: nothing is called {kye} here: allowed are {key} {token} {client} {ttl_ms} {ttl_s} {now_ms} {until_ms}; hint: did you mean "{key}"?
        SET {key} -> SET {key
            line 2, column 9: `{` and `}` come in pairs
        SET {key} -> SET key}
            line 2, column 12: `{` and `}` come in pairs
        SET {key} -> SET "{key}
            line 2, column 9: this quote is never closed
        SET {key} -> token = SET {key}
            line 2, column 5: "token" cannot be a name here: use small letters, digits and _, and no name that is taken
        SET {key} -> Fence = SET {key}
            line 2, column 5: "Fence" cannot be a name here: use small letters, digits and _, and no name that is taken
        SET {key} {token} NX PX {ttl_ms} -> 
            line 2, column 7: a line needs a command
        {ttl_ms}  -> -> {ttl}  ->
            line 2, column 30: nothing is called {ttl} here: allowed are {key} {token} {client} {ttl_ms} {ttl_s} {now_ms} {until_ms}; hint: did you mean "{ttl_s}"?
        {ttl_ms}  -> -> {fence}  ->
            line 2, column 30: nothing is called {fence} here: allowed are {key} {token} {client} {ttl_ms} {ttl_s} {now_ms} {until_ms}
        -> -> =>
            line 2, column 39: after `->` come pairs of `pattern: outcome`, not "=>"
        OK: next -> OK next
            line 2, column 42: after `->` come pairs of `pattern: outcome`, not "OK next"
        OK: next -> ok: next
            line 2, column 42: "ok" matches no reply: patterns are `1`, `>=1`, `OK`, `nil`, `"text"`, `{token}`, `error`, `error CODE`, `timeout`, `disconnected`, `*`; hint: did you mean "OK"?
        OK: next -> Nil: next
            line 2, column 42: "Nil" matches no reply: patterns are `1`, `>=1`, `OK`, `nil`, `"text"`, `{token}`, `error`, `error CODE`, `timeout`, `disconnected`, `*`; hint: did you mean "nil"?
        OK: next -> OK: nxt
            line 2, column 46: unknown outcome "nxt": allowed here are next, done, ignore, retry, refused, release then retry, release then refused; hint: did you mean "next"?
        OK: next -> OK: lost
            line 2, column 46: "lost" means nothing in `acquire`: allowed here are next, done, ignore, retry, refused, release then retry, release then refused
        OK: next -> OK: release than retry
            line 2, column 46: unknown outcome "release than retry": allowed here are next, done, ignore, retry, refused, release then retry, release then refused; hint: did you mean "release then retry"?
        OK: next -> *: next
            line 2, column 51: "nil" can never match: an earlier pattern takes everything that it would
        nil: retry -> nil: retry,
            line 2, column 63: after `->` come pairs of `pattern: outcome`, not ""
        nil: retry -> error | error OOM: retry
            line 2, column 60: "error OOM" can never match: an earlier pattern takes everything that it would
        nil: retry -> error oom: retry
            line 2, column 52: "error oom" matches no reply: patterns are `1`, `>=1`, `OK`, `nil`, `"text"`, `{token}`, `error`, `error CODE`, `timeout`, `disconnected`, `*`
        nil: retry -> else: retry
            line 2, column 52: "else" matches no reply: patterns are `1`, `>=1`, `OK`, `nil`, `"text"`, `{token}`, `error`, `error CODE`, `timeout`, `disconnected`, `*`
        nil: retry -> >=many: retry
            line 2, column 52: ">=many" matches no reply: patterns are `1`, `>=1`, `OK`, `nil`, `"text"`, `{token}`, `error`, `error CODE`, `timeout`, `disconnected`, `*`
        1: next, 0: lost -> 1: next, 0: retry
            line 4, column 54: "retry" means nothing in `release`: allowed here are next, done, ignore, lost
        1: next, 0: lost -> 1: next, 0: stop
            line 4, column 54: "stop" means nothing in `release`: allowed here are next, done, ignore, lost
        @release -> @relaese
            line 4, column 11: there is no `script relaese:`; hint: did you mean "@release"?
        @release 1 -> 'return 1' 1
            line 4, column 10: words with spaces are put in double quotes
            PEXPIRE {key} {ttl_ms}\n -> 
            line 5, column 1: a renewal needs a line that extends the lease
        {ttl}/3 -> {ttl}/1
            line 5, column 1: "every {ttl}/1" is not an interval: write `renew every {ttl}/3:` or `renew every 2s:`
        {ttl}/3 -> soon
            line 5, column 1: "every soon" is not an interval: write `renew every {ttl}/3:` or `renew every 2s:`
        renew every {ttl}/3 -> renew
            line 5, column 1: "" is not an interval: write `renew every {ttl}/3:` or `renew every 2s:`
        script release: -> script Release:
            line 8, column 8: "Release" cannot be a name here: use small letters, digits and _, and no name that is taken
         then\n ->  do\n
            line 9, column 5: this is not Lua 5.1: 'then' expected near 'do'
            return 0\n ->     return 0 0\n
            line 12, column 5: this is not Lua 5.1: '<eof>' expected near '0'
        release:\n -> parameters:\n    key = 1\nrelease:\n
            line 4, column 5: "key" cannot be a name here: use small letters, digits and _, and no name that is taken
        release:\n -> parameters:\n    replicas = many\nrelease:\n
            line 4, column 16: "many" is no value for a parameter: write a whole number or a span such as `100ms`
        release:\n -> parameters:\n    replicas\nrelease:\n
            line 4, column 5: "replicas" is no value for a parameter: write a whole number or a span such as `100ms`
    "#]].assert_eq(&log);
}

#[test]
fn a_parameter_is_written_with_the_unit_that_it_needs() {
    let listing = |word: &str| {
        complaint(&format!(
            "parameters:\n  n = 2\n  limit = 100ms\nacquire:\n  WAIT {word} -> >={{n}}: next\nrelease:\n"
        ))
    };
    expect![[r#"
        fine: 1 lines
        line 5, column 13: {limit} is a span of time and needs a unit: write {limit_ms} or {limit_s}
        line 5, column 9: {n} is a number and has no unit: write {n}
        line 5, column 9: nothing is called {m} here: allowed are {key} {token} {client} {ttl_ms} {ttl_s} {now_ms} {until_ms} {n} {limit_ms}"#]].assert_eq(&["{n} {limit_ms}", "{n} {limit}", "{n_ms} {limit_s}", "{m} 1"].map(listing).join("\n"));
}

#[test]
fn a_reply_is_known_by_its_name_only_where_it_has_come() {
    let in_order =
        "acquire:\n  fence = INCR {key}:fence\n  SET {key} {fence}\nrelease:\n  old = GET {key}\n  ECHO {old}\n";
    assert!(Listing::parse(in_order).is_ok_and(|listing| listing.fences()));
    let elsewhere = "acquire:\nrelease:\n  old = GET {key}\ncheck:\n  ECHO {old}\n";
    expect!["line 5, column 9: nothing is called {old} here: allowed are {key} {token} {client} {ttl_ms} {ttl_s} {now_ms} {until_ms}"]
        .assert_eq(&complaint(elsewhere));
}

#[test]
fn lua_nested_beyond_reason_is_an_error_and_no_crash() {
    for unit in ["(", "{", "-", "f(", "if x then ", "x = function() "] {
        let script = unit.repeat(15_000 / unit.len());
        let text = format!("acquire:\n  EVAL @s 0\nrelease:\nscript s:\n  x = {script}\n");
        assert!(matches!(Listing::parse(&text), Err(ListingError { problem: Problem::Lua { .. }, .. })), "{unit}");
    }
}

#[test]
fn indentation_that_a_file_adds_changes_nothing_but_the_place() {
    let indented: String = WELL_FORMED.lines().map(|line| format!("        {line}\n")).collect();
    let plain = Listing::parse(WELL_FORMED).expect("well formed");
    let moved = Listing::parse(&indented).expect("well formed");
    assert_eq!((&plain.lines, &plain.scripts), (&moved.lines, &moved.scripts));
    let error = Listing::parse(&indented.replace("SET {key}", "SETT {key}")).expect_err("a typo");
    assert_eq!((error.line, error.column), (2, 13));
    assert_eq!(error.moved_down(30).line, 32);
}

#[test]
fn words_keep_their_quotes_braces_and_escapes() {
    let text = r#"
acquire:
    SET {{order}}:{key} "two words, \"quoted\" -> {token}" -> "a, b: c": next
release:
"#;
    let listing = Listing::parse(text).expect("well formed");
    let words: Vec<String> = listing.lines[0].words.iter().map(|word| format!("{:?}", word.parts())).collect();
    expect![[r#"
        [Text("SET")]
        [Text("{order}:"), Key]
        [Text("two words, \"quoted\" -> "), Token]"#]]
    .assert_eq(&words.join("\n"));
    assert_eq!(listing.lines[0].number, 3);
}

#[test]
fn every_shipped_listing_says_what_it_is() {
    let mut log = String::new();
    for kind in kinds() {
        let Kind { name, promises, has_lease, parameters, .. } = kind;
        let parameters: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let _ = writeln!(
            log,
            "{name}: excludes {}, fences {}, lease {has_lease}, parameters {parameters:?}",
            promises.exclusion, promises.fencing
        );
    }
    expect![[r#"
        none: excludes false, fences false, lease false, parameters []
        setnx-unchecked: excludes true, fences false, lease false, parameters []
        setnx-del: excludes true, fences false, lease false, parameters []
        setnx-expire: excludes true, fences false, lease true, parameters []
        set-nx-ex: excludes true, fences false, lease true, parameters []
        get-then-del: excludes true, fences false, lease true, parameters []
        fixed-value: excludes true, fences false, lease true, parameters []
        token-lua: excludes true, fences false, lease true, parameters []
        watchdog: excludes true, fences false, lease true, parameters ["renew_every", "max_renewals"]
        watchdog-as-printed: excludes true, fences false, lease true, parameters ["renew_every", "max_renewals"]
        wait: excludes true, fences false, lease true, parameters ["wait_replicas", "wait_timeout"]
        fenced: excludes true, fences true, lease true, parameters []
        setnx-timestamp: excludes true, fences false, lease true, parameters []
        redlock: excludes true, fences false, lease true, parameters ["sends", "order", "quorum", "decided_by", "errors", "clean_up", "checked", "counted_from", "drift", "drift_base", "least_percent", "clock", "release", "renew", "renew_percent", "not_renewed"]
        redisson: excludes true, fences false, lease true, parameters ["lease", "resend", "watchdog_stops", "stale_registration", "unlock_sets", "unlock_thread", "unlock_latch", "wait_replicas", "sync_timeout", "sync_delay", "sync_checked", "sync_undone"]
        redisson-fair: excludes true, fences false, lease true, parameters ["lease", "resend", "watchdog_stops", "stale_registration", "unlock_sets", "unlock_thread", "waiter_timeout"]
        redisson-read-write: excludes true, fences false, lease true, parameters ["lease", "resend", "watchdog_stops", "stale_registration", "unlock_sets", "unlock_thread", "exclusive_as"]
        redisson-multi: excludes true, fences false, lease true, parameters ["lease", "children", "unbounded_wait"]
        redisson-fenced: excludes true, fences true, lease true, parameters ["lease", "resend", "watchdog_stops", "stale_registration", "unlock_sets", "unlock_thread"]
        redisson-spin: excludes true, fences false, lease true, parameters ["lease", "resend", "watchdog_stops", "stale_registration", "unlock_sets", "unlock_thread"]
        redisson-red-lock: excludes true, fences false, lease true, parameters ["lease"]
        zookeeper: excludes true, fences true, lease true, parameters ["renew_every", "listens"]
        etcd: excludes true, fences true, lease true, parameters ["renew_every", "reread", "retake"]
        kubernetes: excludes true, fences false, lease true, parameters ["renew_every", "renew_deadline", "assumes", "judges", "release_on_cancel"]
        consul: excludes true, fences true, lease true, parameters ["renew_every", "lock_delay"]
        distlock: excludes true, fences false, lease true, parameters ["renew_every", "max_renewals"]
        distlock-as-printed: excludes true, fences false, lease true, parameters ["renew_every", "max_renewals"]
        redis-py: excludes true, fences false, lease true, parameters []
        redis-py-default: excludes true, fences false, lease false, parameters []
        python-redis-lock: excludes true, fences false, lease true, parameters []
        bsm-redislock: excludes true, fences false, lease true, parameters []
        spring-registry: excludes true, fences false, lease true, parameters []
        shedlock: excludes true, fences false, lease true, parameters []
        shedlock-keep-alive: excludes true, fences false, lease true, parameters ["renew_every", "max_renewals"]
        shedlock-app-clock: excludes true, fences false, lease true, parameters []
        redlock-py: excludes true, fences false, lease true, parameters ["sends", "order", "quorum", "decided_by", "errors", "clean_up", "checked", "counted_from", "drift", "drift_base", "least_percent", "clock", "release", "renew", "renew_percent", "not_renewed"]
        node-redlock: excludes true, fences false, lease true, parameters ["sends", "order", "quorum", "decided_by", "errors", "clean_up", "checked", "counted_from", "drift", "drift_base", "least_percent", "clock", "release", "renew", "renew_percent", "not_renewed"]
        redsync: excludes true, fences false, lease true, parameters ["sends", "order", "quorum", "decided_by", "errors", "clean_up", "checked", "counted_from", "drift", "drift_base", "least_percent", "clock", "release", "renew", "renew_percent", "not_renewed"]
        redlock-net: excludes true, fences false, lease true, parameters ["sends", "order", "quorum", "decided_by", "errors", "clean_up", "checked", "counted_from", "drift", "drift_base", "least_percent", "clock", "release", "renew", "renew_percent", "not_renewed"]
        medallion: excludes true, fences false, lease true, parameters ["sends", "order", "quorum", "decided_by", "errors", "clean_up", "checked", "counted_from", "drift", "drift_base", "least_percent", "clock", "release", "renew", "renew_percent", "not_renewed"]
        advisory-lock: excludes true, fences false, lease false, parameters []
        advisory-xact: excludes true, fences false, lease false, parameters []
        for-update: excludes true, fences false, lease false, parameters []
        for-update-range: excludes true, fences false, lease false, parameters []
        lock-row: excludes true, fences false, lease false, parameters []
        lease-row: excludes true, fences false, lease true, parameters []
    "#]]
    .assert_eq(&log);
}

#[test]
fn every_whole_listing_of_the_documentation_parses() {
    for page in [include_str!("../../../../docs/listing.md"), include_str!("../../../../docs/zh/listing.md")] {
        let blocks = page.split("```text\n").skip(1).filter_map(|block| block.split("```").next());
        let whole: Vec<&str> =
            blocks.filter(|block| block.contains("acquire:") && block.contains("release:")).collect();
        assert!(!whole.is_empty());
        for block in whole {
            if let Err(error) = Listing::parse(block) {
                panic!("{error} in\n{block}");
            }
        }
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,200}") {
        let _ = Listing::parse(&text);
    }

    #[test]
    fn no_change_of_a_listing_makes_the_parser_panic(at in 0_usize..400, cut in 0_usize..30, insert in "[ -~\n{}\"@:>|,]{0,6}") {
        let chars: Vec<char> = WELL_FORMED.chars().collect();
        let at = at.min(chars.len());
        let end = (at + cut).min(chars.len());
        let text: String = chars[..at].iter().copied().chain(insert.chars()).chain(chars[end..].iter().copied()).collect();
        if let Err(error) = Listing::parse(&text) {
            prop_assert!(error.line >= 1 && error.line as usize <= text.lines().count().max(1));
            prop_assert!(!error.message().en.is_empty() && !error.message().zh.is_empty());
        }
    }
}
