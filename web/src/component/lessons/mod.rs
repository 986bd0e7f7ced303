//! The course: its list, a lesson as a class sees it, and the notes that only its teacher sees.

mod lesson;
mod list;
mod notes;

use yew::{Callback, Html, Properties, classes, component, html};

use self::lesson::LessonView;
use self::list::List;
use self::notes::Notes;
use crate::state::{Action, State};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct LessonsProperties {
    pub state: State,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Lessons(properties: &LessonsProperties) -> Html {
    let LessonsProperties { state, dispatch } = properties;
    let class = &state.class;
    let words = words(state.language);
    let Some(lesson) = class.lesson else {
        return html! { <main class="lessons"><List language={state.language} class={class.clone()} /></main> };
    };
    html! {
        <main class={classes!("lessons", class.large.then_some("large"))}>
            { match class.open(state.language) {
                None => html! { <p class="quiet" role="status">{ words.loading }</p> },
                Some(loaded) if class.notes => html! {
                    <Notes language={state.language} {lesson} loaded={loaded.clone()} />
                },
                Some(loaded) => html! {
                    <LessonView state={state.clone()} {lesson} loaded={loaded.clone()} dispatch={dispatch.clone()} />
                },
            } }
        </main>
    }
}
