//! What a comparison has found: rows, columns, and what opens.

use std::collections::BTreeSet;

use locklab_core::compare::{Answer, Cost, EDGE_UNIT, Edge, Found, Means, Mechanism, Threat};
use locklab_core::i18n::{Language, Say, Text};
use locklab_core::say;

use crate::interrupt::Stop;

/// What a comparison has found.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The columns.
    pub threats: Vec<Threat>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Why it ended before its end, if it did.
    pub stopped: Option<Stop>,
}

/// A mechanism with all its answers.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which.
    pub mechanism: Mechanism,
    /// What it costs when nothing goes wrong; `None`: it cannot be played at all.
    pub cost: Option<Cost>,
    /// The answers, in the order of the columns.
    pub entries: Vec<Entry>,
}

/// A cell that has been played.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Against what.
    pub threat: Threat,
    /// What came of it; `None`: the comparison was stopped before.
    pub found: Option<Found>,
    /// Its witness, played again; `None`: there is none, or nobody asked for it.
    pub opened: Option<Opened>,
}

/// A witness, played again as `locklab replay` plays it.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The address.
    pub address: String,
    /// Why it broke, sentence by sentence.
    pub cause: Vec<Text>,
    /// The run told in full, as text.
    pub story: String,
}

/// The mark after an answer in whose runs sections overlapped.
pub const OVERLAP: char = '*';

/// The sign of a cell that was not played.
pub const OPEN: &str = "?";

/// The bounds of a matrix, the narrowest first: each has a number, and is told once below.
#[derive(Clone, Debug)]
pub struct Bounds(Vec<Edge>);

impl Bounds {
    /// The bounds of all cells.
    pub fn of(matrix: &Matrix) -> Bounds {
        let found = matrix.rows.iter().flat_map(|row| &row.entries).filter_map(|entry| entry.found.as_ref());
        Bounds(found.filter_map(|found| found.edge).collect::<BTreeSet<_>>().into_iter().collect())
    }

    /// A cell in as few characters as can be: the number of runs that held, or a sign; raised behind it the number of its bound.
    pub fn sign(&self, found: Option<&Found>) -> String {
        let Some(found) = found else { return OPEN.to_owned() };
        let mut sign = match found.answer {
            Answer::Held => found.runs.to_string(),
            Answer::Broken => "✗".to_owned(),
            Answer::Unavailable => "○".to_owned(),
            Answer::NotApplicable { .. } => "·".to_owned(),
        };
        sign.extend((found.overlapped > 0).then_some(OVERLAP));
        let place = self.0.iter().position(|edge| Some(*edge) == found.edge);
        sign + &place.map(|place| raised(place + 1)).unwrap_or_default()
    }

    /// What the raised numbers mean; `None`: there are none.
    fn legend(&self) -> Option<Text> {
        let in_language = |language| {
            let bounds =
                (1..).zip(&self.0).map(|(number, edge)| format!("{} {}", raised(number), edge.held.say(language)));
            bounds.collect::<Vec<_>>()
        };
        let (en, zh) = (in_language(Language::English), in_language(Language::Chinese));
        (!self.0.is_empty()).then(|| {
            say!(
                "a raised number: safe only up to this bound (of the fault's length, the clock's step, the work); tried at the same moments, nothing broke up to there, and {unit} more broke it: {bounds}",
                "右上角的数字：只有不超过这个界限（故障的时长、时钟的跳变、工作的时长）才守得住；在同样的时刻逐一尝试，到此为止都没有破坏，再多 {unit}就破坏了：{bounds}",
                unit = EDGE_UNIT,
                bounds = Text::new(en.join(", "), zh.join("、"))
            )
        })
    }
}

/// A number in raised digits.
fn raised(number: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |digit: char| digit.to_digit(10).map(|digit| DIGITS[digit as usize]);
    number.to_string().chars().filter_map(digit).collect()
}

