//! The page: compiled to WebAssembly, made loadable, and laid out in `web/dist`.
//!
//! Every address in it is relative, so the folder works under any path of any server. `locklab serve` embeds it at its next
//! build.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use xshell::{Shell, cmd};

use crate::setup::{self, Need};
use crate::workspace;

/// How the page is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Smallest, slower to compile: what readers load. The standard library is compiled anew, without what tells a terminal of a panic, where
    /// its source is installed; else this is [`Mode::Small`].
    Smallest,
    /// Small, with nothing but what every toolchain has: what tests look at.
    Small,
    /// Quick to compile, large: for work on the page.
    Quick,
}

/// The service worker, and its list of files before the build has filled it.
const WORKER: &str = "sw.js";
const NO_FILES: &str = "[\"./\"]";

/// How the standard library is compiled for the smallest page: for size, and a panic is a trap without a word; the page has no terminal to read it
/// on. These options are not stable yet, hence `RUSTC_BOOTSTRAP`.
const OWN_LIBRARY: [&str; 2] = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];
const OWN_LIBRARY_FLAGS: &str = "-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none";

/// What the module should weigh at most when gzipped, in bytes: what a reader on a phone waits for.
const WANTED_GZIPPED: usize = 700_000;

/// What it may weigh at most when gzipped, in bytes: a little more than it does. Who makes it smaller lowers this; a build that exceeds it fails.
const MOST_GZIPPED: usize = 1_100_000;

/// The same with the toolchain's own standard library.
const MOST_GZIPPED_PLAIN: usize = 1_250_000;

/// What gzip puts around what it has deflated, in bytes.
const GZIP_FRAME: usize = 18;

/// What keeps the folder in the repository while it is empty: the build of the command line watches it.
const KEPT: &str = ".gitignore";

/// Builds the page into `web/dist`.
pub fn build(shell: &Shell, mode: Mode) -> anyhow::Result<()> {
    setup::provide(shell, &[Need::WasmTarget])?;
    let (profile, folder) = match mode {
        Mode::Smallest | Mode::Small => ("web", "web"),
        Mode::Quick => ("dev", "debug"),
    };
    let target = workspace::target()?;
    let compiled = target.join("wasm32-unknown-unknown").join(folder).join("locklab-web.wasm");
    let build = cmd!(
        shell,
        "cargo build --package locklab-web --bin locklab-web --target wasm32-unknown-unknown --profile {profile}"
    );
    let has_own_library = mode == Mode::Smallest && has_library_source(shell);
    match has_own_library {
        true => build
            .args(OWN_LIBRARY)
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", OWN_LIBRARY_FLAGS)
            .run()?,
        false => build.run()?,
    }
    let fresh = target.join("web-dist");
    shell.remove_path(&fresh)?;
    shell.create_dir(&fresh)?;
    for file in shell.read_dir("web/static")? {
        shell.copy_file(file, &fresh)?;
    }
    // The drawing's own style sheet, as a file: the page's security policy allows no style inside the drawing.
    let sheets = ["core/src/view/svg/style.css", "core/src/view/chart/style.css"];
    let sheets = sheets.into_iter().map(|sheet| shell.read_file(sheet)).collect::<Result<Vec<_>, _>>()?;
    shell.write_file(fresh.join("drawing.css"), sheets.concat())?;
    for (language, folder) in [("en", "docs/lessons"), ("zh", "docs/zh/lessons")] {
        for file in shell.read_dir(folder)? {
            let name = file.file_name().context("a lesson has a name")?.to_string_lossy().into_owned();
            if name != "README.md" {
                shell.copy_file(&file, fresh.join(format!("lesson-{language}-{name}")))?;
            }
        }
    }
    fs::write(fresh.join("scenarios.txt"), packed_scenarios(shell)?)?;
    let order = (mode != Mode::Quick).then_some("--order");
    cmd!(shell, "cargo run --quiet --package locklab-web-build --features bindgen -- {compiled} {fresh} {order...}")
        .run()?;
    list_kept(&fresh)?;
    let dist = shell.current_dir().join("web/dist");
    replace(&fresh, &dist)?;
    let most = if has_own_library { MOST_GZIPPED } else { MOST_GZIPPED_PLAIN };
    report(&dist, (mode != Mode::Quick).then_some(most))
}

