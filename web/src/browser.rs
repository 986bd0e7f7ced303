//! What only a browser can tell, keep or do. Nothing else on the page calls it, so the rest is tested natively.
//!
//! A browser that keeps nothing (private, full) or forbids something still shows the page: what fails here is left out.

pub mod worker;

use std::rc::Rc;

use locklab_core::i18n::Language;
use locklab_core::view::svg::Theme;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Document, Element, Event, HashChangeEvent, HtmlElement, KeyboardEvent, Window};

use crate::state::Hold;
use crate::words::words;

/// Where the loading script leaves its request for the texts of the scenarios.
const SCENARIOS: &str = "scenarios";

/// The name under which the reader's choice of language is kept.
const LANGUAGE_KEY: &str = "locklab.language";

/// The name under which the reader's choice of colours is kept.
const THEME_KEY: &str = "locklab.theme";

/// The name under which the reader's solved levels are kept.
const GAME_KEY: &str = "locklab.game";

/// The language to start with: what the address asks for (`?lang=zh`), else what the reader chose last time, else the
/// first of the browser's own that the page speaks, else English.
pub fn preferred_language() -> Language {
    asked_language().or_else(|| Language::from_tag(&kept(LANGUAGE_KEY)?)).or_else(own_language).unwrap_or_default()
}

/// The colours that the reader chose last time, else the system's.
pub fn preferred_theme() -> Theme {
    match kept(THEME_KEY).as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::Auto,
    }
}

/// The solved levels that the browser has kept.
pub fn kept_game() -> String {
    kept(GAME_KEY).unwrap_or_default()
}

/// Keeps the solved levels for the next visit.
pub fn keep_game(solved: &str) {
    if !solved.is_empty() {
        keep(GAME_KEY, solved);
    }
}

/// The width that a drawing will have before anybody has measured it.
pub fn likely_width() -> u32 {
    let width = window().and_then(|window| window.inner_width().ok()?.as_f64()).unwrap_or(1_280.0) as u32;
    width.clamp(200, 1_280)
}

/// Tells document and browser of the language that the page speaks now, and keeps it for the next visit.
pub fn announce_language(language: Language) {
    let Some(document) = document() else { return };
    document.set_title(words(language).title);
    if let Some(root) = document.document_element() {
        let _ = root.set_attribute("lang", language.tag());
    }
    keep(LANGUAGE_KEY, language.tag());
}

/// Paints the document in these colours, and keeps them for the next visit.
pub fn paint(theme: Theme) {
    let Some(root) = document().and_then(|document| document.document_element()) else { return };
    let (class, kept) = match theme {
        Theme::Auto => ("locklab", "auto"),
        Theme::Light => ("locklab light", "light"),
        Theme::Dark => ("locklab dark", "dark"),
    };
    root.set_class_name(class);
    keep(THEME_KEY, kept);
}

/// What the address bar says: a run or a view.
pub fn address() -> Option<String> {
    let hash = window()?.location().hash().ok()?;
    let address = hash.trim_start_matches('#');
    (!address.is_empty()).then(|| address.to_owned())
}

/// Writes a run or a view into the address bar, in place of the one before.
pub fn write_address(address: &str) {
    let Some(history) = window().and_then(|window| window.history().ok()) else { return };
    let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&format!("#{address}")));
}

/// Puts a text into the reader's clipboard.
pub fn copy(text: &str) {
    let Some(window) = window() else { return };
    // A browser that refuses has told its reader so already.
    let refused = Closure::once(|_: wasm_bindgen::JsValue| {});
    let _ = window.navigator().clipboard().write_text(text).catch(&refused);
    refused.forget();
}

/// The link to what is in the address bar.
pub fn link() -> String {
    window().and_then(|window| window.location().href().ok()).unwrap_or_default()
}

