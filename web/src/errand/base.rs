//! What the longer questions start from: a run's scenario and lock.

use locklab_core::address::Change;
use locklab_core::check::Property;
use locklab_core::i18n::Text;
use locklab_core::locks::Kind;
use locklab_core::scenario::Scenario;

use super::search::said;
use crate::state::Piece;

/// A run's scenario and lock, perhaps with changes.
pub(super) struct Base {
    pub piece: Piece,
    pub scenario: Scenario,
    pub kind: Kind,
}

impl Base {
    /// Those of an address.
    pub fn at(run: &str) -> Result<Base, Text> {
        let (piece, ..) = Piece::at(run).map_err(said)?;
        Base::of(piece)
    }

    /// The same with changes.
    pub fn changed(&self, settings: Vec<(String, String)>) -> Result<Base, Text> {
        let changes = settings.into_iter().map(|(key, value)| Change { key, value });
        Base::of(changes.fold(self.piece.clone(), Piece::changed))
    }

    fn of(piece: Piece) -> Result<Base, Text> {
        let text = piece.text().map_err(said)?;
        let scenario = Scenario::parse(piece.source.name(), &text).map_err(|errors| said(errors.into()))?;
        let kind = piece.kind(&scenario).map_err(said)?;
        Ok(Base { piece, scenario, kind })
    }
}

/// The properties in question.
pub(super) fn in_question(property: Option<Property>) -> Vec<Property> {
    property.map_or_else(|| Property::USUAL.to_vec(), |property| vec![property])
}
