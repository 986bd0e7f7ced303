//! Ctrl-C: asks a long command to end with what it knows.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use locklab_core::i18n::Text;
use locklab_core::say;
use serde::{Deserialize, Serialize};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Whether somebody has asked for the end: a person by Ctrl-C, an engine that runs jobs by SIGTERM.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<AtomicBool>);

/// Why a long command ended before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// Somebody asked for the end.
    Interrupted,
    /// The time is out.
    Time,
    /// The memory is used up.
    Memory,
}

impl Interrupt {
    /// Listens from here on. The first signal asks; a second one ends the program at once.
    pub fn listen() -> Interrupt {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // What a signal does is done in the order of registration: the first one finds the flag down. One that cannot be caught ends the program,
            // as it does without us.
            let _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&asked));
            let _ = flag::register(signal, Arc::clone(&asked));
        }
        Interrupt(asked)
    }

    /// Whether the end was asked for.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Stop {
    /// As the first words of a report say it.
    pub fn said(self) -> Text {
        match self {
            Stop::Interrupted => say!("interrupted", "已中断"),
            Stop::Time => say!("the budget ran out", "时间预算用尽"),
            Stop::Memory => say!("the memory ran out", "内存用尽"),
        }
    }
}
