//! A plain table, for a comparison on one scenario: headings, and lines of cells.

use unicode_width::UnicodeWidthStr;

/// A table whose first column names its lines.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The headings; the first is that of the names.
    pub headings: Vec<String>,
    /// The lines, each as long as the headings.
    pub lines: Vec<Vec<String>>,
}

impl Sheet {
    /// Aligned with blanks.
    pub fn text(&self) -> String {
        let width = |column: usize| self.all().map(|line| line[column].width()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.headings.len()).map(width).collect();
        let pad = |cell: &String, width: usize| format!("{cell}{}", " ".repeat(width.saturating_sub(cell.width())));
        let line = |line: &Vec<String>| {
            let cells: Vec<String> = line.iter().zip(&widths).map(|(cell, width)| pad(cell, *width)).collect();
            format!("{}\n", cells.join("  ").trim_end())
        };
        self.all().map(line).collect()
    }

    /// In Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: &Vec<String>| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = format!("|{}\n", " --- |".repeat(self.headings.len()));
        let lines: String = self.lines.iter().map(line).collect();
        format!("{}{rule}{lines}", line(&self.headings))
    }

    /// As comma-separated values.
    pub fn csv(&self) -> String {
        self.all().map(|line| csv_line(line)).collect()
    }

    /// As the table of an HTML page.
    pub fn html(&self) -> String {
        let cells = |line: &Vec<String>, tag: &str| {
            let cells: String = line.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
            format!("<tr>{cells}</tr>\n")
        };
        let lines: String = self.lines.iter().map(|line| cells(line, "td")).collect();
        format!("<table>\n{}{lines}</table>\n", cells(&self.headings, "th"))
    }

    fn all(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.headings).chain(&self.lines)
    }
}

/// A line of comma-separated values, quoted where it must be (RFC 4180, but for the line's end).
pub fn csv_line(fields: &[String]) -> String {
    let quoted = fields.iter().map(|field| match field.contains([',', '"', '\n']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.clone(),
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

/// A text for HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_separates_is_quoted() {
        assert_eq!(csv_line(&["a".into(), "b,\"c\"".into()]), "a,\"b,\"\"c\"\"\"\n");
        let sheet = Sheet { headings: vec!["".into(), "x|y".into()], lines: vec![vec!["<1>".into(), "2".into()]] };
        assert_eq!(sheet.markdown(), "|  | x\\|y |\n| --- | --- |\n| <1> | 2 |\n");
        assert!(sheet.html().contains("<td>&lt;1&gt;</td>"));
    }

    #[test]
    fn columns_stand_under_each_other_in_both_scripts() {
        let sheet = Sheet { headings: vec!["锁".into(), "b".into()], lines: vec![vec!["abc".into(), "d".into()]] };
        assert_eq!(sheet.text(), "锁   b\nabc  d\n");
    }
}
