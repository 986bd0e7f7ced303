//! The runs of a pass that no server could be had for: the others go on, and these are told at the end.

use locklab_core::i18n::Text;
use locklab_core::say;

use crate::failure::Failure;

/// Runs that could not be played, by what kept them from it.
#[derive(Default)]
pub struct Missed {
    reasons: Vec<Reason>,
}

struct Reason {
    message: Text,
    hint: Option<Text>,
    /// The first run that it kept from being played.
    first: String,
    /// How many others it did.
    others: usize,
}

impl Missed {
    /// Notes that a run was not played for want of a server. Any other failure ends the pass.
    pub fn note(&mut self, run: String, failure: Failure) -> Result<(), Failure> {
        let Failure::Server { message, hint } = failure else { return Err(failure) };
        match self.reasons.iter_mut().find(|reason| reason.message == message) {
            Some(reason) => reason.others += 1,
            None => self.reasons.push(Reason { message, hint, first: run, others: 0 }),
        }
        Ok(())
    }

    /// What to tell at the end, if a run was missed; `played` is how many were not.
    pub fn failure(mut self, played: usize) -> Option<Failure> {
        match self.reasons.pop() {
            // What holds for every run needs no names.
            Some(Reason { message, hint, .. }) if played == 0 && self.reasons.is_empty() => {
                Some(Failure::Server { message, hint })
            }
            Some(only) if self.reasons.is_empty() => Some(only.failure()),
            Some(last) => {
                let reasons = self.reasons.into_iter().chain([last]);
                Some(Failure::Several(reasons.map(Reason::failure).collect()))
            }
            None => None,
        }
    }
}

impl Reason {
    fn failure(self) -> Failure {
        let Reason { message, hint, first, others } = self;
        let message = match others {
            0 => say!("{first}: {message}", "{first}：{message}", first = first, message = message),
            1 => say!(
                "{first} and another run: {message}",
                "{first} 和另一次运行：{message}",
                first = first,
                message = message
            ),
            _ => say!(
                "{first} and {others} other runs: {message}",
                "{first} 和另外 {others} 次运行：{message}",
                first = first,
                others = others.to_string(),
                message = message
            ),
        };
        Failure::Server { message, hint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(what: &str) -> Failure {
        Failure::Server { message: Text::same(what), hint: None }
    }

    #[test]
    fn runs_that_miss_the_same_are_told_together() {
        let mut missed = Missed::default();
        for (run, what) in [("a", "no Redis"), ("b", "no etcd"), ("c", "no Redis"), ("d", "no Redis")] {
            missed.note(run.to_owned(), missing(what)).expect("the pass goes on");
        }
        let Some(Failure::Several(failures)) = missed.failure(0) else { panic!("two reasons") };
        let told: Vec<&str> = failures
            .iter()
            .map(|failure| match failure {
                Failure::Server { message, .. } => message.en.as_str(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(told, ["a and 2 other runs: no Redis", "b: no etcd"]);
    }

    #[test]
    fn what_every_run_misses_is_told_without_names() {
        let told = |played| {
            let mut missed = Missed::default();
            missed.note("a".to_owned(), missing("no Redis")).expect("the pass goes on");
            match missed.failure(played) {
                Some(Failure::Server { message, .. }) => message.en,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!([told(0), told(1)], ["no Redis", "a: no Redis"]);
    }

    #[test]
    fn wrong_input_ends_the_pass() {
        assert!(Missed::default().note("a".to_owned(), Failure::input(Text::same("wrong"))).is_err());
        assert!(Missed::default().failure(0).is_none());
    }
}
