//! The scenario file: TOML text in, a [`Scenario`] or everything that is wrong with it out.
//!
//! The format is described in `docs/scenario.md`. Reading never stops at the first mistake: each part is read as far as it goes,
//! and all complaints come back together, each with its place.

mod amount;
mod client;
mod clock;
mod expect;
mod fault;
mod fields;
mod kind;
mod lock;
mod names;
mod network;
mod resource;
mod sense;
mod servers;
mod steps;
mod trigger;

pub use fault::fault_keys;

use std::ops::Range;
use std::sync::Arc;

use toml::de::DeTable;

use self::amount::YEAR;
use self::client::{Around, MOST_CLIENTS};
use self::fields::{Fields, short, table, tables};
use self::lock::Lock;
use self::names::Names;
use super::problem::Problems;
use super::{ClientSetting, Fault, ResourceHome, ResourceSetting, Scenario, ScenarioErrors, Topology};
use crate::i18n::Text;
use crate::time::{Span, Time};
use crate::wire::NodeId;

/// The largest scenario file, in bytes.
const LARGEST: usize = 1 << 20;

/// The most faults of a scenario.
const MOST_FAULTS: usize = 100;

const KEYS: [&str; 16] = [
    "title", "question", "lesson", "source", "seed", "until", "within", "not_live", "servers", "clocks", "lock",
    "resource", "client", "network", "fault", "expect",
];

/// Every key of every table but `[[fault]]`, whose kinds are [`fault_keys`].
pub fn file_keys() -> impl Iterator<Item = &'static str> {
    let parts: [&[&str]; 7] = [
        &servers::KEYS,
        &lock::KEYS,
        &resource::KEYS,
        &client::KEYS,
        &network::KEYS,
        &network::LINK_KEYS,
        &expect::KEYS,
    ];
    KEYS.into_iter().chain(parts.into_iter().flatten().copied())
}

/// What a name of a client or a cell looks like, in both languages.
const NAMES: (&str, &str) =
    ("1 to 24 letters, digits, - and _, beginning with a letter", "1 到 24 个英文字母、数字、- 或 _，以字母开头");

fn is_name(text: &str) -> bool {
    text.len() <= 24
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

impl Scenario {
    /// Reads a scenario file. `name` is its topic and file stem, such as `expiry/gc-pause`, or its path.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse(name: &str, text: &str) -> Result<Scenario, ScenarioErrors> {
        if text.len() > LARGEST {
            let mut problems = Problems::in_text("");
            problems
                .add(0..0, Text::new("the file is too large", "文件太大"))
                .allowed(format!("at most {LARGEST} bytes"), format!("最多 {LARGEST} 字节"));
            return Err(problems.into_errors(name));
        }
        let mut problems = Problems::in_text(text);
        let (document, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            let at = error.span().unwrap_or(0..0);
            problems.add(
                at,
                Text::new(
                    format!("this is not TOML: {}", error.message()),
                    format!("这里不符合 TOML 语法：{}", error.message()),
                ),
            );
        }
        // What follows a slip in the syntax would only be complained about because of it.
        if !problems.is_empty() {
            return Err(problems.into_errors(name));
        }
        let scenario = scenario(name, document.get_ref(), &mut problems);
        match scenario {
            Some(scenario) if problems.is_empty() => Ok(scenario),
            _ => Err(problems.into_errors(name)),
        }
    }

    /// Reads a scenario file that may not even be text.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse_bytes(name: &str, bytes: &[u8]) -> Result<Scenario, ScenarioErrors> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Scenario::parse(name, text),
            Err(error) => {
                let good = std::str::from_utf8(&bytes[..error.valid_up_to().min(LARGEST)]).unwrap_or("");
                let mut problems = Problems::in_text(good);
                problems
                    .add(good.len()..good.len(), Text::new("this is not text in UTF-8", "这里不是 UTF-8 文本"))
                    .hint("a scenario is a TOML file", "场景是一个 TOML 文件");
                Err(problems.into_errors(name))
            }
        }
    }
}

fn scenario(name: &str, document: &DeTable, problems: &mut Problems) -> Option<Scenario> {
    let root = Fields::open(document, 0..0, "", &KEYS, problems);
    if root.value("title").is_none() {
        root.missing("title", "title = \"A pause outlives the lease\"", problems);
    }
    let title = root.text("title", problems);
    let question = root.text("question", problems).unwrap_or_default();
    let lesson = root.text("lesson", problems).unwrap_or_default();
    let source = root.word("source", problems).map(|word| word.text.to_owned());
    let seed = root.number("seed", 0..=i64::MAX, problems).map(|seed| seed as u64);
    let until = root.span("until", Span(1)..=YEAR, problems).map(|until| Time::START + until);
    let within = root.span("within", Span(1)..=YEAR, problems);
    let not_live = root.text("not_live", problems);

    let mut part = |key: &str, keys: &[&str]| {
        let value = root.value(key)?;
        Some(Fields::open(table(value, problems)?, value.span(), &format!("[{key}]"), keys, problems))
    };
    let servers_table = part("servers", &servers::KEYS);
    let resource_table = part("resource", &resource::KEYS);
    let network_table = part("network", &network::KEYS);

    let mut servers = servers::servers(servers_table, problems);
    let home = resource_table.as_ref().map(|fields| fields.key_at("home")).unwrap_or(0..0);
    let resource = resource::resource(resource_table, problems);
    if resource.home == ResourceHome::Database && servers.topology != Some(Topology::Database) {
        sense::resource_needs_database(home.clone(), problems);
    }
    if resource.home == ResourceHome::Redis {
        sense::resource_needs_redis(servers.topology.as_ref(), home, problems);
    }
    let lock = lock(&root, &resource, problems);
    let (clients, names) = clients(&root, lock.as_ref(), &resource, servers.topology.as_ref(), problems);
    let network = network::network(network_table, &names, problems);
    if let Some(value) = root.value("clocks")
        && let Some(table) = table(value, problems)
    {
        servers.clocks = clock::clocks(table, &names, problems);
    }
    let faults = faults(&root, &names, servers.topology.as_ref(), &clients, until, problems);
    let expectations = expect::expectations(&root, lock.as_ref(), &names, problems);
    Some(Scenario {
        name: Arc::from(name),
        title: title?,
        question,
        lesson,
        source,
        seed,
        until,
        within,
        not_live,
        servers,
        lock: lock?.setting,
        resource,
        clients,
        network,
        faults,
        expectations,
    })
}

