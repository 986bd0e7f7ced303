//! The files that the rules read.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;

/// What tools made, or keep for themselves.
const MADE: [&str; 6] = ["target", ".git", "node_modules", "web/dist", "fuzz/corpus", "fuzz/artifacts"];

/// The text files of the workspace by their path from its root, written with `/`.
pub struct Tree {
    files: BTreeMap<String, String>,
}

impl Tree {
    /// Reads every text file under a folder. Files that are not UTF-8 are pictures and the like: no rule reads them.
    pub fn read(root: &Path) -> anyhow::Result<Self> {
        let mut files = BTreeMap::new();
        walk(root, "", &mut files)?;
        Ok(Self { files })
    }

    /// A tree made of these files: for the tests of the rules.
    #[cfg(test)]
    pub fn of<const N: usize>(files: [(&str, &str); N]) -> Self {
        Self { files: files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect() }
    }

    /// Every file, in the order of their paths.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The files with this ending, in the order of their paths.
    pub fn with_ending(&self, ending: &'static str) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(move |(path, _)| path.ends_with(ending))
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Whether there is such a folder, with something in it.
    pub fn has_folder(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        self.files.range(folder.clone()..).next().is_some_and(|(file, _)| file.starts_with(&folder))
    }

    /// Whether there is such a file.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }
}

fn walk(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", folder.display()))? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type()?;
        if MADE.contains(&path.as_str()) {
            continue;
        }
        if kind.is_dir() {
            walk(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.is_file()
            && let Ok(text) = fs::read_to_string(entry.path())
        {
            files.insert(path, text);
        }
    }
    Ok(())
}
