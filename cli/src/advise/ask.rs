//! Asking what was not said: on a terminal, or of whatever the standard input brings.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use locklab_core::compare::advice::{Check, Server, Situation, Stakes, Task};
use locklab_core::i18n::{Language, Text};
use locklab_core::say;

use super::arguments::{AdviseArguments, Work, work};
use crate::failure::Failure;
use crate::terminal::STRONG;

/// The situation: what was said, and what is answered to the questions that are left, a line each.
pub fn situation(arguments: &AdviseArguments, language: Language) -> Result<Situation, Failure> {
    let asker = Asker { language };
    // Whoever has said everything else in a script means that nobody knows the work.
    let asks_work = arguments.leaves_questions() || io::stdin().is_terminal();
    let task = match arguments.task {
        Some(task) => task,
        None => asker.choose(Task::asks(), "--task", Task::ALL, Task::name, Task::title)?,
    };
    let stakes = match arguments.stakes {
        Some(stakes) => stakes,
        None => asker.choose(Stakes::asks(), "--stakes", Stakes::ALL, Stakes::name, Stakes::title)?,
    };
    let check = match arguments.check {
        Some(check) => check,
        None => asker.choose(Check::asks(), "--check", Check::ALL, Check::name, Check::title)?,
    };
    let work = match arguments.work {
        Some(work) => work,
        None if asks_work => asker.work()?,
        None => Work::Unknown,
    };
    let servers = match arguments.servers.as_slice() {
        [] => asker.servers()?,
        servers => servers.to_vec(),
    };
    Ok(Situation { task, stakes, check, work: work.bound(), servers })
}

/// How many answers to one question are read: whoever is asked by mistake, such as a program that writes on, must not be asked for ever.
const TRIES: u32 = 10;
/// The longest answer that is read, in bytes.
const LONGEST: u64 = 4096;

/// Asks on the standard error, and reads the answers from the standard input.
struct Asker {
    language: Language,
}

impl Asker {
    fn choose<A: Copy>(
        &self,
        question: Text,
        option: &str,
        answers: &[A],
        name: fn(A) -> &'static str,
        title: fn(A) -> Text,
    ) -> Result<A, Failure> {
        self.list(&question, answers, name, title);
        self.ask(option, &names(answers, name), &from_the_list(), |line| pick(line, answers, name))
    }

    fn servers(&self) -> Result<Vec<Server>, Failure> {
        self.list(&Server::asks(), Server::ALL, Server::name, Server::title);
        self.tell(&say!("several, with commas between", "可多选，用逗号分隔"));
        self.ask("--servers", &names(Server::ALL, Server::name), &from_the_list(), |line| {
            let parts = line.split([',', ' ', '，', '、']).filter(|part| !part.is_empty());
            let picked: Option<Vec<Server>> = parts.map(|part| pick(part, Server::ALL, Server::name)).collect();
            picked.filter(|servers| !servers.is_empty())
        })
    }

    fn work(&self) -> Result<Work, Failure> {
        self.heading(&say!("How long does the work take at most?", "工作最长需要多久？"));
        let allowed = say!("a time such as 200ms or 3s, or unknown", "一个时间，如 200ms 或 3s；不知道就写 unknown");
        self.tell(&allowed);
        let again = say!("please answer with {allowed}", "请回答{allowed}", allowed = allowed);
        self.ask("--work", &["200ms", "3s", "unknown"], &again, |line| work(line).ok())
    }

    /// Reads answers until one can be understood.
    fn ask<A>(
        &self,
        option: &str,
        allowed: &[&str],
        again: &Text,
        understood: impl Fn(&str) -> Option<A>,
    ) -> Result<A, Failure> {
        for _ in 0..TRIES {
            let Some(line) = self.line() else { return Err(unsaid(option, allowed)) };
            match understood(&line) {
                Some(answer) => return Ok(answer),
                None => self.tell(again),
            }
        }
        Err(not_understood(option, allowed))
    }

    fn list<A: Copy>(&self, question: &Text, answers: &[A], name: fn(A) -> &'static str, title: fn(A) -> Text) {
        self.heading(question);
        for (number, answer) in (1..).zip(answers) {
            self.tell(&Text::new(
                format!("{number} {:<11} {}", name(*answer), title(*answer).en),
                format!("{number} {:<11} {}", name(*answer), title(*answer).zh),
            ));
        }
    }

    fn heading(&self, text: &Text) {
        let _ = writeln!(anstream::stderr(), "\n{STRONG}{}{STRONG:#}", text.in_language(self.language));
    }

    fn tell(&self, text: &Text) {
        let _ = writeln!(anstream::stderr(), "  {}", text.in_language(self.language));
    }

    /// The next answer; `None`: there are no more.
    fn line(&self) -> Option<String> {
        let mut stderr = anstream::stderr();
        let _ = write!(stderr, "> ").and_then(|()| stderr.flush());
        let mut line = String::new();
        match io::stdin().lock().take(LONGEST).read_line(&mut line) {
            Ok(length) if length > 0 => Some(line.trim().to_owned()),
            _ => {
                // The prompt stays without an answer; what follows begins a line.
                let _ = writeln!(stderr);
                None
            }
        }
    }
}

/// An answer by its number from 1, or by its name.
fn pick<A: Copy>(text: &str, answers: &[A], name: fn(A) -> &'static str) -> Option<A> {
    let text = text.trim();
    let by_number = || text.parse::<usize>().ok()?.checked_sub(1).and_then(|index| answers.get(index)).copied();
    answers.iter().copied().find(|answer| name(*answer) == text).or_else(by_number)
}

fn names<A: Copy>(answers: &[A], name: fn(A) -> &'static str) -> Vec<&'static str> {
    answers.iter().map(|answer| name(*answer)).collect()
}

fn from_the_list() -> Text {
    say!("please answer with a number or a name from the list", "请用列表中的编号或名字回答")
}

fn unsaid(option: &str, answers: &[&str]) -> Failure {
    let message = say!(
        "the answers ended before the questions, and {option} was not given",
        "问题还没问完，回答就结束了，而命令行没有写 {option}",
        option = option
    );
    Failure::input(message).hint(takes(option, answers))
}

fn not_understood(option: &str, answers: &[&str]) -> Failure {
    let message = say!(
        "none of {count} answers was one, and {option} was not given",
        "连续 {count} 个回答都不合要求，而命令行没有写 {option}",
        count = TRIES,
        option = option
    );
    Failure::input(message).hint(takes(option, answers))
}

fn takes(option: &str, answers: &[&str]) -> Text {
    say!("{option} takes {names}", "{option} 可以是 {names}", option = option, names = Text::list(answers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_number_or_a_name() {
        assert_eq!(pick("2", Task::ALL, Task::name), Some(Task::Once));
        assert_eq!(pick(" job ", Task::ALL, Task::name), Some(Task::Job));
        assert_eq!((pick("0", Task::ALL, Task::name), pick("6", Task::ALL, Task::name)), (None, None));
    }
}
