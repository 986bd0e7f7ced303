//! `locklab explain`: one name, explained.

use std::fmt::Write as _;

use locklab_core::check::Property;
use locklab_core::compare::Threat;
use locklab_core::i18n::{Language, Text, did_you_mean, nearest};
use locklab_core::locks::{self, Difference, Kind, Preset};
use locklab_core::say;
use locklab_core::scenario::{Scenario, library};
use textwrap::Options;

use crate::args::Topic;
use crate::catalog::{self, Entry, FaultInfo, GuardInfo};
use crate::failure::{Ending, Failure};
use crate::output::Output;
use crate::terminal::{self, FAINT, STRONG};

/// Explains whatever has this name.
pub fn explain(name: &str, language: Language) -> Result<Ending, Failure> {
    let mut page = Page { language, width: terminal::width(), text: String::new() };
    page.explain(name)?;
    Output::standard().write(&page.text)?;
    Ok(Ending::AsExpected)
}

struct Page {
    language: Language,
    width: usize,
    text: String,
}

impl Page {
    fn explain(&mut self, name: &str) -> Result<(), Failure> {
        let (fault, threat) = (catalog::fault(name), name.parse::<Threat>().ok());
        if let Ok(kind) = locks::find(name) {
            self.lock(kind);
        } else if let Some(guard) = catalog::guard(&name.to_lowercase()) {
            self.guard(guard);
        } else if let Some(property) = property(name) {
            self.property(property);
        } else if fault.is_some() || threat.is_some() {
            // Some have one name.
            fault.iter().for_each(|fault| self.fault(fault));
            threat.iter().for_each(|threat| self.threat(*threat, fault.is_some()));
        } else if let Some(scenario) = library::find(name) {
            self.scenario(scenario);
        } else {
            let entries = named(name);
            if entries.is_empty() {
                return Err(unknown(name));
            }
            entries.iter().for_each(|(topic, entry)| self.entry(*topic, entry));
        }
        Ok(())
    }

    fn lock(&mut self, kind: &Kind) {
        self.title(&kind.name, &kind.summary);
        if let Some(preset) = locks::preset(&kind.name) {
            self.preset(preset);
        }
        self.markdown(&kind.explanation);
        self.heading(&say!("Code", "代码"));
        self.block(&kind.code);
        if !kind.parameters.is_empty() {
            self.heading(&say!("Parameters of its own", "它自己的参数"));
        }
        for parameter in &kind.parameters {
            let range = parameter.range.describe();
            let (summary, range) = (self.say(&parameter.summary), self.say(&range));
            self.item(&format!("{}: {summary} ({range})", parameter.name));
        }
        self.played_in(|scenario| scenario.expectations.iter().any(|expected| expected.lock == kind.name));
    }

    /// What a library does otherwise than the lock that it stands on.
    fn preset(&mut self, preset: &Preset) {
        let base = preset.stands_on;
        let commands = preset.has_code_of_its_own();
        let differences = preset.differences();
        self.heading(&match (commands, differences.is_empty()) {
            (true, true) => say!("{base} with commands of its own", "{base}，但命令是自己的"),
            (true, false) => say!("{base} with commands of its own, and", "{base}，但命令是自己的，并且"),
            (false, true) => say!("{base}, with nothing changed", "就是 {base}，什么也没改"),
            (false, false) => say!("{base}, but", "{base}，但"),
        });
        for Difference { name, value, summary } in differences {
            let summary = self.say(&summary);
            let colon = if summary.is_empty() { "" } else { ": " };
            self.item(&format!("{name} = {value}{colon}{summary}"));
        }
    }

    fn guard(&mut self, guard: &GuardInfo) {
        self.title(guard.name, &guard.summary());
        self.markdown(&guard.explanation());
        let step = guard.name;
        self.played_in(|scenario| match guard.guard {
            Some(guard) => scenario.resource.guard == Some(guard),
            None => scenario.clients.iter().flat_map(|client| &client.steps).any(|done| done.to_string() == step),
        });
    }

    fn property(&mut self, property: Property) {
        let title = property.title();
        let full = Text::new(property.name(), format!("{} ({})", property.name(), title.zh));
        let name = self.say(&full);
        self.title(&name, &property.sentence());
        self.played_in(|scenario| scenario.expectations.iter().any(|expected| expected.broken.contains(&property)));
    }

    fn fault(&mut self, fault: &FaultInfo) {
        self.title(fault.key, &fault.summary());
        self.heading(&say!("In a scenario", "在场景中"));
        self.block(&format!("[[fault]]\n{}", fault.example));
    }

