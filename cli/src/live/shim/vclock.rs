//! The virtual clock of a real server: a tiny library that is preloaded into it and answers for the calendar clock.
//!
//! The build script compiles this file by itself. It needs nothing but the kernel: no allocation, no symbol look-up, since a
//! server's allocator asks for the time before anything else works. Only the calendar clock (`CLOCK_REALTIME` and its coarse
//! form) is answered for; the monotonic clock, by which a server's event loop runs, stays real.
//!
//! The file named by `LOCKLAB_CLOCK` holds two 64-bit numbers that the driver stores and this library reads: the instant at
//! which the clock stands still, in nanoseconds since 1970 (0: it runs), and an offset in nanoseconds that is added.

#![no_std]

use core::arch::asm;
use core::ffi::{c_char, c_int, c_long, c_void};
use core::ptr;
use core::sync::atomic::{AtomicI64, AtomicPtr, Ordering};

const REALTIME: c_int = 0;
const REALTIME_COARSE: c_int = 5;
const NANOS: i64 = 1_000_000_000;

#[repr(C)]
pub struct Timespec {
    seconds: i64,
    nanos: i64,
}

#[repr(C)]
pub struct Timeval {
    seconds: i64,
    micros: i64,
}

#[repr(C)]
struct Page {
    frozen: AtomicI64,
    offset: AtomicI64,
}

static PAGE: AtomicPtr<Page> = AtomicPtr::new(ptr::null_mut());

unsafe extern "C" {
    fn getenv(name: *const c_char) -> *const c_char;
}

/// Replaces the C library's function of this name.
///
/// # Safety
/// `out` is null or points to a `timespec`, as the C standard asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(id: c_int, out: *mut Timespec) -> c_int {
    if id != REALTIME && id != REALTIME_COARSE {
        let result = unsafe { system_call(number::CLOCK_GETTIME, [id as c_long, out as c_long, 0, 0, 0, 0]) };
        return if result < 0 { -1 } else { 0 };
    }
    let now = calendar();
    if !out.is_null() {
        unsafe { *out = Timespec { seconds: now.div_euclid(NANOS), nanos: now.rem_euclid(NANOS) } };
    }
    0
}

/// Replaces the C library's function of this name; the time zone is not filled in, as on Linux.
///
/// # Safety
/// `out` is null or points to a `timeval`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gettimeofday(out: *mut Timeval, _zone: *mut c_void) -> c_int {
    let now = calendar();
    if !out.is_null() {
        unsafe { *out = Timeval { seconds: now.div_euclid(NANOS), micros: now.rem_euclid(NANOS) / 1_000 } };
    }
    0
}

/// Replaces the C library's function of this name.
///
/// # Safety
/// `out` is null or points to a `time_t`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn time(out: *mut i64) -> i64 {
    let seconds = calendar().div_euclid(NANOS);
    if !out.is_null() {
        unsafe { *out = seconds };
    }
    seconds
}

/// The calendar clock in nanoseconds since 1970: frozen or real, plus the offset.
fn calendar() -> i64 {
    let Some(page) = page() else { return real() };
    let frozen = page.frozen.load(Ordering::Acquire);
    let base = if frozen == 0 { real() } else { frozen };
    base + page.offset.load(Ordering::Acquire)
}

fn real() -> i64 {
    let mut now = Timespec { seconds: 0, nanos: 0 };
    unsafe { system_call(number::CLOCK_GETTIME, [REALTIME as c_long, &raw mut now as c_long, 0, 0, 0, 0]) };
    now.seconds * NANOS + now.nanos
}

/// The driver's page, mapped at the first call that finds the file; `None` without one.
fn page() -> Option<&'static Page> {
    let known = PAGE.load(Ordering::Acquire);
    if !known.is_null() {
        return Some(unsafe { &*known });
    }
    const READ_ONLY: c_long = 0;
    const CLOSE_ON_EXEC: c_long = 0o2000000;
    const HERE: c_long = -100;
    const PROTECTION_READ: c_long = 1;
    const MAP_SHARED: c_long = 1;
    unsafe {
        let path = getenv(c"LOCKLAB_CLOCK".as_ptr());
        if path.is_null() {
            return None;
        }
        let file = system_call(number::OPENAT, [HERE, path as c_long, READ_ONLY | CLOSE_ON_EXEC, 0, 0, 0]);
        if file < 0 {
            return None;
        }
        let address = system_call(number::MMAP, [0, 4096, PROTECTION_READ, MAP_SHARED, file, 0]);
        system_call(number::CLOSE, [file, 0, 0, 0, 0, 0]);
        if (-4095..0).contains(&address) {
            return None;
        }
        let page = address as *mut Page;
        PAGE.store(page, Ordering::Release);
        Some(&*page)
    }
}

#[cfg(target_arch = "x86_64")]
mod number {
    use core::ffi::c_long;
    pub const CLOSE: c_long = 3;
    pub const MMAP: c_long = 9;
    pub const CLOCK_GETTIME: c_long = 228;
    pub const OPENAT: c_long = 257;
}

#[cfg(target_arch = "x86_64")]
unsafe fn system_call(number: c_long, arguments: [c_long; 6]) -> c_long {
    let result;
    let [a, b, c, d, e, f] = arguments;
    unsafe {
        asm!("syscall", inlateout("rax") number => result, in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e,
            in("r9") f, lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    result
}

#[cfg(target_arch = "aarch64")]
mod number {
    use core::ffi::c_long;
    pub const OPENAT: c_long = 56;
    pub const CLOSE: c_long = 57;
    pub const CLOCK_GETTIME: c_long = 113;
    pub const MMAP: c_long = 222;
}

#[cfg(target_arch = "aarch64")]
unsafe fn system_call(number: c_long, arguments: [c_long; 6]) -> c_long {
    let result;
    let [a, b, c, d, e, f] = arguments;
    unsafe {
        asm!("svc 0", in("x8") number, inlateout("x0") a => result, in("x1") b, in("x2") c, in("x3") d, in("x4") e,
            in("x5") f, options(nostack));
    }
    result
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