/// Brings the text of one of the page's own files; where it cannot be brought, nothing comes.
pub fn fetch(path: &str, then: impl FnOnce(String) + 'static) {
    let Some(answer) = window().map(|window| window.fetch_with_str(path)) else { return };
    wasm_bindgen_futures::spawn_local(async move {
        if let Some(text) = body(answer).await {
            then(text);
        }
    });
}

async fn body(answer: js_sys::Promise) -> Option<String> {
    let response: web_sys::Response = wasm_bindgen_futures::JsFuture::from(answer).await.ok()?.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    wasm_bindgen_futures::JsFuture::from(response.text().ok()?).await.ok()?.as_string()
}

/// Begins when the texts of the scenarios are there, in the page or in a worker: the script that loads the module has asked for them before it.
/// A page whose server has lost them does not begin.
pub fn start(begin: impl FnOnce(String) + 'static) {
    let asked = js_sys::Reflect::get(&js_sys::global(), &SCENARIOS.into());
    let Some(asked) = asked.ok().and_then(|asked| asked.dyn_into::<js_sys::Promise>().ok()) else { return };
    wasm_bindgen_futures::spawn_local(async move {
        if let Some(scenarios) = body(asked).await {
            begin(scenarios);
        }
    });
}

/// The link to the timeline alone of the run that is in the address bar.
pub fn embed_link() -> String {
    let Some(location) = window().map(|window| window.location()) else { return String::new() };
    let part = |part: Result<String, wasm_bindgen::JsValue>| part.unwrap_or_default();
    format!("{}{}?embed{}", part(location.origin()), part(location.pathname()), part(location.hash()))
}

/// Gives the reader a file.
pub fn save(name: &str, mime: &str, text: &str) {
    let _ = try_save(name, mime, text);
}

fn try_save(name: &str, mime: &str, text: &str) -> Option<()> {
    let parts = js_sys::Array::of1(&text.into());
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(mime);
    let blob = web_sys::Blob::new_with_str_sequence_and_options(&parts, &options).ok()?;
    let url = web_sys::Url::create_object_url_with_blob(&blob).ok()?;
    let link: web_sys::HtmlAnchorElement = document()?.create_element("a").ok()?.dyn_into().ok()?;
    link.set_href(&url);
    link.set_download(name);
    link.click();
    web_sys::Url::revoke_object_url(&url).ok()
}

/// Shows the cursor in a drawing, this many pixels from the left edge of its plot, and marks the element that is told.
pub fn point(stage: &Element, x: i64, element: Option<&str>) {
    if let Ok(Some(line)) = stage.query_selector("svg .cursor") {
        for end in ["x1", "x2"] {
            let _ = line.set_attribute(end, &x.to_string());
        }
        let _ = line.class_list().add_1("shown");
    }
    while let Ok(Some(old)) = stage.query_selector(".element.current") {
        let _ = old.class_list().remove_1("current");
    }
    let told = element.and_then(|id| document()?.get_element_by_id(id));
    if let Some(told) = told.filter(|told| stage.contains(Some(told))) {
        let _ = told.class_list().add_1("current");
    }
}

/// Marks the element of a drawing that stays explained, and no other.
pub fn mark(stage: &Element, element: Option<&str>) {
    while let Ok(Some(old)) = stage.query_selector(".element.pinned") {
        let _ = old.class_list().remove_1("pinned");
    }
    let marked = element.and_then(|id| document()?.get_element_by_id(id));
    if let Some(marked) = marked.filter(|marked| stage.contains(Some(marked))) {
        let _ = marked.class_list().add_1("pinned");
    }
}

/// Moves what moves on a drawing, this many pixels to the right of where it was drawn.
pub fn shift(stage: &Element, x: i64) {
    let Ok(moving) = stage.query_selector_all(".moving") else { return };
    for index in 0..moving.length() {
        let group = moving.item(index).and_then(|node| node.dyn_into::<web_sys::SvgElement>().ok());
        if let Some(group) = group {
            let _ = group.style().set_property("transform", &format!("translateX({x}px)"));
        }
    }
}