fn lock(root: &Fields, resource: &ResourceSetting, problems: &mut Problems) -> Option<Lock> {
    let Some(value) = root.value("lock") else {
        root.missing("[lock]", "[lock]", problems);
        return None;
    };
    let table = table(value, problems)?;
    // Keys that only some locks know are checked where the locks are known.
    let keys: Vec<&str> = table.keys().map(|key| key.get_ref().as_ref()).collect();
    let fields = Fields::open(table, value.span(), "[lock]", &keys, problems);
    lock::lock(table, &fields, &resource.cells, problems)
}

fn clients(
    root: &Fields,
    lock: Option<&Lock>,
    resource: &ResourceSetting,
    topology: Option<&Topology>,
    problems: &mut Problems,
) -> (Vec<ClientSetting>, Names) {
    let Some(value) = root.value("client") else {
        root.missing("[[client]]", "[[client]]", problems);
        return (Vec::new(), Names::new(Vec::new(), nodes(topology)));
    };
    let nodes = nodes(topology);
    let mut names: Vec<Arc<str>> = Vec::new();
    let mut settings = Vec::new();
    for (table, at) in tables(value, "client", problems) {
        // More than that is said once, below.
        if names.len() > MOST_CLIENTS || problems.is_full() {
            break;
        }
        for name in client::names(table, &at) {
            let taken = names.contains(&name) || nodes.iter().any(|(node, _)| *node == name);
            if taken {
                let name = short(&name);
                problems.add(
                    at.clone(),
                    Text::new(format!("the name \"{name}\" is taken"), format!("名字 \"{name}\" 已经有人用了")),
                );
            }
            names.push(name);
        }
        settings.extend(client::clients(table, at, &Around { lock, resource }, problems));
    }
    if names.len() > MOST_CLIENTS {
        problems
            .add(root.key_at("client"), Text::new("too many clients", "客户端太多"))
            .allowed(format!("at most {MOST_CLIENTS}"), format!("最多 {MOST_CLIENTS} 个"));
    }
    // With one of them missing, the ids would mean others.
    if settings.len() != names.len() {
        settings.clear();
    }
    (settings, Names::new(names, nodes))
}

/// The servers by name. Where the lock decides which there are, every name that it could mean is known.
fn nodes(topology: Option<&Topology>) -> Vec<(Arc<str>, NodeId)> {
    let numbered =
        |names: Vec<Arc<str>>| names.into_iter().zip(0..).map(|(name, id)| (name, NodeId(id))).collect::<Vec<_>>();
    match topology {
        Some(topology) => numbered(topology.names()),
        None => {
            let mut nodes = numbered(Topology::Single.names());
            nodes.extend(numbered(Topology::Independent { nodes: 5 }.names()));
            for service in
                [Topology::ZooKeeper, Topology::Etcd, Topology::Kubernetes, Topology::Consul, Topology::Database]
            {
                nodes.extend(numbered(service.names()));
            }
            nodes
        }
    }
}

fn faults(
    root: &Fields,
    names: &Names,
    topology: Option<&Topology>,
    clients: &[ClientSetting],
    until: Option<Time>,
    problems: &mut Problems,
) -> Vec<Fault> {
    let Some(value) = root.value("fault") else { return Vec::new() };
    let mut faults: Vec<(Fault, Range<usize>)> = Vec::new();
    for (table, at) in tables(value, "fault", problems) {
        if faults.len() > MOST_FAULTS || problems.is_full() {
            break;
        }
        let place = table.get("at").map_or(at.clone(), toml::Spanned::span);
        faults
            .extend(fault::fault(table, at, names, topology, problems).into_iter().map(|fault| (fault, place.clone())));
    }
    if faults.len() > MOST_FAULTS {
        problems
            .add(root.key_at("fault"), Text::new("too many faults", "故障太多"))
            .allowed(format!("at most {MOST_FAULTS}"), format!("最多 {MOST_FAULTS} 个"));
    }
    if problems.is_empty() {
        sense::faults(&faults, clients, until, problems);
    }
    faults.into_iter().map(|(fault, _)| fault).collect()
}
