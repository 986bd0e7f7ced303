//! Writing markup: every text and attribute escaped, every element closed.

use std::fmt::{Display, Write};

/// SVG or HTML under construction.
#[derive(Default)]
pub(in crate::view) struct Markup {
    text: String,
    open: Vec<&'static str>,
}

impl Markup {
    /// Opens an element; its children follow until [`Markup::close`].
    pub fn open(&mut self, name: &'static str, attributes: &[(&str, &dyn Display)]) {
        self.tag(name, attributes, ">");
        self.open.push(name);
    }

    /// Closes the element that was opened last.
    pub fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            let _ = writeln!(self.text, "</{name}>");
        }
    }

    /// An element without children.
    pub fn leaf(&mut self, name: &'static str, attributes: &[(&str, &dyn Display)]) {
        self.tag(name, attributes, "/>\n");
    }

    /// An element with only text in it.
    pub fn text(&mut self, name: &'static str, attributes: &[(&str, &dyn Display)], text: &str) {
        self.tag(name, attributes, ">");
        escape(&mut self.text, text);
        let _ = writeln!(self.text, "</{name}>");
    }

    /// Markup of our own, such as a style sheet; never anything from a history.
    pub fn raw(&mut self, markup: &str) {
        self.text.push_str(markup);
    }

    /// The finished markup; whatever is still open is closed.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &dyn Display)], end: &str) {
        let _ = write!(self.text, "<{name}");
        for (key, value) in attributes {
            let _ = write!(self.text, " {key}=\"");
            escape(&mut self.text, &value.to_string());
            self.text.push('"');
        }
        self.text.push_str(end);
    }
}

/// Escapes what has a meaning in markup, and drops what XML does not allow at all.
fn escape(into: &mut String, text: &str) {
    for char in text.chars() {
        match char {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            '\'' => into.push_str("&#39;"),
            '\t' | '\n' => into.push(char),
            '\u{fffe}' | '\u{ffff}' => {}
            char if char.is_control() => {}
            char => into.push(char),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_name_stays_text() {
        let mut markup = Markup::default();
        markup.text("title", &[("class", &"a\"b")], "</title><script>alert('x')\u{0}</script>");
        assert_eq!(
            markup.finish(),
            "<title class=\"a&quot;b\">&lt;/title&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</title>\n"
        );
    }
}
