//! The protected resource behind a socket: its questions and answers as commands and replies.

use std::sync::Arc;

use locklab_core::history::{CellId, Effected, Operation, Outcome, Token};
use locklab_core::resource::Ask;
use locklab_core::wire::{Command, Reply};

/// A question as a command: operation, hold, cell, token, unique key, amount, and for a computed write its base version and value.
pub fn encode_ask(ask: &Ask) -> Command {
    let operation = match ask.operation {
        Operation::Read => "READ",
        Operation::Write => "WRITE",
        Operation::Atomic => "ATOMIC",
        Operation::Call => "CALL",
    };
    let token = match &ask.token {
        None => "-".into(),
        Some(Token::Number(number)) => format!("#{number}"),
        Some(Token::Opaque(text)) => format!("={text}"),
    };
    let (hold, cell, amount) = (ask.hold.to_string(), ask.cell.0.to_string(), ask.amount.to_string());
    let mut words = vec![operation.into(), hold, cell, token, ask.unique.to_string(), amount];
    if let Some((base, value)) = &ask.write {
        words.extend([base.to_string(), value.to_string()]);
    }
    Command::new(words)
}

/// The question in a command; `None` when it is not one.
pub fn decode_ask(command: &Command) -> Option<Ask> {
    let word = |index| command.word(index);
    let operation = match word(0)? {
        "READ" => Operation::Read,
        "WRITE" => Operation::Write,
        "ATOMIC" => Operation::Atomic,
        "CALL" => Operation::Call,
        _ => return None,
    };
    let token = match word(3)?.split_at_checked(1)? {
        ("-", "") => None,
        ("#", number) => Some(Token::Number(number.parse().ok()?)),
        ("=", text) => Some(Token::Opaque(text.into())),
        _ => return None,
    };
    let write = match word(6) {
        None => None,
        Some(base) => Some((base.parse().ok()?, Arc::from(word(7)?))),
    };
    let (hold, cell, amount) = (word(1)?.parse().ok()?, CellId(word(2)?.parse().ok()?), word(5)?.parse().ok()?);
    Some(Ask { hold, cell, operation, token, write, amount, unique: word(4)?.into() })
}

/// An answer as a reply.
pub fn encode_outcome(outcome: &Outcome) -> Reply {
    match outcome {
        Outcome::Accepted(Effected { base, version, value }) => Reply::Array(vec![
            Reply::Integer(i64::from(*base)),
            Reply::Integer(i64::from(*version)),
            Reply::bulk(value.as_bytes()),
        ]),
        Outcome::Refused { because } => Reply::Error(format!("REFUSED {because}")),
        Outcome::SoldOut => Reply::Error("SOLDOUT".into()),
    }
}

/// The answer in a reply; `None` when it is not one.
pub fn decode_outcome(reply: &Reply) -> Option<Outcome> {
    match reply {
        Reply::Array(items) => {
            let [Reply::Integer(base), Reply::Integer(version), Reply::Bulk(value)] = items.as_slice() else {
                return None;
            };
            let value = Arc::from(std::str::from_utf8(value).ok()?);
            Some(Outcome::Accepted(Effected {
                base: u32::try_from(*base).ok()?,
                version: u32::try_from(*version).ok()?,
                value,
            }))
        }
        Reply::Error(text) if text == "SOLDOUT" => Some(Outcome::SoldOut),
        Reply::Error(text) => Some(Outcome::Refused { because: text.strip_prefix("REFUSED ")?.into() }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_and_answers_survive_the_wire() {
        let unique: Arc<str> = "A-1".into();
        let (hold, cell, operation) = (0, CellId(0), Operation::Read);
        let plain = Ask { hold, cell, operation, token: None, write: None, amount: -5, unique };
        let token = Some(Token::Number(33));
        let full = Ask { operation: Operation::Write, token, write: Some((7, "".into())), ..plain.clone() };
        let opaque = Ask { token: Some(Token::Opaque("".into())), ..full.clone() };
        for ask in [plain, full, opaque] {
            assert_eq!(decode_ask(&encode_ask(&ask)), Some(ask));
        }
        let effected = Effected { base: 1, version: 2, value: "A 锁".into() };
        for outcome in [Outcome::Accepted(effected), Outcome::Refused { because: "34".into() }, Outcome::SoldOut] {
            assert_eq!(decode_outcome(&encode_outcome(&outcome)), Some(outcome));
        }
    }
}
