//! A schema of the run's own on a PostgreSQL that a user names: what is looked at before, how it comes and how it goes.
//!
//! Nothing is done to the server itself. All tables lie in the schema, whose name no other run has, and the names of advisory locks, which know
//! no schema, begin with the run's prefix.

use std::thread;
use std::time::{Duration, Instant};

use locklab_core::i18n::Text;
use locklab_core::say;
use locklab_core::wire::Reply;
use serde::{Deserialize, Serialize};

use super::super::super::error::LiveError;
use super::super::super::server::PATIENCE;
use super::super::super::url::{Form, ServerUrl};
use super::connection::{Connection, NoConnection};
use super::login::Login;
use super::scram::MOST_ROUNDS;

/// The oldest version that has all that is asked of it: passwords proven by SCRAM.
const OLDEST: u32 = 10;

const FORM: Form = Form {
    service: "PostgreSQL",
    schemes: &["postgres", "postgresql"],
    encrypted: &[],
    port: 5432,
    example: ["postgres://USER[:PASSWORD]@HOST[:PORT][/DATABASE]", "postgres://用户[:密码]@主机[:端口][/数据库]"],
};

impl Login {
    /// What a user typed: `postgres://USER[:PASSWORD]@HOST[:PORT][/DATABASE]`, the database being named like the user unless it is said.
    ///
    /// Errors when it is not such an address, or when its host has no address.
    pub fn parse(text: &str) -> Result<Login, LiveError> {
        let url = ServerUrl::parse(text, FORM)?;
        let Some(user) = url.user else { return Err(FORM.malformed(say!("it names no user", "没有写用户"))) };
        for (name, value) in &url.settings {
            match (name.as_str(), value.as_str()) {
                ("sslmode", "disable" | "allow" | "prefer") => {}
                ("sslmode", _) => {
                    return Err(FORM.malformed(say!("encrypted connections are not supported", "不支持加密连接")));
                }
                _ => {
                    return Err(FORM.malformed(say!(
                        "there is no setting {name}",
                        "没有 {name} 这个设置",
                        name = name
                    )));
                }
            }
        }
        let database = Some(url.path).filter(|path| !path.is_empty()).unwrap_or_else(|| user.clone());
        let shown = format!("postgres://{}@{}/{database}", url.typed_user, url.place);
        let application = "locklab".into();
        Ok(Login { address: url.address, user, password: url.password, database, application, shown })
    }

    /// A connection, or why there is none in words that a user can act upon.
    fn connect(&self) -> Result<Connection, LiveError> {
        Connection::open(self).map_err(|why| match why {
            NoConnection::Unreachable(error) => LiveError::unreachable(self)(error),
            NoConnection::Refused(reply) => LiveError::Refused { server: self.to_string(), reply },
            NoConnection::WantsPassword => self.unsuitable(
                say!("it wants a password", "它需要密码"),
                Some(say!("postgres://USER:PASSWORD@HOST:PORT/DATABASE", "请写 postgres://用户:密码@主机:端口/数据库")),
            ),
            NoConnection::WantsAnother => self.unsuitable(
                say!("it asks for an authentication that is not supported", "它要求的认证方式不受支持"),
                Some(say!(
                    "supported are passwords by scram-sha-256, and trust, in pg_hba.conf",
                    "支持的是 pg_hba.conf 中的 scram-sha-256 密码，以及 trust"
                )),
            ),
            NoConnection::WantsTooManyRounds(rounds) => self.unsuitable(
                say!(
                    "it wants the password hashed {rounds} times, and {most} is the most that is done for a server",
                    "它要求对密码做 {rounds} 次哈希，而最多只会做 {most} 次",
                    rounds = rounds.to_string(),
                    most = MOST_ROUNDS
                ),
                Some(say!(
                    "if it is the server that you mean: SET scram_iterations TO 4096 there, then set the password again",
                    "如果确实是你要连的服务器：在那里 SET scram_iterations TO 4096，再重设一次密码"
                )),
            ),
        })
    }

    fn unsuitable(&self, why: Text, hint: Option<Text>) -> LiveError {
        LiveError::Unsuitable { server: self.to_string(), why, hint }
    }
}

/// A schema of the run's own on a PostgreSQL that a user names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// Its sessions carry the schema's name, by which they are found.
    login: Login,
    name: String,
}

impl Schema {
    /// The schema of the run whose names begin with this prefix. It is not there yet.
    pub fn new(login: &Login, prefix: &str) -> Schema {
        let name = prefix.trim_end_matches(':').replace(':', "_");
        Schema { login: Login { application: name.clone(), ..login.clone() }, name }
    }

    /// How the run's sessions log in.
    pub fn login(&self) -> &Login {
        &self.login
    }

    /// The command with which a user can remove by hand what the run left behind.
    pub fn clean_up_command(&self) -> String {
        format!("psql {} -c 'DROP SCHEMA IF EXISTS {} CASCADE'", self.login, self.name)
    }

