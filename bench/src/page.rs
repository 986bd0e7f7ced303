//! The figures as Markdown, in both languages: on a terminal, and in the blocks of docs/performance.md.
//!
//! A block of a page is what stands between `<!-- measured: NAME -->` and `<!-- end -->`; everything else is the page's own.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use locklab_core::i18n::{Language, Text};
use locklab_core::say;

use crate::growth::{CLIENTS, Cell, FAULTS, NODES};
use crate::{SearchFigures, simulator};

const OPEN: &str = "<!-- measured: ";
const CLOSE: &str = "<!-- end -->";

/// A block: its name and what it says.
type Block = (&'static str, String);

/// The figures of the search, in English.
pub fn text(figures: &SearchFigures) -> String {
    let blocks = of_search(figures, Language::English);
    blocks.into_iter().map(|(_, block)| block).collect::<Vec<_>>().join("\n")
}

/// Writes all figures into the pages in this folder.
pub fn write(docs: &Path, simulator: &simulator::Figures, search: &SearchFigures) -> anyhow::Result<()> {
    for (page, language) in [("performance.md", Language::English), ("zh/performance.md", Language::Chinese)] {
        let path = docs.join(page);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut blocks = of_search(search, language);
        blocks.push(("simulator", of_simulator(simulator, language)));
        let now = rewritten(&text, &blocks).with_context(|| path.display().to_string())?;
        fs::write(&path, now).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// A page with every block as it was measured.
fn rewritten(text: &str, blocks: &[Block]) -> anyhow::Result<String> {
    let mut out = String::new();
    let mut rest = text;
    let mut written = 0;
    while let Some((before, opened)) = rest.split_once(OPEN) {
        let (name, inside) = opened.split_once(" -->\n").context("a block's first line does not end in ` -->`")?;
        let (_, after) = inside.split_once(CLOSE).context("a block has no `<!-- end -->`")?;
        let block = blocks.iter().find(|(known, _)| *known == name);
        let (_, block) = block.with_context(|| format!("nothing is measured for the block \"{name}\""))?;
        let _ = write!(out, "{before}{OPEN}{name} -->\n{block}{CLOSE}");
        rest = after;
        written += 1;
    }
    ensure!(written == blocks.len(), "{written} of {} blocks are on the page", blocks.len());
    Ok(out + rest)
}

fn of_search(figures: &SearchFigures, language: Language) -> Vec<Block> {
    let say = |text: Text| text.in_language(language).to_owned();
    vec![
        ("machine", format!("{}\n", figures.machine)),
        ("search", searches(figures, &say)),
        ("attacks", attacks(figures, &say)),
        ("sample", sample(figures, &say)),
        ("growth", growth(&figures.growth, &say)),
    ]
}

fn of_simulator(figures: &simulator::Figures, language: Language) -> String {
    let say = |text: Text| text.in_language(language).to_owned();
    let rows = figures.rows().map(|(name, rate, ratio)| {
        let name = match name {
            "turmoil" => say(say!("turmoil", "turmoil")),
            "with history" => say(say!("Locklab, keeping the history", "Locklab，保留历史记录")),
            _ => say(say!("Locklab, with nobody looking", "Locklab，不保留历史记录")),
        };
        vec![name, whole(rate), format!("{ratio:.1}")]
    });
    let headings = ["".to_owned(), say(say!("commands a second", "每秒命令数")), say(say!("ratio", "倍数"))];
    table(&headings, rows)
}

fn searches(figures: &SearchFigures, say: &impl Fn(Text) -> String) -> String {
    let search = &figures.search;
    let rows = [
        (say!("Locklab's search", "Locklab 的搜索"), &search.locklab),
        (
            say!("Locklab's world, searched by stateright", "Locklab 的模拟世界，由 stateright 搜索"),
            &search.world_in_stateright,
        ),
        (
            say!("the lock written by hand for stateright", "为 stateright 手写的同一把锁"),
            &search.by_hand_in_stateright,
        ),
    ];
    let rows = rows.map(|(name, searched)| {
        let ratio = format!("{:.2}", searched.per_second / search.locklab.per_second);
        vec![say(name), whole(searched.states as f64), whole(searched.per_second), ratio]
    });
    let headings = [
        String::new(),
        say(say!("different states", "不同状态数")),
        say(say!("states a second", "每秒状态数")),
        say(say!("ratio", "倍数")),
    ];
    let memory = say!(
        "Memory of Locklab's search: {each} bytes for each state in the table at its end, {most} at most, worlds that wait included.",
        "Locklab 搜索所用内存：结束时状态表平均每个状态 {each} 字节；最多时（含待查的状态）{most}。",
        each = format!("{:.0}", search.bytes_a_state),
        most = size(search.most_bytes)
    );
    format!("{}\n{}\n", table(&headings, rows), say(memory))
}

fn attacks(figures: &SearchFigures, say: &impl Fn(Text) -> String) -> String {
    let rows = figures.attacks.iter().map(|attack| {
        vec![
            attack.name.to_owned(),
            format!("{:.1} ms", attack.millis),
            whole(attack.states as f64),
            attack.faults.to_string(),
            attack.choices.to_string(),
        ]
    });
    let headings = [
        say(say!("attack", "攻击")),
        say(say!("found in", "找到用时")),
        say(say!("states met", "遇到的状态")),
        say(say!("faults", "故障数")),
        say(say!("choices of order", "顺序选择数")),
    ];
    table(&headings, rows)
}

fn sample(figures: &SearchFigures, say: &impl Fn(Text) -> String) -> String {
    let sample = &figures.sample;
    let words = say!(
        "{runs} seeded runs of `expiry/gc-pause` on {cores} cores: {seconds} s, {rate} runs a second.",
        "`expiry/gc-pause` 的 {runs} 次带种子的运行，{cores} 个核：{seconds} 秒，每秒 {rate} 次。",
        runs = whole(sample.runs as f64),
        cores = sample.cores as u64,
        seconds = format!("{:.1}", sample.seconds),
        rate = whole(sample.runs as f64 / sample.seconds)
    );
    format!("{}\n", say(words))
}

/// A table for each number of nodes: a row for each number of clients, a column for each budget of faults.
fn growth(cells: &[Cell], say: &impl Fn(Text) -> String) -> String {
    let mut out = String::new();
    for nodes in NODES {
        let title = match nodes {
            1 => say!("One node, `token-lua`", "一个节点，`token-lua`"),
            nodes => say!("{nodes} nodes, `redlock`", "{nodes} 个节点，`redlock`", nodes = nodes),
        };
        let rows = CLIENTS.map(|clients| {
            let told = FAULTS.map(|faults| {
                let is_it = |cell: &&Cell| (cell.nodes, cell.clients, cell.faults) == (nodes, clients, faults);
                cells.iter().find(is_it).map_or(String::new(), |cell| say(self::cell(cell)))
            });
            [clients.to_string()].into_iter().chain(told).collect()
        });
        let headings: Vec<String> =
            [say(say!("clients", "客户端"))].into_iter().chain(FAULTS.map(|faults| format!("`{faults}`"))).collect();
        let gap = if out.is_empty() { "" } else { "\n" };
        let _ = write!(out, "{gap}**{}**\n\n{}", say(title), table(&headings, rows));
    }
    out
}

fn cell(cell: &Cell) -> Text {
    let (states, bytes) = (whole(cell.states as f64), size(cell.bytes));
    let seconds = format!("{:.2}", cell.seconds);
    match cell.is_over {
        true => say!(
            "{states} states, {seconds} s, {bytes}",
            "{states} 个状态，{seconds} 秒，{bytes}",
            states = states,
            seconds = seconds,
            bytes = bytes
        ),
        false => say!(
            "not over in {seconds} s: {states} states, {bytes}; reached {faults} faults and {choices} choices",
            "{seconds} 秒内未完：{states} 个状态，{bytes}；到达 {faults} 次故障、{choices} 次选择",
            seconds = seconds,
            states = states,
            bytes = bytes,
            faults = cell.reached.faults,
            choices = cell.reached.choices
        ),
    }
}

fn table(headings: &[String], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule = format!("|{}\n", " --- |".repeat(headings.len()));
    let rows: String = rows.into_iter().map(|row| line(&row)).collect();
    format!("{}{rule}{rows}", line(headings))
}

/// A whole number, its thousands apart.
fn whole(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn size(bytes: usize) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{} MB", whole(bytes as f64 / 1e6)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_is_written_and_the_rest_stays() {
        let text = "a\n<!-- measured: one -->\nold\n<!-- end -->\nb\n";
        let now = rewritten(text, &[("one", "new\n".into())]).expect("the block is there");
        assert_eq!(now, "a\n<!-- measured: one -->\nnew\n<!-- end -->\nb\n");
        assert!(rewritten(text, &[("two", String::new())]).is_err());
        assert!(rewritten("none", &[("one", String::new())]).is_err());
    }

    #[test]
    fn the_pages_have_every_block() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        let blocks =
            ["machine", "search", "attacks", "sample", "growth", "simulator"].map(|name| (name, String::new()));
        for page in ["performance.md", "zh/performance.md"] {
            let text = fs::read_to_string(docs.join(page)).expect("the page is there");
            assert!(rewritten(&text, &blocks).is_ok(), "{page}");
        }
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([7.0, 1_234.4, 1e6].map(whole), ["7", "1,234", "1,000,000"]);
        assert_eq!(size(2_500_000_000), "2,500 MB");
    }
}
