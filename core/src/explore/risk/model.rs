//! How often what strikes, in the user's own figures: a TOML file.

use toml::de::{DeTable, DeValue};

use super::quantiles::{Quantiles, WHOLE, pauses_of_log};
use crate::i18n::{Language, Text};
use crate::say;
use crate::time::Span;

/// The figures of a place where locks are used.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// What it describes.
    pub title: String,
    /// Where its figures are from.
    pub source: String,
    /// How often a client's process stops, a second, and for how long.
    pub pauses: Option<(f64, Quantiles)>,
    /// How long a message takes, one way; `None`: as the scenario says.
    pub latency: Option<Quantiles>,
    /// How often the master fails over, a second, and how long until its replica is promoted.
    pub failovers: Option<(f64, Span)>,
    /// How often a server dies, a second, how long it stays away, and whether it comes back with its data.
    pub restarts: Option<(f64, Span, bool)>,
    /// How many acquisitions a second there are, everywhere together, of which somebody else waits for the lock.
    pub acquisitions: f64,
}

/// Why a model cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", message.in_language(Language::English))]
pub struct ModelError {
    /// What is wrong.
    pub message: Text,
    /// What to do.
    pub hint: Text,
}

/// The seconds of a month: a twelfth of 365.25 days.
const MONTH: f64 = 2_629_800.0;

/// The seconds of a year.
pub const YEAR: f64 = 31_557_600.0;

impl Model {
    /// Reads a model; `log` gives the text of a file that it names, or why it cannot be read.
    ///
    /// # Errors
    ///
    /// It is no TOML, has unknown keys, lacks a figure, or one is out of range.
    pub fn parse(text: &str, mut log: impl FnMut(&str) -> Result<String, Text>) -> Result<Model, ModelError> {
        let document = DeTable::parse(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            wrong(
                say!(
                    "line {line}: the model is no TOML: {why}",
                    "第 {line} 行：模型不符合 TOML 语法：{why}",
                    line = before.matches('\n').count() as u64 + 1,
                    why = error.message()
                ),
                say!("see docs/risk.md", "见 docs/zh/risk.md"),
            )
        })?;
        let table = document.get_ref();
        known(table, "", &["title", "source", "pause", "network", "failover", "restart", "load"])?;
        let section = |name: &str, keys: &[&str]| -> Result<Option<&DeTable>, ModelError> {
            let Some(value) = value(table, name) else { return Ok(None) };
            let section = value.as_table().ok_or_else(|| missing(name, &format!("[{name}]")))?;
            known(section, name, keys)?;
            Ok(Some(section))
        };
        let pauses = match section("pause", &["per_minute", "percentiles", "log", "log_covers"])? {
            Some(pause) => Some(pauses(pause, &mut log)?),
            None => None,
        };
        let latency = match section("network", &["percentiles"])? {
            Some(network) => Some(percentiles(network, "network")?),
            None => None,
        };
        let failovers = match section("failover", &["per_month", "takes"])? {
            Some(failover) => {
                Some((rate(failover, "failover", "per_month", MONTH)?, span(failover, "failover", "takes")?))
            }
            None => None,
        };
        let restarts = match section("restart", &["per_month", "takes", "data"])? {
            Some(restart) => {
                let data = match word(restart, "data") {
                    Some("kept") => true,
                    Some("lost") => false,
                    _ => return Err(missing("restart.data", "data = \"kept\" / \"lost\"")),
                };
                Some((rate(restart, "restart", "per_month", MONTH)?, span(restart, "restart", "takes")?, data))
            }
            None => None,
        };
        let load = section("load", &["acquisitions_per_second", "contended_percent"])?
            .ok_or_else(|| missing("load", "[load] acquisitions_per_second = 20"))?;
        let share = match value(load, "contended_percent") {
            None => 100.0,
            Some(value) => number(value)
                .filter(|share| (0.0..=100.0).contains(share))
                .ok_or_else(|| missing("load.contended_percent", "contended_percent = 30"))?,
        };
        let words = |name: &str| word(table, name).unwrap_or_default().to_owned();
        Ok(Model {
            title: words("title"),
            source: words("source"),
            pauses,
            latency,
            failovers,
            restarts,
            acquisitions: rate(load, "load", "acquisitions_per_second", 1.0)? * share / 100.0,
        })
    }
}

