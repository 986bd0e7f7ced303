//! Every lock by name.

use std::fmt;
use std::sync::LazyLock;

use super::Kind;
use super::shipped::shipped;
use crate::i18n::{Language, Text, did_you_mean, nearest};

/// A name that no lock answers to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct UnknownLock {
    /// What was asked for.
    pub name: String,
    /// The name most like it, if one is like it at all.
    pub nearest: Option<&'static str>,
}

/// Every lock, in the order in which a reader should meet them.
pub fn kinds() -> &'static [Kind] {
    static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(shipped);
    &KINDS
}

/// A lock by its canonical name or an alias, in any case.
///
/// # Errors
/// No lock answers to the name.
pub fn find(name: &str) -> Result<&'static Kind, UnknownLock> {
    let wanted = name.trim().to_ascii_lowercase();
    let answers = |kind: &&Kind| names(kind).any(|name| name.eq_ignore_ascii_case(&wanted));
    kinds()
        .iter()
        .find(answers)
        .ok_or_else(|| UnknownLock { name: name.to_owned(), nearest: nearest(&wanted, kinds().iter().flat_map(names)) })
}

fn names(kind: &Kind) -> impl Iterator<Item = &str> {
    std::iter::once(&*kind.name).chain(kind.aliases.iter().copied())
}

impl UnknownLock {
    /// What is wrong and what is allowed.
    pub fn message(&self) -> Text {
        let name = &self.name;
        let count = kinds().len();
        Text::new(
            format!("unknown lock \"{name}\": none of the {count} locks has this name"),
            format!("没有锁 \"{name}\"：{count} 种锁里没有叫这个名字的"),
        )
    }

    /// What to do next.
    pub fn hint(&self) -> Option<Text> {
        self.nearest.map(did_you_mean)
    }
}

impl fmt::Display for UnknownLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().in_language(Language::English))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::locks::{ParamError, TokenForm, Value};
    use crate::time::Span;
    use crate::wire::NodeId;

    #[test]
    fn a_lock_answers_to_its_name_its_aliases_and_no_other() {
        for (name, canonical) in
            [("v1", "setnx-del"), ("V4", "token-lua"), ("token-lua", "token-lua"), ("none", "none")]
        {
            assert_eq!(&*find(name).expect("a lock").name, canonical);
        }
        let error = find("tokn-lua").expect_err("a typo");
        assert_eq!(error.nearest, Some("token-lua"));
        assert_eq!(find("something else entirely").expect_err("no lock").nearest, None);
    }

    #[test]
    fn no_name_stands_for_two_locks() {
        let all: Vec<&str> = kinds().iter().flat_map(names).collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    }

    #[test]
    fn every_lock_is_explained_in_both_languages() {
        for kind in kinds() {
            for text in [&kind.summary, &kind.explanation] {
                assert!(!text.en.is_empty() && !text.zh.is_empty(), "{}", kind.name);
            }
            assert!(!kind.code.is_empty());
        }
    }

    #[test]
    fn default_parameters_pass_the_locks_own_check() {
        for kind in kinds() {
            let params = kind.default_params("lock".into(), vec![NodeId(0)]);
            assert_eq!(kind.check(&params), Ok(()), "{}", kind.name);
        }
    }

    #[test]
    fn parameters_that_a_lock_cannot_use_are_refused_with_what_it_can() {
        let check = |name: &str, change: &dyn Fn(&mut crate::locks::Params)| {
            let kind = find(name).expect("a lock");
            let mut params = kind.default_params("lock".into(), vec![NodeId(0)]);
            change(&mut params);
            kind.check(&params).map_err(|error: ParamError| error.to_string())
        };
        let extra = |name: &str, value: Value| {
            let name = name.to_owned();
            move |params: &mut crate::locks::Params| drop(params.extra.insert(name.clone(), value.clone()))
        };
        assert_eq!(check("token-lua", &|params| params.ttl = Span::from_millis(1_500)), Ok(()));
        assert_eq!(check("watchdog", &extra("renew_every", Value::Span(Span::from_secs(1)))), Ok(()));
        let errors = [
            check("set-nx-ex", &|params| params.ttl = Span::from_millis(1_500)),
            check("token-lua", &|params| params.ttl = Span::ZERO),
            check("token-lua", &|params| params.ttl = Span(1_001)),
            check("token-lua", &|params| params.retry = Span::ZERO),
            check("token-lua", &extra("renew_every", Value::Number(1))),
            check("wait", &extra("wait_replica", Value::Number(1))),
            check("wait", &extra("wait_replicas", Value::Switch(true))),
        ];
        let errors: Vec<String> = errors.into_iter().map(|result| result.expect_err("a wrong parameter")).collect();
        expect_test::expect![[r#"
            "ttl" must be whole seconds: this lock asks for its lease in seconds
            "ttl" must be a span of time from 1ms to 2400h
            "ttl" must be whole milliseconds: a server counts no less
            "retry" must be a span of time from 1us to 1h
            the lock token-lua has no parameter "renew_every", and none of its own at all
            the lock wait has no parameter "wait_replica": it has wait_replicas, wait_timeout
            "wait_replicas" must be a whole number"#]]
        .assert_eq(&errors.join("\n"));
    }

    #[test]
    fn a_value_is_read_as_set_writes_it() {
        let wait = find("wait").expect("a lock");
        assert_eq!(wait.parameter("wait_replicas").expect("known").parse("2"), Ok(Value::Number(2)));
        assert_eq!(wait.parameter("wait_timeout").expect("known").parse("1s"), Ok(Value::Span(Span::from_secs(1))));
        assert!(wait.parameter("wait_timeout").expect("known").parse("1").is_err());
        assert_eq!(wait.defaults.token, TokenForm::Unique);
    }
}
