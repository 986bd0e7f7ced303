//! What may strike, what is in question, and the buttons that begin and end a search.

use locklab_core::check::Property;
use locklab_core::i18n::Language;
use locklab_core::sim::FaultClass;
use yew::{Callback, Event, Html, Properties, component, html};

use crate::browser;
use crate::state::{Action, Chase, Hunt, Seek};
use crate::words::{fault_class, words};

/// More faults of a class are no search that ends in a page; a scenario may have more of its own.
const MOST: u8 = 3;

#[derive(PartialEq, Properties)]
pub struct FormProperties {
    pub language: Language,
    pub hunt: Hunt,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Form(properties: &FormProperties) -> Html {
    let FormProperties { language, hunt, dispatch } = properties;
    let words = words(*language);
    let is_going = matches!(hunt.chase, Chase::Going(_));
    let ask = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| {
            let asked = browser::value_of(&event).and_then(|name| name.parse::<Property>().ok());
            dispatch.emit(Action::Seek(Seek::Ask(asked)));
        })
    };
    let (class, label, seek) = match is_going {
        true => ("stop", words.stop_search, Seek::Stop),
        false => ("primary start", words.start_search, Seek::Start),
    };
    html! {
        <section class="card hunt">
            <fieldset class="allowance">
                <legend>{ words.may_strike }</legend>
                { for FaultClass::ALL.map(|(name, class)| allowed(properties, name, class)) }
            </fieldset>
            <p class="hunt-ways">
                <label>
                    <span class="quiet label">{ words.in_question }</span>
                    <select key={hunt.property.map_or("all", Property::name)} class="in-question" onchange={ask}>
                        <option value="all" selected={hunt.property.is_none()}>{ words.all_properties }</option>
                        { for Property::ALL.map(|property| html! {
                            <option value={property.name()} selected={hunt.property == Some(property)}>
                                { property.title().in_language(*language) }
                            </option>
                        }) }
                    </select>
                </label>
                <button type="button" {class} onclick={dispatch.reform(move |_| Action::Seek(seek.clone()))}>{ label }</button>
            </p>
        </section>
    }
}

/// How many faults of one class may strike.
fn allowed(properties: &FormProperties, name: &'static str, class: FaultClass) -> Html {
    let FormProperties { language, hunt, dispatch } = properties;
    let count = hunt.faults.of(class);
    let allow = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| {
            let count = browser::value_of(&event).and_then(|count| count.parse().ok());
            count.into_iter().for_each(|count| dispatch.emit(Action::Seek(Seek::Allow(class, count))));
        })
    };
    html! {
        <label class={if count > 0 { "allowed some" } else { "allowed" }}>
            <span>{ fault_class(class, *language) }</span>
            <select key={count} data-fault={name} onchange={allow}>
                { for (0..=count.max(MOST)).map(|each| html! {
                    <option value={each.to_string()} selected={each == count}>{ each }</option>
                }) }
            </select>
        </label>
    }
}
