//! The drawing, with a cursor that a pointer drags. The core draws it; moving the cursor draws nothing anew.

use std::rc::Rc;

use locklab_core::i18n::Language;
use locklab_core::time::Time;
use locklab_core::view::svg::{Options, StyleSheet, Theme, axis_of, left_of, svg};
use locklab_core::view::{Axis, AxisMode, Scene};
use yew::{
    AttrValue, Callback, Html, PointerEvent, Properties, component, html, use_effect_with, use_memo, use_node_ref,
};

use crate::browser;
use crate::state::{Action, Cursor, Move, Played, TRACK};

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
    pub dispatch: Callback<Action>,
}

/// A drawing, and where its plot lies.
struct Drawing {
    markup: AttrValue,
    prefix: String,
    left: i64,
    axis: Axis,
    /// Whether instants lie as on the track, or on an axis that several drawings share.
    is_shared: bool,
}

impl Drawing {
    fn of(properties: &TimelineProperties) -> Option<Drawing> {
        let TimelineProperties { language, theme, width, played, until, place, .. } = properties;
        let run = played.run().ok()?;
        let prefix = if *place == 0 { String::new() } else { format!("beside-{place}-") };
        let mode = if until.is_some() { AxisMode::Linear } else { AxisMode::Readable };
        let options = Options {
            language: *language,
            theme: *theme,
            width: (*width).max(200),
            axis: mode,
            style: StyleSheet::Outside,
            prefix: prefix.clone(),
            ..Options::default()
        };
        // A linear axis is as long as its scene: one that ends later leaves room for the others.
        let shared = until.map(|until| Scene { end: until, ..run.scene.clone() });
        let scene = shared.as_ref().unwrap_or(&run.scene);
        let (left, axis) = (left_of(scene, &options), axis_of(scene, &options));
        Some(Drawing { markup: svg(scene, &options).into(), prefix, left, axis, is_shared: until.is_some() })
    }

    /// Where a cursor lies, from the left edge.
    fn x(&self, cursor: &Cursor) -> i64 {
        let x = match self.is_shared {
            true => self.axis.x_of_time(cursor.at),
            false => cursor.x * self.axis.width() / i64::from(TRACK),
        };
        self.left + x
    }

    /// The way to a distance from the left edge.
    fn to(&self, x: i64) -> Move {
        let x = x - self.left;
        match self.is_shared {
            true => Move::At(self.axis.time_at(x.clamp(0, self.axis.width()))),
            false => Move::Scrub(x * i64::from(TRACK) / self.axis.width().max(1)),
        }
    }
}

/// Properties of which only those count that change what is drawn.
struct Drawn(TimelineProperties);

impl PartialEq for Drawn {
    fn eq(&self, Drawn(other): &Drawn) -> bool {
        let drawn = |of: &TimelineProperties| (of.language, of.theme, of.width, of.until, of.place, of.played.clone());
        drawn(&self.0) == drawn(other)
    }
}

#[component]
pub fn Timeline(properties: &TimelineProperties) -> Html {
    let TimelineProperties { played, cursor, dispatch, .. } = properties;
    let stage = use_node_ref();
    let drawing = use_memo(Drawn(properties.clone()), |Drawn(properties)| Drawing::of(properties));
    use_fit(&stage, dispatch);
    use_pointing(&stage, &drawing, played, cursor);
    let Some(drawn) = &*drawing else { return Html::default() };
    let go = {
        let (stage, drawing, dispatch) = (stage.clone(), drawing.clone(), dispatch.clone());
        Callback::from(move |event: PointerEvent| {
            let (Some(stage), Some(drawing)) = (stage.cast::<web_sys::Element>(), &*drawing) else { return };
            if event.buttons() == 1 {
                dispatch.emit(Action::Go(drawing.to(browser::x_in(&stage, &event))));
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
        // The cursor walks through the steps of the first drawing only.
        let element = step.and_then(|step| step.element).filter(|_| drawing.prefix.is_empty());
        browser::point(&stage, drawing.x(cursor), element.map(|element| element.to_string()).as_deref());
        if let Some(card) = stage.parent_element() {
            browser::align(&card, drawing.left, drawing.axis.width());
        }
    });
}
