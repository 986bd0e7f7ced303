//! The pictures of the README and the docs: `cargo xtask pictures`.

use std::fs;
use std::path::Path;

use anyhow::Context;
use base64::prelude::{BASE64_STANDARD, Engine};
use locklab_e2e::{By, ElementQueryable, Language, Look, Page, Scheme, Size, visit};
use serde_json::{Value, json};

/// A picture, taken in both languages: its name, the window, the colours, what stands in the address, what is pressed there, what is waited for
/// and stands at the top.
struct Picture(&'static str, Size, Scheme, &'static str, &'static [&'static str], &'static str, &'static str);

const PICTURES: [Picture; 10] = [
    Picture("page", Size::Desktop, Scheme::Light, "", &[], ".stage svg", "body"),
    Picture("dark", Size::Desktop, Scheme::Dark, "", &[], ".stage svg", "body"),
    Picture("phone", Size::Phone, Scheme::Light, "", &[], ".stage svg", "body"),
    Picture(
        "compare",
        Size::Desktop,
        Scheme::Light,
        "",
        &["select.compare option[value=fenced]"],
        ".stage ~ .stage svg",
        ".stage-card",
    ),
    Picture("matrix", Size::Desktop, Scheme::Light, "#matrix", &[], "[data-cell='token-lua-pause']", "body"),
    Picture(
        "search",
        Size::Desktop,
        Scheme::Light,
        "#search",
        &["select.in-question option[value=no-stale-write]", "button.start"],
        "a.open-attack",
        "body",
    ),
    Picture("lesson", Size::Desktop, Scheme::Light, "#lessons/01-setnx", &[], ".guess", "body"),
    Picture(
        "teacher",
        Size::Projector,
        Scheme::Light,
        "#lessons/05-a-lease-is-not-a-mutex",
        &[".answer input", "button.reveal", "button.enlarge"],
        ".stage svg",
        ".stage-card",
    ),
    Picture("game", Size::Desktop, Scheme::Light, "#game/token", &[], ".strikes", "body"),
    Picture("embed", Size::Phone, Scheme::Dark, "?embed", &[], "main.embed .stage svg", "body"),
];

/// Saves what the reader sees. WebP is a third of what the same picture is as PNG, and every browser and GitHub show it.
async fn take(page: &Page<'_>, name: &str) -> anyhow::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
    let how = json!({ "format": "webp", "quality": 88 });
    let taken = page.browser().driver().cdp().send_raw("Page.captureScreenshot", how).await?;
    let coded = taken.get("data").and_then(Value::as_str).context("the browser takes no picture")?;
    Ok(fs::write(folder.join(format!("{name}.webp")), BASE64_STANDARD.decode(coded)?)?)
}

#[test]
#[ignore = "it writes the pictures of the docs: cargo xtask pictures"]
fn taken() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        for Picture(name, size, scheme, place, presses, shown, top) in PICTURES {
            for language in Language::ALL {
                let name = format!("{name}-{}", language.tag());
                page.browser().take_on(Look { size, scheme, language }).await?;
                page.goto("about:blank").await?;
                let asked = format!("lang={}", language.tag());
                page.go(&match place.strip_prefix('?') {
                    Some(rest) => format!("?{asked}&{rest}"),
                    None => format!("?{asked}{place}"),
                })
                .await?;
                for press in presses {
                    page.click(press).await?;
                }
                page.query(By::Css(shown)).first().await.with_context(|| format!("{name} shows no {shown}"))?;
                // What has just been pressed is no part of the picture.
                let show = "document.activeElement?.blur(); document.querySelector(arguments[0]).scrollIntoView()";
                page.execute(show, vec![top.into()]).await?;
                take(page, &name).await?;
            }
        }
        Ok(())
    })
}
