//! The Consul lock as a person chooses it.

use super::Consul;
use super::setup::{CODE, Setup};
use crate::history::Promises;
use crate::i18n::Text;
use crate::locks::explained::explained;
use crate::locks::{
    Client, Defaults, Implementation, Kind, LONGEST_TTL, Needs, Parameter, RENEW_EVERY, Range, Reading, Standing, Value,
};
use crate::time::Span;

/// The lock `consul`.
pub(in crate::locks) fn kind() -> Kind {
    Kind {
        name: "consul".into(),
        aliases: &["consul-lock"],
        summary: Text::new(
            "A key acquired by a session with a time to live; after a lost session nobody gets it for the lock-delay.",
            "由带 TTL 的会话占有一个键；会话丢失之后，在 lock-delay 期间谁都拿不到它。",
        ),
        explanation: explained!("consul").into(),
        code: CODE.into(),
        standing: Standing::Mechanism,
        needs: Needs::Consul,
        promises: Promises { exclusion: true, fencing: true, overtaking: None },
        has_lease: true,
        defaults: Defaults { ttl: Span::from_secs(15), retry: Span::from_secs(5), ..Defaults::default() },
        parameters: vec![
            Parameter {
                name: RENEW_EVERY.into(),
                range: Range::Span { least: Span::from_millis(1), most: LONGEST_TTL },
                default: None,
                summary: Text::new(
                    "From one renewal of the session to the next; unless said, half its time to live.",
                    "两次会话续期的间隔；不写则为 TTL 的一半。",
                ),
            },
            Parameter {
                name: "lock_delay".into(),
                range: Range::Span { least: Span::ZERO, most: Span::from_secs(60) },
                default: Some(Value::Span(Span::from_secs(15))),
                summary: Text::new(
                    "For how long nobody gets the lock after its holder's session was lost.",
                    "持有者的会话丢失之后，多长时间内谁都拿不到锁。",
                ),
            },
        ],
        implementation: Implementation::Machine {
            build: |params, identity| Client::Consul(Consul::new(Setup::new(params, identity))),
            reading: |params| Reading::NamedSession { key: params.key.clone() },
        },
    }
}
