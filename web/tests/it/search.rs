use locklab_core::check::Property;
use locklab_core::i18n::Language;
use locklab_core::sim::FaultClass;
use locklab_web::errand::{Edges, Effort, Errand, Report};
use locklab_web::{Action, Asked, Chase, Finding, Overall, Seek, State, View, Weigh};

use crate::errand::told;
use crate::{page, showing};

fn seek(state: &State, seek: Seek) -> State {
    state.after(Action::Seek(seek))
}

/// The search of a lock, begun with one property in question.
fn begun(lock: &str, property: Property) -> State {
    let state = showing("expiry/gc-pause", lock);
    let address = state.address().expect("it can be told");
    let state = state.after(Action::Open(format!("search/{address}")));
    seek(&seek(&state, Seek::Ask(Some(property))), Seek::Start)
}

/// The state at the end of what a worker does for it.
fn ended(state: &State) -> State {
    let quarry = state.quarry().expect("it goes on");
    told(&Errand::Search(quarry)).into_iter().fold(state.clone(), |state, report| seek(&state, Seek::Heard(report)))
}

#[test]
fn the_address_of_a_search_opens_the_search_of_that_run() {
    let address = showing("expiry/gc-pause", "fenced").address().expect("it can be told");
    let state = State::first(Language::Chinese).after(Action::Open(format!("search/{address}")));
    assert_eq!((state.view, &*state.played.piece.lock), (View::Search, "fenced"));
    assert_eq!(state.place(), Some(format!("search/{address}")));
    assert_eq!(state.hunt().faults.of(FaultClass::Pause), 1, "the scenario has one pause");
    let html = page(state);
    assert!(html.contains("它会被破坏吗？") && html.contains("客户端 A、B"), "the bounds are said before it begins");
}

#[test]
fn a_search_that_breaks_a_lock_tells_how_and_opens_the_run() {
    let state = begun("token-lua", Property::NoStaleWrite);
    assert!(page(state.clone()).contains("Searching…"));
    let state = ended(&state);
    let Chase::Over(findings) = state.hunt().chase else { panic!("it is over") };
    assert_eq!((findings.overall(), state.quarry()), (Overall::Broken, None));
    let attack = findings.simplest.as_ref().expect("it is broken").run().expect("it can be told").clone();
    let html = page(state.clone());
    assert!(
        html.contains("Can be broken")
            && html.contains(&format!("href=\"#{}\"", attack.address.as_ref().expect("it is played")))
    );
    assert!(html.contains("The resource cannot tell an old grant from a new one"), "the cause is told");
    // Whoever opens the attack and comes back finds the answer again.
    let search = state.place().expect("it has an address");
    let there = state.after(Action::Open(attack.address.as_ref().expect("it is played").to_string()));
    assert_eq!((there.view, there.trouble.clone()), (View::Run, None));
    assert!(matches!(there.hunt().chase, Chase::Idle), "the attack is another run, which nobody has searched");
    assert!(matches!(there.after(Action::Open(search)).hunt().chase, Chase::Over(_)));
}

#[test]
fn a_search_that_holds_says_within_which_bounds() {
    let state = seek(&begun("fenced", Property::NoStaleWrite), Seek::Allow(FaultClass::Pause, 0));
    assert_eq!(state.quarry(), None, "another question is another search");
    let state = ended(&seek(&state, Seek::Start));
    let html = page(state);
    assert!(html.contains("Holds within the bounds") && html.contains("no faults"));
}

#[test]
fn a_search_can_be_cancelled_and_what_its_worker_still_says_is_not_heard() {
    let state = begun("token-lua", Property::NoStaleWrite);
    let going =
        seek(&state, Seek::Heard(Report::Going(Effort { states: 1_234_567, millis: 1_000, ..Effort::default() })));
    assert!(page(going.clone()).contains("1,234,567 states, 1,234,567 a second"));
    let state = seek(&going, Seek::Stop);
    assert_eq!(state.quarry(), None);
    let late = seek(&state, Seek::Heard(Report::Going(Effort::default())));
    assert!(matches!(late.hunt().chase, Chase::Idle));
}

#[test]
fn a_search_whose_memory_is_used_up_is_unknown() {
    use locklab_web::errand::{Searched, Sought};
    let state = begun("token-lua", Property::NoStaleWrite);
    let searched = Searched { effort: Effort::default(), answers: vec![(Property::NoStaleWrite, Sought::Unknown)] };
    let state = seek(&state, Seek::Heard(Report::Searched(searched)));
    let Chase::Over(findings) = state.hunt().chase else { panic!("it is over") };
    assert_eq!(findings.overall(), Overall::Unknown);
    assert!(page(state).contains("Unknown: the memory is used up"));
}

#[test]
fn a_scenario_that_cannot_be_told_with_a_lock_is_not_searched() {
    // The resource lives in the database, which a lock on Redis does not have.
    let state = showing("database/transaction-lost", "for-update").after(Action::Lock("token-lua".into()));
    assert!(state.played.run().is_err());
    let untold = State { view: View::Search, ..state };
    assert!(page(untold).contains("This scenario cannot be told with this lock."));
}

#[test]
fn the_edges_stay_while_the_odds_are_asked_for() {
    let weigh = |state: &State, weigh: Weigh| state.after(Action::Weigh(weigh));
    let state = showing("expiry/gc-pause", "token-lua");
    let asked = weigh(&weigh(&state, Weigh::Ask(Asked::Edge)), Weigh::Ask(Asked::Odds));
    assert!(matches!(asked.survey_errand(Asked::Edge), Some(Errand::Edge(_))), "two questions, two workers");
    assert!(matches!(asked.survey_errand(Asked::Odds), Some(Errand::Odds(_))));
    let edges = Edges { points: 3, range: (0, 9), lines: Vec::new(), breaks: Vec::new() };
    let told = weigh(&asked, Weigh::Heard(Asked::Edge, Report::Edges(edges)));
    let told = weigh(&told, Weigh::Heard(Asked::Odds, Report::Part { done: 7, waiting: 9 }));
    let survey = told.survey();
    assert!(matches!(survey.edges, Finding::Found(_)), "{:?}", survey.edges);
    assert_eq!(survey.odds, Finding::Going(7, 9));
    // Another model is another question about the odds, not about the edges.
    let survey = weigh(&told, Weigh::Model("[load]".into())).survey();
    assert!(matches!((survey.edges, survey.odds), (Finding::Found(_), Finding::None)));
}
