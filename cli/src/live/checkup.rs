//! What this machine can do live.

use std::path::PathBuf;

use locklab_core::wire::{Command, Reply};

use super::error::LiveError;
use super::server::{PATIENCE, Persistence, RedisProgram, RedisServer};
use super::service::{EtcdProgram, NOT_INSTALLED, PgBouncerProgram, ZooKeeperProgram, programs};
use super::shim::Shim;

/// An instant in 2026, in microseconds since 1970: any will do.
const EPOCH: i64 = 1_767_225_600_000_000;

/// What was found.
#[derive(Debug)]
pub struct Checkup {
    /// The redis-server and what it says about its version.
    pub redis: Result<(PathBuf, String), LiveError>,
    /// Whether a server follows the virtual clock; the error says why not.
    pub virtual_clock: Result<(), LiveError>,
    /// The version of the SQLite that is a part of this program.
    pub sqlite: &'static str,
    /// Where PostgreSQL's programs are.
    pub postgresql: Result<PathBuf, LiveError>,
    /// The PgBouncer and its version.
    pub pgbouncer: Result<String, LiveError>,
    /// The etcd and its version.
    pub etcd: Result<String, LiveError>,
    /// The ZooKeeper and its version.
    pub zookeeper: Result<String, LiveError>,
}

/// Looks for servers and tries the virtual clock on a Redis.
pub fn checkup() -> Checkup {
    let program = RedisProgram::find();
    let virtual_clock = program.as_ref().map_err(|_| LiveError::NoRedis).and_then(try_virtual_clock);
    let redis = program.and_then(|program| Ok((program.path().to_owned(), program.version()?)));
    let etcd = EtcdProgram::find().and_then(|program| program.version());
    let zookeeper = ZooKeeperProgram::find().map(|program| program.version());
    let (sqlite, postgresql) = (rusqlite::version(), programs().ok_or(NOT_INSTALLED));
    let pgbouncer = PgBouncerProgram::find().and_then(|program| program.version());
    Checkup { redis, virtual_clock, etcd, zookeeper, sqlite, postgresql, pgbouncer }
}

/// Starts a server under the virtual clock, moves the clock over the end of a lease, and looks.
fn try_virtual_clock(program: &RedisProgram) -> Result<(), LiveError> {
    let folder = tempfile::Builder::new()
        .prefix("locklab-")
        .tempdir()
        .map_err(LiveError::system("create a folder", "创建文件夹"))?;
    let shim = Shim::install(folder.path()).map_err(LiveError::system("write the virtual clock", "写出虚拟时钟"))?;
    let unavailable = || LiveError::Broken("the virtual clock needs Linux on x86-64 or aarch64".into());
    let clock =
        shim.ok_or_else(unavailable)?.clock("probe", EPOCH).map_err(LiveError::system("create a clock", "创建时钟"))?;
    let server =
        RedisServer::start(program, folder.path().join("probe"), Persistence::Nothing, Vec::new(), Some(clock))?;
    let mut connection = server.connect()?;
    let mut call = |words: &[&str]| {
        let reply = connection.call(&Command::new(words), PATIENCE);
        reply.map_err(LiveError::system("speak to redis-server", "与 redis-server 通信"))
    };
    call(&["SET", "lock", "A", "PX", "30000"])?;
    for (passed, left) in [(0, 30_000), (29_998, 2), (30_000, 0), (30_001, -2)] {
        server.clock().expect("it was given one").freeze(EPOCH + passed * 1_000);
        let reply = call(&["PTTL", "lock"])?;
        if reply != Reply::Integer(left) {
            let reason = format!(
                "this server does not follow the virtual clock: PTTL is {reply} instead of {left} after {passed} ms"
            );
            return Err(LiveError::Broken(reason));
        }
    }
    Ok(())
}

#[cfg(all(test, virtual_clock))]
mod tests {
    use super::*;

    #[test]
    fn a_real_server_follows_the_virtual_clock_to_the_millisecond() {
        let checkup = checkup();
        checkup.redis.expect("redis-server is installed: apt-get install redis-server");
        checkup.virtual_clock.unwrap();
    }
}
