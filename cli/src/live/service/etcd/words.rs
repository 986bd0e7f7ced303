//! Between the words of the model and the JSON of the gateway.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use locklab_core::servers::etcd::Operation;
use locklab_core::wire::Reply;
use serde_json::{Value, json};

/// An operation as the gateway takes it: where it is asked for on its own, what it is called in a transaction, and its question.
pub fn operation(operation: Operation<'_>) -> (&'static str, &'static str, Value) {
    const RANGE: (&str, &str) = ("/v3/kv/range", "request_range");
    match operation {
        Operation::Put { key, value, lease } => {
            let lease = lease.unwrap_or(0).to_string();
            ("/v3/kv/put", "request_put", json!({ "key": encoded(key), "value": encoded(value), "lease": lease }))
        }
        Operation::Delete { key } => ("/v3/kv/deleterange", "request_delete_range", json!({ "key": encoded(key) })),
        Operation::Get { key } => (RANGE.0, RANGE.1, json!({ "key": encoded(key) })),
        Operation::First { prefix } => (RANGE.0, RANGE.1, below(prefix, "ASCEND", None)),
        Operation::LastBefore { prefix, revision } => {
            // Revision 1 is that of the empty store; 0 would mean any.
            (RANGE.0, RANGE.1, below(prefix, "DESCEND", Some(revision.saturating_sub(1).max(1))))
        }
    }
}

/// One key below a prefix: the first or the last to be created, up to a revision.
fn below(prefix: &str, order: &str, newest: Option<u64>) -> Value {
    // The prefix with its last byte raised ends the range.
    let mut end = prefix.as_bytes().to_vec();
    if let Some(last) = end.last_mut() {
        *last = last.saturating_add(1);
    }
    let newest = newest.unwrap_or(0).to_string();
    json!({
        "key": encoded(prefix), "range_end": encoded(end), "limit": "1",
        "sort_target": "CREATE", "sort_order": order, "max_create_revision": newest,
    })
}

/// The reply to an operation that was done at a revision, from what the gateway answered to it.
pub fn reply(operation: Operation<'_>, answer: &Value, revision: u64) -> Reply {
    match operation {
        Operation::Put { .. } => integer(revision),
        Operation::Delete { .. } => integer(number(answer, "deleted")),
        Operation::Get { .. } | Operation::First { .. } | Operation::LastBefore { .. } => {
            answer.pointer("/kvs/0").map(Entry::read).map_or(Reply::Nil, |entry| entry.shown())
        }
    }
}

/// The reply to whatever was refused: the name of its code, then its words.
pub fn refusal(code: i64, message: &str) -> Reply {
    let name = match code {
        3 => "InvalidArgument",
        5 => "NotFound",
        14 => "Unavailable",
        _ => "Unknown",
    };
    Reply::Error(format!("{name} {}", message.trim_start_matches("etcdserver: ")))
}

/// A key as the gateway shows it.
#[derive(Clone, Debug)]
pub struct Entry {
    pub key: String,
    pub value: String,
    pub created: u64,
    pub written: u64,
    /// The lease that it hangs on; 0: none.
    pub lease: u64,
}

impl Entry {
    /// Reads one of the `kvs` of an answer. What is 0 or empty is left out there.
    pub fn read(kv: &Value) -> Entry {
        let (created, written) = (number(kv, "create_revision"), number(kv, "mod_revision"));
        Entry { key: decoded(kv, "key"), value: decoded(kv, "value"), created, written, lease: number(kv, "lease") }
    }

    fn shown(&self) -> Reply {
        let (created, written) = (integer(self.created), integer(self.written));
        Reply::Array(vec![Reply::bulk(&self.key), Reply::bulk(&self.value), created, written])
    }
}

/// A number of an answer, which JSON carries as a string; 0 where it is left out.
pub fn number(answer: &Value, name: &str) -> u64 {
    let value = answer.get(name);
    value.and_then(Value::as_str).and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// A number as a reply.
pub fn integer(number: u64) -> Reply {
    Reply::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Bytes as the gateway takes them.
pub fn encoded(bytes: impl AsRef<[u8]>) -> String {
    STANDARD.encode(bytes)
}

fn decoded(kv: &Value, name: &str) -> String {
    let text = kv.get(name).and_then(Value::as_str).unwrap_or_default();
    String::from_utf8_lossy(&STANDARD.decode(text).unwrap_or_default()).into_owned()
}
