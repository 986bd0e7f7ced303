//! Why a text is not the address of a run.

use std::fmt;

use super::{MOST_TEXT, VERSION};
use crate::i18n::{Language, Text};
use crate::say;

/// Why a text is not the address of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It does not begin like one.
    NotAnAddress,
    /// It is longer than any that is read.
    TooLong,
    /// A later Locklab wrote it.
    Newer {
        /// Its format's version.
        version: u32,
    },
    /// A character that no address has.
    Foreign {
        /// Where, counted in characters from 1.
        at: usize,
    },
    /// It was cut off or changed on its way.
    Damaged,
    /// Its sum is right, but it does not say a run.
    Senseless,
}

impl AddressError {
    /// What is wrong.
    pub fn message(&self) -> Text {
        match self {
            AddressError::NotAnAddress => {
                say!("this is not the address of a run", "这不是一次运行的地址")
            }
            AddressError::TooLong => say!(
                "this is too long for the address of a run: at most {most} characters",
                "作为运行的地址太长了：最多 {most} 个字符",
                most = MOST_TEXT as u64
            ),
            AddressError::Newer { version } => say!(
                "this address has format {version}; this Locklab reads up to {own}",
                "这个地址的格式版本是 {version}，本程序最高支持 {own}",
                version = version,
                own = VERSION
            ),
            AddressError::Foreign { at } => {
                say!("character {at} cannot be part of an address", "第 {at} 个字符不可能出现在地址里", at = *at as u64)
            }
            AddressError::Damaged => {
                say!("this address was cut off or changed on its way", "这个地址被截断或改动过")
            }
            AddressError::Senseless => say!("this address does not describe a run", "这个地址描述的不是一次运行"),
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Text {
        match self {
            AddressError::Newer { .. } => say!("use a newer Locklab", "请使用更新版本的 Locklab"),
            AddressError::NotAnAddress | AddressError::Foreign { .. } => say!(
                "an address begins with L{own}- and is the last line of a report, or the end of the page's link",
                "地址以 L{own}- 开头，在报告的最后一行，或页面链接的末尾",
                own = VERSION
            ),
            AddressError::TooLong | AddressError::Damaged | AddressError::Senseless => {
                say!("copy the whole text again", "请重新完整地复制这段文本")
            }
        }
    }
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().in_language(Language::English))
    }
}
