//! The page, open in a browser.

use std::fs;
use std::ops::Deref;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use thirtyfour::extensions::query::ElementQueryable;
use thirtyfour::{By, WebDriver, WebElement};

use crate::browser::{Browser, browse};
use crate::look::Look;
use crate::server::PageServer;

/// The page, open in a browser, served by `locklab serve`. It lends the browser's driver.
#[derive(Debug)]
pub struct Page<'a> {
    browser: &'a Browser,
    server: &'a PageServer,
}

/// Opens the page in a new browser of this look, and lets a test act on it.
pub fn visit(look: Look, test: impl AsyncFnOnce(&Page) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let server = PageServer::start()?;
    browse(look, async |browser| {
        let page = Page { server: &server, browser };
        page.go("").await?;
        test(&page).await
    })
}

impl Page<'_> {
    /// Loads the page anew with something after its address.
    pub async fn go(&self, rest: &str) -> anyhow::Result<()> {
        self.goto(format!("{}{rest}", self.server.url())).await?;
        wait_until_drawn(self).await
    }

    /// Its browser.
    pub fn browser(&self) -> &Browser {
        self.browser
    }

    /// The first element that a CSS selector finds; waits for it to be there.
    pub async fn element(&self, selector: &str) -> anyhow::Result<WebElement> {
        self.query(By::Css(selector)).first().await.with_context(|| format!("there is no {selector}"))
    }

    /// The text of the first element that a CSS selector finds; waits for it to be there.
    pub async fn text_of(&self, selector: &str) -> anyhow::Result<String> {
        Ok(self.element(selector).await?.text().await?)
    }

    /// Clicks on the first element that a CSS selector finds; waits for it to be there.
    pub async fn click(&self, selector: &str) -> anyhow::Result<()> {
        Ok(self.element(selector).await?.click().await?)
    }

    /// Saves what the reader sees as `target/pictures/NAME.png`, for people to look at.
    pub async fn picture(&self, name: &str) -> anyhow::Result<PathBuf> {
        let program = std::env::current_exe()?;
        let folder = program.ancestors().nth(3).context("the test is not in cargo's folder")?.join("pictures");
        fs::create_dir_all(&folder)?;
        let file = folder.join(format!("{name}.png"));
        fs::write(&file, self.screenshot_as_png().await?)?;
        Ok(file)
    }

    /// An error if the browser has had to complain about anything.
    pub async fn ensure_no_complaints(&self) -> anyhow::Result<()> {
        let complaints = self.browser.complaints().await?;
        ensure!(complaints.is_empty(), "the browser complains:\n{}", complaints.join("\n"));
        Ok(())
    }

    /// An error if the page is wider than its window, so that a reader would have to scroll sideways.
    pub async fn ensure_it_fits(&self) -> anyhow::Result<()> {
        let script = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
        let excess: i64 = self.execute(script, vec![]).await?.convert()?;
        ensure!(excess <= 0, "the page is {excess} pixels wider than its window");
        Ok(())
    }
}

/// A page lends the driver of its browser.
impl Deref for Page<'_> {
    type Target = WebDriver;

    fn deref(&self) -> &WebDriver {
        self.browser.driver()
    }
}

/// The name of the program stands on the page as soon as its first drawing is done.
async fn wait_until_drawn(driver: &WebDriver) -> anyhow::Result<()> {
    driver.query(By::Css("h1")).first().await.context("the page is not drawn")?;
    Ok(())
}
