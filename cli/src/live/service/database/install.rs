//! The PostgreSQL that is installed on this machine, and as whom it runs.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names the folder of the programs where there are several, or where they are not found.
pub const FOLDER: &str = "LOCKLAB_POSTGRESQL";

/// The folder of PostgreSQL's programs, if they are here: the one that the environment names, else the newest of Debian's, which are on no PATH.
pub fn programs() -> Option<PathBuf> {
    let is_complete = |folder: &PathBuf| folder.join("initdb").is_file() && folder.join("postgres").is_file();
    if let Some(named) = env::var_os(FOLDER) {
        return Some(PathBuf::from(named)).filter(is_complete);
    }
    let debian = glob::glob("/usr/lib/postgresql/*/bin").ok()?.flatten().max();
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = debian.into_iter().chain(env::split_paths(&path));
    folders.into_iter().find(is_complete)
}

/// A program that runs as somebody else where root asks for it: PostgreSQL refuses to be root's.
pub fn as_user(program: &Path) -> Command {
    use std::os::unix::process::CommandExt;

    let mut command = Command::new(program);
    if let Some((user, group)) = other_user() {
        command.uid(user).gid(group);
    }
    command
}

/// Who runs PostgreSQL, by the numbers of user and group; `None`: whoever runs this program, who is not root.
pub fn other_user() -> Option<(u32, u32)> {
    if !rustix::process::getuid().is_root() {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let named = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut fields = line.split(':').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    named("postgres").or_else(|| named("nobody"))
}
