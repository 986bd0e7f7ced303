//! What a browser gets.

use std::io::{self, Write};

use super::request::{Request, Unreadable};

/// What the page may do in the browser: load its own files and compile its own WebAssembly, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// The files that are served: path in the folder of the page, and bytes.
pub type Files = &'static [(&'static str, &'static [u8])];

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    status: &'static str,
    mime: &'static str,
    body: &'static [u8],
    /// Whether the body is told of and not sent: the answer to HEAD.
    head_only: bool,
}

impl Response {
    /// The answer to a request, from a server on this port with these files.
    pub fn to(request: &Request, port: u16, files: Files) -> Response {
        if !is_loopback(&request.host, port) {
            return Response::text("421 Misdirected Request", b"this page is served to 127.0.0.1 and localhost only\n");
        }
        let head_only = match request.method.as_str() {
            "GET" => false,
            "HEAD" => true,
            _ => return Response::text("405 Method Not Allowed", b"only GET and HEAD\n"),
        };
        let name = match request.path.trim_start_matches('/') {
            "" => "index.html",
            name => name,
        };
        match files.iter().find(|(file, _)| *file == name) {
            Some((_, body)) => Response { status: "200 OK", mime: mime_of(name), body, head_only },
            None => Response { head_only, ..Response::text("404 Not Found", b"no such file\n") },
        }
    }

    /// The answer to what is no request.
    pub fn refusal(reason: Unreadable) -> Response {
        match reason {
            Unreadable::Malformed => Response::text("400 Bad Request", b"this is not HTTP\n"),
            Unreadable::TooLong => Response::text("431 Request Header Fields Too Large", b"the request is too long\n"),
            Unreadable::TooSlow => Response::text("408 Request Timeout", b"the request took too long\n"),
        }
    }

    /// Sends it.
    pub fn write(&self, writer: &mut impl Write) -> io::Result<()> {
        write!(writer, "HTTP/1.1 {}\r\n", self.status)?;
        write!(writer, "Content-Type: {}\r\nContent-Length: {}\r\n", self.mime, self.body.len())?;
        write!(writer, "Content-Security-Policy: {POLICY}\r\n")?;
        // The next build of the program may serve another page under the same address.
        writer.write_all(b"Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n")?;
        writer.write_all(b"Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n")?;
        writer.write_all(b"Allow: GET, HEAD\r\nConnection: close\r\n\r\n")?;
        if self.head_only { Ok(()) } else { writer.write_all(self.body) }
    }

    fn text(status: &'static str, body: &'static [u8]) -> Response {
        Response { status, mime: "text/plain; charset=utf-8", body, head_only: false }
    }
}

/// Whether a client reached the server by a name of the loopback interface. A page from elsewhere may point a name of its own
/// at 127.0.0.1, but its requests carry that name.
fn is_loopback(host: &str, port: u16) -> bool {
    let Some((name, named_port)) = host.rsplit_once(':') else { return false };
    matches!(name, "127.0.0.1" | "localhost") && named_port.parse() == Ok(port)
}

fn mime_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("md") => "text/markdown; charset=utf-8",
        Some("txt" | "toml" | "timeline") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: Files = &[("index.html", b"<!doctype html>"), ("locklab_bg.wasm", b"\0asm")];

    fn answer(method: &str, path: &str, host: &str) -> String {
        let request = Request { method: method.to_owned(), path: path.to_owned(), host: host.to_owned() };
        let mut bytes = Vec::new();
        Response::to(&request, 8087, FILES).write(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn the_root_is_the_page_under_its_policy() {
        let answer = answer("GET", "/", "localhost:8087");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"), "{answer}");
        assert!(answer.contains("script-src 'self' 'wasm-unsafe-eval';"), "{answer}");
        assert!(answer.ends_with("\r\n\r\n<!doctype html>"), "{answer}");
    }

    #[test]
    fn browsers_compile_wasm_only_under_its_own_type() {
        assert!(answer("GET", "/locklab_bg.wasm", "127.0.0.1:8087").contains("Content-Type: application/wasm\r\n"));
    }

    #[test]
    fn a_path_out_of_the_folder_finds_nothing() {
        for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd", "/index.html/"] {
            assert!(answer("GET", path, "localhost:8087").starts_with("HTTP/1.1 404 "), "{path}");
        }
    }

    #[test]
    fn a_name_from_elsewhere_is_turned_away() {
        for host in ["evil.example:8087", "localhost", "localhost:80", "127.0.0.1.evil.example:8087", ""] {
            assert!(answer("GET", "/", host).starts_with("HTTP/1.1 421 "), "{host}");
        }
    }

    #[test]
    fn nothing_can_be_sent_to_it() {
        assert!(answer("POST", "/", "localhost:8087").starts_with("HTTP/1.1 405 "));
    }

    #[test]
    fn head_tells_the_length_and_sends_nothing() {
        let answer = answer("HEAD", "/", "localhost:8087");
        assert!(answer.contains("Content-Length: 15\r\n") && answer.ends_with("\r\n\r\n"), "{answer}");
    }
}
