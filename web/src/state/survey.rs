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
    /// What was asked last; `None`: nothing since something was changed.
    pub asked: Option<Asked>,
    /// What has come of it.
    pub finding: Finding,
}

/// One of the two questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Where does it begin to break?
    Edge,
    /// How likely is it?
    Odds,
}

/// What has come of a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Finding {
    /// Nothing was asked.
    #[default]
    None,
    /// So many points or runs are done, and so many wait at least.
    Going(u64, u64),
    /// The edges.
    Edges(Rc<Edges>),
    /// The odds.
    Odds(Rc<Odds>),
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
    Stop,
    /// The worker has told something.
    Heard(Report),
}

impl State {
    /// The questions about the run that is shown: those that were asked, or none.
    pub fn survey(&self) -> Survey {
        let run = self.played.address().unwrap_or_default();
        let kept = self.survey.as_deref().cloned();
        match kept {
            Some(survey) if survey.run == run => survey,
            // Another run: the figures that were chosen stay.
            Some(survey) => Survey { run, asked: None, finding: Finding::None, ..survey },
            None => Survey {
                run,
                axis: Axis::Pause,
                against: None,
                model: MODELS[0].1.to_owned(),
                asked: None,
                finding: Finding::None,
            },
        }
    }

    /// What a worker has to do for them.
    pub fn survey_errand(&self) -> Option<Errand> {
        let survey = self.survey.as_ref().filter(|survey| matches!(survey.finding, Finding::Going(..)))?;
        let hunt = self.hunt();
        let run = survey.run.clone();
        let property = hunt.property;
        (self.played.address().as_ref() == Some(&run)).then(|| match survey.asked {
            Some(Asked::Odds) => Errand::Odds(Wager { run, property, model: survey.model.clone() }),
            _ => {
                let (axis, against) = (survey.axis, survey.against);
                Errand::Edge(Course { run, faults: hunt.faults, property, axis, against })
            }
        })
    }

    /// The state after something about them.
    pub(super) fn weighed(self, weigh: Weigh) -> State {
        let survey = self.survey();
        let idle = Survey { asked: None, finding: Finding::None, ..survey.clone() };
        let survey = match weigh {
            Weigh::Vary(axis) => Survey { axis, against: idle.against.filter(|other| *other != axis), ..idle },
            Weigh::Against(against) => Survey { against: against.filter(|other| *other != idle.axis), ..idle },
            Weigh::Model(model) => Survey { model, ..idle },
            Weigh::Ask(asked) => Survey { asked: Some(asked), finding: Finding::Going(0, 0), ..idle },
            Weigh::Stop => idle,
            Weigh::Heard(report) => match (&survey.finding, report) {
                (Finding::Going(..), Report::Part { done, waiting }) => {
                    Survey { finding: Finding::Going(done, waiting), ..survey }
                }
                (Finding::Going(..), Report::Edges(edges)) => {
                    Survey { finding: Finding::Edges(Rc::new(edges)), ..survey }
                }
                (Finding::Going(..), Report::Odds(odds)) => Survey { finding: Finding::Odds(Rc::new(odds)), ..survey },
                (Finding::Going(..), Report::Failed(why)) => Survey { finding: Finding::Failed(why), ..survey },
                // What a worker still says that was ended.
                _ => survey,
            },
        };
        State { survey: Some(Rc::new(survey)), ..self }
    }
}
