//! The table of the format: every type of a history with the names of its fields and variants.
//!
//! A variant without fields is its word; one with fields is an object whose field `is` holds the word. A field that is `None` is left out.

use super::json::{Json, Object, field, word, write_text};
use super::value::Value;
use crate::history::{
    CellId, ClientEvent, ClientInfo, Code, Effect, Effected, EndReason, FaultEvent, GrantEnd, GrantEvent, GrantId,
    Guard, Header, KeyChange, LeaveReason, LockEvent, LockInfo, LossReason, Machine, Mode, NodeInfo, NodeRole,
    Operation, Outcome, Phase, Place, Promises, Refusal, ResourceInfo, ResourceKind, Section, Token, Trouble, What,
};
use crate::i18n::Text;
use crate::time::{Span, Time};
use crate::wire::{ClientId, Command, LockId, NodeId, Record, RecordValue, Reply, RequestId};

macro_rules! ids {
    ($($type:ident),* $(,)?) => {$(
        impl Json for $type {
            fn write(&self, out: &mut String) {
                self.0.write(out);
            }

            fn read(value: &Value) -> Result<$type, String> {
                Json::read(value).map($type)
            }
        }
    )*};
}

macro_rules! structs {
    ($($type:ident { $($field:ident),* $(,)? })*) => {$(
        impl Json for $type {
            fn write(&self, out: &mut String) {
                let mut object = Object::open(out);
                $(object.field(stringify!($field), &self.$field);)*
                object.close();
            }

            fn read(value: &Value) -> Result<$type, String> {
                Ok($type { $($field: field(value, stringify!($field))?),* })
            }
        }
    )*};
}

macro_rules! enums {
    ($($type:ident { $($word:literal = $variant:ident $({ $($field:ident),* })? $(($inner:ident))?),* $(,)? })*) => {$(
        impl Json for $type {
            fn write(&self, out: &mut String) {
                match self {$(
                    $type::$variant $({ $($field),* })? $(($inner))? => {
                        #[allow(unused_mut, unused_assignments, reason = "a variant without fields has none to count")]
                        let mut plain = true;
                        $($(plain &= Json::left_out($field);)*)?
                        $(plain &= Json::left_out($inner);)?
                        if plain {
                            return write_text($word, out);
                        }
                        let mut object = Object::open(out);
                        object.field("is", &String::from($word));
                        $($(object.field(stringify!($field), $field);)*)?
                        $(object.field(stringify!($inner), $inner);)?
                        object.close();
                    }
                )*}
            }

            fn read(value: &Value) -> Result<$type, String> {
                match word(value)? {
                    $($word => Ok($type::$variant
                        $({ $($field: field(value, stringify!($field))?),* })?
                        $(({ let $inner = field(value, stringify!($inner))?; $inner }))?),)*
                    other => Err(format!("unknown word \"{other}\"; expected one of {}", [$($word),*].join(", "))),
                }
            }
        }
    )*};
}

/// Its text.
impl Json for Place {
    fn write(&self, out: &mut String) {
        write_text(&self.to_string(), out);
    }

    fn read(value: &Value) -> Result<Place, String> {
        String::read(value).map(|text| Place::from(text.as_str()))
    }
}

ids!(Time, Span, ClientId, NodeId, LockId, RequestId, GrantId, CellId);

structs! {
    Header { version, scenario, title, question, lock, listing, ttl, promises, within, clients, nodes, locks, resource, played_on }
    Text { en, zh }
    Promises { exclusion, fencing, overtaking }
    ClientInfo { name, cell }
    NodeInfo { name, role }
    LockInfo { key }
    ResourceInfo { kind, guard, initial, cells }
    Code { section, line }
    Record { value, gone_at, created_by, created }
    Effect { client, hold, request, cell, operation, token, outcome }
    Effected { base, version, value }
}

