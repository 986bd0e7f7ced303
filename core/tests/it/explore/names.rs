//! Machines with equal parameters are not taken for each other, whoever a fault names, and in whatever order they stand in the scenario.

use locklab_core::check::Property;
use locklab_core::explore::{Adversity, Answer, Cost, Progress, Search, parse_allowance};
use locklab_core::i18n::Language;
use locklab_core::locks;
use locklab_core::scenario::Scenario;
use locklab_core::sim::Lengths;

/// Two clients that differ in their names only, or three nodes; what begins with `@` is filled in.
const EQUAL: &str = r#"
title = "equal"
[servers]
@servers
[lock]
kind = "@lock"
ttl = "400ms"
retry = "100ms"
[resource]
kind = "register"
[[client]]
name = "@one"
work = "150ms"
[[client]]
name = "@other"
work = "150ms"
@fault
[expect.@lock]
broken = []
happens = ["A.acquired"]
"#;

const NODES: &str = "redis = \"independent\"\nnodes = 3";

struct Case<'a> {
    lock: &'a str,
    servers: &'a str,
    clients: [&'a str; 2],
    fault: &'a str,
}

impl Case<'_> {
    /// What the search finds with these faults, or with the scenario's own.
    fn search(&self, faults: Option<&str>, properties: &[Property]) -> Vec<Option<Cost>> {
        let text = EQUAL.replace("@lock", self.lock).replace("@servers", self.servers);
        let text =
            text.replace("@one", self.clients[0]).replace("@other", self.clients[1]).replace("@fault", self.fault);
        let scenario = Scenario::parse("equal", &text).map_err(|errors| errors.render(Language::English));
        let scenario = scenario.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let adversity = faults.map_or(Adversity::Own, |faults| {
            Adversity::Placed(parse_allowance(faults).expect("an allowance"), Lengths::default())
        });
        let lock = locks::find(self.lock).expect("a lock");
        let mut search = Search::against(&scenario, lock, adversity, properties).expect("they go together");
        while search.advance(10_000) == Progress::Going {}
        let costs = search.answers().map(|(property, answer)| match answer {
            Answer::Broken(attack) => Some(attack.cost),
            Answer::Holds | Answer::NotApplicable => None,
            Answer::Unknown => panic!("{property}: the search came to its end"),
        });
        costs.collect()
    }
}

const ONE: Case<'static> = Case { lock: "token-lua", servers: "", clients: ["A", "B"], fault: "" };

#[test]
fn a_trigger_that_names_one_of_two_equal_clients_strikes_that_one() {
    // Whoever is listed first gets the lock, and whoever gets it last has nobody to disturb: to do harm, the other one must be quicker, which costs choices of order.
    let paused = |client: &str, clients| {
        let fault = format!("[[fault]]\npause = \"{client}\"\nat = \"{client}.acquired\"\nfor = \"600ms\"\n");
        Case { fault: &fault, clients, ..ONE }.search(None, &[Property::MutualExclusion])[0].expect("it breaks")
    };
    let (first, second) = (paused("A", ["A", "B"]), paused("B", ["A", "B"]));
    assert!(first.choices() == 0 && second.choices() > 0, "{first:?} {second:?}");
    assert_eq!(
        (paused("A", ["B", "A"]), paused("B", ["B", "A"])),
        (second, first),
        "the names themselves decide nothing"
    );
}

#[test]
fn a_trigger_that_names_one_of_three_equal_nodes_strikes_that_one() {
    // A node that comes back empty forgets whose lease it kept; the order in which nodes are asked decides who had it.
    let emptied = |node: u32, count: u32| {
        let faults: String = (node..node + count)
            .map(|node| format!("[[fault]]\ncrash = \"node-{node}\"\nat = \"A.acquired\"\nrestart_after = \"1ms\"\ndata = \"lost\"\n"))
            .collect();
        Case { lock: "redlock", servers: NODES, fault: &faults, ..ONE }.search(None, &[Property::MutualExclusion])[0]
    };
    assert_eq!(emptied(1, 2).map(Cost::choices), Some(0), "two of three have forgotten");
    for node in 1..=3 {
        let cost = emptied(node, 1).expect("somebody else may have had one of the three");
        assert!(cost.choices() > 0, "it takes a message that is overtaken: {cost:?}");
    }
}

#[test]
fn the_order_in_which_equal_clients_are_listed_changes_no_answer() {
    let all = [Property::MutualExclusion, Property::NoOverrun, Property::NoStaleWrite, Property::NoForeignRelease];
    for (lock, faults) in [("token-lua", "pause=1"), ("token-lua", "crash=1"), ("setnx-del", "crash=1")] {
        let of = |clients| Case { lock, clients, ..ONE }.search(Some(faults), &all);
        assert_eq!(of(["A", "B"]), of(["B", "A"]), "{lock} {faults}");
    }
}
