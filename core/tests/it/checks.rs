//! Verdicts, figures and causes of hand-made histories.
