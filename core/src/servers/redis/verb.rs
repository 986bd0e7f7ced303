//! The commands that the model knows: names, arity and flags, as in Redis' own command table.

use super::call::Words;

/// What kind of command a verb is. The names are those of the command table's flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flags(u8);

impl Flags {
    const PLAIN: u8 = 0;
    const WRITE: u8 = 1;
    const GROWS: u8 = 2;
    const NO_SCRIPT: u8 = 4;
    const SUBSCRIBED: u8 = 8;
    const STALE: u8 = 16;
    const NO_AUTH: u8 = 32;
    const CONTAINER: u8 = 64;

    /// It may change the keyspace (`write`).
    pub(super) fn writes(self) -> bool {
        self.0 & Self::WRITE != 0
    }

    /// It may need more memory (`denyoom`).
    pub(super) fn grows(self) -> bool {
        self.0 & Self::GROWS != 0
    }

    /// Scripts may not call it (`noscript`).
    pub(super) fn is_barred_from_scripts(self) -> bool {
        self.0 & Self::NO_SCRIPT != 0
    }

    /// A connection that subscribes may still send it (`pubsub`, and PING, QUIT, RESET).
    pub(super) fn is_allowed_while_subscribed(self) -> bool {
        self.0 & Self::SUBSCRIBED != 0
    }

    /// A replica without its master still answers it (`stale`).
    pub(super) fn is_allowed_while_stale(self) -> bool {
        self.0 & Self::STALE != 0
    }

    /// It needs no password (`no_auth`).
    pub(super) fn is_allowed_without_password(self) -> bool {
        self.0 & Self::NO_AUTH != 0
    }

    /// It is a family of subcommands.
    pub(super) fn is_container(self) -> bool {
        self.0 & Self::CONTAINER != 0
    }
}

/// A row of the command table.
#[derive(Debug)]
pub(super) struct Spec {
    pub(super) verb: Verb,
    /// The name in upper case.
    pub(super) name: &'static str,
    packed: u128,
    /// The number of words, the name included; negative: at least that many.
    arity: i8,
    pub(super) flags: Flags,
}

impl Spec {
    /// Whether a command of `count` words fits.
    pub(super) fn takes(&self, count: usize) -> bool {
        let arity = usize::from(self.arity.unsigned_abs());
        if self.arity < 0 { count >= arity } else { count == arity }
    }

    /// The row of the command that this word names, in any case.
    pub(super) fn find(word: &[u8]) -> Option<&'static Spec> {
        let packed = pack(word)?;
        let mut place = home(packed);
        loop {
            let spec = TABLE.get(usize::from(PLACES[place]))?;
            if spec.packed == packed {
                return Some(spec);
            }
            place = (place + 1) % PLACES.len();
        }
    }
}

/// Where each row of the table is found: at the home of its name, or, where others have the same home, at the next free place.
static PLACES: [u8; 512] = {
    let mut places = [u8::MAX; 512];
    let mut row = 0;
    while row < TABLE.len() {
        let mut place = home(TABLE[row].packed);
        while places[place] != u8::MAX {
            place = (place + 1) % places.len();
        }
        places[place] = row as u8;
        row += 1;
    }
    places
};

/// The place where the search for a name begins: the upper bits of a product with 2^64 divided by the golden ratio.
const fn home(packed: u128) -> usize {
    let folded = (packed >> 64) as u64 ^ packed as u64;
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 55) as usize
}

/// Packs a name of up to 16 bytes into one number in upper case, so that a look-up compares no strings and allocates nothing.
const fn pack(word: &[u8]) -> Option<u128> {
    if word.is_empty() || word.len() > 16 {
        return None;
    }
    let mut packed = 0;
    let mut index = 0;
    while index < word.len() {
        packed = packed << 8 | word[index].to_ascii_uppercase() as u128;
        index += 1;
    }
    // Shorter names are filled up on the right, so that numbers are in the order of names.
    Some(packed << (8 * (16 - word.len())))
}

