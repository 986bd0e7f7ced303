//! A reader searches for the simplest way to break a lock.

use std::time::Duration;

use locklab_e2e::{By, ElementQueryable, Look, Size, visit};

/// Dozens of searches, or 20,000 runs, take their time on a small machine.
const WAIT: Duration = Duration::from_secs(60);
const TICK: Duration = Duration::from_millis(200);

#[test]
fn a_search_breaks_a_lock_and_its_attack_opens_as_a_timeline() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click(".views a[href='#search']").await?;
        page.query(By::Css("select[data-fault=pause] option[value='1'][selected], select[data-fault=pause]"))
            .first()
            .await?;
        page.click("select.in-question option[value=no-stale-write]").await?;
        page.click("button.start").await?;
        page.query(By::Css(".verdict.is-broken .tags.is-broken [data-property=no-stale-write]")).first().await?;
        assert!(page.text_of(".cause").await?.contains("The resource cannot tell an old grant from a new one"));
        page.picture("search-broken").await?;
        page.click("a.open-attack").await?;
        page.query(By::Css(".stage svg")).first().await?;
        page.query(By::Css(".tags.is-broken [data-property=no-stale-write]")).first().await?;
        assert!(page.find_all(By::Css(".notice")).await?.is_empty(), "it is the very run that was found");
        page.back().await?;
        page.query(By::Css("a.open-attack")).first().await?;
        page.ensure_no_complaints().await
    })
}

#[test]
fn a_search_can_be_cancelled_and_another_one_holds_within_its_bounds() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click("button[data-lock=fenced]").await?;
        page.click(".views a[href='#search']").await?;
        for class in ["pause", "crash", "clock-step", "delay"] {
            page.click(&format!("select[data-fault={class}] option[value='3']")).await?;
        }
        page.click("button.start").await?;
        page.query(By::Css(".effort progress")).first().await?;
        page.picture("search-going").await?;
        page.click("button.stop").await?;
        assert!(page.find_all(By::Css(".effort")).await?.is_empty());
        for class in ["pause", "crash", "clock-step", "delay"] {
            page.click(&format!("select[data-fault={class}] option[value='0']")).await?;
        }
        page.click("select.in-question option[value=no-stale-write]").await?;
        page.click("button.start").await?;
        page.query(By::Css(".tags.is-held [data-property=no-stale-write]")).first().await?;
        assert!(page.text_of(".outcome").await?.contains("Holds within the bounds"));
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_edge_and_the_odds_are_found_in_the_worker_and_can_be_cancelled() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click(".views a[href='#search']").await?;
        page.click("select.in-question option[value=no-overrun]").await?;
        page.click("select.against option[value=ttl]").await?;
        page.click(".edge .ask").await?;
        page.query(By::Css(".edge progress")).first().await?;
        page.click(".edge .stop-survey").await?;
        assert!(page.find_all(By::Css(".edge progress")).await?.is_empty());
        page.click("select.against option[value='']").await?;
        page.click(".edge .ask").await?;
        page.query(By::Css(".edges svg")).wait(WAIT, TICK).first().await?;
        assert!(page.text_of(".edge-words").await?.contains("broken from 7.002s"), "the lease and the work decide");
        page.click(".odds .ask").await?;
        let example = page.query(By::Css("[data-chance=no-overrun] a")).wait(WAIT, TICK).first().await?;
        assert!(
            page.text_of(".edge-words").await?.contains("broken from 7.002s"),
            "one answer does not drive the other away"
        );
        example.click().await?;
        page.query(By::Css(".tags.is-broken [data-property=no-overrun]")).first().await?;
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_search_fits_the_narrowest_phone() -> anyhow::Result<()> {
    visit(Look { size: Size::Phone, ..Look::default() }, async |page| {
        page.browser().narrow(360).await?;
        page.go("?lang=zh#search").await?;
        page.query(By::Css(".allowance")).first().await?;
        page.ensure_it_fits().await?;
        page.picture("search-phone").await?;
        Ok(())
    })
}
