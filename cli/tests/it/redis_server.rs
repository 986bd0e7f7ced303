//! A redis-server of a test's own, and a connection to it that shows every reply as it came.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command as Process, Stdio};
use std::time::{Duration, Instant};

use locklab_core::wire::{Command, Reply};

/// A redis-server without persistence on a loopback port, killed when dropped.
pub struct Server {
    process: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Server {
    /// Starts a server on a port below the ephemeral range.
    pub fn start() -> Server {
        let first = 10_000 + (std::process::id() % 20_000) as u16;
        let started = (first..first + 100).find_map(Server::start_on);
        started.expect("one of a hundred ports is free")
    }

    fn start_on(port: u16) -> Option<Server> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let spawned = Process::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
            .args(["--daemonize", "no", "--databases", "1"])
            .arg("--dir")
            .arg(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let process = spawned.unwrap_or_else(|error| {
            panic!("redis-server does not start ({error}); install it with: apt-get install -y redis-server")
        });
        let mut server = Server { process, port, _folder: folder };
        server.is_ready().then_some(server)
    }

    /// Waits until the server answers. The one that answers must be the process that was started: the port may be another's.
    fn is_ready(&mut self) -> bool {
        let limit = Instant::now() + Duration::from_secs(10);
        while Instant::now() < limit && matches!(self.process.try_wait(), Ok(None)) {
            let answer = Connection::open(self.port).and_then(|mut one| one.ask(&Command::new(["INFO", "server"])));
            if let Ok(info) = answer {
                let own = format!("process_id:{}\r", self.process.id());
                return info.text().is_some_and(|info| info.contains(&own));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        false
    }

    /// The port on which it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// A new connection.
    pub fn connect(&self) -> Connection {
        Connection::open(self.port).expect("the server accepts connections")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// One RESP2 connection.
pub struct Connection {
    stream: BufReader<TcpStream>,
}

impl Connection {
    fn open(port: u16) -> io::Result<Connection> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(20)))?;
        Ok(Connection { stream: BufReader::new(stream) })
    }

    /// Sends a command and reads its reply.
    pub fn ask(&mut self, command: &Command) -> io::Result<Reply> {
        self.send(command)?;
        self.receive()
    }

    pub fn send(&mut self, command: &Command) -> io::Result<()> {
        let mut bytes = format!("*{}\r\n", command.words().len()).into_bytes();
        for word in command.words() {
            bytes.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
            bytes.extend_from_slice(word);
            bytes.extend_from_slice(b"\r\n");
        }
        self.stream.get_mut().write_all(&bytes)
    }

    /// Reads one reply.
    pub fn receive(&mut self) -> io::Result<Reply> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let (kind, rest) = line.trim_end_matches(['\r', '\n']).split_at(1);
        let number = || rest.parse::<i64>().map_err(|_| io::Error::from(io::ErrorKind::InvalidData));
        Ok(match kind {
            "+" => Reply::Status(rest.into()),
            "-" => Reply::Error(rest.into()),
            ":" => Reply::Integer(number()?),
            "$" => match usize::try_from(number()?) {
                Err(_) => Reply::Nil,
                Ok(length) => {
                    let mut bytes = vec![0; length + 2];
                    self.stream.read_exact(&mut bytes)?;
                    bytes.truncate(length);
                    Reply::Bulk(bytes)
                }
            },
            "*" => match number()? {
                -1 => Reply::NilArray,
                count => Reply::Array((0..count).map(|_| self.receive()).collect::<io::Result<_>>()?),
            },
            _ => return Err(io::ErrorKind::InvalidData.into()),
        })
    }
}
