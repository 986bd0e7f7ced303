//! A reader looks nearer, has things explained, and changes the faults on the timeline itself.

use locklab_e2e::{
    By, ElementQueryable, FolderServer, Look, Page, PageServer, Scheme, Size, WebElement, browse, visit,
};
use serde_json::json;

/// Presses keys, as a reader does whose focus is nowhere in particular.
async fn press(page: &Page<'_>, keys: &str) -> anyhow::Result<()> {
    Ok(page.element("body").await?.send_keys(keys).await?)
}

/// How many of what is drawn a reader could point at.
async fn drawn(page: &Page<'_>) -> anyhow::Result<usize> {
    Ok(page.find_all(By::Css(".stage .element")).await?.len())
}

async fn is_zoomed(page: &Page<'_>) -> anyhow::Result<bool> {
    Ok(page.element(".stage").await?.attr("data-zoomed").await?.as_deref() == Some("true"))
}

/// Drags something sideways by its middle.
async fn drag(page: &Page<'_>, what: &WebElement, by: i64) -> anyhow::Result<()> {
    let chain = page.action_chain().move_to_element_center(what).click_and_hold();
    Ok(chain.move_by_offset(by / 2, 0).move_by_offset(by - by / 2, 0).release().perform().await?)
}

#[test]
fn buttons_keys_and_the_wheel_look_nearer_and_farther() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        let everything = drawn(page).await?;
        page.click(".control.nearer").await?;
        page.click(".control.nearer").await?;
        page.click(".control.nearer").await?;
        assert!(is_zoomed(page).await? && drawn(page).await? < everything);
        assert!(page.text_of(".stage .names").await?.contains('A'), "the lanes keep their names");
        press(page, "0").await?;
        assert!(!is_zoomed(page).await? && drawn(page).await? == everything);
        press(page, "+").await?;
        assert!(is_zoomed(page).await?);
        press(page, "-").await?;
        assert!(!is_zoomed(page).await?);
        let stage = page.element(".stage").await?.rect().await?;
        let (x, y) = (stage.x + stage.width / 2.0, stage.y + 60.0);
        for _ in 0..4 {
            let wheel = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": -100, "modifiers": 2 });
            page.cdp().send_raw("Input.dispatchMouseEvent", wheel).await?;
        }
        page.query(By::Css(".stage[data-zoomed=true]")).first().await?;
        page.picture("near").await?;
        page.ensure_it_fits().await?;
        page.ensure_no_complaints().await
    })
}

#[test]
fn near_a_drag_moves_the_view_and_the_steps_lead_it_along() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click(".control.first").await?;
        page.click(".control.nearer").await?;
        page.click(".control.nearer").await?;
        let at = page.text_of("output.at").await?;
        let seen =
            "const style = document.querySelector('.stage-card').style; return style.getPropertyValue('--seen-from')";
        let before: String = page.execute(seen, vec![]).await?.convert()?;
        // The nearer view is drawn anew, a moment after the click: the drawing must have stood still before it is taken hold of.
        let stands_still = "return new Promise((done) => {
            const look = (before) => setTimeout(() => {
                const now = document.querySelector('.stage svg');
                if (now === before) { done(true); } else { look(now); }
            }, 300);
            look(document.querySelector('.stage svg'));
        })";
        page.execute(stands_still, vec![]).await?;
        let axis = page.element(".stage svg").await?;
        let rect = axis.rect().await?;
        let legend = (rect.height / 2.0) as i64 - 20;
        let chain = page.action_chain().move_to_element_with_offset(&axis, 0, legend).click_and_hold();
        chain.move_by_offset(-150, 0).move_by_offset(-150, 0).release().perform().await?;
        let after: String = page.execute(seen, vec![]).await?.convert()?;
        assert_ne!(after, before, "the view has moved");
        assert_eq!(page.text_of("output.at").await?, at, "the cursor has not");
        page.click(".control.last").await?;
        let last: String = page.execute(seen, vec![]).await?.convert()?;
        assert_ne!(last, after, "the view follows the cursor");
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_pointer_has_things_explained_and_a_click_keeps_them() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        let pause = page.element(".stage .paused").await?;
        page.action_chain().move_to_element_center(&pause).perform().await?;
        let words = page.text_of(".explain.placed").await?;
        assert!(words.contains("15s"), "{words}");
        page.action_chain().move_to_element_center(&pause).click().perform().await?;
        page.query(By::Css(".explain.pinned")).first().await?;
        for look in [Look::default(), Look { scheme: Scheme::Dark, ..Look::default() }] {
            page.browser().take_on(look).await?;
            page.picture(&format!("pinned-{}", look.name())).await?;
        }
        page.click(".explain .unpin").await?;
        assert!(page.find_all(By::Css(".explain.pinned")).await?.is_empty());
        page.ensure_no_complaints().await
    })
}

