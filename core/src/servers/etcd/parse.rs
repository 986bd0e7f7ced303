//! From words to requests.

/// What a client asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request<'a> {
    /// A lease of so many seconds.
    Grant {
        /// The seconds.
        seconds: i64,
    },
    /// To start a lease anew.
    KeepAlive {
        /// Its number.
        lease: u64,
    },
    /// To end a lease.
    Revoke {
        /// Its number.
        lease: u64,
    },
    /// To be told when a key is deleted.
    Watch {
        /// The key.
        key: &'a str,
        /// The deletion happened, or will happen, after this revision.
        revision: u64,
    },
    /// One operation on its own.
    Single(Operation<'a>),
    /// One branch or the other, at one revision.
    Transaction {
        /// The key that decides.
        key: &'a str,
        /// The first branch is taken if the key was created at this revision; 0: if there is none.
        created: u64,
        /// The first branch.
        then: Vec<Operation<'a>>,
        /// The other.
        otherwise: Vec<Operation<'a>>,
    },
}

/// What a transaction can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation<'a> {
    /// To write a key, on a lease or on none.
    Put {
        /// The key.
        key: &'a str,
        /// Its value.
        value: &'a str,
        /// The lease that it hangs on.
        lease: Option<u64>,
    },
    /// To delete a key.
    Delete {
        /// The key.
        key: &'a str,
    },
    /// To read a key.
    Get {
        /// The key.
        key: &'a str,
    },
    /// To read the key below a prefix that was created first.
    First {
        /// The prefix.
        prefix: &'a str,
    },
    /// To read the key below a prefix that was created last before a revision.
    LastBefore {
        /// The prefix.
        prefix: &'a str,
        /// The revision.
        revision: u64,
    },
}

impl<'a> Request<'a> {
    /// Reads a request; `None`: it makes no sense.
    pub fn read(words: &[&'a str]) -> Option<Request<'a>> {
        Some(match *words {
            ["lease", "grant", seconds] => Request::Grant { seconds: seconds.parse().ok()? },
            ["lease", "keep-alive", lease] => Request::KeepAlive { lease: lease.parse().ok()? },
            ["lease", "revoke", lease] => Request::Revoke { lease: lease.parse().ok()? },
            ["watch", key, revision] => Request::Watch { key, revision: flag(revision, "--rev=")? },
            ["txn", "if", condition, "then", ref rest @ ..] => {
                let (key, created) = condition.strip_prefix("create(")?.split_once(")=")?;
                let (then, otherwise) = match rest.iter().position(|word| *word == "else") {
                    Some(place) => (&rest[..place], &rest[place + 1..]),
                    None => (rest, &[][..]),
                };
                let (then, otherwise) = (operations(then)?, operations(otherwise)?);
                Request::Transaction { key, created: created.parse().ok()?, then, otherwise }
            }
            _ => match Operation::read(words)? {
                (operation, []) => Request::Single(operation),
                _ => return None,
            },
        })
    }
}

impl<'a> Operation<'a> {
    /// Reads the operation at the beginning of these words: it, and the words after it.
    fn read<'w>(words: &'w [&'a str]) -> Option<(Operation<'a>, &'w [&'a str])> {
        Some(match words {
            ["put", key, value, lease, rest @ ..] if lease.starts_with("--lease=") => {
                (Operation::Put { key, value, lease: Some(flag(lease, "--lease=")?) }, rest)
            }
            ["put", key, value, rest @ ..] => (Operation::Put { key, value, lease: None }, rest),
            ["del", key, rest @ ..] => (Operation::Delete { key }, rest),
            ["get", prefix, "--first", rest @ ..] => (Operation::First { prefix }, rest),
            ["get", prefix, revision, rest @ ..] if revision.starts_with("--") => {
                (Operation::LastBefore { prefix, revision: flag(revision, "--last-before=")? }, rest)
            }
            ["get", key, rest @ ..] => (Operation::Get { key }, rest),
            _ => return None,
        })
    }
}

fn operations<'a>(mut words: &[&'a str]) -> Option<Vec<Operation<'a>>> {
    let mut operations = Vec::new();
    while !words.is_empty() {
        let (operation, rest) = Operation::read(words)?;
        operations.push(operation);
        words = rest;
    }
    Some(operations)
}

fn flag(word: &str, name: &str) -> Option<u64> {
    word.strip_prefix(name)?.parse().ok()
}
