//! Everyone can use the page: axe-core finds nothing to complain about, and everything works by keyboard.

use anyhow::ensure;
use locklab_e2e::{By, ElementQueryable, Language, Look, Page, Scheme, Size, visit};

const AXE: &str = include_str!("../../axe/axe.min.js");

/// Runs every rule of axe-core; one line for each that is broken.
const JUDGE: &str = "return axe.run(document, { resultTypes: ['violations'] }).then((result) =>
    result.violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`))";

async fn ensure_everyone_can_use(page: &Page<'_>, what: &str) -> anyhow::Result<()> {
    page.execute(AXE, vec![]).await?;
    let broken: Vec<String> = page.execute(JUDGE, vec![]).await?.convert()?;
    ensure!(broken.is_empty(), "{what}:\n{}", broken.join("\n"));
    Ok(())
}

#[test]
fn axe_finds_nothing_in_any_look() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        for look in Look::all() {
            page.browser().take_on(look).await?;
            page.go(&format!("?lang={}", look.language.tag())).await?;
            ensure_everyone_can_use(page, &look.name()).await?;
            page.click(".browse-button").await?;
            page.click("select.compare option[value=fenced]").await?;
            page.query(By::Css("[data-compared=fenced]")).first().await?;
            page.execute("document.querySelectorAll('details').forEach((details) => details.open = true)", vec![])
                .await?;
            page.element("textarea.toml").await?.send_keys("nonsense").await?;
            page.query(By::Css(".numbers .is-broken")).first().await?;
            ensure_everyone_can_use(page, &format!("{}, everything open", look.name())).await?;
        }
        page.go("#L1-broken").await?;
        page.query(By::Css(".notice")).first().await?;
        ensure_everyone_can_use(page, "a notice").await
    })
}

#[test]
fn axe_finds_nothing_in_the_course_and_the_game() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        for look in Look::all() {
            page.browser().take_on(look).await?;
            if look.size == Size::Phone {
                page.browser().narrow(360).await?;
            }
            // What is waited for is there when the view is.
            for (place, shown) in [
                ("lessons", ".course li:last-child .quiet:not(:empty)"),
                ("lessons/01-setnx/notes", ".answer-key"),
                ("lessons/01-setnx", ".guess"),
                ("game", ".game .course"),
                ("game/token", ".strikes"),
            ] {
                page.goto("about:blank").await?;
                page.go(&format!("?lang={}#{place}", look.language.tag())).await?;
                page.query(By::Css(shown)).first().await?;
                ensure_everyone_can_use(page, &format!("{place}, {}", look.name())).await?;
                if place == "lessons/01-setnx" {
                    page.click(".answer input").await?;
                    page.click("button.reveal").await?;
                    page.query(By::Css(".stage svg")).first().await?;
                    ensure_everyone_can_use(page, &format!("{place} revealed, {}", look.name())).await?;
                }
            }
            page.click(".strikes .strike").await?;
            page.query(By::Css(".strikes .placed li")).first().await?;
            ensure_everyone_can_use(page, &format!("a level with a fault, {}", look.name())).await?;
        }
        Ok(())
    })
}

#[test]
fn axe_finds_nothing_in_the_search_and_the_comparison() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        for scheme in [Scheme::Light, Scheme::Dark] {
            for language in [Language::English, Language::Chinese] {
                let look = Look { size: Size::Desktop, scheme, language };
                page.browser().take_on(look).await?;
                if language == Language::Chinese {
                    page.browser().narrow(360).await?;
                }
                for (place, shown) in [("search", ".allowance"), ("matrix", ".sheet td.is-held, .sheet td.is-broken")] {
                    page.goto("about:blank").await?;
                    page.go(&format!("?lang={}#{place}", language.tag())).await?;
                    page.query(By::Css(shown)).first().await?;
                    if place == "search" {
                        page.click("select.in-question option[value=no-stale-write]").await?;
                        page.click("button.start").await?;
                        page.query(By::Css("a.open-attack")).first().await?;
                    }
                    page.ensure_it_fits().await?;
                    ensure_everyone_can_use(page, &format!("{place}, {}", look.name())).await?;
                }
                page.click(".sheet td button").await?;
                page.query(By::Css(".detail")).first().await?;
                ensure_everyone_can_use(page, &format!("a cell, {}", look.name())).await?;
            }
        }
        Ok(())
    })
}

#[test]
fn everything_can_be_reached_and_used_by_keyboard() -> anyhow::Result<()> {
    const TAB: &str = "\u{e004}";
    const SPACE: &str = " ";
    visit(Look::default(), async |page| {
        let mut reached = Vec::new();
        for _ in 0..90 {
            page.action_chain().send_keys(TAB).perform().await?;
            let element = page.active_element().await?;
            reached.push(element.class_name().await?.unwrap_or_default());
            if element.class_name().await?.is_some_and(|class| class == "lock-name") {
                // A button that has the focus is pressed; the page's own keys do not take that away.
                let lock = element.attr("data-lock").await?;
                element.send_keys(SPACE).await?;
                let pressed = page.query(By::Css("button.lock-name[aria-pressed=true]")).first().await?;
                assert_eq!(pressed.attr("data-lock").await?, lock);
            }
        }
        for wanted in [
            "theme",
            "language",
            "browse-button",
            "other-lock",
            "compare",
            "instant",
            "control play",
            "listing",
            "exact",
            "speed",
            "copy",
            "save",
        ] {
            assert!(reached.iter().any(|class| class == wanted), "{wanted} is out of reach: {reached:?}");
        }
        Ok(())
    })
}
