//! What stands around the story: the root, the lanes' names, the axis, the cursor.

use super::labels::text_width;
use super::layout::{BAR, SMALL};
use super::{Pen, STYLE, StyleSheet, Theme, tone_class};
use crate::say;
use crate::time::Time;
use crate::view::{AxisMode, Tone, Weight, Whose};

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
            // No tick beyond the end: there is no place for it on the axis.
            return (first.0 / step..=last.0 / step).map(|index| Time(index * step)).collect();
        }
        let exchanges = self.scene.exchanges.iter().map(|exchange| exchange.told_at().at);
        let marks = self.scene.marks.iter().filter(|mark| mark.weight > Weight::Quiet).map(|mark| mark.at.at);
        let turns = exchanges.chain(marks).chain([Time::START, end]);
        let mut times: Vec<Time> = turns.filter(|time| (first..=last).contains(time)).collect();
        times.sort_unstable();
        times.dedup();
        times
    }

    pub(super) fn cursor(&mut self) {
        let top = self.layout.places.first().map_or(0, |place| place.top);
        let x = self.layout.left;
        self.out.leaf(
            "line",
            &[("class", &"cursor"), ("x1", &x), ("x2", &x), ("y1", &top), ("y2", &(self.layout.axis + 4))],
        );
    }

    /// The bottom edge of the bars of a lane, where arrows leave it.
    pub(super) fn bars_bottom(&self, lane: crate::view::LaneId) -> Option<i64> {
        self.layout.place(lane).map(|place| place.bars + BAR)
    }
}