/// Where a pointer is, in the element's own pixels from its left and its top edge: large type makes them larger than the window's.
pub fn place_in(element: &Element, event: &web_sys::MouseEvent) -> (i64, i64) {
    let room = element.get_bounding_client_rect();
    let own = f64::from(element.client_width()) / room.width().max(1.0);
    let place = |at: i32, edge: f64| ((f64::from(at) - edge.floor()) * own) as i64;
    (place(event.client_x(), room.left()), place(event.client_y(), room.top()))
}

/// The id of the drawn element under a pointer, also while another element has captured the pointer.
pub fn id_under(event: &web_sys::PointerEvent) -> Option<String> {
    let under = document()?.element_from_point(event.client_x() as f32, event.client_y() as f32)?;
    Some(under.closest(".element[id], .lane[id]").ok()??.id())
}

/// The ids of all drawn elements under a pointer, the topmost first.
pub fn ids_under(event: &web_sys::PointerEvent) -> Vec<String> {
    let (x, y) = (event.client_x() as f32, event.client_y() as f32);
    let under = document().map(|document| document.elements_from_point(x, y)).unwrap_or_default();
    let elements =
        under.iter().filter_map(|element| element.dyn_into::<Element>().ok()?.closest(".element[id]").ok()?);
    let mut ids: Vec<String> = elements.map(|element| element.id()).collect();
    ids.dedup();
    ids
}

/// Shows a reader by the pointer's form what can be taken hold of.
pub fn can_hold(stage: &Element, hold: Option<Hold>) {
    let _ = match hold {
        None => stage.remove_attribute("data-hold"),
        Some(Hold::All) => stage.set_attribute("data-hold", "all"),
        Some(Hold::End) => stage.set_attribute("data-hold", "end"),
    };
}

/// Whether a pointer is on a card that lies over a drawing.
pub fn is_on_card(event: &web_sys::PointerEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.closest(".explain").ok().flatten().is_some())
}

/// An element hears of a pointer until it goes up, wherever it goes.
pub fn capture(element: &Element, event: &web_sys::PointerEvent) {
    let _ = element.set_pointer_capture(event.pointer_id());
}

/// Puts a card beside a place of the element that it lies in, where there is room for it.
pub fn put(card: &HtmlElement, x: i64, y: i64) {
    let Some(around) = card.parent_element() else { return };
    let (width, height) = (i64::from(card.offset_width()), i64::from(card.offset_height()));
    let left = (x - width / 2).clamp(4, (i64::from(around.client_width()) - width - 4).max(4));
    let top = if y > height + 24 { y - height - 16 } else { y + 20 };
    let _ = card.style().set_property("transform", &format!("translate({left}px, {top}px)"));
    let _ = card.class_list().add_1("placed");
}

/// Lays a slider out under the plot of a drawing, and shows on it which part of the axis is seen. A style that a script sets is no inline
/// style to a content security policy.
pub fn align(card: &Element, left: i64, width: i64, seen: (i64, i64)) {
    let Some(card) = card.dyn_ref::<HtmlElement>() else { return };
    let percent = |units: i64| format!("{}%", units as f64 * 100.0 / f64::from(crate::state::TRACK));
    let _ = card.style().set_property("--plot-left", &format!("{left}px"));
    let _ = card.style().set_property("--plot-width", &format!("{width}px"));
    let _ = card.style().set_property("--seen-from", &percent(seen.0));
    let _ = card.style().set_property("--seen-until", &percent(seen.0 + seen.1));
}

/// Whether the reader's system asks for little motion.
pub fn prefers_stillness() -> bool {
    let query = "(prefers-reduced-motion: reduce)";
    window().and_then(|window| window.match_media(query).ok()?).is_some_and(|list| list.matches())
}

/// Something that goes on until it is dropped.
pub struct Ongoing(Option<Box<dyn FnOnce()>>);

impl Drop for Ongoing {
    fn drop(&mut self) {
        self.0.take().into_iter().for_each(|end| end());
    }
}

