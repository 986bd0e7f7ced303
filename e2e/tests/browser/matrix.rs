//! A reader looks at the comparison of all mechanisms.

use locklab_e2e::{By, ElementQueryable, Look, Size, visit};

const RIGHT: &str = "\u{e014}";

#[test]
fn the_matrix_fills_by_itself_and_a_cell_opens_its_witness() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click(".views a[href='#matrix']").await?;
        page.element("input.filter").await?.send_keys("token-lua").await?;
        let cell = page.query(By::Css("[data-cell='token-lua-crash-holding']")).first().await?;
        page.query(By::Css("[data-cell='token-lua-pause']")).first().await?;
        // The arrow keys walk: crash-holding, crash-between, long-work, pause.
        cell.send_keys(RIGHT).await?;
        page.active_element().await?.send_keys(RIGHT).await?;
        page.active_element().await?.send_keys(RIGHT).await?;
        let reached = page.active_element().await?;
        assert_eq!(reached.attr("data-cell").await?.as_deref(), Some("token-lua-pause"));
        assert!(reached.prop("textContent").await?.is_some_and(|label| label.contains("client pauses: broken in")));
        reached.click().await?;
        assert!(page.text_of(".detail .found").await?.contains("broken in"));
        page.picture("matrix").await?;
        page.click(".detail .open-witness").await?;
        page.query(By::Css(".verdict.is-broken")).first().await?;
        assert!(page.find_all(By::Css(".notice")).await?.is_empty(), "it is the very run of the cell");
        page.back().await?;
        page.query(By::Css("[data-cell='token-lua-pause']")).first().await?;
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_matrix_scrolls_inside_its_card_on_the_narrowest_phone() -> anyhow::Result<()> {
    visit(Look { size: Size::Phone, ..Look::default() }, async |page| {
        page.browser().narrow(360).await?;
        for language in ["en", "zh"] {
            page.go(&format!("?lang={language}#matrix")).await?;
            page.query(By::Css(".sheet td button")).first().await?;
            page.ensure_it_fits().await?;
            page.picture(&format!("matrix-phone-{language}")).await?;
        }
        Ok(())
    })
}
