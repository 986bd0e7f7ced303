//! The Kubernetes lock as a person chooses it.

use super::Kubernetes;
use super::setup::{CODE, JUDGES, Setup};
use crate::history::Promises;
use crate::i18n::Text;
use crate::locks::explained::explained;
use crate::locks::{
    Client, Defaults, Implementation, Kind, LONGEST_TTL, Needs, Parameter, RENEW_EVERY, Range, Reading, Standing, Value,
};
use crate::time::Span;

/// The lock `kubernetes`.
pub(in crate::locks) fn kind() -> Kind {
    Kind {
        name: "kubernetes".into(),
        aliases: &["k8s", "lease", "leader-election"],
        summary: Text::new(
            "Leader election on a Lease object: whoever has not seen it change for its whole duration writes itself in.",
            "用 Lease 对象选主：谁在整个租期里没看到它变化，谁就把自己写进去。",
        ),
        explanation: explained!("kubernetes").into(),
        code: CODE.into(),
        standing: Standing::Mechanism,
        needs: Needs::Kubernetes,
        promises: Promises { exclusion: true, fencing: false, overtaking: None },
        has_lease: true,
        defaults: Defaults {
            ttl: Span::from_secs(15),
            retry: Span::from_secs(2),
            jitter: Span::from_millis(2_400),
            ..Defaults::default()
        },
        parameters: parameters(),
        implementation: Implementation::Machine {
            build: |params, identity| Client::Kubernetes(Kubernetes::new(Setup::new(params, identity))),
            reading: |params| Reading::Term { key: params.key.clone(), token: params.token },
        },
    }
}

fn parameters() -> Vec<Parameter> {
    let span = |name: &str, summary| Parameter {
        name: name.into(),
        range: Range::Span { least: Span::from_millis(1), most: LONGEST_TTL },
        default: None,
        summary,
    };
    vec![
        span(
            RENEW_EVERY,
            Text::new("From one renewal to the next; unless said, `retry`.", "两次续期的间隔；不写则与 `retry` 相同。"),
        ),
        span(
            "renew_deadline",
            Text::new(
                "For how long a leader tries to renew before it stops; unless said, two thirds of the ttl.",
                "leader 续期失败多久之后停止；不写则为 ttl 的三分之二。",
            ),
        ),
        span(
            "assumes",
            Text::new(
                "The duration that a candidate assumes, whatever the record says; unless said, the record's.",
                "候选者自己认定的租期，不管记录里写的是多少；不写则以记录为准。",
            ),
        ),
        Parameter {
            name: "judges".into(),
            range: Range::Word(JUDGES),
            default: Some(Value::Word("observed".into())),
            summary: Text::new(
                "By what a candidate judges that a term is over: when it saw the record change itself, or the time written in it.",
                "候选者凭什么判断任期已过：自己看到记录变化的时刻，还是记录里写的时间。",
            ),
        },
        Parameter {
            name: "release_on_cancel".into(),
            range: Range::Switch,
            default: Some(Value::Switch(true)),
            summary: Text::new(
                "Whether a leader that stops writes nobody into the record; otherwise all wait for a whole lease.",
                "leader 停止时是否把记录里的持有者清空；否则大家要等满一个租期。",
            ),
        },
    ]
}
