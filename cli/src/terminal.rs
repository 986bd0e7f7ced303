//! Where the words go: how wide it is, and in which colours.
//!
//! Text is always written with its colours; `anstream` takes them out again where nobody would see them (no terminal, `NO_COLOR`, `CLICOLOR=0`).

use anstyle::{AnsiColor, Style};
use locklab_core::view;

/// The width of a report that no terminal shows.
const WIDTH: usize = 100;

/// The narrowest report.
const NARROWEST: usize = 40;

/// Something broke, or is wrong.
pub const ALARM: Style = AnsiColor::Red.on_default().bold();
/// Something is fine.
pub const FINE: Style = AnsiColor::Green.on_default().bold();
/// What to do.
pub const HINT: Style = AnsiColor::Cyan.on_default().bold();
/// A heading.
pub const STRONG: Style = Style::new().bold();
/// What is there for orientation.
pub const FAINT: Style = Style::new().dimmed();

/// The clients' colours, in turn: all told apart by people who do not see red and green apart.
const CLIENTS: [AnsiColor; 4] = [AnsiColor::Blue, AnsiColor::Yellow, AnsiColor::Magenta, AnsiColor::Cyan];

/// The width of the terminal on the standard output, else 100 columns.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(WIDTH, |(width, _)| usize::from(width.0).max(NARROWEST))
}

/// The colours of a piece of a timeline.
pub fn style(style: view::Style) -> Style {
    match style {
        view::Style::Plain => Style::new(),
        view::Style::Faint => FAINT,
        view::Style::Heading => STRONG,
        view::Style::Client(client) => CLIENTS[usize::from(client.0) % CLIENTS.len()].on_default(),
        view::Style::Fault => AnsiColor::Yellow.on_default().bold(),
        view::Style::Broken => ALARM,
        view::Style::Refused => FINE,
    }
}
