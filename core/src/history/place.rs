//! Where a run took place.

use std::fmt;

use crate::i18n::Text;
use crate::say;

/// Where a run took place. Its text is that of a history's `played_on`, and reads back as the same place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// In the simulator: `sim`.
    #[default]
    Simulator,
    /// On real servers: `redis 7.0.15, virtual clock`.
    Servers {
        /// What they are, with their version.
        servers: String,
        /// Whose time it was.
        clock: PlaceClock,
    },
    /// What another program says.
    Elsewhere(String),
}

/// Whose time it was on real servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceClock {
    /// The simulator's.
    Virtual,
    /// The wall's.
    Wall,
}

impl Place {
    /// The place, for a reader.
    pub fn words(&self) -> Text {
        match self {
            Place::Simulator => say!("the simulator", "模拟器"),
            Place::Servers { servers, clock } => {
                let clock = match clock {
                    PlaceClock::Virtual => say!("virtual clock", "虚拟时钟"),
                    PlaceClock::Wall => say!("wall clock", "真实时钟"),
                };
                say!("{servers}, {clock}", "{servers}，{clock}", servers = servers.as_str(), clock = clock)
            }
            Place::Elsewhere(words) => Text::same(words.as_str()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Simulator => f.write_str("sim"),
            Place::Servers { servers, clock: PlaceClock::Virtual } => write!(f, "{servers}, virtual clock"),
            Place::Servers { servers, clock: PlaceClock::Wall } => write!(f, "{servers}, wall clock"),
            Place::Elsewhere(words) => f.write_str(words),
        }
    }
}

impl From<&str> for Place {
    fn from(text: &str) -> Place {
        let on = |servers: &str, clock| Place::Servers { servers: servers.to_owned(), clock };
        match text.rsplit_once(", ") {
            Some((servers, "virtual clock")) => on(servers, PlaceClock::Virtual),
            Some((servers, "wall clock")) => on(servers, PlaceClock::Wall),
            _ if text == "sim" => Place::Simulator,
            _ => Place::Elsewhere(text.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_reads_back_as_it_was_written() {
        for text in
            ["sim", "redis 7.0.15, virtual clock", "etcd 3.4.23, wall clock", "a, b, wall clock", "", "nowhere, soon"]
        {
            assert_eq!(Place::from(text).to_string(), text);
        }
        let live = Place::from("redis 7.0.15, virtual clock");
        assert_eq!(live.words().zh, "redis 7.0.15，虚拟时钟");
        assert_eq!(live, Place::Servers { servers: "redis 7.0.15".into(), clock: PlaceClock::Virtual });
        assert_eq!(Place::from("").words(), Text::default());
    }
}
