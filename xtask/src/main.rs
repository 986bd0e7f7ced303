//! Everything around the code: set-up, tests, the page, benchmarks.

fn main() {}
