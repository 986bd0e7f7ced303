//! A reader compares, changes and takes away.

use locklab_core::scenario::Scenario;
use locklab_core::scenario::library;
use locklab_core::scenario::set;
use locklab_core::{choices::Choices, locks, sim};
use locklab_e2e::{By, ElementQueryable, Look, Page, Scheme, Size, visit};

const HOME: &str = "\u{e011}";
const RIGHT: &str = "\u{e014}";

async fn count(page: &Page<'_>, selector: &str) -> anyhow::Result<usize> {
    Ok(page.find_all(By::Css(selector)).await?.len())
}

/// Where the cursors of all drawings stand.
async fn cursors(page: &Page<'_>) -> anyhow::Result<Vec<Option<String>>> {
    let mut places = Vec::new();
    for line in page.find_all(By::Css(".stage .cursor.shown")).await? {
        places.push(line.attr("x1").await?);
    }
    Ok(places)
}

#[test]
fn locks_are_compared_on_one_time_axis_and_one_cursor_walks_through_all() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click("select.compare option[value=fenced]").await?;
        page.query(By::Css("[data-compared=fenced]")).first().await?;
        page.click("select.compare option[value=watchdog]").await?;
        page.query(By::Css("[data-compared=watchdog]")).first().await?;
        assert_eq!(count(page, ".stage svg").await?, 3);
        let before = cursors(page).await?;
        assert!(before.len() == 3 && before.iter().all(|place| *place == before[0]), "{before:?}");
        page.element("input.instant").await?.send_keys(RIGHT).await?;
        let after = cursors(page).await?;
        assert!(after[0] != before[0] && after.iter().all(|place| *place == after[0]), "{after:?}");
        for look in [Look::default(), Look { scheme: Scheme::Dark, size: Size::Phone, ..Look::default() }] {
            page.browser().take_on(look).await?;
            page.ensure_it_fits().await?;
            page.execute("document.querySelector('.stage-card').scrollIntoView()", vec![]).await?;
            page.picture(&format!("compare-{}", look.name())).await?;
        }
        page.browser().take_on(Look::default()).await?;
        page.click("[data-compared=fenced] .remove").await?;
        page.click("[data-compared=watchdog] .remove").await?;
        assert_eq!(count(page, "[data-compared]").await?, 0);
        page.ensure_no_complaints().await
    })
}

#[test]
fn what_differs_is_marked_on_the_drawings_told_and_led_to() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click("select.compare option[value=fenced]").await?;
        let apart = page.text_of("[data-compared=fenced] .apart").await?;
        assert!(apart.contains("kept, unlike with token-lua: no stale write"), "{apart}");
        assert!(count(page, ".stage g.differs[aria-hidden] circle").await? >= 2, "both drawings have their marks");
        assert_eq!(count(page, ".stage .legend .differs").await?, 1, "one legend explains all drawings");
        page.click("[data-compared=fenced] .part").await?;
        assert_eq!(page.text_of("output.at").await?, "17s");
        page.click("[data-compared=fenced] .remove").await?;
        assert_eq!(count(page, ".stage .differs circle").await?, 0);
        page.ensure_no_complaints().await
    })
}

#[test]
fn an_exact_figure_is_typed_and_a_slip_is_told() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        let write = async |text: &str| -> anyhow::Result<()> {
            let field = page.element("input[data-exact='fault.1.for']").await?;
            field.send_keys("\u{e009}a").await?;
            Ok(page
                .find(By::Css("input[data-exact='fault.1.for']"))
                .await?
                .send_keys(format!("{text}\u{e007}"))
                .await?)
        };
        write("7.5s").await?;
        page.query(By::Css("button.restore")).first().await?;
        assert!(
            page.element("input[data-key='fault.1.for']")
                .await?
                .attr("aria-valuetext")
                .await?
                .is_some_and(|says| says == "7.5 s")
        );
        write("soon").await?;
        assert!(page.text_of(".notice[role=alert]").await?.contains("soon"));
        page.ensure_no_complaints().await
    })
}

