//! Requests and replies as arrows.

use super::legend::Sign;
use super::{Pen, cut, tone_class};
use crate::history::LossReason;
use crate::view::{Element, Exchange, ExchangeTarget, Tone};

impl Pen<'_> {
    pub(super) fn exchanges(&mut self) {
        self.out.open("g", &[("class", &if self.dense { "exchanges dense" } else { "exchanges" })]);
        let scene = self.scene;
        for (index, exchange) in scene.exchanges.iter().enumerate() {
            self.exchange(Element::Exchange(index as u32), exchange);
        }
        self.out.close();
    }

    fn exchange(&mut self, element: Element, exchange: &Exchange) {
        let (Some(client), Some(server)) = (self.layout.place(exchange.client), self.layout.place(exchange.server))
        else {
            return;
        };
        let Some(start) = self.bars_bottom(exchange.client) else { return };
        let end = match exchange.target {
            ExchangeTarget::Service(_) => server.bars,
            ExchangeTarget::Reading | ExchangeTarget::Changing(_) => server.middle,
        };
        let sent = self.x(exchange.sent);
        let told = exchange.executed.map_or(sent, |point| self.x(point));
        let last = self.x(exchange.last());
        // A request that takes no time is drawn where it takes effect, upright.
        let sent = if exchange.told_at().at == exchange.sent.at { told } else { sent };
        let kind = match exchange.target {
            ExchangeTarget::Changing(Some(false)) => "refusal",
            ExchangeTarget::Changing(_) => "effect",
            ExchangeTarget::Reading => "look",
            ExchangeTarget::Service(_) => "request",
        };
        if !self.is_visible(sent, last) || self.is_merged(kind, (exchange.client, exchange.server), told, 4) {
            return;
        }
        let tone = match self.scene.lanes[usize::from(client.lane.0)].whose {
            crate::view::Whose::Client(client) => tone_class(Tone::Client(client)),
            _ => tone_class(exchange.tone),
        };
        self.group(element, &format!("exchange {tone}"), exchange.sent, exchange.last());
        match exchange.executed {
            None => self.lost_request(sent, start, end),
            Some(_) => {
                self.line("request", (sent, start), (told, end));
                if matches!(exchange.target, ExchangeTarget::Service(_)) {
                    self.head((sent, start), (told, end));
                }
                self.reply(exchange, told, last, (start, end));
            }
        }
        self.outcome(exchange, told, server.middle);
        self.label(exchange, &tone, told);
        self.out.close();
    }

    /// A reply is drawn where it takes time, or where it is lost.
    fn reply(&mut self, exchange: &Exchange, told: i64, last: i64, (start, end): (i64, i64)) {
        let lost = exchange.missed.is_some_and(|(_, why)| why != LossReason::TimedOut || exchange.heard.is_none());
        if lost && exchange.heard.is_none() {
            let middle = end + (start - end) / 2;
            let x = told + 8;
            self.line("reply", (told + 3, end), (x, middle));
            self.cross(x, middle);
        } else if exchange.heard.is_some_and(|heard| heard.at > exchange.told_at().at) && last - told >= 3 {
            self.line("reply", (told, end), (last, start));
            self.head((told, end), (last, start));
        }
    }

    fn lost_request(&mut self, x: i64, start: i64, end: i64) {
        let middle = start + (end - start) / 2;
        self.line("request", (x, start), (x, middle));
        self.cross(x, middle);
    }

    fn outcome(&mut self, exchange: &Exchange, x: i64, y: i64) {
        if exchange.executed.is_none() {
            return;
        }
        match exchange.target {
            ExchangeTarget::Service(_) => {}
            ExchangeTarget::Reading if exchange.tone == Tone::Refused => self.effect_sign(Sign::Refusal, x, y),
            ExchangeTarget::Reading => self.effect_sign(Sign::Look, x, y),
            ExchangeTarget::Changing(Some(false)) => self.effect_sign(Sign::Refusal, x, y),
            ExchangeTarget::Changing(_) => self.effect_sign(Sign::Effect, x, y),
        }
    }

    /// Its words: what was asked of a server and what came back; what the resource did.
    fn label(&mut self, exchange: &Exchange, tone: &str, x: i64) {
        let label = self.say(&exchange.label);
        match (exchange.target, &exchange.answer) {
            (ExchangeTarget::Service(_), Some(answer)) => {
                let text = format!("{label} → {}", cut(self.say(answer), 24));
                self.label_in(self.layout.requests, tone, x, &text);
            }
            (ExchangeTarget::Service(_), None) => self.label_in(self.layout.requests, tone, x, label),
            (ExchangeTarget::Reading | ExchangeTarget::Changing(_), _) => {
                self.label_in(self.layout.effects, tone, x, label)
            }
        }
    }

    fn line(&mut self, class: &str, from: (i64, i64), to: (i64, i64)) {
        self.out.leaf("line", &[("class", &class), ("x1", &from.0), ("y1", &from.1), ("x2", &to.0), ("y2", &to.1)]);
    }

    /// An arrow's head at `to`, turned the way the line goes; integers: steep lines get an upright head.
    fn head(&mut self, from: (i64, i64), to: (i64, i64)) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = ((dx * dx + dy * dy) as u64).isqrt().max(1) as i64;
        // The two back corners: 8 pixels back along the line, 4 pixels to each side.
        let back = (to.0 * 16 - dx * 128 / length, to.1 * 16 - dy * 128 / length);
        let side = (-dy * 64 / length, dx * 64 / length);
        let corner = |sign: i64| (back.0 + sign * side.0, back.1 + sign * side.1);
        let (left, right) = (corner(1), corner(-1));
        let path = format!(
            "M{},{} L{},{} L{},{} Z",
            to.0,
            to.1,
            sixteenths(left.0),
            sixteenths(left.1),
            sixteenths(right.0),
            sixteenths(right.1)
        );
        self.out.leaf("path", &[("class", &"head"), ("d", &path)]);
    }

    fn cross(&mut self, x: i64, y: i64) {
        self.out.leaf("path", &[("class", &"refusal"), ("d", &format!("M{},{} l8,8 m0,-8 l-8,8", x - 4, y - 4))]);
    }
}

/// A number of sixteenths of a pixel, as a decimal.
fn sixteenths(value: i64) -> String {
    let hundredths = value * 100 / 16;
    let sign = if hundredths < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100)
}
