use locklab_e2e::{By, ElementQueryable, FolderServer, Language, Look, browse, visit};

#[test]
fn the_page_opens_and_the_browser_has_nothing_to_complain_about() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        assert_eq!(page.text_of("h1").await?, "Locklab");
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_page_opens_in_the_language_of_its_reader() -> anyhow::Result<()> {
    visit(Look { language: Language::Chinese, ..Look::default() }, async |page| {
        assert_eq!(page.title().await?, "Locklab：看清分布式锁真正的承诺");
        assert_eq!(page.element("html").await?.attr("lang").await?.as_deref(), Some("zh"));
        Ok(())
    })
}

#[test]
fn a_switch_of_language_is_kept_and_an_address_that_asks_for_one_wins() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click("button.language").await?;
        page.query(By::Css("html[lang=zh]")).first().await?;
        page.go("").await?;
        assert_eq!(page.text_of("button.language").await?, "English");
        page.go("?lang=en").await?;
        assert_eq!(page.text_of("button.language").await?, "中文");
        Ok(())
    })
}

#[test]
fn a_link_leads_where_it_says_though_the_page_writes_its_address_meanwhile() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        let both = "const was = location.hash; document.querySelector(\".views a[href='#lessons']\").click(); \
                    history.replaceState(null, '', was === '' ? '#' : was);";
        page.execute(both, vec![]).await?;
        page.query(By::Css(".course")).first().await?;
        assert_eq!(page.current_url().await?.fragment(), Some("lessons"));
        Ok(())
    })
}

#[test]
fn the_page_fits_every_window() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        for look in Look::all() {
            page.browser().take_on(look).await?;
            page.go(&format!("?lang={}", look.language.tag())).await?;
            page.ensure_it_fits().await?;
            page.picture(&format!("opening-{}", look.name())).await?;
        }
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_page_works_under_any_path_of_any_server() -> anyhow::Result<()> {
    let server = FolderServer::start("/tools/locklab/")?;
    browse(Look::default(), async |browser| {
        browser.driver().goto(server.url()).await?;
        let heading = browser.driver().query(By::Css("h1")).first().await?;
        assert_eq!(heading.text().await?, "Locklab");
        assert_eq!(browser.complaints().await?, Vec::<String>::new());
        Ok(())
    })
}
