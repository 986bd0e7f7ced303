//! The scenario's text, edited in place. Each change plays the run anew; what is wrong is shown at its line.

use std::rc::Rc;

use locklab_core::i18n::Language;
use wasm_bindgen::JsCast;
use yew::{
    Callback, FocusEvent, Html, InputEvent, KeyboardEvent, Properties, classes, component, html, use_effect_with,
    use_node_ref, use_state_eq,
};

use super::offer::{LIST, Offer, OfferList, id_of};
use crate::browser;
use crate::state::{Action, Draft, Played, Trouble, Word, words_of};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct EditorProperties {
    pub language: Language,
    pub played: Rc<Played>,
    pub draft: Option<Draft>,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Editor(properties: &EditorProperties) -> Html {
    let EditorProperties { language, played, draft, dispatch } = properties;
    let words = words(*language);
    let text = draft.as_ref().map_or(&played.text, |draft| &draft.text);
    let trouble = draft.as_ref().and_then(|draft| draft.trouble.as_ref());
    let lines = text.split('\n').count();
    let offer = use_state_eq(|| None::<Offer>);
    // Where the caret goes once the text is there that was taken from the offer.
    let caret = use_state_eq(|| None::<(String, usize)>);
    let field = use_node_ref();
    use_effect_with(((*caret).clone(), text.clone()), {
        let (field, caret) = (field.clone(), caret.setter());
        move |(wanted, text)| {
            let field = field.cast::<web_sys::HtmlTextAreaElement>();
            if let (Some((of, at)), Some(field)) = (wanted, field)
                && of == text
            {
                browser::set_caret(&field, *at);
                caret.set(None);
            }
        }
    });
    let edit = {
        let (dispatch, offer) = (dispatch.clone(), offer.setter());
        Callback::from(move |event: InputEvent| {
            let field = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlTextAreaElement>().ok());
            let Some(field) = field else { return };
            offer.set(Offer::at(&field.value(), browser::caret(&field)).filter(Offer::is_begun));
            dispatch.emit(Action::Edit(field.value()));
        })
    };
    let take = {
        let (dispatch, offer, caret, text) = (dispatch.clone(), offer.clone(), caret.setter(), text.clone());
        Callback::from(move |index: usize| {
            let taken = (*offer).as_ref().and_then(|offer| offer.taken(&text, index));
            offer.set(None);
            if let Some((text, at)) = taken {
                caret.set(Some((text.clone(), at)));
                dispatch.emit(Action::Edit(text));
            }
        })
    };
    let press = {
        let (offer, take) = (offer.clone(), take.clone());
        Callback::from(move |event: KeyboardEvent| {
            let shown = (*offer).clone();
            match (&*event.key(), shown) {
                (" ", _) if event.ctrl_key() => {
                    let field =
                        event.target().and_then(|target| target.dyn_into::<web_sys::HtmlTextAreaElement>().ok());
                    offer.set(field.and_then(|field| Offer::at(&field.value(), browser::caret(&field))));
                }
                ("ArrowDown", Some(shown)) => offer.set(Some(shown.walked(true))),
                ("ArrowUp", Some(shown)) => offer.set(Some(shown.walked(false))),
                ("Enter" | "Tab", Some(shown)) => take.emit(shown.chosen),
                ("Escape", Some(_)) => offer.set(None),
                ("ArrowLeft" | "ArrowRight" | "Home" | "End", Some(_)) => return offer.set(None),
                _ => return,
            }
            event.prevent_default();
        })
    };
    let leave = {
        let offer = offer.setter();
        Callback::from(move |_: FocusEvent| offer.set(None))
    };
    html! {
        <details class="card editor">
            <summary>
                { words.edit }
                if played.is_changed() {
                    { " " }<span class="changed">{ words.changed }</span>
                }
            </summary>
            <div class="field">
                <ol class="numbers" aria-hidden="true">
                    { for (1..=lines).map(|line| html! {
                        <li class={classes!(is_wrong(trouble, line).then_some("is-broken"))}>{ line }</li>
                    }) }
                </ol>
                <div class="written">
                <pre class="painted" aria-hidden="true">{ for words_of(text).into_iter().map(painted) }{ "\n" }</pre>
                <textarea ref={field} class="toml" aria-label={words.edit} aria-invalid={trouble.is_some().to_string()} wrap="off"
                    aria-autocomplete="list" aria-controls={offer.as_ref().map(|_| LIST)}
                    aria-activedescendant={offer.as_ref().map(|offer| id_of(offer.chosen))}
                    spellcheck="false" autocapitalize="off" rows={lines.to_string()} value={text.clone()} oninput={edit}
                    onkeydown={press} onblur={leave} />
                if let Some(offer) = &*offer {
                    <OfferList label={words.offered} offer={offer.clone()} {take} />
                }
                </div>
            </div>
            <p class="quiet small">{ words.editor_keys }</p>
            <div class="wrong" role="status">
                { match trouble {
                    Some(Trouble::Scenario(errors)) => {
                        let rendered = errors.render(*language);
                        html! { <pre tabindex="0">{ for rendered.split_inclusive('\n').map(explained) }</pre> }
                    }
                    Some(Trouble::Said { message, .. }) => html! { <p>{ message.in_language(*language) }</p> },
                    None => Html::default(),
                } }
            </div>
        </details>
    }
}

/// A piece of the text in its colour, under the field in which the same text is written without one.
fn painted((word, piece): (Word, &str)) -> Html {
    let class = match word {
        Word::Plain => return html! { { piece.to_owned() } },
        Word::Comment => "comment",
        Word::Header => "table",
        Word::Key => "key",
        Word::Quoted => "quoted",
        Word::Value => "value",
    };
    html! { <span {class}>{ piece.to_owned() }</span> }
}

/// A line of what is wrong: the first of each problem says what, those below it say where and what is allowed.
fn explained(line: &str) -> Html {
    let is_detail =
        line.starts_with(' ') || line.trim_start_matches(|char: char| char.is_ascii_digit()).starts_with(" |");
    html! { <span class={classes!((!is_detail).then_some("what"))}>{ line.to_owned() }</span> }
}

fn is_wrong(trouble: Option<&Trouble>, line: usize) -> bool {
    matches!(trouble, Some(Trouble::Scenario(errors)) if errors.problems.iter().any(|problem| problem.line == line))
}
