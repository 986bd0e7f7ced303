//! What only a browser can tell, keep or do. Nothing else on the page calls it, so the rest is tested natively.
//!
//! A browser that keeps nothing (private, full) or forbids something still shows the page: what fails here is left out.

use std::rc::Rc;

use locklab_core::i18n::Language;
use locklab_core::view::svg::Theme;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Document, Element, Event, HtmlElement, KeyboardEvent, Window};

use crate::words::words;

/// The name under which the reader's choice of language is kept.
const LANGUAGE_KEY: &str = "locklab.language";

/// The name under which the reader's choice of colours is kept.
const THEME_KEY: &str = "locklab.theme";

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

/// Where a pointer is, in pixels from the left edge of an element.
pub fn x_in(element: &Element, event: &web_sys::PointerEvent) -> i64 {
    i64::from(event.client_x()) - element.get_bounding_client_rect().left() as i64
}

/// Lays a slider out under the plot of a drawing. A style that a script sets is no inline style to a content security policy.
pub fn align(stage: &Element, left: i64, width: i64) {
    let Some(stage) = stage.dyn_ref::<HtmlElement>() else { return };
    let _ = stage.style().set_property("--plot-left", &format!("{left}px"));
    let _ = stage.style().set_property("--plot-width", &format!("{width}px"));
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

/// Hears an event of the window: `resize`, `hashchange`.
pub fn hear(name: &'static str, heard: impl Fn() + 'static) -> Ongoing {
    listen(name, move |_| heard())
}

/// Hears the keys that are pressed outside fields, and takes those that mean something.
pub fn hear_keys(pressed: impl Fn(&str) -> bool + 'static) -> Ongoing {
    listen("keydown", move |event| {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else { return };
        let with_others = key.ctrl_key() || key.alt_key() || key.meta_key();
        if !with_others && !is_for(&key.key(), key.target()) && pressed(&key.key()) {
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

fn listen(name: &'static str, heard: impl Fn(Event) + 'static) -> Ongoing {
    let Some(window) = window() else { return Ongoing(None) };
    let closure = Rc::new(Closure::<dyn Fn(Event)>::new(heard));
    let _ = window.add_event_listener_with_callback(name, closure.as_ref().as_ref().unchecked_ref());
    Ongoing(Some(Box::new(move || {
        let _ = window.remove_event_listener_with_callback(name, closure.as_ref().as_ref().unchecked_ref());
    })))
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
