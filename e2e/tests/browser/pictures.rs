//! The pictures of the README and the docs: `cargo xtask pictures`.

use std::fs;
use std::path::Path;

use locklab_e2e::{By, ElementQueryable, Look, Page, Scheme, Size, visit};

/// A picture: its name, how the reader sees the page, what stands in the address, and what is waited for.
const PICTURES: [(&str, Look, &str, &str); 8] = [
    ("page-en", DESKTOP, "", ".stage svg"),
    ("page-zh", Look { language: locklab_e2e::Language::Chinese, ..DESKTOP }, "", ".stage svg"),
    ("page-dark", Look { scheme: Scheme::Dark, ..DESKTOP }, "", ".stage svg"),
    ("phone", Look { size: Size::Phone, ..DESKTOP }, "", ".stage svg"),
    ("matrix", DESKTOP, "#matrix", "[data-cell='token-lua-pause']"),
    ("lesson", DESKTOP, "#lessons/01-setnx", ".guess"),
    ("game", DESKTOP, "#game/token", ".strikes"),
    ("embed", DESKTOP, "?embed", "main.embed .stage svg"),
];

const DESKTOP: Look = Look { size: Size::Desktop, scheme: Scheme::Light, language: locklab_e2e::Language::English };

async fn take(page: &Page<'_>, name: &str) -> anyhow::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
    Ok(fs::write(folder.join(format!("{name}.png")), page.screenshot_as_png().await?)?)
}

#[test]
#[ignore = "it writes the pictures of the docs: cargo xtask pictures"]
fn taken() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        for (name, look, place, shown) in PICTURES {
            page.browser().take_on(look).await?;
            page.goto("about:blank").await?;
            let language = format!("lang={}", look.language.tag());
            let place = match place.strip_prefix('?') {
                Some(rest) => format!("?{language}&{rest}"),
                None => format!("?{language}{place}"),
            };
            page.go(&place).await?;
            page.query(By::Css(shown)).first().await?;
            take(page, name).await?;
        }
        page.browser().take_on(DESKTOP).await?;
        page.go("#search").await?;
        page.click("select.in-question option[value=no-stale-write]").await?;
        page.click("button.start").await?;
        page.query(By::Css("a.open-attack")).first().await?;
        take(page, "search").await
    })
}
