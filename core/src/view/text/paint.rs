//! Painting: the rows of the story onto lines of characters.

use unicode_width::UnicodeWidthStr;

use super::columns::{Column, Columns, columns};
use super::rows::{Arrow, Row, Way, rows};
use super::wrap::{cut, wrap};
use super::{Fragment, Line, Style, Timeline};
use crate::i18n::{Language, Text};
use crate::time::{Span, Time};
use crate::view::{Bar, BarKind, Highlight, LaneId, Point, Scene, Tone, Whose};

/// A silence of at least this length is shown by a row of its own.
const SILENCE: Span = Span::from_millis(500);

/// The most rows of a story that a person reads in a terminal; of a longer one the middle is left out.
const MOST_ROWS: usize = 2_000;

/// How many of them are its beginning.
const FIRST_ROWS: usize = 1_500;

pub(super) fn paint(scene: &Scene, language: Language, width: usize) -> Timeline {
    let rows = rows(scene);
    let heading = Text::new("time", "时间");
    let heading = heading.in_language(language);
    let time = rows.iter().map(|row| row.at.at.to_string().len()).chain([heading.width(), 8]).max().unwrap_or(8);
    let columns = columns(scene, language, width, time);
    let highlights = scene.highlights.iter().map(|highlight| (highlight, highlight.begins(scene))).collect();
    let painter = Painter { scene, language, columns, bars: bars_by_lane(scene), highlights };
    let mut lines = vec![painter.heading(heading)];
    let mut seen = Seen::default();
    let mut last: Option<Time> = None;
    let left_out = rows.len().saturating_sub(MOST_ROWS);
    for (index, row) in rows.iter().enumerate() {
        if (FIRST_ROWS..FIRST_ROWS + left_out).contains(&index) {
            if index == FIRST_ROWS {
                lines.push(painter.left_out(left_out, width));
            }
            continue;
        }
        if last.is_some_and(|last| row.at.at.since(last) >= SILENCE) && !painter.columns.lanes.is_empty() {
            lines.push(painter.silence(row, &mut seen));
        }
        painter.row(row, last == Some(row.at.at), &mut seen, &mut lines);
        last = Some(row.at.at);
    }
    lines.extend(painter.legend(&seen, width));
    Timeline { lines }
}

/// Which signs were used, and so belong in the legend.
#[derive(Default)]
struct Seen {
    waiting: bool,
    inside: bool,
    stopped: bool,
    stopped_inside: bool,
    down: bool,
    broken: bool,
    fault: bool,
}

struct Painter<'s> {
    scene: &'s Scene,
    language: Language,
    columns: Columns,
    bars: Vec<Vec<&'s Bar>>,
    highlights: Vec<(&'s Highlight, Point)>,
}

/// What a lane shows beside and at its lifeline.
struct Sign {
    char: char,
    style: Style,
    beside: String,
}

