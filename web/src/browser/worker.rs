//! The worker beside the page: the same script and the same module, which finds that it has no window.

use std::rc::Rc;

use locklab_core::say;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{DedicatedWorkerGlobalScope, Event, MessageEvent, Worker, WorkerOptions};

use super::Ongoing;
use crate::errand::{Errand, Report};

/// The script that loads the module, here as in the page.
const SCRIPT: &str = "./start.js";

/// What a worker says first. What is said to it before is lost: it hears nothing until its module is loaded.
const READY: &str = "ready";

/// Where this is a worker and no page, waits for an errand and does it; else false.
pub fn serve() -> bool {
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return false };
    let page = scope.clone();
    let heard = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let errand = event.data().as_string().and_then(|text| Errand::parse(&text));
        if let Some(errand) = errand {
            errand.run(js_sys::Date::now, |report| drop(page.post_message(&report.to_text().into())));
        }
    });
    scope.set_onmessage(Some(heard.as_ref().unchecked_ref()));
    heard.forget();
    let _ = scope.post_message(&READY.into());
    true
}

/// Has an errand done in a worker of its own, which ends when this is dropped, wherever it is.
pub fn send(errand: Errand, told: impl Fn(Report) + 'static) -> Ongoing {
    let options = WorkerOptions::new();
    let _ = js_sys::Reflect::set(&options, &"type".into(), &"module".into());
    let Ok(worker) = Worker::new_with_options(SCRIPT, &options) else {
        told(ended());
        return Ongoing(None);
    };
    let told = Rc::new(told);
    let heard = {
        let (worker, told) = (worker.clone(), told.clone());
        Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            let said = event.data().as_string().unwrap_or_default();
            if said == READY {
                let _ = worker.post_message(&errand.to_text().into());
            } else if let Some(report) = Report::parse(&said) {
                told(report);
            }
        })
    };
    let failed = Closure::<dyn Fn(Event)>::new(move |_| told(ended()));
    worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
    worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
    Ongoing(Some(Box::new(move || {
        worker.terminate();
        drop((heard, failed));
    })))
}

/// The browser would not start the worker, or has ended it.
fn ended() -> Report {
    Report::Failed(say!(
        "the browser ended the work: too little memory, perhaps",
        "浏览器终止了这项工作，可能是内存不足"
    ))
}
