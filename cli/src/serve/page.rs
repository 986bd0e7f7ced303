//! The page's files, as they were when the program was built; none if the page had not been built then.

// `FILES: &[(&str, &[u8])]`: each file by its path in web/dist. Written by build.rs.
include!(concat!(env!("OUT_DIR"), "/page.rs"));