/// Hears that the window has another size.
pub fn hear_resize(heard: impl Fn() + 'static) -> Ongoing {
    listen("resize", move |_| heard())
}

/// Hears that the reader goes to another run or view, by a link, a step back or the address bar: where to, whatever the page may have written
/// into the bar since.
pub fn hear_visits(visited: impl Fn(String) + 'static) -> Ongoing {
    listen("hashchange", move |event| {
        let url = event.dyn_ref::<HashChangeEvent>().map(HashChangeEvent::new_url).unwrap_or_default();
        if let Some((_, address)) = url.split_once('#').filter(|(_, address)| !address.is_empty()) {
            visited(address.to_owned());
        }
    })
}

/// Tells whoever hears of `resize` that there is another room to draw in, though the window is the same.
pub fn tell_of_resize() {
    if let (Some(window), Ok(event)) = (window(), Event::new("resize")) {
        let _ = window.dispatch_event(&event);
    }
}

/// Hears the keys that are pressed outside fields, and takes those that mean something. A key is named as the browser does, after those that
/// are held: `Shift+ArrowLeft`, `Ctrl+z`.
pub fn hear_keys(pressed: impl Fn(&str) -> bool + 'static) -> Ongoing {
    listen("keydown", move |event| {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else { return };
        let name = match key.ctrl_key() || key.meta_key() {
            true if key.shift_key() => format!("Ctrl+Shift+{}", key.key().to_ascii_lowercase()),
            true => format!("Ctrl+{}", key.key()),
            // A letter says by itself that it is a capital one.
            false if key.shift_key() && key.key().len() > 1 => format!("Shift+{}", key.key()),
            false => key.key(),
        };
        if !key.alt_key() && !is_for(&name, key.target()) && pressed(&name) {
            key.prevent_default();
        }
    })
}

/// Whether a key means something to the element that has the focus.
fn is_for(key: &str, target: Option<web_sys::EventTarget>) -> bool {
    let Some(element) = target.and_then(|target| target.dyn_into::<Element>().ok()) else { return false };
    match element.tag_name().as_str() {
        "TEXTAREA" | "SELECT" => true,
        // The slider of the cursor moves step by step: the page's own keys do that.
        "INPUT" => !element.class_list().contains("instant"),
        "BUTTON" | "SUMMARY" | "A" => key == " ",
        _ => false,
    }
}

/// Hears the wheel over an element: where, how far sideways and down in pixels, and whether Ctrl is held. What means something does not scroll
/// the page.
pub fn hear_wheel(element: &Element, turned: impl Fn(i64, (i64, i64), bool) -> bool + 'static) -> Ongoing {
    let place = element.clone();
    listen_on(element.clone().into(), "wheel", move |event| {
        let Some(wheel) = event.dyn_ref::<web_sys::WheelEvent>() else { return };
        let (x, _) = place_in(&place, wheel);
        let scale = if wheel.delta_mode() == web_sys::WheelEvent::DOM_DELTA_PIXEL { 1.0 } else { 16.0 };
        let (sideways, down) = ((wheel.delta_x() * scale) as i64, (wheel.delta_y() * scale) as i64);
        // With Shift a mouse scrolls sideways; browsers differ in whether they say so.
        let turn = if wheel.shift_key() && sideways == 0 { (down, 0) } else { (sideways, down) };
        if turned(x, turn, wheel.ctrl_key() || wheel.meta_key()) {
            wheel.prevent_default();
        }
    })
}

fn listen(name: &'static str, heard: impl Fn(Event) + 'static) -> Ongoing {
    window().map_or(Ongoing(None), |window| listen_on(window.into(), name, heard))
}

