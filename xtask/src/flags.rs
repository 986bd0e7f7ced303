//! The commands and flags of `cargo xtask`.

xflags::xflags! {
    /// Everything around the code: set-up, tests, the page, benchmarks.
    cmd xtask {
        /// Install what the tests need (on Debian, as root), or say what to install.
        cmd setup {}

        /// Run everything that must hold; installs what is missing first.
        cmd test {
            /// Only these sections, or the tests of these packages: `--only tidy,core`.
            optional --only names: String
        }

        /// Check the project's own lints: imports, lengths, pairs of files, translations.
        cmd tidy {}

        /// Accept the present drawings: rewrite the expected timelines. Read the difference before you commit it.
        cmd bless {}

        /// Write what `locklab compare` finds into the README and the docs. Read the difference before you commit it.
        cmd matrix {}

        /// Measure simulator and search, and write the figures into docs/performance.md and docs/zh/performance.md. Takes about three minutes, on a
        /// machine that has nothing else to do.
        cmd performance {}

        /// Take the pictures of the README and the docs anew, in a real browser. Look at them before you commit them.
        cmd pictures {}

        /// Build the page into `web/dist`, for `locklab serve` or any static server.
        cmd web {
            /// Compile quickly instead of small: for work on the page.
            optional --quick
        }

        /// Throw random and mutated inputs at every parser.
        cmd fuzz {
            /// How long each target runs, in seconds; 60 unless said.
            optional --seconds seconds: u64
            /// Only this target.
            optional --target name: String
            /// The seed of the first input; 0 unless said.
            optional --seed seed: u64
        }

        /// Measure: `simulator` (Redis commands a second, beside turmoil), `search` (states a second, beside stateright; what a search costs as the
        /// work grows), `web` (the page in a real browser).
        cmd bench {
            /// What is measured; nothing said, the simulator.
            optional what: String
            /// Write the figures to this file too, as JSON.
            optional --json file: PathBuf
        }
    }
}

use std::path::PathBuf;
