//! A JSON text as a tree: no more of JSON than a history needs, where every number is whole.

/// How deep lists and objects may stand within each other.
const DEEPEST: usize = 128;

/// A value of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Whole(i128),
    /// A number with a fraction or an exponent, or one that is too large.
    OtherNumber,
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// The fields of an object, as they were written; of two with one name the last counts.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Reads a text that is one value.
    ///
    /// # Errors
    /// The character at which it stops being JSON, counted from 1.
    pub fn parse(text: &str) -> Result<Value, usize> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(DEEPEST);
        reader.space();
        match value {
            Some(value) if reader.at == text.len() => Ok(value),
            _ => Err(text[..reader.at].chars().count() + 1),
        }
    }

    /// A field of an object.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let Value::Object(fields) = self else { return None };
        fields.iter().rev().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        let Value::Text(text) = self else { return None };
        Some(text)
    }

    /// The whole number, if it is one that the type can hold.
    pub fn as_whole<T: TryFrom<i128>>(&self) -> Option<T> {
        let Value::Whole(number) = self else { return None };
        T::try_from(*number).ok()
    }
}

/// What is left to read. A method that gives `None` leaves the place where it stopped.
struct Reader<'t> {
    text: &'t str,
    /// In bytes, always between two characters.
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        self.space();
        match self.peek()? {
            b'{' => self.object(depth.checked_sub(1)?),
            b'[' => self.list(depth.checked_sub(1)?),
            b'"' => self.text().map(Value::Text),
            b't' => self.literal("true", Value::Bool(true)),
            b'f' => self.literal("false", Value::Bool(false)),
            b'n' => self.literal("null", Value::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        let mut fields = Vec::new();
        self.items(b'{', b'}', |reader| {
            reader.space();
            let name = reader.text()?;
            reader.space();
            reader.take(b':')?;
            fields.push((name, reader.value(depth)?));
            Some(())
        })?;
        Some(Value::Object(fields))
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        self.items(b'[', b']', |reader| {
            items.push(reader.value(depth)?);
            Some(())
        })?;
        Some(Value::List(items))
    }

    /// What stands between two brackets, with commas between.
    fn items(&mut self, open: u8, close: u8, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.take(open)?;
        self.space();
        if self.take(close).is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            self.space();
            if self.take(close).is_some() {
                return Some(());
            }
            self.take(b',')?;
        }
    }

    fn literal(&mut self, word: &str, value: Value) -> Option<Value> {
        self.text[self.at..].starts_with(word).then(|| self.at += word.len())?;
        Some(value)
    }

    fn number(&mut self) -> Option<Value> {
        let start = self.at;
        let _sign = self.take(b'-');
        // A number does not begin with a nought, unless that is all of it.
        if self.take(b'0').is_none() {
            self.digits()?;
        }
        let whole = self.at;
        if self.take(b'.').is_some() {
            self.digits()?;
        }
        if self.take(b'e').or_else(|| self.take(b'E')).is_some() {
            let _sign = self.take(b'+').or_else(|| self.take(b'-'));
            self.digits()?;
        }
        let number = self.text[start..self.at].parse().ok().filter(|_| self.at == whole);
        Some(number.map_or(Value::OtherNumber, Value::Whole))
    }

    fn digits(&mut self) -> Option<()> {
        let count = self.text[self.at..].bytes().take_while(u8::is_ascii_digit).count();
        self.at += count;
        (count > 0).then_some(())
    }

    fn text(&mut self) -> Option<String> {
        self.take(b'"')?;
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(|char: char| char == '"' || char == '\\' || char < ' ')?;
            text.push_str(&rest[..plain]);
            self.at += plain;
            if self.take(b'"').is_some() {
                return Some(text);
            }
            self.take(b'\\')?;
            text.push(self.escaped()?);
        }
    }

    /// What stands after a backslash.
    fn escaped(&mut self) -> Option<char> {
        let char = match self.peek()? {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return None,
        };
        self.at += 1;
        Some(char)
    }

    /// A character by its number in UTF-16, which takes two of them where it is large.
    fn unicode(&mut self) -> Option<char> {
        let first = self.unit()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        self.take(b'\\')?;
        let second = self.unit()?.checked_sub(0xdc00).filter(|second| *second < 0x400)?;
        char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + second)
    }

    /// `u` and four hexadecimal digits.
    fn unit(&mut self) -> Option<u32> {
        self.take(b'u')?;
        let digits = self.text.get(self.at..self.at + 4)?;
        let unit = digits.bytes().try_fold(0, |unit, digit| Some(unit << 4 | char::from(digit).to_digit(16)?))?;
        self.at += 4;
        Some(unit)
    }

    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::history::lines::json::write_text;

    /// What a reader that others wrote makes of a text; `None`: a history has no use for it.
    fn by_another(value: &serde_json::Value) -> Value {
        match value {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(switch) => Value::Bool(*switch),
            serde_json::Value::Number(number) => {
                let whole = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
                // The other one takes -0 for a fraction.
                let whole = whole.or_else(|| (number.as_f64() == Some(0.0)).then_some(0));
                whole.map_or(Value::OtherNumber, Value::Whole)
            }
            serde_json::Value::String(text) => Value::Text(text.clone()),
            serde_json::Value::Array(items) => Value::List(items.iter().map(by_another).collect()),
            serde_json::Value::Object(fields) => {
                Value::Object(fields.iter().map(|(name, value)| (name.clone(), by_another(value))).collect())
            }
        }
    }

    /// The value with the fields of objects in order and once: the other reader keeps them so, or as they came, by how it was built.
    fn in_order(value: Value) -> Value {
        match value {
            Value::Object(fields) => {
                let fields: BTreeMap<_, _> = fields.into_iter().map(|(name, value)| (name, in_order(value))).collect();
                Value::Object(fields.into_iter().collect())
            }
            Value::List(items) => Value::List(items.into_iter().map(in_order).collect()),
            value => value,
        }
    }

    fn agrees(text: &str) {
        let other = serde_json::from_str::<serde_json::Value>(text);
        assert_eq!(
            Value::parse(text).ok().map(in_order),
            other.ok().map(|value| in_order(by_another(&value))),
            "{text}"
        );
    }

    #[test]
    fn it_reads_what_another_reader_reads_and_refuses_what_that_refuses() {
        for text in [
            "",
            " ",
            "null",
            "nul",
            "truefalse",
            " [ ] ",
            "[1,]",
            "[1 2]",
            "{\"a\" : 1 , \"b\":[ -7, true,false ]}",
            "{\"b\":1,\"a\":2,\"b\":{}}",
            "{a:1}",
            "{\"a\":}",
            "{\"a\":1,}",
            "0",
            "00",
            "01",
            "-",
            "-1",
            "+1",
            "1.5",
            "1.",
            "1e3",
            "1e",
            "9223372036854775808",
            "\"\\u00e9\\ud83d\\ude00\"",
            "\"\\ud83d\"",
            "\"\\ude00\"",
            "\"\\ud83d\\u0041\"",
            "\"\\u+123\"",
            "\"\\u12é\"",
            "\"\\é\"",
            "\"\\x\"",
            "\"tab\there\"",
            "\"open",
            "\u{1}",
            "é",
        ] {
            agrees(text);
        }
        for depth in [127, 128] {
            let nested = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            assert!(Value::parse(&nested).is_ok(), "{depth}");
        }
        assert!(Value::parse(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn a_slip_is_told_by_its_character() {
        assert_eq!(Value::parse("{\"名\": nil}"), Err(7));
        assert_eq!(Value::parse("1 2"), Err(3));
    }

    proptest! {
        #[test]
        fn a_text_that_is_written_is_read_again_and_is_what_another_writes(text in ".*") {
            let mut written = String::new();
            write_text(&text, &mut written);
            prop_assert_eq!(&written, &serde_json::Value::from(text.as_str()).to_string());
            prop_assert_eq!(Value::parse(&written), Ok(Value::Text(text)));
        }

        #[test]
        fn any_line_is_read_as_another_reads_it(text in "[\\[\\]{}:,\"\\\\nulltrefas0-9eE.+ \u{7f}é-]{0,24}") {
            if !text.contains(['e', 'E', '.']) || !text.contains(|char: char| char.is_ascii_digit()) {
                agrees(&text);
            }
        }
    }
}
