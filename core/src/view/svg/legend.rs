//! The legend: every sign that a drawing uses, explained.

use super::Pen;
use super::labels::text_width;
use super::layout::{ROW, SMALL};
use crate::i18n::Text;
use crate::say;
use crate::view::{BarKind, ExchangeTarget, Scene};

/// The signs that drawings use: what a legend explains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signs(u16);

impl Signs {
    /// That something differs from another drawing.
    pub const DIFFERS: Signs = Signs(1 << (SIGNS.len() - 1));

    /// The signs of a scene.
    pub fn of(scene: &Scene) -> Signs {
        let used = (0..SIGNS.len()).filter(|index| is_used(SIGNS[*index], scene));
        Signs(used.fold(0, |signs, index| signs | 1 << index))
    }

    /// These and those.
    #[must_use]
    pub fn and(self, others: Signs) -> Signs {
        Signs(self.0 | others.0)
    }

    fn each(self) -> impl Iterator<Item = Sign> {
        SIGNS.into_iter().enumerate().filter(move |(index, _)| self.0 & 1 << index != 0).map(|(_, sign)| sign)
    }
}

/// A sign of a drawing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// Something that lasts.
    Lasting(BarKind),
    /// The resource was read.
    Look,
    /// The resource accepted a change.
    Effect,
    /// The resource refused.
    Refusal,
    /// A promise is broken.
    Broken,
    /// Something differs from another drawing.
    Differs,
}

/// All signs, in the order of the legend.
const SIGNS: [Sign; 13] = [
    Sign::Lasting(BarKind::Section),
    Sign::Lasting(BarKind::Lease),
    Sign::Lasting(BarKind::Record),
    Sign::Lasting(BarKind::Waiting),
    Sign::Lasting(BarKind::Paused),
    Sign::Lasting(BarKind::Down),
    Sign::Lasting(BarKind::Dead),
    Sign::Lasting(BarKind::ClockOff),
    Sign::Look,
    Sign::Effect,
    Sign::Refusal,
    Sign::Broken,
    Sign::Differs,
];

/// Whether a scene's drawing has this sign.
fn is_used(sign: Sign, scene: &Scene) -> bool {
    let asks = |wanted: ExchangeTarget| scene.exchanges.iter().any(|exchange| exchange.target == wanted);
    match sign {
        Sign::Lasting(kind) => scene.bars.iter().any(|bar| bar.kind == kind),
        Sign::Look => asks(ExchangeTarget::Reading),
        Sign::Effect => asks(ExchangeTarget::Changing(Some(true))),
        Sign::Refusal => asks(ExchangeTarget::Changing(Some(false))),
        Sign::Broken => !scene.highlights.is_empty(),
        // One run by itself differs from nothing.
        Sign::Differs => false,
    }
}

/// What a sign means.
fn meaning(sign: Sign) -> Text {
    match sign {
        Sign::Lasting(BarKind::Section) => say!("a client acts as holder", "客户端以持有者身份行事"),
        Sign::Lasting(BarKind::Lease) => say!("the lease, by the records", "按记录的租约"),
        Sign::Lasting(BarKind::Record) => say!("a copy of the record", "记录的副本"),
        Sign::Lasting(BarKind::Waiting) => say!("waits for the lock", "等待锁"),
        Sign::Lasting(BarKind::Paused) => say!("stopped", "停顿"),
        Sign::Lasting(BarKind::Down) => say!("down", "宕机"),
        Sign::Lasting(BarKind::Dead) => say!("dead", "已死"),
        Sign::Lasting(BarKind::ClockOff) => say!("clock is off", "时钟不准"),
        // These say in words of their own what they are.
        Sign::Lasting(BarKind::Work | BarKind::Slow | BarKind::Cut) => Text::default(),
        Sign::Look => say!("read", "读取"),
        Sign::Effect => say!("accepted", "接受"),
        Sign::Refusal => say!("refused", "拒绝"),
        Sign::Broken => say!("a promise is broken", "承诺被打破"),
        Sign::Differs => say!("differs from the other drawing", "与另一幅图不同"),
    }
}

impl Pen<'_> {
    /// The signs that are explained.
    fn signs(&self) -> Signs {
        self.options.legend.unwrap_or_else(|| {
            let differs = if self.options.differing.is_empty() { Signs::default() } else { Signs::DIFFERS };
            Signs::of(self.scene).and(differs)
        })
    }

    /// Explains signs, each as it is drawn.
    pub(super) fn legend(&mut self) {
        let signs = self.signs();
        self.out.open("g", &[("class", &"legend"), ("aria-hidden", &"true")]);
        for (sign, words, (x, y)) in self.spread(signs) {
            self.sign(sign, x, y);
            self.out.text("text", &[("x", &(x + 28)), ("y", &(y + 11))], &words);
        }
        self.out.close();
    }

    /// The signs with their words, side by side, in as many rows as they need.
    fn spread(&self, signs: Signs) -> Vec<(Sign, String, (i64, i64))> {
        let (mut x, mut y) = (self.layout.left, self.layout.legend);
        let place = |sign: Sign| {
            let words = self.say(&meaning(sign)).to_owned();
            let width = 34 + text_width(&words, SMALL);
            if x + width > i64::from(self.options.width) && x > self.layout.left {
                (x, y) = (self.layout.left, y + ROW + 4);
            }
            let place = (x, y);
            x += width + 12;
            (sign, words, place)
        };
        signs.each().map(place).collect()
    }

    /// How high the drawing is, with its legend.
    pub(super) fn height(&self) -> i64 {
        match self.spread(self.signs()).last() {
            Some((_, _, (_, y))) => y + ROW + 8,
            // The axis has its numbers below it.
            None => self.layout.axis + 26,
        }
    }

    /// One sign, as the drawing shows it, in nobody's colour.
    fn sign(&mut self, sign: Sign, x: i64, y: i64) {
        let middle = y + 7;
        let (kind, is_highlight) = match sign {
            Sign::Lasting(kind) => (super::bars::class(kind), false),
            Sign::Look | Sign::Effect | Sign::Refusal => ("exchange", false),
            Sign::Broken => ("highlight", true),
            Sign::Differs => ("differs", true),
        };
        let class = if is_highlight { kind.to_owned() } else { format!("element {kind} plain") };
        self.out.open("g", &[("class", &class)]);
        match sign {
            Sign::Lasting(BarKind::Waiting | BarKind::Dead | BarKind::ClockOff) => {
                self.out.leaf("line", &[("x1", &x), ("x2", &(x + 22)), ("y1", &middle), ("y2", &middle)]);
            }
            Sign::Lasting(kind) => {
                let hatch = format!("url(#{}hatch)", self.options.prefix);
                let top = y + 1;
                let bar: [(&str, &dyn std::fmt::Display); 6] =
                    [("x", &x), ("y", &top), ("width", &22), ("height", &12), ("rx", &3), ("fill", &hatch)];
                let is_hatched = matches!(kind, BarKind::Paused | BarKind::Down);
                self.out.leaf("rect", if is_hatched { &bar } else { &bar[..5] });
            }
            Sign::Effect | Sign::Look | Sign::Refusal => self.effect_sign(sign, x + 11, middle),
            Sign::Broken => {
                self.out.leaf("rect", &[("class", &"wash"), ("x", &x), ("y", &y), ("width", &22), ("height", &14)]);
                self.out.leaf("path", &[("d", &format!("M{x},{} v-3 h22 v3", y + 3))]);
            }
            Sign::Differs => self.unequal(x + 11, middle),
        }
        self.out.close();
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
}
