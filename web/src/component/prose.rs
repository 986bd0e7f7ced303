//! Paragraphs with words in code and words with weight: what the lessons' Markdown has.

use yew::{Html, html};

/// A text of paragraphs that are set apart by empty lines.
pub fn prose(text: &str) -> Html {
    html! { <div class="prose">{ for text.split("\n\n").filter(|part| !part.trim().is_empty()).map(paragraph) }</div> }
}

/// One line of it, such as a point of a list.
pub fn inline(text: &str) -> Html {
    // Between backquotes stands code; what stands outside may have weight.
    let parts = text.split('`').enumerate().map(|(place, part)| match place % 2 {
        1 => html! { <code>{ part.to_owned() }</code> },
        _ => weighted(part),
    });
    html! { <>{ for parts }</> }
}

fn paragraph(text: &str) -> Html {
    let joined = text.lines().collect::<Vec<_>>();
    html! { <p>{ inline(&unwrapped(&joined)) }</p> }
}

/// The lines of a paragraph as one: set apart by a space, except between Chinese characters.
fn unwrapped(lines: &[&str]) -> String {
    lines.iter().fold(String::new(), |mut text, line| {
        let is_latin = |character: char| character.is_ascii();
        let joint = text.chars().next_back().is_some_and(is_latin) || line.chars().next().is_some_and(is_latin);
        if !text.is_empty() && joint {
            text.push(' ');
        }
        text.push_str(line.trim());
        text
    })
}

fn weighted(text: &str) -> Html {
    let parts = text.split('*').enumerate().map(|(place, part)| match place % 2 {
        1 => html! { <em>{ part.to_owned() }</em> },
        _ => html! { <>{ part.to_owned() }</> },
    });
    html! { <>{ for parts }</> }
}
