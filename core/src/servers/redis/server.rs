//! Commands about the server and the connection: PING, TIME, AUTH, CLIENT, CONFIG, INFO.

use super::call::{Answer, Call, Words};
use super::data::Bytes;
use super::keys::glob;
use super::number;
use super::refusal::Refusal;
use super::settings::{Memory, StaleReads, Subscriptions};
use super::{Redis, Role};
use crate::wire::Reply;

const VERSION: &str = "7.0.15";

impl Redis {
    /// Ends a client's BLPOP or BRPOP whose time is over: the reply that it gets, if it was still waiting.
    pub fn time_out(&mut self, client: crate::wire::ClientId) -> Option<Reply> {
        let before = self.waiting.len();
        self.waiting.retain(|waiting| waiting.client != client);
        (self.waiting.len() < before).then_some(Reply::NilArray)
    }
}

impl Call<'_> {
    pub(super) fn ping(&mut self, words: Words<'_>) -> Answer {
        if words.len() > 2 {
            return Err(Refusal::wrong_count("ping"));
        }
        let text = words.get(1);
        let same_connection = self.redis.settings.subscriptions == Subscriptions::SameConnection;
        if same_connection && self.session().is_some_and(|session| session.subscriptions() > 0) {
            let text = text.map_or(Reply::bulk(""), Reply::bulk);
            return Ok(Reply::Array(vec![Reply::bulk("pong"), text]));
        }
        Ok(text.map_or_else(|| Reply::Status("PONG".into()), Reply::bulk))
    }

    pub(super) fn time(&mut self) -> Answer {
        let (seconds, micros) = (self.now.wall.div_euclid(1_000_000), self.now.wall.rem_euclid(1_000_000));
        Ok(Reply::Array(vec![Reply::bulk(seconds.to_string()), Reply::bulk(micros.to_string())]))
    }

    pub(super) fn auth(&mut self, words: Words<'_>) -> Answer {
        let (user, password) = match words {
            [_, password] => (None, password),
            [_, user, password] => (Some(user), password),
            _ => return Err(Refusal::SYNTAX),
        };
        let is_default_user = user.is_none_or(|user| &**user == b"default");
        match &self.redis.settings.password {
            None if user.is_none() => {
                Err("ERR AUTH <password> called without any password configured for the default user. Are you sure \
                                           your configuration is correct?"
                    .into())
            }
            None if is_default_user => Ok(Reply::ok()),
            Some(wanted) if is_default_user && wanted.as_slice() == &**password => {
                self.redis.sessions.open(self.caller).is_authenticated = true;
                Ok(Reply::ok())
            }
            _ => Err(Refusal::WRONG_PASSWORD),
        }
    }

    pub(super) fn client(&mut self, words: Words<'_>) -> Answer {
        let id = self.caller.map_or(0, |client| i64::from(client.0) + 1);
        match words[1].to_ascii_uppercase().as_slice() {
            b"ID" => Ok(Reply::Integer(id)),
            b"GETNAME" => {
                let name = self.session().and_then(|session| session.name.as_ref());
                Ok(name.map_or(Reply::Nil, |name| Reply::bulk(&**name)))
            }
            b"SETNAME" => {
                if !words[2].iter().all(u8::is_ascii_graphic) {
                    return Err("ERR Client names cannot contain spaces, newlines or special characters.".into());
                }
                let name = (!words[2].is_empty()).then(|| words[2].clone());
                self.redis.sessions.open(self.caller).name = name;
                self.redis.sessions.tidy(self.caller);
                Ok(Reply::ok())
            }
            b"INFO" => {
                let name =
                    self.session().and_then(|session| session.name.as_ref()).map(Bytes::text).unwrap_or_default();
                Ok(Reply::bulk(format!("id={id} name={name} db=0 user=default resp=2\n")))
            }
            b"NO-EVICT" if [b"on".as_slice(), b"off"].iter().any(|word| words[2].eq_ignore_ascii_case(word)) => {
                Ok(Reply::ok())
            }
            b"NO-EVICT" => Err(Refusal::SYNTAX),
            _ => Err("ERR this CLIENT subcommand is not modelled".into()),
        }
    }

    pub(super) fn config(&mut self, words: Words<'_>) -> Answer {
        match words[1].to_ascii_uppercase().as_slice() {
            b"GET" => {
                let items = self.configuration().into_iter().filter(|(name, _)| {
                    words[2..].iter().any(|pattern| glob(&pattern.to_ascii_lowercase(), name.as_bytes()))
                });
                Ok(Reply::Array(items.flat_map(|(name, value)| [Reply::bulk(name), Reply::bulk(value)]).collect()))
            }
            b"SET" => {
                let pairs = words[2..].chunks_exact(2);
                if !pairs.remainder().is_empty() {
                    return Err(Refusal::wrong_count("config|set"));
                }
                for pair in pairs {
                    self.configure(&pair[0], &pair[1])?;
                }
                Ok(Reply::ok())
            }
            b"RESETSTAT" => Ok(Reply::ok()),
            _ => Err("ERR CONFIG HELP is not modelled".into()),
        }
    }

    /// The parameters that the model knows, with their values.
    fn configuration(&self) -> Vec<(&'static str, String)> {
        let settings = &self.redis.settings;
        let memory = if settings.memory == Memory::Full { "1" } else { "0" };
        let stale = if settings.stale_reads == StaleReads::Served { "yes" } else { "no" };
        let password = settings.password.as_ref().map(Bytes::text).unwrap_or_default();
        vec![
            ("databases", "1".into()),
            ("maxmemory", memory.into()),
            ("maxmemory-policy", "noeviction".into()),
            ("min-replicas-to-write", settings.min_replicas_to_write.to_string()),
            ("replica-serve-stale-data", stale.into()),
            ("requirepass", password),
        ]
    }

    fn configure(&mut self, name: &[u8], value: &[u8]) -> Result<(), Refusal> {
        let settings = &mut self.redis.settings;
        let name = Bytes::from(name).text().to_ascii_lowercase();
        let failed =
            |reason: &str| format!("ERR CONFIG SET failed (possibly related to argument '{name}') - {reason}").into();
        match name.as_str() {
            "maxmemory" => {
                /// A process needs about this much before it holds a single key.
                const EMPTY_PROCESS: u64 = 1_000_000;
                let bytes = std::str::from_utf8(value).ok().and_then(|value| value.parse::<u64>().ok());
                let bytes = bytes.ok_or_else(|| failed("argument must be a memory value"))?;
                settings.memory = if (1..EMPTY_PROCESS).contains(&bytes) { Memory::Full } else { Memory::Enough };
            }
            "min-replicas-to-write" => {
                let least = number::integer(value).and_then(|least| u8::try_from(least).ok());
                settings.min_replicas_to_write =
                    least.ok_or_else(|| failed("argument couldn't be parsed into an integer"))?;
            }
            "replica-serve-stale-data" => {
                settings.stale_reads = match value.to_ascii_lowercase().as_slice() {
                    b"yes" => StaleReads::Served,
                    b"no" => StaleReads::Refused,
                    _ => return Err(failed("argument must be 'yes' or 'no'")),
                };
            }
            "requirepass" => settings.password = (!value.is_empty()).then(|| Bytes::from(value)),
            _ => return Err(format!("ERR Unknown option or number of arguments for CONFIG SET - '{name}'").into()),
        }
        Ok(())
    }

    pub(super) fn debug(&mut self, words: Words<'_>) -> Answer {
        if words[1].eq_ignore_ascii_case(b"SLEEP") && words.len() == 3 {
            // How long a command takes is the world's business.
            return Ok(Reply::ok());
        }
        let subcommand = words[1].text();
        Err(format!("ERR unknown subcommand or wrong number of arguments for '{subcommand}'. Try DEBUG HELP.").into())
    }

    pub(super) fn hello(&mut self, words: Words<'_>) -> Answer {
        match words.get(1).map(|word| number::integer(word)) {
            None | Some(Some(2)) if words.len() <= 2 => {}
            Some(None) => return Err("ERR Protocol version is not an integer or out of range".into()),
            Some(Some(2)) | None => return Err("ERR options of HELLO are not modelled".into()),
            Some(Some(_)) => return Err("NOPROTO unsupported protocol version".into()),
        }
        if self.redis.settings.password.is_some() && !self.session().is_some_and(|session| session.is_authenticated) {
            return Err("NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH <user> <pass> \
                        option can be used to authenticate the client and select the RESP protocol version at the same time"
                .into());
        }
        let role = if self.redis.role == Role::Master { "master" } else { "replica" };
        let id = self.caller.map_or(0, |client| i64::from(client.0) + 1);
        let text = |text: &str| Reply::bulk(text);
        Ok(Reply::Array(vec![
            text("server"),
            text("redis"),
            text("version"),
            text(VERSION),
            text("proto"),
            Reply::Integer(2),
            text("id"),
            Reply::Integer(id),
            text("mode"),
            text("standalone"),
            text("role"),
            text(role),
            text("modules"),
            Reply::Array(Vec::new()),
        ]))
    }

    pub(super) fn info(&mut self, words: Words<'_>) -> Answer {
        let wanted = |section: &str| {
            words.len() == 1
                || words[1..].iter().any(|word| {
                    [section, "all", "everything", "default"]
                        .iter()
                        .any(|name| word.eq_ignore_ascii_case(name.as_bytes()))
                })
        };
        let mut text = String::new();
        if wanted("server") {
            text += &format!("# Server\r\nredis_version:{VERSION}\r\nredis_mode:standalone\r\n");
        }
        if wanted("replication") {
            let role = if self.redis.role == Role::Master { "master" } else { "slave" };
            let replicas = self.redis.replicas.len();
            if !text.is_empty() {
                text += "\r\n";
            }
            text += &format!("# Replication\r\nrole:{role}\r\nconnected_slaves:{replicas}\r\n");
        }
        Ok(Reply::bulk(text))
    }

    pub(super) fn select(&mut self, words: Words<'_>) -> Answer {
        match number::integer(&words[1]).map(i32::try_from) {
            Some(Ok(0)) => Ok(Reply::ok()),
            Some(Ok(_)) => Err("ERR DB index is out of range".into()),
            Some(Err(_)) => Err("ERR value is out of range, value must between -2147483648 and 2147483647".into()),
            None => Err(Refusal::NOT_INTEGER),
        }
    }

    pub(super) fn reset(&mut self) -> Answer {
        self.redis.sessions.close(self.caller);
        Ok(Reply::Status("RESET".into()))
    }
}
