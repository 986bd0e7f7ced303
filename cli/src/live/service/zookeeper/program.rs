//! The ZooKeeper of this machine: a Java program without a binary of its own.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::super::error::LiveError;
use super::super::process::on_path;

/// Where Debian puts it.
const DEBIAN: &str = "/usr/share/java/zookeeper.jar";

/// Where Debian puts a logger that writes to the standard error; ZooKeeper's packages bring it along.
const LOGGER: &str = "/usr/share/java/slf4j-simple.jar";

/// ZooKeeper's classes and the Java that runs them.
#[derive(Clone, Debug)]
pub struct ZooKeeperProgram {
    java: PathBuf,
    classes: PathBuf,
}

impl ZooKeeperProgram {
    /// Looks for java on the PATH, and for ZooKeeper where Debian puts it or below `ZOOKEEPER_HOME`.
    pub fn find() -> Result<ZooKeeperProgram, LiveError> {
        let missing = || LiveError::NotInstalled { what: "ZooKeeper", packages: "--no-install-recommends zookeeper" };
        let home = env::var_os("ZOOKEEPER_HOME").map(|home| Path::new(&home).join("lib"));
        // Java understands `*` as every archive of a folder.
        let of_home = home.filter(|folder| folder.is_dir()).map(|folder| folder.join("*"));
        let classes = of_home.or_else(|| Some(PathBuf::from(DEBIAN)).filter(|archive| archive.is_file()));
        match (on_path("java"), classes) {
            (Some(java), Some(classes)) => Ok(ZooKeeperProgram { java, classes }),
            _ => Err(missing()),
        }
    }

    /// Its name and version, such as `ZooKeeper 3.8.0`.
    pub fn version(&self) -> String {
        let folder = self.classes.parent().unwrap_or(Path::new("/"));
        let archives = glob::glob(&folder.join("zookeeper-[0-9]*.jar").display().to_string());
        let names = archives.into_iter().flatten().flatten();
        let number = names.filter_map(|path| path.file_stem()?.to_str()?.strip_prefix("zookeeper-").map(str::to_owned));
        format!("ZooKeeper {}", number.max().unwrap_or_else(|| "of unknown version".into()))
    }

    /// ZooKeeper's classes, and behind them what writes a log, if it is there.
    fn class_path(&self) -> OsString {
        let mut path = self.classes.clone().into_os_string();
        path.push(":");
        path.push(LOGGER);
        path
    }

    /// The command that runs a server of one member with this configuration.
    pub fn command(&self, configuration: &Path) -> Command {
        let mut command = Command::new(&self.java);
        // Small and quick to start, without a file in the system's temporary folder; what it wrote need not survive the machine.
        command.args(["-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"]);
        command.args([
            "-Dzookeeper.admin.enableServer=false",
            "-Dzookeeper.forceSync=no",
            "-Dzookeeper.preAllocSize=64",
        ]);
        command
            .args(["-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-cp"])
            .arg(self.class_path())
            .arg("org.apache.zookeeper.server.quorum.QuorumPeerMain")
            .arg(configuration);
        command
    }
}
