//! The virtual clock of a real server, from the driver's side.
//!
//! *Idea.* A small library (`vclock.rs`, built and embedded by the build script) is preloaded into redis-server and answers for
//! its calendar clock. Both sides map one 16-byte file; the driver stores the instant at which the server's clock stands still.
//! The server's monotonic clock, by which its event loop runs, is never touched.
//!
//! *Limits.* Linux on x86-64 and aarch64. Valkey 9 caches its clock between commands and lags behind; Redis 6 to 8 and
//! Valkey 8 follow exactly.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};

use memmap2::MmapMut;

/// The preloaded library's bytes; `None` where it could not be built.
const LIBRARY: Option<&[u8]> = {
    #[cfg(virtual_clock)]
    {
        Some(include_bytes!(concat!(env!("OUT_DIR"), "/libvclock.so")))
    }
    #[cfg(not(virtual_clock))]
    {
        None
    }
};

/// The library on disk, ready to be preloaded.
#[derive(Clone, Debug)]
pub struct Shim {
    library: PathBuf,
}

impl Shim {
    /// Writes the library into `folder`; `None` where this machine has no virtual clock.
    pub fn install(folder: &Path) -> io::Result<Option<Shim>> {
        let Some(bytes) = LIBRARY else { return Ok(None) };
        let library = folder.join("libvclock.so");
        fs::write(&library, bytes)?;
        Ok(Some(Shim { library }))
    }

    /// A clock of its own, standing still at `unix_micros`, in a file `name` beside the library.
    pub fn clock(&self, name: &str, unix_micros: i64) -> io::Result<ServerClock> {
        ServerClock::create(self.library.clone(), self.library.with_file_name(format!("{name}.clock")), unix_micros)
    }
}

/// One server's calendar clock, moved by the driver.
#[derive(Debug)]
pub struct ServerClock {
    library: PathBuf,
    file: PathBuf,
    page: MmapMut,
}

impl ServerClock {
    fn create(library: PathBuf, file: PathBuf, unix_micros: i64) -> io::Result<ServerClock> {
        let handle = fs::OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&file)?;
        handle.set_len(16)?;
        #[expect(unsafe_code, reason = "the file is this run's own, 16 bytes long, and is never truncated")]
        let page = unsafe { MmapMut::map_mut(&handle)? };
        let clock = ServerClock { library, file, page };
        clock.freeze(unix_micros);
        Ok(clock)
    }

    /// Lets the clock stand still at this instant, in microseconds since 1970.
    ///
    /// An instant of 0 or before is moved to the first nanosecond of 1970: servers know no earlier time.
    pub fn freeze(&self, unix_micros: i64) {
        self.number(0).store(unix_micros.saturating_mul(1_000).max(1), Ordering::Release);
    }

    /// Lets the clock run with real time.
    pub fn run(&self) {
        self.number(0).store(0, Ordering::Release);
    }

    /// Sets what is added to the clock, frozen or running, in microseconds.
    pub fn set_offset(&self, micros: i64) {
        self.number(1).store(micros.saturating_mul(1_000), Ordering::Release);
    }

    /// The environment under which a server follows this clock.
    pub fn environment(&self) -> [(&'static str, OsString); 2] {
        [("LD_PRELOAD", self.library.clone().into()), ("LOCKLAB_CLOCK", self.file.clone().into())]
    }

    fn number(&self, index: usize) -> &AtomicI64 {
        assert!(index < 2, "the page holds two numbers");
        #[expect(
            unsafe_code,
            reason = "both sides use the mapped page only through atomics; it is page-aligned and 16 bytes long"
        )]
        unsafe {
            &*self.page.as_ptr().cast::<AtomicI64>().add(index)
        }
    }
}
