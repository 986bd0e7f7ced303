//! The report for build servers: JUnit's XML, one test case a run.

use std::fmt::Write as _;

use locklab_core::check::Verdict;
use locklab_core::i18n::Language;

use super::words;
use crate::play::{Outcome, Played};

/// Test cases, one a run.
#[derive(Debug, Default)]
pub struct Cases {
    xml: String,
    count: usize,
    failed: usize,
    skipped: usize,
}

impl Cases {
    /// Adds a run.
    pub fn add(&mut self, played: &Played, language: Language) {
        self.count += 1;
        self.failed += usize::from(played.as_expected() == Some(false));
        self.skipped += usize::from(is_skipped(played));
        case(played, language, &mut self.xml);
    }

    /// The whole document.
    pub fn document(&self) -> String {
        let Cases { xml, count, failed, skipped } = self;
        let counts = format!("tests=\"{count}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\"");
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"locklab\" {counts}>\n  <testsuite name=\"locklab\" \
             {counts}>\n{xml}  </testsuite>\n</testsuites>\n"
        )
    }
}

fn case(played: &Played, language: Language, xml: &mut String) {
    let _ =
        writeln!(xml, "    <testcase classname=\"{}\" name=\"{}\">", escaped(&played.scenario), escaped(&played.lock));
    match &played.outcome {
        Outcome::NotApplicable { why, .. } => {
            let element = if is_skipped(played) { "skipped" } else { "failure" };
            let _ = writeln!(xml, "      <{element} message=\"{}\"/>", escaped(why.in_language(language)));
        }
        Outcome::Judged(judged) => {
            let differences: Vec<&str> = judged
                .comparison
                .iter()
                .flat_map(|comparison| &comparison.differences)
                .map(|difference| difference.in_language(language))
                .collect();
            if !differences.is_empty() {
                let _ = writeln!(xml, "      <failure message=\"{}\"/>", escaped(&differences.join("; ")));
            }
            let broken = words::properties(judged, Verdict::is_broken).unwrap_or_default();
            let (verdict, _) = words::verdict(played);
            let replay =
                judged.address.as_ref().map(|address| format!("\nlocklab replay {address}")).unwrap_or_default();
            let said = format!("{} {}{replay}", verdict.in_language(language), broken.in_language(language));
            let _ = writeln!(xml, "      <system-out>{}</system-out>", escaped(&said));
        }
    }
    xml.push_str("    </testcase>\n");
}

fn is_skipped(played: &Played) -> bool {
    matches!(played.outcome, Outcome::NotApplicable { was_expected: false, .. })
}

/// Text that means itself in XML; characters that XML cannot hold are left out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(char),
            char if char < ' ' || matches!(char, '\u{fffe}' | '\u{ffff}') => {}
            char => out.push(char),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_left_out() {
        assert_eq!(escaped("a<b> & \"c\"\u{1b}[0m\n锁"), "a&lt;b&gt; &amp; &quot;c&quot;[0m\n锁");
    }
}