enums! {
    NodeRole { "master" = Master, "replica" = Replica, "independent" = Independent }
    ResourceKind { "register" = Register, "stock" = Stock, "ledger" = Ledger, "job" = Job }
    Guard {
        "none" = None,
        "fencing" = Fencing,
        "version" = Version,
        "timestamp" = Timestamp,
        "unique-key" = UniqueKey,
        "state-machine" = StateMachine,
    }
    What {
        "sent" = Sent { client, node, request, phase, code, command },
        "executed" = Executed { client, node, request, phase, command, reply },
        "got" = Got { client, node, request, phase, reply },
        "missed" = Missed { client, node, request, why },
        "pushed" = Pushed { client, node, message },
        "client" = Client { client, event },
        "key" = Key { node, key, change, record, by },
        "grant" = Grant { lock, event },
        "effect" = Effect(effect),
        "fault" = Fault(fault),
        "clock" = Clock { machine, error },
        "end" = End(why),
    }
    Phase { "acquire" = Acquire, "renew" = Renew, "release" = Release, "check" = Check, "resource" = Resource }
    Section { "acquire" = Acquire, "release" = Release, "renew" = Renew, "check" = Check }
    LossReason {
        "request-lost" = RequestLost,
        "reply-lost" = ReplyLost,
        "disconnected" = Disconnected,
        "timed-out" = TimedOut,
    }
    ClientEvent {
        "started" = Started { run },
        "step" = Step { step },
        "entered" = Entered { lock, hold, mode },
        "left" = Left { lock, hold, why },
        "lock" = Lock { lock, event },
        "asked" = Asked { request, operation, cell },
        "answered" = Answered { request, accepted },
        "unanswered" = Unanswered { request },
        "finished" = Finished { done },
    }
    LeaveReason { "releasing" = Releasing, "died" = Died, "stopped" = Stopped }
    KeyChange {
        "created" = Created,
        "changed" = Changed,
        "deleted" = Deleted,
        "expired" = Expired,
        "evicted" = Evicted,
        "vanished" = Vanished,
    }
    EndReason { "quiet" = Quiet, "until" = Until, "bound" = Bound }
    LockEvent {
        "acquiring" = Acquiring,
        "checked" = Checked,
        "acquired" = Acquired { token, valid_for },
        "reentered" = Reentered { count },
        "refused" = Refused { why },
        "looked" = Looked { mine },
        "extended" = Extended { valid_for },
        "extend-failed" = ExtendFailed { why },
        "lost" = Lost,
        "releasing" = Releasing,
        "descended" = Descended { count },
        "released" = Released,
        "release-failed" = ReleaseFailed { why },
    }
    Refusal {
        "held" = Held,
        "expired" = Expired,
        "no-quorum" = NoQuorum,
        "not-holder" = NotHolder,
        "timed-out" = TimedOut,
        "disconnected" = Disconnected,
        "error" = Error(code),
    }
    Mode { "exclusive" = Exclusive, "shared" = Shared }
    Token { "number" = Number(number), "opaque" = Opaque(text) }
    GrantEvent {
        "granted" = Granted { grant, holder, mode, ends },
        "moved" = Moved { grant, ends, by },
        "ended" = Ended { grant, why, by },
    }
    GrantEnd { "removed" = Removed, "expired" = Expired, "vanished" = Vanished }
    Operation { "read" = Read, "write" = Write, "atomic" = Atomic, "call" = Call }
    Outcome { "accepted" = Accepted(effected), "refused" = Refused { because }, "sold-out" = SoldOut }
    Machine { "client" = Client(client), "node" = Node(node), "resource" = Resource }
    FaultEvent {
        "paused" = Paused { client, task, length },
        "resumed" = Resumed { client },
        "crashed" = Crashed { client },
        "restarted" = Restarted { client },
        "down" = Down { node },
        "up" = Up { node, data_kept },
        "promoted" = Promoted { node },
        "cut" = Cut { from, to },
        "healed" = Healed { from, to },
        "request" = Request { client, to, request, trouble },
        "reply" = Reply { client, to, request, trouble },
        "stepped" = Stepped { machine, by },
        "drifts" = Drifts { machine, ppm },
        "slowed" = Slowed { node, by },
        "evicted" = Evicted { node, key },
        "scripts-flushed" = ScriptsFlushed { node },
        "operator" = Operator { node, command },
    }
    Trouble { "lost" = Lost, "delayed" = Delayed(by), "doubled" = Doubled }
    RecordValue { "text" = Text(text), "fields" = Fields(fields), "list" = List(list) }
}

/// A list of words, each a text, or `{"hex": ...}` where it is not UTF-8.
impl Json for Command {
    fn write(&self, out: &mut String) {
        let words: Vec<Bytes> = self.words().iter().map(|word| Bytes(word.to_vec())).collect();
        words.write(out);
    }

    fn read(value: &Value) -> Result<Command, String> {
        let words: Vec<Bytes> = Json::read(value)?;
        Ok(Command::new(words.into_iter().map(|word| word.0)))
    }
}

/// An integer is a number, a string a text, a list a list; the rest are objects with one field.
impl Json for Reply {
    fn write(&self, out: &mut String) {
        let (name, text) = match self {
            Reply::Integer(number) => return number.write(out),
            Reply::Bulk(bytes) => return Bytes(bytes.clone()).write(out),
            Reply::Array(items) => return items.write(out),
            Reply::Status(text) => ("status", text.clone()),
            Reply::Error(text) => ("error", text.clone()),
            Reply::Nil => ("nil", "value".into()),
            Reply::NilArray => ("nil", "list".into()),
        };
        let mut object = Object::open(out);
        object.field(name, &text);
        object.close();
    }

    fn read(value: &Value) -> Result<Reply, String> {
        match value {
            Value::Whole(_) | Value::OtherNumber => Json::read(value).map(Reply::Integer),
            Value::List(_) => Json::read(value).map(Reply::Array),
            Value::Text(_) => Bytes::read(value).map(|bytes| Reply::Bulk(bytes.0)),
            Value::Object(_) if value.get("status").is_some() => field(value, "status").map(Reply::Status),
            Value::Object(_) if value.get("error").is_some() => field(value, "error").map(Reply::Error),
            Value::Object(_) if value.get("nil").and_then(Value::as_text) == Some("list") => Ok(Reply::NilArray),
            Value::Object(_) if value.get("nil").is_some() => Ok(Reply::Nil),
            Value::Object(_) => Bytes::read(value).map(|bytes| Reply::Bulk(bytes.0)),
            Value::Null | Value::Bool(_) => Err("expected a reply".into()),
        }
    }
}

/// A string of bytes: a text where it is UTF-8, else `{"hex": "00ff"}`.
struct Bytes(Vec<u8>);

impl Json for Bytes {
    fn write(&self, out: &mut String) {
        match std::str::from_utf8(&self.0) {
            Ok(text) => write_text(text, out),
            Err(_) => {
                let mut object = Object::open(out);
                object.field("hex", &self.0.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
                object.close();
            }
        }
    }

    fn read(value: &Value) -> Result<Bytes, String> {
        if let Some(text) = value.as_text() {
            return Ok(Bytes(text.as_bytes().to_vec()));
        }
        let hex: String = field(value, "hex")?;
        let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = hex.as_bytes().chunks(2).map(pair).collect();
        bytes.filter(|_| hex.len().is_multiple_of(2)).map(Bytes).ok_or_else(|| "expected pairs of hex digits".into())
    }
}
