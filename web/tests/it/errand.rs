use std::cell::{Cell, RefCell};

use locklab_core::check::Property;
use locklab_core::compare::{Answer, Threat, mechanisms};
use locklab_core::explore::envelope::{Axis, Outcome};
use locklab_core::explore::{Cost, parse_allowance};
use locklab_core::i18n::Text;
use locklab_core::time::Time;
use locklab_web::errand::{Course, Effort, Errand, Quarry, Report, Searched, Sought, Wager};
use locklab_web::{Par, Piece, Played};

use crate::showing;

/// What is told of an errand, with a clock that takes a second for each look.
pub fn told(errand: &Errand) -> Vec<Report> {
    let reports = RefCell::new(Vec::new());
    let clock = Cell::new(0.0);
    let now = || {
        clock.set(clock.get() + 1_000.0);
        clock.get()
    };
    errand.run(now, |report| reports.borrow_mut().push(report));
    reports.into_inner()
}

/// A search of a built-in scenario with a lock.
pub fn quarry(scenario: &'static str, lock: &str, faults: &str, property: Property) -> Quarry {
    let state = showing(scenario, lock);
    let faults = parse_allowance(faults).expect("it is one");
    Quarry { run: state.address().expect("it can be told"), faults, property: Some(property) }
}

#[test]
fn an_errand_and_its_reports_survive_the_way_to_the_worker_and_back() {
    let quarry = quarry("expiry/gc-pause", "token-lua", "pause=1,crash=2", Property::NoStaleWrite);
    let cells = vec![("token-lua".to_owned(), Threat::Pause), ("none+version".to_owned(), Threat::LateRequest)];
    let Quarry { run, faults, property } = quarry.clone();
    let edge = Course { run: run.clone(), faults, property, axis: Axis::Pause, against: Some(Axis::Ttl) };
    let model = "[load]\nacquisitions_per_second = 1\n".to_owned();
    for errand in [
        Errand::Search(quarry.clone()),
        Errand::Search(Quarry { property: None, ..quarry }),
        Errand::Compare(cells),
        Errand::Edge(edge.clone()),
        Errand::Edge(Course { against: None, property: None, ..edge }),
        Errand::Odds(Wager { run, property: None, model }),
        Errand::Level(3),
        Errand::Read("{}\n\n{".to_owned()),
    ] {
        assert_eq!(Errand::parse(&errand.to_text()), Some(errand));
    }
    let effort = Effort { states: 9, waiting: 8, reached: Cost::new(1, 7, Time::START), bytes: 6, millis: 5 };
    let attack = Sought::Broken { faults: 1, choices: 2, shows: Time(3), run: "L1-x".into() };
    let answers = vec![
        (Property::NoStaleWrite, attack),
        (Property::NoDeadlock, Sought::Holds),
        (Property::Fairness, Sought::Untested),
        (Property::Progress, Sought::Unknown),
    ];
    for report in [
        Report::Going(effort),
        Report::Searched(Searched { effort, answers }),
        Report::Cells(Vec::new()),
        Report::Part { done: 3, waiting: 4 },
        Report::Level(2, Par::Broken { faults: 1, hints: vec![Text::new("look at A", "看看 A")] }),
        Report::Level(1, Par::Holds { states: 9 }),
        Report::Readable,
        Report::Failed(Text::new("no room", "没有空间")),
    ] {
        assert_eq!(Report::parse(&report.to_text()), Some(report));
    }
}

#[test]
fn a_text_that_is_no_errand_and_no_report_is_none() {
    for text in
        ["", "dance", "search", "search\npause=x\t\tL1-x", "compare\ntoken-lua\tgossip", "going\n1\t2", "cells\nx"]
    {
        assert_eq!((Errand::parse(text), Report::parse(text)), (None, None), "{text}");
    }
}

#[test]
fn the_edge_of_a_pause_is_found_to_the_millisecond_with_a_run_that_breaks_there() {
    let Quarry { run, faults, property } = quarry("expiry/gc-pause", "token-lua", "pause=1", Property::NoOverrun);
    let reports = told(&Errand::Edge(Course { run, faults, property, axis: Axis::Pause, against: None }));
    assert!(reports.iter().any(|report| matches!(report, Report::Part { .. })), "it tells how far it is");
    let Some(report @ Report::Edges(edges)) = reports.last() else { panic!("it ends: {reports:?}") };
    assert_eq!(Report::parse(&report.to_text()).as_ref(), Some(report));
    // A lease of 10 s whose last millisecond still counts, and 3 s of work.
    let [line] = &*edges.lines else { panic!("one property, no second figure") };
    let broken = line.stretches.iter().find(|stretch| stretch.outcome == Outcome::Broken);
    assert_eq!(broken.map(|stretch| stretch.from), Some(7_002_000));
    let [(Property::NoOverrun, 7_002_000, run)] = &*edges.breaks else { panic!("it has a run: {:?}", edges.breaks) };
    let (piece, ..) = Piece::at(run).expect("it is an address");
    let played = Played::of(&piece).expect("it can be played");
    assert!(played.run().expect("it can be told").report.broken().any(|broken| broken == Property::NoOverrun));
}

