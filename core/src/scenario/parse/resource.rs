//! `[resource]`: what the lock protects.

use std::sync::Arc;

use super::fields::{Fields, short};
use crate::history::{Guard, ResourceKind};
use crate::i18n::Text;
use crate::scenario::problem::Problems;
use crate::scenario::{ResourceHome, ResourceSetting};
use crate::time::Span;

/// The table's keys.
pub(super) const KEYS: [&str; 6] = ["kind", "guard", "initial", "cells", "home", "resolution"];

const KINDS: [(&str, ResourceKind); 4] = [
    ("register", ResourceKind::Register),
    ("stock", ResourceKind::Stock),
    ("ledger", ResourceKind::Ledger),
    ("job", ResourceKind::Job),
];

const GUARDS: [(&str, Guard); 6] = [
    ("none", Guard::None),
    ("fencing", Guard::Fencing),
    ("version", Guard::Version),
    ("timestamp", Guard::Timestamp),
    ("unique-key", Guard::UniqueKey),
    ("state-machine", Guard::StateMachine),
];

const HOMES: [(&str, ResourceHome); 3] =
    [("own", ResourceHome::Own), ("redis", ResourceHome::Redis), ("database", ResourceHome::Database)];

/// More cells than anybody draws.
const MOST_CELLS: usize = 64;

/// Reads the table; without it the resource is a register.
pub(super) fn resource(fields: Option<Fields>, problems: &mut Problems) -> ResourceSetting {
    let mut setting = ResourceSetting {
        kind: ResourceKind::Register,
        guard: None,
        initial: 0,
        cells: Vec::new(),
        home: ResourceHome::Own,
        resolution: Span::from_millis(1),
    };
    if let Some(fields) = &fields {
        setting.kind = fields.one_of("kind", &KINDS, problems).unwrap_or_default();
        setting.guard = fields.one_of("guard", &GUARDS, problems);
        setting.home = fields.one_of("home", &HOMES, problems).unwrap_or_default();
        setting.initial = initial(setting.kind, fields, problems);
        setting.cells = cells(fields, problems);
        let range = Span::from_millis(1)..=Span::from_secs(3_600);
        setting.resolution = fields.span("resolution", range, problems).unwrap_or(setting.resolution);
        timestamp(&setting, fields, problems);
        if setting.home == ResourceHome::Redis && setting.guard.is_some_and(|guard| guard != Guard::None) {
            problems
                .add(
                    fields.key_at("guard"),
                    Text::new("a resource in Redis has no guard", "放在 Redis 里的资源没有防护"),
                )
                .hint(
                    "leave `guard` out; check and change in one Lua script with the step `atomic`",
                    "去掉 `guard`；用步骤 `atomic` 在一段 Lua 脚本里检查并修改",
                );
        }
        if setting.home == ResourceHome::Database
            && setting.guard == Some(Guard::UniqueKey)
            && setting.kind != ResourceKind::Job
        {
            problems
                .add(
                    fields.key_at("guard"),
                    Text::new("a unique key in a database guards a job", "数据库里的唯一键只能保护 job"),
                )
                .hint(
                    "write `kind = \"job\"`, or guard it with `version` or `state-machine`",
                    "写 `kind = \"job\"`，或者改用 `version`、`state-machine`",
                );
        }
    }
    if setting.cells.is_empty() {
        setting.cells.push(Arc::from(name_of(setting.kind)));
    }
    setting
}

/// A stamp is kept in a column.
fn timestamp(setting: &ResourceSetting, fields: &Fields, problems: &mut Problems) {
    let stamped = setting.guard == Some(Guard::Timestamp);
    if stamped && setting.home != ResourceHome::Database {
        problems
            .add(
                fields.key_at("guard"),
                Text::new("a guard by time stamp lives in a database", "时间戳防护要放在数据库里"),
            )
            .hint("write `home = \"database\"`", "写 `home = \"database\"`");
    }
    if !stamped && fields.value("resolution").is_some() {
        problems
            .add(
                fields.key_at("resolution"),
                Text::new("`resolution` without a time stamp", "写了 `resolution` 却没有时间戳"),
            )
            .hint("write `guard = \"timestamp\"`", "写 `guard = \"timestamp\"`");
    }
}

fn name_of(kind: ResourceKind) -> &'static str {
    KINDS.iter().find(|(_, known)| *known == kind).map_or("register", |(name, _)| name)
}

fn initial(kind: ResourceKind, fields: &Fields, problems: &mut Problems) -> i64 {
    if fields.value("initial").is_none() {
        return 0;
    }
    let bounds = match kind {
        ResourceKind::Stock => 0..=1_000_000_000,
        ResourceKind::Ledger => -1_000_000_000..=1_000_000_000,
        ResourceKind::Register | ResourceKind::Job => {
            let name = name_of(kind);
            problems
                .add(
                    fields.key_at("initial"),
                    Text::new(format!("a {name} has no number to begin with"), format!("{name} 没有初始数值")),
                )
                .hint("`initial` belongs to a stock or a ledger", "`initial` 用于 stock 或 ledger");
            return 0;
        }
    };
    fields.number("initial", bounds, problems).unwrap_or(0)
}

fn cells(fields: &Fields, problems: &mut Problems) -> Vec<Arc<str>> {
    let words = fields.words("cells", problems).unwrap_or_default();
    let mut cells: Vec<Arc<str>> = Vec::new();
    if words.len() > MOST_CELLS {
        problems
            .add(fields.key_at("cells"), Text::new("too many cells", "单元太多"))
            .allowed(format!("at most {MOST_CELLS}"), format!("最多 {MOST_CELLS} 个"));
    }
    for word in words.iter().take(MOST_CELLS) {
        let given = short(word.text);
        if !super::is_name(word.text) {
            problems
                .add(
                    word.at.clone(),
                    Text::new(format!("\"{given}\" cannot be a name"), format!("\"{given}\" 不能作为名字")),
                )
                .allowed(super::NAMES.0, super::NAMES.1);
        } else if cells.iter().any(|cell| **cell == *word.text) {
            problems.add(
                word.at.clone(),
                Text::new(format!("the cell \"{given}\" is there twice"), format!("单元 \"{given}\" 写了两次")),
            );
        }
        cells.push(Arc::from(word.text));
    }
    cells
}
