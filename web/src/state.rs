//! The page's state and the one function that changes it.

use std::rc::Rc;

use locklab_core::i18n::Language;
use yew::Reducible;

/// What the page shows, apart from what can be computed from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The language of every word on the page.
    pub language: Language,
}

/// What a reader can ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Show the page in this language.
    Speak(Language),
}

impl State {
    /// The state after one action. It has no other effect.
    pub fn after(&self, action: Action) -> Self {
        match action {
            Action::Speak(language) => Self { language },
        }
    }
}

impl Reducible for State {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(self.after(action))
    }
}
