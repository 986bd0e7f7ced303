//! The lock's code, with the line that each client ran last.

use std::rc::Rc;

use locklab_core::i18n::Language;
use yew::{Html, Properties, classes, component, html};

use crate::component::chip::chip;
use crate::state::{Cursor, Played};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct CodeProperties {
    pub language: Language,
    pub played: Rc<Played>,
    pub cursor: Cursor,
}

#[component]
pub fn Code(properties: &CodeProperties) -> Html {
    let CodeProperties { language, played, cursor } = properties;
    let Ok(run) = played.run() else { return Html::default() };
    let words = words(*language);
    let header = &run.history.header;
    let moment = run.moments.after(cursor.events);
    let at_line = |number: usize| {
        let clients = moment.clients.iter().zip(&header.clients).enumerate();
        clients.filter(move |(_, (client, _))| client.code.is_some_and(|code| usize::from(code.line) == number))
    };
    html! {
        <section class="card code">
            <h3>{ words.code }{ " " }<span class="quiet mono">{ &header.lock }</span></h3>
            <ol class="listing" lang="en" tabindex="0">
                { for (1..).zip(header.listing.lines()).map(|(number, line)| {
                    let here: Vec<Html> = at_line(number).map(|(index, (_, info))| chip(index, &info.name)).collect();
                    html! {
                        <li class={classes!((!here.is_empty()).then_some("here"))}>
                            <span class="marks">{ for here }</span>
                            <code>{ line }</code>
                        </li>
                    }
                }) }
            </ol>
            <p class="quiet small">{ words.code_hint }</p>
        </section>
    }
}
