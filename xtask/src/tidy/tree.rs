//! The files that the rules read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Context;

/// What tools made, or keep for themselves.
const MADE: [&str; 6] = ["target", ".git", "node_modules", "web/dist", "fuzz/corpus", "fuzz/artifacts"];

/// The text files of the workspace by their path from its root, written with `/`.
pub struct Tree {
    files: BTreeMap<String, String>,
    /// The paths of all files, pictures and the like among them.
    paths: BTreeSet<String>,
}

impl Tree {
    /// Reads every text file under a folder. Files that are not UTF-8 are pictures and the like: no rule reads them.
    pub fn read(root: &Path) -> anyhow::Result<Self> {
        let mut tree = Self { files: BTreeMap::new(), paths: BTreeSet::new() };
        walk(root, "", &mut tree)?;
        Ok(tree)
    }

    /// A tree made of these files: for the tests of the rules.
    #[cfg(test)]
    pub fn of<const N: usize>(files: [(&str, &str); N]) -> Self {
        let paths = files.iter().map(|(path, _)| (*path).to_owned()).collect();
        Self { files: files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect(), paths }
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
        self.paths.range(folder.clone()..).next().is_some_and(|file| file.starts_with(&folder))
    }

    /// Whether there is such a file.
    pub fn has(&self, path: &str) -> bool {
        self.paths.contains(path)
    }
}

fn walk(folder: &Path, prefix: &str, tree: &mut Tree) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", folder.display()))? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type()?;
        if MADE.contains(&path.as_str()) {
            continue;
        }
        if kind.is_dir() {
            walk(&entry.path(), &format!("{path}/"), tree)?;
        } else if kind.is_file() {
            tree.paths.insert(path.clone());
            if let Ok(text) = fs::read_to_string(entry.path()) {
                tree.files.insert(path, text);
            }
        }
    }
    Ok(())
}
