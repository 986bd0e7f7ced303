//! What stands around the story: the root, the lanes' names, the axis, the legend, the cursor.

use super::labels::text_width;
use super::layout::{BAR, ROW, SMALL};
use super::{Pen, STYLE, StyleSheet, Theme, tone_class};
use crate::i18n::Text;
use crate::say;
use crate::time::Time;
use crate::view::{AxisMode, BarKind, ExchangeTarget, Tone, Weight, Whose};

impl Pen<'_> {
    pub(super) fn begin(&mut self) {
        let height = self.height();
        let width = self.options.width;
        let theme = match self.options.theme {
            Theme::Auto => "locklab",
            Theme::Light => "locklab light",
            Theme::Dark => "locklab dark",
        };
        let prefix = &self.options.prefix;
        let (title, story) = (format!("{prefix}title"), format!("{prefix}story"));
        self.out.open(
            "svg",
            &[
                ("xmlns", &"http://www.w3.org/2000/svg"),
                ("class", &theme),
                ("lang", &self.options.language.tag()),
                ("viewBox", &format!("0 0 {width} {height}")),
                ("width", &width),
                ("height", &height),
                ("role", &"img"),
                ("aria-labelledby", &format!("{title} {story}")),
                ("data-left", &self.layout.left),
                ("data-width", &self.layout.width),
            ],
        );
        let scene_title = self.say(&self.scene.title).to_owned();
        self.out.text("title", &[("id", &title)], &format!("{scene_title} ({})", self.scene.lock));
        let words = self.story();
        self.out.text("desc", &[("id", &story)], &words);
        if self.options.style == StyleSheet::Inside {
            self.out.raw("<style>\n");
            self.out.raw(STYLE);
            self.out.raw("</style>\n");
        }
        self.out.open("defs", &[]);
        let hatch = format!("{prefix}hatch");
        let pattern = [
            ("id", &hatch as &dyn std::fmt::Display),
            ("width", &7),
            ("height", &7),
            ("patternUnits", &"userSpaceOnUse"),
        ];
        self.out.open("pattern", &pattern);
        self.out.leaf("rect", &[("class", &"hatch-ground"), ("width", &7), ("height", &7)]);
        self.out.leaf("path", &[("class", &"hatch"), ("d", &"M-1,8 L8,-1 M-1,1 L1,-1 M6,8 L8,6")]);
        self.out.close();
        self.plot_shape(height);
        self.out.close();
        self.out.leaf("rect", &[("class", &"paper"), ("width", &width), ("height", &height)]);
    }

    /// What a screen reader hears first: what is broken, or how much happens.
    fn story(&self) -> String {
        let broken: Vec<&str> = self.scene.highlights.iter().map(|highlight| self.say(&highlight.words)).collect();
        let end = self.scene.end.to_string();
        let count = self.scene.times.len().to_string();
        let whole = say!(
            "A timeline of {end} with {count} events.",
            "一条 {end} 的时间线，共 {count} 个事件。",
            end = end,
            count = count
        );
        format!("{} {}", self.say(&whole), broken.join(". "))
    }

    pub(super) fn lanes(&mut self) {
        let (left, width) = (self.layout.left, self.layout.width);
        self.out.open("g", &[("class", &"lanes")]);
        for place in self.layout.places.clone() {
            let lane = &self.scene.lanes[usize::from(place.lane.0)];
            let class = match lane.whose {
                Whose::Client(client) => format!("lane {}", tone_class(Tone::Client(client))),
                Whose::Faults | Whose::Lock(_) | Whose::Node(_) | Whose::Resource => "lane".into(),
            };
            let id = format!("{}lane-{}", self.options.prefix, place.lane.0);
            self.out.open("g", &[("id", &id), ("class", &class)]);
            self.out.text("title", &[], self.say(&lane.words));
            let (x, edge) = (left - 6, width + 14);
            self.out.leaf(
                "rect",
                &[("x", &x), ("y", &place.top), ("width", &edge), ("height", &(place.bottom - place.top)), ("rx", &6)],
            );
            if lane.whose != Whose::Faults {
                let right = left + width;
                self.out.leaf(
                    "line",
                    &[
                        ("class", &"lifeline"),
                        ("x1", &left),
                        ("x2", &right),
                        ("y1", &place.middle),
                        ("y2", &place.middle),
                    ],
                );
            }
            self.out.close();
        }
        self.out.close();
    }

    /// The lanes' names, above all lines.
    pub(super) fn names(&mut self) {
        self.out.open("g", &[("class", &"names")]);
        for place in self.layout.places.clone() {
            let name = self.say(&self.scene.lanes[usize::from(place.lane.0)].name).to_owned();
            let (x, y, anchor) = match self.layout.narrow {
                true => (self.layout.left, place.top + 13, "start"),
                false => (self.layout.left - 16, place.middle + 4, "end"),
            };
            self.out.text("text", &[("x", &x), ("y", &y), ("text-anchor", &anchor)], &name);
        }
        self.out.close();
    }

    pub(super) fn ticks(&mut self) {
        self.out.open("g", &[("class", &"axis")]);
        let (top, bottom) = (self.layout.places.first().map_or(0, |place| place.top), self.layout.axis);
        let mut free_from = i64::MIN;
        let end = self.layout.left + self.axis.width() - self.shift();
        let edge = i64::from(self.options.width);
        for at in self.tick_times() {
            let x = self.x_at(at);
            if x < free_from || x > end || !self.is_visible(x, x) {
                continue;
            }
            let label = at.to_string();
            let half = text_width(&label, SMALL) / 2;
            let is_cut = self.options.zoom.is_none() && (x - half < 0 || x + half > edge);
            if x - half < free_from || is_cut {
                continue;
            }
            self.out.leaf("line", &[("x1", &x), ("x2", &x), ("y1", &top), ("y2", &(bottom + 4))]);
            self.out.text("text", &[("x", &x), ("y", &(bottom + 17))], &label);
            free_from = x + half + 8;
        }
        self.out.close();
    }

    /// The instants within reach that deserve a tick: turns of the story, or round ones on a linear axis.
    fn tick_times(&self) -> Vec<Time> {
        let (first, last) = self.reach();
        let instant = |x: i64| self.axis.time_at((x - self.layout.left + self.shift()).clamp(0, self.axis.width()));
        let (first, last) = (instant(first), instant(last));
        let end = self.axis.end();
        if self.options.axis == AxisMode::Linear {
            let wanted = (end.0 / (self.axis.width().max(80) as u64 / 80)).max(1);
            let power = 10_u64.pow(wanted.ilog10());
            let step =
                [1, 2, 5, 10].into_iter().map(|factor| factor * power).find(|step| *step >= wanted).unwrap_or(wanted);
            return (first.0 / step..=last.0.div_ceil(step)).map(|index| Time(index * step)).collect();
        }
        let exchanges = self.scene.exchanges.iter().map(|exchange| exchange.told_at().at);
        let marks = self.scene.marks.iter().filter(|mark| mark.weight > Weight::Quiet).map(|mark| mark.at.at);
        let turns = exchanges.chain(marks).chain([Time::START, end]);
        let mut times: Vec<Time> = turns.filter(|time| (first..=last).contains(time)).collect();
        times.sort_unstable();
        times.dedup();
        times
    }

    /// Explains every sign that the drawing uses, and no other.
    pub(super) fn legend(&mut self) {
        let items = self.legend_items();
        self.out.open("g", &[("class", &"legend"), ("aria-hidden", &"true")]);
        let (mut x, mut y) = (self.layout.left, self.layout.legend);
        for (sign, words) in items {
            let words = self.say(&words).to_owned();
            let width = 34 + text_width(&words, SMALL);
            if x + width > i64::from(self.options.width) && x > self.layout.left {
                (x, y) = (self.layout.left, y + ROW + 4);
            }
            self.sign(sign, x, y);
            self.out.text("text", &[("x", &(x + 28)), ("y", &(y + 11))], &words);
            x += width + 12;
        }
        self.out.close();
    }

    /// One sign of the legend, as the drawing shows it.
    fn sign(&mut self, sign: Sign, x: i64, y: i64) {
        let hatch = format!("url(#{}hatch)", self.options.prefix);
        let middle = y + 7;
        let bar: [(&str, &dyn std::fmt::Display); 5] =
            [("x", &x), ("y", &(y + 1)), ("width", &22), ("height", &12), ("rx", &3)];
        let class = |kind: &str| format!("element {kind} client-0");
        match sign {
            Sign::Bar(kind) => {
                self.out.open("g", &[("class", &class(kind))]);
                self.out.leaf("rect", &bar);
                self.out.close();
            }
            Sign::Hatched(kind) => {
                self.out.open("g", &[("class", &class(kind))]);
                let mut bar = bar.to_vec();
                bar.push(("fill", &hatch));
                self.out.leaf("rect", &bar);
                self.out.close();
            }
            Sign::Line(kind) => {
                self.out.open("g", &[("class", &class(kind))]);
                self.out.leaf("line", &[("x1", &x), ("x2", &(x + 22)), ("y1", &middle), ("y2", &middle)]);
                self.out.close();
            }
            Sign::Effect | Sign::Look | Sign::Refusal => {
                self.out.open("g", &[("class", &class("exchange"))]);
                self.effect_sign(sign, x + 11, middle);
                self.out.close();
            }
            Sign::Broken => {
                self.out.open("g", &[("class", &"highlight")]);
                self.out.leaf("rect", &[("class", &"wash"), ("x", &x), ("y", &y), ("width", &22), ("height", &14)]);
                self.out.leaf("path", &[("d", &format!("M{x},{} v-3 h22 v3", y + 3))]);
                self.out.close();
            }
        }
    }

    fn legend_items(&self) -> Vec<(Sign, Text)> {
        let has = |kind: BarKind| self.scene.bars.iter().any(|bar| bar.kind == kind);
        let asks =
            |wanted: fn(&ExchangeTarget) -> bool| self.scene.exchanges.iter().any(|exchange| wanted(&exchange.target));
        let items = [
            (has(BarKind::Section), Sign::Bar("section"), say!("a client acts as holder", "客户端以持有者身份行事")),
            (has(BarKind::Lease), Sign::Bar("lease"), say!("the lease, by the records", "按记录的租约")),
            (has(BarKind::Record), Sign::Bar("record"), say!("a copy of the record", "记录的副本")),
            (has(BarKind::Waiting), Sign::Line("waiting"), say!("waits for the lock", "等待锁")),
            (has(BarKind::Paused), Sign::Hatched("paused"), say!("stopped", "停顿")),
            (has(BarKind::Down), Sign::Hatched("down"), say!("down", "宕机")),
            (has(BarKind::Dead), Sign::Line("dead"), say!("dead", "已死")),
            (has(BarKind::ClockOff), Sign::Line("clock-off"), say!("clock is off", "时钟不准")),
            (asks(|target| *target == ExchangeTarget::Reading), Sign::Look, say!("read", "读取")),
            (asks(|target| *target == ExchangeTarget::Changing(Some(true))), Sign::Effect, say!("accepted", "接受")),
            (asks(|target| *target == ExchangeTarget::Changing(Some(false))), Sign::Refusal, say!("refused", "拒绝")),
            (!self.scene.highlights.is_empty(), Sign::Broken, say!("a promise is broken", "承诺被打破")),
        ];
        items.into_iter().filter(|(used, _, _)| *used).map(|(_, sign, words)| (sign, words)).collect()
    }

    fn height(&self) -> i64 {
        let mut rows = 1;
        let mut x = self.layout.left;
        for (_, words) in self.legend_items() {
            let width = 34 + text_width(self.say(&words), SMALL);
            if x + width > i64::from(self.options.width) && x > self.layout.left {
                x = self.layout.left;
                rows += 1;
            }
            x += width + 12;
        }
        self.layout.legend + rows * (ROW + 4) + 4
    }

    pub(super) fn cursor(&mut self) {
        let top = self.layout.places.first().map_or(0, |place| place.top);
        let x = self.layout.left;
        self.out.leaf(
            "line",
            &[("class", &"cursor"), ("x1", &x), ("x2", &x), ("y1", &top), ("y2", &(self.layout.axis + 4))],
        );
    }

    /// The sign of what the resource did, around a centre.
    pub(super) fn effect_sign(&mut self, sign: Sign, x: i64, y: i64) {
        match sign {
            Sign::Look => self.out.leaf("circle", &[("class", &"look"), ("cx", &x), ("cy", &y), ("r", &5)]),
            Sign::Refusal => {
                self.out.leaf(
                    "path",
                    &[("class", &"refusal"), ("d", &format!("M{},{} l10,10 m0,-10 l-10,10", x - 5, y - 5))],
                );
            }
            _ => self.out.leaf("circle", &[("class", &"effect"), ("cx", &x), ("cy", &y), ("r", &6)]),
        }
    }

    /// The bottom edge of the bars of a lane, where arrows leave it.
    pub(super) fn bars_bottom(&self, lane: crate::view::LaneId) -> Option<i64> {
        self.layout.place(lane).map(|place| place.bars + BAR)
    }
}

/// A sign of the drawing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// A bar of this class.
    Bar(&'static str),
    /// A hatched bar of this class.
    Hatched(&'static str),
    /// A line of this class.
    Line(&'static str),
    /// The resource accepted a change.
    Effect,
    /// The resource was read.
    Look,
    /// The resource refused.
    Refusal,
    /// A promise is broken.
    Broken,
}
