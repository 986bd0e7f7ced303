//! The drawing, with a cursor that a pointer drags. The core draws it; moving the cursor or the view draws nothing anew.

mod drawing;
mod explain;
mod fault;
mod gesture;
mod grab;
mod pointing;

use std::rc::Rc;

use locklab_core::i18n::Language;
use locklab_core::time::Time;
use locklab_core::view::Difference;
use locklab_core::view::svg::{Signs, Theme};
use yew::{Callback, Html, Properties, component, html, use_memo, use_node_ref};

use self::drawing::{Drawing, Plane, Subject, place_of};
use self::explain::Explain;
pub use self::fault::FaultControls;
use self::pointing::{use_fit, use_pointers, use_rest, use_wheel};
use crate::browser;
use crate::state::{Action, Cursor, Played, Spot, Window};

#[derive(Clone, PartialEq, Properties)]
pub struct TimelineProperties {
    pub language: Language,
    pub theme: Theme,
    pub width: u32,
    pub played: Rc<Played>,
    pub cursor: Cursor,
    /// When the common time axis of several drawings ends; `None`: this one has an axis of its own.
    #[prop_or_default]
    pub until: Option<Time>,
    /// Which of several drawings it is; the first is the one that the cursor walks through.
    #[prop_or_default]
    pub place: usize,
    /// What is marked as different from the drawing that it is compared with.
    #[prop_or_default]
    pub differing: Rc<[Difference]>,
    /// The signs that its legend explains; `None`: those that it uses.
    #[prop_or_default]
    pub legend: Option<Signs>,
    /// The part of the axis that is shown.
    #[prop_or_default]
    pub window: Window,
    /// What is explained, on any of the drawings.
    #[prop_or_default]
    pub spot: Option<Spot>,
    /// Whether the explanation stays until it is closed.
    #[prop_or_default]
    pub is_pinned: bool,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn Timeline(properties: &TimelineProperties) -> Html {
    let TimelineProperties { language, theme, width, played, until, place, window, .. } = properties;
    let stage = use_node_ref();
    let rested = use_rest(*window);
    let subject = Subject {
        language: *language,
        theme: *theme,
        width: *width,
        played: played.clone(),
        until: *until,
        place: *place,
        differing: properties.differing.clone(),
        legend: properties.legend,
        window: window.drawn(rested),
    };
    let drawing = use_memo(subject, Drawing::of);
    use_fit(&stage, &properties.dispatch);
    use_showing(&stage, &drawing, properties);
    let plane = match &*drawing {
        Some(drawing) => Plane { left: drawing.left, plot: drawing.plot, window: *window, until: *until },
        None => Plane::default(),
    };
    use_wheel(&stage, plane, &properties.dispatch);
    let pointers = use_pointers(&stage, &drawing, plane, *place, played, &properties.dispatch);
    let Some(drawn) = &*drawing else { return Html::default() };
    let spot = properties.spot.filter(|spot| spot.place == *place && window.shows(spot.x));
    html! {
        <div class="stage" ref={stage} data-zoomed={(!window.is_whole()).to_string()}
            onpointerdown={pointers.clone()} onpointermove={pointers.clone()} onpointerup={pointers.clone()}
            onpointercancel={pointers.clone()} onpointerleave={pointers}>
            { Html::from_html_unchecked(drawn.markup.clone()) }
            if let Some(spot) = spot {
                <Explain language={*language} played={played.clone()} {spot}
                    x={drawn.left + window.pixels(spot.x - window.from, drawn.plot)}
                    is_pinned={properties.is_pinned} dispatch={properties.dispatch.clone()} />
            }
        </div>
    }
}

/// Keeps the cursor of the drawing, what moves on it, and the slider below it where they belong.
#[yew::hook]
fn use_showing(stage: &yew::NodeRef, drawing: &Rc<Option<Drawing>>, properties: &TimelineProperties) {
    let TimelineProperties { played, cursor, until, window, .. } = properties;
    let (stage, drawing, played, until, place) =
        (stage.clone(), drawing.clone(), played.clone(), *until, properties.place);
    let markup = drawing.as_ref().as_ref().map(|drawing| drawing.markup.clone());
    let seen = (markup, cursor.clone(), *window, properties.spot.filter(|_| properties.is_pinned));
    yew::use_effect_with(seen, move |(_, cursor, window, pinned)| {
        let (Some(stage), Some(drawing)) = (stage.cast::<web_sys::Element>(), &*drawing) else { return };
        let step = played.run().ok().and_then(|run| run.steps.get(cursor.step));
        // The cursor walks through the steps of the first drawing only.
        let element = step.and_then(|step| step.element).filter(|_| place == 0).map(|element| drawing.id(element));
        browser::shift(&stage, drawing.shift(*window));
        browser::point(&stage, drawing.x(place_of(cursor, until)), element.as_deref());
        browser::mark(&stage, pinned.and_then(|spot| Some(drawing.id(spot.element()?))).as_deref());
        if let Some(card) = stage.parent_element() {
            browser::align(&card, drawing.left, drawing.plot, (window.from, window.length));
        }
    });
}
