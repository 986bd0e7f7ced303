//! A listing as the machine reads it: the lines that send a command, and the scripts.
//!
//! The listing is the single source: what a person reads beside the timeline is what is sent.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::history::{Code, Section};

/// A listing taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listing {
    lines: Vec<Line>,
    scripts: BTreeMap<String, Arc<str>>,
}

/// A line that sends a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub code: Code,
    /// The command's words with placeholders in braces, such as `{key}`; a script by its name, such as `@release`.
    pub words: Vec<String>,
}

/// The commands that a line can send.
const COMMANDS: [&str; 6] = ["EVAL", "SUBSCRIBE", "UNSUBSCRIBE", "WAIT", "PEXPIRE", "HEXISTS"];

impl Listing {
    pub fn read(text: &str) -> Listing {
        let (mut lines, mut scripts) = (Vec::new(), BTreeMap::new());
        let mut section = None;
        let mut script: Option<(String, String)> = None;
        for (number, line) in (1..).zip(text.lines()) {
            if !line.starts_with(' ') && !line.is_empty() {
                scripts.extend(script.take().map(kept));
                section = section_of(line);
                script =
                    line.strip_prefix("script ").map(|name| (name.trim_end_matches(':').to_owned(), String::new()));
                continue;
            }
            match (&mut script, section) {
                (Some((_, body)), _) => {
                    body.push_str(line.strip_prefix("    ").unwrap_or(line));
                    body.push('\n');
                }
                (None, Some(section)) => lines.extend(command_of(line).map(|words| {
                    let code = Code { section, line: number };
                    Line { code, words }
                })),
                (None, None) => {}
            }
        }
        scripts.extend(script.map(kept));
        Listing { lines, scripts }
    }

    /// The `index`-th line of a section that sends this command; the last, if there are fewer; `None` if there is none. A script is named by
    /// its first letters: `EVAL @leave`.
    pub fn line(&self, section: Section, command: &str, index: usize) -> Option<&Line> {
        let (name, script) = command.split_once(' ').map_or((command, None), |(name, script)| (name, Some(script)));
        let fits = |line: &&Line| {
            let is_script = script.is_none_or(|script| line.words.get(1).is_some_and(|word| word == script));
            line.code.section == section && line.words[0] == name && is_script
        };
        let all: Vec<&Line> = self.lines.iter().filter(fits).collect();
        all.get(index).or(all.last()).copied()
    }

    /// A script's text, by its name with the `@`.
    pub fn script(&self, name: &str) -> Option<&Arc<str>> {
        self.scripts.get(name.strip_prefix('@')?)
    }
}

fn kept((name, body): (String, String)) -> (String, Arc<str>) {
    (name, Arc::from(format!("{}\n", body.trim_end())))
}

fn section_of(header: &str) -> Option<Section> {
    match header.split([' ', ':']).next()? {
        "acquire" => Some(Section::Acquire),
        "release" => Some(Section::Release),
        "renew" => Some(Section::Renew),
        "check" => Some(Section::Check),
        _ => None,
    }
}

fn command_of(line: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = line.split_whitespace().take_while(|word| *word != "->" && *word != "#").collect();
    let first = words.iter().position(|word| COMMANDS.contains(word))?;
    Some(words[first..].iter().map(|word| (*word).to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_is_taken_apart_into_commands_and_scripts() {
        let text = "parameters:\n    WAIT for it\nacquire:\n    each: EVAL @a 1 {key}  -> nil: acquired\n    EVAL @b 0\n    \
                    SUBSCRIBE x{{key}}  # then\n\nscript a:\n    if x then\n        return 1\n    end\n\nscript b:\n    return 2\n";
        let listing = Listing::read(text);
        let words = |command, index| listing.line(Section::Acquire, command, index).map(|line| line.words.join(" "));
        assert_eq!(words("EVAL", 0).as_deref(), Some("EVAL @a 1 {key}"));
        assert_eq!(words("EVAL", 7).as_deref(), Some("EVAL @b 0"), "the last, where there are fewer");
        assert_eq!(words("EVAL @b", 0).as_deref(), Some("EVAL @b 0"));
        assert_eq!(words("SUBSCRIBE", 0).as_deref(), Some("SUBSCRIBE x{{key}}"));
        assert_eq!(words("WAIT", 0), None, "a line of no section sends nothing");
        assert_eq!(listing.line(Section::Acquire, "EVAL", 0).map(|line| line.code.line), Some(4));
        assert_eq!(listing.script("@a").map(|body| &**body), Some("if x then\n    return 1\nend\n"));
        assert_eq!(listing.script("@c"), None);
    }
}
