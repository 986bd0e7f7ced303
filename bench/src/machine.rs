//! What all this was measured on.

use std::fmt;
use std::fs;

use serde::Serialize;

/// A machine.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    processor: String,
    cores: usize,
    memory_gb: u64,
    system: &'static str,
}

impl Machine {
    /// This one, as far as it tells.
    pub fn this() -> Machine {
        let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
        let field = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name))?;
            line.split_once(':').map(|(_, value)| value.trim().to_owned())
        };
        let memory = field(&read("/proc/meminfo"), "MemTotal");
        let kilobytes = memory.and_then(|memory| memory.split(' ').next()?.parse::<u64>().ok()).unwrap_or(0);
        Machine {
            processor: field(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| std::env::consts::ARCH.into()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_gb: (kilobytes + (1 << 19)) >> 20,
            system: std::env::consts::OS,
        }
    }

    /// How many cores.
    pub fn cores(&self) -> usize {
        self.cores
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}, {} cores, {} GB, {}", self.processor, self.cores, self.memory_gb, self.system)
    }
}
