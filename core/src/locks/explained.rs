//! Where the long explanation of each lock comes from: `explain/`, in both languages.

/// A lock's explanation in English and Chinese; without the feature `texts`, nothing.
#[cfg(feature = "texts")]
macro_rules! explained {
    ($name:literal) => {
        [
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/locks/explain/", $name, ".en.md")),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/locks/explain/", $name, ".zh.md")),
        ]
    };
}

#[cfg(not(feature = "texts"))]
macro_rules! explained {
    ($name:literal) => {
        [""; 2]
    };
}

pub(super) use explained;
