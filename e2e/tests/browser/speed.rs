//! How fast the page is, measured in a real browser: `cargo xtask bench web`.

use locklab_e2e::{By, ElementQueryable, Look, Page, visit};

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

/// From the start of the load to the first thing that a reader sees, in milliseconds.
const FIRST_PAINT: &str = "return performance.getEntriesByName('first-contentful-paint')[0].startTime";

/// Turns the slider of the lease and waits until the drawing is on the screen, some times over; milliseconds, sorted.
const EDITS: &str = "return (async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const spans = [];
    for (let turn = 0; turn < 20; turn += 1) {
        const slider = document.querySelector(\"input[data-key='A.work']\");
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

async fn spans(page: &Page<'_>, script: &str) -> anyhow::Result<Vec<f64>> {
    Ok(page.execute(script, vec![]).await?.convert()?)
}

/// The middle, and what 95 of 100 do not exceed.
fn figures(spans: &[f64]) -> String {
    format!("median {:.1} ms, 95 % within {:.1} ms", spans[spans.len() / 2], spans[spans.len() * 95 / 100])
}

#[test]
#[ignore = "a measurement, not a test: cargo xtask bench web"]
fn measured() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.query(By::Css(".stage svg")).first().await?;
        let first: f64 = page.execute(FIRST_PAINT, vec![]).await?.convert()?;
        println!("first timeline after a cold load: {first:.0} ms");
        println!("edit to redrawn timeline: {}", figures(&spans(page, EDITS).await?));
        page.execute(PASTE, vec![BUSY.into()]).await?;
        page.query(By::Css(".opening h2")).with_text("A busy lock").first().await?;
        println!("steps of the busy run: {}", page.text_of(".count").await?);
        println!("frames while scrubbing, everything seen: {}", figures(&spans(page, &frames(SCRUB)).await?));
        for _ in 0..4 {
            page.click(".control.nearer").await?;
        }
        println!("frames while scrubbing, near: {}", figures(&spans(page, &frames(SCRUB)).await?));
        println!("frames while panning, near: {}", figures(&spans(page, &frames(PAN)).await?));
        Ok(())
    })
}
