//! What can be typed after `locklab`.

use clap::{Parser, Subcommand};

use crate::serve;

/// See what a distributed lock really promises.
#[derive(Debug, Parser)]
#[command(version)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What `locklab` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the page to this machine's browsers.
    Serve {
        /// The port on 127.0.0.1; 0 takes any that is free.
        #[arg(long, default_value_t = serve::DEFAULT_PORT)]
        port: u16,
    },
}
