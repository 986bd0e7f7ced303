//! The address of a run: read, explained if it is wrong, written again if it is right.

use locklab_core::address::{Address, Change, Check, ChoicesAddress, ScenarioAddress};
use locklab_core::i18n::Language;
use locklab_core::scenario::library;

use super::Target;

pub const TARGET: Target = Target { name: "replay", samples, words: &["L1-", "L2-", "A", "_", "-", "=", "\n"], run };

fn samples() -> Vec<Vec<u8>> {
    let scenarios = library::all().iter().flat_map(|scenario| {
        let inside = ScenarioAddress::Inside { name: scenario.name.to_owned(), text: scenario.text.to_owned() };
        [ScenarioAddress::built_in(scenario.name, scenario.text), inside]
    });
    let addresses = scenarios.map(|scenario| Address {
        scenario,
        lock: "token-lua".to_owned(),
        changes: vec![Change { key: "lock.ttl".to_owned(), value: "5s".to_owned() }],
        choices: ChoicesAddress::Seed(42),
        check: Check::of("history"),
    });
    addresses.map(|address| address.to_string().into_bytes()).collect()
}

fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match text.parse::<Address>() {
        Ok(address) => {
            assert_eq!(address.to_string().parse::<Address>().as_ref(), Ok(&address), "what is written reads back")
        }
        Err(error) => {
            for language in Language::ALL {
                assert!(!error.message().in_language(language).is_empty(), "an error says something");
            }
        }
    }
}
