//! The page's effects on the world around it, in one place: document, address bar, keys, size, time.

use locklab_core::i18n::Language;
use locklab_core::lesson::COURSE;
use yew::{Callback, UseReducerHandle, hook, use_effect_with};

use crate::browser;
use crate::errand::Errand;
use crate::state::{Action, Asked, Brought, LARGEST_FILE, Look, Move, Seek, State, Study, Try, Turned, View, Weigh};

/// How often a moving cursor moves, in milliseconds.
const FRAME: u32 = 40;

/// How often it jumps for readers who asked for little motion.
const JUMP: u32 = 1_200;

/// How long a worker may take to read a file, in milliseconds.
const LONGEST_READ: u32 = 8_000;

/// How long what the address bar says must have stood before it is written, in milliseconds.
const REST: u32 = 250;

/// Keeps the browser in step with the state, and the state with the browser.
#[hook]
pub fn use_effects(state: &UseReducerHandle<State>, dispatch: &Callback<Action>) {
    use_effect_with(state.language, |language| browser::announce_language(*language));
    use_effect_with(state.theme, |theme| browser::paint(*theme));
    use_effect_with(state.class.large, |_| browser::tell_of_resize());
    // Another run or view is written at once. A browser lets a page write only so often: a cursor is written once it rests.
    use_effect_with((state.view, state.played.address()), {
        let place = state.place();
        move |_| place.iter().for_each(|place| browser::write_address(place))
    });
    use_effect_with(state.place(), |place| {
        let place = place.clone();
        let written = browser::soon(REST, move || place.iter().for_each(|place| browser::write_address(place)));
        move || drop(written)
    });
    let wanted = if state.view == View::Lessons { state.class.wanted(state.language) } else { Vec::new() };
    use_effect_with((wanted, state.language), {
        let dispatch = dispatch.clone();
        move |(wanted, language)| {
            for lesson in wanted.iter().copied() {
                let (dispatch, language) = (dispatch.clone(), *language);
                browser::fetch(&lesson_file(lesson, language), move |text| {
                    dispatch.emit(Action::Study(Study::Arrived { lesson, language, text }));
                });
            }
        }
    });
    // A search that is no longer wanted ends with its worker.
    use_effect_with(state.quarry(), {
        let dispatch = dispatch.clone();
        move |quarry| {
            let tell = move |report| dispatch.emit(Action::Seek(Seek::Heard(report)));
            let working = quarry.clone().map(|quarry| browser::worker::send(Errand::Search(quarry), tell));
            move || drop(working)
        }
    });
    use_survey(state, dispatch, Asked::Edge);
    use_survey(state, dispatch, Asked::Odds);
    use_effect_with(state.wants_cells(), {
        let (dispatch, sheet) = (dispatch.clone(), state.sheet.clone());
        move |wanted| {
            let tell = move |report| dispatch.emit(Action::Sheet(Turned::Heard(report)));
            let working = wanted.as_ref().map(|_| browser::worker::send(Errand::Compare(sheet.missing()), tell));
            move || drop(working)
        }
    });
    // A file that is read too slowly is not read at all: the page never waits.
    use_effect_with(state.reading.clone(), {
        let dispatch = dispatch.clone();
        move |reading| {
            let (told, late) = (dispatch.clone(), dispatch.clone());
            let going = reading.clone().map(|reading| {
                let tell = move |report| told.emit(Action::Bring(Brought::Heard(report)));
                let reading = browser::worker::send(Errand::Read(reading.text.clone()), tell);
                (reading, browser::soon(LONGEST_READ, move || late.emit(Action::Bring(Brought::TooLong))))
            });
            move || drop(going)
        }
    });
    use_effect_with((), {
        let dispatch = dispatch.clone();
        move |()| {
            let dropped = browser::hear_drops(move |files| bring(&files, &dispatch));
            move || drop(dropped)
        }
    });
    let unsearched = if state.view == View::Game { state.game.unsearched() } else { None };
    use_effect_with(unsearched, {
        let dispatch = dispatch.clone();
        move |unsearched| {
            let tell = move |report| dispatch.emit(Action::Try(Try::Heard(report)));
            let searching = unsearched.map(|level| browser::worker::send(Errand::Level(level), tell));
            move || drop(searching)
        }
    });
    use_effect_with(state.game.kept(), |kept| browser::keep_game(kept));
    use_effect_with(state.playing, {
        let dispatch = dispatch.clone();
        move |playing| {
            let moving = playing.then(|| match browser::prefers_stillness() {
                true => browser::every(JUMP, move || dispatch.emit(Action::Pass(JUMP))),
                false => browser::every(FRAME, move || dispatch.emit(Action::Pass(FRAME))),
            });
            move || drop(moving)
        }
    });
    use_effect_with(state.view, {
        let dispatch = dispatch.clone();
        move |view| {
            let view = *view;
            let keys =
                browser::hear_keys(move |key| action_of(key, view).map(|action| dispatch.emit(action)).is_some());
            move || drop(keys)
        }
    });
    use_effect_with((), {
        let dispatch = dispatch.clone();
        move |()| {
            let opened = browser::hear_visits(move |address| dispatch.emit(Action::Open(address)));
            move || drop(opened)
        }
    });
}