fn pauses(table: &DeTable, log: &mut impl FnMut(&str) -> Result<String, Text>) -> Result<(f64, Quantiles), ModelError> {
    let Some(path) = word(table, "log") else {
        return Ok((rate(table, "pause", "per_minute", 60.0)?, percentiles(table, "pause")?));
    };
    let text = log(path).map_err(|why| {
        wrong(why, say!("a log is named from the model's own folder", "日志路径相对于模型文件所在的文件夹"))
    })?;
    let pauses = pauses_of_log(&text);
    let count = pauses.len() as f64;
    let quantiles = Quantiles::of_sample(pauses).ok_or_else(|| {
        wrong(
            say!("{path} has no pauses", "{path} 里没有停顿记录", path = path),
            say!(
                "a line is one span such as 12.3ms, or says Pause and ends in one",
                "每行一个时长（如 12.3ms），或含 Pause 字样并以时长结尾"
            ),
        )
    })?;
    let rate = match table.contains_key("log_covers") {
        true => count * 1_000_000.0 / (span(table, "pause", "log_covers")?.0.max(1) as f64),
        false => rate(table, "pause", "per_minute", 60.0)?,
    };
    Ok((rate, quantiles))
}

/// `p50 = "9ms", p999 = "1.1s", max = "14s"`: two digits are whole per cent, the others follow the point.
fn percentiles(table: &DeTable, section: &str) -> Result<Quantiles, ModelError> {
    let example = "percentiles = { p50 = \"9ms\", p99 = \"120ms\", p999 = \"1.1s\", max = \"4s\" }";
    let lacks = || missing(&format!("{section}.percentiles"), example);
    let table = value(table, "percentiles").and_then(DeValue::as_table).ok_or_else(lacks)?;
    let mut knots = Vec::new();
    for (name, value) in table {
        let share = match name.get_ref().as_ref() {
            "min" => Some(0),
            "max" => Some(WHOLE),
            name => name.strip_prefix('p').and_then(share),
        };
        let span = value.get_ref().as_str().and_then(|text| text.parse::<Span>().ok());
        let (Some(share), Some(span)) = (share, span) else { return Err(lacks()) };
        knots.push((share, span));
    }
    knots.sort_unstable();
    if knots.first().is_some_and(|knot| knot.0 > 0) {
        knots.insert(0, (0, Span::ZERO));
    }
    Quantiles::by_percentiles(knots).ok_or_else(lacks)
}

fn share(digits: &str) -> Option<u64> {
    let is_short = (2..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number: u64 = digits.parse().ok().filter(|_| is_short)?;
    Some(number * 10_u64.pow(9 - digits.len() as u32))
}

fn known(table: &DeTable, section: &str, keys: &[&str]) -> Result<(), ModelError> {
    let Some(key) = table.keys().map(|key| key.get_ref().as_ref()).find(|key| !keys.contains(key)) else {
        return Ok(());
    };
    let section = if section.is_empty() { String::new() } else { format!("[{section}] ") };
    let all = Text::list(keys);
    Err(wrong(
        say!(
            "the model has an unknown key: {section}{key}",
            "模型里有不认识的键：{section}{key}",
            section = section,
            key = key
        ),
        say!("there are {all}", "可用的有 {all}", all = all),
    ))
}

fn rate(table: &DeTable, section: &str, key: &str, seconds: f64) -> Result<f64, ModelError> {
    let name = format!("{section}.{key}");
    let value = value(table, key).and_then(number).filter(|value| value.is_finite() && (0.0..=1e9).contains(value));
    value.map(|value| value / seconds).ok_or_else(|| missing(&name, &format!("{key} = 0.5")))
}

fn value<'t>(table: &'t DeTable<'_>, key: &str) -> Option<&'t DeValue<'t>> {
    table.get(key).map(|value| value.get_ref())
}

