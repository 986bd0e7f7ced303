//! JSON both ways, in an order of fields that never changes.
//!
//! Reading and writing are by hand: the digest depends on the bytes, and whoever loads the page loads no more than histories need.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::value::Value;

/// A type with one JSON form.
pub trait Json: Sized {
    /// Appends the value's JSON.
    fn write(&self, out: &mut String);

    /// Reads it back; the error says what was expected.
    fn read(value: &Value) -> Result<Self, String>;

    /// What a missing field stands for; `None`: the field must be there.
    fn missing() -> Option<Self> {
        None
    }

    /// Whether the field is left out because [`Json::missing`] stands for it.
    fn left_out(&self) -> bool {
        false
    }
}

/// An object being written.
pub struct Object<'a> {
    out: &'a mut String,
    empty: bool,
}

impl<'a> Object<'a> {
    /// Opens the object.
    pub fn open(out: &'a mut String) -> Object<'a> {
        out.push('{');
        Object { out, empty: true }
    }

    /// Appends a field, unless it is left out.
    pub fn field<T: Json>(&mut self, name: &str, value: &T) {
        if value.left_out() {
            return;
        }
        if !std::mem::replace(&mut self.empty, false) {
            self.out.push(',');
        }
        write_text(name, self.out);
        self.out.push(':');
        value.write(self.out);
    }

    /// Closes the object.
    pub fn close(self) {
        self.out.push('}');
    }
}

/// Reads a field of an object.
pub fn field<T: Json>(value: &Value, name: &str) -> Result<T, String> {
    match value.get(name) {
        Some(value) => T::read(value).map_err(|error| format!("\"{name}\": {error}")),
        None => T::missing().ok_or_else(|| format!("\"{name}\" is missing")),
    }
}

/// The word that tells a variant: the string itself, or the object's field `is`.
pub fn word(value: &Value) -> Result<&str, String> {
    let word = value.as_text().or_else(|| value.get("is")?.as_text());
    word.ok_or_else(|| "expected a word, or an object with \"is\"".into())
}

/// Appends a JSON string.
pub fn write_text(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(plain) = rest.find(|char: char| char == '"' || char == '\\' || char < ' ') {
        out.push_str(&rest[..plain]);
        match rest.as_bytes()[plain] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x8 => out.push_str("\\b"),
            0xc => out.push_str("\\f"),
            control => out.push_str(&format!("\\u{control:04x}")),
        }
        rest = &rest[plain + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl Json for $type {
            fn write(&self, out: &mut String) {
                out.push_str(&self.to_string());
            }

            fn read(value: &Value) -> Result<$type, String> {
                value.as_whole().ok_or_else(|| format!("expected a whole number from {} to {}", <$type>::MIN, <$type>::MAX))
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64, i64);

impl Json for bool {
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }

    fn read(value: &Value) -> Result<bool, String> {
        let Value::Bool(switch) = value else { return Err("expected true or false".into()) };
        Ok(*switch)
    }
}

impl Json for String {
    fn write(&self, out: &mut String) {
        write_text(self, out);
    }

    fn read(value: &Value) -> Result<String, String> {
        value.as_text().map(str::to_owned).ok_or_else(|| "expected a text".into())
    }
}

impl Json for Arc<str> {
    fn write(&self, out: &mut String) {
        write_text(self, out);
    }

    fn read(value: &Value) -> Result<Arc<str>, String> {
        String::read(value).map(Arc::from)
    }
}

/// Left out when there is none.
impl<T: Json> Json for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }

    fn read(value: &Value) -> Result<Option<T>, String> {
        if *value == Value::Null { Ok(None) } else { T::read(value).map(Some) }
    }

    fn missing() -> Option<Option<T>> {
        Some(None)
    }

    fn left_out(&self) -> bool {
        self.is_none()
    }
}

impl<T: Json> Json for Vec<T> {
    fn write(&self, out: &mut String) {
        out.push('[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            item.write(out);
        }
        out.push(']');
    }

    fn read(value: &Value) -> Result<Vec<T>, String> {
        let Value::List(items) = value else { return Err("expected a list".into()) };
        items.iter().map(T::read).collect()
    }
}

impl Json for BTreeMap<String, String> {
    fn write(&self, out: &mut String) {
        let mut object = Object::open(out);
        for (name, value) in self {
            object.field(name, value);
        }
        object.close();
    }

    fn read(value: &Value) -> Result<BTreeMap<String, String>, String> {
        let Value::Object(fields) = value else { return Err("expected an object".into()) };
        fields.iter().map(|(name, value)| Ok((name.clone(), String::read(value)?))).collect()
    }
}

impl<T: Json> Json for Arc<T> {
    fn write(&self, out: &mut String) {
        T::write(self, out);
    }

    fn read(value: &Value) -> Result<Arc<T>, String> {
        T::read(value).map(Arc::new)
    }
}
