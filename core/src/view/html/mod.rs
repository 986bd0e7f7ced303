//! The drawing with a cursor, in one file: for a mail, a ticket, a slide.
//!
//! The file asks nothing of the network (its own content security policy says so) and needs no wasm: the steps and what every machine knew at
//! each are in it as data, and a small script moves the cursor. Two drawings are in it, one for wide screens and one for phones.

use super::svg::{Markup, Options, STYLE, StyleSheet, axis_of, svg};
use super::text::rows::{Row, rows};
use super::{Highlight, Moments, Scene, Whose, scene};
use crate::check::Report;
use crate::history::{History, Object};
use crate::i18n::{Language, Text};
use crate::say;

/// The most steps that a file holds; what is beyond is drawn, but not stepped through.
const MOST_STEPS: usize = 2_000;

/// A page of its own: title, question, drawing, cursor, and why it broke.
pub fn html(history: &History, report: &Report, language: Language) -> String {
    let scene = scene(history, Highlight::of(report, &history.header));
    let wide =
        Options { language, width: 1_160, style: StyleSheet::Outside, prefix: "wide-".into(), ..Options::default() };
    let narrow = Options { width: 380, prefix: "narrow-".into(), ..wide.clone() };
    let say = |text: &Text| text.in_language(language).to_owned();
    let title = say(&scene.title);
    let mut page = Markup::default();
    page.raw("<!doctype html>\n");
    page.open("html", &[("lang", &language.tag())]);
    page.open("head", &[]);
    page.raw("<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n");
    page.text("title", &[], &format!("{title} ({})", scene.lock));
    page.raw("<style>\n");
    page.raw(STYLE);
    page.raw(include_str!("page.css"));
    page.raw("</style>\n");
    page.close();
    page.open("body", &[]);
    page.open("main", &[]);
    page.text("h1", &[], &title);
    let played_on = format!(
        "{} · {} · {}",
        history.header.scenario,
        scene.lock,
        history.header.played_on.words().in_language(language)
    );
    page.text("p", &[("class", &"where")], &played_on);
    page.text("p", &[("class", &"question")], &say(&history.header.question));
    verdict(&mut page, report, language);
    for (class, options) in [("wide", &wide), ("narrow", &narrow)] {
        page.open("div", &[("class", &format!("drawing {class}"))]);
        page.raw(&svg(&scene, options));
        page.close();
    }
    controls(&mut page, &scene, history, language);
    cause(&mut page, report, language);
    page.close();
    let data = steps(history, &scene, language, (&wide, &narrow));
    page.raw("<script type=\"application/json\" id=\"steps\">");
    page.raw(&data);
    page.raw("</script>\n<script>\n");
    page.raw(include_str!("page.js"));
    page.raw("</script>\n");
    page.finish()
}

/// What is broken, by name, or that nothing is.
fn verdict(page: &mut Markup, report: &Report, language: Language) {
    let broken: Vec<_> = report.broken().collect();
    if !broken.is_empty() {
        page.text("h2", &[], say!("Broken promises", "被打破的承诺").in_language(language));
    }
    page.open("ul", &[("class", &"verdict")]);
    if broken.is_empty() {
        page.text("li", &[("class", &"held")], say!("nothing is broken", "没有承诺被打破").in_language(language));
    }
    for property in broken {
        page.open("li", &[("class", &"broken")]);
        page.text("b", &[], &format!("✗ {}", property.title().in_language(language)));
        page.text("span", &[], property.sentence().in_language(language));
        page.close();
    }
    page.close();
}

/// The slider, its buttons, the words of the step and what every machine knows at it.
fn controls(page: &mut Markup, scene: &Scene, history: &History, language: Language) {
    let label = |text: Text| text.in_language(language).to_owned();
    page.open("section", &[("class", &"cursor-panel"), ("aria-label", &label(say!("Step through", "逐步查看")))]);
    page.open("div", &[("class", &"controls")]);
    let buttons = [
        ("back", "‹", say!("Previous step", "上一步")),
        ("play", "▶", say!("Play or stop", "播放或停止")),
        ("next", "›", say!("Next step", "下一步")),
    ];
    for (id, sign, name) in buttons {
        let name = label(name);
        page.text("button", &[("id", &id), ("type", &"button"), ("aria-label", &name), ("title", &name)], sign);
    }
    let count = step_rows(scene).len().saturating_sub(1);
    let name = label(say!("Step", "步骤"));
    page.raw(&format!(
        "<input id=\"step\" type=\"range\" min=\"0\" max=\"{count}\" value=\"0\" aria-label=\"{name}\">\n"
    ));
    page.text("output", &[("id", &"time")], "");
    page.close();
    page.text("p", &[("id", &"words"), ("aria-live", &"polite")], "");
    page.open("dl", &[("id", &"state")]);
    for line in Moments::new(history).after(0).lines(&history.header) {
        let class = match line.whose {
            Whose::Client(client) => format!("client-{}", client.0 % 6),
            _ => "plain".into(),
        };
        page.text("dt", &[("class", &class)], line.name.in_language(language));
        page.text("dd", &[], line.state().in_language(language));
    }
    page.close();
    if rows(scene).len() > MOST_STEPS {
        let most = MOST_STEPS.to_string();
        let words = say!("The first {most} steps can be stepped through.", "可以逐步查看前 {most} 步。", most = most);
        page.text("p", &[("class", &"where")], words.in_language(language));
    }
    page.close();
}

