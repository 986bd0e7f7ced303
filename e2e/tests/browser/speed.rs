//! How fast the page is, measured in a real browser and written into the docs: `cargo xtask bench web`.

use std::fs;
use std::path::Path;

use anyhow::Context;
use locklab_core::i18n::Text;
use locklab_core::say;
use locklab_e2e::{By, ElementQueryable, Language, Look, Page, visit};
use serde_json::json;

/// Two clients that take a lock in turns, a thousand times: some 20,000 events, none of which repeats the one before.
const BUSY: &str = r#"
title = "A busy lock"
question = "How long does it take to draw?"
lesson = "Draw only what is seen."
[servers]
redis = "single"
[lock]
kind = "token-lua"
ttl = "10s"
retry = "3ms"
[[client]]
name = "A"
work = "2ms"
runs = 450
every = "7ms"
[[client]]
name = "B"
starts = "1ms"
work = "3ms"
runs = 450
every = "9ms"
[expect.token-lua]
happens = ["A.wrote", "B.wrote"]
"#;

/// Two clients, five nodes, one clock that jumps: the attack that `cargo xtask performance` finds without a browser.
const REDLOCK: &str = include_str!("../../../bench/src/redlock.toml");

/// How often an attack is searched for.
const SEARCHES: usize = 5;

/// Begins the search, and waits until its answer is on the screen; milliseconds.
const SEARCH: &str = "return new Promise((done) => {
    const began = performance.now();
    const seen = new MutationObserver(() => {
        if (document.querySelector('a.open-attack')) {
            seen.disconnect();
            requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
        }
    });
    seen.observe(document.body, { childList: true, subtree: true });
    document.querySelector('button.start').click();
})";

/// How often the page is loaded as if for the first time.
const LOADS: usize = 5;

/// What stands around the figures in docs/performance.md and its Chinese twin.
const OPEN: &str = "<!-- measured in the browser -->\n";
const CLOSE: &str = "<!-- end of what was measured in the browser -->";

/// From the start of the load to the first thing that a reader sees, which is the whole page, in milliseconds.
const FIRST_PAINT: &str = "return performance.getEntriesByName('first-contentful-paint')[0].startTime";

/// Turns the slider of the work and waits until the drawing is on the screen, some times over; milliseconds, sorted.
const EDITS: &str = "return (async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const spans = [];
    for (let turn = 0; turn < 40; turn += 1) {
        const slider = document.querySelector(\"input[data-key='A.work']\");
        await frame();
        const began = performance.now();
        slider.value = 5 + (turn % 5);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        await frame();
        spans.push(performance.now() - began);
    }
    return spans.sort((one, other) => one - other);
})()";

/// Puts a text into the editor, as a reader who pastes it.
const PASTE: &str = "const field = document.querySelector('textarea.toml');
    field.value = arguments[0];
    field.dispatchEvent(new Event('input', { bubbles: true }));";

/// Moves something once a frame, 240 frames long; the length of each frame in milliseconds, sorted.
fn frames(step: &str) -> String {
    format!(
        "return (async () => {{
            const frame = () => new Promise((done) => requestAnimationFrame(done));
            const spans = [];
            let last = await frame();
            for (let turn = 0; turn < 240; turn += 1) {{
                {step}
                const now = await frame();
                spans.push(now - last);
                last = now;
            }}
            return spans.sort((one, other) => one - other);
        }})()"
    )
}

const SCRUB: &str = "const slider = document.querySelector('input.instant');
    slider.value = Number(slider.max) * turn / 240;
    slider.dispatchEvent(new Event('input', { bubbles: true }));";

const PAN: &str = "const stage = document.querySelector('.stage'), room = stage.getBoundingClientRect();
    stage.dispatchEvent(new WheelEvent('wheel',
        { deltaX: turn < 120 ? 40 : -40, clientX: room.left + 400, clientY: room.top + 50, bubbles: true, cancelable: true }));";

/// What was measured: what it is, what is wanted of it, and the sorted milliseconds.
struct Figure {
    name: Text,
    wanted: Text,
    spans: Vec<f64>,
}

impl Figure {
    /// A row of the table.
    fn row(&self, language: Language) -> String {
        let (name, wanted) = (self.name.in_language(language), self.wanted.in_language(language));
        let at = |percent: usize| self.spans[self.spans.len() * percent / 100];
        format!("| {name} | {:.0} ms | {:.0} ms | {wanted} |\n", at(50), at(95))
    }
}

/// The figures as a table.
fn table(figures: &[Figure], steps: &str, language: Language) -> String {
    let head = say!(
        "|  | middle | 95 of 100 within | wanted |\n| --- | --- | --- | --- |\n",
        "|  | 中位数 | 95% 不超过 | 目标 |\n| --- | --- | --- | --- |\n"
    );
    let note = say!("\nThe busy run has {steps} steps.\n", "\n其中的长运行共有 {steps} 步。\n", steps = steps);
    let rows = figures.iter().map(|figure| figure.row(language)).collect::<String>();
    format!("{}{rows}{}", head.in_language(language), note.in_language(language))
}