#[test]
fn a_turned_slider_plays_the_run_anew_and_can_be_taken_back() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.element("input[data-key='fault.1.for']").await?.send_keys(HOME).await?;
        page.query(By::Css("button.restore")).first().await?;
        assert!(page.text_of(".outcome").await?.contains("Held"));
        // The very same run as with `--set` on the command line.
        let text = library::find("expiry/gc-pause").expect("it is built in").text;
        let text = set(text, "fault.1.for=1ms").expect("it is a fault's length");
        let scenario = Scenario::parse("expiry/gc-pause", &text).expect("it is right");
        let run = sim::run(&scenario, locks::find("token-lua").expect("it is known"), Choices::scripted());
        assert_eq!(page.text_of("code.digest").await?, run.expect("it can be told").history.digest().to_string());
        page.refresh().await?;
        assert!(page.text_of(".outcome").await?.contains("Held"), "the change is in the address");
        page.click("button.restore").await?;
        assert!(page.text_of(".outcome").await?.contains("Broken"));
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_text_is_edited_in_place_and_a_slip_is_shown_at_its_line() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click(".editor summary").await?;
        let field = page.element("textarea.toml").await?;
        field.send_keys("\nnonsense = 1").await?;
        let wrong = page.query(By::Css(".numbers .is-broken")).first().await?;
        let last = page.find_all(By::Css(".numbers li")).await?.len();
        assert_eq!(wrong.text().await?.trim(), last.to_string());
        assert!(page.text_of(".wrong").await?.contains("nonsense"));
        assert!(page.text_of(".outcome").await?.contains("Broken"), "the run before is still there");
        page.execute("document.querySelector('.editor').scrollIntoView()", vec![]).await?;
        page.picture("editor").await?;
        field.send_keys("\u{e003}".repeat("\nnonsense = 1".len())).await?;
        page.ensure_no_complaints().await?;
        assert_eq!(count(page, ".numbers .is-broken").await?, 0);
        assert_eq!(count(page, ".changed").await?, 0, "the text is the built-in one again");
        Ok(())
    })
}

#[test]
fn a_change_after_an_undo_is_a_branch_and_the_other_one_stays_within_reach() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.element("input[data-key='A.work']").await?.send_keys(HOME).await?;
        let first = page.text_of("code.digest").await?;
        page.click("button.undo").await?;
        page.element("input[data-key='B.work']").await?.send_keys(HOME).await?;
        let second = page.text_of("code.digest").await?;
        assert_ne!(first, second);
        page.click("button.branch").await?;
        page.query(By::Css("code.digest")).with_text(first).first().await?;
        page.click("button.branch").await?;
        page.query(By::Css("code.digest")).with_text(second).first().await?;
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_editor_offers_the_names_that_are_allowed_there() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click(".editor summary").await?;
        let field = page.element("textarea.toml").await?;
        field.send_keys("\u{e009}\u{e010}").await?;
        field.send_keys("\n[[fault]]\npau").await?;
        assert_eq!(page.text_of(".offer li").await?, "pause");
        field.send_keys("\u{e007}").await?;
        field.send_keys("\"A\"").await?;
        let text: String =
            page.execute("return document.querySelector('textarea.toml').value", vec![]).await?.convert()?;
        assert!(text.ends_with("[[fault]]\npause = \"A\""), "{text}");
        assert!(page.find_all(By::Css(".offer")).await?.is_empty());
        page.ensure_no_complaints().await
    })
}

#[test]
fn a_run_can_be_taken_away_in_four_forms_and_as_a_link() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        let watch = "window.saved = []; const old = URL.createObjectURL;
            URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push(text)); return old(blob); };";
        page.execute(watch, vec![]).await?;
        for (form, opening) in
            [("svg", "<svg"), ("html", "<!doctype html>"), ("jsonl", "{\"version\""), ("toml", "title")]
        {
            page.click(&format!("button[data-form={form}]")).await?;
            let newest = "return new Promise((done) => setTimeout(() => done(saved.at(-1)), 200))";
            let text: String = page.execute(newest, vec![]).await?.convert()?;
            assert!(text.starts_with(opening), "{form}: {:.40}", text);
        }
        page.click("button.copy").await?;
        assert_eq!(page.text_of("button.copy").await?, "Copied");
        let watch = "window.copied = []; navigator.clipboard.writeText = (text) => Promise.resolve(copied.push(text));";
        page.execute(watch, vec![]).await?;
        page.click("button.copy-embed").await?;
        let code: String = page.execute("return copied.at(-1)", vec![]).await?.convert()?;
        assert!(
            code.starts_with("<iframe src=\"http") && code.contains("title=\"A pause outlives the lease\""),
            "{code}"
        );
        let link = code.split('"').nth(1).expect("the address of the frame").replace("&amp;", "&");
        page.goto(link).await?;
        page.query(By::Css("main.embed .stage svg")).first().await?;
        page.ensure_no_complaints().await
    })
}
