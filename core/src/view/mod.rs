//! Drawing: a history becomes a scene, and a scene becomes a text timeline, an SVG or a page of its own.
//!
//! ```text
//! History --- scene ---> Scene (lanes, bars, marks, exchanges: integers only)
//!    |                     +-- text ---> swimlanes for a terminal, and the golden timelines
//!    |                     +-- axis ---> where an instant lies on the page, and back
//!    |                     +-- svg  ---> one drawing, themed by classes
//!    |                     +-- html ---> the drawing with a cursor, in one file
//!    +-- moment -------> what every machine knew at one instant, for the cursor
//! ```
//!
//! Nothing here knows a lock, a server or a scenario: a live run is drawn by the same pen.

mod axis;
pub mod chart;
mod difference;
#[cfg(test)]
mod examples;
mod highlight;
mod html;
mod moment;
mod scene;
mod state;
mod step;
pub mod svg;
mod text;

pub use axis::{Axis, AxisMode};
pub use difference::{Difference, differences};
pub use html::html;
pub use moment::{Belief, CellMoment, ClientMoment, Lease, Moment, Moments, NodeMoment};
pub use scene::{
    Bar, BarKind, Element, Exchange, ExchangeTarget, Fold, Highlight, Lane, LaneId, Mark, MarkKind, NoElement, Point,
    Scene, Tone, Weight, Whose, scene,
};
pub use state::StateLine;
pub use step::{Step, steps};
pub use text::{Fragment, Line, Style, Timeline, timeline};
