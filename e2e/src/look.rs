//! How a reader sees the page.

use locklab_core::i18n::Language;

/// The size, colours and language of a reader's browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The size of the window.
    pub size: Size,
    /// The colours that the reader prefers.
    pub scheme: Scheme,
    /// The language that the reader's browser asks for.
    pub language: Language,
}

/// The size of the window, in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// 1280 x 900.
    #[default]
    Desktop,
    /// 390 x 844, a phone held upright.
    Phone,
    /// 1920 x 1080, on the wall of a classroom.
    Projector,
}

/// The colours that a reader prefers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// Dark on light.
    #[default]
    Light,
    /// Light on dark.
    Dark,
}

impl Look {
    /// Every look of a reader at home: a desk's and a phone's size in each scheme and each language.
    pub fn all() -> impl Iterator<Item = Look> {
        [Size::Desktop, Size::Phone].into_iter().flat_map(|size| {
            [Scheme::Light, Scheme::Dark].into_iter().flat_map(move |scheme| {
                [Language::English, Language::Chinese].into_iter().map(move |language| Look { size, scheme, language })
            })
        })
    }

    /// A name for files: `phone-dark-zh`.
    pub fn name(self) -> String {
        let size = match self.size {
            Size::Desktop => "desktop",
            Size::Phone => "phone",
            Size::Projector => "projector",
        };
        format!("{size}-{}-{}", self.scheme.name(), self.language.tag())
    }
}

impl Size {
    /// Width and height.
    pub fn pixels(self) -> (u32, u32) {
        match self {
            Size::Desktop => (1280, 900),
            Size::Phone => (390, 844),
            Size::Projector => (1920, 1080),
        }
    }
}

impl Scheme {
    /// The value of `prefers-color-scheme`.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Light => "light",
            Scheme::Dark => "dark",
        }
    }
}

/// What a browser asks for whose reader speaks this language.
pub fn locale(language: Language) -> &'static str {
    match language {
        Language::English => "en-US",
        Language::Chinese => "zh-CN",
    }
}
