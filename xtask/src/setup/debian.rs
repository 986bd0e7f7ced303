//! Installing on Debian, as root, without a question.

use xshell::{Shell, cmd};

/// Whether this is a Debian on which this program may install.
pub fn may_install(shell: &Shell) -> bool {
    let release = shell.read_file("/etc/os-release").unwrap_or_default();
    let is_debian = release.lines().any(|line| matches!(line, "ID=debian" | "ID=\"debian\""));
    is_debian && cmd!(shell, "id -u").quiet().read().is_ok_and(|id| id == "0")
}

/// Installs packages. Another installation that is under way is waited for.
pub fn install(shell: &Shell, packages: impl Iterator<Item = &'static str>) -> anyhow::Result<()> {
    let packages: Vec<&str> = packages.collect();
    if packages.is_empty() {
        return Ok(());
    }
    let _frontend = shell.push_env("DEBIAN_FRONTEND", "noninteractive");
    let wait = "DPkg::Lock::Timeout=300";
    // Servers that a package would start at once are not wanted: tests start their own.
    let _no_services = shell.push_env("RUNLEVEL", "1");
    cmd!(shell, "apt-get -o {wait} -q update").run()?;
    cmd!(shell, "apt-get -o {wait} -q install -y --no-install-recommends {packages...}").run()?;
    Ok(())
}
