//! What only the teacher sees: the right answer, both runs, and advice. It has an address of its own, for a screen of its own.

use std::rc::Rc;

use locklab_core::i18n::Language;
use locklab_core::lesson::COURSE;
use yew::{Html, Properties, component, html};

use crate::component::prose::{inline, prose};
use crate::state::Loaded;
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct NotesProperties {
    pub language: Language,
    pub lesson: usize,
    pub loaded: Rc<Loaded>,
}

#[component]
pub fn Notes(properties: &NotesProperties) -> Html {
    let NotesProperties { language, lesson, loaded } = properties;
    let words = words(*language);
    let Loaded { lesson: told, right } = &**loaded;
    html! {
        <>
            <section class="opening">
                <p class="quiet">{ words.teacher_only }</p>
                <h2>{ format!("{}. {}", lesson + 1, told.title) }</h2>
                <p class="question">{ inline(&told.question) }</p>
            </section>
            <section class="card answer-key">
                <h3>{ words.answers }</h3>
                <ol>
                    { for told.answers.iter().zip(right).map(|(answer, is_right)| html! {
                        <li class={if *is_right { "is-right" } else { "is-wrong" }}>
                            <span aria-hidden="true">{ if *is_right { "✓ " } else { "✕ " } }</span>
                            { inline(&answer.text) }
                            <span class="visually-hidden">
                                { if *is_right { words.right } else { words.wrong } }
                            </span>
                        </li>
                    }) }
                </ol>
            </section>
            <section class="card">
                <h3>{ words.for_the_teacher }</h3>
                { prose(&told.teacher) }
                <h3>{ words.reveal }</h3>
                { prose(&told.reveal.text) }
                <h3>{ words.change_one_thing }</h3>
                { prose(&told.change.text) }
            </section>
            <p><a href={format!("#lessons/{}", COURSE[*lesson])}>{ words.to_the_lesson }</a></p>
        </>
    }
}