macro_rules! verbs {
    ($($verb:ident $name:literal $arity:literal $($flag:ident)|+;)*) => {
        /// A command that the model knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Verb { $($verb),* }

        static TABLE: &[Spec] = &[$(Spec {
            verb: Verb::$verb,
            name: $name,
            packed: match pack($name.as_bytes()) { Some(packed) => packed, None => panic!("a name has 1 to 16 letters") },
            arity: $arity,
            flags: Flags($(Flags::$flag)|+),
        }),*];
    };
}

// In alphabetical order.
verbs! {
    Append "APPEND" 3 WRITE | GROWS;
    Auth "AUTH" -2 NO_SCRIPT | STALE | NO_AUTH | SUBSCRIBED;
    Blpop "BLPOP" -3 WRITE | NO_SCRIPT;
    Brpop "BRPOP" -3 WRITE | NO_SCRIPT;
    Client "CLIENT" -2 NO_SCRIPT | CONTAINER | STALE;
    Config "CONFIG" -2 NO_SCRIPT | CONTAINER | STALE;
    Copy "COPY" -3 WRITE | GROWS;
    Dbsize "DBSIZE" 1 PLAIN;
    Debug "DEBUG" -2 NO_SCRIPT | STALE;
    Decr "DECR" 2 WRITE | GROWS;
    Decrby "DECRBY" 3 WRITE | GROWS;
    Del "DEL" -2 WRITE;
    Discard "DISCARD" 1 NO_SCRIPT | STALE | NO_AUTH;
    Echo "ECHO" 2 STALE;
    Eval "EVAL" -3 NO_SCRIPT | STALE;
    Evalsha "EVALSHA" -3 NO_SCRIPT | STALE;
    EvalshaRo "EVALSHA_RO" -3 NO_SCRIPT | STALE;
    EvalRo "EVAL_RO" -3 NO_SCRIPT | STALE;
    Exec "EXEC" 1 NO_SCRIPT | STALE;
    Exists "EXISTS" -2 PLAIN;
    Expire "EXPIRE" -3 WRITE;
    Expireat "EXPIREAT" -3 WRITE;
    Expiretime "EXPIRETIME" 2 PLAIN;
    Flushall "FLUSHALL" -1 WRITE;
    Flushdb "FLUSHDB" -1 WRITE;
    Get "GET" 2 PLAIN;
    Getdel "GETDEL" 2 WRITE;
    Getex "GETEX" -2 WRITE;
    Getrange "GETRANGE" 4 PLAIN;
    Getset "GETSET" 3 WRITE | GROWS;
    Hdel "HDEL" -3 WRITE;
    Hello "HELLO" -1 NO_SCRIPT | STALE | NO_AUTH;
    Hexists "HEXISTS" 3 PLAIN;
    Hget "HGET" 3 PLAIN;
    Hgetall "HGETALL" 2 PLAIN;
    Hincrby "HINCRBY" 4 WRITE | GROWS;
    Hincrbyfloat "HINCRBYFLOAT" 4 WRITE | GROWS;
    Hkeys "HKEYS" 2 PLAIN;
    Hlen "HLEN" 2 PLAIN;
    Hmget "HMGET" -3 PLAIN;
    Hmset "HMSET" -4 WRITE | GROWS;
    Hscan "HSCAN" -3 PLAIN;
    Hset "HSET" -4 WRITE | GROWS;
    Hsetnx "HSETNX" 4 WRITE | GROWS;
    Hstrlen "HSTRLEN" 3 PLAIN;
    Hvals "HVALS" 2 PLAIN;
    Incr "INCR" 2 WRITE | GROWS;
    Incrby "INCRBY" 3 WRITE | GROWS;
    Incrbyfloat "INCRBYFLOAT" 3 WRITE | GROWS;
    Info "INFO" -1 STALE;
    Keys "KEYS" 2 PLAIN;
    Lindex "LINDEX" 3 PLAIN;
    Linsert "LINSERT" 5 WRITE | GROWS;
    Llen "LLEN" 2 PLAIN;
    Lmove "LMOVE" 5 WRITE | GROWS;
    Lpop "LPOP" -2 WRITE;
    Lpos "LPOS" -3 PLAIN;
    Lpush "LPUSH" -3 WRITE | GROWS;
    Lpushx "LPUSHX" -3 WRITE | GROWS;
    Lrange "LRANGE" 4 PLAIN;
    Lrem "LREM" 4 WRITE;
    Lset "LSET" 4 WRITE | GROWS;
    Ltrim "LTRIM" 4 WRITE;
    Mget "MGET" -2 PLAIN;
    Mset "MSET" -3 WRITE | GROWS;
    Msetnx "MSETNX" -3 WRITE | GROWS;
    Multi "MULTI" 1 NO_SCRIPT | STALE;
    Object "OBJECT" -2 CONTAINER;
    Persist "PERSIST" 2 WRITE;
    Pexpire "PEXPIRE" -3 WRITE;
    Pexpireat "PEXPIREAT" -3 WRITE;
    Pexpiretime "PEXPIRETIME" 2 PLAIN;
    Ping "PING" -1 SUBSCRIBED;
    Psetex "PSETEX" 4 WRITE | GROWS;
    Psubscribe "PSUBSCRIBE" -2 NO_SCRIPT | SUBSCRIBED | STALE;
    Pttl "PTTL" 2 PLAIN;
    Publish "PUBLISH" 3 STALE;
    Pubsub "PUBSUB" -2 CONTAINER | STALE;
    Punsubscribe "PUNSUBSCRIBE" -1 NO_SCRIPT | SUBSCRIBED | STALE;
    Quit "QUIT" -1 NO_SCRIPT | SUBSCRIBED | STALE | NO_AUTH;
    Randomkey "RANDOMKEY" 1 PLAIN;
    Rename "RENAME" 3 WRITE;
    Renamenx "RENAMENX" 3 WRITE;
    Replicaof "REPLICAOF" 3 NO_SCRIPT | STALE;
    Reset "RESET" 1 NO_SCRIPT | SUBSCRIBED | STALE | NO_AUTH;
    Role "ROLE" 1 NO_SCRIPT | STALE;
    Rpop "RPOP" -2 WRITE;
    Rpoplpush "RPOPLPUSH" 3 WRITE | GROWS;
    Rpush "RPUSH" -3 WRITE | GROWS;
    Rpushx "RPUSHX" -3 WRITE | GROWS;
    Sadd "SADD" -3 WRITE | GROWS;
    Scard "SCARD" 2 PLAIN;
    Script "SCRIPT" -2 NO_SCRIPT | CONTAINER | STALE;
    Select "SELECT" 2 STALE;
    Set "SET" -3 WRITE | GROWS;
    Setex "SETEX" 4 WRITE | GROWS;
    Setnx "SETNX" 3 WRITE | GROWS;
    Setrange "SETRANGE" 4 WRITE | GROWS;
    Sismember "SISMEMBER" 3 PLAIN;
    Slaveof "SLAVEOF" 3 NO_SCRIPT | STALE;
    Smembers "SMEMBERS" 2 PLAIN;
    Smismember "SMISMEMBER" -3 PLAIN;
    Spop "SPOP" -2 WRITE;
    Spublish "SPUBLISH" 3 STALE;
    Srandmember "SRANDMEMBER" -2 PLAIN;
    Srem "SREM" -3 WRITE;
    Strlen "STRLEN" 2 PLAIN;
    Subscribe "SUBSCRIBE" -2 NO_SCRIPT | SUBSCRIBED | STALE;
    Substr "SUBSTR" 4 PLAIN;
    Time "TIME" 1 STALE;
    Touch "TOUCH" -2 PLAIN;
    Ttl "TTL" 2 PLAIN;
    Type "TYPE" 2 PLAIN;
    Unlink "UNLINK" -2 WRITE;
    Unsubscribe "UNSUBSCRIBE" -1 NO_SCRIPT | SUBSCRIBED | STALE;
    Unwatch "UNWATCH" 1 NO_SCRIPT | STALE;
    Wait "WAIT" 3 NO_SCRIPT;
    Watch "WATCH" -2 NO_SCRIPT | STALE;
    Zadd "ZADD" -4 WRITE | GROWS;
    Zcard "ZCARD" 2 PLAIN;
    Zcount "ZCOUNT" 4 PLAIN;
    Zincrby "ZINCRBY" 4 WRITE | GROWS;
    Zpopmax "ZPOPMAX" -2 WRITE;
    Zpopmin "ZPOPMIN" -2 WRITE;
    Zrange "ZRANGE" -4 PLAIN;
    Zrangebyscore "ZRANGEBYSCORE" -4 PLAIN;
    Zrank "ZRANK" 3 PLAIN;
    Zrem "ZREM" -3 WRITE;
    Zremrangebyrank "ZREMRANGEBYRANK" 4 WRITE;
    Zremrangebyscore "ZREMRANGEBYSCORE" 4 WRITE;
    Zrevrange "ZREVRANGE" -4 PLAIN;
    Zrevrangebyscore "ZREVRANGEBYSCORE" -4 PLAIN;
    Zrevrank "ZREVRANK" 3 PLAIN;
    Zscore "ZSCORE" 3 PLAIN;
}