/// Whether the source of the standard library is installed.
fn has_library_source(shell: &Shell) -> bool {
    let sysroot = cmd!(shell, "rustc --print sysroot").quiet().read().unwrap_or_default();
    let found = Path::new(&sysroot).join("lib/rustlib/src/rust/library/Cargo.lock").is_file();
    if !found {
        println!(
            "The page becomes an eighth larger than it could be: `rustup component add rust-src` brings what is missing."
        );
    }
    found
}

/// The texts of all scenarios in one file, as `locklab_core::scenario::library::provide` takes them: the module carries none.
fn packed_scenarios(shell: &Shell) -> anyhow::Result<String> {
    let mut packed = String::new();
    for path in workspace::scenarios()? {
        let text = shell.read_file(&path)?;
        let name = path.strip_prefix("scenarios")?.with_extension("").display().to_string().replace('\\', "/");
        packed += &format!("\n=== {name}\n{text}");
    }
    Ok(packed)
}

/// Tells the service worker which files it is to keep for readers without a network: all of them.
fn list_kept(fresh: &Path) -> anyhow::Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(fresh)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        // The first page is kept under the folder's own name, and a service worker does not keep itself.
        if name != "index.html" && name != WORKER {
            names.push(format!("\"./{name}\""));
        }
    }
    names.sort();
    let worker = fs::read_to_string(fresh.join(WORKER))?;
    ensure!(worker.contains(NO_FILES), "the service worker has no list of files");
    let listed = worker.replace(NO_FILES, &format!("[\"./\", {}]", names.join(", ")));
    Ok(fs::write(fresh.join(WORKER), listed)?)
}

/// Puts the fresh folder in the place of the old one. Files that did not change keep their time, so that nothing is rebuilt
/// for them.
fn replace(fresh: &Path, dist: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(dist)?;
    for entry in fs::read_dir(dist)? {
        let old = entry?.path();
        let name = old.file_name().context("a file in a folder has a name")?;
        if name != KEPT && !fresh.join(name).is_file() {
            if old.is_dir() { fs::remove_dir_all(&old)? } else { fs::remove_file(&old)? }
        }
    }
    for entry in fs::read_dir(fresh)? {
        let new = entry?.path();
        ensure!(new.is_file(), "unexpected folder in the page: {}", new.display());
        let place = dist.join(new.file_name().context("a file in a folder has a name")?);
        let bytes = fs::read(&new)?;
        if fs::read(&place).ok().as_deref() != Some(bytes.as_slice()) {
            fs::write(&place, bytes)?;
        }
    }
    fs::remove_dir_all(fresh)?;
    Ok(())
}

/// Lists the files, and what a reader's browser loads of the module where the server compresses it.
///
/// # Errors
/// The module weighs more than it may.
fn report(dist: &Path, most: Option<usize>) -> anyhow::Result<()> {
    println!("The page is in web/dist:");
    let mut files = fs::read_dir(dist)?.collect::<Result<Vec<_>, _>>()?;
    files.sort_by_key(|file| file.file_name());
    for file in files {
        println!("{:>10} bytes  {}", file.metadata()?.len(), file.file_name().to_string_lossy());
    }
    if let Some(most) = most {
        let module = fs::read(dist.join("locklab_bg.wasm")).context("the page has no module")?;
        let gzipped = miniz_oxide::deflate::compress_to_vec(&module, 9).len() + GZIP_FRAME;
        println!("{gzipped:>10} bytes  of module, gzipped (wanted: at most {WANTED_GZIPPED}; allowed: {most})");
        ensure!(gzipped <= most, "the page's module is larger than it may be");
    }
    Ok(())
}