    /// Whether the run can be played there: the server is one that it can speak to, is no older than is needed, and lets the user make a schema.
    pub fn look(&self) -> Result<(), LiveError> {
        let mut connection = self.login.connect()?;
        let question = "SELECT pg_backend_pid(), current_setting('server_version'), pg_is_in_recovery(), \
                        has_database_privilege(current_database(), 'CREATE')";
        let rows = connection.rows(question, PATIENCE).map_err(self.refused())?;
        let row = rows.first().map(Vec::as_slice).unwrap_or_default();
        let text = |index: usize| row.get(index).and_then(Reply::text).unwrap_or_default();
        let is_set = |index: usize| text(index) == "t";
        let version = text(1);
        let major: u32 = version.split(['.', ' ']).next().and_then(|major| major.parse().ok()).unwrap_or(0);
        if major < OLDEST {
            return Err(self.login.unsuitable(
                say!(
                    "it is a PostgreSQL {version}; {oldest} or newer is needed",
                    "它是 PostgreSQL {version}，至少需要 {oldest}",
                    version = version,
                    oldest = OLDEST
                ),
                None,
            ));
        }
        if row.first().and_then(Reply::integer) != Some(connection.process().into()) {
            return Err(self.login.unsuitable(
                say!("a connection pooler stands before it", "它前面有连接池"),
                Some(say!("name the server itself", "请直接写数据库服务器的地址")),
            ));
        }
        if is_set(2) {
            return Err(self.login.unsuitable(
                say!("it is a standby, which can only be read", "它是备库，只能读"),
                Some(say!("name its primary", "请写它的主库")),
            ));
        }
        if !is_set(3) {
            let Login { user, database, .. } = &self.login;
            return Err(self.login.unsuitable(
                say!(
                    "{user} has no right to create a schema there",
                    "{user} 没有在那里创建 schema 的权限",
                    user = user
                ),
                Some(say!(
                    "the database's owner can give it: GRANT CREATE ON DATABASE {database} TO {user}",
                    "数据库的所有者可以授予：GRANT CREATE ON DATABASE {database} TO {user}",
                    database = database,
                    user = user
                )),
            ));
        }
        Ok(())
    }

    /// Creates it.
    pub fn create(&self) -> Result<(), LiveError> {
        let mut connection = self.login.connect()?;
        connection.rows(&format!("CREATE SCHEMA {}", self.name), PATIENCE).map(drop).map_err(self.refused())
    }

    /// With what each session of the run begins: its tables are found in the schema, and nothing is as this user or database have set it.
    pub fn greeting(&self) -> String {
        format!(
            "SET search_path TO {}, pg_catalog; SET default_transaction_isolation TO 'read committed'; \
             SET default_transaction_read_only TO off; SET lock_timeout TO 0; SET statement_timeout TO 0; \
             SET idle_in_transaction_session_timeout TO 0; SET client_encoding TO 'UTF8'; \
             SET standard_conforming_strings TO on",
            self.name
        )
    }

    /// Removes it with all that is in it, once no session of the run is left.
    pub fn remove(&self) -> Result<(), LiveError> {
        let mut connection = Login { application: "locklab".into(), ..self.login.clone() }.connect()?;
        let end_sessions =
            format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{}'", self.name);
        let deadline = Instant::now() + PATIENCE;
        while !connection.rows(&end_sessions, PATIENCE).map_err(self.refused())?.is_empty() && Instant::now() < deadline
        {
            thread::sleep(Duration::from_millis(10));
        }
        let drop_schema = format!("DROP SCHEMA IF EXISTS {} CASCADE", self.name);
        connection.rows(&drop_schema, PATIENCE).map(drop).map_err(self.refused())
    }

    fn refused(&self) -> impl FnOnce(std::io::Error) -> LiveError {
        LiveError::unreachable(&self.login)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_with_all_its_parts_and_shown_without_its_password() {
        let login = Login::parse("postgres://me:p%40ss@127.0.0.1:7001/orders?sslmode=disable").unwrap();
        assert_eq!((login.user.as_str(), login.password.as_deref()), ("me", Some("p@ss")));
        assert_eq!((login.database.as_str(), login.address.port()), ("orders", 7001));
        assert_eq!(format!("{login} {login:?}"), ["postgres://me@127.0.0.1:7001/orders"; 2].join(" "));
        let short = Login::parse("postgresql://me@127.0.0.1").unwrap();
        assert_eq!((short.database.as_str(), short.password, short.address.port()), ("me", None, 5432));
    }

    #[test]
    fn what_is_not_an_address_is_told_with_the_form_of_one() {
        for text in [
            "",
            "localhost",
            "redis://localhost",
            "postgres://localhost",
            "postgres://",
            "postgres://me@localhost?sslmode=require",
            "postgres://me@localhost?options=x",
        ] {
            let error = Login::parse(text).unwrap_err();
            assert!(error.to_string().contains("write postgres://USER[:PASSWORD]@HOST"), "{text}: {error}");
        }
    }
}
