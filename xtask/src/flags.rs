//! The commands and flags of `cargo xtask`.

xflags::xflags! {
    /// Everything around the code: set-up, tests, the page, benchmarks.
    cmd xtask {
        /// Build the page into `web/dist`, for `locklab serve` or any static server.
        cmd web {
            /// Compile quickly instead of small: for work on the page.
            optional --quick
        }
    }
}