fn word<'t>(table: &'t DeTable<'_>, key: &str) -> Option<&'t str> {
    value(table, key).and_then(DeValue::as_str)
}

fn number(value: &DeValue) -> Option<f64> {
    match value {
        DeValue::Float(number) => number.as_str().parse().ok(),
        DeValue::Integer(whole) => i64::from_str_radix(whole.as_str(), whole.radix()).ok().map(|whole| whole as f64),
        _ => None,
    }
}

fn span(table: &DeTable, section: &str, key: &str) -> Result<Span, ModelError> {
    let name = format!("{section}.{key}");
    let value = word(table, key).and_then(|text| text.parse().ok());
    value.ok_or_else(|| missing(&name, &format!("{key} = \"10s\"")))
}

fn missing(name: &str, example: &str) -> ModelError {
    wrong(
        say!("the model's {name} is missing or wrong", "模型缺少 {name}，或它的值不对", name = name),
        say!("write, for example, {example}", "例如写成 {example}", example = example),
    )
}

fn wrong(message: Text, hint: Text) -> ModelError {
    ModelError { message, hint }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE_MODEL: &str = r#"
title = "a service"
source = "its own monitoring"
[pause]
per_minute = 6
percentiles = { p50 = "9ms", p99 = "120ms", p999 = "1.1s", max = "14s" }
[network]
percentiles = { min = "100us", p50 = "300us", p99 = "2ms", max = "80ms" }
[failover]
per_month = 0.5
takes = "10s"
[restart]
per_month = 1
takes = "3s"
data = "lost"
[load]
acquisitions_per_second = 20
contended_percent = 50
"#;

    fn error(text: &str) -> String {
        let error = Model::parse(text, |_| Ok("5ms\n7ms\n".into())).expect_err("it is wrong");
        format!("{} / {}", error.message.en, error.hint.en)
    }

    #[test]
    fn a_model_is_read_with_its_units() {
        let model = Model::parse(WHOLE_MODEL, |_| unreachable!("it names no log")).expect("it is right");
        let (rate, pauses) = model.pauses.expect("it has pauses");
        assert_eq!((rate, pauses.at(WHOLE / 1_000 * 999), pauses.at(0)), (0.1, Span::from_millis(1_100), Span::ZERO));
        assert_eq!(
            (model.acquisitions, model.restarts.map(|(_, takes, kept)| (takes, kept))),
            (10.0, Some((Span::from_secs(3), false)))
        );
    }

    #[test]
    fn a_log_gives_the_pauses_and_how_often_they_come() {
        let text = "[pause]\nlog = \"gc.log\"\nlog_covers = \"10s\"\n[load]\nacquisitions_per_second = 1";
        let model = Model::parse(text, |path| Ok(format!("{}ms\n7ms\n", path.len()))).expect("it is right");
        let (rate, pauses) = model.pauses.expect("it has pauses");
        assert_eq!((rate, pauses.at(0)), (0.2, Span::from_millis(6)));
    }

    #[test]
    fn what_is_wrong_is_told_with_an_example() {
        assert!(error("[load]\nacquisitions_per_second = -1").contains("load.acquisitions_per_second"));
        assert!(error(&WHOLE_MODEL.replace("max = \"14s\"", "p9 = \"14s\"")).contains("pause.percentiles"));
        assert!(error(&WHOLE_MODEL.replace("p999 = \"1.1s\"", "p999 = \"1ms\"")).contains("pause.percentiles"));
        assert!(error(&WHOLE_MODEL.replace("per_month = 0.5", "per_mouth = 0.5")).contains("[failover] per_mouth"));
        assert!(error("pause = 3").contains("the model's pause is missing or wrong"));
    }
}
