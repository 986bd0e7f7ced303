//! The address of a server as a user types it.

use std::net::{SocketAddr, ToSocketAddrs};

use locklab_core::i18n::Text;
use locklab_core::say;
use percent_encoding::percent_decode_str;
use url::Url;

use super::error::LiveError;

/// How the addresses of a service are written.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The service.
    pub service: &'static str,
    /// What an address begins with.
    pub schemes: &'static [&'static str],
    /// What an address of an encrypted connection begins with.
    pub encrypted: &'static [&'static str],
    /// Where the service listens unless the address says otherwise.
    pub port: u16,
    /// What to write, in both languages.
    pub example: [&'static str; 2],
}

impl Form {
    /// What is wrong with an address, with what to write instead.
    pub fn malformed(&self, why: Text) -> LiveError {
        let example = Text::new(self.example[0], self.example[1]);
        LiveError::Malformed(say!(
            "this is not the address of a {service}: {why}; write {example}",
            "这不是 {service} 的地址：{why}；请写 {example}",
            service = self.service,
            why = why,
            example = example
        ))
    }
}

/// The parts of an address.
pub struct ServerUrl {
    /// Where it listens.
    pub address: SocketAddr,
    /// Host and port as they were typed.
    pub place: String,
    /// As whom, as it was typed: it may hold signs that stand for others.
    pub typed_user: String,
    /// As whom.
    pub user: Option<String>,
    /// The password.
    pub password: Option<String>,
    /// What comes after the host, without its stroke.
    pub path: String,
    /// What comes after the question mark.
    pub settings: Vec<(String, String)>,
}

impl ServerUrl {
    /// Reads an address. Errors when it has another form, or when its host has no address.
    pub fn parse(text: &str, form: Form) -> Result<ServerUrl, LiveError> {
        let url = Url::parse(text).map_err(|error| form.malformed(Text::same(error.to_string())))?;
        let scheme = url.scheme();
        if form.encrypted.contains(&scheme) {
            return Err(form.malformed(say!("encrypted connections are not supported", "不支持加密连接")));
        }
        if !form.schemes.contains(&scheme) {
            return Err(form.malformed(say!(
                "{scheme}:// is not {wanted}://",
                "{scheme}:// 不是 {wanted}://",
                scheme = scheme,
                wanted = form.schemes[0]
            )));
        }
        let host = url.host_str().filter(|host| !host.is_empty());
        let host = host.ok_or_else(|| form.malformed(say!("it names no host", "没有写主机")))?;
        let port = url.port().unwrap_or(form.port);
        let place = format!("{host}:{port}");
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let mut addresses = (bare, port).to_socket_addrs().map_err(LiveError::unreachable(&place))?;
        let nowhere = || LiveError::unreachable(&place)(std::io::ErrorKind::AddrNotAvailable.into());
        Ok(ServerUrl {
            address: addresses.next().ok_or_else(nowhere)?,
            typed_user: url.username().to_owned(),
            user: Some(url.username()).filter(|user| !user.is_empty()).map(decode),
            password: url.password().map(decode),
            path: decode(url.path().trim_start_matches('/')),
            settings: url.query_pairs().into_owned().collect(),
            place,
        })
    }
}

fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}
