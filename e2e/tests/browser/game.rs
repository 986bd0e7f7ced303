//! A reader breaks a lock.

use std::time::Duration;

use anyhow::bail;
use locklab_e2e::{By, ElementQueryable, Look, Page, Size, visit};

/// Walks on, one step at a time, until the step under the cursor says this.
async fn walk_to(page: &Page<'_>, says: &str) -> anyhow::Result<()> {
    for _ in 0..100 {
        if page.text_of(".told").await?.contains(says) {
            return Ok(());
        }
        page.click(".control.next").await?;
    }
    bail!("no step says {says}")
}

#[test]
fn a_fault_at_the_right_moment_breaks_the_lock() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click(".views a[href='#game']").await?;
        page.click(".course a[href='#game/setnx']").await?;
        assert!(page.text_of(".outcome").await?.contains("It still holds"));
        walk_to(page, "SETNX").await?;
        page.click(".strikes .strike").await?;
        page.query(By::Css(".verdict.is-broken")).first().await?;
        assert!(page.text_of(".outcome").await?.contains("You broke it"));
        page.query(By::Css(".stage .bars .dead")).first().await?;

        page.click(".strikes .placed button").await?;
        assert!(page.text_of(".outcome").await?.contains("It still holds"));
        page.goto("about:blank").await?;
        page.go("#game").await?;
        page.query(By::Css(".course a[href='#game/setnx'] .solved")).first().await?;
        page.ensure_no_complaints().await
    })
}

#[test]
fn hints_come_from_a_search_that_the_page_does_itself() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.go("#game/setnx").await?;
        let hint = page.query(By::Css("button.hint:enabled"));
        hint.wait(Duration::from_secs(60), Duration::from_millis(100)).first().await?.click().await?;
        page.query(By::Css(".hints li")).first().await?;
        assert!(page.text_of(".par").await?.contains("par: 1"));
        page.ensure_no_complaints().await
    })
}

#[test]
fn a_level_fits_in_every_look() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        for look in Look::all() {
            page.browser().take_on(look).await?;
            if look.size == Size::Phone {
                page.browser().narrow(360).await?;
            }
            page.go(&format!("?lang={}#game", look.language.tag())).await?;
            page.query(By::Css(".course a")).first().await?;
            page.ensure_it_fits().await?;
            page.picture(&format!("game-{}", look.name())).await?;
            page.goto("about:blank").await?;
            page.go(&format!("?lang={}#game/token", look.language.tag())).await?;
            page.click(".control.next").await?;
            page.click(".control.next").await?;
            page.click(".strikes .strike").await?;
            page.query(By::Css(".strikes .placed li")).first().await?;
            page.ensure_it_fits().await?;
            page.picture(&format!("level-{}", look.name())).await?;
            page.execute("document.querySelector('.strikes').scrollIntoView()", vec![]).await?;
            page.picture(&format!("level-strikes-{}", look.name())).await?;
        }
        page.ensure_no_complaints().await
    })
}