    /// A column of the comparison; below the fault of the same name, where there is one.
    fn threat(&mut self, threat: Threat, has_page: bool) {
        if !has_page {
            self.title(threat.name(), &threat.sentence());
        }
        let title = threat.title();
        self.heading(&say!("In the comparison: {title}", "在对比中：{title}", title = title));
        if has_page {
            self.paragraph(&threat.sentence());
        }
        self.block(&format!("locklab compare --against {threat}"));
    }

    fn scenario(&mut self, built_in: &library::BuiltIn) {
        let Ok(scenario) = Scenario::parse(built_in.name, built_in.text) else { return };
        self.title(built_in.name, &scenario.title);
        self.paragraph(&scenario.question);
        self.heading(&say!("File", "文件"));
        self.block(built_in.text);
        self.heading(&say!("Run it", "运行"));
        self.block(&format!("locklab run {}", built_in.name));
    }

    fn entry(&mut self, topic: Topic, entry: &Entry) {
        let heading = self.say(&catalog::heading(topic));
        self.title(&entry.name, &entry.summary);
        let _ = writeln!(self.text, "{FAINT}{heading}{FAINT:#}");
    }

    /// The built-in scenarios that show something.
    fn played_in(&mut self, shows: impl Fn(&Scenario) -> bool) {
        let scenarios = library::all().iter().filter_map(|built_in| Scenario::parse(built_in.name, built_in.text).ok());
        let found: Vec<Scenario> = scenarios.filter(|scenario| shows(scenario)).collect();
        if !found.is_empty() {
            self.heading(&say!("See it in", "可在这些场景中看到"));
        }
        for scenario in found {
            let title = self.say(&scenario.title);
            self.item(&format!("{}: {title}", scenario.name));
        }
    }

    /// The little of Markdown that explanations use: headings and lists.
    fn markdown(&mut self, text: &Text) {
        for line in text.in_language(self.language).to_owned().lines() {
            if let Some(heading) = line.strip_prefix("## ") {
                self.heading(&Text::same(heading));
            } else if let Some(item) = line.strip_prefix("- ") {
                self.item(item);
            } else if !line.trim().is_empty() {
                let indent = if line.starts_with(|first: char| first.is_ascii_digit()) { "   " } else { "" };
                self.fill(line, "", indent);
            }
        }
    }

    fn title(&mut self, name: &str, summary: &Text) {
        let summary = self.say(summary);
        let _ = writeln!(self.text, "{STRONG}{name}{STRONG:#}");
        self.fill(&summary, "", "");
    }

    fn heading(&mut self, words: &Text) {
        let words = self.say(words);
        let _ = writeln!(self.text, "\n{STRONG}{words}{STRONG:#}");
    }

    fn paragraph(&mut self, words: &Text) {
        let words = self.say(words);
        self.fill(&words, "", "");
    }

    fn item(&mut self, words: &str) {
        self.fill(words, "- ", "  ");
    }

    fn block(&mut self, code: &str) {
        for line in code.trim_end().lines() {
            let _ = writeln!(self.text, "{}", format!("    {line}").trim_end());
        }
    }

    fn fill(&mut self, words: &str, first: &str, rest: &str) {
        let options = Options::new(self.width).initial_indent(first).subsequent_indent(rest).break_words(false);
        let _ = writeln!(self.text, "{}", textwrap::fill(words, options));
    }

    fn say(&self, text: &Text) -> String {
        text.in_language(self.language).to_owned()
    }
}

/// A property by its canonical name, or by the one that readers see.
fn property(name: &str) -> Option<Property> {
    let called = |property: &Property| property.title().zh == name || property.title().en == name;
    name.parse().ok().or_else(|| Property::ALL.into_iter().find(called))
}

/// Everything else of this name, whichever topic it belongs to.
fn named(name: &str) -> Vec<(Topic, Entry)> {
    let of = |topic: Topic| {
        let entries = catalog::entries(topic).into_iter().filter(|entry| entry.name == name);
        entries.map(move |entry| (topic, entry))
    };
    catalog::topics().flat_map(of).collect()
}

fn unknown(name: &str) -> Failure {
    let names: Vec<String> = catalog::topics()
        .flat_map(catalog::entries)
        .flat_map(|entry| entry.aliases.into_iter().chain([entry.name]))
        .collect();
    let wanted = name.to_lowercase();
    let same = names.iter().find(|candidate| **candidate == wanted).cloned();
    let near = same
        .or_else(|| library::nearest(name).map(str::to_owned))
        .or_else(|| nearest(&wanted, names.iter().map(String::as_str)).map(str::to_owned));
    Failure::input(say!("nothing is called \"{name}\"", "没有叫 \"{name}\" 的东西", name = name)).hint(match near {
        Some(near) => did_you_mean(&near),
        None => say!("all names: locklab list", "查看所有名字：locklab list"),
    })
}
