//! What a reader does to a drawing: with a mouse, with fingers, with the window's edge.

use std::rc::Rc;

use locklab_core::view::Element;
use yew::{Callback, NodeRef, PointerEvent, hook, use_effect_with, use_mut_ref, use_state_eq};

use super::drawing::{Drawing, Plane};
use super::gesture::{Gesture, wheeled};
use super::grab::Grab;
use crate::browser;
use crate::state::{Action, Blow, Played, Spot, Spotted, Window};

/// How long a window must rest before the drawing is made anew for it, in milliseconds.
const REST: u32 = 140;

/// The window at which the reader looked when it moved last.
#[hook]
pub fn use_rest(window: Window) -> Window {
    let rested = use_state_eq(|| window);
    let (now, set) = (*rested, rested.setter());
    use_effect_with(window, move |window| {
        let window = *window;
        let waiting = browser::soon(REST, move || set.set(window));
        move || drop(waiting)
    });
    now
}

/// Draws as wide as there is room.
#[hook]
pub fn use_fit(stage: &NodeRef, dispatch: &Callback<Action>) {
    let (stage, dispatch) = (stage.clone(), dispatch.clone());
    use_effect_with((), move |()| {
        let fit = move || {
            let room = stage.cast::<web_sys::Element>().map(|stage| stage.client_width());
            room.filter(|room| *room > 0).into_iter().for_each(|room| dispatch.emit(Action::Fit(room as u32)));
        };
        fit();
        let resized = browser::hear_resize(fit);
        move || drop(resized)
    });
}

/// Turns of the wheel. What they mean depends on the plane of the moment, not on that of the first drawing.
#[hook]
pub fn use_wheel(stage: &NodeRef, plane: Plane, dispatch: &Callback<Action>) {
    let latest = use_mut_ref(|| plane);
    *latest.borrow_mut() = plane;
    let (stage, dispatch) = (stage.clone(), dispatch.clone());
    use_effect_with((), move |()| {
        let heard = stage.cast::<web_sys::Element>().map(|stage| {
            browser::hear_wheel(&stage, move |x, turned, with_control| {
                let meant = wheeled(x, turned, with_control, &latest.borrow());
                meant.map(|action| dispatch.emit(action)).is_some()
            })
        });
        move || drop(heard)
    });
}

/// Every event of every pointer on a drawing: drags, pinches, clicks, and where it hovers.
#[hook]
pub fn use_pointers(
    stage: &NodeRef,
    drawing: &Rc<Option<Drawing>>,
    plane: Plane,
    place: usize,
    played: &Rc<Played>,
    dispatch: &Callback<Action>,
) -> Callback<PointerEvent> {
    let gesture = use_mut_ref(Gesture::default);
    let grab = use_mut_ref(|| None::<Grab>);
    let hovered = use_mut_ref(|| None::<Spot>);
    let (stage, drawing, played, dispatch) = (stage.clone(), drawing.clone(), played.clone(), dispatch.clone());
    Callback::from(move |event: PointerEvent| {
        let (Some(stage), Some(drawing)) = (stage.cast::<web_sys::Element>(), &*drawing) else { return };
        let (x, y) = browser::place_in(&stage, &event);
        let mut gesture = gesture.borrow_mut();
        let spot = || {
            let what = drawing.spotted(&browser::id_under(&event)?)?;
            let can_be_struck = |whose| place == 0 && !played.is_recorded() && !Blow::of(whose).is_empty();
            let is_told =
                matches!(what, Spotted::Element(_)) || matches!(what, Spotted::Lane(whose) if can_be_struck(whose));
            is_told.then(|| Spot { place, what, x: plane.place(x), y })
        };
        let elements = || -> Vec<Element> {
            let ids = browser::ids_under(&event).into_iter();
            ids.filter_map(|id| drawing.spotted(&id)?.element()).collect()
        };
        let mut grab = grab.borrow_mut();
        match &*event.type_() {
            "pointerdown" if event.button() == 0 && !browser::is_on_card(&event) => {
                browser::capture(&stage, &event);
                // What is compared beside follows the first run: faults are taken hold of there.
                // A second finger makes of a hold a pinch.
                if let Some((first, start)) = grab.take().map(|grab| grab.pointer()) {
                    gesture.down(first, start, &plane);
                } else if place == 0 && !gesture.is_going_on() {
                    *grab = Grab::of(&played, &elements(), plane, (event.pointer_id(), x));
                    if grab.is_some() {
                        return;
                    }
                }
                gesture.down(event.pointer_id(), x, &plane).into_iter().for_each(|action| dispatch.emit(action));
            }
            "pointermove" if grab.is_some() => {
                let turned = grab.as_mut().and_then(|grab| grab.moved(&played, x));
                turned.into_iter().for_each(|(number, turn)| dispatch.emit(Action::Turn(number, turn)));
            }
            "pointermove" if gesture.is_going_on() => {
                gesture.moved(event.pointer_id(), x, &plane).into_iter().for_each(|action| dispatch.emit(action));
            }
            // A finger explains by a tap.
            "pointermove" if event.pointer_type() == "mouse" && !browser::is_on_card(&event) => {
                let spot = spot().filter(|spot| spot.element().is_some());
                let held = if place == 0 { Grab::of(&played, &elements(), plane, (0, x)) } else { None };
                browser::can_hold(&stage, held.map(|grab| grab.hold()));
                let mut hovered = hovered.borrow_mut();
                if hovered.map(|spot| spot.what) != spot.map(|spot| spot.what) {
                    *hovered = spot;
                    dispatch.emit(Action::Hover(spot));
                }
            }
            "pointerup" if grab.is_some() => {
                let is_click = grab.take().is_some_and(|grab| !grab.is_moving());
                if is_click {
                    dispatch.emit(Action::Go(plane.to(x)));
                    dispatch.emit(Action::Pin(spot()));
                }
            }
            "pointerup" => {
                let is_tap = gesture.up(event.pointer_id());
                if is_tap {
                    if !plane.window.is_whole() {
                        dispatch.emit(Action::Go(plane.to(x)));
                    }
                    dispatch.emit(Action::Pin(spot()));
                }
            }
            "pointercancel" => {
                *grab = None;
                gesture.up(event.pointer_id());
            }
            "pointerleave" if hovered.borrow_mut().take().is_some() => dispatch.emit(Action::Hover(None)),
            _ => {}
        }
    })
}
