//! What is wrong with a command line, in Chinese. In English `clap` says it.

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use locklab_core::i18n::Text;

use crate::failure::Failure;

/// The mistake; the English half is what `clap` says.
pub fn failure(error: &Error) -> Failure {
    let of = |kind| error.get(kind).map(shown);
    let argument = of(ContextKind::InvalidArg).unwrap_or_default();
    let value = of(ContextKind::InvalidValue).unwrap_or_default();
    let zh = match error.kind() {
        ErrorKind::InvalidValue if value.is_empty() => format!("{argument} 需要一个值"),
        ErrorKind::InvalidValue => format!("{argument} 的值 \"{value}\" 无效"),
        ErrorKind::ValueValidation => format!("{argument} 的值 \"{value}\" 不合要求"),
        ErrorKind::UnknownArgument => format!("没有参数 {argument}"),
        ErrorKind::InvalidSubcommand => {
            format!("没有命令 {}", of(ContextKind::InvalidSubcommand).unwrap_or_default())
        }
        ErrorKind::MissingRequiredArgument => format!("缺少参数 {argument}"),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            "没有写要做什么".to_owned()
        }
        ErrorKind::ArgumentConflict => {
            format!("{argument} 不能与 {} 同时使用", of(ContextKind::PriorArg).unwrap_or_default())
        }
        _ => error.to_string().trim_start_matches("error: ").trim_end().to_owned(),
    };
    let near = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let near = near.into_iter().find_map(of);
    let hint = match (near, of(ContextKind::ValidValue)) {
        (Some(near), _) => format!("是不是想写 {near}？"),
        (None, Some(valid)) => format!("可用的有：{valid}"),
        (None, None) => "查看用法：locklab --help".to_owned(),
    };
    Failure::input(Text::same(zh)).hint(Text::same(hint))
}

fn shown(value: &ContextValue) -> String {
    match value {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(texts) => texts.join("、"),
        other => other.to_string(),
    }
}
