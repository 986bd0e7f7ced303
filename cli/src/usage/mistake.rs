//! What is wrong with a command line. What a value must be is told in both languages; everything else says `clap` in English, and we in Chinese.

use std::error::Error as _;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use locklab_core::check::UnknownName;
use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use locklab_core::time::SpanError;

use crate::failure::Failure;
use crate::options::Rule;

/// The mistake, where `clap` does not tell it well enough in this language.
pub fn failure(error: &Error, language: Language) -> Option<Failure> {
    let unknown = error.source().and_then(|source| source.downcast_ref::<UnknownName>());
    match (language, unknown) {
        (Language::English, None) => None,
        (Language::English, Some(unknown)) => {
            let (argument, value) = (of(error, ContextKind::InvalidArg), of(error, ContextKind::InvalidValue));
            let message = say!("{argument} has no value \"{value}\"", "", argument = argument, value = value);
            Some(Failure::input(message).hint(unknown.hint()))
        }
        (Language::Chinese, _) => Some(Failure::input(Text::same(message(error))).hint(hint(error))),
    }
}

/// The mistake in Chinese.
fn message(error: &Error) -> String {
    let argument = of(error, ContextKind::InvalidArg);
    let value = of(error, ContextKind::InvalidValue);
    match error.kind() {
        ErrorKind::InvalidValue if value.is_empty() => format!("{argument} 需要一个值"),
        ErrorKind::InvalidValue => format!("{argument} 的值 \"{value}\" 无效"),
        ErrorKind::ValueValidation => format!("{argument} 的值 \"{value}\" 不合要求"),
        ErrorKind::UnknownArgument => format!("没有参数 {argument}"),
        ErrorKind::InvalidSubcommand => format!("没有命令 {}", of(error, ContextKind::InvalidSubcommand)),
        ErrorKind::MissingRequiredArgument => format!("缺少参数 {argument}"),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            "没有写要做什么".to_owned()
        }
        ErrorKind::ArgumentConflict => format!("{argument} 不能与 {} 同时使用", of(error, ContextKind::PriorArg)),
        _ => error.to_string().trim_start_matches("error: ").trim_end().to_owned(),
    }
}

fn hint(error: &Error) -> Text {
    let near = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let near = near.into_iter().map(|kind| of(error, kind)).find(|near| !near.is_empty());
    let valid = of(error, ContextKind::ValidValue);
    match near {
        Some(near) => Text::same(format!("是不是想写 {near}？")),
        None if !valid.is_empty() => Text::same(format!("可用的有：{valid}")),
        None => rule(error).unwrap_or_else(|| Text::same("查看用法：locklab --help")),
    }
}

/// What a value must be, as far as whoever read it has said so.
fn rule(error: &Error) -> Option<Text> {
    let source = error.source()?;
    if let Some(Rule(rule)) = source.downcast_ref() {
        return Some(rule.clone());
    }
    if let Some(unknown) = source.downcast_ref::<UnknownName>() {
        return Some(unknown.hint());
    }
    if let Some(error) = source.downcast_ref::<SpanError>() {
        let zh = match error {
            SpanError::NoNumber => "时间以数字开头，如 10s",
            SpanError::NoUnit => "时间以单位结尾：us、ms、s、m、h 或 d",
            SpanError::TooFine => "时间的最小单位是微秒",
            SpanError::TooLong => "时间最长为 100000d",
        };
        return Some(Text::new(error.to_string(), zh));
    }
    let said = source.to_string();
    let range = said.split_once(" is not in ").and_then(|(_, range)| range.split_once("..="));
    let zh = match range {
        Some((least, most)) => format!("应是 {least} 到 {most} 之间的整数"),
        None if source.is::<std::num::ParseIntError>() => "应是整数，不能太大，也不能是负数".to_owned(),
        None => return None,
    };
    Some(Text::new(said, zh))
}

/// What `clap` knows of a mistake; empty where it knows nothing.
fn of(error: &Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join("、"),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}
