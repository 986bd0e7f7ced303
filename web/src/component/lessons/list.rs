//! The list of the lessons.

use locklab_core::i18n::Language;
use locklab_core::lesson::COURSE;
use yew::{Html, Properties, component, html};

use crate::component::prose::inline;
use crate::state::Class;
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct ListProperties {
    pub language: Language,
    pub class: Class,
}

#[component]
pub fn List(properties: &ListProperties) -> Html {
    let ListProperties { language, class } = properties;
    let words = words(*language);
    html! {
        <>
            <section class="opening">
                <h2>{ words.course }</h2>
                <p class="question">{ words.course_purpose }</p>
            </section>
            <ol class="course">
                { for COURSE.iter().enumerate().map(|(place, stem)| {
                    let loaded = class.loaded(place, *language);
                    let (title, question) = match loaded {
                        Some(loaded) => (loaded.lesson.title.clone(), loaded.lesson.question.clone()),
                        None => ((*stem).to_owned(), String::new()),
                    };
                    html! {
                        <li>
                            <a class="card" href={format!("#lessons/{stem}")}>
                                <span class="number" aria-hidden="true">{ place + 1 }</span>
                                <strong>{ title }</strong>
                                <span class="quiet">{ inline(&question) }</span>
                            </a>
                        </li>
                    }
                }) }
            </ol>
        </>
    }
}
