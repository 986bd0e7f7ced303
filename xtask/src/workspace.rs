//! Where things are, and the one way in which everything is built.

use std::path::PathBuf;

use anyhow::Context;
use xshell::Shell;

/// Optional parts that the tests switch on. Every command of a test run names the whole workspace and these, so that cargo
/// settles on one set of features and compiles each dependency once.
pub const FEATURES: &str = "locklab-e2e/browser,locklab-web-build/bindgen";

/// The folder of the workspace: commands mean the same from wherever they are typed.
pub fn root() -> PathBuf {
    let mut folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    folder.pop();
    folder
}

/// The folder into which cargo builds: this program was built there, as `debug/xtask`.
pub fn target() -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe().context("cannot find the running program's file")?;
    let target = program.ancestors().nth(2).context("the running program is not in cargo's folder")?;
    Ok(target.to_owned())
}

/// A shell that stands in the folder of the workspace.
pub fn shell() -> anyhow::Result<Shell> {
    let shell = Shell::new()?;
    shell.change_dir(root());
    Ok(shell)
}

/// Every scenario, by its path from the root of the workspace, in order.
pub fn scenarios() -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("scenarios")];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                found.push(path.strip_prefix(root())?.to_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}
