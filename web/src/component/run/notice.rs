//! Why what the reader asked for is not shown, or not what it was.

use locklab_core::i18n::Language;
use yew::{Callback, Html, Properties, component, html};

use crate::state::{Action, Trouble};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct NoticeProperties {
    pub language: Language,
    pub trouble: Trouble,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Notice(properties: &NoticeProperties) -> Html {
    let NoticeProperties { language, trouble, dispatch } = properties;
    html! {
        <section class="card notice" role="alert">
            { match trouble {
                Trouble::Scenario(errors) => html! { <pre tabindex="0">{ errors.render(*language) }</pre> },
                Trouble::Said { message, hint } => html! {
                    <div tabindex="0">
                        <p>{ message.in_language(*language) }</p>
                        if let Some(hint) = hint {
                            <p class="quiet">{ hint.in_language(*language) }</p>
                        }
                    </div>
                },
            } }
            <button type="button" onclick={dispatch.reform(|_| Action::Dismiss)}>{ words(*language).close }</button>
        </section>
    }
}
