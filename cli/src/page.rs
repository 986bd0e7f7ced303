//! `locklab serve` and `--open`: the page in this machine's browser.

use std::process::{Command, Stdio};

use locklab_core::address::Address;
use locklab_core::i18n::{Language, Text};
use locklab_core::say;

use crate::failure::{Ending, Failure};
use crate::note::note;
use crate::output::Output;
use crate::serve::{PageServer, ServeError};

/// Programs that open an address in the reader's browser, on the systems that have them.
const OPENERS: [&[&str]; 3] = [&["xdg-open"], &["open"], &["cmd", "/C", "start", ""]];

/// Serves the page until the process is stopped. Its address is the first line of the output, for people and programs.
pub fn serve(port: u16) -> Result<Ending, Failure> {
    let server = PageServer::bind(port)?;
    Output::standard().write(&format!("{}\n", server.url()))?;
    server.serve()
}

/// Says in time that there is no page to open.
pub fn check() -> Result<(), Failure> {
    PageServer::bind(0)?;
    Ok(())
}

/// Opens a run in the page and serves it until the process is stopped.
pub fn open(run: Option<&Address>, language: Language) -> Result<Ending, Failure> {
    let server = PageServer::bind(0)?;
    let fragment = run.map(|address| format!("#{address}")).unwrap_or_default();
    let url = format!("{}{fragment}", server.url());
    note(&say!("the page is at {url}; stop with Ctrl-C", "页面地址：{url}；按 Ctrl-C 停止", url = url), language);
    // Where there is no browser the address has been told all the same.
    let _ = OPENERS.iter().any(|opener| launch(opener, &url));
    server.serve()
}

/// Starts a program with the page's address, and answers whether it could be started.
fn launch(opener: &[&str], url: &str) -> bool {
    let [program, arguments @ ..] = opener else { return false };
    let mut command = Command::new(program);
    command.args(arguments).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Failure {
        let message = match &error {
            ServeError::NoPage => {
                say!("this program was built without the page", "编译这个程序时还没有构建页面")
            }
            ServeError::Port { port, source } => say!(
                "cannot listen on port {port}: {reason}",
                "无法监听端口 {port}：{reason}",
                port = port.to_string(),
                reason = source.to_string()
            ),
        };
        let hint = match &error {
            ServeError::NoPage => Text::same("cargo xtask web && cargo run --release -- serve"),
            ServeError::Port { .. } => say!(
                "choose another port with --port; 0 takes any that is free",
                "请用 --port 换一个端口；0 表示任选一个空闲端口"
            ),
        };
        Failure::Server { message, hint: Some(hint) }
    }
}