#[test]
fn the_odds_are_sampled_and_an_example_breaks_what_it_is_of() {
    let Quarry { run, property, .. } = quarry("expiry/gc-pause", "token-lua", "pause=1", Property::NoOverrun);
    // So many long pauses that some run must meet one.
    let model = "[pause]\nper_minute = 60\npercentiles = { p50 = \"9s\", max = \"20s\" }\n[load]\nacquisitions_per_second = 1\n";
    let reports = told(&Errand::Odds(Wager { run: run.clone(), property, model: model.to_owned() }));
    let Some(report @ Report::Odds(odds)) = reports.last() else { panic!("it ends: {reports:?}") };
    assert_eq!(Report::parse(&report.to_text()).as_ref(), Some(report));
    let [chance] = &*odds.chances else { panic!("one property") };
    let (piece, ..) = Piece::at(chance.example.as_deref().expect("some run broke it")).expect("it is an address");
    let played = Played::of(&piece).expect("it can be played");
    assert!(played.run().expect("it can be told").report.broken().any(|broken| broken == Property::NoOverrun));
    let wrong = told(&Errand::Odds(Wager { run, property, model: "pause = 1".to_owned() }));
    assert!(matches!(&*wrong, [Report::Failed(_)]), "{wrong:?}");
}

#[test]
fn a_search_ends_with_the_simplest_attack_as_a_run_that_breaks_the_property() {
    let errand = Errand::Search(quarry("expiry/gc-pause", "token-lua", "pause=1", Property::NoStaleWrite));
    let reports = told(&errand);
    assert!(reports.iter().any(|report| matches!(report, Report::Going(_))), "it tells how far it is");
    let Some(Report::Searched(searched)) = reports.last() else { panic!("it ends") };
    let [(Property::NoStaleWrite, Sought::Broken { faults: 1, run, .. })] = &*searched.answers else {
        panic!("one pause is enough: {:?}", searched.answers)
    };
    let opened = locklab_web::State::first(Default::default()).after(locklab_web::Action::Open(run.clone()));
    assert_eq!(opened.trouble, None, "the page plays the very run that the search has found");
    let report = &opened.played.run().expect("it can be told").report;
    assert!(report.verdict(Property::NoStaleWrite).is_broken());
}

#[test]
fn a_search_without_faults_finds_that_a_fence_holds() {
    let errand = Errand::Search(quarry("expiry/gc-pause", "fenced", "none", Property::NoStaleWrite));
    let Some(Report::Searched(searched)) = told(&errand).pop() else { panic!("it ends") };
    assert_eq!(searched.answers, [(Property::NoStaleWrite, Sought::Holds)]);
    assert_eq!(searched.effort.waiting, 0);
}

#[test]
fn an_address_that_opens_nothing_is_told() {
    let quarry = Quarry { run: "L1-AAAA".into(), faults: Default::default(), property: None };
    assert!(matches!(&*told(&Errand::Search(quarry)), [Report::Failed(_)]));
}

#[test]
fn cells_come_back_as_the_comparison_plays_them_and_their_witnesses_open() {
    let row = mechanisms().into_iter().find(|row| row.name() == "token-lua").expect("it is a mechanism");
    let cells = vec![
        ("token-lua".to_owned(), Threat::Pause),
        ("no such lock".to_owned(), Threat::Pause),
        ("token-lua".to_owned(), Threat::MinorityDown),
    ];
    let reports = told(&Errand::Compare(cells));
    let reports = reports.iter().map(|report| Report::parse(&report.to_text()).expect("it travels"));
    let played: Vec<_> = reports
        .flat_map(|report| match report {
            Report::Cells(cells) => cells,
            other => panic!("{other:?}"),
        })
        .collect();
    let [pause, minority] = &*played else { panic!("a name that names nothing is left out: {played:?}") };
    let expected = locklab_core::compare::Cell { mechanism: row, threat: Threat::Pause }.play();
    assert_eq!(pause.found, locklab_core::compare::Found { witness: None, ..expected });
    assert!(matches!(minority.found.answer, Answer::NotApplicable { .. }) && minority.run.is_none());
    let run = pause.run.clone().expect("a pause breaks it");
    let opened = locklab_web::State::first(Default::default()).after(locklab_web::Action::Open(run));
    assert_eq!(opened.trouble, None);
    assert!(opened.played.run().expect("it can be told").report.broken().next().is_some());
}
