//! A class takes a lesson: it guesses, looks, and changes one thing.

use locklab_e2e::{By, ElementQueryable, Look, Page, Scheme, Size, visit};

const PAGE_UP: &str = "\u{e00e}";

async fn count(page: &Page<'_>, selector: &str) -> anyhow::Result<usize> {
    Ok(page.find_all(By::Css(selector)).await?.len())
}

#[test]
fn a_class_guesses_sees_the_run_and_changes_one_thing() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.click(".views a[href='#lessons']").await?;
        page.click(".course a[href='#lessons/01-setnx']").await?;
        let reveal = page.query(By::Css("button.reveal")).first().await?;
        assert!(!reveal.is_enabled().await?, "first they guess");
        assert_eq!(count(page, ".stage svg, .answer .mark").await?, 0, "nothing tells the answer");
        page.click(".answer input").await?;
        page.click("button.reveal").await?;
        page.query(By::Css(".stage svg")).first().await?;
        assert_eq!((count(page, ".answer.is-right").await?, count(page, ".answer.is-wrong").await?), (1, 2));
        page.query(By::Css(".answer.is-wrong.is-picked")).first().await?;
        assert!(page.text_of(".compared .said").await?.contains("Broken"));

        page.click(".stages button:last-child").await?;
        page.query(By::Css(".take-home")).first().await?;
        assert!(page.text_of(".compared .said").await?.contains("Held"));
        page.element("body").await?.send_keys(PAGE_UP).await?;
        assert!(page.text_of(".compared .said").await?.contains("Broken"), "a remote goes back");
        assert_eq!(count(page, ".take-home").await?, 0);
        page.ensure_no_complaints().await
    })
}

#[test]
fn the_teachers_notes_have_an_address_of_their_own() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        page.go("#lessons/01-setnx").await?;
        let link = page.query(By::Css(".notes-link")).first().await?;
        assert_eq!(link.attr("href").await?.as_deref(), Some("#lessons/01-setnx/notes"));
        page.goto("about:blank").await?;
        page.go("#lessons/01-setnx/notes").await?;
        assert!(page.text_of(".answer-key .is-right").await?.contains("Never."));
        page.click("button.language").await?;
        page.query(By::Css("html[lang=zh]")).first().await?;
        page.query(By::XPath("//li[@class='is-right'][contains(., '永远进不去')]")).first().await?;
        let address = page.current_url().await?.fragment().unwrap_or_default().to_owned();
        assert_eq!(address, "lessons/01-setnx/notes");
        page.ensure_no_complaints().await
    })
}

#[test]
fn a_lesson_fits_in_every_look() -> anyhow::Result<()> {
    visit(Look::default(), async |page| {
        for look in Look::all() {
            page.browser().take_on(look).await?;
            if look.size == Size::Phone {
                page.browser().narrow(360).await?;
            }
            page.go(&format!("?lang={}#lessons", look.language.tag())).await?;
            page.query(By::Css(".course li:last-child .quiet:not(:empty)")).first().await?;
            page.ensure_it_fits().await?;
            page.picture(&format!("lessons-{}", look.name())).await?;
            page.goto("about:blank").await?;
            page.go(&format!("?lang={}#lessons/01-setnx", look.language.tag())).await?;
            page.click(".answer input").await?;
            page.picture(&format!("lesson-{}", look.name())).await?;
            page.click("button.reveal").await?;
            page.query(By::Css(".stage svg")).first().await?;
            page.ensure_it_fits().await?;
            page.execute("document.querySelector('.guess').scrollIntoView()", vec![]).await?;
            page.picture(&format!("lesson-revealed-{}", look.name())).await?;
            if look.scheme == Scheme::Light {
                page.click("button.enlarge").await?;
                page.ensure_it_fits().await?;
                page.picture(&format!("lesson-large-{}", look.name())).await?;
            }
        }
        page.ensure_no_complaints().await
    })
}

#[test]
fn on_a_projector_the_drawing_is_large_and_a_click_still_finds_its_place() -> anyhow::Result<()> {
    visit(Look { size: Size::Projector, ..Look::default() }, async |page| {
        page.go("#lessons/05-a-lease-is-not-a-mutex").await?;
        page.click(".answer input").await?;
        page.click("button.reveal").await?;
        let stage = page.query(By::Css(".stage")).first().await?;
        let height = "return document.querySelector('.stage .axis text').getBoundingClientRect().height";
        let small: f64 = page.execute(height, vec![]).await?.convert()?;
        page.click("button.enlarge").await?;
        let large: f64 = page.execute(height, vec![]).await?.convert()?;
        assert!(large > small * 1.5 && large >= 18.0, "{small} px, then {large} px");
        page.ensure_it_fits().await?;
        stage.scroll_into_view().await?;
        page.action_chain().move_to_element_center(&stage).click().perform().await?;
        let off = "const [stage, line] = ['.stage', '.stage .cursor'].map(
                (selector) => document.querySelector(selector).getBoundingClientRect());
            return Math.abs(stage.left + stage.width / 2 - line.left)";
        let off: f64 = page.execute(off, vec![]).await?.convert()?;
        assert!(off <= 4.0, "the cursor is {off} px from where the pointer is");
        page.picture("lesson-projector").await?;
        page.ensure_no_complaints().await
    })
}
