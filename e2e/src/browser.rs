//! A headless Chromium of one test.

use std::process::{Command, Stdio};

use anyhow::Context;
use serde_json::json;
use tempfile::TempDir;
use thirtyfour::{ChromiumLikeCapabilities, DesiredCapabilities, LoggingPrefsLogLevel, WebDriver};

use crate::look::{Look, locale};
use crate::process::Process;

/// What a browser needs to run without a screen, as root, and without asking anything of the network for itself.
const FLAGS: [&str; 11] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-search-engine-choice-screen",
    "--hide-scrollbars",
];

/// A browser with an empty profile of its own, driven through a driver of its own.
///
/// The order of the fields is the order in which they go: the session closes the browser while its driver still runs, and
/// the profile is removed when nobody writes to it any more.
#[derive(Debug)]
pub struct Browser {
    driver: WebDriver,
    _driver_process: Process,
    _profile: TempDir,
}

/// Starts a browser of this look, lets a test act in it, and ends it.
///
/// A test that panics ends its browser too, while it unwinds. The request that does so may wait for a connection that belongs
/// to the runtime: hence a worker beside the thread that runs the test.
pub fn browse(look: Look, test: impl AsyncFnOnce(&Browser) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let browser = Browser::start(look).await?;
        let outcome = test(&browser).await;
        browser.driver.clone().quit().await?;
        outcome
    })
}

impl Browser {
    async fn start(look: Look) -> anyhow::Result<Browser> {
        let profile = tempfile::Builder::new().prefix("locklab-browser-").tempdir()?;
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").stderr(Stdio::null());
        let port =
            |line: &str| line.split_once("started successfully on port ")?.1.trim_end_matches('.').parse::<u16>().ok();
        let (process, port) = Process::start(command, port).context("chromium's driver")?;
        let driver = WebDriver::new(format!("http://127.0.0.1:{port}"), capabilities(look, &profile)?).await?;
        let browser = Browser { driver, _driver_process: process, _profile: profile };
        browser.take_on(look).await?;
        Ok(browser)
    }

    /// Its driver: everything that a reader does and sees.
    pub fn driver(&self) -> &WebDriver {
        &self.driver
    }

    /// Changes size, colours and language. The page hears of the first two at once, of the language when it loads.
    pub async fn take_on(&self, look: Look) -> anyhow::Result<()> {
        let cdp = self.driver.cdp();
        let (width, height) = look.size.pixels();
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        cdp.send_raw("Emulation.setDeviceMetricsOverride", metrics).await?;
        let scheme = json!({ "features": [{ "name": "prefers-color-scheme", "value": look.scheme.name() }] });
        cdp.send_raw("Emulation.setEmulatedMedia", scheme).await?;
        let agent = self.driver.execute("return navigator.userAgent", vec![]).await?;
        let language = json!({ "userAgent": agent.json(), "acceptLanguage": locale(look.language) });
        cdp.send_raw("Emulation.setUserAgentOverride", language).await?;
        Ok(())
    }

    /// Makes the window so many pixels wide, and as high as a phone.
    pub async fn narrow(&self, width: u32) -> anyhow::Result<()> {
        let metrics = json!({ "width": width, "height": 740, "deviceScaleFactor": 1, "mobile": false });
        self.driver.cdp().send_raw("Emulation.setDeviceMetricsOverride", metrics).await?;
        Ok(())
    }

    /// What the browser has had to complain about since the last call: errors of scripts, refused loads, warnings.
    pub async fn complaints(&self) -> anyhow::Result<Vec<String>> {
        let entries = self.driver.browser_log().await?;
        let complaints = entries.into_iter().filter(|entry| ["SEVERE", "WARNING"].contains(&entry.level.as_str()));
        Ok(complaints.map(|entry| format!("{}: {}", entry.level, entry.message)).collect())
    }
}

fn capabilities(look: Look, profile: &TempDir) -> anyhow::Result<impl Into<thirtyfour::Capabilities> + use<>> {
    let mut capabilities = DesiredCapabilities::chrome();
    for flag in FLAGS {
        capabilities.add_arg(flag)?;
    }
    capabilities.add_arg(&format!("--user-data-dir={}", profile.path().display()))?;
    capabilities.add_arg(&format!("--lang={}", locale(look.language)))?;
    capabilities.set_browser_log_level(LoggingPrefsLogLevel::All)?;
    Ok(capabilities)
}