fn cause(page: &mut Markup, report: &Report, language: Language) {
    if report.cause.is_empty() {
        return;
    }
    page.open("section", &[("class", &"cause")]);
    page.text("h2", &[], say!("What happened", "发生了什么").in_language(language));
    page.open("ol", &[]);
    for sentence in &report.cause {
        page.text("li", &[], sentence.in_language(language));
    }
    page.close();
    page.close();
}

fn step_rows(scene: &Scene) -> Vec<Row> {
    let mut rows = rows(scene);
    rows.truncate(MOST_STEPS);
    rows
}

/// The steps as JSON: time, words, place in both drawings, element, and the state lines.
fn steps(history: &History, scene: &Scene, language: Language, (wide, narrow): (&Options, &Options)) -> String {
    let moments = Moments::new(history);
    let (wide, narrow) = (axis_of(scene, wide), axis_of(scene, narrow));
    let mut list = String::from("[");
    for (index, row) in step_rows(scene).iter().enumerate() {
        let moment = moments.after(row.state as usize + 1);
        let state: Vec<String> =
            moment.lines(&history.header).iter().map(|line| line.state().in_language(language).to_owned()).collect();
        if index > 0 {
            list.push(',');
        }
        let mut step = Object::open(&mut list);
        step.field("element", &scene.owners.get(row.at.event as usize).map(ToString::to_string));
        step.field("event", &row.at.event);
        step.field("narrow", &narrow.x(row.at));
        step.field("state", &state);
        step.field("time", &row.at.at.to_string());
        step.field("wide", &wide.x(row.at));
        step.field("words", &row.words.in_language(language).to_owned());
        step.close();
    }
    list.push(']');
    // Inside a script element only `<` could end it.
    list.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::view::examples::gc_pause;

    fn page(history: &History, language: Language) -> String {
        html(history, &check(history), language)
    }

    #[test]
    fn the_file_asks_nothing_of_the_network() {
        for language in Language::ALL {
            let page = page(&gc_pause(), language);
            assert!(page.contains("default-src 'none'"));
            for outside in ["src=", "href=", "@import", "fetch(", "import("] {
                assert!(!page.contains(outside), "{outside}");
            }
            let addresses = page.matches("http").count();
            let allowed = page.matches("http://www.w3.org/2000/svg").count() + page.matches("http-equiv").count();
            assert_eq!(addresses, allowed);
        }
    }

    #[test]
    fn every_step_names_an_element_of_the_drawing_and_a_state_for_every_machine() {
        let history = gc_pause();
        let page = page(&history, Language::English);
        let data =
            page.split("id=\"steps\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("the steps");
        let steps: Vec<serde_json::Value> = serde_json::from_str(data).expect("JSON");
        assert!(steps.len() > 15);
        let machines = history.header.clients.len() + history.header.nodes.len() + history.header.resource.cells.len();
        for step in &steps {
            let element = step["element"].as_str().expect("an element");
            assert!(page.contains(&format!("id=\"wide-{element}\"")), "{element}");
            assert!(page.contains(&format!("id=\"narrow-{element}\"")), "{element}");
            assert_eq!(step["state"].as_array().map(Vec::len), Some(machines));
        }
        assert!(steps.is_sorted_by_key(|step| step["wide"].as_i64()));
    }

    #[test]
    fn a_hostile_name_cannot_leave_its_place() {
        let mut history = gc_pause();
        history.header.clients[0].name = "</script><script>alert(1)</script>".into();
        history.header.title = Text::same("</title><script>alert(1)</script>");
        let page = page(&history, Language::English);
        assert_eq!(page.matches("<script").count(), 2, "the data and the script of the page itself");
        assert_eq!(page.matches("</script>").count(), 2);
    }
}
