//! The scenario's text, edited in place. Each change plays the run anew; what is wrong is shown at its line.

use std::rc::Rc;

use locklab_core::i18n::Language;
use wasm_bindgen::JsCast;
use yew::{Callback, Html, InputEvent, Properties, classes, component, html};

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
    let edit = dispatch.reform(|event: InputEvent| {
        let field = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlTextAreaElement>().ok());
        Action::Edit(field.map(|field| field.value()).unwrap_or_default())
    });
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
                <textarea class="toml" aria-label={words.edit} aria-invalid={trouble.is_some().to_string()} wrap="off"
                    spellcheck="false" autocapitalize="off" rows={lines.to_string()} value={text.clone()} oninput={edit} />
                </div>
            </div>
            <div class="wrong" role="status">
                { match trouble {
                    Some(Trouble::Scenario(errors)) => html! { <pre tabindex="0">{ errors.render(*language) }</pre> },
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

fn is_wrong(trouble: Option<&Trouble>, line: usize) -> bool {
    matches!(trouble, Some(Trouble::Scenario(errors)) if errors.problems.iter().any(|problem| problem.line == line))
}
