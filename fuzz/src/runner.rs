//! Running one target, and keeping the input that was too much for it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{fs, process, thread};

use crate::mutator::Mutator;
use crate::targets::Target;

/// How long one input may take. Generous: the machine may be busy with other things, and a hang is longer than anything.
const LIMIT: Duration = Duration::from_secs(20);

/// The input that is being tried, and since when.
type Current = Arc<Mutex<Option<(Instant, Vec<u8>)>>>;

/// Tries inputs until the time is over; answers whether all went well.
pub fn run(target: &'static Target, time: Duration, seed: u64) -> bool {
    let samples = (target.samples)();
    let mut mutator = Mutator::new(seed, target.words);
    let current = Current::default();
    watch(target, Arc::clone(&current));
    let start = Instant::now();
    let mut count = 0_u64;
    // What is good as it is must be survived too.
    let mut inputs = samples.clone().into_iter();
    while start.elapsed() < time {
        let input = inputs.next().unwrap_or_else(|| mutator.next(&samples));
        *current.lock().expect("nobody panics with this lock") = Some((Instant::now(), input.clone()));
        if !survives(target, &input) {
            report(target, "panicked", &input);
            return false;
        }
        *current.lock().expect("nobody panics with this lock") = None;
        count += 1;
    }
    println!("{}: {count} inputs from seed {seed} in {} s", target.name, start.elapsed().as_secs());
    true
}

/// Tries one input.
pub fn try_one(target: &Target, input: &[u8]) -> bool {
    let start = Instant::now();
    let survived = survives(target, input);
    println!(
        "{}: {} in {} ms",
        target.name,
        if survived { "survived" } else { "panicked" },
        start.elapsed().as_millis()
    );
    survived
}

fn survives(target: &Target, input: &[u8]) -> bool {
    catch_unwind(AssertUnwindSafe(|| (target.run)(input))).is_ok()
}

/// Ends the process if one input takes too long: nothing else could.
fn watch(target: &'static Target, current: Current) {
    thread::spawn(move || {
        loop {
            thread::sleep(Duration::from_secs(1));
            let current = current.lock().expect("nobody panics with this lock");
            if let Some((since, input)) = &*current
                && since.elapsed() > LIMIT
            {
                report(target, "hangs", input);
                process::exit(1);
            }
        }
    });
}

fn report(target: &Target, what: &str, input: &[u8]) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("artifacts");
    let file = folder.join(format!("{}-{what}", target.name));
    let kept = fs::create_dir_all(&folder).and_then(|()| fs::write(&file, input));
    eprintln!("{} {what} on an input of {} bytes:\n{}", target.name, input.len(), String::from_utf8_lossy(input));
    match kept {
        Ok(()) => eprintln!(
            "again: cargo run -p locklab-fuzz -- {} --input fuzz/artifacts/{}-{what}",
            target.name, target.name
        ),
        Err(error) => eprintln!("the input could not be kept: {error}"),
    }
}