impl Painter<'_> {
    fn heading(&self, time: &str) -> Line {
        let mut canvas = Canvas::default();
        canvas.put(self.columns.time - time.width(), time, Style::Faint);
        for column in &self.columns.lanes {
            canvas.put(self.lanes_at() + column.name_at, &column.name, Style::Heading);
        }
        canvas.line()
    }

    fn row(&self, row: &Row, repeats: bool, seen: &mut Seen, lines: &mut Vec<Line>) {
        let indent = if self.columns.words < 20 { 0 } else { 2 };
        let words = wrap(row.words.in_language(self.language), self.columns.words, self.columns.words - indent);
        for (index, words) in words.iter().enumerate() {
            let mut canvas = Canvas::default();
            let first = index == 0;
            if first && !repeats {
                let time = row.at.at.to_string();
                canvas.put(self.columns.time - time.len(), &time, Style::Plain);
            }
            self.gutter(&mut canvas, row, first, seen);
            let signs = self.signs(row.state, seen);
            self.lifelines(&mut canvas, &signs, if first { row.arrow.as_ref() } else { None }, row.style);
            canvas.put(self.words_at() + if first { 0 } else { indent }, words, row.style);
            lines.push(canvas.line());
        }
    }

    /// Where the middle of a long story would stand.
    fn left_out(&self, rows: usize, width: usize) -> Line {
        let words = Text::new(format!("… {rows} rows are left out here"), format!("……此处略去 {rows} 行"));
        let mut canvas = Canvas::default();
        canvas.put(0, &cut(words.in_language(self.language), width), Style::Faint);
        canvas.line()
    }

    /// The lanes alone: time passes and nothing happens.
    fn silence(&self, next: &Row, seen: &mut Seen) -> Line {
        let mut canvas = Canvas::default();
        canvas.put(self.columns.time - 1, "·", Style::Faint);
        let before = self.scene.times.partition_point(|time| *time < next.at.at).max(1) as u32 - 1;
        if self.is_broken(self.scene.times[before as usize], before) {
            canvas.put(self.columns.time + 2, "!", Style::Broken);
        }
        let signs = self.signs(before, seen);
        self.lifelines(&mut canvas, &signs, None, Style::Plain);
        canvas.line()
    }

    /// One sign before the lanes: `!` while a promise is broken, `*` where a fault strikes.
    fn gutter(&self, canvas: &mut Canvas, row: &Row, first: bool, seen: &mut Seen) {
        let at = self.columns.time + 2;
        if self.is_broken(row.at.at, row.at.event) || row.style == Style::Broken {
            seen.broken = true;
            canvas.put(at, "!", Style::Broken);
        } else if row.style == Style::Fault && first {
            seen.fault = true;
            canvas.put(at, "*", Style::Fault);
        }
    }

    fn is_broken(&self, at: Time, event: u32) -> bool {
        let covers = |(highlight, begins): &(&Highlight, Point)| {
            begins.event <= event && begins.at <= at && at < highlight.until
        };
        self.highlights.iter().any(covers)
    }

    /// What each lane shows after an event.
    fn signs(&self, event: u32, seen: &mut Seen) -> Vec<Sign> {
        self.columns
            .lanes
            .iter()
            .map(|column| {
                let active = self.bars[usize::from(column.lane.0)]
                    .iter()
                    .copied()
                    .filter(move |bar| bar.from.event <= event && (event < bar.until.event || bar.open));
                self.sign(column, active.collect(), seen)
            })
            .collect()
    }

    fn sign(&self, column: &Column, active: Vec<&Bar>, seen: &mut Seen) -> Sign {
        let find = |kind: BarKind| active.iter().find(|bar| bar.kind == kind);
        let sign = |char, style| Sign { char, style, beside: String::new() };
        match self.scene.lanes[usize::from(column.lane.0)].whose {
            Whose::Client(client) => {
                let inside = find(BarKind::Section).is_some();
                if find(BarKind::Dead).is_some() {
                    return sign(' ', Style::Plain);
                }
                if find(BarKind::Paused).is_some() {
                    seen.stopped |= !inside;
                    seen.stopped_inside |= inside;
                    return sign(if inside { '▒' } else { '░' }, Style::Client(client));
                }
                if inside {
                    seen.inside = true;
                    return sign('█', Style::Client(client));
                }
                if find(BarKind::Waiting).is_some() {
                    seen.waiting = true;
                    return sign('┊', Style::Client(client));
                }
                sign('│', Style::Faint)
            }
            Whose::Lock(_) | Whose::Node(_) => {
                if find(BarKind::Down).is_some() {
                    seen.down = true;
                    return sign('╳', Style::Fault);
                }
                let holders: Vec<&&Bar> =
                    active.iter().filter(|bar| matches!(bar.kind, BarKind::Lease | BarKind::Record)).collect();
                let Some(bar) = holders.first() else { return sign('│', Style::Faint) };
                let names: Vec<&str> = holders.iter().map(|bar| bar.label.in_language(self.language)).collect();
                let style = match bar.tone {
                    Tone::Client(client) => Style::Client(client),
                    _ => Style::Plain,
                };
                Sign { char: '█', style, beside: names.join(",") }
            }
            Whose::Resource | Whose::Faults => sign('│', Style::Faint),
        }
    }

    fn lifelines(&self, canvas: &mut Canvas, signs: &[Sign], arrow: Option<&Arrow>, style: Style) {
        let left = self.lanes_at();
        for (column, sign) in self.columns.lanes.iter().zip(signs) {
            canvas.put(left + column.center, &sign.char.to_string(), sign.style);
            if !sign.beside.is_empty() && column.beside > 2 {
                canvas.put(left + column.center + 1, &cut(&sign.beside, column.beside - 1), sign.style);
            }
        }
        if let Some(arrow) = arrow {
            self.arrow(canvas, arrow, style);
        }
    }

    fn arrow(&self, canvas: &mut Canvas, arrow: &Arrow, style: Style) {
        let center =
            |lane: LaneId| self.columns.lanes.iter().find(|column| column.lane == lane).map(|column| column.center);
        let (Some(client), Some(server)) = (center(arrow.client), center(arrow.server)) else { return };
        let (from, to) = (self.lanes_at() + client, self.lanes_at() + server);
        let end = match arrow.way {
            Way::There | Way::Resource(_) | Way::Back => to,
            Way::Leaves | Way::Dies => from + (to - from) / 2 + 1,
        };
        canvas.join(from, style);
        for at in from + 1..end {
            canvas.cross(at, style);
        }
        match arrow.way {
            Way::There => canvas.put(to - 1, "▶", style),
            Way::Resource(sign) => {
                canvas.put(to - 1, "▶", style);
                canvas.put(to, &sign.to_string(), style);
            }
            Way::Leaves => canvas.put(end, "╴", style),
            Way::Dies => canvas.put(end, "x", style),
            Way::Back => canvas.put(from + 1, "◀", style),
        }
    }

    /// Explains the signs that were used, where lanes are shown at all.
    fn legend(&self, seen: &Seen, width: usize) -> Vec<Line> {
        if self.columns.lanes.is_empty() {
            return Vec::new();
        }
        let signs = [
            (
                seen.inside,
                Text::new(
                    "█ holds (client: believes; server: by its records)",
                    "█ 持有（客户端：自认为；服务器：按记录）",
                ),
            ),
            (seen.waiting, Text::new("┊ waits", "┊ 等待")),
            (seen.stopped_inside, Text::new("▒ stopped while holding", "▒ 持有时停顿")),
            (seen.stopped, Text::new("░ stopped", "░ 停顿")),
            (seen.down, Text::new("╳ down", "╳ 宕机")),
            (seen.fault, Text::new("* fault", "* 故障")),
            (seen.broken, Text::new("! promise broken", "! 承诺被打破")),
        ];
        let words = signs.iter().filter(|(seen, _)| *seen).map(|(_, words)| words.in_language(self.language));
        let mut lines: Vec<String> = Vec::new();
        for words in words {
            match lines.last_mut() {
                Some(line) if line.width() + 3 + words.width() <= width => *line = format!("{line}   {words}"),
                _ => lines.extend(wrap(words, width, width)),
            }
        }
        let styled = |text: String| Line { fragments: vec![Fragment { text, style: Style::Faint }] };
        let space = (!lines.is_empty()).then(Line::default);
        space.into_iter().chain(lines.into_iter().map(styled)).collect()
    }

    fn lanes_at(&self) -> usize {
        self.columns.time + 4
    }

    fn words_at(&self) -> usize {
        match self.columns.lanes_width {
            0 => self.lanes_at(),
            width => self.lanes_at() + width + 2,
        }
    }
}