/// Puts the figures where they stand in a page of the docs.
fn write(page: &str, block: &str) -> anyhow::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(page);
    let text = fs::read_to_string(&path)?;
    let (before, rest) = text.split_once(OPEN).with_context(|| format!("{page} has no `{OPEN}`"))?;
    let (_, after) = rest.split_once(CLOSE).with_context(|| format!("{page} has no `{CLOSE}`"))?;
    Ok(fs::write(&path, format!("{before}{OPEN}{block}{CLOSE}{after}"))?)
}

async fn spans(page: &Page<'_>, script: &str) -> anyhow::Result<Vec<f64>> {
    Ok(page.execute(script, vec![]).await?.convert()?)
}

/// Loads of the page by a browser that has kept nothing of it.
async fn cold_loads(page: &Page<'_>) -> anyhow::Result<Vec<f64>> {
    let origin: String = page.execute("return location.origin", vec![]).await?.convert()?;
    let mut spans = Vec::new();
    for _ in 0..LOADS {
        page.goto("about:blank").await?;
        let cdp = page.browser().driver().cdp();
        cdp.send_raw("Storage.clearDataForOrigin", json!({ "origin": origin, "storageTypes": "all" })).await?;
        cdp.send_raw("Network.clearBrowserCache", json!({})).await?;
        page.go("").await?;
        page.query(By::Css(".stage svg")).first().await?;
        spans.push(page.execute(FIRST_PAINT, vec![]).await?.convert()?);
    }
    spans.sort_by(f64::total_cmp);
    Ok(spans)
}

/// Searches for the simplest attack on Redlock with one jump of a clock, in the page.
async fn attacks(page: &Page<'_>) -> anyhow::Result<Vec<f64>> {
    page.execute(PASTE, vec![REDLOCK.into()]).await?;
    page.query(By::Css(".opening h2")).with_text("Redlock and one clock that jumps").first().await?;
    page.click(".views a[href='#search']").await?;
    page.click("select[data-fault=pause] option[value='0']").await?;
    page.click("select[data-fault=clock-step] option[value='1']").await?;
    let mut spans = Vec::new();
    for _ in 0..SEARCHES {
        // Another question in between, so that each answer is a new one.
        page.click("select.in-question option[value=no-overrun]").await?;
        page.click("select.in-question option[value=mutual-exclusion]").await?;
        spans.push(page.execute(SEARCH, vec![]).await?.convert()?);
    }
    spans.sort_by(f64::total_cmp);
    Ok(spans)
}

#[test]
#[ignore = "a measurement, not a test: cargo xtask bench web"]
fn measured() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        let (second, edit, frame) =
            (say!("1 s", "1 秒"), say!("50 ms", "50 毫秒"), say!("95 of 100 within 20 ms", "95% 不超过 20 毫秒"));
        let mut figures = Vec::new();
        let mut measure = |name: Text, wanted: &Text, spans: Vec<f64>| {
            let figure = Figure { name, wanted: wanted.clone(), spans };
            print!("{}", figure.row(Language::English));
            figures.push(figure);
        };
        measure(say!("first timeline after a cold load", "冷启动后第一次画出时间线"), &second, cold_loads(page).await?);
        measure(say!("edit to redrawn timeline", "修改到重新画出时间线"), &edit, spans(page, EDITS).await?);
        measure(
            say!(
                "one jump of a clock against Redlock, five nodes: from the button to the attack, told",
                "用一次时钟跳变攻击五节点 Redlock：从点击到说明攻击"
            ),
            &second,
            attacks(page).await?,
        );
        page.go("").await?;
        page.execute(PASTE, vec![BUSY.into()]).await?;
        page.query(By::Css(".opening h2")).with_text("A busy lock").first().await?;
        let count = page.text_of(".count").await?;
        let steps = count.rsplit(' ').next().unwrap_or_default().to_owned();
        measure(
            say!("a frame while scrubbing the busy run, all of it seen", "长运行，显示全部，拖动光标时的一帧"),
            &frame,
            spans(page, &frames(SCRUB)).await?,
        );
        for _ in 0..4 {
            page.click(".control.nearer").await?;
        }
        measure(
            say!("a frame while scrubbing it, sixteen times nearer", "长运行，放大十六倍，拖动光标时的一帧"),
            &frame,
            spans(page, &frames(SCRUB)).await?,
        );
        measure(
            say!("a frame while panning it, sixteen times nearer", "长运行，放大十六倍，平移时的一帧"),
            &frame,
            spans(page, &frames(PAN)).await?,
        );
        for (path, language) in [("performance.md", Language::English), ("zh/performance.md", Language::Chinese)] {
            write(path, &table(&figures, &steps, language))?;
        }
        Ok(())
    })
}
