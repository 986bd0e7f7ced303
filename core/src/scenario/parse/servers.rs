//! `[servers]`: which servers there are and how they are set up.

use super::amount::YEAR;
use super::fields::{Fields, short, span, unknown_name};
use crate::i18n::Text;
use crate::scenario::problem::Problems;
use crate::scenario::{DatabaseSetting, Memory, Persistence, ServerSetting, Topology};
use crate::time::Span;

/// The table's keys.
pub(super) const KEYS: [&str; 11] = [
    "redis",
    "service",
    "replicas",
    "lag",
    "nodes",
    "persistence",
    "memory",
    "delayed_restart",
    "pooler",
    "pool_lifetime",
    "keep_alive",
];

const REDIS: [&str; 3] = ["single", "replicated", "independent"];

const SERVICES: [(&str, Topology); 5] = [
    ("zookeeper", Topology::ZooKeeper),
    ("etcd", Topology::Etcd),
    ("kubernetes", Topology::Kubernetes),
    ("consul", Topology::Consul),
    ("database", Topology::Database),
];

/// More replicas than anybody draws.
const REPLICAS: usize = 5;

/// Reads the table; without it the lock decides which servers there are.
pub(super) fn servers(fields: Option<Fields>, problems: &mut Problems) -> ServerSetting {
    let mut setting = ServerSetting {
        topology: None,
        persistence: Persistence::None,
        memory: Memory::Enough,
        database: DatabaseSetting::default(),
        clocks: Vec::new(),
        delayed_restart: Span::ZERO,
    };
    let Some(fields) = fields else { return setting };
    setting.topology = topology(&fields, problems);
    let persistence = [("none", Persistence::None), ("always", Persistence::Always)];
    setting.persistence = fields.one_of("persistence", &persistence, problems).unwrap_or_default();
    let memory = [("enough", Memory::Enough), ("full", Memory::Full)];
    setting.memory = fields.one_of("memory", &memory, problems).unwrap_or_default();
    setting.delayed_restart = fields.span("delayed_restart", Span::ZERO..=YEAR, problems).unwrap_or_default();
    setting.database = database(&fields, setting.topology.as_ref(), problems);
    setting
}

/// How a database is set up; PgBouncer closes sessions of an hour.
fn database(fields: &Fields, topology: Option<&Topology>, problems: &mut Problems) -> DatabaseSetting {
    if topology != Some(&Topology::Database) {
        only_for(fields, &["pooler", "pool_lifetime", "keep_alive"], "service = \"database\"", problems);
        return DatabaseSetting::default();
    }
    let poolers = [("none", false), ("transaction", true)];
    let pooled = fields.one_of("pooler", &poolers, problems).unwrap_or(false);
    if !pooled {
        only_for(fields, &["pool_lifetime"], "pooler = \"transaction\"", problems);
    }
    let lifetime = fields.span("pool_lifetime", Span(1)..=YEAR, problems).unwrap_or(Span::from_secs(3_600));
    let keep_alive = fields.span("keep_alive", Span::ZERO..=YEAR, problems).unwrap_or_default();
    DatabaseSetting { pool_lifetime: pooled.then_some(lifetime), keep_alive }
}

fn topology(fields: &Fields, problems: &mut Problems) -> Option<Topology> {
    let redis = fields.word("redis", problems);
    if let Some(service) = fields.word("service", problems) {
        if redis.is_some() {
            problems
                .add(
                    fields.key_at("service"),
                    Text::new("`redis` and `service` exclude each other", "`redis` 与 `service` 不能同时写"),
                )
                .hint("keep the one that the lock lives on", "只保留锁所在的那一个");
        }
        only_for(fields, &["replicas", "lag", "nodes"], "redis = \"replicated\"", problems);
        let found = SERVICES.iter().find(|(name, _)| *name == service.text);
        if found.is_none() {
            unknown_name(&service, ("a service", "服务"), SERVICES.iter().map(|(name, _)| *name), problems);
        }
        return found.map(|(_, topology)| topology.clone());
    }
    let redis = redis?;
    match redis.text {
        "single" => {
            only_for(fields, &["replicas", "lag"], "redis = \"replicated\"", problems);
            only_for(fields, &["nodes"], "redis = \"independent\"", problems);
            Some(Topology::Single)
        }
        "replicated" => {
            only_for(fields, &["nodes"], "redis = \"independent\"", problems);
            Some(Topology::Replicated { lags: lags(fields, problems)? })
        }
        "independent" => {
            only_for(fields, &["replicas", "lag"], "redis = \"replicated\"", problems);
            let nodes = match fields.value("nodes") {
                Some(_) => fields.number("nodes", 1..=15, problems)?,
                None => 5,
            };
            Some(Topology::Independent { nodes: nodes as u8 })
        }
        _ => {
            unknown_name(&redis, ("a way to run Redis", "Redis 的部署方式"), REDIS, problems);
            None
        }
    }
}

/// One lag a replica: one for all of them, or a list.
fn lags(fields: &Fields, problems: &mut Problems) -> Option<Vec<Span>> {
    let replicas = match fields.value("replicas") {
        Some(_) => Some(fields.number("replicas", 1..=REPLICAS as i64, problems)? as usize),
        None => None,
    };
    let Some(words) = fields.words("lag", problems) else {
        return Some(vec![Span::ZERO; replicas.unwrap_or(1)]);
    };
    let lags: Vec<Span> = words.iter().filter_map(|word| span(word, Span::ZERO..=YEAR, problems)).collect();
    if lags.len() < words.len() {
        return None;
    }
    let replicas = replicas.unwrap_or(lags.len());
    if let [lag] = lags[..] {
        return Some(vec![lag; replicas]);
    }
    if lags.len() != replicas || lags.len() > REPLICAS || lags.is_empty() {
        let given = lags.len();
        problems
            .add(
                fields.key_at("lag"),
                Text::new(
                    format!("{given} lags for {replicas} replicas"),
                    format!("{replicas} 个副本，却写了 {given} 个延迟"),
                ),
            )
            .allowed(
                format!("one for all, or one for each of at most {REPLICAS}"),
                format!("一个（对所有副本）或每个副本一个，副本最多 {REPLICAS} 个"),
            );
        return None;
    }
    Some(lags)
}

/// Complains about keys that mean nothing with these servers.
fn only_for(fields: &Fields, keys: &[&str], needs: &str, problems: &mut Problems) {
    for key in keys.iter().filter(|key| fields.value(key).is_some()) {
        problems
            .add(
                fields.key_at(key),
                Text::new(
                    format!("`{key}` means nothing with these servers"),
                    format!("`{key}` 对这样的服务器没有意义"),
                ),
            )
            .hint(format!("it belongs to `{}`", short(needs)), format!("它用于 `{}`", short(needs)));
    }
}
