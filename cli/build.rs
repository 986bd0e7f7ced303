//! Builds the virtual clock that live runs preload into a real server, with the compiler that builds everything else.
//!
//! Where it cannot be built (not Linux, another processor) the program does without, and live runs use the wall clock.

use std::env;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = "src/live/shim/vclock.rs";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
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