/// Has a worker look for the answer to a longer question, for as long as it is wanted.
#[hook]
fn use_survey(state: &UseReducerHandle<State>, dispatch: &Callback<Action>, asked: Asked) {
    let dispatch = dispatch.clone();
    use_effect_with(state.survey_errand(asked), move |errand| {
        let tell = move |report| dispatch.emit(Action::Weigh(Weigh::Heard(asked, report)));
        let working = errand.clone().map(|errand| browser::worker::send(errand, tell));
        move || drop(working)
    });
}

/// Reads a file that the reader has chosen or dropped.
pub fn bring(files: &web_sys::FileList, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    browser::read_file(files, LARGEST_FILE, move |name, text| {
        dispatch.emit(Action::Bring(match text {
            Some(text) => Brought::File { name, text },
            None => Brought::Refused { name },
        }));
    });
}

/// Where the text of a lesson lies beside the page.
fn lesson_file(lesson: usize, language: Language) -> String {
    format!("./lesson-{}-{}.md", language.tag(), COURSE[lesson])
}

/// What a key means in a view, as its name is in the browser.
fn action_of(key: &str, view: View) -> Option<Action> {
    match view {
        View::Run | View::Embed => step_by(key),
        View::Search | View::Matrix => None,
        View::Game => step_by(key),
        View::Lessons => through_lesson(key).or_else(|| step_by(key)),
    }
}

/// The keys of a presenter's remote.
fn through_lesson(key: &str) -> Option<Action> {
    match key {
        "PageDown" => Some(Action::Study(Study::On)),
        "PageUp" => Some(Action::Study(Study::Back)),
        _ => None,
    }
}

/// The keys that move the cursor and the view.
fn step_by(key: &str) -> Option<Action> {
    Some(match key {
        "ArrowLeft" => Action::Go(Move::Back),
        "ArrowRight" => Action::Go(Move::Next),
        "Home" => Action::Go(Move::First),
        "End" => Action::Go(Move::Last),
        " " => Action::Play,
        "+" | "=" => Action::Look(Look::Nearer),
        "-" => Action::Look(Look::Farther),
        "0" => Action::Look(Look::Whole),
        "Shift+ArrowLeft" => Action::Look(Look::Aside(-25)),
        "Shift+ArrowRight" => Action::Look(Look::Aside(25)),
        "p" => Action::PinStep,
        "Escape" => Action::Pin(None),
        "Ctrl+z" => Action::Undo,
        "Ctrl+Shift+z" | "Ctrl+y" => Action::Redo,
        _ => return None,
    })
}
