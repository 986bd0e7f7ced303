//! The drawing, with a cursor that a pointer drags. The core draws it; moving the cursor draws nothing anew.

use std::rc::Rc;

use locklab_core::i18n::Language;
use locklab_core::view::svg::{Options, StyleSheet, Theme, axis_of, left_of, svg};
use yew::{
    AttrValue, Callback, Html, PointerEvent, Properties, component, html, use_effect_with, use_memo, use_node_ref,
};

use crate::browser;
use crate::state::{Action, Cursor, Move, Played, TRACK};

#[derive(PartialEq, Properties)]
pub struct TimelineProperties {
    pub language: Language,
    pub theme: Theme,
    pub width: u32,
    pub played: Rc<Played>,
    pub cursor: Cursor,
    pub dispatch: Callback<Action>,
}

/// A drawing, and where its plot lies.
struct Drawing {
    markup: AttrValue,
    left: i64,
    width: i64,
}

impl Drawing {
    fn of(played: &Played, language: Language, theme: Theme, width: u32) -> Option<Drawing> {
        let run = played.run().ok()?;
        let options = Options { language, theme, width, style: StyleSheet::Outside, ..Options::default() };
        let (left, axis) = (left_of(&run.scene, &options), axis_of(&run.scene, &options));
        Some(Drawing { markup: svg(&run.scene, &options).into(), left, width: axis.width() })
    }

    /// Where a place of the track lies, from the left edge.
    fn x(&self, track: i64) -> i64 {
        self.left + track * self.width / i64::from(TRACK)
    }

    /// The place of the track at a distance from the left edge.
    fn track(&self, x: i64) -> i64 {
        (x - self.left) * i64::from(TRACK) / self.width.max(1)
    }
}

#[component]
pub fn Timeline(properties: &TimelineProperties) -> Html {
    let TimelineProperties { language, theme, width, played, cursor, dispatch } = properties;
    let stage = use_node_ref();
    let drawing =
        use_memo((played.clone(), *language, *theme, (*width).max(200)), |(played, language, theme, width)| {
            Drawing::of(played, *language, *theme, *width)
        });
    use_fit(&stage, dispatch);
    use_pointing(&stage, &drawing, played, cursor);
    let Some(drawn) = &*drawing else { return Html::default() };
    let go = {
        let (stage, drawing, dispatch) = (stage.clone(), drawing.clone(), dispatch.clone());
        Callback::from(move |event: PointerEvent| {
            let (Some(stage), Some(drawing)) = (stage.cast::<web_sys::Element>(), &*drawing) else { return };
            if event.buttons() == 1 {
                dispatch.emit(Action::Go(Move::Scrub(drawing.track(browser::x_in(&stage, &event)))));
            }
        })
    };
    html! {
        <div class="stage" ref={stage} onpointerdown={go.clone()} onpointermove={go}>
            { Html::from_html_unchecked(drawn.markup.clone()) }
        </div>
    }
}

/// Draws as wide as there is room.
#[yew::hook]
fn use_fit(stage: &yew::NodeRef, dispatch: &Callback<Action>) {
    let (stage, dispatch) = (stage.clone(), dispatch.clone());
    use_effect_with((), move |()| {
        let fit = move || {
            let room = stage.cast::<web_sys::Element>().map(|stage| stage.client_width());
            room.filter(|room| *room > 0).into_iter().for_each(|room| dispatch.emit(Action::Fit(room as u32)));
        };
        fit();
        let resized = browser::hear("resize", fit);
        move || drop(resized)
    });
}

/// Keeps the cursor of the drawing, and the slider below it, where they belong.
#[yew::hook]
fn use_pointing(stage: &yew::NodeRef, drawing: &Rc<Option<Drawing>>, played: &Rc<Played>, cursor: &Cursor) {
    let (stage, drawing, played, cursor) = (stage.clone(), drawing.clone(), played.clone(), cursor.clone());
    let markup = drawing.as_ref().as_ref().map(|drawing| drawing.markup.clone());
    use_effect_with((markup, cursor), move |(_, cursor)| {
        let (Some(stage), Some(drawing)) = (stage.cast::<web_sys::Element>(), &*drawing) else { return };
        let step = played.run().ok().and_then(|run| run.steps.get(cursor.step));
        let element = step.and_then(|step| step.element).map(|element| element.to_string());
        browser::point(&stage, drawing.x(cursor.x), element.as_deref());
        if let Some(card) = stage.parent_element() {
            browser::align(&card, drawing.left, drawing.width);
        }
    });
}