#[test]
fn a_pause_is_dragged_and_deleted_and_all_of_it_undone() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        let digest = page.text_of("code.digest").await?;
        let pause = page.element(".stage .bars .paused").await?;
        drag(page, &pause, -60).await?;
        page.query(By::Css("button.restore")).first().await?;
        let dragged = page.text_of("code.digest").await?;
        assert_ne!(dragged, digest, "the run was played anew");
        press(page, "\u{e009}z").await?;
        page.query(By::Css("code.digest")).with_text(digest.clone()).first().await?;
        page.click("button.redo").await?;
        page.query(By::Css("code.digest")).with_text(dragged).first().await?;
        page.click("button.undo").await?;
        let pause = page.element(".stage .bars .paused").await?;
        page.action_chain().move_to_element_center(&pause).click().perform().await?;
        page.click(".fault-controls .spare").await?;
        assert!(page.find_all(By::Css(".stage .bars .paused")).await?.is_empty());
        assert!(page.text_of(".outcome").await?.contains("Held"));
        page.ensure_no_complaints().await
    })
}

/// Takes something by its right end and pulls it sideways.
async fn pull_end(page: &Page<'_>, what: &WebElement, by: i64) -> anyhow::Result<()> {
    let end = (what.rect().await?.width / 2.0) as i64 - 3;
    let chain = page.action_chain().move_to_element_with_offset(what, end, 0).click_and_hold();
    Ok(chain.move_by_offset(by / 2, 0).move_by_offset(by - by / 2, 0).release().perform().await?)
}

/// The bar of a pause.
async fn hatched(page: &Page<'_>) -> anyhow::Result<WebElement> {
    Ok(page.query(By::Css(".stage .bars .paused > rect")).first().await?)
}

/// What a slider says.
async fn says(page: &Page<'_>, key: &str) -> anyhow::Result<String> {
    let slider = page.query(By::Css(format!("input[data-key='{key}']"))).first().await?;
    Ok(slider.attr("aria-valuetext").await?.unwrap_or_default())
}

#[test]
fn a_mouse_pulls_drags_adds_and_deletes_faults_of_every_kind() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        assert_eq!(says(page, "fault.1.for").await?, "15 s");
        pull_end(page, &hatched(page).await?, -120).await?;
        let shorter = says(page, "fault.1.for").await?;
        let seconds = |text: &str| text.trim_end_matches(" s").parse::<f64>().unwrap_or(f64::NAN);
        assert!(seconds(&shorter) < 15.0, "{shorter}");
        pull_end(page, &hatched(page).await?, 40).await?;
        let longer = says(page, "fault.1.for").await?;
        assert!(seconds(&longer) > seconds(&shorter), "{longer}");
        // A crash and a clock's jump: added on a lane, dragged, deleted.
        page.click(".browse-button").await?;
        page.click("button[data-name='basics/contended']").await?;
        for (blow, drawn) in [("crash", ".stage .bars .dead"), ("jump", ".stage .mark.fault")] {
            let lane = page.query(By::Css(".stage .lane.client-0 > rect")).first().await?;
            let above = 4 - (lane.rect().await?.height / 2.0) as i64;
            page.action_chain().move_to_element_with_offset(&lane, 0, above).click().perform().await?;
            page.click(&format!("[data-blow={blow}]")).await?;
            let fault = page.query(By::Css(drawn)).first().await?;
            let at = fault.attr("data-at").await?;
            drag(page, &fault, -80).await?;
            let moved = page.query(By::Css(drawn)).first().await?.attr("data-at").await?;
            assert_ne!(moved, at, "{blow}");
            page.execute("document.querySelector('details.faults').open = true", vec![]).await?;
            page.click(".faults .spare").await?;
            assert!(page.find_all(By::Css(drawn)).await?.is_empty(), "{blow}");
        }
        page.ensure_no_complaints().await
    })
}

