//! `locklab serve`: the page, from the program itself, to this machine alone.
//!
//! The page's files are embedded when the program is built, so one file is all there is to copy. The server listens on the
//! loopback interface and answers only requests that name it as such: a page from elsewhere cannot reach it under a name of
//! its own. It serves reads of known files and nothing else.

mod page;
mod request;
mod response;

use std::io::{self, BufWriter, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use page::FILES;
use request::Request;
use response::Response;

/// The port that is taken unless another is asked for.
pub const DEFAULT_PORT: u16 = 8087;

/// How long one client may take to say what it wants, or to take the answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many clients are served at a time; more are turned away.
const CLIENTS: usize = 64;

/// Why the page cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The program was built before the page.
    #[error("this program was built without the page")]
    NoPage,
    /// The port cannot be listened on.
    #[error("cannot listen on port {port}: {source}")]
    Port {
        /// The port.
        port: u16,
        /// What the system said.
        source: io::Error,
    },
}

/// A server that listens and has not answered yet.
pub struct PageServer {
    listener: TcpListener,
    address: SocketAddr,
}

impl PageServer {
    /// Listens on a port of the loopback interface; 0 takes any free one.
    pub fn bind(port: u16) -> Result<PageServer, ServeError> {
        if FILES.is_empty() {
            return Err(ServeError::NoPage);
        }
        let fail = |source| ServeError::Port { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(fail)?;
        let address = listener.local_addr().map_err(fail)?;
        Ok(PageServer { listener, address })
    }

    /// The page's address for a browser.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves until the process ends.
    pub fn serve(self) -> ! {
        let clients = Arc::new(AtomicUsize::new(0));
        loop {
            let Ok((stream, _)) = self.listener.accept() else {
                // Out of descriptors, say: clients that leave give them back.
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            if clients.fetch_add(1, Ordering::SeqCst) >= CLIENTS {
                clients.fetch_sub(1, Ordering::SeqCst);
                continue;
            }
            let (clients, port) = (Arc::clone(&clients), self.address.port());
            thread::spawn(move || {
                // A client that went away before it had its answer concerns nobody.
                let _ = converse(stream, port);
                clients.fetch_sub(1, Ordering::SeqCst);
            });
        }
    }
}

/// Reads one request and answers it. Each has a connection of its own: on the loopback interface that costs nothing.
fn converse(mut stream: TcpStream, port: u16) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let response = match Request::read(&mut stream, PATIENCE)? {
        Ok(request) => Response::to(&request, port, FILES),
        Err(reason) => Response::refusal(reason),
    };
    let mut writer = BufWriter::new(&stream);
    response.write(&mut writer)?;
    writer.flush()
}
