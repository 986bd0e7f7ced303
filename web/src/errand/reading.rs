//! Reading a history that came from who knows where, as an errand: what takes long or ends in tears does so beside the page.

use locklab_core::check;
use locklab_core::history::History;
use locklab_core::i18n::Text;
use locklab_core::say;
use locklab_core::view::{Highlight, scene, steps};

/// The most events of a history that the page draws without stutter.
const MOST_EVENTS: usize = 50_000;

/// The most machines: more lanes than that are no drawing.
const MOST_LANES: usize = 200;

/// Does with a text all that the page would do.
pub(super) fn read(text: &str) -> Result<(), Text> {
    let history = History::from_lines(text).map_err(|error| error.message())?;
    let header = &history.header;
    let (events, lanes) = (history.events.len(), header.clients.len() + header.nodes.len() + header.locks.len());
    if events > MOST_EVENTS || lanes > MOST_LANES {
        return Err(say!(
            "it has {events} events and {lanes} machines and locks; the page draws at most {most} and {wide}",
            "它有 {events} 个事件、{lanes} 台机器和锁；网页最多画 {most} 个和 {wide} 个",
            events = events as u64,
            lanes = lanes as u64,
            most = MOST_EVENTS as u64,
            wide = MOST_LANES as u64
        ));
    }
    let report = check::check(&history);
    let scene = scene(&history, Highlight::of(&report, header));
    match steps(&scene).is_empty() {
        true => Err(say!("nothing happens in it", "里面什么也没有发生")),
        false => Ok(()),
    }
}
