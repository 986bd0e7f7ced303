//! The longer questions about the lock of the run that is shown: where it begins to break, and how likely it breaks.

use std::rc::Rc;

use locklab_core::explore::envelope::Axis;
use locklab_core::i18n::Text;

use super::State;
use crate::errand::{Course, Edges, Errand, Odds, Report, Wager};

/// The models that the page brings, by name: what strikes a service, how often, for how long.
pub const MODELS: [(&str, &str); 2] = [
    ("java-service", include_str!("../../../docs/models/java-service.toml")),
    ("go-service", include_str!("../../../docs/models/go-service.toml")),
];

/// What is asked, and what has come of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// The run whose scenario and lock are asked about, by its address.
    run: String,
    /// The figure along which the edge is looked for.
    pub axis: Axis,
    /// A second one, for a map.
    pub against: Option<Axis>,
    /// The model, as a file tells it.
    pub model: String,
    /// Where it begins to break, as far as that is known.
    pub edges: Finding<Edges>,
    /// How likely it breaks, as far as that is known.
    pub odds: Finding<Odds>,
}

/// One of the two questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Where does it begin to break?
    Edge,
    /// How likely is it?
    Odds,
}

/// What has come of a question. Each has a worker of its own: one answer waits for no other.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Finding<A> {
    /// Nothing was asked since something was changed.
    #[default]
    None,
    /// So many points or runs are done, and so many wait at least.
    Going(u64, u64),
    /// The answer.
    Found(Rc<A>),
    /// It could not be done.
    Failed(Text),
}

/// What a reader can do with these questions.
#[derive(Clone, Debug, PartialEq)]
pub enum Weigh {
    /// Vary this figure.
    Vary(Axis),
    /// And this one, for a map.
    Against(Option<Axis>),
    /// Take this model.
    Model(String),
    /// Ask.
    Ask(Asked),
    /// End it.
    Stop(Asked),
    /// The worker has told something.
    Heard(Asked, Report),
}

impl Survey {
    /// Whether a worker looks for the answer to this question.
    pub fn is_going(&self, asked: Asked) -> bool {
        match asked {
            Asked::Edge => self.edges.is_going(),
            Asked::Odds => self.odds.is_going(),
        }
    }
}

impl<A> Finding<A> {
    /// Whether a worker looks for the answer.
    fn is_going(&self) -> bool {
        matches!(self, Finding::Going(..))
    }

    /// After a report of its worker, of which `answer` takes the answer. What a worker still says that was ended changes nothing.
    fn after(self, report: Report, answer: impl FnOnce(Report) -> Option<A>) -> Finding<A> {
        if !self.is_going() {
            return self;
        }
        match report {
            Report::Part { done, waiting } => Finding::Going(done, waiting),
            Report::Failed(why) => Finding::Failed(why),
            other => answer(other).map_or(self, |found| Finding::Found(Rc::new(found))),
        }
    }
}

impl State {
    /// The questions about the run that is shown: those that were asked, or none.
    pub fn survey(&self) -> Survey {
        let run = self.played.address().unwrap_or_default();
        let kept = self.survey.as_deref().cloned();
        match kept {
            Some(survey) if survey.run == run => survey,
            // Another run: the figures that were chosen stay.
            Some(survey) => Survey { run, edges: Finding::None, odds: Finding::None, ..survey },
            None => Survey {
                run,
                axis: Axis::Pause,
                against: None,
                model: MODELS[0].1.to_owned(),
                edges: Finding::None,
                odds: Finding::None,
            },
        }
    }

    /// What a worker has to do for one of them.
    pub fn survey_errand(&self, asked: Asked) -> Option<Errand> {
        let survey = self.survey.as_ref()?;
        let run = survey.run.clone();
        if !survey.is_going(asked) || self.played.address().as_ref() != Some(&run) {
            return None;
        }
        let hunt = self.hunt();
        let property = hunt.property;
        Some(match asked {
            Asked::Edge => {
                let (axis, against) = (survey.axis, survey.against);
                Errand::Edge(Course { run, faults: hunt.faults, property, axis, against })
            }
            Asked::Odds => Errand::Odds(Wager { run, property, model: survey.model.clone() }),
        })
    }

    /// The state after something about them.
    pub(super) fn weighed(self, weigh: Weigh) -> State {
        let survey = self.survey();
        let survey = match weigh {
            Weigh::Vary(axis) => {
                let against = survey.against.filter(|other| *other != axis);
                Survey { axis, against, edges: Finding::None, ..survey }
            }
            Weigh::Against(against) => {
                let against = against.filter(|other| *other != survey.axis);
                Survey { against, edges: Finding::None, ..survey }
            }
            Weigh::Model(model) => Survey { model, odds: Finding::None, ..survey },
            Weigh::Ask(Asked::Edge) => Survey { edges: Finding::Going(0, 0), ..survey },
            Weigh::Ask(Asked::Odds) => Survey { odds: Finding::Going(0, 0), ..survey },
            Weigh::Stop(Asked::Edge) => Survey { edges: Finding::None, ..survey },
            Weigh::Stop(Asked::Odds) => Survey { odds: Finding::None, ..survey },
            Weigh::Heard(Asked::Edge, report) => {
                let edges = |report| if let Report::Edges(edges) = report { Some(edges) } else { None };
                Survey { edges: survey.edges.clone().after(report, edges), ..survey }
            }
            Weigh::Heard(Asked::Odds, report) => {
                let odds = |report| if let Report::Odds(odds) = report { Some(odds) } else { None };
                Survey { odds: survey.odds.clone().after(report, odds), ..survey }
            }
        };
        State { survey: Some(Rc::new(survey)), ..self }
    }
}
