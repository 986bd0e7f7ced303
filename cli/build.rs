//! What is inside the program beside its code: the virtual clock, and the page.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = "src/live/shim/vclock.rs";

/// Where `cargo xtask web` puts the page. The folder is always there, so that cargo can watch it.
const PAGE: &str = "../web/dist";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    build_virtual_clock();
    embed_page();
}

/// Builds the virtual clock that live runs preload into a real server, with the compiler that builds everything else.
///
/// Where it cannot be built (not Linux, another processor) the program does without, and live runs use the wall clock.
fn build_virtual_clock() {
    println!("cargo::rerun-if-changed={SOURCE}");
    println!("cargo::rustc-check-cfg=cfg(virtual_clock)");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let supported = variable("CARGO_CFG_TARGET_OS") == "linux"
        && ["x86_64", "aarch64"].contains(&variable("CARGO_CFG_TARGET_ARCH").as_str());
    if !supported {
        return;
    }
    let library = Path::new(&variable("OUT_DIR")).join("libvclock.so");
    let mut compiler = Command::new(variable("RUSTC"));
    compiler.args(["--edition=2024", "--crate-type=cdylib", "--crate-name=vclock", "-Copt-level=2", "-Cpanic=abort"]);
    compiler.args(["-Cstrip=symbols", "-o"]).arg(&library).arg(SOURCE);
    if variable("TARGET") != variable("HOST") {
        compiler.args(["--target", &variable("TARGET")]);
        if let Ok(linker) = env::var("RUSTC_LINKER") {
            compiler.arg(format!("-Clinker={linker}"));
        }
    }
    match compiler.output() {
        Ok(output) if output.status.success() => println!("cargo::rustc-cfg=virtual_clock"),
        Ok(output) => {
            println!("cargo::warning=no virtual clock: {}", String::from_utf8_lossy(&output.stderr).replace('\n', " "))
        }
        Err(error) => println!("cargo::warning=no virtual clock: {error}"),
    }
}

/// Writes the list of the page's files, each with its bytes. It is empty if the page has not been built: the program then
/// names the command that does.
fn embed_page() {
    println!("cargo::rerun-if-changed={PAGE}");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo names the package's folder")).join(PAGE);
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.filter(|entry| entry.path().is_file()).map(|entry| entry.file_name()).collect();
    files.retain(|name| name != ".gitignore");
    files.sort();
    let mut list = String::from("pub const FILES: &[(&str, &[u8])] = &[\n");
    for name in files {
        let name = name.to_str().expect("the page's files have plain names");
        let path = folder.join(name);
        list.push_str(&format!("    ({name:?}, include_bytes!({:?})),\n", path.display().to_string()));
    }
    list.push_str("];\n");
    let place = Path::new(&env::var("OUT_DIR").expect("cargo names a folder for what is generated")).join("page.rs");
    fs::write(place, list).expect("cargo's folder can be written to");
}