fn bars_by_lane(scene: &Scene) -> Vec<Vec<&Bar>> {
    let mut lanes: Vec<Vec<&Bar>> = scene.lanes.iter().map(|_| Vec::new()).collect();
    for bar in &scene.bars {
        lanes[usize::from(bar.lane.0)].push(bar);
    }
    lanes
}

/// One line under construction: a character and its style for each column; the second column of a wide character is empty.
#[derive(Default)]
struct Canvas {
    cells: Vec<(Option<char>, Style)>,
}

impl Canvas {
    fn put(&mut self, at: usize, text: &str, style: Style) {
        let mut at = at;
        for char in text.chars() {
            let width = unicode_width::UnicodeWidthChar::width(char).unwrap_or(0);
            if width == 0 {
                continue;
            }
            let end = at + width;
            if self.cells.len() < end {
                self.cells.resize(end, (Some(' '), Style::Plain));
            }
            self.cells[at] = (Some(char), style);
            self.cells[at + 1..end].iter_mut().for_each(|cell| *cell = (None, style));
            at = end;
        }
    }

    /// A message leaves this lifeline.
    fn join(&mut self, at: usize, style: Style) {
        if let Some((Some(char @ ('│' | '┊')), _)) = self.cells.get(at) {
            debug_assert!(matches!(char, '│' | '┊'));
            self.put(at, "├", style);
        }
    }

    /// A message passes here: lifelines are crossed, bars hide it, names give way.
    fn cross(&mut self, at: usize, style: Style) {
        match self.cells.get(at) {
            Some((Some('│' | '┊'), _)) => self.put(at, "┼", style),
            Some((Some('█' | '▒' | '░' | '╳'), _)) => {}
            _ => self.put(at, "─", style),
        }
    }

    fn line(self) -> Line {
        let mut fragments: Vec<Fragment> = Vec::new();
        for (char, style) in self.cells {
            let Some(char) = char else { continue };
            match fragments.last_mut() {
                Some(last) if last.style == style => last.text.push(char),
                _ => fragments.push(Fragment { text: char.to_string(), style }),
            }
        }
        while let Some(last) = fragments.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                break;
            }
            fragments.pop();
        }
        Line { fragments }
    }
}
