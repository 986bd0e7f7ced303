//! A reader opens a history, by a file chooser or by dropping it.

use std::fs;
use std::path::Path;

use locklab_core::choices::Choices;
use locklab_core::scenario::{Scenario, library};
use locklab_core::{locks, sim};
use locklab_e2e::{By, ElementQueryable, Look, Page, visit};
use serde_json::json;

/// The history of a built-in scenario as JSON lines, as if servers had played it; and its digest.
fn recorded(scenario: &str, lock: &str) -> (String, String) {
    let text = library::find(scenario).expect("it is built in").text;
    let parsed = Scenario::parse(scenario, text).expect("it is right");
    let kind = locks::find(lock).expect("it is known");
    let mut history = sim::run(&parsed, kind, Choices::scripted()).expect("it can be told").history;
    history.header.played_on = "redis 7.0.15, wall clock".into();
    (history.to_lines(), history.digest().to_string())
}

async fn choose(page: &Page<'_>, file: &Path) -> anyhow::Result<()> {
    Ok(page.element(".open-file input").await?.send_keys(file.display().to_string()).await?)
}

/// Drops a file from the desktop onto the middle of the page.
async fn drop_file(page: &Page<'_>, file: &Path) -> anyhow::Result<()> {
    let data = json!({ "items": [], "files": [file.display().to_string()], "dragOperationsMask": 1 });
    for kind in ["dragEnter", "dragOver", "drop"] {
        let event = json!({ "type": kind, "x": 400, "y": 300, "data": data });
        page.cdp().send_raw("Input.dispatchDragEvent", event).await?;
    }
    Ok(())
}

#[test]
fn a_recorded_history_is_judged_and_drawn_and_a_broken_one_is_told_by_its_line() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let (lines, digest) = recorded("failover/before-replication", "token-lua");
    let good = folder.path().join("live.jsonl");
    fs::write(&good, &lines)?;
    let broken = folder.path().join("broken.jsonl");
    let mut half: Vec<&str> = lines.lines().take(9).collect();
    half[6] = "{\"at\":1,\"what\":{\"is\":\"client\",\"client\":9999}}";
    fs::write(&broken, half.join("\n"))?;
    visit(Look::default(), async |page| {
        let before = page.text_of("code.digest").await?;
        choose(page, &good).await?;
        page.query(By::Css("code.digest")).with_text(digest.clone()).first().await?;
        assert!(page.text_of(".played-on").await?.contains("redis 7.0.15"));
        assert!(page.text_of(".outcome").await?.contains("Broken"));
        assert!(page.find_all(By::Css(".editor, .tune, .lock, .faults")).await?.is_empty(), "nothing can be changed");
        page.click(".control.next").await?;
        page.query(By::Css(".stage .cursor.shown")).first().await?;
        drop_file(page, &broken).await?;
        let notice = page.text_of(".notice").await?;
        assert!(notice.contains("broken.jsonl") && notice.contains("line 7"), "{notice}");
        page.click("button.language").await?;
        assert!(page.text_of(".notice").await?.contains("第 7 行"));
        page.query(By::Css("code.digest")).with_text(digest.clone()).first().await?;
        page.click("button.undo-file").await?;
        page.query(By::Css("code.digest")).with_text(before).first().await?;
        drop_file(page, &good).await?;
        page.query(By::Css("code.digest")).with_text(digest).first().await?;
        page.ensure_no_complaints().await
    })
}
