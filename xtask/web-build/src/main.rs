//! Turns the page's WebAssembly, as rustc leaves it, into the module and the script that a browser loads.
//!
//! The library must be of exactly the version of `wasm-bindgen` that the page was compiled with: both are pinned side by
//! side in the workspace's `Cargo.toml`, so there is no tool to install and no version to match.

mod order;

use std::fs;
use std::path::Path;

use anyhow::Context;

const USAGE: &str = "usage: locklab-web-build FILE.wasm FOLDER [--order]";

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(wasm), Some(folder), order, None) =
        (arguments.next(), arguments.next(), arguments.next(), arguments.next())
    else {
        anyhow::bail!(USAGE);
    };
    anyhow::ensure!(order.as_ref().is_none_or(|order| order == "--order"), USAGE);
    wasm_bindgen_cli_support::Bindgen::new()
        .input_path(&wasm)
        .out_name("locklab")
        .web(true)?
        .typescript(false)
        // The script finds its module beside itself, wherever the folder is.
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(&folder)
        .with_context(|| format!("cannot turn {} into a page's module", wasm.display()))?;
    if order.is_none() {
        return Ok(());
    }
    let module = Path::new(&folder).join("locklab_bg.wasm");
    let reordered = order::reordered(&fs::read(&module)?).map_err(|error| anyhow::anyhow!("{error}"))?;
    fs::write(&module, reordered).with_context(|| format!("cannot write {}", module.display()))
}
