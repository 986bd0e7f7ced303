//! Asking on a terminal what was not said.

use std::io::{self, BufRead, IsTerminal, Write};

use locklab_core::compare::advice::{Check, Server, Situation, Stakes, Task};
use locklab_core::i18n::{Language, Text};
use locklab_core::say;

use super::arguments::{AdviseArguments, Work, work};
use crate::failure::Failure;
use crate::terminal::STRONG;

/// The situation: what was said, and what is answered to the questions that are left.
pub fn situation(arguments: &AdviseArguments, language: Language) -> Result<Situation, Failure> {
    let mut asker = Asker { language, is_there: io::stdin().is_terminal() };
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
        None if asker.is_there => asker.work()?,
        None => Work::Unknown,
    };
    let servers = match arguments.servers.as_slice() {
        [] => asker.servers()?,
        servers => servers.to_vec(),
    };
    Ok(Situation { task, stakes, check, work: work.bound(), servers })
}

/// Somebody to ask, if there is anybody.
struct Asker {
    language: Language,
    is_there: bool,
}

impl Asker {
    fn choose<A: Copy>(
        &mut self,
        question: Text,
        option: &str,
        answers: &[A],
        name: fn(A) -> &'static str,
        title: fn(A) -> Text,
    ) -> Result<A, Failure> {
        if !self.is_there {
            return Err(unsaid(option, &answers.iter().map(|answer| name(*answer)).collect::<Vec<_>>()));
        }
        self.list(&question, answers, name, title);
        loop {
            let line = self.line()?;
            if let Some(answer) = pick(&line, answers, name) {
                return Ok(answer);
            }
            self.again();
        }
    }

    fn servers(&mut self) -> Result<Vec<Server>, Failure> {
        if !self.is_there {
            let names: Vec<&str> = Server::ALL.iter().map(|server| server.name()).collect();
            return Err(unsaid("--servers", &names));
        }
        self.list(&Server::asks(), Server::ALL, Server::name, Server::title);
        self.tell(&say!("several, with commas between", "可多选，用逗号分隔"));
        loop {
            let line = self.line()?;
            let picked: Option<Vec<Server>> = line
                .split([',', ' ', '，'])
                .filter(|part| !part.is_empty())
                .map(|part| pick(part, Server::ALL, Server::name))
                .collect();
            match picked {
                Some(servers) if !servers.is_empty() => return Ok(servers),
                _ => self.again(),
            }
        }
    }

    fn work(&mut self) -> Result<Work, Failure> {
        self.heading(&say!(
            "How long does the work take at most? A time such as 200ms, or unknown.",
            "工作最长需要多久？写一个时间，如 200ms；不知道就写 unknown。"
        ));
        loop {
            match work(self.line()?.trim()) {
                Ok(work) => return Ok(work),
                Err(_) => self.again(),
            }
        }
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

    fn again(&self) {
        self.tell(&say!("please answer with a number or a name from the list", "请用列表中的编号或名字回答"));
    }

    fn line(&self) -> Result<String, Failure> {
        let mut stderr = anstream::stderr();
        let _ = write!(stderr, "> ").and_then(|()| stderr.flush());
        let mut line = String::new();
        match io::stdin().lock().read_line(&mut line) {
            Ok(length) if length > 0 => Ok(line.trim().to_owned()),
            _ => Err(Failure::input(say!("the answers ended before the questions", "问题还没问完，回答就结束了"))),
        }
    }
}

/// An answer by its number from 1, or by its name.
fn pick<A: Copy>(text: &str, answers: &[A], name: fn(A) -> &'static str) -> Option<A> {
    let text = text.trim();
    let by_number = || text.parse::<usize>().ok()?.checked_sub(1).and_then(|index| answers.get(index)).copied();
    answers.iter().copied().find(|answer| name(*answer) == text).or_else(by_number)
}

fn unsaid(option: &str, answers: &[&str]) -> Failure {
    let names = answers.join(", ");
    Failure::input(say!(
        "nobody can be asked here, and {option} was not given",
        "这里无法提问，而命令行没有写 {option}",
        option = option
    ))
    .hint(say!("{option} takes {names}", "{option} 可以是 {names}", option = option, names = names))
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