/// The subcommands of the container commands with their arity, counted like a command's.
static SUBCOMMANDS: &[(Verb, &[(&str, i8)])] = &[
    (
        Verb::Client,
        &[("GETNAME", 2), ("HELP", 2), ("ID", 2), ("INFO", 2), ("NO-EVICT", 3), ("REPLY", 3), ("SETNAME", 3)],
    ),
    (Verb::Config, &[("GET", -3), ("HELP", 2), ("RESETSTAT", 2), ("SET", -4)]),
    (Verb::Object, &[("ENCODING", 3), ("FREQ", 3), ("HELP", 2), ("IDLETIME", 3), ("REFCOUNT", 3)]),
    (Verb::Pubsub, &[("CHANNELS", -2), ("HELP", 2), ("NUMPAT", 2), ("NUMSUB", -2)]),
    (Verb::Script, &[("EXISTS", -3), ("FLUSH", -2), ("HELP", 2), ("KILL", 2), ("LOAD", 3)]),
];

/// Why a container command does not take these words.
pub(super) enum Subcommand {
    /// There is no such subcommand.
    Unknown,
    /// The number of words is wrong for this subcommand, named in lower case.
    WrongCount(String),
}

/// Checks the second word of a container command, and the number of words for it.
pub(super) fn check_subcommand(spec: &Spec, words: Words<'_>) -> Result<(), Subcommand> {
    let Some((_, subcommands)) = SUBCOMMANDS.iter().find(|(verb, _)| *verb == spec.verb) else { return Ok(()) };
    let Some(word) = words.get(1) else { return Err(Subcommand::Unknown) };
    let Some((name, arity)) = subcommands.iter().find(|(name, _)| word.eq_ignore_ascii_case(name.as_bytes())) else {
        return Err(Subcommand::Unknown);
    };
    let least = usize::from(arity.unsigned_abs());
    let fits = if *arity < 0 { words.len() >= least } else { words.len() == least };
    if fits { Ok(()) } else { Err(Subcommand::WrongCount(name.to_ascii_lowercase())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_finds_every_name_in_any_case() {
        assert!(TABLE.windows(2).all(|pair| pair[0].packed < pair[1].packed));
        for spec in TABLE {
            assert_eq!(Spec::find(spec.name.to_lowercase().as_bytes()).map(|found| found.verb), Some(spec.verb));
        }
        assert!(Spec::find(b"SETT").is_none() && Spec::find(b"").is_none());
    }

    #[test]
    fn every_container_lists_its_subcommands() {
        for spec in TABLE.iter().filter(|spec| spec.flags.is_container()) {
            assert!(SUBCOMMANDS.iter().any(|(verb, _)| *verb == spec.verb), "{}", spec.name);
        }
    }
}
