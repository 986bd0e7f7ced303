//! Addresses come back as they were made, and no text from anywhere does harm.

use proptest::prelude::*;

use super::{Address, AddressError, Change, Check, ChoicesAddress, MOST_INSIDE, MOST_TEXT, ScenarioAddress};
use crate::choices::Taken;

fn gc_pause() -> Address {
    Address {
        scenario: ScenarioAddress::built_in("expiry/gc-pause", "title = \"A pause outlives the lease\"\n"),
        lock: "fenced".into(),
        changes: vec![Change { key: "lock.ttl".into(), value: "12s".into() }],
        choices: ChoicesAddress::Taken(vec![Taken { at: 3, index: 2 }, Taken { at: 900, index: 70_000 }]),
        check: Check::of("what happened"),
    }
}

#[test]
fn an_address_of_a_built_in_scenario_is_short_and_never_changes() {
    let text = gc_pause().to_string();
    expect_test::expect!["L1-AAAPZXhwaXJ5L2djLXBhdXNlLYchuVPTBmZlbmNlZAEIbG9jay50dGwDMTJzAgIDAoAH8KIEvD9_f9cJUCXCcw"]
        .assert_eq(&text);
    assert_eq!(text.parse(), Ok(gc_pause()));
}

#[test]
fn line_breaks_of_a_mail_program_do_not_count() {
    let text = gc_pause().to_string();
    let (left, right) = text.split_at(40);
    assert_eq!(format!("  {left}\r\n {right}\n").parse(), Ok(gc_pause()));
}

#[test]
fn a_character_of_several_bytes_is_pointed_at_wherever_the_decoder_stops_within_it() {
    for text in
        ["L1-AAAP锁XhwaXJ", "L1-AAA锁", "L1-锁锁锁", "L1-AAAP\u{fffd}XhwaXJ2147483648L2djLXBhdXNlsQUmcFd3\u{fffd}"]
    {
        let first = text.chars().position(|char| !char.is_ascii()).expect("there is one") + 1;
        match text.parse::<Address>() {
            Err(AddressError::Foreign { at }) => {
                assert!(text.chars().nth(at - 1).is_some_and(|char| !char.is_ascii()), "{at}")
            }
            other => panic!("character {first} is foreign: {other:?}"),
        }
    }
}

#[test]
fn a_slip_in_copying_is_told() {
    let text = gc_pause().to_string();
    assert_eq!(text[..text.len() - 1].parse::<Address>(), Err(AddressError::Damaged));
    assert_eq!(text.replacen("PZX", "QZX", 1).parse::<Address>(), Err(AddressError::Damaged));
    assert_eq!(text.replacen("PZX", "P%X", 1).parse::<Address>(), Err(AddressError::Foreign { at: 8 }));
    assert_eq!("expiry/gc-pause".parse::<Address>(), Err(AddressError::NotAnAddress));
    assert_eq!("".parse::<Address>(), Err(AddressError::NotAnAddress));
    assert_eq!(text.replacen("L1", "L7", 1).parse::<Address>(), Err(AddressError::Newer { version: 7 }));
    assert_eq!("L1-".repeat(MOST_TEXT).parse::<Address>(), Err(AddressError::TooLong));
}

#[test]
fn a_scenario_travels_inside_until_it_is_too_large() {
    let small = "# a line that repeats\n".repeat(1_000);
    let Address { scenario, .. } =
        Address { scenario: ScenarioAddress::of("my.toml", &small), ..gc_pause() }.to_string().parse().unwrap();
    assert_eq!(scenario, ScenarioAddress::Inside { name: "my.toml".into(), text: small });

    let mut state = 1_u32;
    let mut noise = String::new();
    while noise.len() < 4 * MOST_INSIDE {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        noise.push(char::from(b' ' + (state >> 24) as u8 % 90));
    }
    assert!(matches!(ScenarioAddress::of("noise.toml", &noise), ScenarioAddress::File { .. }));
}

/// An address whose body was written by hand, with a right sum: what a forger would send.
fn forged(packing: u8, body: &[u8]) -> String {
    use base64::Engine;
    use sha2::Digest;
    let mut bytes = vec![packing];
    bytes.extend_from_slice(body);
    let sum = sha2::Sha256::digest(&bytes);
    bytes.extend_from_slice(&sum[..4]);
    format!("L1-{}", base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes))
}

#[test]
fn a_bomb_does_not_unpack() {
    let bomb = miniz_oxide::deflate::compress_to_vec(&vec![0; 64 << 20], 9);
    assert!(bomb.len() < MOST_TEXT / 2);
    assert_eq!(forged(1, &bomb).parse::<Address>(), Err(AddressError::Senseless));
}

#[test]
fn a_length_beyond_the_end_is_refused_before_anything_is_made() {
    let huge = [0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
    assert_eq!(forged(0, &huge).parse::<Address>(), Err(AddressError::Senseless));
}

fn any_address() -> impl Strategy<Value = Address> {
    let check = any::<[u8; 6]>().prop_map(Check);
    let scenario = prop_oneof![
        (".*", check.clone()).prop_map(|(name, check)| ScenarioAddress::BuiltIn { name, check }),
        (".*", ".*").prop_map(|(name, text)| ScenarioAddress::Inside { name, text }),
        (".*", check.clone()).prop_map(|(path, check)| ScenarioAddress::File { path, check }),
    ];
    let taken = proptest::collection::btree_map(any::<u32>(), 1..u32::MAX, 0..20)
        .prop_map(|taken| taken.into_iter().map(|(at, index)| Taken { at, index }).collect());
    let choices = prop_oneof![
        Just(ChoicesAddress::Defaults),
        any::<u64>().prop_map(ChoicesAddress::Seed),
        taken.prop_map(ChoicesAddress::Taken),
    ];
    let change = (".*", ".*").prop_map(|(key, value)| Change { key, value });
    let changes = proptest::collection::vec(change, 0..4);
    (scenario, ".*", changes, choices, check).prop_map(|(scenario, lock, changes, choices, check)| Address {
        scenario,
        lock,
        changes,
        choices,
        check,
    })
}

proptest! {
    #[test]
    fn every_address_comes_back_as_it_was_made(address in any_address()) {
        prop_assert_eq!(address.to_string().parse(), Ok(address));
    }

    #[test]
    fn no_text_does_harm(text in ".*", coded in "L1-[A-Za-z0-9_-]*") {
        let _ = text.parse::<Address>();
        let _ = coded.parse::<Address>();
    }

    #[test]
    fn no_forged_body_does_harm(packing in 0..3_u8, body in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(address) = forged(packing, &body).parse::<Address>() {
            // Whatever is accepted says one thing: it is written as it was read.
            prop_assert_eq!(address.to_string().parse(), Ok(address));
        }
    }
}
