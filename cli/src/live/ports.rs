//! Loopback ports for servers, each handed out once.
//!
//! Asking the system for a free port and closing it again is a race: two servers can be given the same one. These ports lie
//! below the range from which systems choose by themselves, and a process never hands one out twice.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use super::error::LiveError;

const FIRST: u32 = 10_000;
const COUNT: u32 = 22_700;
/// Processes that run at the same time start this far apart.
const STRIDE: u32 = 64;

static HANDED_OUT: AtomicU32 = AtomicU32::new(0);

/// A port that nobody listens on.
pub fn free_port() -> Result<u16, LiveError> {
    let none_left = || io::Error::new(io::ErrorKind::AddrInUse, "none is left between 10000 and 32700");
    next().ok_or_else(none_left).map_err(LiveError::system("find a free port", "找到空闲端口"))
}

/// A port that nobody listened on just now; `None` when all have been handed out.
fn next() -> Option<u16> {
    let start = process::id().wrapping_mul(STRIDE) % COUNT;
    loop {
        let index = HANDED_OUT.fetch_add(1, Ordering::Relaxed);
        if index >= COUNT {
            return None;
        }
        let port = u16::try_from(FIRST + (start + index) % COUNT).expect("the range ends below 65536");
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Some(port);
        }
    }
}
