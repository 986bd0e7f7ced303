//! A lock as a listing: read, explained if it is wrong.

use locklab_core::i18n::Language;
use locklab_core::locks;
use locklab_core::locks::listing::Listing;

use super::Target;

pub const TARGET: Target = Target { name: "listing", samples, words: WORDS, run };

const WORDS: &[&str] = &[
    "acquire:\n",
    "release:\n",
    "renew every {ttl}/3:\n",
    "check:\n",
    "script release:\n",
    " -> ",
    "OK: next",
    "nil: retry",
    "1: next, 0: lost",
    "error NOSCRIPT: next",
    "*: lost",
    "refused",
    "release then retry",
    "ignore",
    "stop",
    "{key}",
    "{token}",
    "{ttl_ms}",
    "{ttl_s}",
    "{retry_ms}",
    "EVAL @release 1 {key} {token}",
    "token = INCR {key}:fence",
    "{{",
    "}}",
    "SET {key} {token} NX PX {ttl_ms}",
    "\"",
    "    ",
    "\t",
];

fn samples() -> Vec<Vec<u8>> {
    locks::kinds().iter().map(|kind| kind.code.as_bytes().to_vec()).collect()
}

fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Err(error) = Listing::parse(&text) {
        for language in Language::ALL {
            assert!(!error.message().in_language(language).is_empty(), "an error says something");
            error.hint().inspect(|hint| assert!(!hint.in_language(language).is_empty(), "a hint says something"));
        }
    }
}
