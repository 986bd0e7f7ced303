//! How many Redis commands a second are simulated on one core, with and without a history, beside the same workload written
//! on turmoil: five clients that contend for one lock.
//!
//! The three are measured in turn, several times over, so that whatever else the machine does meets all of them. What counts
//! is the best round of each: noise only ever slows down. The run that keeps a history comes last, since the memory that it gives back
//! is put in order by whoever asks for some next, and turmoil's run is so long that it does not notice.

mod figures;
mod locklab;
mod on_turmoil;
mod workload;

use anyhow::Context;

pub use figures::Figures;
use figures::Measured;
use locklab::Locklab;
use workload::WORKLOAD;

/// How often each is measured.
const ROUNDS: u32 = 3;

/// Measures.
pub fn measure() -> anyhow::Result<Figures> {
    let locklab = Locklab::new(&WORKLOAD)?;
    let mut best: Option<[Measured; 3]> = None;
    for _ in 0..ROUNDS {
        let round = [
            Measured::of(|| on_turmoil::play(&WORKLOAD))?,
            Measured::of(|| locklab.play_without_history())?,
            Measured::of(|| locklab.play_with_history())?,
        ];
        best = Some(match best {
            None => round,
            Some([a, b, c]) => [a.better(round[0]), b.better(round[1]), c.better(round[2])],
        });
    }
    let [turmoil, without_history, with_history] = best.context("no round was run")?;
    Ok(Figures::new(WORKLOAD, turmoil, with_history, without_history))
}

#[cfg(test)]
mod tests {
    use super::workload::Workload;
    use super::*;

    /// They end a little differently: here the world stops, there each client ends what it has begun.
    #[test]
    fn both_simulators_do_the_same_work() -> anyhow::Result<()> {
        let short = Workload { simulated_ms: 1_000, ..WORKLOAD };
        let locklab = Locklab::new(&short)?;
        let (here, there) = (locklab.play_with_history()?, on_turmoil::play(&short)?);
        let begun = u64::from(short.clients) * 2;
        assert!(here.commands.abs_diff(there.commands) <= begun, "{here:?} {there:?}");
        assert!(
            here.grants.zip(there.grants).is_some_and(|(here, there)| here.abs_diff(there) <= 1),
            "{here:?} {there:?}"
        );
        assert_eq!(here.commands, locklab.play_without_history()?.commands);
        Ok(())
    }
}
