//! How likely it breaks: property by property, where it comes from, and a run that broke each.

use std::rc::Rc;

use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use yew::{Html, Properties, component, html};

use crate::errand::{Chance, Odds};
use crate::words::words;

#[derive(PartialEq, Properties)]
pub struct OddsProperties {
    pub language: Language,
    pub odds: Rc<Odds>,
}

#[component]
pub fn OddsCard(properties: &OddsProperties) -> Html {
    let OddsProperties { language, odds } = properties;
    let (words, say) = (words(*language), |text: &Text| text.in_language(*language).to_owned());
    html! {
        <div class="chances" role="status">
            <dl>
                { for odds.chances.iter().map(|Chance { property, acquisition, year, example }| html! {
                    <div data-chance={property.name()}>
                        <dt>{ property.title().in_language(*language) }</dt>
                        <dd><span class="quiet">{ words.each_acquisition }</span>{ " " }{ say(acquisition) }</dd>
                        <dd><span class="quiet">{ words.each_year }</span>{ " " }{ say(year) }</dd>
                        if let Some(run) = example {
                            <dd><a href={format!("#{run}")}>{ words.open_example }</a></dd>
                        }
                    </div>
                }) }
            </dl>
            <h4>{ words.where_from }</h4>
            <div class="chart-scroll" tabindex="0" role="group" aria-label={words.where_from}>
                <table class="strata">
                    <thead><tr><th scope="col">{ words.what_strikes }</th><th scope="col">{ words.how_often }</th><th scope="col">{ words.what_broke }</th></tr></thead>
                    <tbody>
                        { for odds.strata.iter().map(|(what, weight, broke)| html! {
                            <tr><th scope="row">{ say(what) }</th><td>{ weight.clone() }</td><td>{ say(broke) }</td></tr>
                        }) }
                    </tbody>
                </table>
            </div>
            <p class="quiet small">{ say(&sampled(odds)) }</p>
        </div>
    }
}

fn sampled(odds: &Odds) -> Text {
    say!(
        "{runs} runs, {acquisitions} acquisitions in each; the intervals are of 95 % and of chance only: they say nothing about whether the model is right",
        "{runs} 次运行，每次加锁 {acquisitions} 次；区间均为 95%，只反映抽样误差，不说明模型是否符合实际",
        runs = odds.runs,
        acquisitions = odds.acquisitions
    )
}
