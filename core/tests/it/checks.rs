//! Verdicts, figures and causes of hand-made histories.

mod causes;
mod figures;
mod properties;
mod random;
