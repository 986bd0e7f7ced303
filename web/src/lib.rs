//! The page of Locklab: choose a scenario and a lock, step through what happens, read why.
//!
//! State changes in a pure reducer ([`State`]), drawing is a pure function of the core's timeline scene, and components stay
//! thin: both halves are tested natively. Only [`browser`] touches the window, the address bar and what the browser keeps.

pub mod browser;
mod component;
pub mod errand;
mod state;
mod words;

pub use component::{App, AppProperties};
pub use locklab_core::view::svg::Theme;
pub use state::{
    Action, Amount, Apart, Asked, BOUND, Blow, Branches, Brought, Chase, Class, Comparison, Cursor, Draft, Entry,
    Finding, Findings, Game, Hold, Hunt, Knob, LARGEST_FILE, Look, MODELS, MOST_BESIDE, Move, Open, Overall, Par,
    Piece, Played, Reading, Run, Seek, Sheet, Source, Speed, Spot, Spotted, Stage, State, Struck, Study, Survey, TRACK,
    Trouble, Try, Turn, Turned, View, Weigh, Window,
};
pub use words::{Words, theme, topic, words};
