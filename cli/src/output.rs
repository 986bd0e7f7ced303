//! Where a report goes: the standard output, or a file that is there as a whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use locklab_core::i18n::Text;
use locklab_core::say;
use tempfile::NamedTempFile;

use crate::failure::{Failure, reason};
use crate::options::OutputArguments;

/// Where a report goes.
#[derive(Debug)]
pub enum Output {
    /// To the standard output, as it is made. `is_open` is false once nobody reads it any more.
    Standard {
        /// Whether somebody reads it.
        is_open: bool,
    },
    /// To a file of its own name, which takes the place of the wanted one at the end.
    File {
        /// The wanted file.
        path: PathBuf,
        /// What is written meanwhile.
        draft: NamedTempFile,
    },
    /// To something that is no file and cannot be replaced, such as a pipe or a device.
    Device {
        /// Its name.
        path: PathBuf,
        /// Itself.
        device: fs::File,
    },
}

impl Output {
    /// The standard output.
    pub fn standard() -> Output {
        Output::Standard { is_open: true }
    }

    /// Opens what was asked for, so that a missing folder is told before anything is played.
    pub fn new(arguments: &OutputArguments) -> Result<Output, Failure> {
        Output::to(arguments.output.as_deref())
    }

    /// Opens this file; the standard output where there is none.
    pub fn to(path: Option<&Path>) -> Result<Output, Failure> {
        let Some(path) = path else { return Ok(Output::standard()) };
        Output::open(path).map_err(|error| unwritable(path, &error))
    }

    fn open(path: &Path) -> io::Result<Output> {
        // A link stays a link: the file that it means is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&path) {
            Ok(data) if data.is_dir() => Err(io::Error::from(ErrorKind::IsADirectory)),
            Ok(data) if !data.is_file() => {
                let device = OpenOptions::new().write(true).open(&path)?;
                Ok(Output::Device { path, device })
            }
            _ => {
                let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
                let draft = draft(folder)?;
                Ok(Output::File { path, draft })
            }
        }
    }

    /// Writes a piece. On the standard output colours stay where they are seen, and a reader who has left is no error.
    pub fn write(&mut self, text: &str) -> Result<(), Failure> {
        match self {
            Output::Standard { is_open: false } => Ok(()),
            Output::Standard { is_open } => {
                let mut stdout = anstream::stdout();
                match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
                    Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                        *is_open = false;
                        Ok(())
                    }
                    result => result.map_err(|error| unwritable_standard(&error)),
                }
            }
            Output::File { path, draft } => plain(draft, text).map_err(|error| unwritable(path, &error)),
            Output::Device { path, device } => plain(device, text).map_err(|error| unwritable(path, &error)),
        }
    }

    /// Puts the whole report where it was wanted.
    pub fn finish(self) -> Result<(), Failure> {
        match self {
            Output::Standard { .. } => Ok(()),
            Output::Device { path, mut device } => device.flush().map_err(|error| unwritable(&path, &error)),
            Output::File { path, mut draft } => {
                draft.flush().map_err(|error| unwritable(&path, &error))?;
                draft.persist(&path).map(drop).map_err(|error| unwritable(&path, &error.error))
            }
        }
    }
}

/// A file beside the wanted one, readable by whoever may read new files here.
#[cfg(unix)]
fn draft(folder: &Path) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = fs::Permissions::from_mode(0o666);
    tempfile::Builder::new().prefix(".locklab-").permissions(permissions).tempfile_in(folder)
}

#[cfg(not(unix))]
fn draft(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(".locklab-").tempfile_in(folder)
}

/// A file has no colours.
fn plain(mut to: impl Write, text: &str) -> io::Result<()> {
    to.write_all(anstream::adapter::strip_str(text).to_string().as_bytes())
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let shown = path.display().to_string();
    let failure = refused(Text::same(shown.as_str()), error);
    match error.kind() {
        ErrorKind::NotFound => failure.hint(say!("make its folder first", "请先创建它所在的文件夹")),
        ErrorKind::IsADirectory => failure.hint(say!(
            "name a file in it, such as {shown}/report.txt",
            "请写文件夹里的一个文件，例如 {shown}/report.txt",
            shown = shown
        )),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            failure.hint(say!("write to a folder of your own", "请写到自己有权限的文件夹"))
        }
        _ => failure,
    }
}

fn unwritable_standard(error: &io::Error) -> Failure {
    refused(say!("the standard output", "标准输出"), error)
}

fn refused(shown: Text, error: &io::Error) -> Failure {
    let failure = Failure::input(say!(
        "{shown} cannot be written: {reason}",
        "无法写入 {shown}：{reason}",
        shown = shown,
        reason = reason(error)
    ));
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            failure.hint(say!("make room, or write to another disk", "请腾出空间，或写到别的磁盘"))
        }
        _ => failure,
    }
}