fn listen_on(target: web_sys::EventTarget, name: &'static str, heard: impl Fn(Event) + 'static) -> Ongoing {
    let closure = Rc::new(Closure::<dyn Fn(Event)>::new(heard));
    let options = web_sys::AddEventListenerOptions::new();
    options.set_passive(false);
    let function: &js_sys::Function = closure.as_ref().as_ref().unchecked_ref();
    let _ = target.add_event_listener_with_callback_and_add_event_listener_options(name, function, &options);
    Ongoing(Some(Box::new(move || {
        let _ = target.remove_event_listener_with_callback(name, closure.as_ref().as_ref().unchecked_ref());
    })))
}

/// What an input or a list says now.
pub fn value_of(event: &Event) -> Option<String> {
    let target = event.target()?;
    let select = target.dyn_ref::<web_sys::HtmlSelectElement>().map(web_sys::HtmlSelectElement::value);
    select.or_else(|| target.dyn_ref::<web_sys::HtmlInputElement>().map(web_sys::HtmlInputElement::value))
}

/// Reads the first of some files as text, unless it is larger than so many bytes; then only its name is told.
pub fn read_file(files: &web_sys::FileList, most: usize, told: impl FnOnce(String, Option<String>) + 'static) {
    let Some(file) = files.get(0) else { return };
    if file.size() > most as f64 {
        return told(file.name(), None);
    }
    wasm_bindgen_futures::spawn_local(async move {
        let text = wasm_bindgen_futures::JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
        if let Some(text) = text {
            told(file.name(), Some(text));
        }
    });
}

/// The files that a reader has chosen in a field.
pub fn chosen_files(event: &Event) -> Option<web_sys::FileList> {
    let field = event.target()?.dyn_into::<web_sys::HtmlInputElement>().ok()?;
    let files = field.files();
    // The same file, chosen again, is to be read again.
    files.filter(|files| files.length() > 0)
}

/// Hears of files that are dropped anywhere on the page, and shows by a class of the document that they can be.
pub fn hear_drops(dropped: impl Fn(web_sys::FileList) + 'static) -> [Ongoing; 3] {
    let mark = |is_over: bool| {
        let root = document().and_then(|document| document.document_element());
        let _ = root.map(|root| root.class_list().toggle_with_force("dropping", is_over));
    };
    let over = listen("dragover", move |event| {
        if files_of(&event).is_some() {
            event.prevent_default();
            mark(true);
        }
    });
    let left = listen("dragleave", move |event| {
        let is_outside = event.dyn_ref::<web_sys::DragEvent>().is_some_and(|drag| drag.related_target().is_none());
        if is_outside {
            mark(false);
        }
    });
    let drop = listen("drop", move |event| {
        if let Some(files) = files_of(&event) {
            event.prevent_default();
            mark(false);
            dropped(files);
        }
    });
    [over, left, drop]
}

/// The files that are dragged; while they are not dropped, nobody sees what they are.
fn files_of(event: &Event) -> Option<web_sys::FileList> {
    let transfer = js_sys::Reflect::get(event, &"dataTransfer".into()).ok().filter(|transfer| !transfer.is_falsy())?;
    let types = js_sys::Array::from(&js_sys::Reflect::get(&transfer, &"types".into()).ok()?);
    types.includes(&"Files".into(), 0).then_some(())?;
    js_sys::Reflect::get(&transfer, &"files".into()).ok()?.dyn_into().ok()
}

/// Gives the focus to an element of an id where something else in its list has it, and scrolls the list so that the element is seen.
pub fn follow(list: &HtmlElement, id: &str) {
    let Some(document) = document() else { return };
    let element = document.get_element_by_id(id).and_then(|element| element.dyn_into::<HtmlElement>().ok());
    let Some(element) = element.filter(|element| list.contains(Some(element))) else { return };
    if document.active_element().is_some_and(|active| list.contains(Some(&active))) {
        let _ = element.focus();
    }
    let (top, bottom) = (element.offset_top(), element.offset_top() + element.offset_height());
    if top < list.scroll_top() || bottom > list.scroll_top() + list.client_height() {
        list.set_scroll_top(top - list.client_height() / 3);
    }
}

