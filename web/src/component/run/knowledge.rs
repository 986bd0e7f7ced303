//! What every machine knows at the cursor: the clients' beliefs, the servers' keys, the resource.

use std::rc::Rc;

use locklab_core::i18n::Language;
use locklab_core::view::{StateLine, Whose};
use yew::{Html, Properties, component, html};

use crate::component::chip::chip;
use crate::state::{Cursor, Played};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct KnowledgeProperties {
    pub language: Language,
    pub played: Rc<Played>,
    pub cursor: Cursor,
}

#[component]
pub fn Knowledge(properties: &KnowledgeProperties) -> Html {
    let KnowledgeProperties { language, played, cursor } = properties;
    let Ok(run) = played.run() else { return Html::default() };
    let mut moment = run.moments.after(cursor.events);
    moment.at = cursor.at;
    let lines = moment.lines(&run.history.header);
    let of = |wanted: fn(&Whose) -> bool| lines.iter().filter(move |line| wanted(&line.whose));
    let words = words(*language);
    html! {
        <>
            <section class="card clients">
                <h3>{ words.clients }</h3>
                <dl>{ for of(|whose| matches!(whose, Whose::Client(_))).map(|line| machine(line, *language)) }</dl>
            </section>
            <section class="card servers">
                <h3>{ words.servers }</h3>
                <dl>{ for of(|whose| matches!(whose, Whose::Node(_))).map(|line| machine(line, *language)) }</dl>
                <h3>{ words.resource }</h3>
                <dl>{ for of(|whose| *whose == Whose::Resource).map(|line| machine(line, *language)) }</dl>
            </section>
        </>
    }
}

fn machine(line: &StateLine, language: Language) -> Html {
    let name = line.name.in_language(language);
    let name = match line.whose {
        Whose::Client(client) => chip(usize::from(client.0), name),
        _ => html! { <span class="mono">{ name.to_owned() }</span> },
    };
    html! {
        <>
            <dt>{ name }</dt>
            <dd>
                <ul>{ for line.parts.iter().map(|part| html! { <li>{ part.in_language(language) }</li> }) }</ul>
            </dd>
        </>
    }
}
