//! A risk told: the chance for each acquisition and for a year, from which strata it comes, how it settled, how it depends on the lease.

use std::fmt::Write as _;

use locklab_core::explore::risk::shown;
use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use unicode_width::UnicodeWidthStr;

use super::Assessment;
use crate::terminal::{self, ALARM, FAINT, STRONG};

/// The page.
pub fn page(assessment: &Assessment, language: Language) -> String {
    let Assessment { inquiry, tally, .. } = assessment;
    let risk = &inquiry.risk;
    let say = |text: Text| text.in_language(language).to_owned();
    let mut page = String::new();
    let (title, name) = (inquiry.stage.scenario.title.in_language(language), &inquiry.stage.scenario.name);
    let (with, lock) = (say(say!("with the lock", "使用锁")), &inquiry.lock.name);
    let _ = writeln!(page, "{STRONG}{title}{STRONG:#} ({name}) {with} {STRONG}{lock}{STRONG:#}");
    let model = say!(
        "model: {title}; figures: {source}",
        "模型：{title}；数据来源：{source}",
        title = inquiry.model.title.as_str(),
        source = inquiry.model.source.as_str()
    );
    let _ = writeln!(page, "{FAINT}{}{FAINT:#}\n", say(model));
    for (place, property) in risk.properties().iter().enumerate() {
        let of_one = risk.of_an_acquisition(tally, place);
        let style = if of_one.probability.is_some() { ALARM } else { STRONG };
        let _ = writeln!(page, "{style}{property}{style:#}");
        let words = say!(
            "  for each acquisition {one}\n  in a year            {year}",
            "  每次加锁 {one}\n  每年     {year} 次",
            one = of_one.words(),
            year = risk.of_a_year(tally, place).words()
        );
        let _ = writeln!(page, "{}", say(words));
    }
    page.push_str(&strata(assessment, language));
    page.push_str(&settling(assessment, language));
    let seen = (0..risk.properties().len()).find(|place| tally.first[*place].is_some());
    if let Some(place) = seen.filter(|_| !assessment.curve.is_empty()) {
        let curve = assessment.chart(place, language);
        let _ = writeln!(page, "\n{STRONG}{}{STRONG:#}", curve.title);
        page.push_str(&curve.text(terminal::width()));
    }
    if !assessment.examples.is_empty() {
        let _ = writeln!(
            page,
            "\n{STRONG}{}{STRONG:#}",
            say(say!("One run that broke each", "每条性质各举一次被破坏的运行"))
        );
    }
    for (property, played) in &assessment.examples {
        if let Some(address) = played.address() {
            let _ = writeln!(page, "  {property}\n    locklab replay {address}");
        }
    }
    page.push_str(&footnote(assessment, language));
    page
}

fn strata(assessment: &Assessment, language: Language) -> String {
    let (risk, tally) = (&assessment.inquiry.risk, &assessment.tally);
    let heading = say!(
        "Where it comes from: what strikes in a run of {window}",
        "风险来自哪里：一次 {window} 的运行里发生什么",
        window = risk.window()
    );
    let mut page = format!("\n{STRONG}{}{STRONG:#}\n", heading.in_language(language));
    let titles: Vec<String> =
        risk.strata().iter().map(|stratum| stratum.kind.title().in_language(language).to_owned()).collect();
    let width = titles.iter().map(|title| title.width()).max().unwrap_or(0);
    for (index, (stratum, title)) in risk.strata().iter().zip(titles).enumerate() {
        let gap = " ".repeat(width - title.width());
        let broken: Vec<String> = risk
            .properties()
            .iter()
            .zip(&tally.broken[index])
            .filter(|(_, broken)| **broken > 0)
            .map(|(property, broken)| format!("{property} {broken}"))
            .collect();
        let is_excluded = (0..risk.properties().len()).all(|place| risk.is_excluded(index, place));
        let excluded = say!("harmless, by exhaustive search", "穷举搜索证明无害");
        let broken = if is_excluded {
            excluded.in_language(language).to_owned()
        } else {
            Text::list(broken).in_language(language).to_owned()
        };
        let runs = tally.runs[index];
        let words = say!("{runs} runs", "{runs} 次运行", runs = runs);
        let chance = shown(stratum.weight);
        let _ = writeln!(page, "  {title}{gap}  {chance:>9}  {}  {}", words.in_language(language), broken);
    }
    page
}

fn settling(assessment: &Assessment, language: Language) -> String {
    let mut page = String::new();
    for (place, property) in assessment.inquiry.risk.properties().iter().enumerate() {
        if assessment.tally.first[place].is_none() {
            continue;
        }
        let heading = say!("How {property} settled", "{property} 的收敛过程", property = property.name());
        let _ = writeln!(page, "\n{STRONG}{}{STRONG:#}", heading.in_language(language));
        for (runs, estimates) in &assessment.steps {
            let _ = writeln!(page, "  {runs:>9}  {}", estimates[place].words().in_language(language));
        }
        break;
    }
    page
}

fn footnote(assessment: &Assessment, language: Language) -> String {
    let (risk, tally) = (&assessment.inquiry.risk, &assessment.tally);
    let mut notes = vec![say!(
        "{runs} runs, seed {seed}, {acquisitions} acquisitions in a run; every interval is one of 95 %, of chance only: it says nothing about whether the model is right",
        "{runs} 次运行，种子 {seed}，每次运行加锁 {acquisitions} 次；区间均为 95%，只反映抽样误差，不说明模型是否符合实际",
        runs = assessment.runs(),
        seed = assessment.inquiry.question.seed,
        acquisitions = risk.acquisitions()
    )];
    if assessment.inquiry.model.failovers.is_some() && !risk.plan().is_replicated {
        notes
            .push(say!("no replicas here: the model's failovers are left out", "这里没有副本：模型中的故障切换不计入"));
    }
    if let Some(stop) = assessment.stopped {
        notes.push(say!(
            "{why}: {all} runs were asked for; leases that were not sampled to the end are left out of the curve",
            "{why}：原定 {all} 次运行；曲线上没有采样完的租约不列出",
            why = stop.said(),
            all = assessment.inquiry.question.runs
        ));
    }
    if tally.endless > 0 {
        notes.push(say!("{count} runs did not come to an end", "{count} 次运行没有结束", count = tally.endless));
    }
    let notes = notes.iter().map(|note| textwrap::fill(note.in_language(language), terminal::width()));
    notes.fold("\n".to_owned(), |page, note| format!("{page}{FAINT}{note}{FAINT:#}\n"))
}
