//! What serves the page to a test's browser.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, thread};

use anyhow::Context;

use crate::process::Process;

/// `locklab serve`, as a user starts it, on a free port.
#[derive(Debug)]
pub struct PageServer {
    url: String,
    _process: Process,
}

impl PageServer {
    /// Starts the program that cargo built beside this test.
    pub fn start() -> anyhow::Result<PageServer> {
        let mut command = Command::new(program()?);
        command.args(["serve", "--port", "0"]);
        let url = |line: &str| Some(line[line.find("http://")?..].split_whitespace().next()?.to_owned());
        let (process, url) = Process::start(command, url)
            .context("`locklab serve`: cargo xtask test --only browser builds all it needs")?;
        Ok(PageServer { url, _process: process })
    }

    /// The page's address.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// The program in the folder above the one in which cargo put this test.
fn program() -> anyhow::Result<PathBuf> {
    let test = std::env::current_exe()?;
    let folder = test.ancestors().nth(2).context("the test is not in cargo's folder")?;
    Ok(folder.join(format!("locklab{}", std::env::consts::EXE_SUFFIX)))
}

/// Any plain server of files, with the page in a folder of it: `http://127.0.0.1:PORT/some/folder/`.
///
/// It ends with the test's process; it holds nothing but its socket.
#[derive(Debug)]
pub struct FolderServer {
    url: String,
}

impl FolderServer {
    /// Serves the folder `web/dist` under a path, which starts and ends with `/`.
    pub fn start(path: &'static str) -> anyhow::Result<FolderServer> {
        let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/dist");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let url = format!("http://{}{path}", listener.local_addr()?);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // What a browser gives up on is told to the test by the browser.
                let _ = answer(stream, path, &dist);
            }
        });
        Ok(FolderServer { url })
    }

    /// The page's address.
    pub fn url(&self) -> &str {
        &self.url
    }
}

fn answer(mut stream: TcpStream, path: &str, dist: &Path) -> std::io::Result<()> {
    let head: Vec<String> =
        BufReader::new(&stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
    let target = head.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
    let name = target.split('?').next().and_then(|target| target.strip_prefix(path));
    let name = name.map(|name| if name.is_empty() { "index.html" } else { name });
    let body = name.and_then(|name| fs::read(dist.join(name)).ok());
    let mime = match name.and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("txt") => "text/plain",
        _ => "application/octet-stream",
    };
    let status = if body.is_some() { "200 OK" } else { "404 Not Found" };
    let body = body.unwrap_or_default();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {mime}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(&body)
}
