//! A reader chooses a scenario and a lock, and walks through what happens.

use std::time::Duration;

use locklab_core::choices::Choices;
use locklab_core::scenario::{Scenario, library};
use locklab_core::{locks, sim};
use locklab_e2e::{By, ElementQueryable, Language, Look, Page, Scheme, Size, visit};

/// The digest of a built-in scenario with a lock, as this machine computes it.
fn digest(scenario: &str, lock: &str) -> String {
    let text = library::find(scenario).expect("it is built in").text;
    let parsed = Scenario::parse(scenario, text).expect("it is right");
    let kind = locks::find(lock).expect("it is known");
    sim::run(&parsed, kind, Choices::scripted()).expect("it can be told").history.digest().to_string()
}

/// Waits until the page shows a run with this digest.
async fn shows(page: &Page<'_>, digest: String) -> anyhow::Result<()> {
    page.query(By::Css("code.digest")).with_text(digest).first().await?;
    Ok(())
}

/// Presses keys, as a reader does whose focus is nowhere in particular.
async fn press(page: &Page<'_>, keys: &str) -> anyhow::Result<()> {
    page.element("body").await?.send_keys(keys).await?;
    Ok(())
}

const LEFT: &str = "\u{e012}";
const RIGHT: &str = "\u{e014}";
const HOME: &str = "\u{e011}";
const END: &str = "\u{e010}";

#[test]
fn a_scenario_and_a_lock_are_chosen_and_the_digest_is_the_command_lines() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        shows(page, digest("expiry/gc-pause", "token-lua")).await?;
        page.click("button[data-lock=fenced]").await?;
        shows(page, digest("expiry/gc-pause", "fenced")).await?;
        page.element("[data-total=rejected_writes]").await?;
        page.click(".browse-button").await?;
        page.click("button[data-name='release/get-then-del']").await?;
        page.query(By::Css("button[data-lock=get-then-del][aria-pressed=true]")).first().await?;
        shows(page, digest("release/get-then-del", "get-then-del")).await?;
        page.click("select.other-lock option[value=watchdog]").await?;
        shows(page, digest("release/get-then-del", "watchdog")).await?;
        assert!(page.find_all(By::Css(".topics")).await?.is_empty(), "the list closes when something is chosen");
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_verdict_and_the_cause_can_be_read() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        assert!(page.text_of(".outcome").await?.contains("Broken"));
        let mut broken = Vec::new();
        for tag in page.find_all(By::Css(".tags.is-broken li")).await? {
            broken.push(tag.attr("data-property").await?.unwrap_or_default());
        }
        assert_eq!(broken, ["mutual-exclusion", "no-overrun", "no-stale-write", "no-lost-update"]);
        assert!(page.text_of(".cause").await?.contains("The resource cannot tell an old grant from a new one"));
        Ok(())
    })
}

#[test]
fn buttons_and_keys_step_through_the_run() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click(".control.first").await?;
        assert_eq!(page.text_of("output.at").await?, "0s");
        let first = page.text_of(".told").await?;
        assert!(first.contains("SET lock A-1 NX PX 10000"), "{first}");
        assert!(page.text_of(".listing li.here").await?.contains("SET {key} {token} NX PX {ttl_ms}"));
        assert!(page.text_of(".servers").await?.contains("lock = A-1"));
        page.click(".control.next").await?;
        let second = page.text_of(".told").await?;
        assert_ne!(second, first);
        assert!(page.text_of(".clients").await?.contains("INSIDE"));
        press(page, RIGHT).await?;
        assert_ne!(page.text_of(".told").await?, second);
        press(page, LEFT).await?;
        assert_eq!(page.text_of(".told").await?, second);
        press(page, END).await?;
        let (count, last) = (page.text_of(".count").await?, page.text_of("output.at").await?);
        let (at, of) = count.split_once(" / ").expect("one of so many");
        assert_eq!((at, last.as_str()), (of, "17s"));
        press(page, HOME).await?;
        assert_eq!(page.text_of(".told").await?, first);
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_slider_and_the_drawing_scrub_and_the_cursor_follows() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click(".control.first").await?;
        let line = page.query(By::Css(".stage .cursor.shown")).first().await?;
        let start = line.attr("x1").await?;
        // A drag in the drawing, from the left to its middle.
        let stage = page.element(".stage").await?;
        page.action_chain()
            .move_to_element_center(&stage)
            .click_and_hold()
            .move_by_offset(60, 0)
            .release()
            .perform()
            .await?;
        let middle = line.attr("x1").await?;
        assert_ne!(middle, start);
        let told = page.text_of(".told").await?;
        // The slider moves by itself with the arrow keys of whoever has the focus on it: step by step.
        let slider = page.element("input.instant").await?;
        slider.send_keys(RIGHT).await?;
        assert_ne!(page.text_of(".told").await?, told);
        assert_ne!(line.attr("x1").await?, middle);
        assert!(slider.attr("aria-valuetext").await?.is_some_and(|text| text.contains(": ")));
        page.ensure_no_complaints().await
    })
}