/// What the names of the rows and the signs mean.
pub fn legend(matrix: &Matrix, bounds: &Bounds) -> Vec<Text> {
    let signs = [
        say!(
            "a number, great or small: it held; so many runs were tried, and in all of them the resource kept its rules and the others could work",
            "数字（大小不代表好坏）：守住了；尝试了这么多次运行，每一次资源都守住了规则，其他客户端也能工作"
        ),
        say!(
            "✗: in some run the resource accepted what it should not have (a stale write, a lost update, an oversale, a second effect)",
            "✗：某次运行中，资源接受了不该接受的请求（过期写入、丢失更新、超卖、重复生效）"
        ),
        say!(
            "○: the resource kept its rules, but in some run the others could not work",
            "○：资源守住了规则，但某次运行中其他客户端无法工作"
        ),
        say!("·: does not concern this mechanism", "·：与这种做法无关"),
        say!("*: in some run two clients were inside at the same time", "*：某次运行中，两个客户端同时处于临界区"),
    ];
    names(matrix).into_iter().chain(signs).chain(bounds.legend()).collect()
}

/// What the names of the rows say beyond the lock's own.
fn names(matrix: &Matrix) -> Vec<Text> {
    let has = |means: Means| matrix.rows.iter().any(|row| row.mechanism.means == means);
    let none = matrix.rows.iter().any(|row| !row.mechanism.lock.promises.exclusion);
    let none = none.then(|| say!("none: no lock at all", "none：完全不用锁"));
    let each: Vec<(&str, Text)> = Means::ALL
        .into_iter()
        .filter(|(_, means)| *means != Means::Nothing && has(*means))
        .map(|(name, means)| (name, means.title()))
        .collect();
    let added = (!each.is_empty()).then(|| {
        let en: Vec<String> = each.iter().map(|(name, title)| format!("{name} ({})", title.en)).collect();
        let zh: Vec<String> = each.iter().map(|(name, title)| format!("{name}（{}）", title.zh)).collect();
        say!(
            "after + stands what the resource adds of its own: {all}",
            "名字里 + 之后是资源自己的防护：{all}",
            all = Text::new(en.join(", "), zh.join("、"))
        )
    });
    none.into_iter().chain(added).collect()
}

/// A cell in a sentence.
pub fn sentence(found: Option<&Found>) -> Text {
    found.map_or_else(|| say!("not played", "没有运行"), Found::sentence)
}

/// The canonical word of a cell's answer.
pub fn name(found: Option<&Found>) -> &'static str {
    found.map_or("unknown", |found| found.answer.name())
}

/// Why some cells were not played, where that is so.
pub fn unplayed(matrix: &Matrix) -> Option<Text> {
    let stop = matrix.stopped?;
    let cells = || matrix.rows.iter().flat_map(|row| &row.entries);
    let open = cells().filter(|entry| entry.found.is_none()).count();
    Some(say!(
        "{why}: {open} of {all} cells were not played; they are marked {sign}",
        "{why}：{all} 格中有 {open} 格没有运行，标记为 {sign}",
        why = stop.said(),
        open = open as u64,
        all = cells().count() as u64,
        sign = OPEN
    ))
}

/// The letter of a column.
pub fn letter(column: usize) -> char {
    char::from_u32('a' as u32 + column as u32).unwrap_or('?')
}

/// The headings of the costs.
pub fn cost_headings() -> [Text; 3] {
    [say!("messages", "消息数"), say!("round trips", "往返次数"), say!("hand-over", "交接")]
}

/// What the costs mean.
pub fn cost_legend() -> Text {
    say!(
        "Cost without a fault, latency 1 ms: messages for each acquisition (its renewals and its release too), round trips to get a free lock, and the longest that a waiting client waits once the holder releases (try every 200 ms; -: nobody has to wait).",
        "没有故障时的代价，延迟 1 毫秒：每次加锁的消息数（包括续期与释放）、拿到空闲锁所需的往返次数，以及持有者释放后等待者最长还要等多久（每 200 毫秒尝试一次；-：没有人需要等待）。"
    )
}

/// The costs of a row, as they are shown.
pub fn costs(row: &Row) -> [Text; 3] {
    let Some(cost) = &row.cost else { return [Text::same("-"), Text::same("-"), Text::same("-")] };
    let messages = Text::same(cost.messages.say(Language::English));
    let trips = cost.round_trips();
    let trips = format!("{}.{:02}", trips / 100, trips % 100);
    let trips = trips.trim_end_matches('0').trim_end_matches('.').to_owned();
    let hand_over = cost.hand_over.map_or(Text::same("-"), |span| say!("{span}", "{span}", span = span));
    [messages, Text::same(trips), hand_over]
}
