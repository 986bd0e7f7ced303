//! `locklab`: see what a distributed lock really promises.

fn main() {}
