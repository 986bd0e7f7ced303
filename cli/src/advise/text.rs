//! Advice as text: what to take, why, why not something plainer, and what is left to fix.

use std::fmt::Write as _;

use locklab_core::compare::advice::{Advice, Reason, Situation, Stakes};
use locklab_core::compare::{Answer, Mechanism};
use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use textwrap::Options;

use crate::terminal::{self, ALARM, FINE, HINT, STRONG};

/// The page.
pub fn page(situation: &Situation, advice: &Advice, language: Language) -> String {
    let mut page = Page { language, text: String::new() };
    page.headline(advice);
    page.paragraph("", "", &first_question(situation.stakes));
    page.heading(&say!("Because", "理由"));
    for reason in advice.reasons.iter().filter(|reason| reason.is_good() && reason.found.runs > 0) {
        page.point(&cell(reason));
    }
    for (why, threats) in without_concern(&advice.reasons) {
        page.point(&say!(
            "{why}, so no concern: {threats}",
            "{why}，所以无需担心：{threats}",
            why = why,
            threats = threats
        ));
    }
    if !advice.rejected.is_empty() {
        page.heading(&say!("Why not", "为什么不用"));
        for reason in &advice.rejected {
            page.point(&say!(
                "{mechanism}: {cell}",
                "{mechanism}：{cell}",
                mechanism = reason.cell.mechanism.title(),
                cell = cell(reason)
            ));
        }
    }
    if !advice.alternatives.is_empty() {
        page.heading(&say!("As good", "同样可用"));
        advice.alternatives.iter().for_each(|mechanism| page.point(&mechanism.title()));
    }
    if !advice.left.is_empty() {
        page.heading(&say!("What is left to fix at the resource and around it", "还要在资源处和周边补上的"));
        for (remedy, reasons) in by_remedy(&advice.left) {
            page.point(&remedy);
            for reason in reasons {
                page.paragraph("      ", "      ", &cell(reason));
            }
        }
    }
    page.again(&advice.choice, advice);
    page.text
}

/// What is left, by what can be done about it, in the order in which it comes.
pub fn by_remedy(left: &[Reason]) -> Vec<(Text, Vec<&Reason>)> {
    let mut all: Vec<(Text, Vec<&Reason>)> = Vec::new();
    for reason in left {
        let remedy = reason.remedy();
        match all.iter_mut().find(|(known, _)| *known == remedy) {
            Some((_, reasons)) => reasons.push(reason),
            None => all.push((remedy, vec![reason])),
        }
    }
    all
}

/// What does not concern the choice, by why: `it asks no server`, `restart without data; key evicted`.
fn without_concern(reasons: &[Reason]) -> Vec<(Text, Text)> {
    let mut all: Vec<(Text, Text)> = Vec::new();
    for reason in reasons {
        let Answer::NotApplicable { why } = &reason.found.answer else { continue };
        let title = reason.cell.threat.title();
        match all.iter_mut().find(|(known, _)| known == why) {
            Some((_, threats)) => *threats = say!("{one}; {other}", "{one}；{other}", one = &*threats, other = title),
            None => all.push((why.clone(), title)),
        }
    }
    all
}

/// A cell as a reason: what was tried, and what came of it.
fn cell(reason: &Reason) -> Text {
    let said = say!(
        "{threat}: {sentence}",
        "{threat}：{sentence}",
        threat = reason.cell.threat.title(),
        sentence = reason.found.sentence()
    );
    match reason.is_strict && reason.found.overlapped > 0 {
        true => say!(
            "{said}, and the service let two in at once in {overlapped}",
            "{said}，其中 {overlapped} 次锁服务同时放进了两个客户端",
            said = said,
            overlapped = reason.found.overlapped
        ),
        false => said,
    }
}

/// The first question: efficiency or correctness?
fn first_question(stakes: Stakes) -> Text {
    match stakes {
        Stakes::Waste => say!(
            "The lock is for efficiency: a rare double execution only wastes work, so it need not survive everything.",
            "加锁是为了效率：偶尔执行两次只是浪费，不必扛住一切故障。"
        ),
        Stakes::Harm => say!(
            "One wrong run does damage: a lock is a turnstile at the entrance, and the resource keeps its own rules.",
            "错一次就有损害：锁只是入口的闸机，资源还要守住自己的规则。"
        ),
        Stakes::Money => say!(
            "Not once, whatever fails: the resource keeps its own rules, and a service that forgets its locks is out of the question.",
            "无论什么故障，一次都不行：资源守住自己的规则，会丢锁的服务不予考虑。"
        ),
    }
}

struct Page {
    language: Language,
    text: String,
}

impl Page {
    fn headline(&mut self, advice: &Advice) {
        let title = match advice.needs_no_lock() {
            true => advice.choice.means.title(),
            false => advice.choice.title(),
        };
        let (words, style) = match (advice.is_enough(), advice.needs_no_lock()) {
            (true, true) => (say!("You need no lock", "你不需要锁"), FINE),
            (true, false) => (say!("Take this lock", "建议用这把锁"), FINE),
            (false, _) => (
                say!(
                    "Nothing here is enough by itself; this keeps the most",
                    "现有条件下没有哪种做法足够；守住最多的是这一种"
                ),
                ALARM,
            ),
        };
        let words = words.in_language(self.language);
        let colon = if self.language == Language::English { ": " } else { "：" };
        let name = advice.choice.name();
        let title = title.in_language(self.language);
        let shown = if name == title { name } else { format!("{title} ({name})") };
        let _ = writeln!(self.text, "{style}{words}{style:#}{colon}{STRONG}{shown}{STRONG:#}");
        if advice.choice.lock.promises.exclusion {
            self.paragraph("", "", &advice.choice.lock.summary);
        }
    }

    fn again(&mut self, choice: &Mechanism, advice: &Advice) {
        let against = advice.left.first().or(advice.reasons.first()).map(|reason| reason.cell.threat.name());
        let Some(against) = against else { return };
        let words = say!(
            "see any of these with its runs: locklab compare --locks {lock} --against {against}",
            "查看任一条背后的运行：locklab compare --locks {lock} --against {against}",
            lock = choice.name(),
            against = against
        );
        let words = words.in_language(self.language).to_owned();
        let _ = writeln!(self.text, "\n{HINT}{words}{HINT:#}");
    }

    fn heading(&mut self, text: &Text) {
        let _ = writeln!(self.text, "\n{STRONG}{}{STRONG:#}", text.in_language(self.language));
    }

    fn point(&mut self, text: &Text) {
        self.paragraph("  - ", "    ", text);
    }

    fn paragraph(&mut self, first: &str, rest: &str, text: &Text) {
        let options = Options::new(terminal::width()).initial_indent(first).subsequent_indent(rest).break_words(false);
        let _ = writeln!(self.text, "{}", textwrap::fill(text.in_language(self.language), options));
    }
}
