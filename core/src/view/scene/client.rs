//! What clients do and believe.

use super::build::{Builder, Open};
use super::words;
use super::{BarKind, Element, MarkKind, Point, Tone, Weight, Whose};
use crate::history::{ClientEvent, LeaveReason, LockEvent, Refusal};
use crate::i18n::Text;
use crate::say;
use crate::time::Span;
use crate::wire::{ClientId, LockId};

impl Builder<'_> {
    pub(super) fn client(&mut self, point: Point, client: ClientId, event: &ClientEvent) -> Element {
        let name = self.names.client(client);
        let whose = Whose::Client(client);
        let tone = Tone::Client(client);
        match event {
            ClientEvent::Started { run } => self.note(
                whose,
                point,
                Weight::Quiet,
                Text::new(format!("{name} begins (run {run})"), format!("{name} 开始（第 {run} 次）")),
            ),
            ClientEvent::Step { step } => {
                self.close(Open::Work(client), point);
                if step.starts_with(|char: char| char.is_ascii_digit()) {
                    let words = Text::new(format!("{name} works for {step}"), format!("{name} 工作 {step}"));
                    return self.open(
                        Open::Work(client),
                        whose,
                        0,
                        BarKind::Work,
                        tone,
                        point,
                        Text::same(&**step),
                        words,
                    );
                }
                self.note(whose, point, Weight::Quiet, Text::new(format!("{name}: {step}"), format!("{name}：{step}")))
            }
            ClientEvent::Entered { lock, hold, .. } => self.entered(point, client, *lock, *hold),
            ClientEvent::Left { lock, hold, why } => {
                self.close(Open::Section(client, *lock, *hold), point);
                self.close(Open::Work(client), point);
                let weight = if *why == LeaveReason::Died { Weight::Quiet } else { Weight::Plain };
                self.mark(whose, point, MarkKind::Left, tone, weight, Text::default(), words::left(&name, *why))
            }
            ClientEvent::Lock { lock, event } => self.lock_event(point, client, *lock, event),
            ClientEvent::Asked { request, operation, cell } => self.asked(point, client, *request, *operation, *cell),
            ClientEvent::Answered { request, .. } => self.answered(point, client, *request, true),
            ClientEvent::Unanswered { request } => self.answered(point, client, *request, false),
            ClientEvent::Finished { done } => {
                self.close(Open::Work(client), point);
                match done {
                    true => self.note(
                        whose,
                        point,
                        Weight::Quiet,
                        Text::new(format!("{name} is done"), format!("{name} 完成")),
                    ),
                    false => {
                        let words = Text::new(format!("{name} gives up its work"), format!("{name} 放弃了它的工作"));
                        self.mark(
                            whose,
                            point,
                            MarkKind::Refused,
                            tone,
                            Weight::Plain,
                            Text::new("gives up", "放弃"),
                            words,
                        )
                    }
                }
            }
        }
    }

    fn entered(&mut self, point: Point, client: ClientId, lock: LockId, hold: u32) -> Element {
        let name = self.names.client(client);
        let (whose, tone) = (Whose::Client(client), Tone::Client(client));
        self.close(Open::Waiting(client, lock), point);
        let row = self.row(client, lock);
        let key = Open::Section(client, lock, hold);
        if !self.open.contains_key(&key) {
            let words = Text::new(
                format!("{name} acts as holder (hold {hold})"),
                format!("{name} 以持有者身份行事（第 {hold} 次持有）"),
            );
            self.open(key, whose, row, BarKind::Section, tone, point, Text::same(&name), words);
        }
        let label = Text::new("enters", "进入");
        match self.acquired.remove(&(client, lock)) {
            Some(index) => {
                let mark = &mut self.scene.marks[index as usize];
                (mark.at, mark.kind, mark.weight, mark.label) = (point, MarkKind::Entered, Weight::Loud, label);
                Element::Mark(index)
            }
            None => {
                let words = Text::new(format!("{name} ENTERS"), format!("{name} 进入临界区"));
                self.mark(whose, point, MarkKind::Entered, tone, Weight::Loud, label, words)
            }
        }
    }

    /// The row of a client's lane on which one of its locks is drawn: in the order in which it first wants them.
    fn row(&mut self, client: ClientId, lock: LockId) -> u8 {
        let locks = self.rows.entry(client).or_default();
        let row = locks.iter().position(|known| *known == lock).unwrap_or(locks.len());
        if row == locks.len() {
            locks.push(lock);
        }
        row.min(7) as u8
    }

    fn lock_event(&mut self, point: Point, client: ClientId, lock: LockId, event: &LockEvent) -> Element {
        let name = self.names.client(client);
        let (whose, tone) = (Whose::Client(client), Tone::Client(client));
        let empty = Text::default();
        let of = self.section_of(lock);
        let believed = |span: Option<Span>| match span {
            Some(span) => Text::new(format!(", sure of the lock for {span}"), format!("，自认为还能持有 {span}")),
            None => Text::default(),
        };
        match event {
            LockEvent::Acquiring => {
                let words = Text::new(format!("{name} wants the lock"), format!("{name} 想要锁"));
                let row = self.row(client, lock);
                self.open(Open::Waiting(client, lock), whose, row, BarKind::Waiting, tone, point, empty, words)
            }
            LockEvent::Checked => self.note(
                whose,
                point,
                Weight::Quiet,
                Text::new(format!("{name} reads its clock"), format!("{name} 看自己的时钟")),
            ),
            LockEvent::Acquired { token, valid_for } => {
                self.close(Open::Waiting(client, lock), point);
                let (token_en, token_zh) = self.shown_token(token.as_ref()).map_or_else(Default::default, |token| {
                    (format!(" with token {token}"), format!("，token 为 {token}"))
                });
                let believed = believed(*valid_for);
                let words = Text::new(
                    format!("{name} ENTERS{}{token_en}{}", of.en, believed.en),
                    format!("{name} 进入临界区{}{token_zh}{}", of.zh, believed.zh),
                );
                let element = self.mark(whose, point, MarkKind::Note, tone, Weight::Plain, empty, words);
                if let Element::Mark(index) = element {
                    self.acquired.insert((client, lock), index);
                }
                element
            }
            LockEvent::Reentered { count } => self.note(
                whose,
                point,
                Weight::Plain,
                Text::new(format!("{name} enters once more (depth {count})"), format!("{name} 重入（深度 {count}）")),
            ),
            LockEvent::Refused { why } => {
                self.close(Open::Waiting(client, lock), point);
                let why = words::refusal(why);
                let words = Text::new(
                    format!("{name} does not get the lock: {}", why.en),
                    format!("{name} 没有拿到锁：{}", why.zh),
                );
                self.mark(whose, point, MarkKind::Refused, tone, Weight::Loud, Text::new("no lock", "没拿到"), words)
            }
            LockEvent::Looked { mine: true } => self.note(
                whose,
                point,
                Weight::Plain,
                Text::new(format!("{name} looks: the lock is still its own"), format!("{name} 检查：锁还是自己的")),
            ),
            LockEvent::Looked { mine: false } => {
                let words = Text::new(
                    format!("{name} looks: the lock is NOT its own any more"),
                    format!("{name} 检查：锁已经不是自己的"),
                );
                self.mark(whose, point, MarkKind::Refused, tone, Weight::Loud, Text::new("not mine", "不是我的"), words)
            }
            LockEvent::Extended { valid_for } => {
                let believed = believed(*valid_for);
                let words =
                    Text::new(format!("{name} renewed{}", believed.en), format!("{name} 续期成功{}", believed.zh));
                self.mark(whose, point, MarkKind::Renewed, tone, Weight::Quiet, Text::new("renewed", "续期"), words)
            }
            LockEvent::ExtendFailed { why } => {
                let why = words::refusal(why);
                let words =
                    Text::new(format!("{name}'s renewal FAILS: {}", why.en), format!("{name} 续期失败：{}", why.zh));
                self.mark(
                    whose,
                    point,
                    MarkKind::Refused,
                    tone,
                    Weight::Plain,
                    Text::new("not renewed", "续期失败"),
                    words,
                )
            }
            LockEvent::Lost => {
                let words = Text::new(format!("{name} learns that the lock is LOST"), format!("{name} 得知锁已丢失"));
                self.mark(whose, point, MarkKind::Vanished, tone, Weight::Loud, Text::new("lost", "丢锁"), words)
            }
            LockEvent::Releasing => self.note(
                whose,
                point,
                Weight::Quiet,
                Text::new(format!("{name} starts to release"), format!("{name} 开始释放锁")),
            ),
            LockEvent::Descended { count } => self.note(
                whose,
                point,
                Weight::Quiet,
                Text::new(
                    format!("{name} gives back an inner hold (depth {count})"),
                    format!("{name} 退出一层重入（深度 {count}）"),
                ),
            ),
            LockEvent::Released => self.note(
                whose,
                point,
                Weight::Quiet,
                Text::new(format!("{name} released the lock"), format!("{name} 已释放锁")),
            ),
            LockEvent::ReleaseFailed { why } => {
                let unknown = matches!(why, Refusal::TimedOut | Refusal::Disconnected);
                let why = words::refusal(why);
                let words = match unknown {
                    true => say!(
                        "{name} does not know what its release did: {why}",
                        "{name} 不知道释放是否成功：{why}",
                        name = name,
                        why = why
                    ),
                    false => say!(
                        "{name}'s release frees nothing: {why}",
                        "{name} 的释放没有效果：{why}",
                        name = name,
                        why = why
                    ),
                };
                self.mark(
                    whose,
                    point,
                    MarkKind::Refused,
                    tone,
                    Weight::Plain,
                    Text::new("frees nothing", "未释放"),
                    words,
                )
            }
        }
    }

    /// Whose section, where the run has several locks: ` (stock)`.
    pub(super) fn section_of(&self, lock: LockId) -> Text {
        let key = self.which(lock);
        Text::new(key.en.strip_prefix(" on ").map_or_else(String::new, |key| format!(" ({key})")), key.zh)
    }
}