#[test]
fn a_run_plays_by_itself_until_it_is_stopped() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click(".control.first").await?;
        page.click(".control.play").await?;
        page.query(By::Css(".count")).with_text("3 / 24").first().await?;
        page.click(".control.play").await?;
        let stopped = page.element(".stage .cursor").await?.attr("x1").await?;
        page.click("button.language").await?;
        page.click("button.language").await?;
        assert_eq!(page.element(".stage .cursor").await?.attr("x1").await?, stopped);
        Ok(())
    })
}

#[test]
fn a_run_plays_faster_when_it_is_told_to() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click("select.speed option[value='4×']").await?;
        page.click(".control.first").await?;
        page.click(".control.play").await?;
        // The whole run takes half a minute at its usual speed.
        page.query(By::Css(".count"))
            .with_text("24 / 24")
            .wait(Duration::from_secs(10), Duration::from_millis(50))
            .first()
            .await?;
        Ok(())
    })
}

#[test]
fn a_message_is_read_and_closed_however_long_it_is() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join(format!("{}.jsonl", "y".repeat(200)));
    std::fs::write(&file, "{\"version\"")?;
    visit(Look { size: Size::Phone, ..Look::default() }, async |page| {
        page.browser().narrow(360).await?;
        page.element(".open-file input").await?.send_keys(file.display().to_string()).await?;
        let button = page.query(By::Css(".notice button")).first().await?;
        let rect = button.rect().await?;
        assert!(rect.x + rect.width <= 360.0, "its button is on the screen: {rect:?}");
        page.ensure_it_fits().await?;
        button.click().await?;
        assert!(page.find_all(By::Css(".notice")).await?.is_empty());
        Ok(())
    })
}

#[test]
fn a_switch_of_language_translates_everything_and_keeps_the_place() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        let count = page.text_of(".count").await?;
        page.click("button.language").await?;
        page.query(By::Css("html[lang=zh]")).first().await?;
        assert_eq!(page.text_of(".opening h2").await?, "停顿比租约更长");
        assert!(page.text_of(".outcome").await?.contains("被破坏"));
        assert!(page.text_of(".stage svg").await?.contains("客户端以持有者身份行事"));
        assert!(page.text_of(".clients").await?.contains("在临界区内"));
        assert_eq!(page.text_of(".count").await?, count);
        shows(page, digest("expiry/gc-pause", "token-lua")).await
    })
}

#[test]
fn the_address_holds_the_run_and_opens_it_again() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click("button[data-lock=fenced]").await?;
        shows(page, digest("expiry/gc-pause", "fenced")).await?;
        let address = page.current_url().await?.fragment().unwrap_or_default().to_owned();
        assert!(page.text_of(".command").await?.ends_with(&address), "the command line takes the same text");
        page.refresh().await?;
        shows(page, digest("expiry/gc-pause", "fenced")).await?;
        page.query(By::Css("button[data-lock=fenced][aria-pressed=true]")).first().await?;
        page.ensure_no_complaints().await
    })
}

#[test]
fn a_hostile_or_broken_address_is_told_and_the_page_goes_on() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        for text in ["L1-AAAA", "<img%20src=x%20onerror=alert(1)>", "L7-whatever", "%E4%B8%AD"] {
            page.goto("about:blank").await?;
            page.go(&format!("#{text}")).await?;
            page.query(By::Css(".notice[role=alert]")).first().await?;
            shows(page, digest("expiry/gc-pause", "token-lua")).await?;
        }
        page.click(".notice button").await?;
        assert!(page.find_all(By::Css(".notice")).await?.is_empty());
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_chosen_colours_are_kept() -> anyhow::Result<()> {
    visit(Look { scheme: Scheme::Dark, ..Look::default() }, async |page| {
        let paper = "return getComputedStyle(document.querySelector('.stage .paper')).fill";
        let dark: String = page.execute(paper, vec![]).await?.convert()?;
        page.click("button.theme").await?;
        page.query(By::Css("html.light")).first().await?;
        let light: String = page.execute(paper, vec![]).await?.convert()?;
        assert_ne!(dark, light, "the drawing follows the page");
        page.go("").await?;
        page.query(By::Css("html.light")).first().await?;
        Ok(())
    })
}

#[test]
fn the_page_looks_right_in_every_look() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        for look in Look::all() {
            page.browser().take_on(look).await?;
            page.go(&format!("?lang={}", look.language.tag())).await?;
            page.ensure_it_fits().await?;
            page.picture(&format!("run-{}", look.name())).await?;
            page.click(".browse-button").await?;
            page.query(By::Css(".topics .scenario[aria-current]")).first().await?;
            page.ensure_it_fits().await?;
            page.picture(&format!("scenarios-{}", look.name())).await?;
        }
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_narrowest_phone_has_room_for_everything() -> anyhow::Result<()> {
    visit(Look { size: Size::Phone, language: Language::Chinese, ..Look::default() }, async |page| {
        page.browser().narrow(360).await?;
        page.go("?lang=zh").await?;
        for scenario in ["expiry/gc-pause", "renewal/cut-off", "basics/contended"] {
            page.click(".browse-button").await?;
            page.click(&format!("button[data-name='{scenario}']")).await?;
            page.ensure_it_fits().await?;
        }
        Ok(())
    })
}
