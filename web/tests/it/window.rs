use locklab_core::time::Time;
use locklab_web::{Action, Look, Move, Spot, Spotted, State, TRACK, Window};
use proptest::prelude::*;

use crate::{page, showing};

const WHOLE: i64 = TRACK as i64;

fn looked(state: &State, look: Look) -> State {
    state.after(Action::Look(look))
}

#[test]
fn a_look_nearer_keeps_the_cursor_where_it_is_seen() {
    let state = showing("expiry/gc-pause", "token-lua").after(Action::Go(Move::At(Time(10_100_000))));
    let place = |state: &State| (state.cursor.x - state.window.from) * 1_000 / state.window.length;
    let before = place(&state);
    let mut near = state.clone();
    for _ in 0..20 {
        near = looked(&near, Look::Nearer);
        assert!(near.window.shows(near.cursor.x) && (place(&near) - before).abs() <= 1, "{:?}", near.window);
    }
    assert_eq!(near.window.length, WHOLE / 16_384, "there is an end to it");
    for _ in 0..20 {
        near = looked(&near, Look::Farther);
    }
    assert!(near.window.is_whole());
    assert!(looked(&looked(&state, Look::Nearer), Look::Whole).window.is_whole());
}

#[test]
fn the_view_follows_the_cursor() {
    let state = showing("expiry/gc-pause", "token-lua").after(Action::Go(Move::First));
    let near = (0..4).fold(state, |state, _| looked(&state, Look::Nearer));
    assert!(!near.window.shows(WHOLE));
    let last = near.after(Action::Go(Move::Last));
    assert!(last.window.shows(last.cursor.x) && last.window.length == near.window.length);
    let aside = looked(&last, Look::Aside(-100));
    assert!(!aside.window.shows(aside.cursor.x), "who looks elsewhere is not called back");
    assert!(aside.after(Action::Go(Move::Back)).window.shows(aside.cursor.x));
}

#[test]
fn near_the_names_stay_and_only_what_is_near_is_drawn() {
    let state = showing("renewal/long-work", "watchdog");
    let near = (0..6).fold(state.clone(), |state, _| looked(&state, Look::Nearer));
    let (far, near) = (page(state), page(near));
    assert!(far.contains("data-zoomed=\"false\"") && near.contains("data-zoomed=\"true\""));
    let elements = |html: &str| html.matches("data-first=").count();
    assert!(elements(&near) < elements(&far), "{} {}", elements(&near), elements(&far));
    assert!(near.contains("class=\"names\"") && near.contains("class=\"legend\""));
}

#[test]
fn a_change_of_the_scenario_keeps_the_view_and_another_scenario_does_not() {
    let near = looked(&showing("expiry/gc-pause", "token-lua"), Look::Nearer);
    let fenced = near.after(Action::Lock("fenced".into()));
    assert_eq!(fenced.window.length, near.window.length);
    assert!(near.after(Action::Choose("basics/contended")).window.is_whole());
    assert!(near.after(Action::Beside("fenced".into())).window.is_whole(), "several share another axis");
}

#[test]
fn what_is_pinned_stays_explained_until_it_is_closed_or_another_run_is_played() {
    let state = showing("expiry/gc-pause", "token-lua");
    let run = state.played.run().expect("it is played").clone();
    let element = run.scene.owners[5];
    let spot = Some(Spot { place: 0, what: Spotted::Element(element), x: 1_000, y: 50 });
    let hovered = state.after(Action::Hover(spot));
    assert!(page(hovered.clone()).contains("class=\"explain\""));
    assert_eq!(hovered.after(Action::Hover(None)).explained(), (None, false));
    let pinned = state.after(Action::Pin(spot));
    let words = run.scene.words(element).en.replace('\'', "&#x27;");
    assert!(page(pinned.clone()).contains("explain pinned") && page(pinned.clone()).contains(&*words), "{words}");
    assert_eq!(pinned.after(Action::Hover(None)).explained(), (spot, true));
    assert_eq!(pinned.after(Action::Pin(spot)).pinned, None, "a second click closes it");
    assert_eq!(pinned.after(Action::Lock("fenced".into())).pinned, None);
}

fn looks() -> impl Strategy<Value = Look> {
    prop_oneof![
        Just(Look::Nearer),
        Just(Look::Farther),
        Just(Look::Whole),
        (any::<i32>(), any::<u32>()).prop_map(|(x, percent)| Look::Around { x: i64::from(x), percent }),
        any::<i64>().prop_map(Look::Along),
        (-1_000_i64..1_000).prop_map(Look::Aside),
    ]
}

proptest! {
    #[test]
    fn wherever_a_reader_looks_there_is_something_to_see(looks in prop::collection::vec(looks(), 1..40)) {
        let mut window = Window::default();
        for look in looks {
            window = window.after(look, WHOLE / 3);
            prop_assert!(window.from >= 0 && window.length > 0 && window.from + window.length <= WHOLE, "{window:?}");
            let drawn = window.drawn(Window { from: 0, length: window.length });
            prop_assert!((drawn.from - window.from).abs() <= window.length, "what is drawn reaches what is seen");
        }
    }
}