#[test]
fn two_fingers_look_nearer() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        let stage = page.element(".stage").await?.rect().await?;
        let (x, y) = (stage.x + stage.width / 2.0, stage.y + 120.0);
        let fingers = |apart: f64| json!([{ "x": x - apart, "y": y, "id": 0 }, { "x": x + apart, "y": y, "id": 1 }]);
        let touch = async |kind: &str, points: serde_json::Value| {
            let event = json!({ "type": kind, "touchPoints": points });
            page.cdp().send_raw("Input.dispatchTouchEvent", event).await
        };
        touch("touchStart", fingers(30.0)).await?;
        for apart in [60.0, 90.0, 120.0] {
            touch("touchMove", fingers(apart)).await?;
        }
        touch("touchEnd", json!([])).await?;
        page.query(By::Css(".stage[data-zoomed=true]")).first().await?;
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_run_is_a_list_and_faults_are_changed_by_keyboard_alone() -> anyhow::Result<()> {
    const ENTER: &str = "\u{e007}";
    const DOWN: &str = "\u{e015}";
    visit(Look::default(), async |page| {
        page.element(".steps summary").await?.send_keys(ENTER).await?;
        let current = page.query(By::Css(".step[aria-current=step]")).first().await?;
        current.focus().await?;
        current.send_keys(DOWN).await?;
        let focused = page.active_element().await?;
        assert_eq!(focused.attr("aria-current").await?.as_deref(), Some("step"), "the focus follows the cursor");
        assert!(focused.text().await?.contains(&page.text_of(".told").await?));
        press(page, "p").await?;
        page.query(By::Css(".explain.pinned")).first().await?;
        page.active_element().await?.send_keys("\u{e00c}").await?;
        assert!(page.find_all(By::Css(".explain.pinned")).await?.is_empty());
        page.element(".faults summary").await?.send_keys(ENTER).await?;
        page.element("[data-strike='B crash']").await?.send_keys(ENTER).await?;
        page.query(By::Css(".stage .bars .dead")).first().await?;
        page.element("[data-fault='2'] button").await?.send_keys(ENTER).await?;
        page.element("[data-fault='2'] .spare").await?.send_keys(ENTER).await?;
        assert!(page.find_all(By::Css(".stage .bars .dead")).await?.is_empty());
        page.ensure_no_complaints().await
    })
}

#[test]
fn a_click_on_a_lane_offers_what_may_strike_there() -> anyhow::Result<()> {
    visit(Look { size: Size::Desktop, ..Look::default() }, async |page| {
        page.click(".browse-button").await?;
        page.click("button[data-name='basics/contended']").await?;
        let lane = page.query(By::Css(".stage .lane.client-0 > rect")).first().await?;
        // Above what is drawn on it, while its client works.
        let above = 4 - (lane.rect().await?.height / 2.0) as i64;
        page.action_chain().move_to_element_with_offset(&lane, 0, above).click().perform().await?;
        page.click("[data-blow=crash]").await?;
        page.query(By::Css(".stage .bars .dead")).first().await?;
        page.click("button.undo").await?;
        assert!(page.find_all(By::Css(".stage .bars .dead")).await?.is_empty());
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_timeline_alone_is_shown_for_an_article() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        let address = page.current_url().await?.fragment().unwrap_or_default().to_owned();
        page.goto("about:blank").await?;
        page.go(&format!("?embed#{address}")).await?;
        page.query(By::Css("main.embed .stage svg")).first().await?;
        assert!(page.find_all(By::Css(".masthead, textarea")).await?.is_empty());
        for size in [Size::Desktop, Size::Phone] {
            page.browser().take_on(Look { size, ..Look::default() }).await?;
            page.ensure_it_fits().await?;
            page.picture(&format!("embed-{}", Look { size, ..Look::default() }.name())).await?;
        }
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_page_opens_without_a_network_after_the_first_visit() -> anyhow::Result<()> {
    let server = PageServer::start()?;
    browse(Look::default(), async |browser| {
        let driver = browser.driver();
        driver.goto(server.url()).await?;
        driver.query(By::Css("h1")).first().await?;
        driver.execute("return navigator.serviceWorker.ready.then(() => true)", vec![]).await?;
        drop(server);
        driver.refresh().await?;
        let heading = driver.query(By::Css("h1")).first().await?;
        assert_eq!(heading.text().await?, "Locklab");
        driver.query(By::Css(".stage svg")).first().await?;
        Ok(())
    })
}

#[test]
fn the_page_is_kept_under_any_path() -> anyhow::Result<()> {
    let server = FolderServer::start("/some/where/")?;
    browse(Look::default(), async |browser| {
        browser.driver().goto(server.url()).await?;
        let scope = "return navigator.serviceWorker.ready.then((ready) => new URL(ready.scope).pathname)";
        let scope: String = browser.driver().execute(scope, vec![]).await?.convert()?;
        assert_eq!(scope, "/some/where/");
        Ok(())
    })
}