/// Where the caret of a field stands, in bytes of its text.
pub fn caret(field: &web_sys::HtmlTextAreaElement) -> usize {
    let units = field.selection_start().ok().flatten().unwrap_or(0) as usize;
    let mut passed = 0;
    let text = field.value();
    let before = text.chars().take_while(|char| {
        passed += char.len_utf16();
        passed <= units
    });
    before.map(char::len_utf8).sum()
}

/// Puts the caret of a field at a byte of its text.
pub fn set_caret(field: &web_sys::HtmlTextAreaElement, at: usize) {
    let units = field.value().get(..at).map_or(0, |before| before.encode_utf16().count()) as u32;
    let _ = field.set_selection_range(units, units);
}

/// Puts a list below a line and a column of the text around it.
pub fn put_in_text(list: &HtmlElement, line: usize, column: usize) {
    let _ = list.style().set_property("--line", &line.to_string());
    let _ = list.style().set_property("--column", &column.to_string());
}

/// Whether a `details` element is open now.
pub fn is_open(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|element| element.has_attribute("open"))
}

/// What a field of several lines says now.
pub fn text_of(event: &Event) -> Option<String> {
    event.target()?.dyn_into::<web_sys::HtmlTextAreaElement>().ok().map(|field| field.value())
}

/// The id of the element at which an event happens.
pub fn id_at(event: &Event) -> Option<String> {
    Some(event.target()?.dyn_into::<Element>().ok()?.id())
}

/// Gives the focus to the element of an id; false: there is none.
pub fn focus(id: &str) -> bool {
    let element = document().and_then(|document| document.get_element_by_id(id)?.dyn_into::<HtmlElement>().ok());
    element.is_some_and(|element| element.focus().is_ok())
}

/// Does something every so many milliseconds.
pub fn every(millis: u32, tick: impl Fn() + 'static) -> Ongoing {
    let Some(window) = window() else { return Ongoing(None) };
    let closure = Closure::<dyn Fn()>::new(tick);
    let callback = closure.as_ref().unchecked_ref();
    let Ok(id) = window.set_interval_with_callback_and_timeout_and_arguments_0(callback, millis as i32) else {
        return Ongoing(None);
    };
    Ongoing(Some(Box::new(move || {
        window.clear_interval_with_handle(id);
        drop(closure);
    })))
}

/// Whether the address asks for the timeline alone (`?embed`).
pub fn wants_embed() -> bool {
    asked().iter().any(|asked| asked == "embed")
}

/// Does something once, in so many milliseconds.
pub fn soon(millis: u32, act: impl Fn() + 'static) -> Ongoing {
    let Some(window) = window() else { return Ongoing(None) };
    let closure = Closure::<dyn Fn()>::new(act);
    let callback = closure.as_ref().unchecked_ref();
    let Ok(id) = window.set_timeout_with_callback_and_timeout_and_arguments_0(callback, millis as i32) else {
        return Ongoing(None);
    };
    Ongoing(Some(Box::new(move || {
        window.clear_timeout_with_handle(id);
        drop(closure);
    })))
}

fn asked_language() -> Option<Language> {
    asked().iter().find_map(|asked| Language::from_tag(asked.strip_prefix("lang=")?))
}

/// What stands after the `?` of the address, part by part.
fn asked() -> Vec<String> {
    let query = window().and_then(|window| window.location().search().ok()).unwrap_or_default();
    query.trim_start_matches('?').split('&').map(str::to_owned).collect()
}

fn own_language() -> Option<Language> {
    let languages = window()?.navigator().languages();
    languages.iter().find_map(|tag| Language::from_tag(&tag.as_string()?))
}

fn window() -> Option<Window> {
    web_sys::window()
}

fn document() -> Option<Document> {
    window()?.document()
}

/// Access itself may be refused, not only reading.
fn storage() -> Option<web_sys::Storage> {
    window()?.local_storage().ok()?
}

fn kept(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

fn keep(key: &str, value: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(key, value);
    }
}
